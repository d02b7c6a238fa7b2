/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of events. Each event is entered once and tried. */
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "counters/counters.h"
#include "counters/counting_parts.h"

static bool can_make(const char *name, bool in_system, char *why, size_t n)
{
	struct counters *set = counters_make(&name, 1, in_system, why, n);

	counters_free(set);
	return set != NULL;
}

/* Tries to add and start the event alone. A user without permission to look into the system may
 * still count what the system does for the program itself; the self-check shows whether that is
 * anything. */
static void try_event(struct counted_event *event)
{
	char why[256];

	if (event->in_system && can_make(event->name, true, why, sizeof(why)))
		return;
	event->in_system = false;
	if (!can_make(event->name, false, why, sizeof(why)))
		event->why = alloc_string(why, strlen(why));
}

size_t counting_event(struct counting *c, const char *name)
{
	char native[256];

	for (size_t i = 0; i < c->nevents; i++)
		if (!strcmp(c->events[i].name, name))
			return i;
	const char *behind = counters_native(name, native, sizeof(native));

	c->events = alloc_grow(c->events, c->nevents, sizeof(*c->events));
	c->events[c->nevents] = (struct counted_event){.name = alloc_string(name, strlen(name)),
		.native = alloc_string(behind, strlen(behind)),
		.expected = NAN,
		.found = NAN,
		.empty = NAN,
		.in_system = events_in_system(&c->table, name)};
	try_event(&c->events[c->nevents]);
	return c->nevents++;
}
