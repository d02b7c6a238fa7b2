/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading by tables, and what is quickest there. */
#include "kvread_read.h"

#include "trials.h"

const char *const kv_follow_names[] = {"auto", "no", "yes", NULL};

/* Ahead of what is read: the time of this much is that of some accesses to memory. Half and twice
 * as much are about as quick. */
#define AHEAD ((size_t)8 << 10)

/* Rows may begin within one. */
#define LINE ((size_t)64)

static const struct kv_piece *piece_of(const struct kv_reading *r, const struct kv_place *p)
{
	return &r->caches[p->cache].pieces[p->piece];
}

static const char *row_at(const struct kv_reading *r, const struct kv_place *p)
{
	return r->caches[p->cache].base + (piece_of(r, p)->row + p->at) * r->row_bytes;
}

static size_t left_of_piece(const struct kv_reading *r, const struct kv_place *p)
{
	return piece_of(r, p)->count - p->at;
}

/* By so many rows, at most those that are left of the piece. Returns whether that was the last row
 * of all. */
static bool move_on(const struct kv_reading *r, struct kv_place *p, size_t rows)
{
	const size_t count = piece_of(r, p)->count;

	p->at += rows;
	if (p->at < count)
		return false;
	p->at = 0;
	p->before += count;
	if (++p->piece < r->caches[p->cache].npieces)
		return false;
	p->piece = p->before = 0;
	if (++p->cache < r->ncaches)
		return false;
	p->cache = 0;
	return true;
}

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void fetch(const char *from, const char *end)
{
	for (const char *p = from - (uintptr_t)from % LINE; p < end; p += LINE)
		__builtin_prefetch(p, 0, 2);
}

/* Of so many rows that are fetched next, which may be in several pieces. */
static void fetch_rows(struct kv_reading *r, size_t rows)
{
	for (size_t n; rows; rows -= n) {
		const char *from = row_at(r, &r->fetched);

		n = smaller(rows, left_of_piece(r, &r->fetched));
		fetch(from, from + n * r->row_bytes);
		move_on(r, &r->fetched, n);
	}
}

/* At most n rows, up to the end of a piece; returns how many. */
static size_t some_rows(struct kv_reading *r, size_t n)
{
	const struct kv_cache *c = &r->caches[r->next.cache];
	const size_t left = left_of_piece(r, &r->next), first = r->next.before + r->next.at;
	const size_t most = r->follows ? r->product.way.rows : left;
	const size_t rows = smaller(smaller(n, left), most);
	const struct gemv_rows part = {row_at(r, &r->next), rows, left - rows};

	if (r->follows)
		fetch_rows(r, rows);
	gemv_multiply(&r->product, &part, c->scales + first, c->y + first * r->product.batch);
	r->whole |= move_on(r, &r->next, rows);
	return rows;
}

void kv_read(struct kv_reading *r, uint64_t rows)
{
	while (rows)
		rows -= some_rows(r, rows);
}

void kv_read_whole(struct kv_reading *r)
{
	while (!r->whole)
		some_rows(r, SIZE_MAX);
}

/* A way, and whether it follows the tables. */
struct way {
	struct gemv_way way;
	bool follows;
};

/* Reading goes on with it where it is. */
static void take(struct kv_reading *r, const struct way *w)
{
	size_t ahead = r->row_bytes < AHEAD ? AHEAD / r->row_bytes : 1;

	r->product.way = w->way;
	r->follows = w->follows;
	r->fetched = r->next;
	for (size_t n; ahead; ahead -= n) {
		n = smaller(ahead, left_of_piece(r, &r->fetched));
		move_on(r, &r->fetched, n);
	}
}

struct trial {
	struct kv_reading *reading;
	struct way ways[TRIAL_WAYS];
	size_t n, rows; /* of a trial */
};

_Static_assert(2 * GEMV_WAYS <= TRIAL_WAYS, "each way has a trial, also one that follows");

static double try_way(void *arg, size_t k)
{
	struct trial *t = arg;

	take(t->reading, &t->ways[k]);
	kv_read(t->reading, t->rows);
	return (double)t->rows;
}

static size_t rows_of(const struct kv_reading *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->ncaches; i++)
		n += r->caches[i].rows;
	return n;
}

void kv_choose(struct kv_reading *r, const struct gemv_way *ways, size_t n, int follow)
{
	struct trial t = {.reading = r, .rows = smaller(gemv_trial_rows(&r->product), rows_of(r))};

	for (size_t k = 0; k < n; k++) {
		if (follow != KV_FOLLOW_YES)
			t.ways[t.n++] = (struct way){ways[k], false};
		if (follow != KV_FOLLOW_NO && !gemv_ahead(ways[k].ahead))
			t.ways[t.n++] = (struct way){ways[k], true};
	}
	const size_t best = trials_quickest(t.n, try_way, &t);

	r->next = (struct kv_place){0};
	take(r, &t.ways[best]);
	r->whole = false;
}
