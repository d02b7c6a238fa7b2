/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weights of nodes: the placement of Gureya et al. (BWAP, IPDPS 2020) in huge pages. */
#include "rhp/decide.h"

/* Those with a weight, and how many units of the turn each has. */
struct shares {
	size_t n;
	int node[RHP_NODES];
	unsigned weight[RHP_NODES], has[RHP_NODES];
};

static size_t begin_turn(struct shares *s, const unsigned char *weights)
{
	size_t length = 0;

	s->n = 0;
	for (int i = 0; i < RHP_NODES; i++) {
		if (!weights[i])
			continue;
		s->node[s->n] = i;
		s->weight[s->n] = weights[i];
		s->has[s->n++] = 0;
		length += weights[i];
	}
	return length;
}

/* The node that lacks most of its share (Webster's method, whose shares are exact at the end of a
 * turn): a block that is shorter than a turn follows the weights, too. */
static int next(struct shares *s)
{
	size_t best = 0;

	for (size_t i = 1; i < s->n; i++)
		if (s->weight[i] * (2 * s->has[best] + 1) > s->weight[best] * (2 * s->has[i] + 1))
			best = i;
	s->has[best]++;
	return s->node[best];
}

size_t rhp_deal(const unsigned char *weights, uint64_t bytes, uint64_t huge, size_t *turn,
	struct rhp_part *parts)
{
	const uint64_t unit = huge * ((bytes + huge * RHP_NODES - 1) / (huge * RHP_NODES));
	struct shares s;
	const size_t length = begin_turn(&s, weights);
	size_t count = 0;

	for (size_t i = 0; length && i < *turn % length; i++)
		next(&s);
	for (uint64_t left = length ? bytes : 0; left;) {
		const uint64_t taken = left < unit ? left : unit;
		const int node = next(&s);

		if (count && parts[count - 1].node == node)
			parts[count - 1].bytes += taken;
		else
			parts[count++] = (struct rhp_part){node, taken};
		left -= taken;
		*turn = (*turn + 1) % length;
		if (!*turn)
			begin_turn(&s, weights);
	}
	return count;
}
