/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many threads are worth it: of tables of rates by the number of threads. */
#include <math.h>

#include "document/quality.h"
#include "findings/findings.h"
#include "findings/rates.h"

static void add_curve(
	const struct document *d, const struct rates *c, size_t curve, struct finding_list *to)
{
	const long highest = rates_highest(c, curve);

	if (highest < 0)
		return;
	const struct amount most = rates_at(c, curve, (size_t)highest);
	const long fewest = rates_fewest(c, curve, SUFFICIENT * most.value);
	struct finding *f = findings_add(to, FINDING_THREADS);

	f->trust = document_quality_of(d).word;
	if (*c->other_axis)
		finding_text(f, "curve", "%s %s", c->other_axis, c->others->list[curve]);
	findings_add_of(f, c->table);
	rates_add(f, "most", c, most);
	finding_text(f, "threads", "%s", c->threads->list[highest]);
	if (fewest != highest)
		finding_text(f, "fewest", "%s", c->threads->list[fewest]);
	finding_figure(f, "part", (struct amount){100 * SUFFICIENT, NAN, NAN}, "%");
}

/* The curves whose highest figure may be as high; nothing where there are no intervals. */
static void add_others(struct finding *f, const struct rates *c, size_t best, struct amount most)
{
	struct finding_list *list = NULL;

	for (size_t i = 0; i < c->others->count; i++) {
		const long own = rates_highest(c, i);

		if (i == best || own < 0 || !(rates_at(c, i, (size_t)own).high >= most.low))
			continue;
		list = list ? list : finding_add_list(f, "others");
		finding_text(findings_add(list, FINDING_NAME), "name", "%s", c->others->list[i]);
	}
}

static void add_best(const struct document *d, const struct rates *c, struct finding_list *to)
{
	const long best = rates_best(c);

	if (best < 0)
		return;
	const long highest = rates_highest(c, (size_t)best);
	const struct amount most = rates_at(c, (size_t)best, (size_t)highest);
	struct finding *f = findings_add(to, FINDING_BEST);

	f->trust = document_quality_of(d).word;
	rates_add(f, "most", c, most);
	finding_text(f, "best", "%s %s", c->other_axis, c->others->list[best]);
	finding_text(f, "threads", "%s", c->threads->list[highest]);
	if (isnan(most.low))
		finding_text(f, "uncertain", "yes");
	add_others(f, c, (size_t)best, most);
}

void findings_how_many(
	const struct document *d, const struct document_table *t, struct finding_list *to)
{
	struct rates c;

	if (!rates_find(d, t, &c))
		return;
	for (size_t i = 0; i < c.others->count; i++)
		add_curve(d, &c, i, to);
	/* of placements that are the same memory the best one is only the luckiest */
	if (rates_are_choices(d, &c) &&
		!(rates_are_placements(d, &c) && findings_node_of_all(d) >= 0))
		add_best(d, &c, to);
}
