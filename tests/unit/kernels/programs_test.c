/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The programs of the works on page migration: their results with any number of threads, that a
 * wrong result is noticed, and what they refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>

#include "crew.h"

struct program {
	const char *id, *settings;
	enum element_type type;
	size_t element;
	size_t elements[4];
	uint64_t units; /* of a round of all threads; 0: it depends */
};

/* Vectors have some elements more than the programs use. */
static const struct program programs[] = {
	{"product", "matrix=9", TYPE_DOUBLE, 8, {7 * 81 + 5, 7 * 81 + 5, 7 * 81 + 5}, 7 * 729},
	{"matrix_add", "matrix=9", TYPE_DOUBLE, 8, {7 * 81 + 5, 7 * 81 + 5, 7 * 81 + 5}, 7 * 81},
	{"lu", "matrix=9", TYPE_DOUBLE, 8, {7 * 81 + 5, 7 * 81 + 5, 7 * 81 + 5},
		7 * (8 * 9 * 17 / 6)},
	{"cholesky", "matrix=9", TYPE_DOUBLE, 8, {7 * 81 + 5, 7 * 81 + 5}, 7 * (8 * 9 * 10 / 6)},
	{"strsearch", "queries=3 pattern=16", TYPE_CHAR, 1, {20011}, 0},
	{"bucketsort", "", TYPE_INT, 4, {5 * 1000 + 12}, 0},
	{"knn", "queries=5 neighbours=4", TYPE_DOUBLE, 8, {2 * 301 + 1}, 5 * 301},
	{"fig3", "side=13 overlap=2", TYPE_DOUBLE, 8, {14, 170, 2198}, 0},
};

static void begin(struct crew *c, int size, const struct program *p)
{
	crew_begin(c, size, p->id, p->settings, p->type, p->element, p->elements);
}

static void test_results(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(programs); i++)
		for (int size = 1; size <= CREW_MOST; size++) {
			const struct program *p = &programs[i];
			struct crew c;

			begin(&c, size, p);
			for (uint64_t passes = 1; passes <= 3; passes++) {
				uint64_t units = crew_run(&c, passes);

				assert_true(units > 0);
				if (p->units)
					assert_int_equal(units, passes * p->units);
				if (crew_verify(&c))
					fail_msg("%s with %d threads: %s", p->id, size,
						crew_verify(&c));
			}
			crew_end(&c);
		}
}

/* An element of a result, or of an input of which the program makes its result. */
static const struct mistake {
	const char *id;
	int vector;
	size_t element;
	bool before; /* before the sample: an input */
	const char *found;
} mistakes[] = {
	{"product", 2, 0, false, "set 0: row 0 of the result times a vector is "},
	{"product", 2, 7 * 81 - 1, false, "set 6: row 8 of the result times a vector is "},
	{"product", 0, 3 * 81, true, "set 3: row 0 of the result times a vector is "},
	{"matrix_add", 2, 81 + 9, false, "set 1: row 1 of the result times a vector is "},
	{"matrix_add", 1, 2 * 81, true, "set 2: row 0 of the result times a vector is "},
	{"lu", 1, 5 * 81 + 9, false, "set 5: row 1 of the result times a vector is "},
	{"lu", 2, 4 * 81 + 8, false, "set 4: row "},
	{"cholesky", 1, 6 * 81, false, "set 6: row 0 of the result times a vector is "},
	{"strsearch", 0, 7, true, "it found the pattern 12 times, not 15"},
	{"strsearch", 0, 4106 + 3, true, "it found the pattern 12 times, not 15"},
	{"bucketsort", 0, 1001, false, "the sorted values are not those that it was given"},
	{"bucketsort", 0, 1500, false, "value 500 of the sorted ones is below the one before"},
	{"fig3", 0, 12, false, "a[12] is 1, not 0"},
	{"fig3", 1, 13 + 2, false, "b[1,2] is "},
	{"fig3", 2, (0 * 13 + 1) * 13 + 1, true, "b[0,1] is "},
};

static const struct program *program_of(const char *id)
{
	for (size_t i = 0; i < LENGTH(programs); i++)
		if (!strcmp(programs[i].id, id))
			return &programs[i];
	fail_msg("no program %s", id);
	return NULL;
}

static void make_mistake(const struct crew *c, const struct mistake *m)
{
	const struct vector *v = &c->of[0].vectors[m->vector];

	if (v->type == TYPE_DOUBLE)
		((double *)v->base)[m->element] += 1;
	else if (v->type == TYPE_INT && m->element == 1001) /* the least */
		((int *)v->base)[m->element] -= 1;
	else if (v->type == TYPE_INT)
		((int *)v->base)[m->element] = INT_MAX;
	else
		((char *)v->base)[m->element] = 'x';
}

static void test_mistakes(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(mistakes); i++) {
		const struct mistake *m = &mistakes[i];
		struct crew c;
		const char *found;

		begin(&c, 1, program_of(m->id));
		if (m->before)
			make_mistake(&c, m);
		crew_run(&c, 1);
		if (!m->before)
			make_mistake(&c, m);
		found = crew_verify(&c);
		if (!found || strncmp(found, m->found, strlen(m->found)))
			fail_msg("mistake %zu in %s: %s", i, m->id, found);
		crew_end(&c);
	}
}

/* The nearest points change when all of them do. */
static void test_knn_mistake(void **state)
{
	struct crew c;

	(void)state;
	begin(&c, 2, program_of("knn"));
	for (size_t i = 0; i < 600; i++)
		((double *)c.of[0].vectors[0].base)[i] /= 2;
	crew_run(&c, 1);
	assert_string_equal(
		crew_verify(&c), "a neighbour of query 0 is none: its distance is wrong");
	crew_end(&c);
}

/* The text has what a search by the C library finds. */
static void test_strsearch_finds(void **state)
{
	static const char pattern[] = "abbbbbbbbbbbbbbb";
	struct crew c;
	size_t found = 0;

	(void)state;
	begin(&c, 1, program_of("strsearch"));
	const char *text = c.of[0].vectors[0].base, *end = text + 20011;

	for (const char *at = text; (at = memmem(at, (size_t)(end - at), pattern, 16)); at++)
		found++;
	assert_int_equal(found, 5);
	crew_run(&c, 1);
	assert_null(crew_verify(&c));
	crew_end(&c);
}

struct refusal {
	const char *id, *settings;
	enum element_type type;
	size_t elements[4];
	int users[3]; /* of its vectors */
	const char *why;
};

static const struct refusal refusals[] = {
	{"product", "", TYPE_DOUBLE, {4096, 4096}, {1, 1},
		"it takes 3 vectors of each thread, one for each matrix; not 2"},
	{"cholesky", "", TYPE_DOUBLE, {4096, 4096, 4096}, {1, 1, 1},
		"it takes 2 vectors of each thread, one for each matrix; not 3"},
	{"lu", "", TYPE_DOUBLE, {4096, 4096, 4096}, {2, 2, 1},
		"its vectors must have the same threads: vectorPerThread: all, all ..."},
	{"lu", "", TYPE_DOUBLE, {4096, 4096, 4097}, {1, 1, 1},
		"its vectors must have the same size"},
	{"matrix_add", "matrix=65", TYPE_DOUBLE, {4096, 4096, 4096}, {1, 1, 1},
		"matrix = 65, sets = 1: 4225 elements are needed, but a vector has 4096"},
	{"strsearch", "pattern=17", TYPE_LONG, {4}, {2},
		"pattern = 17 letters do not fit into a slice: 32 bytes for 2 threads"},
	{"bucketsort", "", TYPE_INT, {4096, 4096}, {1, 1},
		"it takes 1 vector of each thread, not 2"},
	{"bucketsort", "", TYPE_INT, {645}, {2},
		"its vector has 645 elements; a fifth of them are values, at least 64 for each of "
		"the 2 threads"},
	{"knn", "neighbours=9", TYPE_DOUBLE, {34}, {2},
		"a slice of its 17 points has fewer than neighbours = 9 for each of 2 threads"},
	{"fig3", "side=4", TYPE_DOUBLE, {4, 16, 63}, {1, 1, 1},
		"side = 4 takes 64 elements of its vector c, which has 63"},
	{"fig3", "side=4", TYPE_DOUBLE, {4, 16, 64}, {1, 2, 1},
		"its vectors must have the same threads: vectorPerThread: all, all ..."},
	{"fig3", "side=4", TYPE_DOUBLE, {4, 16, 64}, {5, 5, 5},
		"side = 4 has no row for each of 5 threads"},
};

static void test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(refusals); i++) {
		const struct refusal *r = &refusals[i];
		struct stage s;

		stage_kernel(&s, r->id, r->settings);
		for (int k = 0; r->elements[k]; k++) {
			stage_vector(&s, r->type, r->type == TYPE_INT ? 4 : 8, r->elements[k]);
			s.vectors[k].users = r->users[k];
		}
		stage_expect(&s, i, r->why);
	}
}

/* Threads with another vector than the first one of them are not in its pool. */
static void test_other_vectors(void **state)
{
	static const size_t elements[] = {4096, 4096, 4096, 0};
	double other[4096];
	struct crew c;

	(void)state;
	crew_begin(&c, 2, "product", "", TYPE_DOUBLE, 8, elements);
	c.of[0].kernel->teardown(&c.of[1].worker);
	c.of[1].vectors[2].base = other;
	assert_string_equal(c.of[1].kernel->setup(&c.of[1].worker),
		"threads that share one of its vectors must share all of them");
	crew_end(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("programs compute what they are to, with one thread and with several",
			test_results),
		TEST("a wrong result is noticed", test_mistakes),
		TEST("neighbours that are not the nearest are noticed", test_knn_mistake),
		TEST("the text has the matches that the C library finds", test_strsearch_finds),
		TEST("vectors that do not fit are refused", test_refused),
		TEST("threads of a pool must share all of its vectors", test_other_vectors),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
