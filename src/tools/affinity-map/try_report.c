/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of a race, for people. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/terminal.h"
#include "base/text.h"
#include "affinity-map/try.h"

double try_mean(const struct try *t, size_t candidate)
{
	const struct race_candidate *c = &t->race.list[candidate];
	double sum = 0;

	for (size_t k = 0; k < c->rounds; k++)
		sum += c->logs[k] / (double)c->rounds;
	return c->rounds ? exp(t->measure.larger ? -sum : sum) : NAN;
}

/* Smaller comes first. */
static double rank(const struct try *t, size_t i)
{
	const double apart = 1e6; /* more than any ratio */
	double ratio = race_ratio(&t->race, i).value;

	return (isfinite(ratio) ? ratio : apart) + (t->failed[i]                  ? 2 * apart
							   : t->race.list[i].live ? 0
										  : apart);
}

void try_order(const struct try *t, size_t *order)
{
	for (size_t i = 0; i < t->candidates.n; i++) {
		size_t k = i;

		for (; k && rank(t, order[k - 1]) > rank(t, i); k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
}

/* Candidates that did not fail. */
static size_t compared(const struct try *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->race.n; i++)
		n += !t->failed[i];
	return n;
}

char *try_ending(const struct try *t)
{
	if (t->end == TRY_INTERRUPTED)
		return alloc_format("interrupted: the remaining candidates are tied");
	if (t->end == TRY_FAILED)
		return alloc_format("the program fails as it is: nothing is advised");
	if (t->end == TRY_BUDGET)
		return alloc_format("the budget is over: the remaining candidates are tied");
	if (t->state == RACE_WON)
		return alloc_format(compared(t) < 2 ? "all others failed: nothing was compared"
						    : "one is left");
	if (t->state == RACE_TIED)
		return alloc_format("the first is worse than no other by more than %g %%",
			t->race.tolerance * 100);
	if (t->state == RACE_DESERTED)
		return alloc_format("all candidates failed");
	return alloc_format("after %d rounds the remaining candidates are tied", RACE_ROUNDS);
}

static void print_left_out(const struct try *t, FILE *out)
{
	for (size_t i = 0; i < t->candidates.nleft_out; i++)
		fprintf(out, "left out: %s\n", t->candidates.left_out[i]);
}

void try_report_plan(const struct try *t, FILE *out)
{
	for (size_t i = 0; i < t->candidates.n; i++)
		fprintf(out, "candidate %zu, %s: %s\n", i, t->candidates.list[i].name,
			t->candidates.list[i].command);
	print_left_out(t, out);
}

void try_tell(const struct try *t, const char *what, double spent_s)
{
	const double left_s = fmax((double)t->options->budget_ns * 1e-9 - spent_s, 0);
	char *line = !*what      ? alloc_string("", 0)
		     : t->race.n ? alloc_format("round %zu, %s; %.0f s, %.0f s to go at most",
					   t->race.rounds + 1, what, spent_s, left_s)
				 : alloc_format("%s; %.0f s to go at most", what, left_s);

	terminal_status(line, stderr);
	free(line);
}

static size_t count_live(const struct try *t)
{
	size_t n = 0;

	for (size_t i = 0; i < t->race.n; i++)
		n += t->race.list[i].live;
	return n;
}

static void print_result(const struct try *t, size_t i, FILE *out)
{
	const struct race_candidate *c = &t->race.list[i];

	if (t->failed[i])
		fprintf(out, "failed: %s\n", t->failed[i]);
	else if (!c->live)
		fprintf(out, "dropped after round %zu\n", c->rounds);
	else
		fprintf(out, "%s\n", count_live(t) > 1 ? "tied" : "best");
}

static void print_number(double value, int width, FILE *out)
{
	if (isfinite(value))
		fprintf(out, " %*.4f", width, value);
	else
		fprintf(out, " %*s", width, "");
}

static int widest_name(const struct try *t)
{
	size_t widest = 40;

	for (size_t i = 0; i < t->candidates.n; i++)
		if (strlen(t->candidates.list[i].name) > widest)
			widest = strlen(t->candidates.list[i].name);
	return (int)widest;
}

/* Where a terminal is too narrow for names beside figures, each stands above its own. */
#define FIGURES_WIDTH 72
#define BELOW         3

static int name_width(const struct try *t)
{
	const int width = widest_name(t), room = t->options->out ? 0 : terminal_width(stderr);

	return room && width + FIGURES_WIDTH > room ? 0 : width;
}

static void print_name(const char *name, int width, FILE *out)
{
	if (width)
		fprintf(out, "%-*s", width, name);
	else
		fprintf(out, "%s\n%*s", name, BELOW, "");
}

static void print_row(const struct try *t, size_t i, int width, FILE *out)
{
	struct amount ratio = race_ratio(&t->race, i);

	print_name(t->candidates.list[i].name, width, out);
	fprintf(out, " %6zu", t->race.list[i].rounds);
	print_number(try_mean(t, i), 12, out);
	print_number(ratio.value, 9, out);
	print_number(ratio.low, 9, out);
	print_number(ratio.high, 9, out);
	fputs("  ", out);
	print_result(t, i, out);
}

/* The end of a race says of the leader how much better another one may be, not how much worse. */
static bool as_it_is_is_good(const struct try *t)
{
	struct amount own = race_ratio(&t->race, 0);

	return race_leader(&t->race) == 0 || own.high <= 1 + t->race.tolerance;
}

struct amount try_faster(const struct try *t)
{
	const size_t leader = race_leader(&t->race);

	if (leader >= t->race.n)
		return AMOUNT_NONE;
	return leader ? race_ratio(&t->race, 0) : amount_inverse(race_ratio(&t->race, 1));
}

/* Of two programs; the interval is that of the race, which holds at each of its looks. */
static void print_comparison(const struct try *t, FILE *out)
{
	const struct amount f = try_faster(t);

	if (isnan(f.value) || t->failed[0] || t->failed[1])
		return;
	fprintf(out, "'%s' is %.3g times as %s as '%s'", t->candidates.list[1].name, f.value,
		t->measure.figure ? "good" : "fast", t->candidates.list[0].name);
	if (isfinite(f.low))
		fprintf(out, " (95 %%: %.3f to %.3f)", f.low, f.high);
	fputs(f.low > 1 || f.high < 1 ? "\n" : "; no difference is shown\n", out);
}

/* The program as it is needs no reason; all others do. */
static void print_advice(const struct try *t, FILE *out)
{
	size_t leader = race_leader(&t->race);

	if (t->end == TRY_FAILED)
		return;
	bool decided = t->state == RACE_WON || t->state == RACE_TIED;

	if (leader < t->race.n && leader && (decided || !t->race.list[0].live))
		fprintf(out, "run: %s\n", t->candidates.list[leader].command);
	if (!t->race.list[0].live || compared(t) < 2)
		return;
	fprintf(out, "%s\n",
		decided && as_it_is_is_good(t)
			? "the unchanged command is among the best"
			: "nothing is shown to be better than the program as it is");
}

static void print_places(const struct try *t, const size_t *order, FILE *out)
{
	bool any = false;

	for (size_t k = 0; k < t->candidates.n; k++) {
		const struct try_place *p = &t->places[order[k]];

		if (!p->text)
			continue;
		if (!any)
			fprintf(out, "\nwhere they were, in a further run of each:\n");
		any = true;
		fprintf(out, "%s: %s%s%s\n", t->candidates.list[order[k]].name, p->text,
			p->fault ? "; NOT AS ASKED: " : "", p->fault ? p->fault : "");
	}
}

void try_report(const struct try *t, FILE *out)
{
	size_t *order = alloc_zeroed(t->candidates.n, sizeof(*order));
	char *ending = try_ending(t);
	const int width = name_width(t);

	fprintf(out, "%zu candidate%s, %zu round%s in %.1f s, seed %llu\n", t->candidates.n,
		text_s(t->candidates.n), t->race.rounds, text_s(t->race.rounds), t->spent_s,
		(unsigned long long)t->seed);
	if (t->measure.figure)
		fprintf(out, "figure%s%s: %s is better\n", *t->unit ? " in " : "", t->unit,
			t->measure.larger ? "larger" : "smaller");
	print_left_out(t, out);
	fputc('\n', out);
	print_name("candidate", width, out);
	fprintf(out, " %6s %12s %9s %19s\n", "rounds", t->measure.figure ? "figure" : "time(s)",
		"x worse", "95 % of the race");
	try_order(t, order);
	for (size_t k = 0; k < t->candidates.n; k++)
		print_row(t, order[k], width, out);
	print_places(t, order, out);
	fprintf(out, "\n%s\n", ending);
	if (t->other.path)
		print_comparison(t, out);
	else
		print_advice(t, out);
	free(ending);
	free(order);
}
