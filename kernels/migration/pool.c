/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pool of matrices. */
#include "pool.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lines/coherence.h"
#include "uses.h"
#include "wait.h"

/* Errors of rounding are below rows * 2^-52 of a sum, 2e-11 for the largest matrix. */
#define TOLERANCE 1e-9

const struct kernel_figure pool_figures[] = {POLICY_FIGURE_ROWS, {0}};

const struct param pool_params[] = {
	POLICY_PARAMS(struct pool_args),
	{.name = "matrix",
		.type = PARAM_COUNT,
		.offset = offsetof(struct pool_args, matrix),
		.fallback = "64",
		.min = 2,
		.max = 65536, /* its square times 8 bytes within 40 bits */
		.help = "rows and columns of a matrix"},
	{.name = "sets",
		.type = PARAM_COUNT,
		.offset = offsetof(struct pool_args, sets),
		.fallback = "0",
		.max = 1 << 30,
		.help = "sets of matrices in the pool; 0: as many as fit into a vector"},
	{0},
};

struct pool {
	struct policy *policy;
	const void *bases[POOL_MATRICES];
	_Alignas(APART) uint64_t next;    /* set, counted over all rounds */
	_Alignas(APART) uint64_t ended[]; /* of each set: rounds */
};

/* A thread of the pool. */
struct taker {
	struct policy_account account;
	uint64_t end; /* of its rounds up to now, in sets */
};

static uint64_t matrix_of(const struct worker *w)
{
	const struct pool_args *args = w->args;

	return args->matrix;
}

static uint64_t sets_of(const struct worker *w)
{
	const struct pool_args *args = w->args;

	return args->sets ? args->sets : w->vectors->elements / (matrix_of(w) * matrix_of(w));
}

static struct set set_of(const struct worker *w, uint64_t number)
{
	const uint64_t n = matrix_of(w);
	struct set s = {.n = n, .number = number};

	for (int k = 0; k < w->nvectors; k++)
		s.matrix[k] = (double *)w->vectors[k].base + number * n * n;
	return s;
}

static const char *wrong_vector(const struct vector *v, const struct vector *first)
{
	if (v->users != first->users)
		return "its vectors must have the same threads: vectorPerThread: all, all ...";
	return v->elements == first->elements ? NULL : "its vectors must have the same size";
}

const char *pool_check(
	const struct worker *w, const struct pool_program *program, char *why, size_t n)
{
	const uint64_t matrix = matrix_of(w), sets = sets_of(w) ? sets_of(w) : 1;
	const char *wrong = NULL;

	if (w->nvectors != program->matrices) {
		snprintf(why, n, "it takes %d vectors of each thread, one for each matrix; not %d",
			program->matrices, w->nvectors);
		return why;
	}
	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors && !wrong; v++)
		wrong = wrong_vector(v, w->vectors);
	if (wrong) {
		snprintf(why, n, "%s", wrong);
		return why;
	}
	if (w->vectors->elements / sets >= matrix * matrix)
		return policy_check(w, why, n);
	snprintf(why, n,
		"matrix = %" PRIu64 ", sets = %" PRIu64 ": %" PRIu64
		" elements are needed, but a vector has %zu",
		matrix, sets, sets * matrix * matrix, w->vectors->elements);
	return why;
}

const char *pool_share(struct worker *w)
{
	const uint64_t sets = sets_of(w);
	const size_t bytes = sizeof(struct pool) + sets * sizeof(uint64_t);
	struct pool *p = w->shared = aligned_alloc(APART, (bytes + APART - 1) / APART * APART);

	if (!p)
		return "no memory";
	p->next = 0;
	for (uint64_t i = 0; i < sets; i++)
		p->ended[i] = 0;
	for (int k = 0; k < w->nvectors; k++)
		p->bases[k] = w->vectors[k].base;
	p->policy = NULL;
	return policy_make(w, &p->policy);
}

void pool_unshare(struct worker *w)
{
	struct pool *p = w->shared;

	if (p)
		policy_free(p->policy);
	free(p);
}

/* Each of the threads fills its part of the sets. */
const char *pool_setup(struct worker *w, const struct pool_program *program)
{
	const struct pool *p = w->shared;
	const uint64_t rank = (uint64_t)w->vectors->rank, users = (uint64_t)w->vectors->users;

	for (int k = 0; k < w->nvectors; k++)
		if (p->bases[k] != w->vectors[k].base)
			return "threads that share one of its vectors must share all of them";
	w->own = calloc(1, sizeof(struct taker));
	if (!w->own)
		return "no memory";
	for (uint64_t i = rank; i < sets_of(w); i += users) {
		struct set s = set_of(w, i);

		program->fill(&s);
	}
	return NULL;
}

void pool_teardown(struct worker *w)
{
	policy_forget(w->own);
	free(w->own);
	w->own = NULL;
}

/* Takes the next set before the end, and waits until its last round has ended. */
static bool take(struct pool *p, uint64_t end, uint64_t sets, uint64_t *number)
{
	uint64_t next = __atomic_load_n(&p->next, __ATOMIC_RELAXED);
	unsigned spins = 0;

	do
		if (next >= end)
			return false;
	while (!__atomic_compare_exchange_n(
		&p->next, &next, next + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
	*number = next % sets;
	while (__atomic_load_n(&p->ended[*number], __ATOMIC_ACQUIRE) != next / sets)
		wait_moment(&spins);
	return true;
}

static uint64_t bytes_of(const struct set *s)
{
	return s->n * s->n * sizeof(double);
}

/* The set as the thread has it: its matrices, or copies of them. */
static struct set own_set(struct policy *policy, struct taker *t,
	const struct pool_program *program, const struct set *s)
{
	struct set own = *s;

	for (int k = 0; k < program->matrices; k++)
		own.matrix[k] = policy_take(
			policy, &t->account, k, s->matrix[k], bytes_of(s), program->finds >> k & 1);
	return own;
}

static void compute(
	const struct worker *w, const struct pool_program *program, const struct set *taken)
{
	const struct pool *pool = w->shared;
	const struct pool_args *args = w->args;
	const struct works *works = policy_works(&args->policy);
	struct policy *policy = pool->policy;
	struct taker *t = w->own;
	const struct set own = own_set(policy, t, program, taken), *s = &own;
	const int64_t filled = uses_once((int64_t)s->n);
	struct uses uses[POOL_MATRICES];

	for (int k = 0; k < program->matrices; k++)
		policy_eager(policy, s->matrix[k], bytes_of(s));
	for (int k = 0; k < program->filled; k++)
		policy_call(policy, s->matrix[k], bytes_of(s), sizeof(double),
			(struct uses){filled, filled});
	if (program->begin)
		program->begin(works, s);
	program->uses((int64_t)s->n, uses);
	for (int k = 0; k < program->matrices; k++)
		policy_call(policy, s->matrix[k], bytes_of(s), sizeof(double), uses[k]);
	program->compute(works, s);
	for (int k = 0; k < program->matrices; k++)
		policy_release(policy, s->matrix[k], bytes_of(s));
	for (int k = 0; k < program->matrices; k++)
		policy_give(policy, &t->account, k, program->stores >> k & 1);
}

uint64_t pool_run(struct worker *w, uint64_t passes, const struct pool_program *program)
{
	const uint64_t sets = sets_of(w);
	struct pool *p = w->shared;
	struct taker *t = w->own;
	uint64_t taken = 0, number;

	policy_begin(p->policy, &t->account);
	t->end += passes * sets;
	while (take(p, t->end, sets, &number)) {
		struct set s = set_of(w, number);

		compute(w, program, &s);
		__atomic_fetch_add(&p->ended[number], 1, __ATOMIC_RELEASE);
		taken++;
	}
	policy_end(p->policy, &t->account);
	return taken * (uint64_t)program->units((int64_t)matrix_of(w));
}

static const char *compare(
	const struct set *s, const double *found, const double *expected, char *why, size_t size)
{
	for (uint64_t i = 0; i < s->n; i++) {
		if (fabs(found[i] - expected[i]) <= TOLERANCE * fabs(expected[i]))
			continue;
		snprintf(why, size,
			"set %" PRIu64 ": row %" PRIu64
			" of the result times a vector is %.9g, not %.9g",
			s->number, i, found[i], expected[i]);
		return why;
	}
	return NULL;
}

const char *pool_verify(
	const struct worker *w, const struct pool_program *program, char *why, size_t n)
{
	const uint64_t rank = (uint64_t)w->vectors->rank, users = (uint64_t)w->vectors->users;
	const uint64_t rows = matrix_of(w);
	double *space = malloc(3 * rows * sizeof(*space));
	const char *wrong = NULL;

	if (!space)
		return "no memory to verify the result";
	for (uint64_t i = rank; i < sets_of(w) && !wrong; i += users) {
		struct set s = set_of(w, i);

		program->probe(&s, space, space + rows, space + 2 * rows);
		wrong = compare(&s, space, space + rows, why, n);
	}
	free(space);
	return wrong;
}
