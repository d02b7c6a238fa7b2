/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many samples were taken, and what disturbed them. */
#include <math.h>
#include <stdlib.h>

#include "analysis/enough.h"
#include "analysis/settling.h"
#include "analysis/undisturbed.h"
#include "base/text.h"
#include "report/report.h"

void report_placements(const struct samples *r, FILE *out)
{
	if (r->prepared->made < 2) {
		fprintf(out, " - placements: 1; the intervals are of this placement only\n");
		return;
	}
	fprintf(out,
		" - placements: %zu, each in other pages; the intervals are over "
		"placements; spread: the largest cost of a placement over the smallest",
		r->prepared->made);
	if (r->plan->request->enough > 0 && !(r->plan->request->target_error > 0))
		fprintf(out, "; %llu to %llu, until half intervals are %g %%",
			(unsigned long long)r->plan->request->placements,
			(unsigned long long)r->plan->request->placements_most,
			r->plan->request->enough * 100);
	const struct sharing_family *f = r->sharing ? &r->sharing->families[FAMILY_COST] : NULL;

	if (f && f->own)
		fprintf(out, "; variances: each cost has its own (%s)", f->own);
	else if (f)
		fprintf(out, "; variances: shared by %zu costs of %zu runs", f->figures, f->runs);
	fputc('\n', out);
}

static const char *why_ended(const struct samples *r, int op, char *buffer, size_t n)
{
	const struct request *q = r->plan->request;
	const enum ended ended = enough_ended(r, op);
	double error = q->target_error > 0 ? enough_error(r, op) : NAN;

	static const char *const texts[] = {[ENDED_COUNT] = "",
		[ENDED_TARGET] = "; target reached",
		[ENDED_TIME] = "; target missed in timeLimit",
		[ENDED_INTERRUPTED] = "; interrupted",
		[ENDED_NOT_RUN] = "; not run"};

	snprintf(buffer, n, "%s", texts[ended]);
	if (q->quick && ended == ENDED_TIME)
		snprintf(buffer, n, "; cut short by quick");
	if (isfinite(error))
		snprintf(buffer, n, "%s: interval +-%.2f %%, asked for %.2f %%", texts[ended],
			error * 100, q->target_error * 100);
	return buffer;
}

/* How far the cost of the undisturbed samples alone is from that of all, at most of the threads. */
static void undisturbed(const struct samples *r, int op, FILE *out)
{
	double rest = undisturbed_rest(r, op), most = NAN;
	char percent[32];

	if (undisturbed_again(r, op))
		fprintf(out, ": DISTURBED, MEASURE AGAIN");
	for (int i = 0; i < r->plan->nthreads; i++) {
		struct figures f;

		if (derive_thread(r, op, i, &f) || !isfinite(f.undisturbed))
			continue;
		double apart = f.undisturbed / f.cost.value - 1;
		most = fabs(apart) <= fabs(most) ? most : apart;
	}
	if (rest > 0 && isnan(most))
		fprintf(out, ", no undisturbed sample to compare with");
	else if (rest > 0)
		fprintf(out, ", cost of the undisturbed ones %s%s%s", most < 0 ? "-" : "+",
			text_percent(fabs(most), percent, sizeof(percent)),
			rest > UNDISTURBED_HULL ? " (intervals reach over both)" : "");
}

/* The costs of the first samples, of the thread that pays the most over its cost. */
static void first(const struct samples *r, int op, FILE *out)
{
	double most = NAN;

	for (int i = 0; i < r->plan->nthreads; i++) {
		double cost = derive_cost(r, op, i).value;
		double times = settling_first(r, op, i).value / cost;

		most = fabs(log(times)) <= fabs(log(most)) ? most : times;
	}
	if (isfinite(most))
		fprintf(out, "; first sample %.2f times the cost", most);
}

static void unsettled(const struct samples *r, int op, FILE *out)
{
	struct unsettled u;

	if (!settling_of(r, op, &u))
		return;
	char *text = settling_text(r, op, &u);

	fprintf(out, "; NOT SETTLED: thread %d %s", u.thread, text);
	free(text);
}

void report_samples(const struct samples *r, FILE *out)
{
	const struct plan *p = r->plan;
	struct tally t;
	char ended[128], median[32], most[32];

	fprintf(out, "+ Samples\n");
	for (int i = 0; i < p->nops; i++) {
		derive_tally(r, i, &t);
		fprintf(out, " - %s: %zu taken, %zu disturbed", p->ops[i].label, t.samples,
			t.disturbed);
		if (t.disturbed)
			fprintf(out,
				" (preempted %zu, moved %zu, blocked %zu, page faults %zu, taken "
				"away %zu, CPU quota %zu, busy sibling %zu)",
				t.preempted, t.moved, t.blocked, t.faulted, t.stolen, t.throttled,
				t.sibling);
		if (isfinite(t.lost_max))
			fprintf(out, ", lost %s of the time, %s at worst",
				text_percent(t.lost_median, median, sizeof(median)),
				text_percent(t.lost_max, most, sizeof(most)));
		undisturbed(r, i, out);
		if (t.repeated)
			fprintf(out, ", %d taken again after a move", t.repeated);
		first(r, i, out);
		unsettled(r, i, out);
		if (isfinite(t.skew_max_ns))
			fprintf(out, "; start skew %.0f ns median, %.0f ns worst", t.skew_median_ns,
				t.skew_max_ns);
		else
			fprintf(out, "; start skew n/a");
		fprintf(out, "%s\n", why_ended(r, i, ended, sizeof(ended)));
	}
}
