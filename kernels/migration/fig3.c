/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fig3: the example of Piccoli et al. (PACT 2014, figure 3a), whose threads dispute pages. Of the
 * rows of a, b and c each thread computes its slice and `overlap` rows of the next one, which the
 * next thread computes too:
 *
 *   for i in the rows: a[i] = 0
 *     for j = i+1, i+5, ...: b[i,j] = 0; for k = j down to i+1: b[i,j] += c[i,j,k]
 *     for j = i+1, i+5, ...: a[i] += b[i,j]
 *
 * Here sums are in registers and each element of a and b is stored once, so that two threads store
 * the same values and the result can be verified. A unit is an addition to an element of b. The
 * vectors are a, b and c with one, two and three dimensions of `side` elements, doubles.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "crew.h"
#include "policy.h"
#include "uses.h"
#include "works.h"

struct fig3_args {
	struct policy_args policy;
	uint64_t side, overlap;
};

static const struct kernel_figure fig3_figures[] = {POLICY_FIGURE_ROWS, {0}};

static const struct param fig3_params[] = {
	POLICY_PARAMS(struct fig3_args),
	{.name = "side",
		.type = PARAM_COUNT,
		.offset = offsetof(struct fig3_args, side),
		.fallback = "16",
		.min = 2,
		.max = 16384, /* its third power times 8 bytes within 46 bits */
		.help = "elements in each dimension; the third vector has side^3"},
	{.name = "overlap",
		.type = PARAM_COUNT,
		.offset = offsetof(struct fig3_args, overlap),
		.fallback = "1",
		.min = 0,
		.max = 16384,
		.help = "rows of the next thread's slice that a thread computes as well"},
	{0},
};

struct part {
	struct policy_account account;
};

/* The rows of a thread. */
struct rows {
	uint64_t first, end;
};

static struct rows rows_of(const struct worker *w, uint64_t overlap)
{
	const struct fig3_args *args = w->args;
	const uint64_t end = crew_slice(w, args->side, crew_rank(w) + 1) + overlap;

	return (struct rows){
		crew_slice(w, args->side, crew_rank(w)), end < args->side ? end : args->side};
}

static const char *fig3_check(const struct worker *w, char *why, size_t n)
{
	const struct fig3_args *args = w->args;
	uint64_t needs = args->side;

	if (policy_works(&args->policy) != &works_driver) {
		snprintf(why, n,
			"policy: compiled and loop_compiler: clang: this kernel's loop is by the "
			"driver's compiler only; policy: spm has calls by hand");
		return why;
	}
	if (crew_check(w, 3, why, n))
		return why;
	if (args->side < crew_size(w)) {
		snprintf(why, n, "side = %" PRIu64 " has no row for each of %d threads", args->side,
			w->vectors->users);
		return why;
	}
	for (int k = 0; k < 3; k++, needs *= args->side) {
		if (w->vectors[k].elements >= needs)
			continue;
		snprintf(why, n,
			"side = %" PRIu64 " takes %" PRIu64
			" elements of its vector %c, which has %zu",
			args->side, needs, 'a' + k, w->vectors[k].elements);
		return why;
	}
	return policy_check(w, why, n);
}

/* c[i,j,k], sixteenths: their sums are exact, in any order. */
static double element(uint64_t i, uint64_t j, uint64_t k)
{
	return (double)((i * 3 + j * 5 + k * 7) % 16 + 1) / 16;
}

static const char *fig3_setup(struct worker *w)
{
	const struct fig3_args *args = w->args;
	const struct rows rows = rows_of(w, 0);
	const uint64_t n = args->side;
	double *c = w->vectors[2].base;

	w->own = calloc(1, sizeof(struct part));
	if (!w->own)
		return "no memory";
	for (uint64_t i = rows.first; i < rows.end; i++)
		for (uint64_t j = 0; j < n; j++)
			for (uint64_t k = 0; k < n; k++)
				c[(i * n + j) * n + k] = element(i, j, k);
	return NULL;
}

static void free_own(struct worker *w)
{
	policy_forget(w->own);
	free(w->own);
	w->own = NULL;
}

/* a, b and c begin with the first of the rows. */
HOT uint64_t loop_fig3(double *a, double *b, const double *c, size_t n, struct rows rows)
{
	uint64_t additions = 0;

	for (size_t i = rows.first; i < rows.end; i++, a++, b += n, c += n * n) {
		double sum = 0;

		for (size_t j = i + 1; j < n; j += 4) {
			double of_c = 0;

			for (size_t k = j; k > i; k--)
				of_c += c[j * n + k];
			b[j] = of_c;
			additions += j - i;
		}
		for (size_t j = i + 1; j < n; j += 4)
			sum += b[j];
		*a = sum;
	}
	return additions;
}

/* Those of vector k. */
struct range {
	double *first;
	uint64_t bytes;
};

/* As the thread has them: the vectors', or copies. Of b it stores to some elements only. */
static void take(struct worker *w, struct policy *policy, struct rows rows, struct range *ranges)
{
	const struct fig3_args *args = w->args;
	struct part *own = w->own;
	uint64_t row = 1;

	for (int k = 0; k < 3; k++, row *= args->side) {
		const uint64_t bytes = (rows.end - rows.first) * row * sizeof(double);
		double *base = w->vectors[k].base;

		ranges[k] = (struct range){
			policy_take(policy, &own->account, k, base + rows.first * row, bytes, true),
			bytes};
	}
}

static void call(
	const struct worker *w, struct policy *policy, struct rows rows, const struct range *ranges)
{
	const struct fig3_args *args = w->args;
	const int64_t side = (int64_t)args->side, first = (int64_t)rows.first,
		      end = (int64_t)rows.end;
	const int64_t uses[] = {uses_fig3_a(side, first, end), uses_fig3_b(side, first, end),
		uses_fig3_c(side, first, end)};

	for (int k = 0; k < 3; k++) {
		policy_eager(policy, ranges[k].first, ranges[k].bytes);
		policy_call(policy, ranges[k].first, ranges[k].bytes, sizeof(double),
			(struct uses){uses[k], uses[k]});
	}
}

static void release(struct worker *w, struct policy *policy, const struct range *ranges)
{
	struct part *own = w->own;

	for (int k = 0; k < 3; k++) {
		policy_release(policy, ranges[k].first, ranges[k].bytes);
		policy_give(policy, &own->account, k, k < 2);
	}
}

static uint64_t fig3_run(struct worker *w, uint64_t passes)
{
	const struct fig3_args *args = w->args;
	const struct rows rows = rows_of(w, args->overlap);
	struct policy *policy = policy_of(w);
	struct part *own = w->own;
	struct range r[3];
	uint64_t additions = 0;

	policy_begin(policy, &own->account);
	for (uint64_t pass = 0; pass < passes; pass++) {
		take(w, policy, rows, r);
		call(w, policy, rows, r);
		additions += loop_fig3(r[0].first, r[1].first, r[2].first, args->side, rows);
		release(w, policy, r);
	}
	policy_end(policy, &own->account);
	return additions;
}

static double expected_b(uint64_t i, uint64_t j)
{
	uint64_t sixteenths = 0;

	for (uint64_t k = i + 1; k <= j; k++)
		sixteenths += (i * 3 + j * 5 + k * 7) % 16 + 1;
	return (double)sixteenths / 16;
}

static const char *fig3_verify(const struct worker *w, char *why, size_t n)
{
	const struct fig3_args *args = w->args;
	const struct rows rows = rows_of(w, args->overlap);
	const double *a = w->vectors[0].base, *b = w->vectors[1].base;

	for (uint64_t i = rows.first; i < rows.end; i++) {
		double sum = 0;

		for (uint64_t j = i + 1; j < args->side; j += 4) {
			const double expected = expected_b(i, j), found = b[i * args->side + j];

			sum += expected;
			if (found == expected)
				continue;
			snprintf(why, n, "b[%" PRIu64 ",%" PRIu64 "] is %.9g, not %.9g", i, j,
				found, expected);
			return why;
		}
		if (a[i] == sum)
			continue;
		snprintf(why, n, "a[%" PRIu64 "] is %.9g, not %.9g", i, a[i], sum);
		return why;
	}
	return NULL;
}

static const char *fig3_finds(const struct worker *w, int k)
{
	static const char *const contents[] = {"sums of b", "sums of c", "fig3's c"};

	(void)w;
	return contents[k];
}

const struct kernel fig3_kernel = {
	.summary = "sums in slices that overlap, whose threads dispute pages",
	.unit = "addition",
	.run = fig3_run,
	.per_unit = {.loads = 1},
	.fixed = true,
	.migration.moves = policy_moves,
	.reset = policy_reset,
	.migration.arrange = policy_arrange,
	.figures = fig3_figures,
	.tell = policy_tell,
	.params = fig3_params,
	.args_size = sizeof(struct fig3_args),
	.min_vectors = 3,
	.types = TYPE_SET(TYPE_DOUBLE),
	.check = fig3_check,
	.lacks_for = policy_lacks,
	.share = policy_share,
	.setup = fig3_setup,
	.verify = fig3_verify,
	.teardown = free_own,
	.unshare = policy_unshare,
	.prepares = true,
	.meetings.together = true,
	.finds = fig3_finds,
};
