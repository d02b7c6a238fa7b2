/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts the command, looks at the node once a second, passes signals on. */
#include "programs/affinity-frag/hold.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "programs/affinity-frag/fragment.h"
#include "programs/affinity-frag/protect.h"
#include "programs/affinity-frag/signals.h"

#define LOOK_MS 1000

/* Without this process the node is not fragmented any more, and what the command measures would
 * look right. */
static _Noreturn void child(const struct hold *h, pid_t parent, int fail)
{
	int error;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	protect_restore();
	signals_restore();
	execv(h->path, h->argv);
	error = errno;
	if (write(fail, &error, sizeof(error)) != sizeof(error))
		_exit(126);
	_exit(127);
}

static pid_t start(const struct hold *h, struct errors *e)
{
	int fail[2], error = 0;
	pid_t parent = getpid(), process;

	process = pipe2(fail, O_CLOEXEC) ? -1 : fork();
	if (process < 0) {
		error_add(e, STATUS_FAILED, NOWHERE, "cannot start '%s': %s", h->argv[0],
			strerror(errno));
		return error_hint(e, "too many processes or files are open: ulimit -u, ulimit -n");
	}
	if (!process)
		child(h, parent, fail[1]);
	close(fail[1]);
	if (read(fail[0], &error, sizeof(error)) == sizeof(error)) {
		waitpid(process, NULL, 0);
		process = error_add(e, STATUS_FAILED, NOWHERE, "cannot execute '%s': %s", h->path,
			strerror(error));
	}
	close(fail[0]);
	return process;
}

static void look(struct hold *h, bool *warned)
{
	struct errors own = {0};
	char now[32], left[32];
	struct node_free f;

	if (!node_read(h->node, &f, &own)) {
		h->most = f.huge > h->most ? f.huge : h->most;
		if (!*warned && f.huge > h->left && !fragment_near(h->node, h->left, f.huge)) {
			*warned = true;
			error_warn(&own, "node %d has %s free in large blocks now, %s were left",
				h->node->id, node_size(h->node, f.huge, now, sizeof(now)),
				node_size(h->node, h->left, left, sizeof(left)));
			error_hint(&own, "other programs freed memory, or the kernel compacted it");
		}
	}
	errors_print(&own, 0, stderr);
	errors_free(&own);
}

/* The terminal sends its signals to the command as well. */
static void pass_on(const siginfo_t *info, pid_t process, int *signals)
{
	if (++*signals > 1)
		kill(process, SIGKILL);
	else if (info->si_code != SI_KERNEL)
		kill(process, info->si_signo);
}

static bool ended(struct hold *h, pid_t process)
{
	int status;

	if (waitpid(process, &status, WNOHANG) != process)
		return false;
	h->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	return true;
}

int hold(struct hold *h, struct errors *e)
{
	bool warned = false, over = false;
	int signals = 0;
	pid_t process = h->argv[0] ? start(h, e) : 0;

	h->most = h->left;
	if (process < 0)
		return -1;
	while (!over) {
		siginfo_t info;
		int number = signals_wait(LOOK_MS, &info);
		bool asked = number && number != SIGCHLD;

		over = process ? ended(h, process) : asked;
		if (asked && !over)
			pass_on(&info, process, &signals);
		look(h, &warned); /* at the end, too: a short command has no other look */
	}
	return 0;
}
