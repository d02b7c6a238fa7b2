/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the command line from one table of options. */
#include "affinity/options.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/options.h"
#include "prediction/advice.h"
#include "affinity/menu.h"
#include "affinity/outputs.h"
#include "affinity/predict.h"

/* A larger value is probably a mistyped unit. */
#define MAX_TOLERANCE 10

/* A bare number is in per cent. A number below 1 is ambiguous, because the user may have meant a
 * fraction. */
static void take_tolerance(void *to, const struct option *row, const char *value, struct errors *e)
{
	struct options *o = to;
	double number;
	bool bare = !text_real(value, &number);

	if (!bare && text_fraction(value, &o->tolerance)) {
		error_add(
			e, STATUS_USAGE, NOWHERE, "%s '%s' is not a percentage", row->name, value);
		error_hint(e, "for example %s 5%%", row->name);
	} else if (bare && number > 0 && number < 1) {
		error_add(e, STATUS_USAGE, NOWHERE, "%s '%s' could be %g %% or %g %%", row->name,
			value, number, number * 100);
		error_hint(
			e, "write %s %g%% or %s %g%%", row->name, number, row->name, number * 100);
	} else {
		if (bare)
			o->tolerance = number / 100;
		if (o->tolerance < 0 || o->tolerance > MAX_TOLERANCE)
			error_add(e, STATUS_USAGE, NOWHERE, "%s '%s' is not within 0%% .. 1000%%",
				row->name, value);
	}
}

static void take_verify(void *to, const struct option *row, const char *value, struct errors *e)
{
	struct options *o = to;

	o->verify_given = true;
	if (!text_count(value, &o->verify) && o->verify <= ADVICE_MOST)
		return;
	error_add(e, STATUS_USAGE, NOWHERE, "%s '%s' is not a number of placements, 0 .. %d",
		row->name, value, ADVICE_MOST);
	error_hint(e, "%s %d measures the %d best and the baseline", row->name, ADVICE_VERIFY,
		ADVICE_VERIFY);
}

static const char *name_of(enum action action);

/* Information about the program; it needs nothing else of the command line. */
static bool informs(enum action action)
{
	return action == ACTION_HELP || action == ACTION_VERSION;
}

/* --help and --version replace every other action; of other actions there can be only one. */
static void act(void *to, const struct option *row, const char *value, struct errors *e)
{
	struct options *o = to;
	const enum action action = (enum action)row->action;

	(void)value;
	if (!informs(o->action) && !informs(action) && o->action != ACTION_MEASURE &&
		o->action != action) {
		error_add(e, STATUS_USAGE, NOWHERE, "%s and %s cannot be done together",
			name_of(o->action), row->name);
		error_hint(e, "give one of them");
	}
	if (!informs(o->action))
		o->action = action;
}

static void act_on_text(void *to, const struct option *row, const char *value, struct errors *e)
{
	act(to, row, value, e);
	if (value)
		option_text(to, row, value, e);
}

static void act_on_words(void *to, const struct option *row, const char *value, struct errors *e)
{
	act(to, row, value, e);
	if (value)
		option_word(to, row, value, e);
}

static void take_plan(void *to, const struct option *row, const char *value, struct errors *e)
{
	struct options *o = to;

	act(to, row, value, e);
	o->full = value && !strcmp(value, "full");
	if (!value || o->full)
		return;
	error_add(e, STATUS_USAGE, NOWHERE, "%s: unknown value '%s'; it takes full, or none",
		row->name, value);
	error_hint(e, "an argument file stands apart from it: %s ARGS", row->name);
}

#define ACT(name)   .action = ACTION_##name
#define FIELD(name) offsetof(struct options, name)
#define WITH(name)  OPTION_WITH(ACTION_##name)
#define ADVISES     WITH(PREDICT) | WITH(ADVISE)
#define PLANS       WITH(MEASURE) | WITH(PLAN) | ADVISES

static const struct option table[] = {
	{"--output", "FILE", "the text report, in place of OUT", .take = option_text,
		.field = FIELD(output), .once = true,
		.with = WITH(MEASURE) | ADVISES | WITH(WORTH) | WITH(SHOW)},
	{"--set", "KEY=VALUE", "override or add a line of ARGS (repeatable)", .take = option_word,
		.field = FIELD(sets), .with = PLANS | WITH(WORTH)},
	{"--matrix", "FILE", "far() and near() by these results of args/matrix/latency (JSON)",
		.take = option_text, .field = FIELD(matrix), .once = true,
		.with = PLANS | WITH(TOPOLOGY)},
	{"--bandwidths", "FILE",
		"weighted:measured by these results of args/matrix/bandwidth (JSON)",
		.take = option_text, .field = FIELD(bandwidths), .once = true, .with = PLANS},
	{"--plan", "[=full]",
		"resolve, check and print the plan of each ARGS; touch nothing, measure nothing "
		"(full: all of every run, not only what differs from the run before)",
		.take = take_plan, ACT(PLAN), .optional = OPTION_EQUALS},
	{"--list", "[KERNEL...]",
		"kernels by purpose: load (bandwidth), chase (latency), read (a stride apart) ...; "
		"'simd_*': of a name",
		.take = act_on_words, .field = FIELD(operands), ACT(LIST),
		.optional = OPTION_EQUALS},
	{"--experiments", "[WORD...]",
		"what args/ holds, by suite, with the time that it takes here; WORD: those that "
		"fit it",
		.take = act_on_words, .field = FIELD(operands), ACT(EXPERIMENTS),
		.optional = OPTION_EQUALS},
	{"--help", "[KERNEL|keys]",
		"a kernel's parameters, or the keys of ARGS, with defaults and ranges; quantities: "
		"what tables can show",
		.take = act_on_text, .field = FIELD(help_for), ACT(HELP), .optional = OPTION_NEXT},
	{"--topology", NULL,
		"nodes, distances, cores, caches, memory, page pools, what may be used",
		.take = act, ACT(TOPOLOGY)},
	{"--check", NULL, "the machine's state that spoils measurements, each with its remedy",
		.take = act, ACT(CHECK)},
	{"--strict", NULL, "with --check: exit 1 if there is any", .take = option_flag,
		.field = FIELD(strict), .with = WITH(CHECK)},
	{"--accept", "FACT", "with --check: not this: virtual_machine, boost ... (repeatable)",
		.take = option_word, .field = FIELD(accepted), .with = WITH(CHECK)},
	{"--predict", "PROFILE",
		"what ARGS would cost, not measured: from results of this machine (JSON), files "
		"or folders",
		.take = act_on_text, .field = FIELD(profile), ACT(PREDICT), .once = true},
	{"--advise", "PROFILE",
		"the same for all values of each ? in nodePerVector, nodePerThread, "
		"pagesPerVector: "
		"the ten best",
		.take = act_on_text, .field = FIELD(profile), ACT(ADVISE), .once = true},
	{"--verify", "N",
		"with --advise: measure the N best and the baseline (4; 0: on other machines), and "
		"say whether the advice held",
		.take = take_verify, .once = true, .with = WITH(ADVISE)},
	{"--worth", "PROFILE",
		"how far such predictions are off here: each result predicted by the others",
		.take = act_on_text, .field = FIELD(profile), ACT(WORTH), .once = true},
	{"--show", "A.json",
		"the text report of these results again, to OUT; --csv and --summary take their "
		"figures; of "
		"ARGS: the file; of a folder with what affinity first measured: its screen",
		.take = act_on_text, .field = FIELD(shown), ACT(SHOW), .once = true},
	{"--compare", "A.json B.json",
		"what became slower from A to B; judged with three a side: A1.json,A2.json,A3.json "
		"B1...",
		.take = act_on_words, .field = FIELD(operands), ACT(COMPARE),
		.optional = OPTION_EQUALS},
	{"--tolerance", "1%", "with --compare: ignore differences up to this",
		.take = take_tolerance, .once = true, .with = WITH(COMPARE)},
	{"--history", "H.json,...",
		"with --compare: earlier results of equal builds here: files, folders, "
		"HOST/SUITE/EXPERIMENT",
		.take = option_text, .field = FIELD(history), .once = true, .with = WITH(COMPARE)},
	{"--force", NULL,
		"with --compare: also results of work that differs, and disturbed costs; with "
		"--predict, --advise and --worth: also results of another machine; with these, "
		"--matrix, --bandwidths and --export-memattrs: also disturbed figures",
		.take = option_flag, .field = FIELD(force),
		.with = ADVISES | WITH(COMPARE) | WITH(EXPORT) | WITH(WORTH)},
	{"--export-memattrs", "FILE",
		"latency and bandwidth out of A.json [B.json] as hwloc memory attributes (XML)",
		.take = act_on_text, .field = FIELD(memattrs), ACT(EXPORT), .once = true},
	{"--measure-caches", "FILE",
		"where the machine shows no caches: measure them, once, for caches: "
		"measured:FILE (JSON)",
		.take = act_on_text, .field = FIELD(caches), ACT(CACHES), .once = true},
	{"--quiet", NULL, "no progress and no warnings on standard error", .take = option_flag,
		.field = FIELD(quiet)},
	{"--version", NULL, "version and what it was built with", .take = act, ACT(VERSION)},
	{0},
};

#define MAX_ROWS (sizeof(table) / sizeof(*table) + MAX_OUTPUTS)

/* Of --json, which shows too what is told without measuring, and its like. */
static unsigned with_format(int format)
{
	unsigned with = WITH(MEASURE);

	if (format == OUTPUT_JSON)
		with |= WITH(LIST) | WITH(TOPOLOGY) | WITH(PLAN) | WITH(CHECK) | WITH(SHOW);
	if (output_formats[format].show && output_formats[format].show != report_mix)
		with |= WITH(SHOW);
	for (int action = 0; action <= ACTION_WORTH; action++)
		if (predict_writes((enum action)action, format))
			with |= OPTION_WITH(action);
	return with;
}

/* All options: a row of output_formats is one, too. */
static void make_rows(struct option rows[MAX_ROWS])
{
	for (int i = 0; output_formats[i].suffix; i++)
		if (output_formats[i].option)
			*rows++ = (struct option){output_formats[i].option, "FILE",
				output_formats[i].help, .take = option_text,
				.field = FIELD(outputs[i]), .once = true, .with = with_format(i)};
	memcpy(rows, table, sizeof(table));
}

void options_usage(FILE *out)
{
	struct option rows[MAX_ROWS];

	make_rows(rows);
	fprintf(out, "usage: affinity [options] ARGS... [OUT]\n\n"
		     "Runs the argument file ARGS ('-': standard input) and writes the text "
		     "report OUT (standard output).\n"
		     "Several run one after another. Where OUT or FILE is a folder, the results of "
		     "each get its name there.\n"
		     "Where ARGS names no file, it is an experiment of --experiments.\n"
		     "affinity first measures the machine, on one screen.\n\n");
	options_print(rows, 25, out);
	fprintf(out, "\nexit status: 0 measured, 1 could not measure, 2 bad arguments, 3 placement "
		     "impossible "
		     "or not obtained,\n             4 counters required but absent, 128 + N ended "
		     "early by signal N "
		     "(130: Ctrl-C)\n");
}

void options_hint_bare(const char *path, struct errors *e)
{
	char *name = alloc_format("--%s", path);
	struct option rows[MAX_ROWS];

	make_rows(rows);
	if (access(path, F_OK) && options_find(rows, name, strlen(name)))
		error_hint(e, "it is an option: affinity %s", name);
	free(name);
}

/* The option that asks for an action; NULL: measuring needs none. */
static const char *name_of(enum action action)
{
	const struct option *o = table;

	while (o->name && (action == ACTION_MEASURE || o->action != (int)action))
		o++;
	return o->name;
}

/* An option that changes nothing was meant to change something. */
static void refuse_idle(const struct options *o, const struct option *idle, struct errors *e)
{
	const char *action = name_of(o->action);

	if (action) {
		error_add(e, STATUS_USAGE, NOWHERE, "%s has no effect with %s", idle->name, action);
		error_hint(e, "leave out %s or %s", idle->name, action);
	} else {
		error_add(e, STATUS_USAGE, NOWHERE, "%s has no effect without %s", idle->name,
			name_of((enum action)__builtin_ctz(idle->with)));
		error_hint(e, "leave out %s", idle->name);
	}
}

static void check_effects(const struct options *o, const struct options_given *g, struct errors *e)
{
	for (const struct option *row = g->rows; (row = options_idle(g, row)) != NULL; row++)
		/* with these it takes disturbed figures, too */
		if (row->field != FIELD(force) || (!o->matrix && !o->bandwidths))
			refuse_idle(o, row, e);
}

static bool predicts(enum action action)
{
	return action == ACTION_PREDICT || action == ACTION_ADVISE;
}

static bool uses_profile(enum action action)
{
	return predicts(action) || action == ACTION_WORTH;
}

static void take_operand(void *to, const char *word, struct errors *e)
{
	(void)e;
	words_add(&((struct options *)to)->operands, word, strlen(word));
}

int options_parse(struct options *o, char **words, struct errors *e)
{
	struct option rows[MAX_ROWS];
	struct options_given given = {.rows = rows, .refuse = options_refuse};
	size_t before = e->failures;

	const bool alone = !*words;

	make_rows(rows);
	/* 1 %: the slowdown that an insignificant change may cause */
	*o = (struct options){.tolerance = 0.01};
	options_take_all(&given, words, o, take_operand, e);
	given.action = (int)o->action;
	if (alone) {
		o->action = ACTION_START;
		return 0;
	}
	menu_resolve(o);
	o->shows_folder = o->action == ACTION_SHOW && o->shown && option_files_folder(o->shown);
	if (o->unclear) {
		o->action = ACTION_EXPERIMENTS;
		return e->failures == before ? 0 : -1;
	}
	operands_take(o, e);
	if (!informs(o->action)) /* these do their work whatever else there is */
		check_effects(o, &given, e);
	if (o->action == ACTION_MEASURE || o->action == ACTION_SHOW || uses_profile(o->action))
		option_files_report(o, e);
	if ((o->action == ACTION_MEASURE && o->args) || o->action == ACTION_SHOW)
		option_files_name(o, e);
	else if ((o->args && (o->action == ACTION_PLAN || predicts(o->action) ||
				     o->action == ACTION_EXPORT)) ||
		 o->action == ACTION_WORTH)
		option_files_check(o, e);
	return e->failures == before ? 0 : -1;
}

void options_free(struct options *o)
{
	free(o->resolved);
	words_free(&o->sets);
	words_free(&o->accepted);
	words_free(&o->operands);
	option_files_free(o);
}
