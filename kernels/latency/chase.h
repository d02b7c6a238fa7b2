/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameters of chase. */
#ifndef CHASE_H
#define CHASE_H

#include "kernel.h"

enum pages { PAGES_RANDOM, PAGES_LOCAL };

struct chase_args {
	uint64_t chains, loads;
	struct extent stride;
	int pages;
	struct extent page;
};

#endif
