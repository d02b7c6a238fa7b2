/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a kernel costs alone with numbers between those that were measured (PARAM_PACE: gap,
 * writes).
 *
 * Of one number the cost is a curve through all that was measured with the others as they are; it
 * does not overshoot between its points (base/steffen.h). Of several numbers, it is a curve of such
 * curves. Below and above what was measured nothing is known. How far it may be off is what values
 * left out show, each of which the others predict from twice as far. Where too few are left out,
 * the cost lies between those of the neighbours, because it grows or falls with the number all the
 * way. Pure functions.
 */
#ifndef BETWEEN_H
#define BETWEEN_H

#include "base/amount.h"
#include "prediction/scene.h"

struct between_margin {
	const struct param *param;
	double margin; /* of logarithms; NAN: too few were left out */
};

struct between {
	struct between_margin *margins;
	size_t count;
};

/* From what the scene has of its kinds alone. */
void between_learn(struct between *b, const struct scene *s, double confidence);
void between_free(struct between *b);

/* ns a unit of a kind at a class, with the ends of what is known of it; NAN: those that were
 * measured do not tell. b NULL: of no margins. */
struct amount between_cost(const struct between *b, const struct scene *s,
	const struct scene_kind *wanted, size_t pair_class);

/* Takes units and elements of a round from kinds that differ in such numbers only. */
void between_take_units(const struct scene *s, struct scene_kind *wanted);

#endif
