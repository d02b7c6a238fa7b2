/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forks, waits with sigtimedwait(), passes signals on. */
#include "affinity-rhp/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "system/preload.h"

/* What the child sets before it executes the command. */
struct start {
	const struct launch_plan *plan;
	char *preload, *share; /* values of the environment; owned */
	sigset_t held, before;
	int fail[2]; /* the child writes errno when it cannot execute */
	int go[2];   /* its end lets the child begin */
};

/* Other processes open it by the path of this process's descriptor; it is gone with this process.
 */
static int make_share(struct launch *l, const struct launch_plan *p, struct errors *e)
{
	struct rhp_share *s = MAP_FAILED;

	l->file = memfd_create("affinity-rhp", MFD_CLOEXEC);
	if (l->file >= 0 && !ftruncate(l->file, sizeof(*s)))
		s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED, l->file, 0);
	if (s == MAP_FAILED)
		return error_add(
			e, STATUS_FAILED, NOWHERE, "no shared memory: %s", strerror(errno));
	s->magic = RHP_SHARE_MAGIC;
	s->rest = (int32_t)p->rest;
	s->take = (int32_t)p->take;
	s->from_bytes = p->from_bytes;
	if (p->weights)
		memcpy(s->weights, p->weights, sizeof(s->weights));
	s->execs = 1;
	l->share = s;
	return 0;
}

static int make_environment(struct start *s, const struct launch *l, struct errors *e)
{
	const char *before = getenv("LD_PRELOAD");
	char *library = preload_find("affinity-rhp.so", e);

	if (!library)
		return -1;
	s->preload =
		alloc_format("%s%s%s", library, before && *before ? ":" : "", before ? before : "");
	s->share = alloc_format("/proc/%d/fd/%d", (int)getpid(), l->file);
	free(library);
	return 0;
}

static int put_aside(void)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (null < 0 || dup2(null, STDOUT_FILENO) < 0)
		return -1;
	return isatty(STDIN_FILENO) && dup2(null, STDIN_FILENO) < 0 ? -1 : 0;
}

static _Noreturn void child(const struct start *s)
{
	const struct launch_plan *p = s->plan;
	char go;
	int error;

	close(s->go[1]);
	if (read(s->go[0], &go, 1) != 1)
		_exit(127);
	setenv("LD_PRELOAD", s->preload, 1);
	setenv(RHP_SHARE_VARIABLE, s->share, 1);
	sigprocmask(SIG_SETMASK, &s->before, NULL);
	if ((!p->aside || !put_aside()) &&
		(!p->cpus || !sched_setaffinity(0, LINUX_MASK_WORDS * sizeof(*p->cpus),
				     (const cpu_set_t *)(const void *)p->cpus)))
		execv(p->path, p->argv);
	error = errno;
	if (write(s->fail[1], &error, sizeof(error)) != sizeof(error))
		_exit(126);
	_exit(127);
}

static int failed_start(const char *path, int error, struct errors *e)
{
	return error_add(
		e, STATUS_FAILED, NOWHERE, "cannot execute '%s': %s", path, strerror(error));
}

static void wait_for(struct launch *l, pid_t process, const struct start *s)
{
	const struct launch_plan *p = s->plan;
	struct timespec period = {
		(time_t)(p->period_ns / 1000000000u), (long)(p->period_ns % 1000000000u)};
	struct rusage used;
	siginfo_t info;
	int status;

	for (pid_t ended; (ended = wait4(process, &status, WNOHANG, &used)) != process;) {
		if (ended < 0 && errno != EINTR) {
			l->status = 1;
			return;
		}
		int signal = sigtimedwait(&s->held, &info, p->tick ? &period : NULL);
		/* the terminal sends its signals to the command as well */
		if (signal > 0 && signal != SIGCHLD && info.si_code <= 0)
			kill(process, signal);
		else if (signal < 0 && errno == EAGAIN)
			p->tick(p->arg, l->share);
	}
	l->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	l->user_s = (double)used.ru_utime.tv_sec + (double)used.ru_utime.tv_usec * 1e-6;
}

static void hold_signals(struct start *s)
{
	static const int held[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD};

	sigemptyset(&s->held);
	for (size_t i = 0; i < sizeof(held) / sizeof(*held); i++)
		sigaddset(&s->held, held[i]);
	signal(SIGCHLD, SIG_DFL); /* if SIGCHLD stayed ignored, waitpid() would report no child */
	sigprocmask(SIG_BLOCK, &s->held, &s->before);
}

static int run_child(struct launch *l, struct start *s, pid_t process, struct errors *e)
{
	const struct launch_plan *p = s->plan;
	int error = 0;

	if (p->gate && p->gate(p->arg, process))
		error = ECANCELED;
	if (!error && write(s->go[1], "", 1) != 1)
		error = errno;
	close(s->go[1]);
	if (error || read(s->fail[0], &error, sizeof(error)) == sizeof(error)) {
		waitpid(process, NULL, 0);
		return failed_start(p->path, error, e);
	}
	wait_for(l, process, s);
	return 0;
}

static int start_command(struct launch *l, struct start *s, struct errors *e)
{
	hold_signals(s);
	pid_t process = pipe2(s->fail, O_CLOEXEC) || pipe2(s->go, O_CLOEXEC) ? -1 : fork();

	if (process < 0)
		return failed_start(s->plan->path, errno, e);
	if (!process)
		child(s);
	close(s->fail[1]);
	close(s->go[0]);
	int failed = run_child(l, s, process, e);
	close(s->fail[0]);
	/* what comes now ends this process, unless it has a report to write */
	if (s->plan->aside)
		sigprocmask(SIG_SETMASK, &s->before, NULL);
	return failed;
}

int launch_run(struct launch *l, const struct launch_plan *p, struct errors *e)
{
	struct start s = {.plan = p};
	off_t input = p->aside ? lseek(STDIN_FILENO, 0, SEEK_CUR) : -1;

	*l = (struct launch){.file = -1};
	int failed = make_share(l, p, e) || make_environment(&s, l, e) || start_command(l, &s, e);
	if (input >= 0)
		lseek(STDIN_FILENO, input, SEEK_SET);
	free(s.preload);
	free(s.share);
	return failed ? -1 : 0;
}

void launch_free(struct launch *l)
{
	if (l->share)
		munmap(l->share, sizeof(*l->share));
	if (l->file >= 0)
		close(l->file);
}
