/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rewrites one line of the terminal. */
#include "report/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/clock.h"

/* Often enough to look alive. Each update costs a system call and keeps another process busy. */
#define INTERVAL_NS 500000000u

void progress_init(struct progress *p, bool quiet)
{
	*p = (struct progress){.on = !quiet && isatty(STDERR_FILENO), .start_ns = clock_ns()};
}

void progress_show(void *arg, const char *label, size_t done, size_t all)
{
	struct progress *p = arg;
	uint64_t now = clock_ns();
	double elapsed = (double)(now - p->start_ns) * 1e-9;

	if (!p->on || now - p->shown_ns < INTERVAL_NS)
		return;
	p->shown_ns = now;
	fprintf(stderr, "\r\033[K%s: sample %zu of %zu, %.0f s", label, done + 1, all, elapsed);
	if (done)
		fprintf(stderr, ", about %.0f s to go",
			elapsed / (double)done * (double)(all - done));
	fflush(stderr);
}

void progress_end(struct progress *p)
{
	if (p->on && p->shown_ns)
		fputs("\r\033[K", stderr);
}
