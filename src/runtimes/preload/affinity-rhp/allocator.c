/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The whole family of malloc(): large requests are the runtime's, all others the next allocator's.
 * Blocks of the runtime begin at whole pages, so that free() needs one look at the address of
 * nearly all others.
 */
#include <errno.h>
#include <malloc.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rhp_library.h"
#include "rhp/rhp.h"

#define PAGE_MASK ((uintptr_t)4095)

/* dlsym() may allocate before anything was looked up: a little memory that nobody frees. */
static _Alignas(16) char early[16384];
static size_t early_used;

static void *early_malloc(size_t bytes)
{
	size_t at = early_used;

	if (bytes > sizeof(early) - at)
		return NULL;
	early_used += (bytes + 15) & ~(size_t)15;
	return early + at;
}

static void *early_calloc(size_t count, size_t size)
{
	return early_malloc(count * size);
}

static void *early_realloc(void *old, size_t bytes)
{
	char *new = early_malloc(bytes);
	size_t left = old ? (size_t)(early + sizeof(early) - (char *)old) : 0;

	if (new &&old)
		memmove(new, old, bytes < left ? bytes : left);
	return new;
}

static void *early_memalign(size_t alignment, size_t bytes)
{
	(void)alignment, (void)bytes;
	return NULL;
}

static void early_free(void *memory)
{
	(void)memory;
}

static size_t early_usable(void *memory)
{
	(void)memory;
	return 0;
}

static bool is_early(const void *memory)
{
	return (uintptr_t)memory - (uintptr_t)early < sizeof(early);
}

static void *first_malloc(size_t bytes);
static void *first_calloc(size_t count, size_t size);
static void *first_realloc(void *old, size_t bytes);
static void *first_memalign(size_t alignment, size_t bytes);
static void first_free(void *memory);
static size_t first_usable(void *memory);

static struct allocator {
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void *(*memalign)(size_t, size_t);
	void (*free)(void *);
	size_t (*usable)(void *);
} real = {first_malloc, first_calloc, first_realloc, first_memalign, first_free, first_usable};

void find_allocator(void)
{
	struct allocator found;

	if (real.malloc != first_malloc)
		return;
	need_handlers();
	real = (struct allocator){early_malloc, early_calloc, early_realloc, early_memalign,
		early_free, early_usable};
	found.malloc = next("malloc");
	found.calloc = next("calloc");
	found.realloc = next("realloc");
	found.memalign = next("memalign");
	found.free = next("free");
	found.usable = next("malloc_usable_size");
	real = found;
}

static void *first_malloc(size_t bytes)
{
	find_allocator();
	return real.malloc(bytes);
}

static void *first_calloc(size_t count, size_t size)
{
	find_allocator();
	return real.calloc(count, size);
}

static void *first_realloc(void *old, size_t bytes)
{
	find_allocator();
	return real.realloc(old, bytes);
}

static void *first_memalign(size_t alignment, size_t bytes)
{
	find_allocator();
	return real.memalign(alignment, bytes);
}

static void first_free(void *memory)
{
	find_allocator();
	real.free(memory);
}

static size_t first_usable(void *memory)
{
	find_allocator();
	return real.usable(memory);
}

/* ---- large requests */

/* NULL: the next allocator is asked, which may have memory, or sets errno. */
static __attribute__((noinline)) void *large(size_t alignment, size_t bytes)
{
	struct rhp *r = need_runtime();

	return r ? rhp_allocate_aligned(r, alignment, bytes) : NULL;
}

static bool is_large(size_t bytes)
{
	return __builtin_expect(bytes >= from_bytes, 0);
}

/* Only what begins at a page can be the runtime's. */
static bool may_be_ours(const void *memory)
{
	return __builtin_expect(!((uintptr_t)memory & PAGE_MASK), 0) && memory && runtime;
}

/* malloc() itself may be the program's here; its other name is ours. */
void *our_malloc(size_t bytes);

void *our_malloc(size_t bytes)
{
	void *block = is_large(bytes) ? large(1, bytes) : NULL;

	return block ? block : real.malloc(bytes);
}

EXPORT void *malloc(size_t bytes) __attribute__((alias("our_malloc")));

/* Whether this thread has come through our malloc(), and asked the next allocator. */
static __thread bool probed __attribute__((tls_model("initial-exec")));
static void *(*behind_probe)(size_t);

static void *probe(size_t bytes)
{
	probed = true;
	return behind_probe(bytes);
}

int own_allocator(void)
{
	void *(*called)(size_t) = (void *(*)(size_t))dlsym(RTLD_DEFAULT, "malloc");
	void (*its_free)(void *) = (void (*)(void *))dlsym(RTLD_DEFAULT, "free");

	if (!called || !its_free || called == our_malloc)
		return 0;
	/* few bytes: an allocator takes memory for them, and is not changed by a large request */
	behind_probe = real.malloc;
	real.malloc = probe;
	void *block = called(64);
	real.malloc = behind_probe;
	its_free(block);
	return !probed;
}

EXPORT void free(void *memory)
{
	if (may_be_ours(memory) && !rhp_release(runtime, memory))
		return;
	if (!is_early(memory))
		real.free(memory);
}

/* C23 */
EXPORT void free_sized(void *memory, size_t bytes);
EXPORT void free_aligned_sized(void *memory, size_t alignment, size_t bytes);

EXPORT void free_sized(void *memory, size_t bytes)
{
	(void)bytes;
	free(memory);
}

EXPORT void free_aligned_sized(void *memory, size_t alignment, size_t bytes)
{
	(void)alignment, (void)bytes;
	free(memory);
}

EXPORT void *calloc(size_t count, size_t size)
{
	size_t bytes;

	if (!__builtin_mul_overflow(count, size, &bytes) && is_large(bytes)) {
		void *block = large(1, bytes);

		if (block)
			return block;
	}
	return real.calloc(count, size);
}

/* The block of another allocator grows into one of ours. */
static void *take_over(void *old, size_t bytes)
{
	size_t had = old ? real.usable(old) : 0;
	void *block = large(1, bytes);

	if (!block)
		return real.realloc(old, bytes);
	if (had)
		memcpy(block, old, had < bytes ? had : bytes);
	real.free(old);
	return block;
}

/* A block of ours that becomes small: whole huge pages would be most of it. */
static void *hand_over(void *old, size_t had, size_t bytes)
{
	void *block = real.malloc(bytes);

	if (!block)
		return rhp_resize(runtime, old, bytes);
	memcpy(block, old, bytes < had ? bytes : had);
	rhp_release(runtime, old);
	return block;
}

EXPORT void *realloc(void *old, size_t bytes)
{
	size_t ours = may_be_ours(old) ? rhp_bytes(runtime, old) : 0;

	if (ours) {
		if (bytes)
			return is_large(bytes) ? rhp_resize(need_runtime(), old, bytes)
					       : hand_over(old, ours, bytes);
		rhp_release(runtime, old);
		return NULL;
	}
	if (__builtin_expect(is_early(old), 0)) {
		void *block = real.malloc(bytes);
		size_t left = (size_t)(early + sizeof(early) - (char *)old);

		if (block)
			memcpy(block, old, bytes < left ? bytes : left);
		return block;
	}
	return is_large(bytes) ? take_over(old, bytes) : real.realloc(old, bytes);
}

EXPORT void *reallocarray(void *old, size_t count, size_t size)
{
	size_t bytes;

	if (!__builtin_mul_overflow(count, size, &bytes))
		return realloc(old, bytes);
	errno = ENOMEM;
	return NULL;
}

static bool is_power(size_t n)
{
	return n && !(n & (n - 1));
}

EXPORT void *memalign(size_t alignment, size_t bytes)
{
	void *block = is_large(bytes) && is_power(alignment) ? large(alignment, bytes) : NULL;

	return block ? block : real.memalign(alignment, bytes);
}

EXPORT void *aligned_alloc(size_t alignment, size_t bytes)
{
	if (is_power(alignment))
		return memalign(alignment, bytes);
	errno = EINVAL;
	return NULL;
}

EXPORT int posix_memalign(void **block, size_t alignment, size_t bytes)
{
	int error = errno;

	if (!is_power(alignment) || alignment % sizeof(void *))
		return EINVAL;
	void *memory = memalign(alignment, bytes);
	errno = error;
	if (!memory)
		return ENOMEM;
	*block = memory;
	return 0;
}

EXPORT void *valloc(size_t bytes)
{
	return memalign((size_t)sysconf(_SC_PAGESIZE), bytes);
}

EXPORT void *pvalloc(size_t bytes)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (bytes > SIZE_MAX - page) {
		errno = ENOMEM;
		return NULL;
	}
	return memalign(page, (bytes + page - 1) / page * page);
}

EXPORT size_t malloc_usable_size(void *memory)
{
	size_t ours = may_be_ours(memory) ? rhp_bytes(runtime, memory) : 0;

	return ours || !memory || is_early(memory) ? ours : real.usable(memory);
}
