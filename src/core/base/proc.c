/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/proc.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

FILE *proc_open(pid_t process, const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)process, name);
	return fopen(path, "re");
}

/* "PID (NAME) STATE PARENT ...": the name may contain anything. Fields 3 to 9, 14 and 15, and 39.
 */
int proc_stat_read(FILE *in, struct proc_stat *s)
{
	char line[1024];
	size_t got = fread(line, 1, sizeof(line) - 1, in);

	line[got] = '\0';
	*s = (struct proc_stat){.cpu = -1};
	const char *name = strchr(line, '('), *rest = strrchr(line, ')');

	if (!name || !rest || rest < name)
		return -1;
	snprintf(s->name, sizeof(s->name), "%.*s", (int)(rest - name - 1), name + 1);
	return sscanf(rest + 1,
		       " %c %d %d %*d %*d %*d %u %*u %*u %*u %*u %" SCNu64 " %" SCNu64
		       " %*d %*d %*d %*d %*d %*d %*u %*u %*d %*u %*u %*u %*u %*u %*u %*u "
		       "%*u %*u %*u %*u %*u %*u %*d %d",
		       &s->state, &s->parent, &s->group, &s->flags, &s->user, &s->system,
		       &s->cpu) >= 6
		       ? 0
		       : -1;
}

int proc_stat(pid_t process, pid_t thread, struct proc_stat *s)
{
	char name[32] = "stat";

	if (thread)
		snprintf(name, sizeof(name), "task/%d/stat", (int)thread);
	FILE *in = proc_open(process, name);
	int failed = !in || proc_stat_read(in, s);

	if (in)
		fclose(in);
	return failed ? -1 : 0;
}

void proc_each(const char *folder, void (*call)(void *with, int number), void *with)
{
	DIR *list = opendir(folder);
	const struct dirent *entry;

	while (list && (entry = readdir(list)))
		if (atoi(entry->d_name) > 0)
			call(with, atoi(entry->d_name));
	if (list)
		closedir(list);
}
