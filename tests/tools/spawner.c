/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * usage: spawner KIND N FILE
 *
 * A program of N threads, including the main one, which are created in the way that KIND names:
 * pthread, c11, openmp, fork, exec (fork and exec), spawn (posix_spawn). When all have arrived it
 * writes its process to FILE, and all wait until FILE is gone. "mask" instead prints how many CPUs
 * the system reports to the program, after it was refused a mask that is not there; "vfork" and
 * "killed" are "pthread" after children of vfork() have failed to execute a program, and after N
 * children of fork() were killed; "die" dies by SIGSEGV, "fail" ends with status 7, once FILE
 * exists; "own" binds itself.
 */
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

static const char *file;
static int count;
static sem_t arrived; /* threads that run and are therefore bound */

static void wait_until_gone(void)
{
	while (access(file, F_OK))
		usleep(500);
	while (!access(file, F_OK))
		usleep(500);
}

static void *posix(void *unused)
{
	sem_post(&arrived);
	wait_until_gone();
	return unused;
}

static int c11(void *unused)
{
	(void)unused;
	sem_post(&arrived);
	wait_until_gone();
	return 0;
}

static void announce(void)
{
	char name[4096];
	snprintf(name, sizeof(name), "%s.new", file);
	FILE *out = fopen(name, "w");

	if (!out)
		exit(1);
	fprintf(out, "%d\n", (int)getpid());
	fclose(out);
	rename(name, file);
}

static void threads(const char *kind)
{
	sem_init(&arrived, 0, 0);
	for (int i = 1; i < count; i++) {
		pthread_t thread;
		thrd_t other;

		if (strcmp(kind, "c11") ? pthread_create(&thread, NULL, posix, NULL)
					: thrd_create(&other, c11, NULL) != thrd_success)
			exit(1);
		if (!strcmp(kind, "c11"))
			thrd_detach(other);
		else
			pthread_detach(thread);
	}
	for (int i = 1; i < count; i++)
		sem_wait(&arrived);
	announce();
	wait_until_gone();
}

static void openmp(void)
{
	count = omp_get_max_threads(); /* OMP_NUM_THREADS, or the number of CPUs that it sees */
#pragma omp parallel
	{
#pragma omp barrier
		if (omp_get_thread_num() == 0)
			announce();
		wait_until_gone();
	}
}

static void processes(const char *kind)
{
	char path[] = "/proc/self/exe", word[] = "wait", end[16], byte;
	char *argv[] = {path, word, end, (char *)file, NULL};
	extern char **environ;
	int there[2]; /* one byte from each child that has reached its place */

	if (pipe(there))
		exit(1);
	snprintf(end, sizeof(end), "%d", there[1]);

	for (int i = 1; i < count; i++) {
		pid_t child = 0;

		if (!strcmp(kind, "spawn")) {
			if (posix_spawn(&child, path, NULL, NULL, argv, environ))
				exit(1);
			continue;
		}
		child = fork();
		if (child)
			continue;
		if (!strcmp(kind, "exec")) {
			execv(path, argv);
			_exit(1);
		}
		if (write(there[1], "", 1) == 1)
			wait_until_gone();
		_exit(0);
	}
	for (int i = 1; i < count; i++)
		if (read(there[0], &byte, 1) != 1)
			exit(1);
	announce();
	wait_until_gone();
	while (wait(NULL) > 0)
		;
}

static void fail_in_vfork(void)
{
	pid_t child = vfork();

	if (!child) {
		execl("/nowhere/program", "program", NULL);
		_exit(127);
	}
	waitpid(child, NULL, 0);
}

/* The first child is waited for, the others become zombies. */
static void kill_children(void)
{
	for (int i = 0; i < count; i++) {
		int there[2];
		char byte;

		if (pipe(there))
			exit(1);
		pid_t child = fork();
		if (!child) {
			if (write(there[1], "", 1) == 1)
				pause();
			_exit(1);
		}
		if (read(there[0], &byte, 1) != 1)
			exit(1);
		kill(child, SIGKILL);
		siginfo_t info;
		waitid(P_PID, (id_t)child, &info, i ? WEXITED | WNOWAIT : WEXITED);
	}
}

static void bind_itself(void)
{
	cpu_set_t mask;

	sched_getaffinity(0, sizeof(mask), &mask);
	sched_setaffinity(0, sizeof(mask), &mask);
}

int main(int argc, char **argv)
{
	int (*volatile ask)(pid_t, size_t, cpu_set_t *) = sched_getaffinity;
	cpu_set_t mask;

	if (argc != 4)
		return 2;
	count = atoi(argv[2]);
	file = argv[3];
	if (!strcmp(argv[1], "mask")) {
		/* through a pointer: the compiler knows that the mask may not be NULL */
		if (ask(0, sizeof(mask), NULL) != -1 || errno != EFAULT)
			return 1;
		sched_getaffinity(0, sizeof(mask), &mask);
		printf("%d %d %d\n", CPU_COUNT(&mask), omp_get_num_procs(), omp_get_max_threads());
	} else if (!strcmp(argv[1], "own")) {
		bind_itself();
	} else if (!strcmp(argv[1], "die") || !strcmp(argv[1], "fail")) {
		while (access(file, F_OK))
			usleep(500);
		if (!strcmp(argv[1], "fail"))
			return 7;
		raise(SIGSEGV);
	} else if (!strcmp(argv[1], "wait")) {
		if (write(count, "", 1) == 1)
			wait_until_gone();
	} else if (!strcmp(argv[1], "openmp")) {
		openmp();
	} else if (!strcmp(argv[1], "vfork")) {
		fail_in_vfork();
		threads("pthread");
	} else if (!strcmp(argv[1], "killed")) {
		kill_children();
		threads("pthread");
	} else if (!strcmp(argv[1], "pthread") || !strcmp(argv[1], "c11")) {
		threads(argv[1]);
	} else {
		processes(argv[1]);
	}
	return 0;
}
