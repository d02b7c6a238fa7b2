/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tells the OpenMP runtime how its idle threads wait. */
#include "placement/idle.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* By default idle threads of libgomp spin for about a millisecond after a team has ended, those of
 * libomp for 200 ms. They would take part of the core from a sample of fewer threads, and on a busy
 * machine the CPU from the thread that they wait for. */
static const struct {
	const char *name, *value;
} variables[] = {
	{"OMP_WAIT_POLICY", "PASSIVE"}, {"GOMP_SPINCOUNT", "0"}, /* takes precedence in libgomp */
	{"KMP_BLOCKTIME", "0"},                                  /* libomp, milliseconds */
};

#define VARIABLES (sizeof(variables) / sizeof(*variables))

static bool all_set(void)
{
	for (size_t i = 0; i < VARIABLES; i++) {
		const char *value = getenv(variables[i].name);

		if (!value || strcmp(value, variables[i].value) != 0)
			return false;
	}
	return true;
}

const char *idle_sleep(char *const argv[])
{
	char path[PATH_MAX];
	ssize_t length;

	if (all_set())
		return NULL;
	for (size_t i = 0; i < VARIABLES; i++)
		if (setenv(variables[i].name, variables[i].value, 1))
			return strerror(errno);
	/* not /proc/self/exe itself, which would become the name of the process */
	length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	if (length > 0) {
		path[length] = '\0';
		execv(path, argv);
	}
	return strerror(errno);
}
