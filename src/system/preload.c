/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks beside /proc/self/exe. */
#include "system/preload.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

char *preload_find(const char *name, struct errors *e)
{
	static const char *const places[] = {"", "build/", "../lib/affinity/"};
	char self[4096];
	ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char *slash = length > 0 ? memrchr(self, '/', (size_t)length) : NULL;

	for (size_t i = 0; slash && i < sizeof(places) / sizeof(*places); i++) {
		char *path = alloc_format("%.*s/%s%s", (int)(slash - self), self, places[i], name);

		if (access(path, R_OK)) {
			free(path);
			continue;
		}
		if (!strpbrk(path, " :"))
			return path;
		error_add(e, STATUS_FAILED, NOWHERE,
			"'%s' cannot be preloaded: its path has a blank or a colon", path);
		free(path);
		return NULL;
	}
	error_add(e, STATUS_FAILED, NOWHERE, "the library %s is not beside the program", name);
	error_hint(e, "make builds it, make install puts it into PREFIX/lib/affinity");
	return NULL;
}
