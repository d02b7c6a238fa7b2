/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Next fit on each node, then the choice between nodes. */
#include "analysis/rcm.h"

/* Of a node: r->count, it has nothing free. */
static size_t rcm_candidate(const struct rcm_ranges *r, const struct rcm_node *node, uint64_t bytes)
{
	size_t largest = r->count;

	for (size_t i = 0; i < r->count; i++) {
		size_t at = (node->rover + i) % r->count;
		const struct rcm_range *range = &r->list[at];

		if (range->node != node->id || !range->bytes)
			continue;
		if (range->bytes >= bytes)
			return at;
		if (largest == r->count || range->bytes > r->list[largest].bytes)
			largest = at;
	}
	return largest;
}

static bool holds_enough(const struct rcm_ranges *r, const struct rcm_rule *rule, size_t range,
	size_t node, uint64_t bytes)
{
	double least = node ? rule->least_far : rule->least_local;

	return (double)r->list[range].bytes >= least * (double)bytes;
}

/* *qualified: it holds the share. */
static size_t rcm_choose(const struct rcm_ranges *r, const struct rcm_rule *rule, uint64_t bytes,
	size_t *node, bool *qualified)
{
	size_t otherwise = r->count, n = rule->far ? r->nnodes : 1;

	*qualified = false;
	for (size_t i = 0; i < n && i < r->nnodes; i++) {
		size_t at = rcm_candidate(r, &r->nodes[i], bytes);

		if (at == r->count)
			continue;
		if (holds_enough(r, rule, at, i, bytes)) {
			*node = i;
			*qualified = true;
			return at;
		}
		if (otherwise == r->count ||
			(rule->otherwise == RCM_LARGEST &&
				r->list[at].bytes > r->list[otherwise].bytes)) {
			otherwise = at;
			*node = i;
		}
	}
	return rule->otherwise == RCM_NONE ? r->count : otherwise;
}

struct rcm_piece rcm_take(struct rcm_ranges *r, const struct rcm_rule *rule, uint64_t bytes)
{
	struct rcm_piece piece = {-1, bytes, false};
	size_t node = 0, at = rcm_choose(r, rule, bytes, &node, &piece.qualified);

	if (at == r->count)
		return piece;
	struct rcm_range *range = &r->list[at];
	piece.node = range->node;
	piece.bytes = range->bytes < bytes ? range->bytes : bytes;
	range->bytes -= piece.bytes;
	r->nodes[node].rover = (at + 1) % r->count; /* this range is tried last now */
	return piece;
}
