/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folders that look like the control groups of a process. */
#ifndef CGROUP_STAGE_H
#define CGROUP_STAGE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

/* A file of the described machine; text NULL ends a list. %s stands for the test's folder. */
struct file {
	const char *path, *text;
};

static char *folder;

static void write_file(const struct file *f)
{
	char *path = alloc_format("%s/%s", folder, f->path);

	for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash;
		slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		assert_true(!mkdir(path, 0700) || errno == EEXIST);
		*slash = '/';
	}
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	const char *at = strstr(f->text, "%s");
	fprintf(out, "%.*s%s%s", at ? (int)(at - f->text) : (int)strlen(f->text), f->text,
		at ? folder : "", at ? at + 2 : "");
	assert_int_equal(fclose(out), 0);
	free(path);
}

static void write_files(const struct file *files)
{
	char *clean = alloc_format("rm -rf '%s'/*", folder);

	assert_int_equal(system(clean), 0);
	free(clean);
	for (; files->text; files++)
		write_file(files);
}

#define UNIFIED                                                                                    \
	{                                                                                          \
		"mountinfo", "24 1 0:2 / /proc rw - proc proc rw\n30 24 0:26 / %s/fs rw shared:9 " \
			     "- cgroup2 cgroup2 rw\n"                                              \
	}

static int make_folder(void **state)
{
	const char *parent = getenv("TMPDIR");

	(void)state;
	folder = alloc_format("%s/affinity-cgroup-XXXXXX", parent ? parent : "/tmp");
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char *remove = alloc_format("rm -r '%s'", folder);
	int failed = system(remove);

	(void)state;
	free(remove);
	free(folder);
	return failed;
}

#endif
