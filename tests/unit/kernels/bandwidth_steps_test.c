/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of the bandwidth kernels: which elements they access, and how results are verified. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "kernel_stage.h"

/* Bytes of each stream that a step accesses, at most. */
#define STEP ((size_t)64 << 10)

#define MAX_GROUPS 3

/* Vector registers of 16 bytes, which every CPU has. */
#if defined(__x86_64__)
#define NARROW "isa=sse2"
#elif defined(__aarch64__)
#define NARROW "isa=neon"
#endif

/* Each vector is a group of its own; 0: no further vectors. */
struct steps_case {
	size_t doubles[MAX_GROUPS];
	const char *settings;
	size_t block; /* doubles per turn of the loop; per line if a turn is less than that */
	double offset;
};

/* update changes the sign of the elements that it accesses: adds 1 to visits for each change.
 * Returns the number of changes. */
static uint64_t count_visits(const struct stage *s, double *before, unsigned *visits)
{
	uint64_t changed = 0;

	for (int k = 0; k < s->worker.nvectors; k++) {
		const double *now = s->vectors[k].base;

		for (size_t i = 0; i < s->vectors[k].elements; i++, before++, visits++) {
			if (now[i] == *before)
				continue;
			assert_true(now[i] == -*before);
			*before = now[i];
			++*visits;
			changed++;
		}
	}
	return changed;
}

/* Whole blocks are accessed as often as any other element, or once more; elements beyond them
 * never. */
static void check_visits(
	const struct stage *s, const unsigned *visits, size_t block, uint64_t least)
{
	for (int k = 0; k < s->worker.nvectors; visits += s->vectors[k++].elements)
		for (size_t i = 0; i < s->vectors[k].elements; i++) {
			bool whole = i < s->vectors[k].elements / block * block;

			if (whole ? visits[i] != least && visits[i] != least + 1 : visits[i] != 0)
				fail_msg("double %zu of group %d was visited %u times, the round "
					 "is done %d times",
					i, k, visits[i], (int)least);
		}
}

static size_t all_doubles(const struct stage *s)
{
	size_t all = 0;

	for (int k = 0; k < s->worker.nvectors; k++)
		all += s->vectors[k].elements;
	return all;
}

/* The first step after complete rounds begins at the place that offset gives. */
static void expect_begin(const struct steps_case *c, const unsigned *visits)
{
	const size_t blocks = c->doubles[0] / c->block;
	const size_t begin = (size_t)(c->offset * (double)blocks) * c->block;

	assert_int_equal(visits[begin], 1);
	assert_int_equal(visits[begin + c->block - 1], 1);
	if (begin && (blocks * c->block - begin) * sizeof(double) > STEP)
		assert_int_equal(visits[begin - 1], 0);
}

static void try_steps(const struct steps_case *c)
{
	struct stage s;
	uint64_t units = 0;

	stage_kernel(&s, "update", c->settings);
	for (int k = 0; k < MAX_GROUPS && c->doubles[k]; k++)
		stage_vector(&s, TYPE_DOUBLE, 8, c->doubles[k]);
	stage_setup(&s);
	const uint64_t round = s.kernel->run(&s.worker, 1);
	const uint64_t step = round < STEP / 8 ? round : STEP / 8;
	double *before = calloc(all_doubles(&s), sizeof(*before));
	unsigned *visits = calloc(all_doubles(&s), sizeof(*visits));

	assert_non_null(before);
	assert_non_null(visits);
	for (int k = 0, at = 0; k < s.worker.nvectors; at += (int)s.vectors[k++].elements)
		memcpy(before + at, s.vectors[k].base, s.vectors[k].elements * sizeof(*before));
	while (units < 7 * round) {
		assert_int_equal(s.kernel->step(&s.worker, 1), step);
		assert_int_equal(count_visits(&s, before, visits), step);
		if (!units)
			expect_begin(c, visits);
		units += step;
		check_visits(&s, visits, c->block, units / round);
	}
	assert_int_equal(s.kernel->step(&s.worker, 5), 5 * step);
	assert_null(stage_verify(&s));
	free(before);
	free(visits);
	stage_end(&s);
}

static void test_steps(void **state)
{
	static const struct steps_case cases[] = {
		{{100}, "isa=scalar unroll=8", 8, 0},
		{{100, 61}, "isa=scalar unroll=8 offset=0.4", 8, 0.4},
		{{8192}, "isa=scalar unroll=1", 8, 0},
		{{8193}, "isa=scalar unroll=1", 8, 0},
		{{8200}, "isa=scalar unroll=1", 8, 0},
		{{20011}, "isa=scalar unroll=8", 8, 0},
		{{20011}, "isa=scalar unroll=8 offset=0.3", 8, 0.3},
		{{20011}, "isa=scalar unroll=2 offset=1", 8, 0},
		{{9001, 70, 30003}, "isa=scalar unroll=8", 8, 0},
		{{9001, 70, 30003}, "isa=scalar unroll=8 offset=0.7", 8, 0.7},
		{{3000, 9, 6001}, "isa=scalar unroll=1 offset=0.5", 8, 0.5},
#if defined(NARROW)
		{{20013}, NARROW " unroll=8 offset=0.3", 16, 0.3},
		{{9005, 77, 30003}, NARROW " unroll=8 offset=0.7", 16, 0.7},
#endif
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++)
		try_steps(&cases[i]);
}

/* The value that setup() leaves in the first vector and a round replaces; 0: nothing is
 * replaced. */
static const struct kernel_case {
	const char *id;
	int streams;
	double before;
} kernels[] = {
	{"load", 1, 0},
	{"store", 1, -1},
	{"store_nt", 1, -1},
	{"copy", 2, -1},
	{"copy_nt", 2, -1},
	{"scale", 2, -1},
	{"add", 3, -1},
	{"triad", 3, -1},
	{"update", 1, 0},
	{"sum", 1, 0},
};

/* Steps that cover less than a round, in memory that another operation has changed in between. */
static void test_steps_verified(void **state)
{
	enum { DOUBLES = 8 * 5000 };

	(void)state;
	for (size_t p = 0; p < LENGTH(kernels); p++) {
		struct stage s;

		stage_kernel(&s, kernels[p].id, "isa=scalar unroll=8 offset=0.9");
		/* Arm has no non-temporal store of 8 bytes */
		if (!stage_is_here(&s))
			continue;
		for (int i = 0; i < kernels[p].streams; i++)
			stage_vector(&s, TYPE_DOUBLE, 8, DOUBLES);
		stage_setup(&s);
		double *a = s.vectors[0].base;

		assert_int_equal(s.kernel->step(&s.worker, 2), 2 * STEP / 8);
		for (size_t i = 0; kernels[p].before != 0 && i < DOUBLES; i++)
			a[i] = kernels[p].before;
		assert_int_equal(s.kernel->step(&s.worker, 2), 2 * STEP / 8);
		if (stage_verify(&s))
			fail_msg("%s: %s", kernels[p].id, s.why);
		assert_int_equal(s.kernel->step(&s.worker, 1), STEP / 8);
		/* the round went on to the two steps of before, and then did one of them again */
		a[(DOUBLES / 10 * 9 + 2 * STEP / 8) % DOUBLES] = 8;
		if (!stage_verify(&s))
			fail_msg("%s: damage in the last step was not found", kernels[p].id);
		stage_end(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("steps go on where the last one ended, and come by each element as often",
			test_steps),
		TEST("what the last steps did is verified, in a round that they began",
			test_steps_verified),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
