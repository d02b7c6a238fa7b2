/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several threads of a kernel that share all its vectors, without the driver. Include it after
 * cmocka.h. */
#ifndef CREW_STAGE_H
#define CREW_STAGE_H

#include <pthread.h>

#include "kernel_stage.h"

#define CREW_MOST 4

struct crew {
	struct stage of[CREW_MOST]; /* the first one owns the vectors */
	int size;
	uint64_t passes, units[CREW_MOST];
	const char *wrong[CREW_MOST];
};

struct crew_member {
	struct crew *crew;
	int rank;
	void (*step)(struct crew *c, int rank);
};

static inline void *crew_enter(void *arg)
{
	const struct crew_member *m = arg;

	m->step(m->crew, m->rank);
	return NULL;
}

/* Calls step() in a thread for each member, at the same time. */
static inline void crew_all(struct crew *c, void (*step)(struct crew *c, int rank))
{
	pthread_t threads[CREW_MOST];
	struct crew_member members[CREW_MOST];

	for (int i = 0; i < c->size; i++) {
		members[i] = (struct crew_member){c, i, step};
		assert_int_equal(pthread_create(&threads[i], NULL, crew_enter, &members[i]), 0);
	}
	for (int i = 0; i < c->size; i++)
		pthread_join(threads[i], NULL);
}

static inline void crew_call_setup(struct crew *c, int rank)
{
	struct stage *s = &c->of[rank];

	if (s->kernel->setup)
		c->wrong[rank] = s->kernel->setup(&s->worker);
	if (s->kernel->choose && !c->wrong[rank])
		s->kernel->choose(&s->worker);
}

static inline void crew_call_run(struct crew *c, int rank)
{
	c->units[rank] = c->of[rank].kernel->run(&c->of[rank].worker, c->passes);
}

/* Vectors of so many elements each, 0: no further one. The parameters must be accepted. */
static inline void crew_begin(struct crew *c, int size, const char *id, const char *settings,
	enum element_type type, size_t element, const size_t *elements)
{
	*c = (struct crew){.size = size};
	for (int i = 0; i < size; i++) {
		struct stage *s = &c->of[i];

		stage_kernel(s, id, settings);
		s->worker.id = i;
		s->worker.workers = size;
		for (int k = 0; elements[k]; k++) {
			if (!i)
				stage_vector(s, type, element, elements[k]);
			else
				s->vectors[s->worker.nvectors++] = c->of[0].vectors[k];
			s->vectors[k].users = s->vectors[k].team = size;
			s->vectors[k].rank = s->vectors[k].member = i;
		}
		if (stage_check(s))
			fail_msg("%s: check() says %s", id, s->why);
	}
	struct stage *first = &c->of[0];

	if (first->kernel->share && first->kernel->share(&first->worker))
		fail_msg("%s: share() failed", id);
	for (int i = 1; i < size; i++)
		c->of[i].worker.shared = first->worker.shared;
	crew_all(c, crew_call_setup);
	for (int i = 0; i < size; i++)
		if (c->wrong[i])
			fail_msg("%s: setup() says %s", id, c->wrong[i]);
}

/* Returns the units of all. */
static inline uint64_t crew_run(struct crew *c, uint64_t passes)
{
	uint64_t units = 0;

	c->passes = passes;
	crew_all(c, crew_call_run);
	for (int i = 0; i < c->size; i++)
		units += c->units[i];
	return units;
}

/* What the first member says that finds something wrong; NULL: none does. */
static inline const char *crew_verify(struct crew *c)
{
	const char *wrong = NULL;

	for (int i = 0; i < c->size && !wrong; i++)
		wrong = stage_verify(&c->of[i]);
	return wrong;
}

static inline void crew_end(struct crew *c)
{
	const struct kernel *k = c->of[0].kernel;

	for (int i = 1; i < c->size && k->teardown; i++)
		k->teardown(&c->of[i].worker);
	struct worker shared = c->of[0].worker;

	stage_end(&c->of[0]);
	if (k->unshare)
		k->unshare(&shared);
}

#endif
