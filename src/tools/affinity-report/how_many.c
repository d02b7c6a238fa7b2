/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many threads are worth it, in sentences: of tables of rates by the number of threads. */
#include <math.h>
#include <string.h>

#include "affinity-report/page.h"
#include "affinity-report/rates.h"

/* "placement slices, gemv" */
static void curve_name(FILE *out, const struct rates *c, size_t curve)
{
	const struct document_table *t = c->table;

	if (*c->other_axis)
		html(out, "%s %s", c->other_axis, c->others->list[curve]);
	if (t->operation)
		html(out, "%s%s", *c->other_axis ? ", " : "", t->operation);
	page_table_values(t, ", ", out);
}

static void say_curve(const struct rates *c, size_t curve, FILE *out)
{
	const long highest = rates_highest(c, curve);

	if (highest < 0)
		return;
	const struct amount most = rates_at(c, curve, (size_t)highest);
	const long fewest = rates_fewest(c, curve, SUFFICIENT * most.value);

	fputs("<li>", out);
	curve_name(out, c, curve);
	fputs(": the most, ", out);
	rates_figure(out, c, most.value);
	html(out, ", with <strong>%s thread%s</strong>", RATES_THREADS(c, highest));
	if (fewest != highest)
		html(out, "; %s thread%s reach%s %.0f&nbsp;%% of it", RATES_THREADS(c, fewest),
			strcmp(c->threads->list[fewest], "1") ? "" : "es", 100 * SUFFICIENT);
	fputs(".</li>\n", out);
}

/* The curves whose highest figure may be as high; nothing where there are no intervals. */
static void say_others(const struct rates *c, size_t best, struct amount most, FILE *out)
{
	bool any = false;

	for (size_t i = 0; i < c->others->count; i++) {
		const long own = rates_highest(c, i);

		if (i == best || own < 0 || !(rates_at(c, i, (size_t)own).high >= most.low))
			continue;
		html(out, "%s%s", any ? ", " : ", which their intervals do not tell from ",
			c->others->list[i]);
		any = true;
	}
}

static void say_best(const struct rates *c, FILE *out)
{
	const long best = rates_best(c);

	if (best < 0)
		return;
	const long highest = rates_highest(c, (size_t)best);
	const struct amount most = rates_at(c, (size_t)best, (size_t)highest);

	fputs("<li>Of all, ", out);
	rates_figure(out, c, most.value);
	html(out, " is the most: <strong>%s %s, %s thread%s</strong>", c->other_axis,
		c->others->list[best], RATES_THREADS(c, highest));
	say_others(c, (size_t)best, most, out);
	fputs(isnan(most.low) ? ", of figures without intervals.</li>\n" : ".</li>\n", out);
}

void page_how_many(const struct document *d, const struct document_table *t, FILE *out)
{
	struct rates c;

	if (!rates_find(d, t, &c))
		return;
	for (size_t i = 0; i < c.others->count; i++)
		say_curve(&c, i, out);
	/* of placements that are the same memory the best one is only the luckiest */
	if (rates_are_choices(d, &c) && !(rates_are_placements(d, &c) && page_node_of_all(d) >= 0))
		say_best(&c, out);
}
