/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the children of this process in /proc. */
#include "system/leftovers.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/proc.h"

struct child {
	pid_t process;
	bool alive; /* not a zombie */
};

/* Most runs leave no process behind, and reading all of /proc may take long. */
static bool has_children(void)
{
	siginfo_t unused;

	return !waitid(P_ALL, 0, &unused, WEXITED | WNOHANG | WNOWAIT);
}

struct children {
	struct child *list;
	size_t count;
};

static void add_child(void *with, int process)
{
	struct children *all = with;
	struct proc_stat s;

	if (proc_stat(process, 0, &s) || s.parent != getpid())
		return;
	all->list = alloc_grow(all->list, all->count, sizeof(*all->list));
	all->list[all->count++] = (struct child){process, s.state != 'Z'};
}

static struct child *list_children(size_t *n)
{
	struct children all = {0};

	if (has_children())
		proc_each("/proc", add_child, &all);
	*n = all.count;
	return all.list;
}

void leftovers_find(struct leftovers *l)
{
	struct child *list = list_children(&l->count);

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	l->others = alloc_zeroed(l->count + 1, sizeof(*l->others));
	for (size_t i = 0; i < l->count; i++)
		l->others[i] = list[i].process;
	free(list);
}

static bool is_other(const struct leftovers *l, pid_t process)
{
	for (size_t i = 0; i < l->count; i++)
		if (l->others[i] == process)
			return true;
	return false;
}

/* When a process is ended, this process adopts its children in turn. */
int leftovers_end(const struct leftovers *l)
{
	int alive = 0;

	for (bool any = true; any;) {
		size_t n;
		struct child *list = list_children(&n);

		any = false;
		for (size_t i = 0; i < n; i++) {
			if (is_other(l, list[i].process))
				continue;
			any = true;
			alive += list[i].alive;
			kill(list[i].process, SIGKILL);
		}
		for (size_t i = 0; i < n; i++)
			if (!is_other(l, list[i].process))
				waitpid(list[i].process, NULL, 0);
		free(list);
	}
	return alive;
}

void leftovers_free(struct leftovers *l)
{
	free(l->others);
}
