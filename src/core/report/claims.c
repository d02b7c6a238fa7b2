/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Claims and their verdicts as text. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/numbers.h"
#include "report/cells.h"

static char *amount_text(struct amount a)
{
	int decimals = numbers_decimals(a);

	if (!isfinite(a.low))
		return alloc_format("%.*f", decimals, a.value);
	return alloc_format("%.*f +-%.*f", decimals, a.value, decimals, numbers_half(a, decimals));
}

static bool is_ratio(const struct document_claim *c)
{
	return strchr(c->figure_is, '/') != NULL;
}

/* A ratio is above 0 in every case. */
static void print_bounds(const struct document_claim *c, FILE *out)
{
	if (isnan(c->below))
		fprintf(out, "claimed: above %.6g", c->above);
	else if (isnan(c->above) || (is_ratio(c) && c->above <= 0))
		fprintf(out, "claimed: below %.6g", c->below);
	else
		fprintf(out, "claimed: %.6g to %.6g", c->above, c->below);
}

static void print_figures(const struct document_claim *c, FILE *out)
{
	char *left = amount_text(c->left.value), *right = amount_text(c->right.value);

	fprintf(out, "%s against %s%s%s: %s %.4g", left, right, *c->unit ? " " : "", c->unit,
		is_ratio(c) ? "ratio" : "difference", c->figure.value);
	if (isfinite(c->figure.low))
		fprintf(out, ", %.4g to %.4g", c->figure.low, c->figure.high);
	fprintf(out, "; ");
	print_bounds(c, out);
	free(left);
	free(right);
}

/* The tests of one claim follow each other: as many as have its text. */
static size_t count_tests(const struct document *d, size_t first)
{
	size_t n = 1;

	while (first + n < d->nclaims &&
		!strcmp(d->claims[first + n].claim, d->claims[first].claim))
		n++;
	return n;
}

static void print_claim(const struct document_claim *tests, size_t n, FILE *out)
{
	int width = 0;

	for (size_t i = 0; i < n; i++)
		if ((int)strlen(tests[i].label) > width)
			width = (int)strlen(tests[i].label);
	fprintf(out, "%s\n", tests->claim);
	for (size_t i = 0; i < n; i++) {
		const struct document_claim *c = &tests[i];
		const bool asked = strcmp(c->verdict, claim_verdicts[CLAIM_NOT_ASKED]) != 0;

		fprintf(out, "  %-*s  %-20s  ", width, c->label, c->verdict);
		if (asked)
			print_figures(c, out);
		fprintf(out, "%s%s\n", c->reason && asked ? "; " : "", c->reason ? c->reason : "");
	}
}

static size_t count_verdicts(const struct document *d, const char *verdict)
{
	size_t n = 0;

	for (size_t i = 0; i < d->nclaims; i++)
		n += !strcmp(d->claims[i].verdict, verdict);
	return n;
}

static void sum_up(const struct document *d, FILE *out)
{
	fprintf(out, "%zu test%s: ", d->nclaims, d->nclaims == 1 ? "" : "s");
	for (enum claim_verdict v = CLAIM_HOLDS; v <= CLAIM_NOT_ASKED; v++)
		fprintf(out, "%s%s %zu", v ? ", " : "", claim_verdicts[v],
			count_verdicts(d, claim_verdicts[v]));
	fprintf(out, "\n");
	if (d->claims_asked == 1)
		fprintf(out, "the interval of its ratio or difference is right with %.6g %%\n",
			d->claims_confidence * 100);
	else if (d->claims_asked)
		fprintf(out,
			"the intervals of all %lld ratios and differences are right together with "
			"%.6g %%, each with %.6g %%\n",
			(long long)d->claims_asked, d->claims_confidence * 100,
			d->claims_each * 100);
	fprintf(out, "\n");
}

void report_claims(const struct document *d, FILE *out)
{
	if (!d->nclaims)
		return;
	fprintf(out, "          --Claims--\n\n");
	for (size_t i = 0; i < d->nclaims; i += count_tests(d, i))
		print_claim(&d->claims[i], count_tests(d, i), out);
	sum_up(d, out);
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
