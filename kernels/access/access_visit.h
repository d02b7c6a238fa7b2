/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which elements the access kernels visit, and in which sequence. The hot loops are access.c's;
 * here their calls are chosen: a call visits elements that are evenly spaced, or a stretch of the
 * random sequence.
 */
#ifndef ACCESS_VISIT_H
#define ACCESS_VISIT_H

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "kernel.h"

enum order { ORDER_FORWARD, ORDER_REVERSE, ORDER_RANDOM };

struct access_args {
	struct extent stride;
	double fraction;
	int order;
	double offset;
	uint64_t alternate;
	double hot, hot_accesses;
};

/* Accesses n elements from the address p on, step bytes from one to the next. p is an integer
 * instead of a pointer because the last step leaves the vector. */
typedef void strided_loop(uintptr_t p, size_t n, ptrdiff_t step);

/* For each i in from..to-1, from < to: accesses element scatter(i) of the vector at base if
 * scatter(i) is below n. */
typedef void random_loop(
	uintptr_t base, size_t n, uint64_t from, uint64_t to, uint64_t mask, int half);

struct loops {
	strided_loop *strided[ELEMENT_TYPES];
	random_loop *random[ELEMENT_TYPES];
};

/* `share` of n elements, rounded because 0.29 * 100 is a little less than 29; at least one. */
static inline size_t share_of(double share, size_t n)
{
	size_t some = (size_t)(share * (double)n + 0.5);

	if (some > n)
		return n;
	return some > 0 ? some : 1;
}

/* The number of elements that are visited. */
static inline size_t part(const struct vector *v, const struct access_args *args)
{
	return share_of(args->fraction, v->elements);
}

static inline size_t stride_of(const struct vector *v, const struct access_args *args)
{
	return args->stride.bytes ? args->stride.value / v->element_size : args->stride.value;
}

/* The place of offset among n places in a ring. */
static inline size_t place(double offset, size_t n)
{
	size_t at = (size_t)(offset * (double)n);

	return at < n ? at : 0;
}

/* ---- evenly spaced: forward and reverse */

/* Where a visit of some elements is. They are a table of `stride` columns, and each sweep visits
 * one column. offset wraps within the sweep: two threads that are half a part apart keep this
 * distance. Backwards the thread starts with the element just below the place. */
struct walk {
	uintptr_t base;
	size_t size, stride, rows, longer; /* the first `longer` columns have rows + 1 */
	size_t start;                      /* the row of offset */
	size_t column, at;                 /* sweeps done, and rows of the next one */
	bool back;
};

static inline struct walk walk_begin(
	const struct vector *v, const struct access_args *args, size_t first, size_t n)
{
	size_t stride = stride_of(v, args);

	return (struct walk){.base = (uintptr_t)v->base + first * v->element_size,
		.size = v->element_size,
		.stride = stride,
		.rows = n / stride,
		.longer = n % stride,
		.start = place(args->offset, n / stride),
		.back = args->order == ORDER_REVERSE};
}

static inline bool walk_ended(const struct walk *w)
{
	return w->column == w->stride;
}

/* Calls the loop for the elements that follow evenly spaced, at most `most`; returns how many. */
static inline size_t walk_piece(struct walk *w, size_t most, strided_loop *loop)
{
	size_t j = w->back ? w->stride - 1 - w->column : w->column;
	size_t rows = w->rows + (j < w->longer), wrap = rows - w->start;
	size_t f = w->back ? rows - 1 - w->at : w->at; /* the place in a forward sweep */
	size_t row = f < wrap ? w->start + f : f - wrap, n;
	ptrdiff_t step = (ptrdiff_t)(w->stride * w->size);

	if (w->back)
		n = (f < wrap ? f : f - wrap) + 1;
	else
		n = (f < wrap ? wrap : rows) - f;
	n = n < most ? n : most;
	loop(w->base + (row * w->stride + j) * w->size, n, w->back ? -step : step);
	w->at += n;
	if (w->at == rows) {
		w->at = 0;
		w->column++;
	}
	return n;
}

/* The next `most` accesses, or all that are left; returns how many. */
static inline size_t walk_on(struct walk *w, size_t most, strided_loop *loop)
{
	size_t done = 0;

	while (done < most && !walk_ended(w))
		done += walk_piece(w, most - done, loop);
	return done;
}

/* ---- random */

/* Where a visit in random order is. Here offset is a place in the sequence, because the order does
 * not follow the addresses. */
struct sequence {
	uintptr_t base;
	size_t n;            /* elements */
	uint64_t all, start; /* places of the sequence, a power of two from n on; the first one */
	uint64_t at;         /* places done */
	int half;
};

static inline struct sequence sequence_begin(const struct vector *v, const struct access_args *args)
{
	size_t n = part(v, args);
	int bits = 0;

	while ((UINT64_C(1) << bits) < n)
		bits++;
	return (struct sequence){.base = (uintptr_t)v->base,
		.n = n,
		.all = UINT64_C(1) << bits,
		.start = place(args->offset, UINT64_C(1) << bits),
		.half = bits / 2 + 1};
}

/* The next `most` places, or all that are left. */
static inline void sequence_on(struct sequence *s, uint64_t most, random_loop *loop)
{
	uint64_t end = s->all - s->at < most ? s->all : s->at + most;

	while (s->at < end) {
		uint64_t wrap = s->all - s->start;
		uint64_t to = s->at < wrap && end > wrap ? wrap : end;
		uint64_t shift = s->at < wrap ? s->start : -wrap;

		loop(s->base, s->n, s->at + shift, to + shift, s->all - 1, s->half);
		s->at = to;
	}
}

/* ---- a thread's vectors */

static inline void visit_whole(
	const struct vector *v, const struct access_args *args, const struct loops *loops)
{
	if (args->order == ORDER_RANDOM) {
		struct sequence s = sequence_begin(v, args);

		sequence_on(&s, s.all, loops->random[v->type]);
	} else {
		struct walk w = walk_begin(v, args, 0, part(v, args));

		walk_on(&w, SIZE_MAX, loops->strided[v->type]);
	}
}

/* Accesses of a turn: so that percents are whole numbers of them. */
#define HOT_TURN 100

static inline size_t hot_of_turn(const struct access_args *args)
{
	return (size_t)(args->hot_accesses * HOT_TURN + 0.5);
}

/* In turns: some accesses of the hot part, which begins again at its end, and the others of the
 * rest, until the rest is visited. Returns the accesses. */
static inline uint64_t visit_hot(
	const struct vector *v, const struct access_args *args, strided_loop *loop)
{
	const size_t n = part(v, args), hot_n = share_of(args->hot, n), share = hot_of_turn(args);
	const struct walk begin = walk_begin(v, args, 0, hot_n);
	struct walk hot = begin, rest = walk_begin(v, args, hot_n, n - hot_n);
	uint64_t units = 0;

	while (!walk_ended(&rest)) {
		for (size_t done = 0; done < share;) {
			if (walk_ended(&hot))
				hot = begin;
			done += walk_on(&hot, share - done, loop);
		}
		units += share + walk_on(&rest, HOT_TURN - share, loop);
	}
	return units;
}

/* A thread that alternates knows where it is in so many vectors. */
#define ALTERNATE_MOST 64

/* The vectors in turn, so many accesses of each, or places of its sequence, until all are visited.
 */
static inline void visit_alternately(const struct worker *w, const struct loops *loops)
{
	const struct access_args *args = w->args;
	const bool random = args->order == ORDER_RANDOM;
	struct walk walks[ALTERNATE_MOST];
	struct sequence sequences[ALTERNATE_MOST];
	bool more = true;

	for (int k = 0; k < w->nvectors; k++)
		if (random)
			sequences[k] = sequence_begin(&w->vectors[k], args);
		else
			walks[k] = walk_begin(&w->vectors[k], args, 0, part(&w->vectors[k], args));
	while (more) {
		more = false;
		for (int k = 0; k < w->nvectors; k++) {
			enum element_type type = w->vectors[k].type;

			if (random) {
				sequence_on(&sequences[k], args->alternate, loops->random[type]);
				more |= sequences[k].at < sequences[k].all;
			} else {
				walk_on(&walks[k], args->alternate, loops->strided[type]);
				more |= !walk_ended(&walks[k]);
			}
		}
	}
}

static inline uint64_t visit(const struct worker *w, uint64_t passes, const struct loops *loops)
{
	const struct access_args *args = w->args;
	uint64_t units = 0;

	for (uint64_t pass = 0; pass < passes; pass++) {
		if (args->alternate)
			visit_alternately(w, loops);
		for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++) {
			if (args->hot > 0) {
				units += visit_hot(v, args, loops->strided[v->type]);
				continue;
			}
			if (!args->alternate)
				visit_whole(v, args, loops);
			units += part(v, args);
		}
	}
	return units;
}

/* ---- what cannot be visited */

static inline const char *check_stride(
	const struct vector *v, const struct access_args *args, char *why, size_t n)
{
	if (args->stride.bytes && args->stride.value % v->element_size != 0) {
		snprintf(why, n,
			"stride = %" PRIu64 "B is not a multiple of the %zu bytes of an element",
			args->stride.value, v->element_size);
		return why;
	}
	if (stride_of(v, args) > part(v, args)) {
		snprintf(why, n, "stride = %zu elements is above the %zu elements that are visited",
			stride_of(v, args), part(v, args));
		return why;
	}
	return NULL;
}

static inline const char *check_hot(
	const struct vector *v, const struct access_args *args, char *why, size_t n)
{
	size_t all = part(v, args), hot = share_of(args->hot, all), share = hot_of_turn(args);
	size_t least = hot < all - hot ? hot : all - hot;

	if (stride_of(v, args) > least) {
		snprintf(why, n, "hot = %g: stride = %zu elements is above the %zu elements of %s",
			args->hot, stride_of(v, args), least,
			hot == least ? "the hot part" : "the rest");
		return why;
	}
	if ((all - hot + HOT_TURN - share - 1) / (HOT_TURN - share) * share < hot) {
		snprintf(why, n,
			"hotAccesses = %g is too little for hot = %g: the hot part would be "
			"visited "
			"less than the rest",
			args->hot_accesses, args->hot);
		return why;
	}
	return NULL;
}

static inline const char *check_hot_args(const struct access_args *args)
{
	if (args->order == ORDER_RANDOM)
		return "hot needs order: forward or reverse: in random order the hot part's share "
		       "of the accesses is not exact";
	if (args->alternate)
		return "hot and alternate cannot be used together";
	if (fabs(args->hot_accesses * HOT_TURN - (double)hot_of_turn(args)) > 1e-9)
		return "hotAccesses is no whole number of percent";
	return NULL;
}

static inline const char *check_alternate(const struct worker *w, char *why, size_t n)
{
	if (w->nvectors > 1 && w->nvectors <= ALTERNATE_MOST)
		return NULL;
	snprintf(why, n, "alternate = %" PRIu64 " needs 2 to %d vectors of the thread, not %d",
		((const struct access_args *)w->args)->alternate, ALTERNATE_MOST, w->nvectors);
	return why;
}

static inline const char *check_visit(const struct worker *w, char *why, size_t n)
{
	const struct access_args *args = w->args;
	const char *wrong = NULL;

	if (args->hot > 0)
		wrong = check_hot_args(args);
	if (!wrong && args->alternate)
		wrong = check_alternate(w, why, n);
	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors && !wrong; v++) {
		if (args->order != ORDER_RANDOM)
			wrong = check_stride(v, args, why, n);
		if (!wrong && args->hot > 0)
			wrong = check_hot(v, args, why, n);
	}
	return wrong;
}

#endif
