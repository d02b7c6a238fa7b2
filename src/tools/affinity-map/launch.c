/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forks all programs, holds them at a gate, opens it, and waits for them. */
#include "affinity-map/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/linux.h"
#include "base/text.h"
#include "affinity-map/jobs.h"
#include "system/leftovers.h"

struct start {
	struct jobs jobs;
	int gate[2];    /* opens for all children when the parent closes its end */
	int ready[2];   /* each child that waits at the gate writes a byte */
	int (*fail)[2]; /* [n]: each child's errno of its exec; an exec that works closes it */
	sigset_t before;
	pid_t parent;
	struct leftovers others; /* children that are not programs of this launch */
};

static void bind_to_all(const struct launch *p)
{
	unsigned long mask[LINUX_MASK_WORDS] = {0};

	for (int i = 0; i < p->ncpus; i++)
		CPU_SET_S((size_t)p->cpus[i], sizeof(mask), (cpu_set_t *)mask);
	if (p->ncpus)
		sched_setaffinity(0, sizeof(mask), (cpu_set_t *)mask);
}

/* It lasts through exec. 0, or -1 with errno. */
static int set_policy(const struct launch *p)
{
	return p->nodes ? (int)syscall(SYS_set_mempolicy, p->policy, p->nodes, LINUX_NODES + 1UL)
			: 0;
}

/* The parent may have died before the child asks for its death signal with prctl(). */
static _Noreturn void child(const struct start *s, int i)
{
	const struct launch *p = &s->jobs.programs[i];
	int nothing = open("/dev/null", O_RDWR), error;
	char byte = 0;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != s->parent)
		_exit(127);
	dup2(nothing, STDIN_FILENO);
	if (p->mute || p->output)
		dup2(p->output ? p->output : nothing, STDOUT_FILENO);
	if (nothing > STDERR_FILENO)
		close(nothing);
	bind_to_all(p);
	sigprocmask(SIG_SETMASK, &s->before, NULL);
	close(s->gate[1]);
	if (write(s->ready[1], &byte, 1) != 1 || read(s->gate[0], &byte, 1) != 0)
		_exit(127);
	if (!set_policy(p))
		execve(p->path, p->argv, p->env);
	error = errno;
	if (write(s->fail[i][1], &error, sizeof(error)) != sizeof(error))
		_exit(126);
	_exit(127);
}

static int fork_all(struct start *s)
{
	for (int i = 0; i < s->jobs.n; i++) {
		struct launch *p = &s->jobs.programs[i];

		if (pipe2(s->fail[i], O_CLOEXEC))
			return -1;
		p->process = fork();
		if (p->process < 0)
			return -1;
		if (!p->process)
			child(s, i);
		setpgid(p->process, p->process);
		close(s->fail[i][1]);
		s->fail[i][1] = -1;
		s->jobs.running++;
	}
	return 0;
}

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* A successful exec has closed the pipe. */
static void read_failures(struct start *s)
{
	for (int i = 0; i < s->jobs.n; i++) {
		int error;

		if (read(s->fail[i][0], &error, sizeof(error)) == sizeof(error))
			s->jobs.programs[i].error = error;
	}
}

static void init(struct start *s)
{
	s->parent = getpid();
	s->fail = alloc_zeroed((size_t)s->jobs.n, sizeof(*s->fail));
	leftovers_find(&s->others);
	jobs_init(&s->jobs, &s->before);
	for (int i = 0; i < s->jobs.n; i++)
		s->fail[i][0] = s->fail[i][1] = -1;
}

static void finish_start(struct start *s)
{
	int *ends[] = {&s->gate[0], &s->gate[1], &s->ready[0], &s->ready[1]};

	for (size_t i = 0; i < 4; i++)
		close_end(ends[i]);
	for (int i = 0; i < s->jobs.n; i++) {
		close_end(&s->fail[i][0]);
		close_end(&s->fail[i][1]);
	}
	free(s->fail);
	s->jobs.programs[0].strays = leftovers_end(&s->others);
	leftovers_free(&s->others);
	jobs_free(&s->jobs);
	sigprocmask(SIG_SETMASK, &s->before, NULL);
}

/* Waits until all children are at the gate, or one has died before it reached the gate. */
static void hold_all(struct start *s)
{
	int failed = 0;
	char byte;

	for (int i = 0; i < s->jobs.n && !failed; i++)
		failed = read(s->ready[0], &byte, 1) != 1;
	if (failed)
		return;
	for (int i = 0; i < s->jobs.n && !failed; i++)
		if (s->jobs.programs[i].held)
			failed = s->jobs.programs[i].held(
				s->jobs.programs[i].arg, s->jobs.programs[i].process);
	if (failed)
		jobs_signal(&s->jobs, SIGKILL);
}

int launch_all(struct launch *programs, int n, int *interrupted, struct errors *e)
{
	struct start s = {
		.jobs = {.programs = programs, .n = n}, .gate = {-1, -1}, .ready = {-1, -1}};

	init(&s);
	int failed = pipe2(s.gate, O_CLOEXEC) || pipe2(s.ready, O_CLOEXEC) || fork_all(&s);
	if (failed) {
		error_add(e, STATUS_FAILED, NOWHERE, "cannot start %d program%s: %s", n,
			text_s((unsigned long long)n), strerror(errno));
		jobs_signal(&s.jobs, SIGKILL);
	}
	close_end(&s.ready[1]);
	if (!failed)
		hold_all(&s);
	uint64_t begin_ns = clock_ns();
	close_end(&s.gate[1]);
	if (!failed)
		read_failures(&s);
	*interrupted = jobs_wait(&s.jobs, begin_ns);
	finish_start(&s);
	return failed ? -1 : 0;
}
