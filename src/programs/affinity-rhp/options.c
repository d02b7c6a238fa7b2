/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads affinity-rhp's command line from one table. */
#include "programs/affinity-rhp/options.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "base/options.h"
#include "base/text.h"
#include "memory/pages.h"

/* The thesis's: below it a request is hardly worth a look at all nodes. */
#define DEFAULT_FROM (UINT64_C(500) << 20)

struct reading {
	struct rhp_options *o;
	struct errors *e;
};

static const struct option {
	struct option_head head;
	void (*take)(struct reading *r, const char *value);
	enum rhp_action action; /* of an option without value */
} table[];

/* Blocks are whole huge pages: smaller requests would waste most of one each. */
static uint64_t smallest(void)
{
	return mem_huge_page() ? mem_huge_page() : mem_base_page();
}

static void take_from(struct reading *r, const char *value)
{
	char least[32];

	if (text_bytes(value, &r->o->from_bytes)) {
		error_add(r->e, STATUS_USAGE, NOWHERE, "--from: '%s' is not a size", value);
		error_hint(r->e, "a number and a unit, such as 64MiB or 1G");
	} else if (r->o->from_bytes < smallest()) {
		error_add(r->e, STATUS_USAGE, NOWHERE, "--from: %s is less than a huge page, %s",
			value, text_size(smallest(), least, sizeof(least)));
		error_hint(r->e, "blocks are made of whole huge pages");
	}
}

static void take_rest(struct reading *r, const char *value)
{
	if (!strcmp(value, "kernel"))
		r->o->rest = RHP_REST_KERNEL;
	else if (!strcmp(value, "local"))
		r->o->rest = RHP_REST_LOCAL;
	else
		error_add(
			r->e, STATUS_USAGE, NOWHERE, "--rest: '%s' is not kernel or local", value);
}

static void take_report(struct reading *r, const char *value)
{
	r->o->report = value;
}

static const struct option table[] = {
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
	for (const struct option *o = table; o->head.name; o++)
		fprintf(out, "  %s %-*s %s\n", o->head.name, (int)(15 - strlen(o->head.name)),
			o->head.value ? o->head.value : "", o->head.help);
	fprintf(out, "\nexit status: that of COMMAND, 128 + N when signal N ended it; else\n"
		     "             1 could not run, 2 bad arguments\n");
}

/* Handles the option in words[0]; returns how many words it used. */
static int take_option(struct reading *r, char **words)
{
	static const struct option_table options = {"affinity-rhp", table, sizeof(*table)};
	const char *value;
	int used;
	const struct option *option = options_read(&options, words, &value, &used, r->e);

	if (option && value)
		option->take(r, value);
	else if (option)
		r->o->action = option->action;
	return used;
}

int rhp_options_parse(struct rhp_options *o, int argc, char **argv, struct errors *e)
{
	struct reading r = {.o = o, .e = e};
	size_t before = e->failures;
	int i = 1;

	*o = (struct rhp_options){.from_bytes = DEFAULT_FROM};
	if (o->from_bytes < smallest())
		o->from_bytes = smallest();
	while (i < argc && argv[i][0] == '-' && strcmp(argv[i], "--"))
		i += take_option(&r, argv + i);
	if (i < argc && !strcmp(argv[i], "--"))
		i++;
	o->argv = argv + i;
	if (e->failures == before && o->action == RHP_RUN && !o->argv[0]) {
		error_add(e, STATUS_USAGE, NOWHERE, "which command?");
		error_hint(e, "affinity-rhp [OPTION...] -- COMMAND [ARG...]");
	}
	return e->failures == before ? 0 : -1;
}
