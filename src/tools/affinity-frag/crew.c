/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that take the next item each until none is left. */
#include "affinity-frag/crew.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "base/linux.h"

struct crew {
	void (*work)(void *arg, int item);
	void *arg;
	int items;
	atomic_int next;
};

static void *member(void *arg)
{
	struct crew *c = arg;

	for (int item = atomic_fetch_add(&c->next, 1); item < c->items;
		item = atomic_fetch_add(&c->next, 1))
		c->work(c->arg, item);
	return NULL;
}

static int usable_cpus(void)
{
	unsigned long mask[LINUX_MASK_WORDS] = {0};

	if (sched_getaffinity(0, sizeof(mask), (cpu_set_t *)mask))
		return 1;
	return CPU_COUNT_S(sizeof(mask), (cpu_set_t *)mask);
}

void crew_work(int items, void (*work)(void *arg, int item), void *arg)
{
	struct crew c = {.work = work, .arg = arg, .items = items};
	int cpus = items > 1 ? usable_cpus() : 1, others = 0;
	pthread_t threads[CREW_MOST];

	cpus = cpus < items ? cpus : items;
	while (others < cpus - 1 && others < CREW_MOST - 1 &&
		!pthread_create(&threads[others], NULL, member, &c))
		others++;
	member(&c);
	while (others)
		pthread_join(threads[--others], NULL);
}
