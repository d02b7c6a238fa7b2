/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file for a test. It lies where TMPDIR says, and is gone when the program ends, also when a test
 * fails before it could remove it. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratch_path[4096];

static void scratch_remove(void)
{
	if (*scratch_path)
		unlink(scratch_path);
	*scratch_path = '\0';
}

/* Makes the file, open for writing; the earlier one is removed. */
static FILE *scratch_open(void)
{
	const char *folder = getenv("TMPDIR");
	static int known;

	if (!known++)
		atexit(scratch_remove);
	scratch_remove();
	snprintf(scratch_path, sizeof(scratch_path), "%s/affinity-test-XXXXXX",
		folder && *folder ? folder : "/tmp");
	int file = mkstemp(scratch_path);

	assert_true(file >= 0);
	return fdopen(file, "w");
}

/* Makes the file with this text, closes it and returns its path. */
static inline const char *scratch_write(const char *text)
{
	FILE *out = scratch_open();

	assert_non_null(out);
	assert_true(fputs(text, out) >= 0);
	assert_int_equal(fclose(out), 0);
	return scratch_path;
}

#endif
