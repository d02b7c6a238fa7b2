/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels that differ in strides and types. */
#include "prediction/alike.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* How far apart strides may be between which the cost is taken as linear. */
#define WIDEST 4.0
#define TYPES  (TYPE_DOUBLE + 1)

static const struct param *stride_param(const struct kernel *k)
{
	for (const struct param *p = k->params; p && p->name; p++)
		if (p->type == PARAM_EXTENT && !strcmp(p->name, "stride"))
			return p;
	return NULL;
}

double alike_stride(const struct scene_kind *k)
{
	const struct param *p = k->random ? NULL : stride_param(k->kernel);

	return p ? (double)((const struct extent *)((const char *)k->args + p->offset))->value : 0;
}

/* Are the parameters before and behind the stride the same? */
static bool same_others(const struct scene_kind *a, const struct scene_kind *b)
{
	const size_t from = stride_param(a->kernel)->offset, to = from + sizeof(struct extent);
	const char *x = a->args, *y = b->args;

	return !memcmp(x, y, from) && !memcmp(x + to, y + to, a->kernel->args_size - to);
}

/* Is a measured kind like the wanted one, but for stride and type? */
static bool is_like(const struct scene_kind *measured, const struct scene_kind *wanted)
{
	return measured->kernel == wanted->kernel && measured->cores == wanted->cores &&
	       measured->pages == wanted->pages && alike_stride(measured) > 0 &&
	       alike_stride(wanted) > 0 && same_others(measured, wanted) &&
	       fabs(measured->units - 1) < 1e-3;
}

/* What is known beside the wanted kind. */
struct known {
	const struct scene *scene;
	const double *alone;
	size_t kinds, without;
	const struct scene_kind *wanted;
};

/* NAN: not measured, or not like it. */
static double cost_of(const struct known *k, size_t kind, enum element_type type, size_t pair_class)
{
	const struct scene_kind *own = &k->scene->kinds[kind];

	return kind != k->without && own->type == type && is_like(own, k->wanted)
		       ? k->alone[kind * k->scene->machine.classes + pair_class]
		       : NAN;
}

/* Elements of one type, with the wanted stride. */
static double between(const struct known *k, enum element_type type, size_t pair_class)
{
	const double stride = alike_stride(k->wanted);
	double low = 0, high = HUGE_VAL, at_low = NAN, at_high = NAN;

	for (size_t i = 0; i < k->kinds; i++) {
		const double cost = cost_of(k, i, type, pair_class);

		if (isnan(cost))
			continue;
		const double own = alike_stride(&k->scene->kinds[i]);

		if (own <= stride && own > low) {
			low = own;
			at_low = cost;
		}
		if (own >= stride && own < high) {
			high = own;
			at_high = cost;
		}
	}
	if (!(high <= WIDEST * low))
		return NAN;
	return low < high ? at_low + (at_high - at_low) * (stride - low) / (high - low) : at_low;
}

/* How much longer a unit takes than on elements of another type; NAN: not known. */
static double ratio_to(const struct known *k, enum element_type other)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < k->kinds; i++)
		for (size_t j = 0; j < k->kinds; j++)
			for (size_t c = 0; c < k->scene->machine.classes; c++) {
				const double ratio = log(cost_of(k, i, k->wanted->type, c) /
							 cost_of(k, j, other, c));

				if (isnan(ratio) || alike_stride(&k->scene->kinds[i]) !=
							    alike_stride(&k->scene->kinds[j]))
					continue;
				sum += ratio;
				n++;
			}
	return n ? exp(sum / (double)n) : NAN;
}

double alike_cost(const struct scene *s, const double *alone, size_t kinds,
	const struct scene_kind *wanted, size_t pair_class, size_t without)
{
	const struct known k = {s, alone, kinds, without, wanted};

	double cost = between(&k, wanted->type, pair_class);

	for (int type = TYPES - 1; type >= 0 && isnan(cost); type--)
		if (type != (int)wanted->type)
			cost = between(&k, (enum element_type)type, pair_class) *
			       ratio_to(&k, (enum element_type)type);
	return cost;
}

size_t alike_left_out(const struct scene *s, const double *alone, size_t kinds, double *out)
{
	size_t n = 0;

	for (size_t i = 0; i < kinds; i++) {
		double worst = NAN;

		for (size_t c = 0; c < s->machine.classes; c++) {
			const double off = log(alone[i * s->machine.classes + c] /
					       alike_cost(s, alone, kinds, &s->kinds[i], c, i));

			if (isfinite(off) && !(fabs(off) <= fabs(worst)))
				worst = off;
		}
		if (isfinite(worst))
			out[n++] = worst;
	}
	return n;
}
