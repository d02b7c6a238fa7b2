/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loads and stores of words of 8 bytes in the thread's vectors of any element type, with the names
 * of SMT-Bench. A unit is one load or store, a round 4096 of them; the next round continues where
 * the last one ended, so that enough rounds access all of a vector of any size.
 *
 *   load_ind    loads place after place, independent of each other; store_ind stores them
 *   load_rand   loads 32 places in a row from a random one on, repeatedly; store_rand stores them
 *
 * They use the first of the thread's vectors; a place is a word every `stride` bytes, by
 * default every 128, as in SMT-Bench. keep() and keep_memory() keep each load and store where the
 * source has it.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "keep.h"
#include "memory.h"

#define BLOCK 32 /* places in a turn of a loop, and in a row from a random one on */
#define MARK  UINT64_C(0x5858585858585858) /* in each byte what the access kernels write */

/* clang-format off */
#define AT(i)    (*(word *)((char *)p + (i)))
#define LOAD(i)  { long loaded = (long)AT(i); keep(loaded); }
#define STORE(i) { AT(i) = mark; keep_memory(); }

/* Accesses eight places and advances p. The addresses are sums of registers that the loop does not
 * change, so the loop has few instructions besides the loads and stores. */
#define EIGHT(X) \
	X(0) X(s1) X(s2) X(s3) X(s4) X(s5) X(s6) X(s7) \
	keep_changed(p); p = (word *)((char *)p + 2 * s4);
#define PLACES(X) EIGHT(X) EIGHT(X) EIGHT(X) EIGHT(X)
#define STRIDE(s, times) ptrdiff_t s = (times) * stride; keep_changed(s);
#define STRIDES \
	STRIDE(s1, 1) STRIDE(s2, 2) STRIDE(s3, 3) STRIDE(s4, 4) STRIDE(s5, 5) STRIDE(s6, 6) STRIDE(s7, 7)
/* clang-format on */

struct place_args {
	struct extent stride;
};

static const struct param place_params[] = {
	{.name = "stride",
		.type = PARAM_EXTENT,
		.offset = offsetof(struct place_args, stride),
		.fallback = "128B", /* what SMT-Bench aligns its elements to */
		.min = 1,
		.max = 0x1p50,
		.help = "distance of one place to the next in memory; 8B: no gap"},
	{0},
};

/* The position of a thread between two rounds. */
struct position {
	word *at;
	uint64_t random;
	uint64_t units; /* done by the last run() */
};

static struct position *begin(struct worker *w)
{
	struct position *own = w->own = calloc(1, sizeof(*own));

	if (!own)
		return NULL;
	own->at = w->vectors[0].base;
	own->random = 0x9e3779b97f4a7c15 + (uint64_t)w->id;
	return own;
}

static void memory_teardown(struct worker *w)
{
	free(w->own);
	w->own = NULL;
}

static size_t stride_of(const struct worker *w)
{
	const struct place_args *args = w->args;

	return stride_bytes(&w->vectors[0], args->stride);
}

static size_t places_of(const struct worker *w)
{
	return places_in(&w->vectors[0], stride_of(w));
}

static const char *places_check(const struct worker *w, char *why, size_t n)
{
	const struct place_args *args = w->args;

	if (check_stride(&w->vectors[0], args->stride, why, n))
		return why;
	if (places_of(w) >= BLOCK)
		return NULL;
	snprintf(why, n,
		"%zu bytes have %zu places at a stride of %zu bytes; it needs %d: a vector of "
		"%zuB, or "
		"a smaller stride",
		w->vectors[0].elements * w->vectors[0].element_size, places_of(w), stride_of(w),
		BLOCK, (BLOCK - 1) * stride_of(w) + sizeof(word));
	return why;
}

/* With a stride longer than a line, only some of the lines are accessed. */
static double places_reach(const struct worker *w)
{
	const double reach = 64.0 / (double)stride_of(w);

	return reach < 1 ? reach : 1;
}

static const char *places_revisits(const struct worker *w, char *why, size_t n)
{
	return revisited(places_of(w), "places of the vector", why, n);
}

static const char *places_setup(struct worker *w)
{
	return begin(w) ? NULL : "no memory";
}

static word *place(const struct worker *w, size_t i)
{
	return (word *)((char *)w->vectors[0].base + i * stride_of(w));
}

#define IND_LOOP(name, WORD)                                                                    \
	HOT word *loop_##name(                                                                  \
		uint64_t turns, word *p, word *first, const word *end, ptrdiff_t stride)        \
	{                                                                                       \
		STRIDES                                                                         \
		word mark = MARK;                                                               \
		keep_changed(mark);                                                             \
		do {                                                                            \
			PLACES(WORD)                                                            \
			if (p == end) {                                                         \
				p = first;                                                      \
				keep_changed(p); /* a jump, which is predicted; a move would be \
						    waited for */                               \
			}                                                                       \
		} while (--turns);                                                              \
		return p;                                                                       \
	}                                                                                       \
	static uint64_t name##_run(struct worker *w, uint64_t passes)                           \
	{                                                                                       \
		struct position *own = w->own;                                                  \
                                                                                                \
		own->at = loop_##name(passes * (ROUND / BLOCK), own->at, place(w, 0),           \
			place(w, places_of(w) / BLOCK * BLOCK), (ptrdiff_t)stride_of(w));       \
		own->units = passes * ROUND;                                                    \
		return passes * ROUND;                                                          \
	}

#define RAND_LOOP(name, WORD)                                                                 \
	HOT word *loop_##name(                                                                \
		uint64_t turns, word *base, uint64_t n, uint64_t *state, ptrdiff_t stride)    \
	{                                                                                     \
		STRIDES                                                                       \
		uint64_t random = *state;                                                     \
		word *p;                                                                      \
                                                                                              \
		word mark = MARK;                                                             \
		keep_changed(mark);                                                           \
		do {                                                                          \
			random = xorshift(random);                                            \
			keep_changed(n); /* gcc 14 widens it before the loop, on the stack */ \
			p = (word *)((char *)base + below(random, n) * (uint64_t)s1);         \
			PLACES(WORD)                                                          \
		} while (--turns);                                                            \
		*state = random;                                                              \
		return p;                                                                     \
	}                                                                                     \
	static uint64_t name##_run(struct worker *w, uint64_t passes)                         \
	{                                                                                     \
		struct position *own = w->own;                                                \
                                                                                              \
		own->at = loop_##name(passes * (ROUND / BLOCK), place(w, 0),                  \
			places_of(w) - BLOCK + 1, &own->random, (ptrdiff_t)stride_of(w));     \
		own->units = passes * ROUND;                                                  \
		return passes * ROUND;                                                        \
	}

IND_LOOP(load_ind, LOAD)
IND_LOOP(store_ind, STORE)
RAND_LOOP(load_rand, LOAD)
RAND_LOOP(store_rand, STORE)

/* Places [from, to) of the first vector. */
static const char *marked(const struct worker *w, size_t from, size_t to, char *why, size_t n)
{
	for (size_t i = from; i < to; i++)
		if (*place(w, i) != MARK) {
			snprintf(why, n, "place %zu, to which it stored, holds %#" PRIx64, i,
				(uint64_t)*place(w, i));
			return why;
		}
	return NULL;
}

static size_t place_index(const struct worker *w, const word *p)
{
	return (size_t)((const char *)p - (const char *)w->vectors[0].base) / stride_of(w);
}

/* Checks up to 65536 places, those of the last stores. An operation that takes turns with this one
 * may have overwritten earlier stores. */
static const char *store_ind_verify(const struct worker *w, char *why, size_t n)
{
	const struct position *own = w->own;
	const size_t all = places_of(w) / BLOCK * BLOCK, at = place_index(w, own->at);
	size_t some = own->units < all ? own->units : all;

	some = some < 65536 ? some : 65536;
	const size_t behind = some < at ? some : at;
	const char *wrong = marked(w, at - behind, at, why, n);

	return wrong ? wrong : marked(w, all - (some - behind), all, why, n);
}

/* Checks the last random places; the loop ends behind them. */
static const char *store_rand_verify(const struct worker *w, char *why, size_t n)
{
	const struct position *own = w->own;
	const size_t at = place_index(w, own->at);

	return own->units ? marked(w, at - BLOCK, at, why, n) : NULL;
}

#define PLACES_KERNEL(name, what, load, store, check_result, text) \
	const struct kernel name##_kernel = {                      \
		.summary = text,                                   \
		.unit = what,                                      \
		.params = place_params,                            \
		.args_size = sizeof(struct place_args),            \
		.min_vectors = 1,                                  \
		.types = TYPES_WORDS,                              \
		.per_unit = {.loads = load, .stores = store},      \
		.accesses.reach = places_reach,                    \
		.check = places_check,                             \
		.accesses.revisits = places_revisits,              \
		.setup = places_setup,                             \
		.run = name##_run,                                 \
		.verify = check_result,                            \
		.teardown = memory_teardown,                       \
	};

PLACES_KERNEL(load_ind, "load", 1, 0, NULL, "loads a word every `stride` bytes, independent")
PLACES_KERNEL(load_rand, "load", 1, 0, NULL, "loads 32 words `stride` apart from a random place on")
PLACES_KERNEL(store_ind, "store", 0, 1, store_ind_verify,
	"stores a word every `stride` bytes, independent")
PLACES_KERNEL(store_rand, "store", 0, 1, store_rand_verify,
	"stores 32 words `stride` apart from a random place on")
