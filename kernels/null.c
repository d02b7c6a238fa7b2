/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * null does nothing: it measures the driver itself, and tests of the driver need no memory. A round
 * does nothing and counts as one call.
 */
#include "kernel.h"

static uint64_t null_run(struct worker *w, uint64_t passes)
{
	(void)w;
	return passes;
}

const struct kernel null_kernel = {
	.summary = "does nothing: the driver's own cost",
	.unit = "call",
	.nothing = true,
	.run = null_run,
};
