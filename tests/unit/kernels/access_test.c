/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The access kernels: which elements they access and how often, what they refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "contract/kernel.h"

static double get(const struct vector *v, size_t i)
{
	const void *p = (const char *)v->base + i * v->element_size;

	switch (v->type) {
	case TYPE_CHAR:
		return *(const char *)p;
	case TYPE_SHORT:
		return *(const short *)p;
	case TYPE_INT:
		return *(const int *)p;
	case TYPE_LONG:
		return (double)*(const long *)p;
	case TYPE_FLOAT:
		return (double)*(const float *)p;
	default:
		return *(const double *)p;
	}
}

static void set(const struct vector *v, size_t i, int value)
{
	void *p = (char *)v->base + i * v->element_size;

	switch (v->type) {
	case TYPE_CHAR:
		*(char *)p = (char)value;
		break;
	case TYPE_SHORT:
		*(short *)p = (short)value;
		break;
	case TYPE_INT:
		*(int *)p = value;
		break;
	case TYPE_LONG:
		*(long *)p = value;
		break;
	case TYPE_FLOAT:
		*(float *)p = (float)value;
		break;
	default:
		*(double *)p = value;
	}
}

/* Neighbours differ, no value is a mark, and a char has room for a few passes. */
static int content(size_t i)
{
	return (int)(i % 71) + 1;
}

/* Bytes around a vector that no kernel may access. */
#define GUARD      64
#define GUARD_BYTE 0xa5

static void *guarded_alloc(size_t bytes)
{
	char *memory = malloc(bytes + 2 * GUARD);

	assert_non_null(memory);
	memset(memory, GUARD_BYTE, bytes + 2 * GUARD);
	return memory + GUARD;
}

static void guarded_free(void *base, size_t bytes)
{
	unsigned char *memory = (unsigned char *)base - GUARD;

	for (size_t i = 0; i < GUARD; i++)
		if (memory[i] != GUARD_BYTE || memory[GUARD + bytes + i] != GUARD_BYTE)
			fail_msg("written %zu bytes before or after a vector of %zu", i + 1, bytes);
	free(memory);
}

/* NULL, or the error in the vector after so many passes over its part. */
static const char *compare(const struct vector *v, size_t part, const struct promise *promise,
	uint64_t passes, char *why, size_t n)
{
	for (size_t i = 0; i < v->elements; i++) {
		double expected = content(i);

		if (i < part && promise->mark != 0)
			expected = promise->mark;
		else if (i < part && promise->counts)
			expected += (double)passes;
		if (get(v, i) == expected)
			continue;
		snprintf(why, n, "element %zu is %g, not %g", i, get(v, i), expected);
		return why;
	}
	return NULL;
}

/* Runs one combination on freshly filled memory, and checks all of it. */
static void try(const struct kernel_id *k, const struct trial *t, size_t elements, int type,
	uint64_t passes)
{
	struct stage s = {.why = ""};
	size_t part = part_of(elements, t->fraction);
	void *base = guarded_alloc(elements * type_size[type]);
	const char *wrong = NULL;
	bool impossible = t->order != RANDOM && t->stride.value > part;

	stage_set(&s, k->kernel, t);
	stage_add(&s, (enum element_type)type, elements, base);
	for (size_t i = 0; i < elements; i++)
		set(&s.vectors[0], i, content(i));
	if (!k->kernel->check(&s.worker, s.why, sizeof(s.why)) == impossible)
		wrong = "check() is mistaken";
	else if (!impossible && k->kernel->run(&s.worker, passes) != passes * part)
		wrong = "run() did not return the elements visited";
	else if (!impossible)
		wrong = compare(
			&s.vectors[0], part, promise_of(k->id), passes, s.why, sizeof(s.why));
	if (!wrong && !impossible && k->kernel->verify)
		wrong = k->kernel->verify(&s.worker, s.why, sizeof(s.why));
	if (wrong)
		fail_msg("%s, type %d, %zu elements, stride %zu, fraction %g, offset %g, order %d, "
			 "%d passes: %s",
			k->id, type, elements, (size_t)t->stride.value, t->fraction, t->offset,
			t->order, (int)passes, wrong);
	guarded_free(base, elements * type_size[type]);
}

static const size_t sizes[] = {1, 2, 7, 64, 193, 1000};
static const size_t strides[] = {1, 2, 3, 16, 0 /* as large as the vector */};
static const double fractions[] = {1, 0.5, 0.29, 1e-12};
static const double offsets[] = {0, 0.25, 0.5, 0.999, 1};
static const uint64_t passes[] = {1, 3};

/* Removes one digit, in a number system with `count` digits, from a number that counts
 * combinations. */
static size_t digit(size_t *number, size_t count)
{
	size_t d = *number % count;

	*number /= count;
	return d;
}

static void try_all(const struct kernel_id *k)
{
	const size_t all = LENGTH(sizes) * LENGTH(strides) * LENGTH(fractions) * LENGTH(offsets) *
			   LENGTH(passes) * ORDERS * ELEMENT_TYPES;

	for (size_t i = 0; i < all; i++) {
		size_t rest = i, size = sizes[digit(&rest, LENGTH(sizes))];
		size_t stride = strides[digit(&rest, LENGTH(strides))];
		uint64_t times = passes[digit(&rest, LENGTH(passes))];
		int type = (int)digit(&rest, ELEMENT_TYPES);
		struct trial t = {.stride = {stride ? stride : size, false},
			.fraction = fractions[digit(&rest, LENGTH(fractions))],
			.offset = offsets[digit(&rest, LENGTH(offsets))],
			.order = (int)digit(&rest, ORDERS)};

		try(k, &t, size, type, times);
	}
}

static void test_every_element_once(void **state)
{
	int kernels = 0;

	(void)state;
	for (const struct kernel_id *k = next_access(NULL); k; k = next_access(k)) {
		try_all(k);
		kernels++;
	}
	assert_int_equal(kernels, 2 * LENGTH(promises));
}

static void test_several_vectors(void **state)
{
	const struct trial t = {.stride = {192, true}, .fraction = 0.5};

	(void)state;
	for (const struct kernel_id *k = next_access(NULL); k; k = next_access(k)) {
		struct stage s = {.why = ""};

		stage_set(&s, k->kernel, &t);
		stage_add(&s, TYPE_CHAR, 1001, guarded_alloc(1001));
		stage_add(&s, TYPE_DOUBLE, 300, guarded_alloc(300 * sizeof(double)));
		for (size_t i = 0; i < 1001; i++)
			set(&s.vectors[0], i, content(i));
		for (size_t i = 0; i < 300; i++)
			set(&s.vectors[1], i, content(i));
		assert_null(k->kernel->check(&s.worker, s.why, sizeof(s.why)));
		assert_int_equal(k->kernel->run(&s.worker, 2), 2 * (501 + 150));
		for (int v = 0; v < 2; v++)
			if (compare(&s.vectors[v], v ? 150 : 501, promise_of(k->id), 2, s.why,
				    sizeof(s.why)))
				fail_msg("%s, vector %d: %s", k->id, v, s.why);
		guarded_free(s.vectors[0].base, 1001);
		guarded_free(s.vectors[1].base, 300 * sizeof(double));
	}
}

static void test_check(void **state)
{
	static const struct {
		struct trial trial;
		enum element_type type;
		size_t elements;
		const char *why; /* NULL: accepted */
	} cases[] = {
		{{{192, true}, 1, 0, FORWARD, 0, 0, 0}, TYPE_CHAR, 192, NULL},
		{{{192, true}, 1, 0, FORWARD, 0, 0, 0}, TYPE_CHAR, 191,
			"stride = 192 elements is above the 191 elements that are visited"},
		{{{192, true}, 0.5, 0, REVERSE, 0, 0, 0}, TYPE_CHAR, 382,
			"stride = 192 elements is above the 191 elements that are visited"},
		{{{192, true}, 1, 0, FORWARD, 0, 0, 0}, TYPE_DOUBLE, 24, NULL},
		{{{192, false}, 1, 0, FORWARD, 0, 0, 0}, TYPE_DOUBLE, 24,
			"stride = 192 elements is above the 24 elements that are visited"},
		{{{3, true}, 1, 0, FORWARD, 0, 0, 0}, TYPE_CHAR, 100, NULL},
		{{{3, false}, 1, 0, FORWARD, 0, 0, 0}, TYPE_INT, 100, NULL},
		{{{3, true}, 1, 0, FORWARD, 0, 0, 0}, TYPE_INT, 100,
			"stride = 3B is not a multiple of the 4 bytes of an element"},
		{{{1, true}, 1, 0, REVERSE, 0, 0, 0}, TYPE_SHORT, 100,
			"stride = 1B is not a multiple of the 2 bytes of an element"},
		{{{3, true}, 1, 0, RANDOM, 0, 0, 0}, TYPE_INT, 1, NULL},
		{{{192, true}, 1, 0, RANDOM, 0, 0, 0}, TYPE_CHAR, 1, NULL},
	};

	(void)state;
	for (size_t i = 0; i < LENGTH(cases); i++)
		stage_expect(i, &cases[i].trial, cases[i].type, cases[i].elements, cases[i].why);
}

/* More chars than verify() checks one by one; it must still detect a damaged page. */
#define MANY 300000
#define PAGE 4096

/* Whether verify() reports `length` elements from `first` on that differ from the kernel's
 * result. */
static bool notices(const struct kernel_id *k, struct stage *s, size_t first, size_t length)
{
	const char *why;

	k->kernel->run(&s->worker, 1);
	assert_null(k->kernel->verify(&s->worker, s->why, sizeof(s->why)));
	for (size_t i = first; i < first + length; i++)
		set(&s->vectors[0], i, 1);
	why = k->kernel->verify(&s->worker, s->why, sizeof(s->why));
	if (why && !strstr(why, "of the thread's vector 0 is 1, not "))
		fail_msg("%s: verify() says %s", k->id, why);
	return why != NULL;
}

static void test_verify_finds_damage(void **state)
{
	static const struct trial half = {.stride = {1, false}, .fraction = 0.5};

	(void)state;
	for (const struct kernel_id *k = next_access(NULL); k; k = next_access(k)) {
		for (int type = 0; type < ELEMENT_TYPES && k->kernel->verify; type++) {
			struct stage s = {.why = ""};

			stage_set(&s, k->kernel, &half);
			stage_add(&s, (enum element_type)type, 200, guarded_alloc(1600));
			assert_true(notices(k, &s, 0, 1));
			assert_true(notices(k, &s, 42, 1));
			assert_true(notices(k, &s, 99, 1));
			assert_false(notices(k, &s, 100, 100)); /* outside its part */
			guarded_free(s.vectors[0].base, 1600);
		}
	}
}

static void test_verify_finds_a_damaged_page(void **state)
{
	static const struct trial whole = {.stride = {192, true}, .fraction = 1};

	(void)state;
	for (const struct kernel_id *k = next_access(NULL); k; k = next_access(k)) {
		struct stage s = {.why = ""};

		if (!k->kernel->verify)
			continue;
		stage_set(&s, k->kernel, &whole);
		stage_add(&s, TYPE_CHAR, MANY, guarded_alloc(MANY));
		for (size_t i = 0; i + PAGE <= MANY; i += PAGE)
			assert_true(notices(k, &s, i, PAGE));
		guarded_free(s.vectors[0].base, MANY);
	}
}

#define TEST(title, function)                     \
	{                                         \
		title, function, NULL, NULL, NULL \
	}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("each element of the part is visited once a pass and no other byte is touched",
			test_every_element_once),
		TEST("vectors of several types are visited one after another",
			test_several_vectors),
		TEST("strides that do not fit the elements or the part are refused", test_check),
		TEST("verify() refuses a damaged element of the part", test_verify_finds_damage),
		TEST("verify() misses no damaged page of a large vector",
			test_verify_finds_a_damaged_page),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
