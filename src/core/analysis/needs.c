/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an argument file has to ask for: one row each. */
#include "analysis/needs.h"

#include "analysis/crossings.h"
#include "analysis/huge_gain.h"

static bool has_baseline(const struct experiment *x)
{
	return x->file.baseline.count;
}

static bool has_solo(const struct experiment *x)
{
	return experiment_request(x)->solo;
}

static bool has_work(const struct experiment *x)
{
	return !experiment_request(x)->window_ns;
}

static bool has_clock_rate(const struct experiment *x)
{
	return experiment_request(x)->clock_rate;
}

static bool has_ranges(const struct experiment *x)
{
	return experiment_request(x)->physical_ranges;
}

static bool has_distribution(const struct experiment *x)
{
	return experiment_request(x)->distribution;
}

static bool has_background(const struct experiment *x)
{
	return experiment_request(x)->background.count;
}

static const struct {
	enum quantity_need need;
	bool (*has)(const struct experiment *x);
	const char *key; /* of the argument file */
	const char *what, *remedy;
} needs[] = {
	{NEEDS_BASELINE, has_baseline, "baseline", "needs a baseline",
		"baseline: d=0 names the run to which others are compared"},
	{NEEDS_SOLO, has_solo, "solo: yes", "needs runs of each thread alone",
		"solo: yes adds them"},
	{NEEDS_WORK, has_work, "mode: work", "needs costs of programs, not of units", "mode: work"},
	{NEEDS_CLOCK_RATE, has_clock_rate, "clockRate: yes", "needs clockRate: yes",
		"leave out clockRate: no"},
	{NEEDS_RANGES, has_ranges, "physicalRanges: yes",
		"needs to know where vectors lie in physical memory",
		"physicalRanges: yes reads it, as root"},
	{NEEDS_SMALL_PAGES, huge_gain_asked, "baseline and smallPages",
		"needs a baseline in huge pages, and smallPages with values of the same variables",
		"baseline: placement=local_2m and smallPages: placement=local_4k"},
	{NEEDS_MOVE, crossings_any_move, "the kernel migrate",
		"needs the kernel migrate, whose cost is the move's",
		"kernels: migrate load; targetPerVector: the baseline's node"},
	{NEEDS_DISTRIBUTION, has_distribution, "distribution: yes",
		"needs the times of single events", "distribution: yes takes them"},
	{NEEDS_BACKGROUND, has_background, "background", "needs a load beside the run",
		"background: 20GB/s on node(0) by L3(2)*4"},
};

#define NEEDS (sizeof(needs) / sizeof(*needs))

int needs_check(const struct view *v, const struct experiment *x, struct errors *e)
{
	const struct quantity_row *q = &quantities[v->quantity];

	for (size_t i = 0; i < NEEDS; i++)
		if (q->needs & needs[i].need && !needs[i].has(x)) {
			error_add(e, STATUS_USAGE, v->at, "%s: %s %s", v->key, q->name,
				needs[i].what);
			return error_hint(e, "%s", needs[i].remedy);
		}
	for (const char *const *metric = q->metrics; *metric; metric++)
		if (!counting_find(x->counting, *metric)) {
			error_add(e, STATUS_USAGE, v->at, "%s: %s needs counts of %s", v->key,
				q->name, *metric);
			return error_hint(e, "counters: tlb has them, where the processor can");
		}
	return 0;
}

void needs_print(const struct quantity_row *q, FILE *out)
{
	const char *before = "; needs ";

	for (size_t i = 0; i < NEEDS; i++)
		if (q->needs & needs[i].need) {
			fprintf(out, "%s%s", before, needs[i].key);
			before = ", ";
		}
	if (*q->metrics) {
		fprintf(out, "%scounters: tlb", before);
		before = ", ";
	}
	if (q->along)
		fprintf(out, "%salong=NAME", before);
}
