/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A stage on which any kernel runs without the driver: parameters as an argument file writes them,
 * vectors with guards around them. Include it after cmocka.h.
 */
#ifndef KERNEL_STAGE_H
#define KERNEL_STAGE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract/kernel.h"
#include "input/param.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* What the kernels of the weights of a model take. */
static const char *const model_isas[] = {
	"auto", "scalar", "sse2", "avx2", "avxvnni", "avx512", "avx512vnni", "neon", "dotprod"};

/* Bytes around a vector that no kernel may access; a page, which keeps the vectors aligned like the
 * driver's. */
#define GUARD      4096
#define GUARD_BYTE 0xa5

struct stage {
	const struct kernel *kernel;
	struct worker worker;
	struct vector vectors[6];
	uint64_t args[16];
	char why[256];
};

static inline const struct kernel *find_kernel(const char *id)
{
	for (const struct kernel_id *k = kernel_map; k->id; k++)
		if (!strcmp(k->id, id))
			return k->kernel;
	fail_msg("no kernel %s", id);
	return NULL;
}

/* settings: "isa=avx unroll=2". */
static inline void stage_kernel(struct stage *s, const char *id, const char *settings)
{
	char copy[256], *rest = copy, *word;
	struct errors e = {0};

	*s = (struct stage){.kernel = find_kernel(id)};
	assert_true(s->kernel->args_size <= sizeof(s->args));
	s->worker = (struct worker){.workers = 1, .vectors = s->vectors, .args = s->args};
	param_defaults(s->kernel->params, s->args);
	snprintf(copy, sizeof(copy), "%s", settings);
	while ((word = strsep(&rest, " "))) {
		char *value = strchr(word, '=');

		if (!value)
			continue;
		*value++ = '\0';
		const struct param *p = param_find(s->kernel->params, word);
		assert_non_null(p);
		if (param_set(p, s->args, value, NOWHERE, &e))
			fail_msg("%s = %s: %s", word, value, e.list[0].text);
	}
}

/* It has one user, the worker. */
static inline void stage_vector(
	struct stage *s, enum element_type type, size_t element, size_t elements)
{
	const size_t bytes = element * elements;
	char *memory = aligned_alloc(GUARD, (bytes + 3 * GUARD - 1) / GUARD * GUARD);

	assert_non_null(memory);
	memset(memory, GUARD_BYTE, (bytes + 3 * GUARD - 1) / GUARD * GUARD);
	s->vectors[s->worker.nvectors++] = (struct vector){.base = memory + GUARD,
		.elements = elements,
		.element_size = element,
		.type = type,
		.users = 1,
		.page_bytes = GUARD,
		.sharers = 1};
	memset(memory + GUARD, 0, bytes);
}

/* NULL, or why the arguments are refused. */
static inline const char *stage_check(struct stage *s)
{
	return s->kernel->check ? s->kernel->check(&s->worker, s->why, sizeof(s->why)) : NULL;
}

/* Can this processor run it so? */
static inline bool stage_is_here(struct stage *s)
{
	return !s->kernel->lacks_for || !s->kernel->lacks_for(&s->worker, s->why, sizeof(s->why));
}

static inline void stage_setup(struct stage *s)
{
	const char *why = stage_check(s);

	if (why)
		fail_msg("check() says %s", why);
	if (s->kernel->setup && s->kernel->setup(&s->worker))
		fail_msg("setup() failed");
	if (s->kernel->choose)
		s->kernel->choose(&s->worker);
}

static inline const char *stage_verify(struct stage *s)
{
	return s->kernel->verify ? s->kernel->verify(&s->worker, s->why, sizeof(s->why)) : NULL;
}

static inline void stage_end(struct stage *s)
{
	if (s->kernel->teardown)
		s->kernel->teardown(&s->worker);
	for (int k = 0; k < s->worker.nvectors; k++) {
		const struct vector *v = &s->vectors[k];
		const unsigned char *base = v->base;
		const size_t bytes = v->elements * v->element_size;

		for (size_t i = 1; i <= GUARD; i++)
			if (base[-(ptrdiff_t)i] != GUARD_BYTE || base[bytes + i - 1] != GUARD_BYTE)
				fail_msg("written %zu bytes before or after vector %d", i, k);
		free((char *)v->base - GUARD);
	}
}

/* check() of case i refuses what the stage has with exactly `why`, or accepts it (NULL). */
static inline void stage_expect(struct stage *s, size_t i, const char *why)
{
	const char *found = stage_check(s);

	if (why && found)
		assert_string_equal(found, why);
	else if (why || found)
		fail_msg("case %zu: %s", i, found ? found : "accepted");
	stage_end(s);
}

/* A step of one pass is of four rows of 16 KiB, floats, and verify() finishes what it began. */
static inline void stage_step_rows(struct stage *s)
{
	stage_setup(s);
	assert_int_equal(s->kernel->step(&s->worker, 1), 4 * 4096);
	assert_null(stage_verify(s));
}

#define TEST(title, function)                     \
	{                                         \
		title, function, NULL, NULL, NULL \
	}

#endif
