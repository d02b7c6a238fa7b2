/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One runtime on the fake machine, and what its calls did. Include it after cmocka.h. */
#ifndef SPM_CALLS_H
#define SPM_CALLS_H

#include "fake.h"

static struct spm *s;
static struct spm_config config;

static inline void start(void)
{
	s = fake_init(&config);
}

static inline int begin(void **state)
{
	fake_reset(state);
	config = fake_eager();
	return 0;
}

static inline int end(void **state)
{
	(void)state;
	spm_end(s);
	s = NULL;
	return 0;
}

static const enum spm_mover movers[] = {SPM_MBIND, SPM_MOVE_PAGES};

/* The test once for each mover, each time on a machine as at the start. */
#define FOR_EACH_MOVER(i)                                               \
	for (size_t i = 0; i < 2 && (end(NULL), fake_reset(NULL), 1) && \
			   (config.mover = movers[i], start(), 1);      \
		i++)

/* Calls for whole pages. */
static inline enum spm_answer call(size_t first, size_t last)
{
	return spm_call(s, fake_address(first, 0), 0,
		(ptrdiff_t)((last - first) * s->page_bytes) - 1, 1000000, 8);
}

static inline void assert_on(size_t first, size_t last, int node)
{
	for (size_t p = first; p < last; p++)
		if (fake.node_of[p] != node)
			fail_msg("page %zu is on node %d, not %d", p, fake.node_of[p], node);
}

/* Calls that the counts describe: asked = moved + there + pinned + refused. */
static inline void assert_counts(uint64_t moved, uint64_t there, uint64_t pinned, uint64_t refused)
{
	struct spm_counts c = spm_total(s);

	assert_int_equal(c.moved, moved);
	assert_int_equal(c.there, there);
	assert_int_equal(c.pinned, pinned);
	assert_int_equal(c.refused, refused);
	assert_int_equal(c.pages_asked, moved + there + pinned + refused);
	assert_int_equal(c.calls, c.too_small + c.too_little_reuse + c.invalid + c.accepted);
}

#endif
