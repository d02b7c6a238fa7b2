/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernels whose numbers lie between measured ones. */
#include "prediction/between.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/steffen.h"
#include "model/learn.h"

#define NONE ((size_t)-1)

struct asked {
	const struct between *margins; /* NULL: there are none */
	const struct scene *scene;
	const struct scene_kind *wanted; /* its arguments apart */
	const struct param *only;        /* the number that may lie between; NULL: all */
	size_t pair_class, without;
};

static size_t size_of(const struct param *p)
{
	return p->type == PARAM_COUNT ? sizeof(uint64_t) : sizeof(double);
}

static double value_of(const struct param *p, const void *args)
{
	const void *field = (const char *)args + p->offset;

	return p->type == PARAM_COUNT ? (double)*(const uint64_t *)field : *(const double *)field;
}

static void copy_value(const struct param *p, void *to, const void *from)
{
	memcpy((char *)to + p->offset, (const char *)from + p->offset, size_of(p));
}

/* From p on; NULL: no further one. */
static const struct param *next_pace(const struct param *p)
{
	while (p && p->name && !(p->flags & PARAM_PACE))
		p++;
	return p && p->name ? p : NULL;
}

/* The next number that may lie between. */
static const struct param *next_open(const struct asked *a, const struct param *p)
{
	p = next_pace(p);
	while (p && a->only && p != a->only)
		p = next_pace(p + 1);
	return p;
}

static bool is_of_kernel(const struct scene_kind *a, const struct scene_kind *b)
{
	return a->kernel == b->kernel && a->cores == b->cores && a->type == b->type &&
	       a->pages == b->pages;
}

static void *copy_args(const struct kernel *k, const void *args)
{
	void *made = alloc_zeroed(1, k->args_size + 1);

	memcpy(made, args, k->args_size);
	return made;
}

static struct amount measured(const struct asked *a, const void *args)
{
	const struct scene *s = a->scene;

	for (size_t i = 0; i < s->measured; i++) {
		const struct scene_kind *k = &s->kinds[i];
		const double cost = s->alone[i * s->machine.classes + a->pair_class];

		if (i != a->without && is_of_kernel(k, a->wanted) && isfinite(cost) &&
			!memcmp(k->args, args, k->kernel->args_size))
			return (struct amount){cost, cost, cost};
	}
	return AMOUNT_NONE;
}

struct curve {
	double *xs, *ys; /* [count], ascending */
	struct amount *costs;
	size_t count;
};

static struct amount cost_of(const struct asked *a, const struct param *from, const void *args);

/* Keeps xs ascending; one that is there stays. */
static void add_point(struct curve *c, double x, struct amount cost)
{
	size_t at = c->count;

	for (size_t i = 0; i < c->count; i++)
		if (c->xs[i] == x)
			return;
	for (; at && c->xs[at - 1] > x; at--) {
		c->xs[at] = c->xs[at - 1];
		c->ys[at] = c->ys[at - 1];
		c->costs[at] = c->costs[at - 1];
	}
	c->xs[at] = x;
	c->ys[at] = cost.value;
	c->costs[at] = cost;
	c->count++;
}

/* All measured values of a number, with the others as in args. */
static void take_curve(
	struct curve *c, const struct asked *a, const struct param *p, const void *args)
{
	const struct scene *s = a->scene;

	*c = (struct curve){.xs = alloc_zeroed(2 * s->measured + 1, sizeof(double)),
		.costs = alloc_zeroed(s->measured + 1, sizeof(*c->costs))};
	c->ys = c->xs + s->measured;
	for (size_t i = 0; i < s->measured; i++) {
		if (!is_of_kernel(&s->kinds[i], a->wanted))
			continue;
		void *other = copy_args(a->wanted->kernel, args);

		copy_value(p, other, s->kinds[i].args);
		const struct amount cost = cost_of(a, p + 1, other);

		if (isfinite(cost.value))
			add_point(c, value_of(p, other), cost);
		free(other);
	}
}

static double margin_of(const struct asked *a, const struct param *p)
{
	for (size_t i = 0; a->margins && i < a->margins->count; i++)
		if (a->margins->margins[i].param == p)
			return a->margins->margins[i].margin;
	return NAN;
}

/* Between the points i and i + 1. */
static struct amount with_ends(const struct curve *c, size_t i, double value, double margin)
{
	const struct amount *a = &c->costs[i], *b = a + 1;

	if (isnan(margin))
		return (struct amount){value, fmin(a->low, b->low), fmax(a->high, b->high)};
	return (struct amount){value,
		value * exp(-margin) * fmin(a->low / a->value, b->low / b->value),
		value * exp(margin) * fmax(a->high / a->value, b->high / b->value)};
}

static struct amount on_curve(const struct curve *c, double x, double margin)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->xs[i] == x)
			return c->costs[i];
	for (size_t i = 0; i + 1 < c->count; i++)
		if (x > c->xs[i] && x < c->xs[i + 1])
			return with_ends(c, i, steffen_at(c->xs, c->ys, c->count, x), margin);
	return AMOUNT_NONE;
}

static struct amount cost_of(const struct asked *a, const struct param *from, const void *args)
{
	const struct param *p = next_open(a, from);
	struct curve c;

	if (!p)
		return measured(a, args);
	take_curve(&c, a, p, args);
	const struct amount cost = on_curve(&c, value_of(p, args), margin_of(a, p));

	free(c.xs);
	free(c.costs);
	return cost;
}

struct amount between_cost(const struct between *b, const struct scene *s,
	const struct scene_kind *wanted, size_t pair_class)
{
	const struct asked a = {b, s, wanted, NULL, pair_class, NONE};

	return next_pace(wanted->kernel->params) ? cost_of(&a, wanted->kernel->params, wanted->args)
						 : AMOUNT_NONE;
}

static bool is_like(const struct scene_kind *a, const struct scene_kind *b)
{
	void *args = copy_args(a->kernel, a->args);

	for (const struct param *p = next_pace(a->kernel->params); p; p = next_pace(p + 1))
		copy_value(p, args, b->args);
	const bool like = !memcmp(args, b->args, a->kernel->args_size);

	free(args);
	return like;
}

void between_take_units(const struct scene *s, struct scene_kind *wanted)
{
	bool any = false;

	for (size_t i = 0; i < s->measured; i++) {
		const struct scene_kind *k = &s->kinds[i];

		if (!is_of_kernel(k, wanted) || !is_like(k, wanted) || isnan(k->units))
			continue;
		if (any && (fabs(k->units / wanted->units - 1) > 1e-3 ||
				   k->elements != wanted->elements)) {
			wanted->units = NAN;
			return;
		}
		any = true;
		wanted->units = k->units;
		wanted->elements = k->elements;
	}
}

/* log(measured / predicted) of a kind that is left out, of the class that is farthest off; NAN: the
 * others do not tell. */
static double residual(const struct scene *s, size_t kind, const struct param *p)
{
	double worst = NAN;

	for (size_t c = 0; c < s->machine.classes; c++) {
		const struct asked a = {NULL, s, &s->kinds[kind], p, c, kind};
		const double off = log(
			s->alone[kind * s->machine.classes + c] /
			cost_of(&a, s->kinds[kind].kernel->params, s->kinds[kind].args).value);

		if (isfinite(off) && !(fabs(off) <= fabs(worst)))
			worst = off;
	}
	return worst;
}

static void learn_one(
	struct between *b, const struct scene *s, const struct kernel *k, double confidence)
{
	double *residuals = alloc_zeroed(s->measured + 1, sizeof(*residuals));

	for (const struct param *p = next_pace(k->params); p; p = next_pace(p + 1)) {
		size_t n = 0;

		for (size_t i = 0; i < s->measured; i++) {
			const double off = s->kinds[i].kernel == k ? residual(s, i, p) : NAN;

			if (isfinite(off))
				residuals[n++] = off;
		}
		b->margins = alloc_grow(b->margins, b->count, sizeof(*b->margins));
		b->margins[b->count++] =
			(struct between_margin){p, learn_margin(residuals, n, confidence)};
	}
	free(residuals);
}

void between_learn(struct between *b, const struct scene *s, double confidence)
{
	for (size_t i = 0; i < s->measured; i++) {
		bool first = true;

		for (size_t k = 0; k < i; k++)
			first &= s->kinds[k].kernel != s->kinds[i].kernel;
		if (first)
			learn_one(b, s, s->kinds[i].kernel, confidence);
	}
}

void between_free(struct between *b)
{
	free(b->margins);
	*b = (struct between){.margins = NULL};
}
