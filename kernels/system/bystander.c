/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bystander: spins beside threads that call the system, for as long as they do, and takes the time
 * that it loses: the system interrupts each CPU on which a thread of the process runs, so that it
 * forgets what was unmapped. With `idle` it sleeps instead, which must cost the callers nothing. A
 * unit is a call of theirs.
 *
 * It counts the interrupts of its CPU for TLBs where the system shows them, and its switches: a
 * thread that is off its CPU gets none.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "callers.h"
#include "node_here.h"
#include "now.h"
#include "own.h"
#include "switches.h"

struct bystander_args {
	bool idle;
};

static const struct param bystander_params[] = {
	{.name = "idle_beside",
		.type = PARAM_FLAG,
		.offset = offsetof(struct bystander_args, idle),
		.fallback = "no",
		.help = "yes: it sleeps beside them, and is looked at a thousand times a second"},
	{0},
};

struct bystander {
	int64_t row; /* of its CPU before the sample; -1: not shown */
	uint64_t lost_ns, switches;
	uint64_t calls; /* of others, while it was beside them */
	bool gave_up;
	uint64_t all_calls, all_switches, all_missed, all_interrupts;
	bool ever_gave_up;
};

/* Two readings of the clock are 20 to 60 ns apart; an interrupt takes a microsecond and more. */
#define GAP_NS 500

/* Callers that never end, since one failed or left run(), are not waited for. */
#define LONGEST_NS UINT64_C(10000000000)

/* The row TLB of /proc/interrupts has a column for each CPU that is on, as its first line has them.
 * Containers show an empty file, and 64-bit Arm has no such row. */
static int64_t read_tlb_row(int cpu)
{
	FILE *f = fopen("/proc/interrupts", "re");
	char *line = NULL, name[16];
	size_t room = 0;
	int column = -1, at = 0;
	int64_t count = -1;

	snprintf(name, sizeof(name), "CPU%d", cpu);
	if (f && getline(&line, &room, f) > 0)
		for (char *next, *word = strtok_r(line, " \t\n", &next); word;
			word = strtok_r(NULL, " \t\n", &next), at++)
			column = strcmp(word, name) ? column : at;
	while (f && column >= 0 && count < 0 && getline(&line, &room, f) > 0) {
		char *end = strstr(line, "TLB:");

		end = end ? end + strlen("TLB:") : NULL;
		for (int i = 0; end && i <= column; i++)
			count = strtoll(end, &end, 10);
	}
	free(line);
	if (f)
		fclose(f);
	return count;
}

static const char *bystander_setup(struct worker *w)
{
	w->own = calloc(1, sizeof(struct bystander));
	return w->own ? NULL : "out of memory";
}

static const char *bystander_reset(struct worker *w, char *why, size_t n)
{
	(void)why;
	(void)n;
	callers_none(w->workers);
	return NULL;
}

static const char *bystander_arrange(struct worker *w, char *why, size_t n)
{
	(void)why;
	(void)n;
	((struct bystander *)w->own)->row = read_tlb_row(sched_getcpu());
	return NULL;
}

static void be_beside(struct bystander *b, bool idle)
{
	static const struct timespec wait = {0, 1000000};
	const uint64_t begin = now_ns();
	uint64_t before = begin;

	b->lost_ns = 0;
	b->gave_up = false;
	while (callers_active() && !b->gave_up) {
		if (idle)
			nanosleep(&wait, NULL);
		const uint64_t now = now_ns();

		b->lost_ns += !idle && now - before > GAP_NS ? now - before : 0;
		b->gave_up = now - begin >= LONGEST_NS;
		before = now;
	}
}

static uint64_t bystander_run(struct worker *w, uint64_t passes)
{
	struct bystander *b = w->own;
	struct switches s;

	(void)passes;
	switches_begin(&s);
	const uint64_t before = callers_calls(w->workers);
	be_beside(b, ((const struct bystander_args *)w->args)->idle);
	b->calls = callers_calls(w->workers) - before;
	switches_end(&s);
	b->switches = s.voluntary + s.involuntary;
	return b->calls;
}

/* Of 100 calls one that it was not there for moves the mean by 1 %. */
#define MISSED 100

enum { LOST, INTERRUPTS, SWITCHES };

static const struct kernel_figure bystander_figures[] = {
	[LOST] = {.name = "lost_ns",
		.unit = "ns",
		.join = FIGURE_MEAN,
		.help = "that a bystander loses for each call of others"},
	[INTERRUPTS] = {.name = "tlb_interrupts",
		.unit = "",
		.join = FIGURE_MEAN,
		.help = "of its CPU for each call of others, as the system counts them"},
	[SWITCHES] = {.name = "switches",
		.unit = "switch",
		.join = FIGURE_SUM,
		.help = "in which it was off its CPU: its other figures are then not known"},
	{0},
};

static void bystander_tell(const struct worker *w, double *values)
{
	struct bystander *b = w->own;
	const int64_t now = b->row < 0 ? -1 : read_tlb_row(sched_getcpu());
	const double calls = (double)b->calls;
	const uint64_t missed = callers_calls(w->workers) - b->calls;

	b->all_calls += b->calls;
	b->all_missed += missed;
	b->ever_gave_up |= b->gave_up;
	b->all_switches += b->switches;
	b->all_interrupts += now < 0 ? 0 : (uint64_t)(now - b->row);
	/* what it lost to other programs is not the callers' */
	const bool stayed = calls > 0 && !b->switches && !b->gave_up;
	/* which it had from the first call on */
	const bool known = stayed && now >= 0 && missed <= b->calls / MISSED;

	values[LOST] = stayed ? (double)b->lost_ns / calls : NAN;
	values[INTERRUPTS] = known ? (double)(now - b->row) / calls : NAN;
	values[SWITCHES] = (double)b->switches;
}

static enum event_proof bystander_prove(const struct worker *w, char *text, size_t n)
{
	const struct bystander *b = w->own;
	const uint64_t got = b->all_interrupts;

	if (!b->all_calls || b->ever_gave_up) {
		snprintf(text, n, "it was beside %" PRIu64 " of %" PRIu64 " calls%s", b->all_calls,
			b->all_calls + b->all_missed,
			b->ever_gave_up ? ", and gave up after 10 s" : "");
		return EVENTS_UNCOUNTABLE;
	}
	if (b->row < 0) {
		snprintf(text, n,
			"/proc/interrupts has no row TLB here: a container hides it, or the "
			"processor broadcasts; the time is measured all the same");
		return EVENTS_UNCOUNTABLE;
	}
	if (b->all_switches) {
		snprintf(text, n,
			"it was off its CPU %" PRIu64 " times, and had %" PRIu64
			" interrupts for %" PRIu64 " calls",
			b->all_switches, got, b->all_calls);
		return EVENTS_UNCOUNTABLE;
	}
	snprintf(text, n,
		"%" PRIu64 " interrupts of its CPU for %" PRIu64 " calls, beside %" PRIu64
		" of them",
		got, b->all_calls + b->all_missed, b->all_calls);
	/* the system tidies up once a second, which is an interrupt, too */
	if (b->all_missed <= b->all_calls / MISSED && got >= b->all_calls &&
		got - b->all_calls <= b->all_calls / 100 + 1)
		return EVENTS_PROVEN;
	return EVENTS_UNCOUNTABLE;
}

const struct kernel bystander_kernel = {
	.summary = "spins beside threads that call the system, and tells what it loses",
	.unit = "call",
	.nothing = true,
	.params = bystander_params,
	.args_size = sizeof(struct bystander_args),
	.fixed = true,
	.setup = bystander_setup,
	.reset = bystander_reset,
	.run = bystander_run,
	.figures = bystander_figures,
	.tell = bystander_tell,
	.teardown = free_own,
	.migration = {.arrange = bystander_arrange},
	.system = {.prove = bystander_prove, .faults = true},
};
