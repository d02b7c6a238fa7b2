/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Next fit on each node, then the choice between nodes. */
#include "analysis/ranges.h"

size_t ranges_candidate(const struct ranges *r, const struct range_node *node, uint64_t bytes)
{
	size_t largest = r->count;

	for (size_t i = 0; i < r->count; i++) {
		size_t at = (node->rover + i) % r->count;
		const struct range *range = &r->list[at];

		if (range->node != node->id || !range->bytes)
			continue;
		if (range->bytes >= bytes)
			return at;
		if (largest == r->count || range->bytes > r->list[largest].bytes)
			largest = at;
	}
	return largest;
}

static bool holds_enough(const struct ranges *r, const struct ranges_rule *rule, size_t range,
	size_t node, uint64_t bytes)
{
	double least = node ? rule->least_far : rule->least_local;

	return (double)r->list[range].bytes >= least * (double)bytes;
}

size_t ranges_choose(const struct ranges *r, const struct ranges_rule *rule, uint64_t bytes,
	size_t *node, bool *qualified)
{
	size_t otherwise = r->count, n = rule->far ? r->nnodes : 1;

	*qualified = false;
	for (size_t i = 0; i < n && i < r->nnodes; i++) {
		size_t at = ranges_candidate(r, &r->nodes[i], bytes);

		if (at == r->count)
			continue;
		if (holds_enough(r, rule, at, i, bytes)) {
			*node = i;
			*qualified = true;
			return at;
		}
		if (otherwise == r->count ||
			(rule->otherwise == RANGES_LARGEST &&
				r->list[at].bytes > r->list[otherwise].bytes)) {
			otherwise = at;
			*node = i;
		}
	}
	return rule->otherwise == RANGES_NONE ? r->count : otherwise;
}

struct range_piece ranges_take(struct ranges *r, const struct ranges_rule *rule, uint64_t bytes)
{
	struct range_piece piece = {-1, bytes, false};
	size_t node, at = ranges_choose(r, rule, bytes, &node, &piece.qualified);

	if (at == r->count)
		return piece;
	struct range *range = &r->list[at];
	piece.node = range->node;
	piece.bytes = range->bytes < bytes ? range->bytes : bytes;
	range->bytes -= piece.bytes;
	/* a range with something left is where the next search begins */
	r->nodes[node].rover = range->bytes ? at : (at + 1) % r->count;
	return piece;
}
