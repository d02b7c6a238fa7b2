/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims and their verdicts as text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/numbers.h"
#include "report/report.h"

static char *amount_text(struct amount a)
{
	int decimals = numbers_decimals(a);

	if (!isfinite(a.low))
		return alloc_format("%.*f", decimals, a.value);
	return alloc_format("%.*f +-%.*f", decimals, a.value, decimals, numbers_half(a, decimals));
}

static void print_bounds(const struct claim *c, FILE *out)
{
	const struct claim_bounds b = claim_bounds(c);

	if (c->relation == CLAIM_ABOVE)
		fprintf(out, "claimed: above %.6g", b.low);
	else if (c->relation == CLAIM_BELOW)
		fprintf(out, "claimed: below %.6g", b.high);
	else
		fprintf(out, "claimed: %.6g to %.6g", b.low, b.high);
}

static void print_figures(const struct claim_test *t, const char *unit, FILE *out)
{
	char *left = amount_text(t->of_left), *right = amount_text(t->of_right);

	fprintf(out, "%s against %s%s%s: %s %.4g", left, right, *unit ? " " : "", unit,
		t->claim->differs ? "difference" : "ratio", t->figure.value);
	if (isfinite(t->figure.low))
		fprintf(out, ", %.4g to %.4g", t->figure.low, t->figure.high);
	fprintf(out, "; ");
	print_bounds(t->claim, out);
	free(left);
	free(right);
}

static int widest_label(const struct claims *c, const struct claim *claim)
{
	size_t width = 0;

	for (size_t i = 0; i < c->ntests; i++)
		if (c->tests[i].claim == claim && strlen(c->tests[i].label) > width)
			width = strlen(c->tests[i].label);
	return (int)width;
}

static void print_claim(
	const struct experiment *x, const struct claims *c, const struct claim *claim, FILE *out)
{
	const int width = widest_label(c, claim);

	fprintf(out, "%s\n", claim->text);
	for (size_t i = 0; i < c->ntests; i++) {
		const struct claim_test *t = &c->tests[i];

		if (t->claim != claim)
			continue;
		fprintf(out, "  %-*s  %-20s  ", width, t->label, claim_verdicts[t->verdict]);
		if (t->verdict != CLAIM_NOT_ASKED)
			print_figures(t, view_unit(x, &claim->left.what), out);
		fprintf(out, "%s%s\n", t->reason && t->verdict != CLAIM_NOT_ASKED ? "; " : "",
			t->reason ? t->reason : "");
	}
}

static size_t count(const struct claims *c, enum claim_verdict verdict)
{
	size_t n = 0;

	for (size_t i = 0; i < c->ntests; i++)
		n += c->tests[i].verdict == verdict;
	return n;
}

static void sum_up(const struct claims *c, FILE *out)
{
	fprintf(out, "%zu test%s: ", c->ntests, c->ntests == 1 ? "" : "s");
	for (enum claim_verdict v = CLAIM_HOLDS; v <= CLAIM_NOT_ASKED; v++)
		fprintf(out, "%s%s %zu", v ? ", " : "", claim_verdicts[v], count(c, v));
	fprintf(out, "\n");
	if (c->asked == 1)
		fprintf(out, "the interval of its ratio or difference is right with %.6g %%\n",
			c->confidence * 100);
	else if (c->asked)
		fprintf(out,
			"the intervals of all %zu ratios and differences are right together with "
			"%.6g %%, each with %.6g %%\n",
			c->asked, c->confidence * 100, c->each * 100);
	fprintf(out, "\n");
}

void report_claims(const struct experiment *x, const struct claims *c, FILE *out)
{
	if (!c->count)
		return;
	fprintf(out, "          --Claims--\n\n");
	for (size_t i = 0; i < c->count; i++)
		print_claim(x, c, &c->list[i], out);
	sum_up(c, out);
}

void report_claims_plan(const struct claims *c, FILE *out)
{
	for (size_t i = 0; i < c->ntests; i++) {
		const struct claim_test *t = &c->tests[i];

		if (!i || t->claim != c->tests[i - 1].claim)
			fprintf(out, "claim %s\n", t->claim->text);
		fprintf(out, "  %s: %s%s%s\n", t->label,
			t->reason ? claim_verdicts[CLAIM_NOT_ASKED] : "will be judged",
			t->reason ? ": " : "", t->reason ? t->reason : "");
	}
}
