/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loads beside others. */
#include "prediction/load_curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "input/registry.h"
#include "model/learn.h"

static size_t class_of(const struct scene *s, const struct model_thread *t)
{
	return s->pair_class[t->node * s->machine.nodes + t->memory];
}

static double alone_of(const struct scene *s, const double *alone, const struct model_thread *t)
{
	return alone[t->kernel * s->machine.classes + class_of(s, t)];
}

/* The threads of a view but the one that measures latency: [count - 1] */
static const struct model_thread *other(const struct scene_view *v, size_t i)
{
	return &v->threads[i < v->load ? i : i + 1];
}

static struct load_curve asked(const struct scene *s, const struct scene_view *v)
{
	const struct model_thread *own = &v->threads[v->load];
	const struct scene_kind *others = &s->kinds[other(v, 0)->kernel];

	return (struct load_curve){.kernel = own->kernel,
		.pair_class = class_of(s, own),
		.others = others->kernel,
		.written = others->written};
}

static struct load_curve *find(const struct load_curves *l, const struct load_curve *one)
{
	for (size_t i = 0; i < l->count; i++) {
		struct load_curve *own = &l->list[i];

		if (own->kernel == one->kernel && own->pair_class == one->pair_class &&
			own->others == one->others && own->written == one->written)
			return own;
	}
	return NULL;
}

/* Are the same kernels there, at such a distance, whatever part the others store to? */
static bool is_beside(const struct load_curve *own, const struct load_curve *one)
{
	return own->fitted && own->kernel == one->kernel && own->pair_class == one->pair_class &&
	       own->others == one->others;
}

/* The nearest curves with less and with more stores; false: one is missing. */
static bool find_beside(const struct load_curves *l, const struct load_curve *one,
	const struct load_curve **below, const struct load_curve **above)
{
	*below = *above = NULL;
	for (size_t i = 0; i < l->count; i++) {
		const struct load_curve *own = &l->list[i];

		if (!is_beside(own, one))
			continue;
		if (own->written < one->written && (!*below || own->written > (*below)->written))
			*below = own;
		if (own->written > one->written && (!*above || own->written < (*above)->written))
			*above = own;
	}
	return *below && *above;
}

/* The curve of what is asked for; false: none was measured, nor lies between two. Its law is to be
 * freed. */
static bool take_curve(
	const struct load_curves *l, const struct load_curve *one, struct load_curve *found)
{
	const struct load_curve *own = find(l, one), *below, *above;
	double part;

	*found = *one;
	if (own && own->fitted) {
		loaded_between(&found->law, &own->law, &own->law, 0);
		return true;
	}
	if (own || !find_beside(l, one, &below, &above))
		return false;
	part = l->end == LOAD_BELOW ? 0
	       : l->end == LOAD_ABOVE
		       ? 1
		       : (one->written - below->written) / (above->written - below->written);
	loaded_between(&found->law, &below->law, &above->law, part);
	return true;
}

/* NULL, or what the curve of one memory, seen from one node, does not describe. */
static char *refuse(const struct scene *s, const struct scene_view *v)
{
	const struct model_thread *own = &v->threads[v->load];
	const struct load_curve wanted = asked(s, v);

	for (size_t i = 0; i + 1 < v->count; i++) {
		const struct model_thread *t = other(v, i);
		const struct scene_kind *k = &s->kinds[t->kernel];

		if (t->node != own->node || t->memory != own->memory || t->parts)
			return alloc_format("a latency under load is known where all threads are "
					    "on one node and all vectors on one: "
					    "args/profile/20_loaded.args");
		if (k->kernel != wanted.others || k->written != wanted.written)
			return alloc_format("a latency under load is known of a load that does one "
					    "thing: args/profile/20_loaded.args");
	}
	return NULL;
}

/* The others as they were measured alone; false: one was not. To be freed in both cases. */
static bool run_of(const struct scene *s, const double *alone, const struct scene_view *v,
	struct loaded_run *r)
{
	bool known = true;

	*r = (struct loaded_run){NAN, alloc_zeroed(v->count, sizeof(*r->others)), v->count - 1};
	for (size_t i = 0; i < r->count; i++) {
		const struct model_thread *t = other(v, i);

		r->others[i] = (struct loaded_other){
			s->kernels[t->kernel].lines, alone_of(s, alone, t), NAN};
		known &= isfinite(r->others[i].alone);
	}
	return known;
}

void load_curves_add(struct load_curves *l, const struct scene *s, const double *alone,
	const struct scene_view *v, const double *costs)
{
	struct load_curve one = asked(s, v), *own;
	struct loaded_run r;
	char *why = refuse(s, v);

	if (why || !run_of(s, alone, v, &r)) {
		if (!why)
			free(r.others);
		free(why);
		return;
	}
	r.latency = costs[v->load];
	for (size_t i = 0; i < r.count; i++)
		r.others[i].cost = costs[i < v->load ? i : i + 1];
	own = find(l, &one);
	if (!own) {
		l->list = alloc_grow(l->list, l->count, sizeof(*l->list));
		own = &l->list[l->count++];
		one.idle = alone_of(s, alone, &v->threads[v->load]);
		*own = one;
	}
	own->runs = alloc_grow(own->runs, own->count, sizeof(*own->runs));
	own->runs[own->count++] = r;
}

void load_curves_fit(struct load_curves *l)
{
	for (size_t i = 0; i < l->count; i++) {
		struct load_curve *own = &l->list[i];

		own->fitted = !loaded_fit(&own->law, own->idle, own->runs, own->count, own->count);
	}
}

void load_curves_free(struct load_curves *l)
{
	for (size_t i = 0; i < l->count; i++) {
		for (size_t k = 0; k < l->list[i].count; k++)
			free(l->list[i].runs[k].others);
		free(l->list[i].runs);
		loaded_free(&l->list[i].law);
	}
	free(l->list);
	*l = (struct load_curves){.list = NULL};
}

char *load_curve_name(const struct load_curve *l, const struct scene *s)
{
	char *own = scene_kind_name(s, l->kernel);
	char *name = alloc_format("%s beside %s that stores to %.4g of its lines", own,
		registry_name(l->others), l->written);

	free(own);
	return name;
}

static char *not_known(
	const struct load_curve *wanted, const struct load_curve *own, const struct scene *s)
{
	char *name = load_curve_name(wanted, s), *why;

	if (!own)
		why = alloc_format("the profile has no %s, at distance %llu: "
				   "args/profile/19_traffic.args and 20_loaded.args with --set of "
				   "what this file has",
			name, scene_distance(s, wanted->pair_class));
	else if (isnan(own->idle))
		why = alloc_format("the profile lacks the latency without load: "
				   "args/profile/01_latency.args with --set of what this file has");
	else
		why = alloc_format("the profile has %s with too few loads that differ: "
				   "args/profile/20_loaded.args",
			name);
	free(name);
	return why;
}

static char *cost_of(const struct load_curve *own, const struct scene *s, struct loaded_run *r,
	const struct scene_view *v, double *costs)
{
	if (loaded_predict(&own->law, r)) {
		char *name = load_curve_name(own, s);
		char *why = alloc_format("its threads ask for more than the largest load of the "
					 "profile, %.4g GB/s, of %s",
			own->law.used[own->law.count - 1], name);

		free(name);
		return why;
	}
	costs[v->load] = r->latency;
	for (size_t i = 0; i < r->count; i++)
		costs[i < v->load ? i : i + 1] = r->others[i].cost;
	return NULL;
}

char *load_curves_cost(const struct load_curves *l, const struct scene *s, const double *alone,
	const struct scene_view *v, double *costs)
{
	const struct load_curve wanted = asked(s, v);
	struct load_curve own;
	struct loaded_run r;
	char *why = refuse(s, v);

	if (why)
		return why;
	if (!take_curve(l, &wanted, &own))
		return not_known(&wanted, find(l, &wanted), s);
	why = run_of(s, alone, v, &r) ? cost_of(&own, s, &r, v, costs)
				      : alloc_format("the profile lacks %s alone at this distance: "
						     "args/profile/19_traffic.args",
						registry_name(wanted.others));
	loaded_free(&own.law);
	free(r.others);
	return why;
}

/* What the curve of the other runs says of one; false: they do not tell. */
static bool residual(const struct load_curve *own, size_t i, double *out)
{
	const struct loaded_run *r = &own->runs[i];
	struct loaded_run found = {
		NAN, alloc_zeroed(r->count + 1, sizeof(*found.others)), r->count};
	double *costs = alloc_zeroed(2 * (r->count + 1), sizeof(*costs)),
	       *measured = costs + r->count + 1;
	struct loaded law;

	memcpy(found.others, r->others, r->count * sizeof(*found.others));
	const bool known = !loaded_fit(&law, own->idle, own->runs, own->count, i) &&
			   !loaded_predict(&law, &found);

	costs[0] = found.latency;
	measured[0] = r->latency;
	for (size_t k = 0; k < r->count; k++) {
		costs[k + 1] = found.others[k].cost;
		measured[k + 1] = r->others[k].cost;
	}
	if (known)
		*out = learn_worst(measured, costs, r->count + 1);
	loaded_free(&law);
	free(found.others);
	free(costs);
	return known;
}

size_t load_curves_left_out(const struct load_curves *l, double *out)
{
	size_t n = 0;

	for (size_t i = 0; i < l->count; i++)
		for (size_t k = 0; k < l->list[i].count; k++)
			n += residual(&l->list[i], k, &out[n]);
	return n;
}
