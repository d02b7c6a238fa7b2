/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sweeps: variables of an argument file and the combinations of their values. It works on the text
 * of the file: a combination gives the same file with every $name replaced, which then is read like
 * any other.
 */
#ifndef SWEEP_H
#define SWEEP_H

#include <stdbool.h>

#include "input/args.h"
#include "input/request.h"
#include "base/text.h"
#include "topology/topo.h"

/* More runs than this are a mistake in a range: at a tenth of a second each they would take 17
 * minutes. */
#define SWEEP_MAX_RUNS 10000

/* More combinations than this are not gone through: it would take seconds. A pair of CPUs out of
 * 2000 is within. */
#define SWEEP_MAX_COMBINATIONS (4u << 20)

/* The variable that only repeats a run: no key has to use it. */
#define SWEEP_REPEAT "repeat"

struct variable {
	char *name;
	struct words values; /* at least one, each of them once */
	bool of_machine;     /* some are nodes, cores or CPUs of the machine */
};

/* `where: a != b`: both sides are variables or constants. */
struct condition {
	char *left, *right;
	int operator; /* index into the table of operators, where.c */
	bool instead; /* it, or the one before it, has to hold */
	struct place at;
};

struct sweep {
	struct variable *variables; /* in the order of the file; the last one changes quickest */
	size_t nvariables;
	struct condition *conditions;
	size_t nconditions;
	size_t *combinations; /* those that are run: that all conditions let through, or some of
				 them by chance; ascending */
	size_t count;         /* at least 1: without variables there is one combination */
	size_t all;           /* that all conditions let through */
	uint64_t seed;        /* of the chance; 0: all are run */
};

/* Some of all combinations, by their numbers: the last variable changes quickest. */
struct sweep_choice {
	const size_t *combinations; /* [count], at least one, ascending */
	size_t count;
};

/* Reads `sweep` and `where`, and chooses as `quick`, `runs` and `seed` say. Values are written out:
 * 0..900:100, 4..4096*2, 1..cpus, nodes, cpunodes, cores, cpus, anything else as it is. 0, or -1
 * with messages: STATUS_USAGE, or STATUS_PLACEMENT where the machine has too few nodes or CPUs. */
int sweep_read(
	struct sweep *s, const struct request_file *f, const struct topo *t, struct errors *e);

/* The same of the combinations that are given, of however many there are; `where` and `runs` choose
 * nothing. */
int sweep_read_some(struct sweep *s, const struct request_file *f, const struct topo *t,
	const struct sweep_choice *some, struct errors *e);

/* The value of variable v in run `index` (below count). */
const char *sweep_value(const struct sweep *s, size_t index, size_t v);

/* The run that has the value values[v] of every variable v; -1: it is left out. */
long sweep_at(const struct sweep *s, const size_t *values);

/* The index of a variable, -1: there is none of that name. */
int sweep_find(const struct sweep *s, const char *name);

/* "d=100 n=2" of a run; "" without variables. To be freed. */
char *sweep_label(const struct sweep *s, size_t index);

/* The file as run `index` sees it: $name and ${name} replaced, but not in keys of the file as a
 * whole. 0, or -1 with a message for every name that no sweep defines. */
int sweep_apply(const struct sweep *s, size_t index, const struct args *in, struct args *out,
	struct errors *e);

void sweep_free(struct sweep *s);

#endif
