/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A described machine with threads to map. Include it after cmocka.h. */
#ifndef MAPPING_STAGE_H
#define MAPPING_STAGE_H

#include "mapping/mapping.h"

#define MOST 256

/* A machine and its threads, mapped. */
struct scene {
	struct mapping_seat seats[MOST];
	int nseats;
	struct mapping_thread threads[MOST];
	int nthreads;
	int place[MOST];
	char why[512];
};

/* Packages of cores with hardware threads; sibling threads have numbers after all cores, as on
 * Linux. */
static inline void build(struct scene *s, int packages, int cores, int smt)
{
	*s = (struct scene){0};
	for (int p = 0; p < packages; p++)
		for (int c = 0; c < cores; c++)
			for (int t = 0; t < smt; t++)
				s->seats[s->nseats++] = (struct mapping_seat){.place = {p},
					.node = p,
					.core = p * cores + c,
					.thread = t,
					.cpu = p * cores + c + t * packages * cores};
}

/* A thread with the share `fp` of floating-point instructions; its other instructions are loads. */
static inline void add_thread(struct scene *s, int application, double fp)
{
	s->threads[s->nthreads++] = (struct mapping_thread){.application = application,
		.share = {[MAPPING_FP] = fp, [MAPPING_LOAD] = 0.5 - fp / 2}};
}

static inline int map(struct scene *s, enum mapping_method method)
{
	struct mapping_request r = {{method, 1, ""}, MAPPING_SPREAD, false};

	return mapping_make(
		&r, s->seats, s->nseats, s->threads, s->nthreads, s->place, s->why, sizeof(s->why));
}

static inline int cpu_of(const struct scene *s, int thread)
{
	return s->seats[s->place[thread]].cpu;
}

static inline int core_of(const struct scene *s, int thread)
{
	return s->seats[s->place[thread]].core;
}

static inline void expect_cpus(const struct scene *s, const int *cpus)
{
	for (int i = 0; i < s->nthreads; i++)
		assert_int_equal(cpu_of(s, i), cpus[i]);
}

#endif
