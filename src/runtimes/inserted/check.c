/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Estimates held against what runs: AFFINITY_PASS_CHECK names the file for a line of each instance,
 *
 *     FILE:LINE FUNCTION 'ARRAY' exact|estimated FIRST LAST EXECUTIONS ran FIRST LAST EXECUTIONS
 *
 * Instances of a thread that are inside each other, as in recursions, are kept apart. What runs
 * where no call was made is an instance too: of bytes 0 to -1, and no executions.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "inserted/inserted.h"
#include "inserted/log.h"

struct instance {
	const struct inserted_site *site;
	int64_t first, last, executions; /* the estimate */
	intptr_t least, most;            /* addresses */
	int64_t ran;
	struct instance *outer;
};

static _Thread_local struct instance *innermost;

static FILE *file;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void open_file(void)
{
	file = log_open("AFFINITY_PASS_CHECK");
}

static struct instance *find_instance(const struct inserted_site *site)
{
	struct instance *i = innermost;

	while (i && i->site != site)
		i = i->outer;
	return i;
}

static struct instance *enter(
	const struct inserted_site *site, int64_t first, int64_t last, int64_t executions)
{
	struct instance *i = malloc(sizeof(*i));

	if (!i)
		abort(); /* a check that left something out would be none */
	*i = (struct instance){site, first, last, executions, INTPTR_MAX, INTPTR_MIN, 0, innermost};
	innermost = i;
	return i;
}

void affinity_inserted_check(const struct inserted_site *site, const void *base, int64_t first,
	int64_t last, int64_t executions)
{
	(void)base; /* affinity_inserted_checked() gets it too, also where this was left out */
	enter(site, first, last, executions);
}

void affinity_inserted_touch(const struct inserted_site *site, const void *address, int64_t bytes)
{
	struct instance *i = find_instance(site);
	const intptr_t at = (intptr_t)address;

	if (!i)
		i = enter(site, 0, -1, 0);
	i->ran++;
	i->least = at < i->least ? at : i->least;
	i->most = at + bytes - 1 > i->most ? at + bytes - 1 : i->most;
}

static void print_instance(const struct instance *i, const char *base)
{
	const struct inserted_site *site = i->site;

	fprintf(file,
		"%s:%" PRIu32 " %s '%s' %s %" PRId64 " %" PRId64 " %" PRId64 " ran %" PRId64
		" %" PRId64 " %" PRId64 "\n",
		site->file, site->line, site->function, site->array,
		site->exact ? "exact" : "estimated", i->first, i->last, i->executions,
		i->ran ? i->least - (intptr_t)base : INT64_MAX,
		i->ran ? i->most - (intptr_t)base : INT64_MIN, i->ran);
}

void affinity_inserted_checked(
	const struct inserted_site *site, const void *base, int64_t first, int64_t last)
{
	struct instance **at = &innermost, *i;

	(void)first, (void)last;
	while (*at && (*at)->site != site)
		at = &(*at)->outer;
	i = *at;
	if (!i)
		return;
	*at = i->outer;
	pthread_once(&once, open_file);
	if (file) {
		log_lock();
		print_instance(i, base);
		log_unlock();
	}
	free(i);
}
