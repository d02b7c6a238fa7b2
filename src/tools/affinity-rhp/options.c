/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads affinity-rhp's command line from one table. */
#include "affinity-rhp/options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/linux.h"
#include "base/options.h"
#include "base/text.h"
#include "memory/pages.h"

/* The thesis's: below it a request is hardly worth a look at all nodes. */
#define DEFAULT_FROM (UINT64_C(500) << 20)

/* The thesis's program. An interval is looked at in tenths. */
#define DEFAULT_INTERVAL_NS UINT64_C(10000000000)
#define LEAST_INTERVAL_NS   UINT64_C(100000000)

/* Blocks are whole huge pages: smaller requests would waste most of one each. */
static uint64_t smallest(void)
{
	return mem_huge_page() ? mem_huge_page() : mem_base_page();
}

static void take_from(void *to, const struct option *row, const char *value, struct errors *e)
{
	struct rhp_options *o = to;
	char least[32];

	if (text_bytes(value, &o->from_bytes)) {
		error_add(e, STATUS_USAGE, NOWHERE, "%s: '%s' is not a size", row->name, value);
		error_hint(e, "a number and a unit, such as 64MiB or 1G");
	} else if (o->from_bytes < smallest()) {
		error_add(e, STATUS_USAGE, NOWHERE, "%s: %s is less than a huge page, %s",
			row->name, value, text_size(smallest(), least, sizeof(least)));
		error_hint(e, "blocks are made of whole huge pages");
	}
}

/* One node with its weight: "0=3". 0, or -1. */
static int take_weight(struct rhp_options *o, const char *word)
{
	char *copy = alloc_format("%s", word), *sign = strchr(copy, '=');
	uint64_t node = 0, weight = 0;

	if (sign)
		*sign = '\0';
	const bool bad = !sign || text_count(copy, &node) || text_count(sign + 1, &weight) ||
			 node >= RHP_NODES || weight < 1 || weight > UINT8_MAX || o->weights[node];

	if (!bad)
		o->weights[node] = (unsigned char)weight;
	free(copy);
	return bad ? -1 : 0;
}

static void take_weights(void *to, const struct option *row, const char *value, struct errors *e)
{
	struct rhp_options *o = to;
	struct words words = {0};
	bool bad;

	words_split(&words, value, ",");
	bad = !words.count;
	for (size_t i = 0; i < words.count && !bad; i++)
		bad = take_weight(o, words.word[i]);
	if (bad) {
		error_add(e, STATUS_USAGE, NOWHERE,
			"%s: '%s' is not nodes with weights from 1 to 255", row->name, value);
		error_hint(e, "0=3,1=1: three huge pages on node 0 for each one on node 1");
	}
	words_free(&words);
}

/* "50%", or "10%,30%" for the own node and the others. */
static void take_least(void *to, const struct option *row, const char *value, struct errors *e)
{
	struct rcm_rule *rule = &((struct rhp_options *)to)->rule;
	struct words shares = {0};
	int failed;

	words_split(&shares, value, ",");
	failed = shares.count < 1 || shares.count > 2 ||
		 text_fraction(shares.word[0], &rule->least_local) ||
		 text_fraction(shares.word[shares.count - 1], &rule->least_far);
	if (failed || rule->least_local < 0 || rule->least_local > 1 || rule->least_far < 0 ||
		rule->least_far > 1) {
		error_add(e, STATUS_USAGE, NOWHERE, "%s: '%s' is not a share", row->name, value);
		error_hint(e, "50%%, or 10%%,30%% for the own node and for the others");
	}
	words_free(&shares);
}

static void take_node(void *to, const struct option *row, const char *value, struct errors *e)
{
	struct rhp_options *o = to;
	uint64_t node = 0;

	if (text_count(value, &node) || node >= LINUX_NODES) {
		error_add(e, STATUS_USAGE, NOWHERE, "%s: '%s' is not a node", row->name, value);
		error_hint(e, "a number from 0 to 1023; affinity --topology shows them");
	}
	o->node = (int)node;
}

static void take_interval(void *to, const struct option *row, const char *value, struct errors *e)
{
	struct rhp_options *o = to;

	if (!text_duration(value, &o->interval_ns) && o->interval_ns >= LEAST_INTERVAL_NS)
		return;
	error_add(e, STATUS_USAGE, NOWHERE, "%s: '%s' is not a time of 100 ms or more", row->name,
		value);
	error_hint(e, "a number and a unit, such as 10s or 500ms");
}

static void take_again(void *to, const struct option *row, const char *value, struct errors *e)
{
	struct rhp_options *o = to;

	if (!text_fraction(value, &o->margin) && o->margin >= 0 && o->margin <= 1)
		return;
	error_add(e, STATUS_USAGE, NOWHERE, "%s: '%s' is not a margin", row->name, value);
	error_hint(e, "a share from 0%% to 100%%, such as 5%%: so much more changes a verdict");
}

static const char *const rests[] = {[RHP_REST_KERNEL] = "kernel", [RHP_REST_LOCAL] = "local", NULL};
static const char *const weighs[] = {[RHP_WEIGH_GAIN] = "gain", [RHP_WEIGH_WALKS] = "walks", NULL};
static const char *const otherwises[] = {
	[RCM_NEAREST] = "nearest", [RCM_LARGEST] = "largest", [RCM_NONE] = "none", NULL};

#define RUNS         OPTION_WITH(RHP_RUN) | OPTION_WITH(RHP_PROFILE)
#define PROFILES     OPTION_WITH(RHP_PROFILE)
#define RULES        OPTION_WITH(RHP_SIMULATE)
#define CHOICE(name) .take = option_choice, .field = offsetof(struct rhp_options, name)
#define TEXT(name)   .take = option_text, .field = offsetof(struct rhp_options, name)

static const struct option table[] = {
	{"--from", "SIZE", "requests for memory from this size on (default: 500MiB)",
		.take = take_from, .with = RUNS},
	{"--rest", "WHERE",
		"what no node has in huge blocks: kernel (default), local (small pages)",
		CHOICE(rest), .row = rests, .with = RUNS},
	{"--weights", "N=W,...", "spreads blocks over nodes in place of that: 0=3,1=1",
		.take = take_weights, .with = OPTION_WITH(RHP_RUN)},
	{"--report", "FILE", "the report goes there (default: standard error)", TEXT(report),
		.with = RUNS},
	{"--profile", NULL, "moves far pages back where they cost more than they gain",
		.action = RHP_PROFILE},
	{"--node", "N", "the command runs there (default: the node of affinity-rhp)",
		.take = take_node, .with = PROFILES},
	{"--interval", "TIME", "after which it is judged (default: 10s)", .take = take_interval,
		.with = PROFILES},
	{"--weigh", "WHAT", "against the cost: gain (default), walks (needs counters)",
		CHOICE(weigh), .row = weighs, .with = PROFILES},
	{"--again", "MARGIN", "judges each interval; so much more changes a verdict: 5%",
		.take = take_again, .with = PROFILES},
	{"--simulate", "FILE", "runs nothing: which free ranges of FILE areas would get (RCM)",
		TEXT(simulate)},
	{"--least", "SHARE", "of an area that a range must hold: 50% (default), 10%,30%",
		.take = take_least, .with = RULES},
	{"--otherwise", "WHICH", "range if none holds it: nearest (default), largest, none",
		CHOICE(rule.otherwise), .row = otherwises, .with = RULES},
	{"--help", NULL, "this", .action = RHP_HELP},
	{"--version", NULL, "version", .action = RHP_VERSION},
	{0},
};

void rhp_options_usage(FILE *out)
{
	fprintf(out, "usage: affinity-rhp [OPTION...] -- COMMAND [ARG...]\n"
		     "       affinity-rhp --profile [OPTION...] -- COMMAND [ARG...]\n"
		     "       affinity-rhp --simulate FILE [--least SHARE] [--otherwise WHICH]\n\n"
		     "Runs COMMAND so that its large blocks of memory are in huge pages: on the\n"
		     "node of the thread that asks as long as that has free huge blocks, then on\n"
		     "the others by their distance. Reports what each of its programs got.\n\n"
		     "With --profile COMMAND is run three times: twice to learn what small pages\n"
		     "cost it, then with its far pages watched.\n\n");
	options_print(table, 18, out);
	fprintf(out, "\nexit status: that of COMMAND, 128 + N when signal N ended it; else\n"
		     "             1 could not run, 2 bad arguments\n");
}

static int without_effect(const char *option, const char *how, const char *hint, struct errors *e)
{
	error_add(e, STATUS_USAGE, NOWHERE, "%s has no effect %s", option, how);
	return error_hint(e, "%s", hint);
}

/* An option without effect is a mistake. */
static int check_effects(const struct options_given *g, struct errors *e)
{
	const struct option *idle = options_idle(g, table);

	if (!idle)
		return 0;
	if (g->action == RHP_SIMULATE)
		return without_effect(idle->name, "with --simulate", "leave out one of the two", e);
	if (idle->with == (RULES))
		return without_effect(idle->name, "without --simulate",
			"a command gets what the allocator's own rule gives", e);
	if (g->action == RHP_PROFILE)
		return without_effect(idle->name, "with --profile",
			"--profile judges far huge pages: leave out one of the two", e);
	return without_effect(idle->name, "without --profile", "add --profile, or leave it out", e);
}

static void check_rhp_options(
	const struct rhp_options *o, const struct options_given *g, struct errors *e)
{
	if (o->action == RHP_HELP || o->action == RHP_VERSION)
		return;
	if (o->action == RHP_SIMULATE && o->argv[0]) {
		error_add(e, STATUS_USAGE, NOWHERE, "--simulate runs no command: '%s'", o->argv[0]);
		error_hint(e, "leave out one of the two");
	} else if (o->action == RHP_PROFILE && o->simulate) {
		without_effect("--profile", "with --simulate", "leave out one of the two", e);
	} else if (!check_effects(g, e) && o->action != RHP_SIMULATE && !o->argv[0]) {
		error_add(e, STATUS_USAGE, NOWHERE, "which command?");
		error_hint(e, "affinity-rhp [OPTION...] -- COMMAND [ARG...]");
	}
}

int rhp_options_parse(struct rhp_options *o, char **words, struct errors *e)
{
	struct options_given given = {.rows = table, .action = RHP_RUN};
	const size_t before = e->failures;

	*o = (struct rhp_options){.from_bytes = DEFAULT_FROM,
		.rule = {0.5, 0.5, RCM_NEAREST, true},
		.node = -1,
		.interval_ns = DEFAULT_INTERVAL_NS,
		.margin = NAN};
	if (o->from_bytes < smallest())
		o->from_bytes = smallest();
	o->argv = options_take(&given, words, o, e);
	if (given.action == RHP_RUN && o->simulate)
		given.action = RHP_SIMULATE;
	o->action = (enum rhp_action)given.action;
	if (e->failures == before)
		check_rhp_options(o, &given, e);
	return e->failures == before ? 0 : -1;
}
