/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forks, holds everybody at a gate, opens it, and waits. */
#include "programs/affinity-map/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/linux.h"

/* What a program has to save its files after SIGTERM. */
#define GRACE_NS 2000000000u

struct start {
	struct launch *programs;
	int n, running;
	int gate[2];    /* opens for all children when the parent closes its end */
	int ready[2];   /* a byte from each child that stands at the gate */
	int (*fail)[2]; /* [n]: of each, errno of its exec; closed by one that works */
	sigset_t ours, before;
	pid_t parent;
};

static void bind_to_all(const struct launch *p)
{
	unsigned long mask[LINUX_MASK_WORDS] = {0};

	for (int i = 0; i < p->ncpus; i++)
		CPU_SET_S((size_t)p->cpus[i], sizeof(mask), (cpu_set_t *)mask);
	if (p->ncpus)
		sched_setaffinity(0, sizeof(mask), (cpu_set_t *)mask);
}

/* The parent may die before prctl() asks to be told of it. */
static _Noreturn void child(const struct start *s, int i)
{
	const struct launch *p = &s->programs[i];
	int nothing = open("/dev/null", O_RDWR), error;
	char byte = 0;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != s->parent)
		_exit(127);
	dup2(nothing, STDIN_FILENO);
	if (p->mute)
		dup2(nothing, STDOUT_FILENO);
	if (nothing > STDERR_FILENO)
		close(nothing);
	bind_to_all(p);
	sigprocmask(SIG_SETMASK, &s->before, NULL);
	signal(SIGPIPE, SIG_DFL);
	close(s->gate[1]);
	if (write(s->ready[1], &byte, 1) != 1 || read(s->gate[0], &byte, 1) != 0)
		_exit(127);
	execve(p->path, p->argv, p->env);
	error = errno;
	if (write(s->fail[i][1], &error, sizeof(error)) != sizeof(error))
		_exit(126);
	_exit(127);
}

static int fork_all(struct start *s)
{
	for (int i = 0; i < s->n; i++) {
		struct launch *p = &s->programs[i];

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
		s->running++;
	}
	return 0;
}

static void signal_group(const struct launch *p, int number)
{
	if (p->process > 0)
		kill(-p->process, number);
}

static void signal_running(struct start *s, int number)
{
	for (int i = 0; i < s->n; i++)
		if (s->programs[i].process > 0 && s->programs[i].status < 0) {
			s->programs[i].ended = true;
			signal_group(&s->programs[i], number);
		}
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

/* Returns whether it died by a signal that we did not send. */
static bool reap(struct start *s, struct launch *p, uint64_t begin_ns)
{
	struct rusage usage;
	int status;

	if (p->process <= 0 || p->status >= 0 ||
		wait4(p->process, &status, WNOHANG, &usage) != p->process)
		return false;
	p->wall_s = (double)(clock_ns() - begin_ns) * 1e-9;
	p->user_s = seconds(usage.ru_utime);
	p->system_s = seconds(usage.ru_stime);
	p->status = status;
	p->left = kill(-p->process, SIGKILL) == 0;
	s->running--;
	return WIFSIGNALED(status) && !p->ended;
}

/* SIGCHLD or a signal to end; 0 when the time is over. */
static int next_signal(const struct start *s, uint64_t deadline_ns)
{
	uint64_t now = clock_ns(), left = deadline_ns > now ? deadline_ns - now : 0;
	const struct timespec wait = {(time_t)(left / 1000000000u), (long)(left % 1000000000u)};
	int number;

	do
		number = deadline_ns ? sigtimedwait(&s->ours, NULL, &wait)
				     : sigwaitinfo(&s->ours, NULL);
	while (number < 0 && errno == EINTR);
	return number < 0 ? 0 : number;
}

/* Children may have ended before their signal is looked at: they are reaped first. */
static void wait_all(struct start *s, uint64_t begin_ns, int *interrupted)
{
	uint64_t deadline_ns = 0;

	for (;;) {
		bool died = false;

		for (int i = 0; i < s->n; i++)
			died |= reap(s, &s->programs[i], begin_ns);
		if (!s->running)
			return;
		if (died && !deadline_ns) {
			signal_running(s, SIGTERM);
			deadline_ns = clock_ns() + GRACE_NS;
		}
		int number = next_signal(s, deadline_ns);
		if (!number) {
			signal_running(s, SIGKILL);
			deadline_ns = clock_ns() + GRACE_NS;
		} else if (number != SIGCHLD) {
			*interrupted = number;
			signal_running(s, deadline_ns ? SIGKILL : SIGTERM);
			deadline_ns = clock_ns() + GRACE_NS;
		}
	}
}

static void close_end(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* An exec that worked has closed the pipe. */
static void read_failures(struct start *s)
{
	for (int i = 0; i < s->n; i++) {
		int error;

		if (read(s->fail[i][0], &error, sizeof(error)) == sizeof(error))
			s->programs[i].error = error;
	}
}

static void init(struct start *s)
{
	static const int numbers[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT};

	s->parent = getpid();
	s->fail = alloc_zeroed((size_t)s->n, sizeof(*s->fail));
	sigemptyset(&s->ours);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		sigaddset(&s->ours, numbers[i]);
	sigprocmask(SIG_BLOCK, &s->ours, &s->before);
	for (int i = 0; i < s->n; i++) {
		struct launch *p = &s->programs[i];

		s->fail[i][0] = s->fail[i][1] = -1;
		p->process = 0;
		p->status = -1;
		p->error = 0;
		p->ended = p->left = false;
	}
}

static void finish(struct start *s)
{
	int *ends[] = {&s->gate[0], &s->gate[1], &s->ready[0], &s->ready[1]};

	for (size_t i = 0; i < 4; i++)
		close_end(ends[i]);
	for (int i = 0; i < s->n; i++) {
		close_end(&s->fail[i][0]);
		close_end(&s->fail[i][1]);
	}
	free(s->fail);
	sigprocmask(SIG_SETMASK, &s->before, NULL);
}

/* All are at the gate, or one died before it came there. */
static void hold_all(struct start *s)
{
	int failed = 0;
	char byte;

	for (int i = 0; i < s->n && !failed; i++)
		failed = read(s->ready[0], &byte, 1) != 1;
	if (failed)
		return;
	for (int i = 0; i < s->n && !failed; i++)
		if (s->programs[i].held)
			failed = s->programs[i].held(s->programs[i].arg, s->programs[i].process);
	if (failed)
		signal_running(s, SIGKILL);
}

int launch_all(struct launch *programs, int n, int *interrupted, struct errors *e)
{
	struct start s = {.programs = programs, .n = n, .gate = {-1, -1}, .ready = {-1, -1}};

	*interrupted = 0;
	init(&s);
	int failed = pipe2(s.gate, O_CLOEXEC) || pipe2(s.ready, O_CLOEXEC) || fork_all(&s);
	if (failed) {
		error_add(e, STATUS_FAILED, NOWHERE, "cannot start %d programs: %s", n,
			strerror(errno));
		signal_running(&s, SIGKILL);
	}
	close_end(&s.ready[1]);
	if (!failed)
		hold_all(&s);
	uint64_t begin_ns = clock_ns();
	close_end(&s.gate[1]);
	if (!failed)
		read_failures(&s);
	wait_all(&s, begin_ns, interrupted);
	finish(&s);
	return failed ? -1 : 0;
}
