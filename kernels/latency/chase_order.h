/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Orders of 0..n-1 that no prefetcher can guess, and limits, of chase.c and tiers.c. */
#ifndef CHASE_ORDER_H
#define CHASE_ORDER_H

#include <stdint.h>
#include <stdlib.h>

/* A processor may also fetch the neighbours of a line: the other line of its pair, or a group of
 * four. So each way through all blocks of this size visits one place of each block, and the next
 * way visits another one. By then the cache has evicted the neighbours, if it is smaller than the
 * vector. */
#define BLOCK 256u

/* verify() completes the last cycle if that needs at most this many loads: at 100 ns a load, half a
 * second. */
#define MOST_LEFT (UINT64_C(1) << 22)

/* 0..n-1 in an order that depends on the key. Up to MOST_SHUFFLED the order comes from a shuffled
 * table, beyond from a bijection, which needs no memory and mixes well for such n. */
struct order {
	uint64_t n, mask, at, key;
	int half;
	uint32_t *table; /* NULL: too large */
};

#define MOST_SHUFFLED 65536u

/* A bijection of 0..mask: addition, multiplication by an odd number, and folding the upper half
 * into the lower one are all invertible. The constants are those of Stafford's mix 13 (as in
 * splitmix64). */
static inline uint64_t scatter(uint64_t x, const struct order *o)
{
	static const uint64_t factors[] = {
		0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 0xd6e8feb86659fd93};

	for (int i = 0; i < 3; i++) {
		x = (x + 0x632be59bd9b4e019 * (uint64_t)(i + 1) + (o->key >> 20 * i)) & o->mask;
		x ^= x >> o->half;
		x = x * factors[i] & o->mask;
	}
	return x ^ x >> o->half;
}

/* Maps a number to 64 bits that look random: scatter() over all 64 bits. */
static inline uint64_t mixed(uint64_t x)
{
	static const struct order all = {.mask = UINT64_MAX, .half = 31};

	return scatter(x, &all);
}

/* Fisher and Yates; the bias of the remainder is below n / 2^64. */
static inline void shuffle(struct order *o)
{
	for (uint32_t i = 0; i < o->n; i++)
		o->table[i] = i;
	for (uint32_t i = (uint32_t)o->n; i > 1; i--) {
		uint32_t k = (uint32_t)(mixed(o->key + i) % i), last = o->table[i - 1];

		o->table[i - 1] = o->table[k];
		o->table[k] = last;
	}
}

/* Starts a new order, given by key. */
static inline void order_by(struct order *o, uint64_t key)
{
	o->key = mixed(key);
	o->at = 0;
	if (o->table)
		shuffle(o);
}

/* Returns 0, or -1 if memory is short. */
static inline int order_init(struct order *o, uint64_t n)
{
	int bits = 0;

	while ((UINT64_C(1) << bits) < n)
		bits++;
	*o = (struct order){.n = n, .mask = (UINT64_C(1) << bits) - 1, .half = bits / 2 + 1};
	if (n <= MOST_SHUFFLED && !(o->table = malloc(n * sizeof(*o->table))))
		return -1;
	order_by(o, 0);
	return 0;
}

/* Returns each of 0..n-1 once in n calls. */
static inline uint64_t next_of(struct order *o)
{
	uint64_t x;

	if (o->table)
		return o->table[o->at++ % o->n];
	do
		x = scatter(o->at++ & o->mask, o);
	while (x >= o->n);
	return x;
}

#endif
