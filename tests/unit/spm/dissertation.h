/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rule of the runtime with the caches of the dissertation's machine. Include it after cmocka.h.
 */
#ifndef DISSERTATION_H
#define DISSERTATION_H

#include "spm/decide.h"

enum { CACHES = 8404992, PAGE = 4096 };

static struct spm_config config;

/* For the setup of a test. */
static int defaults(void **state)
{
	(void)state;
	spm_config_default(&config);
	config.cache_bytes = CACHES;
	return 0;
}

/* Would a range of so many elements, accessed so often, move? */
static bool accepts(uint64_t elements, size_t element_size, uint64_t executions)
{
	const struct spm_use use = {elements * element_size, executions, element_size};

	return spm_decide(&config, &use, PAGE) == SPM_DONE;
}

#endif
