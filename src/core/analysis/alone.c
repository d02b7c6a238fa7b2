/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads together and each of them alone: slowdowns and overheads. */
#include <math.h>

#include "analysis/derive.h"

int derive_slowdown_costs(
	const struct run *t, int op, int thread, struct estimate *together, struct estimate *alone)
{
	if (!t->solos || thread < 0 || derive_cost_estimate(&t->samples, op, thread, together))
		return -1;
	return derive_cost_estimate(&t->solos[thread], op, 0, alone);
}

struct amount derive_slowdown(const struct run *t, int op, int thread)
{
	struct estimate together, alone;

	if (derive_slowdown_costs(t, op, thread, &together, &alone))
		return AMOUNT_NONE;
	return estimate_ratio(&t->request, &together, &alone,
		&pooling_kin(&t->samples, FAMILY_SLOWDOWN, op, thread)->prior);
}

/* In per cent. */
static double left_of_all(double share)
{
	return (1 - share) * 100;
}

/* Adds in every placement. Without several placements, what is left of the interval is that of
 * independent errors, the root of the sum of squares of the half-widths; or, of threads that were
 * measured at the same time, their sum. */
static void add_solo_part(struct estimate *sum, const struct estimate *part, bool same_time)
{
	double old = (sum->high - sum->low) / 2, other = (part->high - part->low) / 2,
	       half = same_time ? old + other : hypot(old, other);

	sum->value += part->value;
	sum->low = sum->value - half;
	sum->high = sum->value + half;
	sum->moved += (part->moved - sum->moved) * part->value / sum->value;
	sum->unsure += (part->unsure - sum->unsure) * part->value / sum->value;
	sum->hidden |= part->hidden;
	/* an interruption can leave a part without the last placements */
	sum->placements = part->placements < sum->placements ? part->placements : sum->placements;
	for (size_t i = 0; i < sum->placements; i++)
		sum->each[i] += part->each[i];
	if (fabs(part->shape.skewness) > fabs(sum->shape.skewness))
		sum->shape = part->shape;
	sum->stats.n = part->stats.n;
}

int derive_overhead_costs(
	const struct run *t, int op, int who, struct estimate *alone, struct estimate *together)
{
	struct estimate part;

	*alone = *together = (struct estimate){.placements = PLACEMENTS_MAX};
	if (!t->solos || (t->request.window_ns && !derive_same_unit(&t->plan, op)) ||
		(who == ALL_THREADS && plan_mixes_kinds(&t->plan)))
		return -1;
	for (int k = 0; k < t->plan.nthreads; k++) {
		if (!derive_counts(&t->plan, who, k))
			continue;
		if (derive_cost_estimate(&t->solos[k], op, 0, &part))
			return -1;
		add_solo_part(alone, &part, false);
		if (derive_cost_estimate(&t->samples, op, k, &part))
			return -1;
		add_solo_part(together, &part, true);
	}
	return 0;
}

struct amount derive_overhead(const struct run *t, int op, int who)
{
	struct estimate alone, together;

	if (derive_overhead_costs(t, op, who, &alone, &together))
		return AMOUNT_NONE;
	struct amount share = estimate_ratio(&t->request, &alone, &together,
		&pooling_kin(&t->samples, FAMILY_OVERHEAD, op, who)->prior);

	return (struct amount){
		left_of_all(share.value), left_of_all(share.high), left_of_all(share.low)};
}
