/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens what the environment names: of a setuid program, nothing. */
#include "inserted/log.h"

#include <errno.h>
#include <pthread.h>
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
	if (file)
		setlinebuf(file); /* what waits at fork() would be written twice */
	else
		fprintf(stderr, "affinity: %s: cannot write %s: %s\n", variable, path,
			strerror(errno));
	return file;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void log_lock(void)
{
	pthread_mutex_lock(&mutex);
}

void log_unlock(void)
{
	pthread_mutex_unlock(&mutex);
}

__attribute__((constructor)) static void begin(void)
{
	pthread_atfork(log_lock, log_unlock, log_unlock);
}
