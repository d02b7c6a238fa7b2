/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bounded queues whose words and messages lie in a vector.
 *
 *   spsc        a ring of one thread that puts and one that takes (Lamport, 1983); each looks at
 *               the other's position only when its last look says full or empty.
 *   mpsc, mpmc  a ring whose cells have numbers: who puts or takes claims a position, and the
 *               number says when the cell is free, or filled (Vyukov, 2011).
 *
 * A claim is of a whole batch, or of nothing. Positions count from 0 and never wrap.
 */
#ifndef QUEUES_H
#define QUEUES_H

#include <stdbool.h>
#include <stdint.h>

#include "lines/coherence.h"

enum queue_method { BY_SPSC, BY_MPSC, BY_MPMC };

#define QUEUE_LINE ((size_t)64)

/* The first word of a cell; the message begins after it. */
struct queue_cell {
	uint64_t number;
	uint64_t words[];
};

struct queue {
	enum queue_method by;
	uint64_t capacity; /* messages: a power of two, at least 2: with one, a cell that is filled
			      has the number of one that is free */
	size_t cell;       /* bytes, whole lines */
	char *base;
};

/* What a thread knows of the other side's position (spsc). */
struct queue_view {
	uint64_t other;
};

size_t queue_bytes(uint64_t capacity, size_t cell);
/* While no thread uses it. */
void queue_init(struct queue *q);

struct queue_cell *queue_cell(const struct queue *q, uint64_t at);

/* Positions *at to *at + n - 1 are the caller's to fill, then to give: false: the queue is full. */
bool queue_claim_put(struct queue *q, struct queue_view *v, uint64_t n, uint64_t *at);
void queue_put(struct queue *q, uint64_t at, uint64_t n);
/* The same to read: false: empty. */
bool queue_claim_take(struct queue *q, struct queue_view *v, uint64_t n, uint64_t *at);
void queue_took(struct queue *q, uint64_t at, uint64_t n);

/* Messages taken, or claimed to be; and those in it at this moment, about. */
uint64_t queue_taken(const struct queue *q);
uint64_t queue_fill(const struct queue *q);

#endif
