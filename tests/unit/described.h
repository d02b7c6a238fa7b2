/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine of a test: hwloc describes it instead of this one. */
#ifndef DESCRIBED_H
#define DESCRIBED_H

#include <stdlib.h>

#include "topology/topo.h"

/* variable: HWLOC_XMLFILE, whose paths are relative to the top folder, where make runs, or
 * HWLOC_SYNTHETIC. topo_free() frees it. */
static inline void described(struct topo *t, const char *variable, const char *value)
{
	struct errors e = {0};

	setenv(variable, value, 1);
	assert_int_equal(topo_load(t, &e), 0);
	unsetenv(variable);
	errors_free(&e);
}

#endif
