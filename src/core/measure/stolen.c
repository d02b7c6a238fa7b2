/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the stolen time of CPUs before and after samples. */
#include "measure/stolen.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "system/watch.h"

void stolen_init(struct stolen *s, int cpus)
{
	s->cpus = cpus;
	s->ns = alloc_zeroed(2 * (size_t)cpus + 1, sizeof(*s->ns));
	if (!watch_take_stolen(s->ns, cpus))
		stolen_free(s);
}

void stolen_free(struct stolen *s)
{
	free(s->ns);
	s->ns = NULL;
}

void stolen_before(const struct stolen *s)
{
	if (s->ns)
		watch_take_stolen(s->ns, s->cpus);
}

void stolen_after(const struct stolen *s)
{
	if (s->ns)
		watch_take_stolen(s->ns + s->cpus, s->cpus);
}

int64_t stolen_of(const struct stolen *s, int cpu)
{
	return s->ns ? s->ns[s->cpus + cpu] - s->ns[cpu] : 0;
}
