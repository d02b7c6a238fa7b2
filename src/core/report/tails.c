/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributions of single events in the text report. */
#include <math.h>
#include <string.h>

#include "base/numbers.h"
#include "report/cells.h"

/* "1121 [984 1894]": an interval that is longer above than below. */
#define WIDTH 20

static void percentile(const struct tail_side *s, const struct tail_figure *f, FILE *out)
{
	const int decimals = isfinite(f->ns.value) ? numbers_decimals(f->ns) : 0;
	char text[64];

	if (isfinite(f->below))
		snprintf(text, sizeof(text), "below %.1f", f->below);
	else if (s->n < f->needed)
		snprintf(text, sizeof(text), "too few");
	else if (!isfinite(f->ns.value))
		snprintf(text, sizeof(text), "-");
	else if (isfinite(f->ns.low))
		snprintf(text, sizeof(text), "%.*f [%.*f %.*f]", decimals, f->ns.value, decimals,
			f->ns.low, decimals, f->ns.high);
	else
		snprintf(text, sizeof(text), "%.*f", decimals, f->ns.value);
	fprintf(out, " %*s", WIDTH, text);
}

static void side_row(const char *name, const struct tail_side *s, FILE *out)
{
	fprintf(out, "   %-22s", name);
	report_cell(out, 10, 0, s->n);
	for (int i = 0; i < TAIL_PARTS; i++)
		percentile(s, &s->figures[i], out);
	report_cell(out, 12, 0, s->longest);
	report_cell(out, 12, 4, s->above.value * 100);
	report_cell(out, 12, 4, s->time_above * 100);
	fputc('\n', out);
}

/* Percentiles that take more events, and how much events depend on each other. */
static void remarks(const struct tails *t, FILE *out)
{
	const struct tail_side *s = &t->kept;
	const char *before = "   variance of the shares over that of independent events:";

	for (int i = 0; i < TAIL_PARTS; i++)
		if (isfinite(s->figures[i].design)) {
			fprintf(out, "%s %s %.2g", before, tail_names[i].name,
				s->figures[i].design);
			before = ",";
		}
	if (*before == ',')
		fputc('\n', out);
	for (int i = 0; i < TAIL_PARTS; i++)
		if (s->n < s->figures[i].needed)
			fprintf(out, "   %s takes %s%.0f events: more samples, or placements\n",
				tail_names[i].name, isnan(s->figures[i].design) ? "at least " : "",
				ceil(s->figures[i].needed));
}

/* Does its event take what memory takes? A round trip or a call may well take some microseconds. */
static bool is_of_memory(const struct tails *t)
{
	return !strcmp(t->event, "load") || !strcmp(t->event, "lone access");
}

/* A line of which the document lacks a number is left out. */
static void stamps(const struct tails *t, FILE *out)
{
	if (t->group > 1)
		fprintf(out, "   one %s of %.0f is timed, in samples of their own\n", t->event,
			t->group);
	else
		fprintf(out, "   each %s is timed, in samples of their own\n", t->event);
	if (isfinite(t->pair) && isfinite(t->step))
		fprintf(out,
			"   two stamps take %.1f ns, which is taken off; their clock has steps of "
			"%.2g ns\n",
			t->pair, t->step);
	if (isfinite(t->switched / t->blocks))
		fprintf(out,
			"   the CPU was lost in %.0f of %.0f blocks (%.2g %%), which are left out, "
			"but for the second line\n",
			t->switched, t->blocks, 100 * t->switched / t->blocks);
	if (t->interrupts > 0)
		fprintf(out,
			"   interrupts of the CPU that times came into %.0f of the others, which "
			"are "
			"left out likewise\n",
			t->interrupted);
	else if (t->interrupts == 0)
		fputs("   no interrupt was seen: if they leave no mark here, they are in both "
		      "lines\n",
			out);
	else
		fputs("   interrupts are not looked for, and are in both lines\n", out);
	if (t->kept.unclear > 0 && is_of_memory(t))
		fprintf(out,
			"   %.2g %% take %g to %g us: idle memory hardly does; load, system and "
			"host cannot be distinguished\n",
			100 * t->kept.unclear, TAIL_SYSTEM_NS * 1e-3, TAIL_INTERRUPT_NS * 1e-3);
	if (t->kept.clamped > 0)
		fprintf(out, "   %.0f took too long for the histogram\n", t->kept.clamped);
	if (isfinite(t->timing.value)) {
		fprintf(out, "   the mean of those timed is %.3f", t->timing.value);
		if (isfinite(t->timing.low))
			fprintf(out, " +- %.3f", numbers_half(t->timing, 3));
		fprintf(out, " of the mean without stamps\n");
	}
}

static void print_rows(
	const struct document_operation *o, const char *who, const struct tails *t, FILE *out)
{
	char name[64];

	fprintf(out, " - %s, %s: ns of a %s\n", o->name, who, t->event);
	fprintf(out, "   %-22s %10s", "", "events");
	for (int i = 0; i < TAIL_PARTS; i++)
		fprintf(out, " %*s", WIDTH, tail_names[i].name);
	char above[32];

	snprintf(name, sizeof(name), "%% > %s ns", report_number(t->above, above, sizeof(above)));
	fprintf(out, " %12s %12s %12s\n", "longest", name, "% of time");
	side_row("undisturbed", &t->kept, out);
	side_row("all", &t->all, out);
	remarks(t, out);
	stamps(t, out);
}

void report_tails(const struct document_run *r, FILE *out)
{
	const char *head = "+ Distribution of single events\n";
	char who[32];

	for (size_t op = 0; op < r->operations.count; op++) {
		const struct document_operation *o = &r->operations.list[op];

		for (size_t i = 0; i < o->njobs; i++) {
			if (!o->jobs[i].tails)
				continue;
			fputs(head, out);
			head = "";
			snprintf(who, sizeof(who), "thread %zu", i);
			print_rows(o, who, o->jobs[i].tails, out);
		}
		if (o->tails)
			print_rows(o, "all threads", o->tails, out);
	}
	if (!*head)
		fputc('\n', out);
}
