/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares threads. */
#include "prediction/likeness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "prediction/nearness.h"
#include "prediction/modelled_kernels.h"

bool likeness_is_equal(double a, double b)
{
	return fabs(a - b) <= MODELLED_SAME * fabs(b);
}

/* False: they differ in another number, too. */
static bool note_number(struct number *n, const struct param *param, double own, double other)
{
	if (n->any)
		return n->param == param && likeness_is_equal(n->own, own) &&
		       likeness_is_equal(n->other, other);
	*n = (struct number){true, param, own, other};
	return true;
}

static size_t class_of(const struct modelled *s, size_t node, size_t memory)
{
	return s->pair_class[node * s->machine.nodes + memory];
}

/* Memory serves all sizes alike, but at random a TLB reaches a part of each. */
static bool has_size(const struct modelled *s, const struct modelled_view *v, size_t thread)
{
	return v->bytes[thread] > 0 && (v->held || s->kinds[v->threads[thread].kernel].random);
}

static bool compare_thread(const struct modelled *s, const struct modelled_view *v,
	const struct modelled_view *r, size_t i, struct number *n)
{
	const struct model_thread *a = &v->threads[i], *b = &r->threads[i];
	const struct modelled_kind *own = &s->kinds[a->kernel], *other = &s->kinds[b->kernel];
	const struct param *p = NULL;

	if (a->parts || b->parts || a->share != b->share || a->start != b->start)
		return false;
	/* where the words of a meeting lie matters little beside who hands them on */
	if (!(v->kind == MODELLED_MEETING &&
		    (own->kernel->meetings.transfers || own->kernel->meetings.together)) &&
		class_of(s, a->node, a->memory) != class_of(s, b->node, b->memory))
		return false;
	if (a->kernel != b->kernel &&
		!(modelled_kind_differs(own, other, &p) &&
			note_number(n, p, modelled_number(p, own), modelled_number(p, other))))
		return false;
	return !has_size(s, v, i) || likeness_is_equal(v->bytes[i], r->bytes[i]) ||
	       note_number(n, NULL, v->bytes[i], r->bytes[i]);
}

static bool same_vectors(const struct modelled_view *a, const struct modelled_view *b)
{
	for (size_t i = 0; i < a->count; i++)
		for (size_t k = 0; k < i; k++)
			if ((a->threads[i].vector == a->threads[k].vector) !=
				(b->threads[i].vector == b->threads[k].vector))
				return false;
	return true;
}

/* Do the same threads use one memory, and is each as far from those of the others? */
static bool same_memories(
	const struct modelled *s, const struct modelled_view *a, const struct modelled_view *b)
{
	for (size_t i = 0; i < a->count; i++)
		for (size_t k = 0; k < a->count; k++)
			if ((a->threads[i].memory == a->threads[k].memory) !=
					(b->threads[i].memory == b->threads[k].memory) ||
				class_of(s, a->threads[i].node, a->threads[k].memory) !=
					class_of(s, b->threads[i].node, b->threads[k].memory))
				return false;
	return true;
}

static bool same_kernels(const struct modelled_view *v)
{
	for (size_t i = 1; i < v->count; i++)
		if (v->threads[i].kernel != v->threads[0].kernel)
			return false;
	return true;
}

static int by_bytes(const void *a, const void *b, void *size)
{
	return memcmp(a, b, *(const size_t *)size);
}

/* Of each thread to all, itself too. Which thread is which does not matter where all do the same:
 * then each one's are sorted, and so are the threads. To be freed. */
static struct nearness *nearness_of_all(const struct topo *t, const struct modelled_view *v)
{
	struct nearness *all = alloc_zeroed(v->count * v->count + 1, sizeof(*all));
	size_t one = sizeof(*all), row = v->count * one;

	for (size_t i = 0; i < v->count; i++) {
		struct nearness *own = all + i * v->count;

		for (size_t k = 0; k < v->count; k++) {
			const struct nearness near =
				nearness_of(t, topo_cpu(t, v->cpus[i]), topo_cpu(t, v->cpus[k]));

			own[k].level = near.level;
			own[k].pair = near.pair;
			own[k].distance = near.distance;
		}
		if (same_kernels(v))
			qsort_r(own, v->count, one, by_bytes, &one);
	}
	if (same_kernels(v))
		qsort_r(all, v->count, row, by_bytes, &row);
	return all;
}

bool likeness_is_near(
	const struct topo *t, const struct modelled_view *a, const struct modelled_view *b)
{
	struct nearness *x = nearness_of_all(t, a), *y = nearness_of_all(t, b);
	bool same = true;

	for (size_t i = 0; i < a->count * a->count && same; i++)
		same = nearness_is_same(x[i], y[i]);
	free(x);
	free(y);
	return same;
}

static bool same_steps(const struct modelled_view *a, const struct modelled_view *b)
{
	bool same = a->nsteps == b->nsteps;

	for (size_t i = 0; i < a->nsteps && same; i++)
		same = a->steps[i].action == b->steps[i].action &&
		       a->steps[i].home == b->steps[i].home &&
		       nearness_is_same(a->steps[i].near, b->steps[i].near);
	return same;
}

static bool starts_later(const struct modelled_view *v)
{
	bool later = false;

	for (size_t i = 0; i < v->count; i++)
		later |= v->threads[i].start > 0;
	return later;
}

/* All meet each other all the time. */
static bool ends_together(const struct modelled_view *v)
{
	bool together = v->steady || (same_kernels(v) && !starts_later(v));

	for (size_t i = 1; i < v->count && together && !v->steady; i++)
		together = likeness_is_equal(v->threads[i].units, v->threads->units);
	return together;
}

/* Threads that end at other times than others did meet them for another part of their work. */
static bool same_course(const struct modelled_view *a, const struct modelled_view *b)
{
	const struct model_thread *x = a->threads, *y = b->threads;
	bool same = a->steady == b->steady;

	for (size_t i = 1; i < a->count && same; i++)
		same = likeness_is_equal(x[i].units / x->units, y[i].units / y->units);
	if (same && !a->steady && starts_later(a))
		same = likeness_is_equal(x->units, y->units);
	return same || (a->kind > MODELLED_SPREAD && ends_together(a) && ends_together(b));
}

/* What one thread visits that has lines in a state: those beside it do nothing. */
static struct modelled_view visit_of(const struct modelled_view *v)
{
	struct modelled_view one = *v;

	one.threads += v->visitor;
	one.bytes += v->visitor;
	one.cpus += v->visitor;
	one.count = 1;
	return one;
}

/* A curve of sizes goes on to memory. */
static bool is_of_kind(const struct modelled_view *v, const struct modelled_view *r)
{
	return (v->kind == r->kind && v->held == r->held) ||
	       (v->kind == MODELLED_HELD && r->kind == MODELLED_ALONE) ||
	       (v->kind == MODELLED_HELD_TOGETHER && r->kind == MODELLED_PRIVATE);
}

bool likeness_find(const struct modelled *s, const struct modelled_view *v,
	const struct modelled_view *r, struct number *n)
{
	*n = (struct number){.any = false};
	if (!is_of_kind(v, r))
		return false;
	if (v->kind == MODELLED_STATE) {
		if (v->visitor < 0 || r->visitor < 0 || !same_steps(v, r))
			return false;
		const struct modelled_view a = visit_of(v), b = visit_of(r);

		return compare_thread(s, &a, &b, 0, n) && !n->any;
	}
	if (v->count != r->count || !same_vectors(v, r) ||
		(v->count > 1 && (!same_memories(s, v, r) || !same_course(v, r))))
		return false;
	for (size_t i = 0; i < v->count; i++)
		if (!compare_thread(s, v, r, i, n))
			return false;
	return (v->kind != MODELLED_MEETING || !n->any) &&
	       (v->count < 2 || likeness_is_near(s->topo, v, r));
}
