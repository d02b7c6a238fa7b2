/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a kernel costs with a stride or on elements that were not measured.
 *
 * Between two strides of one type of elements, at most four times apart, the cost is linear in the
 * stride: below a line each unit brings a part of a line that grows so, above it each brings one.
 * From another type of elements it is that type's cost with as many bytes of stride, times the mean
 * ratio of the two types where both were measured: lines are fetched alike, instructions differ.
 * Strides below and above those that were measured are not known, nor is a type that was never
 * measured. Only kernels whose round visits each element once are alike: of others the stride
 * changes the work. Pure functions.
 */
#ifndef ALIKE_H
#define ALIKE_H

#include "prediction/scene.h"

#define ALIKE_NONE ((size_t)-1)

/* ns a unit of a kind at a class, from alone[kinds * classes] of the first `kinds` of the scene,
 * NAN where they were not measured, and without one of them; NAN: they do not tell. */
double alike_cost(const struct scene *s, const double *alone, size_t kinds,
	const struct scene_kind *wanted, size_t pair_class, size_t without);

/* Of a kind as the scene has it, in bytes; 0: it has none. */
double alike_stride(const struct scene_kind *k);

/* log(measured / predicted) of every kind that the others predict, of the class that is farthest
 * off, into out (room for all kinds). Returns how many. */
size_t alike_left_out(const struct scene *s, const double *alone, size_t kinds, double *out);

#endif
