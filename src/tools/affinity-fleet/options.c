/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads affinity-fleet's command line from one table. */
#include "affinity-fleet/options.h"

#include <string.h>

#include "base/options.h"
#include "base/output.h"
#include "affinity-fleet/fleet.h"

static void take_drift(void *to, const struct option *row, const char *value, struct errors *e)
{
	struct fleet_options *o = to;
	uint64_t days;

	if (text_count(value, &days) || days < 1 || days > 366) {
		error_add(e, STATUS_USAGE, NOWHERE, "%s: '%s' is no number of days", row->name,
			value);
		error_hint(e, "1 to 366: how often the fleet is measured, such as 7");
	} else {
		o->days = (double)days;
	}
}

static void take_tolerance(void *to, const struct option *row, const char *value, struct errors *e)
{
	struct fleet_options *o = to;
	double fraction;

	if (text_fraction(value, &fraction) || !strchr(value, '%')) {
		error_add(e, STATUS_USAGE, NOWHERE, "%s: '%s' is no percentage", row->name, value);
		error_hint(e, "such as 5%%");
	} else if (fraction * 100 < FLEET_FLOOR || fraction >= 1) {
		error_add(e, STATUS_USAGE, NOWHERE, "%s: %s is not from %g%% to 99%%", row->name,
			value, FLEET_FLOOR);
		error_hint(e, "healthy nodes differ by up to 2 per cent");
	} else {
		o->tolerance = fraction * 100;
	}
}

#define WORD(name)    .take = option_word, .field = offsetof(struct fleet_options, name)
#define OUTPUT(which) .take = option_text, .field = offsetof(struct fleet_options, outputs[which])

static const struct option table[] = {
	{"--fresh", "PATH", "results of suspects that were run again; repeatable", WORD(fresh)},
	{"--before", "PATH", "which nodes changed since these results; repeatable", WORD(before)},
	{"--drift", "DAYS", "which nodes changed over dates, a date in so many days",
		.take = take_drift},
	{"--tolerance", "P%", "a node is slow from so much on (default: 2%)",
		.take = take_tolerance},
	{"--json", "FILE", "all verdicts as a JSON document, too", OUTPUT(FLEET_JSON)},
	{"--csv", "FILE", "a row for each node, too", OUTPUT(FLEET_CSV)},
	{"--page", "FILE", "a map of nodes and experiments for browsers, too", OUTPUT(FLEET_PAGE)},
	{"--metrics", "FILE", "too, for Prometheus (textfile collector of node_exporter)",
		OUTPUT(FLEET_METRICS)},
	{"--suspects", NULL, "prints only the names of nodes to run again, one a line",
		.action = FLEET_SUSPECTS},
	{"--help", NULL, "this", .action = FLEET_HELP},
	{"--version", NULL, "version", .action = FLEET_VERSION},
	{0},
};

void fleet_options_usage(FILE *out)
{
	fprintf(out,
		"usage: affinity-fleet [OPTION...] FOLDER|FILE...\n\n"
		"Compares the nodes of a cluster by their results (JSON), and says which one is\n"
		"slow, and in what. A folder is searched with all below it, such as results/ with\n"
		"a folder for each node. Nodes are judged among like ones: of equal CPU, "
		"topology,\n"
		"stepping, microcode, firmware, memory modules, kernel and version of affinity.\n\n"
		"Nodes beyond what healthy ones differ by are suspects; three fresh runs of "
		"these,\n"
		"added with --fresh, decide. With --before or --drift each node is compared "
		"with\n"
		"itself, and with what the others changed by.\n\n");
	options_print(table, 18, out);
	fprintf(out, "\nexit status: 0 no node is known to be slow, or to have become slower, 1 "
		     "one is,\n"
		     "             or it could not tell, 2 bad arguments, or no three nodes are "
		     "alike\n");
}

static void take_path(void *to, const char *word, struct errors *e)
{
	(void)e;
	words_add(&((struct fleet_options *)to)->paths, word, strlen(word));
}

/* A result that is also an output would be lost. */
static void check_files(const struct fleet_options *o, struct errors *e)
{
	const struct words *inputs[] = {&o->paths, &o->fresh, &o->before};

	output_distinct(o->outputs, FLEET_OUTPUTS, e);
	for (size_t i = 0; i < FLEET_OUTPUTS; i++)
		for (size_t k = 0; k < 3 && o->outputs[i]; k++)
			for (size_t w = 0; w < inputs[k]->count; w++)
				output_distinct(
					(const char *[]){inputs[k]->word[w], o->outputs[i]}, 2, e);
}

/* Changes are judged otherwise than nodes. */
static void check_together(const struct fleet_options *o, struct errors *e)
{
	if (o->before.count && o->days > 0)
		error_add(e, STATUS_USAGE, NOWHERE, "--before and --drift: choose one");
	if (!o->before.count && !(o->days > 0))
		return;
	if (o->fresh.count || o->action == FLEET_SUSPECTS || o->outputs[FLEET_METRICS]) {
		error_add(e, STATUS_USAGE, NOWHERE,
			"--fresh, --suspects and --metrics are about slow nodes, --before and "
			"--drift about changes");
		error_hint(e, "ask for them one after the other");
	}
}

int fleet_options_parse(struct fleet_options *o, char **words, struct errors *e)
{
	const size_t before = e->failures;
	struct options_given given = {.rows = table, .action = FLEET_REPORT};

	*o = (struct fleet_options){.tolerance = FLEET_FLOOR};
	options_take_all(&given, words, o, take_path, e);
	o->action = (enum fleet_action)given.action;
	check_files(o, e);
	check_together(o, e);
	if (e->failures == before && o->action < FLEET_HELP && !o->paths.count) {
		error_add(e, STATUS_USAGE, NOWHERE, "which results?");
		error_hint(
			e, "affinity-fleet FOLDER, such as results/ with a folder for each node");
	}
	return e->failures == before ? 0 : -1;
}

void fleet_options_free(struct fleet_options *o)
{
	words_free(&o->fresh);
	words_free(&o->before);
	words_free(&o->paths);
}
