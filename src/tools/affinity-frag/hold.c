/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts the command below a keeper, looks at the node once a second, passes signals on. */
#include "affinity-frag/hold.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "affinity-frag/fragment.h"
#include "affinity-frag/protect.h"
#include "affinity-frag/signals.h"
#include "system/leftovers.h"

#define LOOK_MS 1000

/* What the keeper waits for when the command has ended: who killed both lets it do its work. */
#define GO SIGUSR1
/* It kills the command. Any other signal is passed on: only the keeper, which waits for it, knows
 * that its number is not another process's by now. */
#define END SIGUSR2

static void send_number(int to, int number)
{
	if (write(to, &number, sizeof(number)) != sizeof(number))
		_exit(126);
}

static _Noreturn void be_command(const struct hold *h, pid_t keeper, int told)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != keeper)
		_exit(127);
	signals_restore();
	protect_restore();
	execv(h->path, h->argv);
	send_number(told, -errno);
	_exit(127);
}

static bool is_from(pid_t process, const siginfo_t *info)
{
	return info->si_code == SI_USER && info->si_pid == process;
}

/* Waits for the end of the command. Returns its status, or -1 when the parent has died. */
static int wait_for(pid_t command, pid_t parent, const sigset_t *come)
{
	int status, result = -1;
	bool go = false;

	while (getppid() == parent) {
		siginfo_t info;
		const int number = sigwaitinfo(come, &info);

		go |= number == GO;
		if (number > 0 && number != GO && result < 0 && is_from(parent, &info))
			kill(command, number == END ? SIGKILL : number);
		for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;) {
			if (ended != command)
				continue;
			result = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
			kill(parent, SIGCHLD);
		}
		if (go && result >= 0)
			return result;
	}
	return -1;
}

/* Without affinity-frag the node is not fragmented any more, and what the command and its programs
 * measure would look right. So they end with it, however it ends: the keeper adopts those whose
 * parents have ended, and has the pins, too, so that they end before the node is whole. A signal to
 * the process group does not reach it, but from its start on the command, which stays there. told:
 * the command's process, and -errno where it does not run.
 */
static _Noreturn void keep(const struct hold *h, pid_t parent, int told)
{
	const pid_t self = getpid();
	const struct leftovers none = {0};
	sigset_t all;

	prctl(PR_SET_PDEATHSIG, SIGCHLD);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	protect_restore_score(); /* it has the files of the pins, and opens those of /proc */
	const pid_t command = fork();

	if (!command)
		be_command(h, self, told);
	setpgid(0, 0);
	send_number(told, command < 0 ? -errno : command);
	close(told);
	int status = command < 0 ? 127 : wait_for(command, parent, &all);

	if (status < 0)
		leftovers_end(&none);
	_exit(status < 0 ? 128 + SIGKILL : status);
}

static int not_started(const struct hold *h, int error, struct errors *e)
{
	error_add(e, STATUS_FAILED, NOWHERE, "cannot start '%s': %s", h->argv[0], strerror(error));
	return error_hint(e, "too many processes or files are open: ulimit -u, ulimit -n");
}

/* *keeper: the command's parent, which ends with it and with its status. */
static int start_keeper(const struct hold *h, pid_t *keeper, struct errors *e)
{
	const pid_t parent = getpid();
	int told[2], number, command = 0, error = 0;

	*keeper = pipe2(told, O_CLOEXEC) ? -1 : fork();
	if (*keeper < 0)
		return not_started(h, errno, e);
	if (!*keeper)
		keep(h, parent, told[1]);
	close(told[1]);
	while (read(told[0], &number, sizeof(number)) == sizeof(number))
		*(number > 0 ? &command : &error) = number;
	close(told[0]);
	if (!error && command)
		return 0;
	kill(*keeper, GO);
	waitpid(*keeper, NULL, 0);
	if (error && !command)
		return not_started(h, -error, e);
	if (!error)
		return error_add(e, STATUS_FAILED, NOWHERE,
			"the process that starts '%s' was killed", h->argv[0]);
	return error_add(
		e, STATUS_FAILED, NOWHERE, "cannot execute '%s': %s", h->path, strerror(-error));
}

static void look_at_node(struct hold *h, bool *warned)
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
static void pass_on(const siginfo_t *info, pid_t keeper, int *signals)
{
	if (++*signals > 1)
		kill(keeper, END);
	else if (info->si_code != SI_KERNEL)
		kill(keeper, info->si_signo);
}

static bool ended(struct hold *h, pid_t keeper)
{
	int status;

	if (waitpid(keeper, &status, WNOHANG) != keeper)
		return false;
	h->status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	return true;
}

int hold(struct hold *h, struct errors *e)
{
	bool warned = false, over = false;
	pid_t keeper = 0;
	int signals = 0;

	h->most = h->left;
	if (h->argv[0] && start_keeper(h, &keeper, e))
		return -1;
	while (!over) {
		siginfo_t info;
		int number = signals_wait(LOOK_MS, &info);
		bool asked = number && number != SIGCHLD;

		if (number == SIGCHLD && keeper)
			kill(keeper, GO);
		over = keeper ? ended(h, keeper) : asked;
		if (asked && !over)
			pass_on(&info, keeper, &signals);
		look_at_node(h, &warned); /* at the end, too: a short command has no other look */
	}
	return 0;
}
