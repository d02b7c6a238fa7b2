/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "locks.h"

#include <limits.h>
#include <string.h>

#include "futex.h"
#include "wait.h"

/* A thread that parks looks so often before, some ten microseconds: about what a sleep costs. */
#define LOOKS_BEFORE_PARK 1000u
/* One that spins yields only where the holder or a waiter before it must have lost its CPU: after
 * milliseconds. */
#define LOOKS_BEFORE_YIELD 100000u

/* After a look that failed; returns whether it is time to park. */
static bool look_again(const struct locks *l, unsigned *looks)
{
	wait_relax();
	if (l->parks)
		return ++*looks >= LOOKS_BEFORE_PARK;
	if (++*looks >= LOOKS_BEFORE_YIELD)
		sched_yield();
	return false;
}

/* ---- ticket: who parks does so at the bit of its number */

static uint32_t bit_of(uint32_t ticket)
{
	return UINT32_C(1) << ticket % 32;
}

static void park_ticket(struct lock_words *w, uint32_t ticket)
{
	uint32_t served;

	__atomic_fetch_add(&w->sleepers, 1, __ATOMIC_SEQ_CST);
	while ((served = __atomic_load_n(&w->served, __ATOMIC_SEQ_CST)) != ticket)
		futex(&w->served, FUTEX_WAIT_BITSET, served, bit_of(ticket));
	__atomic_fetch_sub(&w->sleepers, 1, __ATOMIC_SEQ_CST);
}

static void take_ticket(const struct locks *l)
{
	struct lock_words *w = l->words;
	const uint32_t ticket = __atomic_fetch_add(&w->tickets, 1, __ATOMIC_RELAXED);
	unsigned looks = 0;

	while (__atomic_load_n(&w->served, __ATOMIC_ACQUIRE) != ticket)
		if (look_again(l, &looks)) {
			park_ticket(w, ticket);
			break;
		}
}

/* One of the two sees the other: the sleeper the number, or the holder the sleeper. */
static void give_ticket(const struct locks *l)
{
	struct lock_words *w = l->words;
	const uint32_t next = __atomic_load_n(&w->served, __ATOMIC_RELAXED) + 1;

	__atomic_store_n(&w->served, next, l->parks ? __ATOMIC_SEQ_CST : __ATOMIC_RELEASE);
	if (l->parks && __atomic_load_n(&w->sleepers, __ATOMIC_SEQ_CST))
		futex(&w->served, FUTEX_WAKE_BITSET, INT_MAX, bit_of(next));
}

/* ---- the queues */

static void let_go(const struct locks *l, struct lock_waiter *to, uintptr_t go)
{
	__atomic_store_n(&to->go, go, l->parks ? __ATOMIC_SEQ_CST : __ATOMIC_RELEASE);
	if (l->parks && __atomic_exchange_n(&to->parked, 0, __ATOMIC_SEQ_CST))
		futex(&to->parked, FUTEX_WAKE, 1, 0);
}

static bool may_go(const struct lock_waiter *me)
{
	return __atomic_load_n(&me->go, __ATOMIC_SEQ_CST);
}

/* A wake-up for an earlier wait is only another look. */
static void park(struct lock_waiter *me)
{
	while (!may_go(me)) {
		__atomic_store_n(&me->parked, 1, __ATOMIC_SEQ_CST);
		if (!may_go(me))
			futex(&me->parked, FUTEX_WAIT, 1, 0);
	}
}

static void take_queue(const struct locks *l, struct lock_waiter *me)
{
	unsigned looks = 0;

	__atomic_store_n(&me->next, NULL, __ATOMIC_RELAXED);
	__atomic_store_n(&me->go, 0, __ATOMIC_RELAXED);
	struct lock_waiter *before = __atomic_exchange_n(&l->words->tail, me, __ATOMIC_ACQ_REL);

	if (!before) {
		__atomic_store_n(&me->go, 1, __ATOMIC_RELAXED);
		return;
	}
	__atomic_store_n(&before->next, me, __ATOMIC_RELEASE);
	while (!__atomic_load_n(&me->go, __ATOMIC_ACQUIRE))
		if (look_again(l, &looks)) {
			park(me);
			break;
		}
}

static struct lock_waiter *next_of(const struct lock_waiter *w)
{
	return __atomic_load_n(&w->next, __ATOMIC_ACQUIRE);
}

/* Those from `first` to `last` join the second queue of the holder. */
static void put_aside(struct lock_waiter *me, struct lock_waiter *first, struct lock_waiter *last)
{
	struct lock_waiter *aside = me->go > 1 ? (struct lock_waiter *)me->go : first;

	if (me->go > 1)
		__atomic_store_n(&aside->last->next, first, __ATOMIC_RELEASE);
	__atomic_store_n(&last->next, NULL, __ATOMIC_RELEASE);
	aside->last = last;
	me->go = (uintptr_t)aside;
}

/* The next waiter of the holder's domain; those before it are put aside. NULL: there is none. */
static struct lock_waiter *find_near(struct lock_waiter *me)
{
	struct lock_waiter *first = next_of(me), *last = NULL, *w = first;

	for (; w && w->domain != me->domain; w = next_of(w))
		last = w;
	if (w && last)
		put_aside(me, first, last);
	return w;
}

/* Nobody waits in the main queue, unless one is just coming. */
static bool give_to_none(const struct locks *l, struct lock_waiter *me)
{
	struct lock_waiter *aside = me->go > 1 ? (struct lock_waiter *)me->go : NULL;
	struct lock_waiter *tail = me;

	if (!__atomic_compare_exchange_n(&l->words->tail, &tail, aside ? aside->last : NULL, false,
		    __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
		return false;
	if (aside) {
		l->words->passed_on = 0;
		let_go(l, aside, 1);
	}
	return true;
}

static void give_queue(const struct locks *l, struct lock_waiter *me)
{
	struct lock_waiter *near = NULL;

	if (!next_of(me) && give_to_none(l, me))
		return;
	while (!next_of(me))
		wait_relax(); /* it has taken its place, and is about to say so */
	if (l->by == BY_CNA && l->words->passed_on < l->threshold)
		near = find_near(me);
	l->words->passed_on = near ? l->words->passed_on + 1 : 0;
	if (near) {
		let_go(l, near, me->go);
	} else if (me->go > 1) {
		struct lock_waiter *aside = (struct lock_waiter *)me->go;

		__atomic_store_n(&aside->last->next, next_of(me), __ATOMIC_RELEASE);
		let_go(l, aside, 1);
	} else {
		let_go(l, next_of(me), 1);
	}
}

/* ---- all */

void locks_init(struct locks *l)
{
	pthread_mutexattr_t kind;

	memset(l->words, 0, sizeof(*l->words));
	if (l->by == BY_RW) {
		pthread_rwlock_init(&l->words->rw, NULL);
		return;
	}
	pthread_mutexattr_init(&kind);
	if (l->by == BY_ADAPTIVE)
		pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ADAPTIVE_NP);
	if (l->by >= BY_PTHREAD)
		pthread_mutex_init(&l->words->mutex, &kind);
	pthread_mutexattr_destroy(&kind);
}

void locks_join(struct locks *l, int rank, int domain)
{
	l->waiters[rank] = (struct lock_waiter){.domain = domain};
}

void locks_take(struct locks *l, int rank, bool reads)
{
	switch (l->by) {
	case BY_TICKET:
		take_ticket(l);
		break;
	case BY_MCS:
	case BY_CNA:
		take_queue(l, &l->waiters[rank]);
		break;
	case BY_RW:
		if (reads)
			pthread_rwlock_rdlock(&l->words->rw);
		else
			pthread_rwlock_wrlock(&l->words->rw);
		break;
	default:
		pthread_mutex_lock(&l->words->mutex);
	}
}

void locks_give(struct locks *l, int rank)
{
	switch (l->by) {
	case BY_TICKET:
		give_ticket(l);
		break;
	case BY_MCS:
	case BY_CNA:
		give_queue(l, &l->waiters[rank]);
		break;
	case BY_RW:
		pthread_rwlock_unlock(&l->words->rw);
		break;
	default:
		pthread_mutex_unlock(&l->words->mutex);
	}
}
