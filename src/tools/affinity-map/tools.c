/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks for programs and libraries, and starts none of them. */
#include "affinity-map/tools.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "system/preload.h"
#include "system/program.h"

char *tools_runtime(const struct map_app *app, char **why)
{
	char kind[128];
	char *file = program_beside(TOOLS_RUNTIME), *library = NULL;
	struct errors unused = {0};

	*why = NULL;
	if (file)
		library = preload_find(TOOLS_RUNTIME ".so", &unused);
	errors_free(&unused);
	if (!file || !library)
		*why = alloc_format(
			TOOLS_RUNTIME ": it%s is not beside affinity-map", file ? "s library" : "");
	else if (program_deaf(app->path, kind, sizeof(kind)))
		*why = alloc_format(TOOLS_RUNTIME
			": '%s' is %s: no library can be preloaded into it",
			app->name, kind);
	free(library);
	if (!*why)
		return file;
	free(file);
	return NULL;
}

/* The options of a program are among its constants, so that it need not be asked. */
static bool has_text(const char *path, const char *text)
{
	char *line = NULL;
	size_t size = 0;
	bool found = false;
	FILE *in = fopen(path, "re");

	for (ssize_t n; in && !found && (n = getline(&line, &size, in)) > 0;)
		found = memmem(line, (size_t)n, text, strlen(text)) != NULL;
	free(line);
	if (in)
		fclose(in);
	return found;
}

char *tools_lack_weighted(void)
{
	char unused[128];
	char *numactl = program_find("numactl", unused, sizeof(unused));
	const bool lacks = numactl && !has_text(numactl, "weighted-interleave");

	free(numactl);
	return lacks ? alloc_format("weighted interleave of the kernel: this numactl has no "
				    "--weighted-interleave (numactl 2.0.19)")
		     : NULL;
}

void tools_warn(struct errors *e)
{
	char unused[128];
	char *numactl = program_find("numactl", unused, sizeof(unused));

	if (!numactl) {
		error_warn(
			e, "numactl is not installed: command lines with a memory policy need it");
		error_hint(e, "the race sets policies itself; Debian: apt-get install numactl");
	}
	free(numactl);
}
