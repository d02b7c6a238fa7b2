/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the children of this process in /proc. */
#include "system/leftovers.h"

#include <dirent.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"

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

/* "PID (NAME) STATE PARENT ...": the name may contain any characters. */
static bool is_child(pid_t process, struct child *child)
{
	char path[64], text[1024], state;
	int parent;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)process);
	FILE *in = fopen(path, "re");
	size_t n = in ? fread(text, 1, sizeof(text) - 1, in) : 0;

	if (in)
		fclose(in);
	text[n] = '\0';
	const char *name_end = strrchr(text, ')');
	if (!name_end || sscanf(name_end + 1, " %c %d", &state, &parent) != 2 || parent != getpid())
		return false;
	*child = (struct child){process, state != 'Z'};
	return true;
}

static struct child *list_children(size_t *n)
{
	DIR *folder = has_children() ? opendir("/proc") : NULL;
	struct child *list = NULL;

	*n = 0;
	for (struct dirent *entry; folder && (entry = readdir(folder));) {
		struct child child;

		if (atoi(entry->d_name) < 1 || !is_child(atoi(entry->d_name), &child))
			continue;
		list = alloc_grow(list, *n, sizeof(*list));
		list[(*n)++] = child;
	}
	if (folder)
		closedir(folder);
	return list;
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
