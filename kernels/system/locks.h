/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Locks of the threads of a vector, whose words lie in the vector, APART from each other.
 *
 *   ticket    who comes takes a number, and waits until it is served.
 *   mcs       a queue in which each waits at a word of its own (Mellor-Crummey, Scott, 1991).
 *   cna       the same; a holder gives the lock to the next of its own domain, and those that it
 *             passes over wait in a second queue (Dice, Kogan, 2019, arXiv 1810.05600). After
 *             `threshold` such hand-overs in a row that queue comes first.
 *   pthread   pthread_mutex_t, adaptive the one of glibc that looks a while before it sleeps.
 *   rw        pthread_rwlock_t.
 *
 * The first three are FIFO (cna within a domain), so that a waiter without CPU stops all after it.
 */
#ifndef LOCKS_H
#define LOCKS_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "lines/coherence.h"

enum lock_method { BY_TICKET, BY_MCS, BY_CNA, BY_PTHREAD, BY_ADAPTIVE, BY_RW };

/* A thread's place in the queue, and what it waits at. */
struct lock_waiter {
	_Alignas(APART) struct lock_waiter *next;
	uintptr_t go; /* 0: wait; 1: it has the lock; else it has, and the second queue begins there
		       */
	struct lock_waiter *last; /* of the second queue, in its first */
	uint32_t parked;
	int domain;
};

/* The first line of the vector. */
struct lock_words {
	_Alignas(APART) struct lock_waiter *tail;
	uint32_t tickets, served, sleepers;
	uint64_t passed_on; /* within the domain, in a row */
	union {
		pthread_mutex_t mutex;
		pthread_rwlock_t rw;
	};
};

struct locks {
	enum lock_method by;
	bool parks; /* of the first three: who waits long sleeps */
	uint64_t threshold;
	struct lock_words *words;
	struct lock_waiter *waiters; /* [threads] */
};

/* While none uses it: the words are new, whatever the vector held. Each thread then says its
 * domain. */
void locks_init(struct locks *l);
void locks_join(struct locks *l, int rank, int domain);

/* reads: shared with others that read; rw only. */
void locks_take(struct locks *l, int rank, bool reads);
void locks_give(struct locks *l, int rank);

#endif
