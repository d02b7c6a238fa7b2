/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens what the environment names: of a setuid program, nothing. */
#include "inserted/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

FILE *log_open(const char *variable)
{
	const char *path = secure_getenv(variable);
	FILE *file;

	if (!path || !*path)
		return NULL;
	if (!strcmp(path, "-"))
		return stderr;
	file = fopen(path, "ae");
	if (!file)
		fprintf(stderr, "affinity: %s: cannot write %s: %s\n", variable, path,
			strerror(errno));
	return file;
}
