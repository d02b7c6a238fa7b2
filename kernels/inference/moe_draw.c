/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws without replacement by selection sampling (Knuth, TAOCP 2, 3.4.2, algorithm S). */
#include "moe_draw.h"

#include <inttypes.h>
#include <stdio.h>

/* SplitMix64 (Steele, Lea, Flood, 2014). */
static double uniform(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return (double)((z ^ z >> 31) >> 11) * 0x1p-53;
}

static uint32_t *sample(uint64_t *state, uint32_t from, uint32_t to, uint32_t wanted, uint32_t *out)
{
	for (uint32_t i = from; i < to && wanted; i++)
		if (uniform(state) * (to - i) < wanted) {
			*out++ = i;
			wanted--;
		}
	return out;
}

void moe_choose(const struct moe_draw *d, uint64_t token, uint32_t *chosen)
{
	uint64_t state = token * UINT64_C(0xd1342543de82ef95) + 1;
	const double share = d->hot ? d->hot_share * d->top : 0;
	uint32_t hot = (uint32_t)share;

	hot += uniform(&state) < share - hot;
	chosen = sample(&state, 0, d->hot, hot, chosen);
	sample(&state, d->hot, d->experts, d->top - hot, chosen);
}

const char *moe_draw_check(const struct moe_draw *d, char *why, size_t n)
{
	const double hot = d->hot_share * (double)d->top;

	if (d->top > d->experts)
		snprintf(why, n, "top = %" PRIu32 " is more than experts = %" PRIu32, d->top,
			d->experts);
	else if (d->hot > d->experts)
		snprintf(why, n, "hot = %" PRIu32 " is more than experts = %" PRIu32, d->hot,
			d->experts);
	else if (!d->hot != (d->hot_share == 0))
		snprintf(why, n,
			"hot = %" PRIu32 " experts get hot_share = %g of the choices; give "
			"both, or neither",
			d->hot, d->hot_share);
	else if (hot > (double)d->hot)
		snprintf(why, n,
			"hot = %" PRIu32 " experts cannot be %g of the %" PRIu32
			" that a token chooses; a smaller hot_share, or more of them",
			d->hot, hot, d->top);
	else if ((double)d->top - hot > (double)(d->experts - d->hot))
		snprintf(why, n,
			"%" PRIu32 " experts that are not hot cannot be %g of the %" PRIu32
			" that a token chooses; a larger hot_share, or more experts",
			d->experts - d->hot, (double)d->top - hot, d->top);
	else
		return NULL;
	return why;
}
