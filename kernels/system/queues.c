/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "queues.h"

/* Of the next message to be put, and to be taken: a line each. */
static uint64_t *puts_of(const struct queue *q)
{
	return (uint64_t *)q->base;
}

static uint64_t *takes_of(const struct queue *q)
{
	return (uint64_t *)(q->base + APART);
}

size_t queue_bytes(uint64_t capacity, size_t cell)
{
	return 2 * APART + (size_t)capacity * cell;
}

struct queue_cell *queue_cell(const struct queue *q, uint64_t at)
{
	return (struct queue_cell *)(q->base + 2 * APART +
				     (size_t)(at & (q->capacity - 1)) * q->cell);
}

void queue_init(struct queue *q)
{
	*puts_of(q) = *takes_of(q) = 0;
	for (uint64_t i = 0; i < q->capacity; i++)
		queue_cell(q, i)->number = i;
}

/* ---- one thread on each side */

static bool room_for(const struct queue *q, uint64_t at, uint64_t n, struct queue_view *v)
{
	if (at + n - v->other <= q->capacity)
		return true;
	v->other = __atomic_load_n(takes_of(q), __ATOMIC_ACQUIRE);
	return at + n - v->other <= q->capacity;
}

static bool filled_for(const struct queue *q, uint64_t at, uint64_t n, struct queue_view *v)
{
	if (v->other - at >= n)
		return true;
	v->other = __atomic_load_n(puts_of(q), __ATOMIC_ACQUIRE);
	return v->other - at >= n;
}

/* ---- several: `ahead` is 0 for who puts and 1 for who takes */

/* A cell that is free, or filled, for a position stays so until the position is claimed. */
static bool ready(const struct queue *q, uint64_t at, uint64_t n, uint64_t ahead)
{
	for (uint64_t i = at + n; i-- > at;) {
		const uint64_t number =
			__atomic_load_n(&queue_cell(q, i)->number, __ATOMIC_ACQUIRE);

		if (number != i + ahead)
			return false;
	}
	return true;
}

static bool claim(struct queue *q, uint64_t *position, uint64_t n, uint64_t ahead, uint64_t *at)
{
	*at = __atomic_load_n(position, __ATOMIC_RELAXED);
	for (;;) {
		const uint64_t before = *at;

		if (ready(q, before, n, ahead)) {
			if (__atomic_compare_exchange_n(position, at, before + n, false,
				    __ATOMIC_RELAXED, __ATOMIC_RELAXED))
				return true;
			continue;
		}
		*at = __atomic_load_n(position, __ATOMIC_RELAXED);
		if (*at == before)
			return false;
	}
}

static void number_cells(struct queue *q, uint64_t at, uint64_t n, uint64_t ahead)
{
	for (uint64_t i = at; i < at + n; i++)
		__atomic_store_n(&queue_cell(q, i)->number, i + ahead, __ATOMIC_RELEASE);
}

/* ---- all */

bool queue_claim_put(struct queue *q, struct queue_view *v, uint64_t n, uint64_t *at)
{
	if (q->by != BY_SPSC)
		return claim(q, puts_of(q), n, 0, at);
	*at = __atomic_load_n(puts_of(q), __ATOMIC_RELAXED);
	return room_for(q, *at, n, v);
}

void queue_put(struct queue *q, uint64_t at, uint64_t n)
{
	if (q->by == BY_SPSC)
		__atomic_store_n(puts_of(q), at + n, __ATOMIC_RELEASE);
	else
		number_cells(q, at, n, 1);
}

bool queue_claim_take(struct queue *q, struct queue_view *v, uint64_t n, uint64_t *at)
{
	if (q->by != BY_SPSC)
		return claim(q, takes_of(q), n, 1, at);
	*at = __atomic_load_n(takes_of(q), __ATOMIC_RELAXED);
	return filled_for(q, *at, n, v);
}

void queue_took(struct queue *q, uint64_t at, uint64_t n)
{
	if (q->by == BY_SPSC)
		__atomic_store_n(takes_of(q), at + n, __ATOMIC_RELEASE);
	else
		number_cells(q, at, n, q->capacity);
}

uint64_t queue_taken(const struct queue *q)
{
	return __atomic_load_n(takes_of(q), __ATOMIC_RELAXED);
}

uint64_t queue_fill(const struct queue *q)
{
	const uint64_t taken = __atomic_load_n(takes_of(q), __ATOMIC_RELAXED);
	const uint64_t put = __atomic_load_n(puts_of(q), __ATOMIC_RELAXED);

	return put > taken ? put - taken < q->capacity ? put - taken : q->capacity : 0;
}
