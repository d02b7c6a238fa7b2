/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks beside /proc/self/exe. */
#include "system/preload.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

/* A blank or a colon divides libraries in LD_PRELOAD: the file by another name, which lasts as long
 * as this process. Takes the path. */
static char *without_blanks(char *path, struct errors *e)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);

	if (file < 0)
		error_add(e, STATUS_FAILED, NOWHERE, "cannot open '%s': %s", path, strerror(errno));
	free(path);
	return file < 0 ? NULL : alloc_format("/proc/%d/fd/%d", (int)getpid(), file);
}

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
		return strpbrk(path, " :") ? without_blanks(path, e) : path;
	}
	error_add(e, STATUS_FAILED, NOWHERE, "the library %s is not beside the program", name);
	error_hint(e, "make builds it, make install puts it into PREFIX/lib/affinity");
	return NULL;
}
