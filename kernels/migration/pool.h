/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the programs on matrices have in common: a pool of sets of square matrices of doubles, from
 * which each thread takes the next set until there is none. The k-th vector has the k-th matrix of
 * all sets, one behind the other, row by row. The threads of the vectors are the threads of the
 * pool.
 *
 * A round computes every set once. No set is begun again before its last round has ended, so a
 * result does not depend on which thread takes which set.
 */
#ifndef POOL_H
#define POOL_H

#include "kernel.h"
#include "policy.h"

struct pool_args {
	struct policy_args policy;
	uint64_t matrix; /* rows and columns */
	uint64_t sets;   /* 0: as many as fit into a vector */
};

extern const struct param pool_params[];
extern const struct kernel_figure pool_figures[];

#define POOL_MATRICES 3 /* at most */

/* The matrices of a set. */
struct set {
	double *matrix[POOL_MATRICES];
	uint64_t n;      /* rows and columns */
	uint64_t number; /* from 0 */
};

/* A program. */
struct pool_program {
	int matrices;
	void (*fill)(const struct set *s); /* its input, before the first sample */
	/* fills a set when it is taken */
	void (*begin)(const struct works *works, const struct set *s);
	int filled;             /* by begin(): the first so many matrices */
	unsigned finds, stores; /* bit k: needs the content of the k-th when it is taken; stores to
				   it */
	void (*compute)(const struct works *works, const struct set *s);
	/* How often compute() uses each matrix with n rows. */
	void (*uses)(int64_t n, struct uses *uses);
	/* The units of a set with n rows. */
	int64_t (*units)(int64_t n);
	/* Sets found[] and expected[], n each, to the products of the result and of the input with
	 * the vector probe(0), probe(1) ...; spare[] has n more. */
	void (*probe)(const struct set *s, double *found, double *expected, double *spare);
};

/* For struct kernel. */
const char *pool_check(
	const struct worker *w, const struct pool_program *program, char *why, size_t n);
const char *pool_share(struct worker *w);
const char *pool_setup(struct worker *w, const struct pool_program *program);
uint64_t pool_run(struct worker *w, uint64_t passes, const struct pool_program *program);
const char *pool_verify(
	const struct worker *w, const struct pool_program *program, char *why, size_t n);
void pool_teardown(struct worker *w);
void pool_unshare(struct worker *w);

/* Numbers between 0.5 and 1.5. */
static inline double probe(size_t j)
{
	return 0.5 + (double)((uint32_t)j * 2654435761u >> 22) / 1024;
}

/* clang-format off */
#define POOL_KERNEL(name, text, of, loads_, stores_)                                       \
	static const char *name##_check(const struct worker *w, char *why, size_t n)       \
	{                                                                                  \
		return pool_check(w, &name##_program, why, n);                             \
	}                                                                                  \
	static const char *name##_setup(struct worker *w)                                  \
	{                                                                                  \
		return pool_setup(w, &name##_program);                                     \
	}                                                                                  \
	static uint64_t name##_run(struct worker *w, uint64_t passes)                      \
	{                                                                                  \
		return pool_run(w, passes, &name##_program);                               \
	}                                                                                  \
	static const char *name##_verify(const struct worker *w, char *why, size_t n)      \
	{                                                                                  \
		return pool_verify(w, &name##_program, why, n);                            \
	}                                                                                  \
	static const char *name##_finds(const struct worker *w, int k)                     \
	{                                                                                  \
		(void)w;                                                                   \
		(void)k;                                                                   \
		return #name;                                                              \
	}                                                                                  \
	const struct kernel name##_kernel = {                                              \
		.summary = text,                                                           \
		.unit = of,                                                                \
		.run = name##_run,                                                         \
		.per_unit = {.loads = loads_, .stores = stores_},                          \
		.fixed = true,                                                             \
		.migration.moves = policy_moves,                                                     \
		.reset = policy_reset,                                                     \
		.migration.arrange = policy_arrange,                                                 \
		.figures = pool_figures,                                                   \
		.tell = policy_tell,                                                       \
		.params = pool_params,                                                     \
		.args_size = sizeof(struct pool_args),                                     \
		.min_vectors = 2,                                                          \
		.types = TYPE_SET(TYPE_DOUBLE),                                            \
		.check = name##_check,                                                     \
		.lacks_for = policy_lacks,                                                 \
		.share = pool_share,                                                       \
		.setup = name##_setup,                                                     \
		.verify = name##_verify,                                                   \
		.teardown = pool_teardown,                                                 \
		.unshare = pool_unshare,                                                   \
		.prepares = true,                                                          \
		.meetings.together = true,                                                          \
		.finds = name##_finds,                                                     \
	};
/* clang-format on */

#endif
