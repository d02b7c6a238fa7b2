/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two comparisons, without a system call: most calls end here. */
#include "spm/decide.h"

static double reuse_of(enum spm_reuse_mode mode, const struct spm_use *use, size_t page_bytes)
{
	double executions = (double)use->executions, bytes = (double)use->bytes;

	switch (mode) {
	case SPM_PER_ELEMENT:
		return executions * (double)use->element_size / bytes;
	case SPM_PER_PAGE:
		return executions * (double)page_bytes / bytes;
	case SPM_RAW:
		break;
	}
	return executions;
}

enum spm_answer spm_decide(const struct spm_config *c, const struct spm_use *use, size_t page_bytes)
{
	if (c->size_test && (double)use->bytes <= c->cache_factor * (double)c->cache_bytes)
		return SPM_TOO_SMALL;
	if (reuse_of(c->reuse_mode, use, page_bytes) <= c->reuse_threshold)
		return SPM_TOO_LITTLE_REUSE;
	return SPM_DONE;
}
