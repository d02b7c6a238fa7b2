/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds a kernel whose loop the compiler removed: its rate is higher than any core can reach. */
#include "measure/plausible.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

/* Bytes per nanosecond between a core and its first cache: today's widest cores load two vectors of
 * 64 bytes and store one in each cycle, which is 1152 at 6 GHz. No operation is smaller than a
 * byte, so the limit also holds for units that access no memory. */
#define MOST_PER_NS 2000.0

const char *plausible_rate(
	const struct kernel *k, const void *args, uint64_t units, uint64_t ns, char *why, size_t n)
{
	const struct work work = k->work ? k->work(args) : k->per_unit;
	const double each = fmax(1, fmax(work.bytes, work.loads + work.stores));

	if (k->nothing || !units || (ns && (double)units * each <= MOST_PER_NS * (double)ns))
		return NULL;
	snprintf(why, n,
		"it says that it did %" PRIu64 " %s%s in %" PRIu64
		" ns, which no core can; did the compiler remove the loop?",
		units, k->unit, units == 1 ? "" : "s", ns);
	return why;
}
