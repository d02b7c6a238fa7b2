/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Firm, fair or weak: the worst of what is known of a figure decides. */
#include "analysis/trust.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

const char *const trust_words[] = {"firm", "fair", "weak", NULL};

static enum trust_word worst(enum trust_word a, enum trust_word b)
{
	return a > b ? a : b;
}

/* without a value nothing is within */
static enum trust_word grade(double percent, double within_firm, double within_fair)
{
	return percent <= within_firm   ? TRUST_FIRM
	       : percent <= within_fair ? TRUST_FAIR
					: TRUST_WEAK;
}

static double percent_disturbed(const struct trust_samples *of)
{
	return of->taken ? 100 * (double)of->disturbed / (double)of->taken : 0;
}

enum trust_word trust_word_of_samples(const struct trust_samples *of)
{
	if (of->again || of->lost || of->unsettled || of->missed || of->misplaced)
		return TRUST_WEAK;
	return worst(of->unproven ? TRUST_FAIR : TRUST_FIRM,
		grade(percent_disturbed(of), TRUST_FIRM_DISTURBED, TRUST_FAIR_DISTURBED));
}

struct trust trust_of(const struct trust_samples *of, struct amount figure)
{
	const double interval = (figure.high - figure.low) / 2 / fabs(figure.value) * 100;

	return (struct trust){worst(trust_word_of_samples(of),
				      grade(interval, TRUST_FIRM_INTERVAL, TRUST_FAIR_INTERVAL)),
		interval, *of, NULL};
}

enum trust_word trust_word_named(const char *name)
{
	enum trust_word word = TRUST_WEAK;

	while (word > TRUST_FIRM && strcmp(trust_words[word], name) != 0)
		word--;
	return word;
}

struct trust trust_worse(const struct trust *a, const struct trust *b)
{
	struct trust t = percent_disturbed(&a->of) > percent_disturbed(&b->of) ? *a : *b;

	t.word = worst(a->word, b->word);
	t.of.again = a->of.again || b->of.again;
	t.of.lost = a->of.lost || b->of.lost;
	t.of.unsettled = a->of.unsettled || b->of.unsettled;
	t.of.missed = a->of.missed || b->of.missed;
	t.of.misplaced = a->of.misplaced + b->of.misplaced;
	t.of.unproven = a->of.unproven + b->of.unproven;
	t.written = a->written ? a->written : b->written;
	t.interval =
		isnan(a->interval) || isnan(b->interval) ? NAN : fmax(a->interval, b->interval);
	return t;
}

/* ---- words */

char *trust_why(const struct trust *t)
{
	char *text = alloc_format("%s", "");

	if (t->word == TRUST_FIRM)
		return text;
	if (isnan(t->interval))
		alloc_append(&text, TRUST_AND, "no interval");
	else if (t->interval > 1000) /* its digits tell nothing */
		alloc_append(&text, TRUST_AND, "interval of more than 1000 %%");
	else if (t->interval > TRUST_FIRM_INTERVAL)
		alloc_append(&text, TRUST_AND, "interval +-%.*f %%", t->interval < 10, t->interval);
	if (t->of.again || percent_disturbed(&t->of) > TRUST_FIRM_DISTURBED)
		alloc_append(&text, TRUST_AND, "disturbed samples: %lld of %lld%s",
			(long long)t->of.disturbed, (long long)t->of.taken,
			t->of.again ? ": measure again" : "");
	if (t->of.lost)
		alloc_append(&text, TRUST_AND,
			"the CPU was lost in many blocks of timed events: measure again");
	if (t->of.unsettled)
		alloc_append(&text, TRUST_AND, "not settled");
	if (t->of.missed)
		alloc_append(&text, TRUST_AND, "beside another load than the stated one");
	if (t->of.misplaced)
		alloc_append(&text, TRUST_AND, "pages that are not where they were asked for");
	else if (t->of.unproven)
		alloc_append(&text, TRUST_AND, "where its pages are is not known");
	if (t->written)
		alloc_append(&text, TRUST_AND, "%s", t->written);
	return text;
}

char *trust_text(const struct trust *t)
{
	char *why = trust_why(t);
	char *text = alloc_format("%s%s%s", trust_words[t->word], *why ? ": " : "", why);

	free(why);
	return text;
}
