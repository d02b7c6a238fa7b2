/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Weights of nodes: the placement of Gureya et al. (BWAP, IPDPS 2020) in huge pages. */
#include "rhp/decide.h"

/* The node whose turn it is at a unit of a turn. */
static int node_at(const unsigned char *weights, size_t unit)
{
	int node = 0;

	while (unit >= weights[node])
		unit -= weights[node++];
	return node;
}

size_t rhp_deal(const unsigned char *weights, uint64_t bytes, uint64_t huge, size_t *turn,
	struct rhp_part *parts)
{
	const uint64_t unit = huge * ((bytes + huge * RHP_NODES - 1) / (huge * RHP_NODES));
	size_t length = 0, count = 0;

	for (int i = 0; i < RHP_NODES; i++)
		length += weights[i];
	for (uint64_t left = length ? bytes : 0; left;) {
		const uint64_t taken = left < unit ? left : unit;
		const int node = node_at(weights, *turn % length);

		if (count && parts[count - 1].node == node)
			parts[count - 1].bytes += taken;
		else
			parts[count++] = (struct rhp_part){node, taken};
		left -= taken;
		*turn = (*turn + 1) % length;
	}
	return count;
}
