/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several programs started at one instant, watched to their ends, and ended when that is needed. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

struct launch {
	const char *path;  /* the file to execute */
	char *const *argv; /* NULL at the end */
	char *const *env;  /* NULL at the end */
	const int *cpus;   /* [ncpus] that it may use; ncpus 0: all that the caller may */
	int ncpus;
	bool mute; /* its standard output is /dev/null */
	/* Called when all stand ready, before any begins; NULL: nothing is. Not 0: none begins. */
	int (*held)(void *arg, pid_t process);
	void *arg;

	/* Filled in. Seconds; user_s and system_s are of the program and of those of its children
	 * that it waited for. */
	double wall_s, user_s, system_s;
	int status;   /* as waitpid() gives it */
	bool ended;   /* by us: another one died by a signal, or the caller was interrupted */
	bool left;    /* it left processes of its group behind, which were ended */
	int strays;   /* of the first program: processes that left their group, and were ended */
	bool paused;  /* the caller was stopped meanwhile: the times are not those of the program */
	int stuck;    /* the signal that stopped it for good, so that it was ended; 0: none */
	bool stopped; /* by others or by itself, and continued; wall_s includes that */
	int error;    /* errno of an exec that failed, 0: none */
	pid_t process; /* its process group too */
};

/*
 * Starts n programs together and waits until all have ended. Their standard input is /dev/null;
 * each is a process group of its own. When one dies by a signal, or this process gets SIGINT,
 * SIGTERM, SIGHUP or SIGQUIT (unless it ignored that signal before), the groups of the others get
 * SIGTERM, and SIGKILL two seconds later; *interrupted is the signal then, else 0. SIGTSTP stops
 * the programs and this process, SIGCONT continues them. A program that needs the terminal gets it,
 * if this process has it; a program that stays stopped for another reason is ended. When all
 * programs have ended, processes that they left behind are ended too. When a `held` is not 0, all
 * are ended. 0, or -1 with a message (STATUS_FAILED): nothing ran.
 */
int launch_all(struct launch *programs, int n, int *interrupted, struct errors *e);

#endif
