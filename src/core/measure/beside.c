/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks at the CPUs beside threads every now and then. */
#include "measure/beside.h"

#include <stdlib.h>

#include "measure/samples.h"

/* Two hardware threads that work all the time slow each other by 20 to 60 %; of a twentieth of the
 * time that is 1 to 3 %. */
#define BUSY 0.05

/* Ten ticks, for a share to a tenth; reading costs large machines a millisecond, which would be
 * more than many samples take. */
#define LOOK_NS UINT64_C(100000000)

static void make_fillers(struct beside *s, const struct plan *p, const bool *used)
{
	bool *own = p->request->interleave ? NULL : plan_cpus(p);

	near_init(&s->near, p->topo, used ? used : own);
	free(own);
	if (!near_shares_core(&s->near))
		near_free(&s->near);
	s->made = true;
}

void beside_begin(struct beside *s, const struct plan *p, const bool *used)
{
	if (!s->made)
		make_fillers(s, p, used);
	near_begin(&s->near);
}

void beside_look(struct beside *s, struct op_result *r, bool now)
{
	if (!s->near.count || (!now && near_span(&s->near) < LOOK_NS))
		return;
	const bool busy = near_look(&s->near).core > BUSY;

	for (; s->looked < r->count; s->looked++)
		r->samples[s->looked].disturbed |= busy ? DISTURBED_SIBLING : 0;
}

void beside_end(struct beside *s, struct op_result *r, bool last)
{
	beside_look(s, r, last);
	near_pause(&s->near);
}

void beside_free(struct beside *s)
{
	near_free(&s->near);
}
