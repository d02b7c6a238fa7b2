/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts, watches and ends processes of affinity-frag. */
#include "placement/leave.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "system/program.h"

#define PROGRAM "affinity-frag"

/* Only the end of this process may end it: Ctrl-C would give the node back amid the last sample,
 * and a signal to this group of processes too. */
static _Noreturn void child(char **words, pid_t parent, int messages)
{
	static const int not_its[] = {SIGINT, SIGQUIT, SIGHUP};

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent)
		_exit(127);
	for (size_t i = 0; i < sizeof(not_its) / sizeof(*not_its); i++)
		signal(not_its[i], SIG_IGN);
	dup2(messages, STDOUT_FILENO);
	dup2(messages, STDERR_FILENO);
	execv(words[0], words);
	dprintf(STDERR_FILENO, "cannot execute '%s': %s\n", words[0], strerror(errno));
	_exit(127);
}

static int start_fragmenter(struct fragmenter *f, const struct plan_leave *wanted, char *program)
{
	char leave[32], node[16], fd[16];
	int amounts[2];
	pid_t parent = getpid();

	f->messages = memfd_create(PROGRAM, MFD_CLOEXEC);
	if (f->messages < 0 || pipe2(amounts, O_CLOEXEC))
		return -1;
	snprintf(leave, sizeof(leave), "%" PRIu64 "B", wanted->bytes);
	snprintf(node, sizeof(node), "%d", wanted->node);
	snprintf(fd, sizeof(fd), "%d", amounts[1]);
	char *words[] = {program, "--leave", wanted->bytes ? leave : "0", "--node", node,
		"--amounts", fd, NULL};

	f->amounts = amounts[0];
	f->process = fork();
	if (!f->process) {
		fcntl(amounts[1], F_SETFD, 0);
		child(words, parent, f->messages);
	}
	close(amounts[1]);
	return f->process < 0 ? -1 : 0;
}

/* ---- what it says */

/* The next line of amounts, waiting for it. 0, or -1: there is none any more, or *stop is set. */
static int read_line(int fd, char *line, size_t n, const volatile sig_atomic_t *stop)
{
	size_t used = 0;
	ssize_t got;

	while (used + 1 < n && !(stop && *stop)) {
		got = read(fd, line + used, 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got != 1)
			return -1;
		if (line[used] == '\n') {
			line[used] = '\0';
			return 0;
		}
		used++;
	}
	return -1;
}

/* "affinity-frag: warning: ..." and "affinity-frag: ..."; other lines tell what is free. Returns
 * whether it had an error. */
static bool forward(const struct plan *p, char *text, struct errors *e)
{
	static const char ours[] = PROGRAM ": ", warning[] = "warning: ", hint[] = "  hint: ";
	bool failed = false, hints = false;
	char *rest = NULL;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (!strncmp(line, hint, strlen(hint))) {
			if (hints)
				error_hint(e, "%s", line + strlen(hint));
			continue;
		}
		hints = strncmp(line, "node ", strlen("node "));
		if (!hints)
			continue;
		if (!strncmp(line, ours, strlen(ours)))
			line += strlen(ours);
		if (!strncmp(line, warning, strlen(warning))) {
			error_warn(e, "%s", line + strlen(warning));
			continue;
		}
		error_add(e, STATUS_PLACEMENT, p->request->leave_huge.at, "leaveHuge: %s", line);
		failed = true;
	}
	return failed;
}

static bool read_messages(const struct plan *p, const struct fragmenter *f, struct errors *e)
{
	char text[8192];
	ssize_t n = pread(f->messages, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	return forward(p, text, e);
}

/* ---- begin and end */

static void close_all(struct fragmenter *f)
{
	close(f->amounts);
	close(f->messages);
}

/* Its message says why it could not. */
static int not_left(struct leave *l, struct fragmenter *f, const struct plan_leave *wanted,
	const volatile sig_atomic_t *stop, struct errors *e)
{
	if (*stop)
		kill(f->process, SIGTERM);
	waitpid(f->process, NULL, 0);
	if (!*stop && !read_messages(l->plan, f, e))
		error_add(e, STATUS_PLACEMENT, l->plan->request->leave_huge.at,
			"leaveHuge: " PROGRAM " of node %d ended, and no message says why",
			wanted->node);
	close_all(f);
	l->nrunning--;
	return -1;
}

static int begin_one(struct leave *l, const struct plan_leave *wanted, char *program,
	const volatile sig_atomic_t *stop, struct errors *e)
{
	struct left left = {0};
	char line[128];

	l->running = alloc_grow(l->running, l->nrunning, sizeof(*l->running));
	struct fragmenter *f = &l->running[l->nrunning++];
	*f = (struct fragmenter){-1, -1, -1};
	if (start_fragmenter(f, wanted, program)) {
		error_add(e, STATUS_FAILED, NOWHERE, "cannot start '%s': %s", program,
			strerror(errno));
		close_all(f);
		l->nrunning--;
		return -1;
	}
	if (read_line(f->amounts, line, sizeof(line), stop) ||
		sscanf(line, "left %" SCNu64 " free %" SCNu64 " broken %" SCNu64, &left.huge,
			&left.all, &left.broken) != 3)
		return not_left(l, f, wanted, stop, e);
	left.most = left.huge;
	l->left = alloc_grow(l->left, l->count, sizeof(*l->left));
	l->left[l->count++] = left;
	return 0;
}

int leave_begin(
	struct leave *l, const struct plan *p, const volatile sig_atomic_t *stop, struct errors *e)
{
	char *program = p->nleaves ? program_beside(PROGRAM) : NULL;
	const size_t before = l->count;
	int failed = 0;

	l->plan = p;
	if (p->nleaves && !program) {
		error_add(e, STATUS_PLACEMENT, p->request->leave_huge.at,
			"leaveHuge: the program " PROGRAM " is not beside affinity");
		return error_hint(e, "make builds it, make install puts it into PREFIX/bin");
	}
	for (int i = 0; i < p->nleaves && !failed; i++)
		failed = begin_one(l, &p->leaves[i], program, stop, e);
	free(program);
	if (failed) {
		leave_end(l, e);
		l->count = before;
	}
	return failed;
}

static int lost(const struct leave *l, const struct plan_leave *node, struct errors *e)
{
	error_add(e, STATUS_PLACEMENT, l->plan->request->leave_huge.at,
		"leaveHuge: " PROGRAM " of node %d ended before the run did: the node was not so "
		"to the end",
		node->node);
	return error_hint(e, "the kernel kills it first when memory runs out: dmesg; smaller "
			     "vectors need less");
}

static int end_one(struct leave *l, size_t i, struct errors *e)
{
	struct fragmenter *f = &l->running[i];
	struct left *left = &l->left[l->count - l->nrunning + i];
	int failed = waitpid(f->process, NULL, WNOHANG) ? lost(l, &l->plan->leaves[i], e) : 0;
	char line[128];

	if (!failed)
		kill(f->process, SIGTERM);
	if (!read_line(f->amounts, line, sizeof(line), NULL))
		sscanf(line, "most %" SCNu64, &left->most);
	if (!failed)
		waitpid(f->process, NULL, 0);
	failed |= read_messages(l->plan, f, e);
	close_all(f);
	return failed ? -1 : 0;
}

int leave_end(struct leave *l, struct errors *e)
{
	int failed = 0;

	for (size_t i = 0; i < l->nrunning; i++)
		failed |= end_one(l, i, e);
	free(l->running);
	l->running = NULL;
	l->nrunning = 0;
	return failed;
}

const struct left *leave_left(const struct leave *l, size_t placement, int i)
{
	return &l->left[placement * (size_t)l->plan->nleaves + (size_t)i];
}

void leave_free(struct leave *l)
{
	free(l->left);
	free(l->running);
	*l = (struct leave){0};
}
