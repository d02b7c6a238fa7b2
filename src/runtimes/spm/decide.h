/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rule by which calls are accepted: figure 3.6 of the dissertation, figure 10 of the paper. */
#ifndef SPM_DECIDE_H
#define SPM_DECIDE_H

#include "spm/spm.h"

/* The array's part that a loop accesses, and how often. */
struct spm_use {
	uint64_t bytes; /* at least 1 */
	uint64_t executions;
	size_t element_size;
};

/* SPM_TOO_SMALL, SPM_TOO_LITTLE_REUSE, or SPM_DONE: worth a move. */
enum spm_answer spm_decide(
	const struct spm_config *c, const struct spm_use *use, size_t page_bytes);

#endif
