/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which experts the tokens choose. */
#ifndef MOE_DRAW_H
#define MOE_DRAW_H

#include <stddef.h>
#include <stdint.h>

struct moe_draw {
	uint32_t experts, top; /* distinct ones a token chooses */
	uint32_t hot;          /* the first so many experts get `hot_share` of all choices; 0: all
				  experts are alike */
	double hot_share;      /* 0 to 1, so that hot and other experts suffice */
};

/* NULL, or in why[n] why a token cannot find `top` of both kinds. */
const char *moe_draw_check(const struct moe_draw *d, char *why, size_t n);

/* Writes the choices of a token to chosen[top], ascending, as the order in memory. The same token
 * has the same choices in every thread and run; `top` of the hot and of the others are a whole
 * number each, by chance the next one below or above. */
void moe_choose(const struct moe_draw *d, uint64_t token, uint32_t *chosen);

#endif
