/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many samples were taken, and what disturbed them. */
#include <math.h>
#include <string.h>

#include "analysis/pooling.h"
#include "analysis/undisturbed.h"
#include "base/text.h"
#include "document/figure.h"
#include "report/cells.h"

static const struct document_family *family_of(const struct document_method *m, enum family family)
{
	for (size_t i = 0; i < m->nfamilies; i++)
		if (!strcmp(m->families[i].name, family_names[family]))
			return &m->families[i];
	return NULL;
}

void report_placements(const struct document_run *r, FILE *out)
{
	const struct document_method *m = &r->method;

	if (r->placements < 2) {
		fprintf(out, " - placements: 1; the intervals are of this placement only\n");
		return;
	}
	fprintf(out,
		" - placements: %lld, each in other pages; the intervals are over "
		"placements; spread: the largest cost of a placement over the smallest",
		(long long)r->placements);
	if (m->placements_error > 0 && !(m->target_error > 0))
		fprintf(out, "; %lld to %lld, until half intervals are %g %%",
			(long long)m->placements, (long long)m->placements_most,
			m->placements_error * 100);
	const struct document_family *f = family_of(m, FAMILY_COST);

	if (f && !f->shared)
		fprintf(out, "; variances: each cost has its own (%s)", f->reason ? f->reason : "");
	else if (f)
		fprintf(out, "; variances: shared by %lld costs of %lld runs",
			(long long)f->figures, (long long)f->runs);
	fputc('\n', out);
}

/* What `ended_by` says of an operation, for people. */
static const struct {
	const char *ended_by, *text;
} endings[] = {
	{"targetError", "; target reached"},
	{"timeLimit", "; target missed in timeLimit"},
	{"interrupted", "; interrupted"},
	{"not run", "; not run"},
};

static void ending(const struct document *d, const struct document_run *r,
	const struct document_operation *o, FILE *out)
{
	const double target = r->method.target_error;
	const char *text = "";

	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++)
		if (!strcmp(o->ended_by, endings[i].ended_by))
			text = endings[i].text;
	if (target > 0 && isfinite(o->interval_error))
		fprintf(out, "%s: interval +-%.2f %%, asked for %.2f %%", text,
			o->interval_error * 100, target * 100);
	else
		fputs(d->quick && !strcmp(o->ended_by, "timeLimit") ? "; cut short by quick" : text,
			out);
	fputc('\n', out);
}

/* How far the cost of the undisturbed samples alone is from that of all, at most of the threads. */
static void undisturbed(const struct document_run *r, const struct document_operation *o, FILE *out)
{
	const double rest = o->samples.disturbed_part;
	double most = NAN;
	char percent[32];

	if (document_trust_samples(r, o, ALL_THREADS).again)
		fprintf(out, ": DISTURBED, MEASURE AGAIN");
	for (size_t i = 0; i < o->njobs; i++) {
		const double apart =
			o->jobs[i].figures.undisturbed_s / document_row(o, (int)i).cost.value - 1;

		if (isfinite(apart))
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
static void first(const struct document_operation *o, FILE *out)
{
	double most = NAN;

	for (size_t i = 0; i < o->njobs; i++) {
		const double times =
			o->jobs[i].figures.first_s / document_row(o, (int)i).cost.value;

		most = fabs(log(times)) <= fabs(log(most)) ? most : times;
	}
	if (isfinite(most))
		fprintf(out, "; first sample %.2f times the cost", most);
}

static void disturbances(const struct document_tally *t, FILE *out)
{
	char median[32], most[32];

	if (t->disturbed)
		fprintf(out,
			" (preempted %lld, moved %lld, blocked %lld, page faults %lld, taken "
			"away %lld, CPU quota %lld, busy sibling %lld)",
			(long long)t->preempted, (long long)t->moved, (long long)t->blocked,
			(long long)t->page_faults, (long long)t->taken_away,
			(long long)t->throttled, (long long)t->busy_sibling);
	if (isfinite(t->lost_worst))
		fprintf(out, ", lost %s of the time, %s at worst",
			text_percent(t->lost_median, median, sizeof(median)),
			text_percent(t->lost_worst, most, sizeof(most)));
}

void report_samples(const struct document *d, const struct document_run *r, FILE *out)
{
	fprintf(out, "+ Samples\n");
	for (size_t i = 0; i < r->operations.count; i++) {
		const struct document_operation *o = &r->operations.list[i];

		fprintf(out, " - %s: %lld taken, %lld disturbed", o->name,
			(long long)o->samples.taken, (long long)o->samples.disturbed);
		disturbances(&o->samples, out);
		undisturbed(r, o, out);
		if (o->samples.repeated)
			fprintf(out, ", %lld taken again after a move",
				(long long)o->samples.repeated);
		first(o, out);
		if (o->unsettled)
			fprintf(out, "; NOT SETTLED: thread %d %s", o->settling.thread,
				o->settling.text);
		fputs("; start skew", out);
		report_cell(out, 0, 0, isfinite(o->skew_max_ns) ? o->skew_median_ns : NAN);
		if (isfinite(o->skew_max_ns))
			fprintf(out, " ns median, %.0f ns worst", o->skew_max_ns);
		ending(d, r, o, out);
	}
}
