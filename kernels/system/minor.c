/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "minor.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>

/* Of 100 faults one of the C library, of a stack or of a page that was reclaimed moves the mean by
 * less than 1 %. */
#define STRAYS 100

uint64_t minor_faults(void)
{
	struct rusage use;

	getrusage(RUSAGE_THREAD, &use);
	return (uint64_t)use.ru_minflt;
}

enum event_proof minor_judge(const struct minor_count *c, const char *what, char *text, size_t n)
{
	const uint64_t off =
		c->counted > c->expected ? c->counted - c->expected : c->expected - c->counted;

	if (!c->ever && c->expected) {
		snprintf(text, n, "this system counts no page faults of a thread");
		return EVENTS_UNCOUNTABLE;
	}
	snprintf(text, n, "%" PRIu64 " page faults for %" PRIu64 " %s", c->counted, c->expected,
		what);
	if (off <= c->expected / STRAYS)
		return EVENTS_PROVEN;
	if (!c->balancing || c->counted < c->expected)
		return EVENTS_CONTRADICTED;
	snprintf(text, n,
		"%" PRIu64 " page faults for %" PRIu64
		" %s, and automatic NUMA balancing has some: "
		"sudo sysctl kernel.numa_balancing=0",
		c->counted, c->expected, what);
	return EVENTS_UNCOUNTABLE;
}
