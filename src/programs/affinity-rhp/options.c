/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads affinity-rhp's command line from one table. */
#include "programs/affinity-rhp/options.h"

#include <string.h>

#include "base/options.h"
#include "base/text.h"
#include "memory/pages.h"

/* The thesis's: below it a request is hardly worth a look at all nodes. */
#define DEFAULT_FROM (UINT64_C(500) << 20)

/* Blocks are whole huge pages: smaller requests would waste most of one each. */
static uint64_t smallest(void)
{
	return mem_huge_page() ? mem_huge_page() : mem_base_page();
}

static void take_from(void *to, const char *value, struct errors *e)
{
	struct rhp_options *o = to;
	char least[32];

	if (text_bytes(value, &o->from_bytes)) {
		error_add(e, STATUS_USAGE, NOWHERE, "--from: '%s' is not a size", value);
		error_hint(e, "a number and a unit, such as 64MiB or 1G");
	} else if (o->from_bytes < smallest()) {
		error_add(e, STATUS_USAGE, NOWHERE, "--from: %s is less than a huge page, %s",
			value, text_size(smallest(), least, sizeof(least)));
		error_hint(e, "blocks are made of whole huge pages");
	}
}

static void take_rest(void *to, const char *value, struct errors *e)
{
	struct rhp_options *o = to;

	if (!strcmp(value, "kernel"))
		o->rest = RHP_REST_KERNEL;
	else if (!strcmp(value, "local"))
		o->rest = RHP_REST_LOCAL;
	else
		error_add(e, STATUS_USAGE, NOWHERE, "--rest: '%s' is not kernel or local", value);
}

static void take_report(void *to, const char *value, struct errors *e)
{
	struct rhp_options *o = to;

	(void)e;
	o->report = value;
}

static const struct option_row table[] = {
	{{"--from", "SIZE", "requests for memory from this size on (default: 500MiB)"}, take_from,
		RHP_RUN},
	{{"--rest", "WHERE",
		 "what no node has in huge blocks: kernel (default), local (small pages)"},
		take_rest, RHP_RUN},
	{{"--report", "FILE", "the report goes there (default: standard error)"}, take_report,
		RHP_RUN},
	{{"--help", NULL, "this"}, NULL, RHP_HELP},
	{{"--version", NULL, "version"}, NULL, RHP_VERSION},
	{{0}, NULL, RHP_RUN},
};

void rhp_options_usage(FILE *out)
{
	fprintf(out, "usage: affinity-rhp [OPTION...] -- COMMAND [ARG...]\n\n"
		     "Runs COMMAND so that its large blocks of memory are in huge pages: on the\n"
		     "node of the thread that asks as long as that has free huge blocks, then on\n"
		     "the others by their distance. Reports what each of its programs got.\n\n");
	for (const struct option_row *o = table; o->head.name; o++)
		options_print(&o->head, 16, out);
	fprintf(out, "\nexit status: that of COMMAND, 128 + N when signal N ended it; else\n"
		     "             1 could not run, 2 bad arguments\n");
}

int rhp_options_parse(struct rhp_options *o, char **words, struct errors *e)
{
	static const struct option_table options = {"affinity-rhp", table, sizeof(*table)};
	const size_t before = e->failures;
	int action = RHP_RUN;

	*o = (struct rhp_options){.from_bytes = DEFAULT_FROM};
	if (o->from_bytes < smallest())
		o->from_bytes = smallest();
	o->argv = options_take(&options, words, o, &action, e);
	o->action = (enum rhp_action)action;
	if (e->failures == before && o->action == RHP_RUN && !o->argv[0]) {
		error_add(e, STATUS_USAGE, NOWHERE, "which command?");
		error_hint(e, "affinity-rhp [OPTION...] -- COMMAND [ARG...]");
	}
	return e->failures == before ? 0 : -1;
}
