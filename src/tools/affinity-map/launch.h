/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts several programs at the same time, waits until they end, and ends them where necessary. */
#ifndef LAUNCH_H
#define LAUNCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct launch {
	const char *path;  /* the file to execute */
	char *const *argv; /* NULL at the end */
	char *const *env;  /* NULL at the end */
	const int *cpus;   /* [ncpus]: CPUs that it may use; ncpus 0: all that the caller may */
	int ncpus;
	bool mute;  /* its standard output is /dev/null */
	int output; /* a descriptor that its standard output goes to; 0: see mute */
	/* A memory policy that it inherits, MPOL_* with its nodes[LINUX_NODES bits]; nodes NULL:
	 * the caller's. If the kernel refuses the policy, the program does not begin (error). */
	int policy;
	const unsigned long *nodes;
	/* Called when all programs wait at the gate, before any begins; NULL: nothing is called. If
	 * the result is not 0, no program begins. */
	int (*held)(void *arg, pid_t process);
	void *arg;
	uint64_t limit_ns; /* a program that runs for longer is ended; 0: there is no limit */

	/* Results. Seconds; user_s and system_s include the program and those of its children that
	 * it waited for. */
	double wall_s, user_s, system_s;
	uint64_t resident_bytes; /* the most at one time of its largest process */
	uint64_t written_bytes;  /* to files on disks, with its children that it waited for */
	int status;              /* as waitpid() gives it */
	bool ended; /* because another one died by a signal, or the caller was interrupted */
	bool late;  /* ended because it reached its limit */
	bool left;  /* it left processes of its group behind, and these were ended */
	int strays; /* first program only: processes of all that left their group, and were ended */
	bool paused;   /* the caller was stopped in the run: these are not the program's times */
	int stuck;     /* the signal that stopped it for good, so it was ended; 0: none */
	bool stopped;  /* by itself or by others, and continued; wall_s includes the stop */
	int error;     /* errno of an exec that failed, 0: none */
	pid_t process; /* also its process group */
};

/*
 * Starts n programs together and waits until all have ended. Their standard input is /dev/null;
 * each has a process group of its own. When one dies by a signal, or this process gets SIGINT,
 * SIGTERM, SIGHUP or SIGQUIT (unless it ignored that signal before), the groups of the others get
 * SIGTERM, and SIGKILL two seconds later; *interrupted is then that signal, else 0. All are ended
 * so, too, when one reaches its limit. SIGTSTP stops the programs and this process, SIGCONT
 * continues them. A program that needs the terminal gets it if this process has it; a program that
 * stays stopped for another reason is ended. When all programs have ended, processes that they left
 * behind are ended too. If a call of `held` does not return 0, all programs are ended. 0, or -1
 * with a message (STATUS_FAILED): nothing ran.
 */
int launch_all(struct launch *programs, int n, int *interrupted, struct errors *e);

#endif
