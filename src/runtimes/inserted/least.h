/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the runtime's tests say of a call before it is made. */
#ifndef INSERTED_LEAST_H
#define INSERTED_LEAST_H

#include <stdint.h>

#include "spm/spm.h"

static inline int64_t inserted_whole(double x)
{
	return x < 0x1p62 ? (int64_t)x : INT64_MAX;
}

/* For affinity_inserted_least and affinity_inserted_reuse: never stricter than the runtime, which
 * decides on the calls that are made. */
static inline int64_t inserted_least(const struct spm_config *c)
{
	return c->size_test ? inserted_whole(c->cache_factor * (double)c->cache_bytes) : 0;
}

static inline int64_t inserted_reuse(const struct spm_config *c)
{
	return c->reuse_mode == SPM_PER_ELEMENT ? inserted_whole(c->reuse_threshold) : 0;
}

#endif
