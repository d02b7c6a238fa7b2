/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes pieces for one area after the other. */
#include "affinity-rhp/simulate.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/translation.h"
#include "base/alloc.h"
#include "base/text.h"

/* The range TLB of the thesis (5.3). */
#define RANGE_TLB 32

/* Pieces of all areas; those in no range are single blocks. */
struct outcome {
	uint64_t *lengths; /* of the ranges, in blocks; owned */
	size_t count;
	uint64_t ranged, far, all; /* blocks */
};

static void add_piece(struct outcome *o, const struct scenario *s, const struct rcm_piece *p)
{
	uint64_t blocks = p->bytes / s->block;

	o->all += blocks;
	if (p->node < 0)
		return;
	o->ranged += blocks;
	o->far += p->node == s->local ? 0 : blocks;
	o->lengths = alloc_grow(o->lengths, o->count, sizeof(*o->lengths));
	o->lengths[o->count++] = blocks;
}

static void print_piece(const struct rcm_piece *p, uint64_t left, FILE *out)
{
	char size[32], of[32];

	text_size(p->bytes, size, sizeof(size));
	text_size(left, of, sizeof(of));
	if (p->node < 0)
		fprintf(out, "  no range: %s of %s\n", size, of);
	else
		fprintf(out, "  node %d: %s of %s%s\n", p->node, size, of,
			p->qualified ? "" : ", though no range holds enough");
}

/* out NULL: prints nothing. */
static struct outcome simulate_rule(
	struct scenario *s, struct rcm_ranges *ranges, const struct rcm_rule *rule, FILE *out)
{
	struct outcome o = {0};
	char size[32];

	for (size_t i = 0; i < s->nareas; i++) {
		if (out)
			fprintf(out, "area %zu, %s\n", i + 1,
				text_size(s->areas[i], size, sizeof(size)));
		for (uint64_t left = s->areas[i]; left;) {
			struct rcm_piece p = rcm_take(ranges, rule, left);

			if (out)
				print_piece(&p, left, out);
			add_piece(&o, s, &p);
			left -= p.bytes;
		}
	}
	return o;
}

static double coverage(const struct outcome *o)
{
	double of_ranged = o->count ? translation_coverage(o->lengths, o->count, RANGE_TLB) : 0;

	return of_ranged * (double)o->ranged / (double)o->all;
}

static struct rcm_ranges copy_ranges(const struct rcm_ranges *r)
{
	struct rcm_ranges c = *r;

	c.list = alloc_zeroed(r->count, sizeof(*r->list));
	c.nodes = alloc_zeroed(r->nnodes, sizeof(*r->nodes));
	for (size_t i = 0; i < r->count; i++)
		c.list[i] = r->list[i];
	for (size_t i = 0; i < r->nnodes; i++)
		c.nodes[i] = r->nodes[i];
	return c;
}

static void print_percent(const char *name, double alone, double far, FILE *out)
{
	char text[2][32];
	const double values[] = {alone, far};

	for (int i = 0; i < 2; i++)
		if (isnan(values[i]))
			snprintf(text[i], sizeof(text[i]), "n/a");
		else
			snprintf(text[i], sizeof(text[i]), "%.1f %%", 100 * values[i]);
	fprintf(out, "%-32s %10s %10s\n", name, text[0], text[1]);
}

static double part_of_all(uint64_t n, uint64_t all)
{
	return (double)n / (double)all;
}

static void print_outcomes(
	const struct scenario *s, const struct outcome *alone, const struct outcome *far, FILE *out)
{
	const double *c = s->counts;
	double left[2] = {coverage(alone), coverage(far)};

	fprintf(out, "\n%-32s %10s %10s\n", "", "own node", "all nodes");
	fprintf(out, "%-32s %10zu %10zu\n", "ranges", alone->count, far->count);
	print_percent("in ranges", part_of_all(alone->ranged, alone->all),
		part_of_all(far->ranged, far->all), out);
	print_percent("in the 32 largest ranges", left[0], left[1], out);
	print_percent("on far nodes", part_of_all(alone->far, alone->all),
		part_of_all(far->far, far->all), out);
	for (int i = 0; i < 2; i++)
		left[i] =
			translation_residual(left[i], c[SCENARIO_MISSES], c[SCENARIO_WALK_CYCLES]);
	print_percent("overhead, of ideal_cycles",
		translation_cap_overhead(left[0], c[SCENARIO_IDEAL_CYCLES]),
		translation_rcm_overhead(
			left[1], far->far ? c[SCENARIO_FAR_STALLS] : 0, c[SCENARIO_IDEAL_CYCLES]),
		out);
}

/* The profiler's question of ranges (4.4). */
static void print_verdict(const struct scenario *s, const struct outcome *far, FILE *out)
{
	const double *c = s->counts;
	double gain = translation_range_gain(
		c[SCENARIO_HITS], part_of_all(far->far, far->all), c[SCENARIO_WALK_CYCLES]);
	double cost = translation_range_cost(c[SCENARIO_FAR_ACCESSES], c[SCENARIO_FAR_NS] * 1e-9,
		c[SCENARIO_LOCAL_NS] * 1e-9, c[SCENARIO_HERTZ]);

	if (isnan(gain) || isnan(cost))
		fprintf(out, "gain and cost of far ranges: n/a\n");
	else
		fprintf(out, "gain of far ranges: %.4g cycles, cost: %.4g cycles: %s\n", gain, cost,
			cost > gain ? "they are moved back" : "they stay");
}

void simulate(struct scenario *s, const struct rcm_rule *rule, FILE *out)
{
	const struct rcm_rule own = {0, 0, RCM_NEAREST, false};
	struct rcm_ranges again = copy_ranges(&s->ranges);
	struct outcome far = simulate_rule(s, &s->ranges, rule, out),
		       alone = simulate_rule(s, &again, &own, NULL);

	print_outcomes(s, &alone, &far, out);
	print_verdict(s, &far, out);
	free(again.list);
	free(again.nodes);
	free(alone.lengths);
	free(far.lengths);
}
