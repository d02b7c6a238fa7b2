/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the tests of the access kernels share: what each id promises, and a stage on which a kernel
 * runs without the driver. Include it after cmocka.h.
 */
#ifndef ACCESS_H
#define ACCESS_H

#include <stdio.h>
#include <string.h>

#include "contract/kernel.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

enum { FORWARD, REVERSE, RANDOM, ORDERS };

static const size_t type_size[] = {
	sizeof(char), sizeof(short), sizeof(int), sizeof(long), sizeof(float), sizeof(double)};

/* The promises of the ids of access kernels, without _s or _O0. */
static const struct promise {
	const char *name;
	double loads, stores;
	double mark; /* value left in each element; 0: the old value ... */
	bool counts; /* ... plus one for each pass */
} promises[] = {
	{"read", 1, 0, 0, false},
	{"write", 0, 1, 'X', false},
	{"read_write", 1, 1, 0, true},
	{"write_read", 1, 1, 'X', false},
	{"read_write_read", 2, 1, 0, true},
	{"write_read_write", 1, 2, 'Y', false},
};

static inline const struct promise *promise_of(const char *id)
{
	for (size_t i = 0; i < LENGTH(promises); i++) {
		const char *rest = id + strlen(promises[i].name);

		if (strncmp(id, promises[i].name, strlen(promises[i].name)) == 0 &&
			(!*rest || !strcmp(rest, "_s") || !strcmp(rest, "_O0")))
			return &promises[i];
	}
	return NULL;
}

/* The next access kernel of the map after `at`, without aliases; NULL at the end. */
static inline const struct kernel_id *next_access(const struct kernel_id *at)
{
	for (at = at ? at + 1 : kernel_map; at->id; at++)
		if (promise_of(at->id) && (at == kernel_map || at[-1].kernel != at->kernel))
			return at;
	return NULL;
}

/* Arguments of an access kernel, filled in through its table as the driver does. */
struct trial {
	struct extent stride;
	double fraction, offset;
	int order;
	uint64_t alternate;
	double hot, hot_accesses;
};

static inline void fill_args(const struct kernel *kernel, const struct trial *t, void *args)
{
	for (const struct param *p = kernel->params; p->name; p++) {
		char *field = (char *)args + p->offset;

		if (strcmp(p->name, "stride") == 0)
			memcpy(field, &t->stride, sizeof(t->stride));
		else if (strcmp(p->name, "fraction") == 0)
			memcpy(field, &t->fraction, sizeof(t->fraction));
		else if (strcmp(p->name, "offset") == 0)
			memcpy(field, &t->offset, sizeof(t->offset));
		else if (strcmp(p->name, "order") == 0)
			memcpy(field, &t->order, sizeof(t->order));
		else if (strcmp(p->name, "alternate") == 0)
			memcpy(field, &t->alternate, sizeof(t->alternate));
		else if (strcmp(p->name, "hot") == 0)
			memcpy(field, &t->hot, sizeof(t->hot));
		else if (strcmp(p->name, "hotAccesses") == 0)
			memcpy(field, &t->hot_accesses, sizeof(t->hot_accesses));
		else
			fail_msg("unknown parameter %s", p->name);
	}
}

/* A worker with its vectors and arguments. */
struct stage {
	struct worker worker;
	struct vector vectors[2];
	uint64_t args[16];
	char why[200];
};

static inline void stage_set(struct stage *s, const struct kernel *kernel, const struct trial *t)
{
	assert_true(kernel->args_size <= sizeof(s->args));
	fill_args(kernel, t, s->args);
	s->worker.workers = 1;
	s->worker.vectors = s->vectors;
	s->worker.args = s->args;
}

static inline void stage_add(struct stage *s, enum element_type type, size_t elements, void *base)
{
	assert_true(s->worker.nvectors < (int)LENGTH(s->vectors));
	s->vectors[s->worker.nvectors++] = (struct vector){
		.base = base, .elements = elements, .element_size = type_size[type], .type = type};
}

/* check() of every access kernel refuses what case i asks of a vector with exactly `why`, or
 * accepts it (NULL). The vector before it has 10000 chars, which suit every case. */
static inline void stage_expect(
	size_t i, const struct trial *t, enum element_type type, size_t elements, const char *why)
{
	for (const struct kernel_id *k = next_access(NULL); k; k = next_access(k)) {
		struct stage s = {.why = ""};
		const char *found;

		stage_set(&s, k->kernel, t);
		stage_add(&s, TYPE_CHAR, 10000, NULL);
		stage_add(&s, type, elements, NULL);
		found = k->kernel->check(&s.worker, s.why, sizeof(s.why));
		if (why && found)
			assert_string_equal(found, why);
		else if (why || found)
			fail_msg("%s, case %zu: %s", k->id, i, found ? found : "accepted");
	}
}

/* Number of elements that a kernel has to visit. */
static inline size_t part_of(size_t elements, double fraction)
{
	size_t n = (size_t)(fraction * (double)elements + 0.5);

	return n < 1 ? 1 : n;
}

#endif
