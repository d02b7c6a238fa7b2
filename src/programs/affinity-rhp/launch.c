/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forks, waits with sigwaitinfo(), passes signals on. */
#include "programs/affinity-rhp/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "system/preload.h"

/* Other processes open it by the path of this process's descriptor; it is gone with this process.
 */
static int make_share(struct launch *l, const struct rhp_options *o, struct errors *e)
{
	struct rhp_share *s = MAP_FAILED;

	l->file = memfd_create("affinity-rhp", MFD_CLOEXEC);
	if (l->file >= 0 && !ftruncate(l->file, sizeof(*s)))
		s = mmap(NULL, sizeof(*s), PROT_READ | PROT_WRITE, MAP_SHARED, l->file, 0);
	if (s == MAP_FAILED)
		return error_add(
			e, STATUS_FAILED, NOWHERE, "no shared memory: %s", strerror(errno));
	s->magic = RHP_SHARE_MAGIC;
	s->rest = (int32_t)o->rest;
	s->from_bytes = o->from_bytes;
	s->execs = 1;
	l->share = s;
	return 0;
}

static int set_environment(const struct launch *l, struct errors *e)
{
	const char *before = getenv("LD_PRELOAD");
	char *library = preload_find("affinity-rhp.so", e);

	if (!library)
		return -1;
	char *preload =
		alloc_format("%s%s%s", library, before && *before ? ":" : "", before ? before : "");
	char *share = alloc_format("/proc/%d/fd/%d", (int)getpid(), l->file);
	setenv("LD_PRELOAD", preload, 1);
	setenv(RHP_SHARE_VARIABLE, share, 1);
	free(library);
	free(preload);
	free(share);
	return 0;
}

static _Noreturn void child(
	const struct rhp_options *o, const char *path, const sigset_t *before, int fail)
{
	int error;

	sigprocmask(SIG_SETMASK, before, NULL);
	execv(path, o->argv);
	error = errno;
	if (write(fail, &error, sizeof(error)) != sizeof(error))
		_exit(126);
	_exit(127);
}

static int failed_start(const char *path, int error, struct errors *e)
{
	return error_add(
		e, STATUS_FAILED, NOWHERE, "cannot execute '%s': %s", path, strerror(error));
}

static void wait_for(struct launch *l, pid_t process, const sigset_t *held)
{
	siginfo_t info;
	int status;

	for (pid_t ended; (ended = waitpid(process, &status, WNOHANG)) != process;) {
		if (ended < 0 && errno != EINTR) {
			l->status = 1;
			return;
		}
		/* the terminal sends its signals to the command as well */
		if (sigwaitinfo(held, &info) > 0 && info.si_signo != SIGCHLD && info.si_code <= 0)
			kill(process, info.si_signo);
	}
	l->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int start(struct launch *l, const struct rhp_options *o, const char *path, struct errors *e)
{
	int fail[2], error = 0;
	sigset_t held, before;

	sigemptyset(&held);
	for (size_t i = 0; i < 5; i++)
		sigaddset(&held, (int[]){SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}[i]);
	signal(SIGCHLD, SIG_DFL); /* if SIGCHLD stayed ignored, waitpid() would report no child */
	sigprocmask(SIG_BLOCK, &held, &before);
	pid_t process = pipe2(fail, O_CLOEXEC) ? -1 : fork();
	if (process < 0)
		return failed_start(path, errno, e);
	if (!process)
		child(o, path, &before, fail[1]);
	close(fail[1]);
	if (read(fail[0], &error, sizeof(error)) == sizeof(error)) {
		waitpid(process, NULL, 0);
		failed_start(path, error, e);
	} else {
		wait_for(l, process, &held);
	}
	close(fail[0]);
	return error ? -1 : 0;
}

int launch_run(struct launch *l, const struct rhp_options *o, const char *path, struct errors *e)
{
	*l = (struct launch){.file = -1};
	return make_share(l, o, e) || set_environment(l, e) || start(l, o, path, e) ? -1 : 0;
}

void launch_free(struct launch *l)
{
	if (l->share)
		munmap(l->share, sizeof(*l->share));
	if (l->file >= 0)
		close(l->file);
}
