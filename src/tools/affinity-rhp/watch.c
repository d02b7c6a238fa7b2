/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks the kernel about each process that has a record. */
#include "affinity-rhp/watch.h"

#include <errno.h>

#include "affinity-rhp/report.h"
#include "system/process_use.h"

/* A process that executes another program has a further record, and goes on. */
static bool goes_on(const struct rhp_share *s, int record)
{
	for (int i = record + 1; i < report_records(s); i++)
		if (s->record[i].process == s->record[record].process)
			return true;
	return false;
}

static bool process_runs(const struct rhp_share *s, int record)
{
	return s->record[record].process && !s->record[record].ended && !goes_on(s, record);
}

struct profile_point watch_take(struct watch *w, const struct rhp_share *s)
{
	struct profile_point sum = {0, 0};
	struct process_use use;

	for (int i = 0; i < report_records(s); i++) {
		if (goes_on(s, i))
			continue;
		if (process_runs(s, i) && !process_use_take(s->record[i].process, &use))
			w->seen[i] = (struct profile_point){use.written_bytes, use.user_s};
		sum.progress += w->seen[i].progress;
		sum.cpu_s += w->seen[i].cpu_s;
	}
	return sum;
}

int watch_processes(const struct rhp_share *s)
{
	int n = 0;

	for (int i = 0; i < report_records(s); i++)
		n += s->record[i].process && !goes_on(s, i);
	return n;
}

struct process_pages watch_pages(const struct rhp_share *s, int own)
{
	struct process_pages sum = {0};

	for (int i = 0; i < report_records(s); i++)
		if (process_runs(s, i))
			process_pages_add(s->record[i].process, own, &sum);
	return sum;
}

int watch_bring_back(const struct rhp_share *s, const bool nodes[LINUX_NODES], int own)
{
	int error = 0;

	for (int i = 0; i < report_records(s); i++)
		if (process_runs(s, i) && process_bring_back(s->record[i].process, nodes, own) &&
			errno != ESRCH)
			error = errno;
	errno = error;
	return error ? -1 : 0;
}
