/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the command line from one table of options. */
#include "programs/affinity/options.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/options.h"
#include "input/synonyms.h"
#include "programs/affinity/operands.h"
#include "programs/affinity/option_files.h"
#include "programs/affinity/option_meant.h"
#include "programs/affinity/option_values.h"
#include "programs/affinity/outputs.h"
#include "programs/affinity/predict.h"

enum kind {
	WANTS_ACTION,
	WANTS_OUTPUT,
	WANTS_WORDS,
	WANTS_FILE,
	WANTS_TOLERANCE,
	WANTS_VERIFY,
	WANTS_EXPORT,
	WANTS_FLAG
};

static const struct option {
	const char *name, *value, *help;
	enum kind kind;
	int what; /* WANTS_ACTION: enum action; WANTS_OUTPUT: row of output_formats; else its
		     offset in struct options */
} table[] = {
	{"--output", "FILE", "the text report, in place of OUT", WANTS_FILE,
		offsetof(struct options, output)},
	{"--set", "KEY=VALUE", "override or add a line of ARGS (repeatable)", WANTS_WORDS,
		offsetof(struct options, sets)},
	{"--matrix", "FILE", "far() and near() by these results of args/matrix/latency (JSON)",
		WANTS_FILE, offsetof(struct options, matrix)},
	{"--bandwidths", "FILE",
		"weighted:measured by these results of args/matrix/bandwidth (JSON)", WANTS_FILE,
		offsetof(struct options, bandwidths)},
	{"--plan", "[=full]",
		"resolve, check and print the plan of each ARGS; touch nothing, measure nothing "
		"(full: all of every run, not only what differs from the run before)",
		WANTS_ACTION, ACTION_PLAN},
	{"--list", "[KERNEL...]",
		"kernels by purpose: load (bandwidth), chase (latency), read (a stride apart) ...; "
		"'simd_*': of a name",
		WANTS_ACTION, ACTION_LIST},
	{"--help", "[KERNEL|keys]",
		"a kernel's parameters, or the keys of ARGS, with defaults and ranges; quantities: "
		"what tables can show",
		WANTS_ACTION, ACTION_HELP},
	{"--topology", NULL,
		"nodes, distances, cores, caches, memory, page pools, what may be used",
		WANTS_ACTION, ACTION_TOPOLOGY},
	{"--check", NULL, "the machine's state that spoils measurements, each with its remedy",
		WANTS_ACTION, ACTION_CHECK},
	{"--strict", NULL, "with --check: exit 1 if there is any", WANTS_FLAG,
		offsetof(struct options, strict)},
	{"--accept", "FACT", "with --check: not this: virtual_machine, boost ... (repeatable)",
		WANTS_WORDS, offsetof(struct options, accepted)},
	{"--predict", "PROFILE",
		"what ARGS would cost, not measured: from results of this machine (JSON), files "
		"or folders",
		WANTS_EXPORT, ACTION_PREDICT},
	{"--advise", "PROFILE",
		"the same for all values of each ? in nodePerVector, nodePerThread, "
		"pagesPerVector: "
		"the ten best",
		WANTS_EXPORT, ACTION_ADVISE},
	{"--verify", "N",
		"with --advise: measure the N best and the baseline (4; 0: on other machines), and "
		"say whether the advice held",
		WANTS_VERIFY, 0},
	{"--worth", "PROFILE",
		"how far such predictions are off here: each result predicted by the others",
		WANTS_EXPORT, ACTION_WORTH},
	{"--compare", "A.json B.json",
		"what became slower from A to B; judged with three a side: A1.json,A2.json,A3.json "
		"B1...",
		WANTS_ACTION, ACTION_COMPARE},
	{"--tolerance", "1%", "with --compare: ignore differences up to this", WANTS_TOLERANCE, 0},
	{"--history", "H.json,...",
		"with --compare: earlier results of equal builds here: files, folders, "
		"HOST/SUITE/EXPERIMENT",
		WANTS_FILE, offsetof(struct options, history)},
	{"--force", NULL,
		"with --compare: also results of work that differs, and disturbed costs; with "
		"--predict, --advise and --worth: also results of another machine; with these, "
		"--matrix, --bandwidths and --export-memattrs: also disturbed figures",
		WANTS_FLAG, offsetof(struct options, force)},
	{"--export-memattrs", "FILE",
		"latency and bandwidth out of A.json [B.json] as hwloc memory attributes (XML)",
		WANTS_EXPORT, ACTION_EXPORT},
	{"--measure-caches", "FILE",
		"where the machine shows no caches: measure them, once, for caches: "
		"measured:FILE (JSON)",
		WANTS_EXPORT, ACTION_CACHES},
	{"--quiet", NULL, "no progress and no warnings on standard error", WANTS_FLAG,
		offsetof(struct options, quiet)},
	{"--version", NULL, "version and what it was built with", WANTS_ACTION, ACTION_VERSION},
	{0},
};

void options_usage(FILE *out)
{
	fprintf(out, "usage: affinity [options] ARGS... [OUT]\n\n"
		     "Runs the argument file ARGS ('-': standard input) and writes the text "
		     "report OUT (standard output).\n"
		     "Several run one after another. Where OUT or FILE is a folder, the results of "
		     "each get its name there.\n\n");
	for (const struct output_format *f = output_formats; f->write; f++)
		if (f->option)
			options_print(&(struct option_head){f->option, "FILE", f->help}, 25, out);
	for (const struct option *o = table; o->name; o++)
		options_print(&(struct option_head){o->name, o->value, o->help}, 25, out);
	fprintf(out, "\nexit status: 0 measured, 1 could not measure, 2 bad arguments, 3 placement "
		     "impossible "
		     "or not obtained,\n             4 counters required but absent, 128 + N ended "
		     "early by signal N "
		     "(130: Ctrl-C)\n");
}

static bool is_named(const char *option, const char *name, size_t length)
{
	return option && strlen(option) == length && !strncmp(option, name, length);
}

/* Finds a row of the table, or of the formats of results. 0, or -1: no row has that name. */
static int find(struct option *found, const char *name, size_t length)
{
	for (int i = 0; output_formats[i].write; i++)
		if (is_named(output_formats[i].option, name, length)) {
			*found = (struct option){output_formats[i].option, "FILE",
				output_formats[i].help, WANTS_OUTPUT, i};
			return 0;
		}
	for (const struct option *o = table; o->name; o++)
		if (is_named(o->name, name, length)) {
			*found = *o;
			return 0;
		}
	return -1;
}

static int unknown(const char *word, struct errors *e)
{
	static const struct synonym others[] = {{"--dry-run", "--plan"}, {"--parse-only", "--plan"},
		{"--showcmd", "--plan"}, {"--export-json", "--json"}, {"--export-csv", "--csv"},
		{"--output-format", "--json"}, {NULL, NULL}};
	const char *names[sizeof(table) / sizeof(*table) + MAX_OUTPUTS],
		*key = option_key_meant(word);
	size_t count = 0;

	for (const struct output_format *f = output_formats; f->write; f++)
		if (f->option)
			names[count++] = f->option;
	for (const struct option *o = table; o->name; o++)
		names[count++] = o->name;
	const char *nearest = key ? NULL : synonym_nearest(others, word, names, count);
	error_unknown(e, STATUS_USAGE, NOWHERE, nearest, "unknown option '%s'", word);
	return option_hint_unknown(key, word, e);
}

void options_hint_bare(const char *path, struct errors *e)
{
	char *name = alloc_format("--%s", path);
	struct option found;

	if (access(path, F_OK) && !find(&found, name, strlen(name)))
		error_hint(e, "it is an option: affinity %s", name);
	free(name);
}

/* A word behind an option that wants a value is another option: that was forgotten, not a file of
 * such a name. */
static bool is_option(const char *word)
{
	struct option found;

	word = options_long(word);
	return !strcmp(word, "--") || !find(&found, word, strcspn(word, "="));
}

/* The option that asks for an action; NULL: measuring needs none. */
static const char *name_of(enum action action)
{
	for (const struct option *o = table; o->name; o++)
		if ((o->kind == WANTS_ACTION || o->kind == WANTS_EXPORT) && o->what == (int)action)
			return o->name;
	return NULL;
}

/* Information about the program; it needs nothing else of the command line. */
static bool informs(enum action action)
{
	return action == ACTION_HELP || action == ACTION_VERSION;
}

static bool predicts(enum action action)
{
	return action == ACTION_PREDICT || action == ACTION_ADVISE;
}

static bool uses_profile(enum action action)
{
	return predicts(action) || action == ACTION_WORTH;
}

/* --help and --version replace every other action; of other actions there can be only one. */
static void take_action(struct options *o, enum action action, struct errors *e)
{
	if (!informs(o->action) && !informs(action) && o->action != ACTION_MEASURE &&
		o->action != action) {
		error_add(e, STATUS_USAGE, NOWHERE, "%s and %s cannot be done together",
			name_of(o->action), name_of(action));
		error_hint(e, "give one of them");
	}
	if (!informs(o->action))
		o->action = action;
}

/* A file that an action works on, or an option by itself. */
static void take_file(
	struct options *o, const struct option *option, const char *value, struct errors *e)
{
	const bool acts = option->kind == WANTS_EXPORT;
	const char **file = !acts ? (const char **)((char *)o + option->what)
			    : option->what == ACTION_CACHES ? &o->caches
			    : uses_profile(option->what)    ? &o->profile
							    : &o->memattrs;

	if (*file)
		options_given_twice(option->name, e);
	if (acts)
		take_action(o, (enum action)option->what, e);
	*file = value;
}

/* Handles argv[i]; returns the number of words it used. "--json FILE" and "--json=FILE" are the
 * same. */
static int take_option(struct options *o, int i, int argc, char **argv, struct errors *e)
{
	const char *word = options_long(argv[i]), *equals = strchr(word, '=');
	struct option option;
	const char *next = i + 1 < argc ? argv[i + 1] : NULL;
	const char *value = equals ? equals + 1 : next;

	if (find(&option, word, equals ? (size_t)(equals - word) : strlen(word))) {
		unknown(argv[i], e);
		return 1;
	}
	if (equals && !option.value) {
		error_add(e, STATUS_USAGE, NOWHERE, "%s takes no value", option.name);
		return 1;
	}
	if (option.kind == WANTS_FLAG) {
		*(bool *)((char *)o + option.what) = true;
		return 1;
	}
	if (option.kind == WANTS_ACTION) {
		take_action(o, (enum action)option.what, e);
		if (equals && option.what == ACTION_PLAN)
			options_take_plan(o, value, e);
		else if (equals && option.what != ACTION_HELP)
			words_add(&o->operands, value, strlen(value));
		if (option.what != ACTION_HELP || !value || (!equals && *value == '-'))
			return 1;
		o->help_for = value;
		return equals ? 1 : 2;
	}
	if (!value || !*value) {
		error_add(e, STATUS_USAGE, NOWHERE, "%s needs a value: %s %s", option.name,
			option.name, option.value);
		return 1;
	}
	if (!equals && is_option(value)) {
		if (option.kind == WANTS_EXPORT)
			take_action(o, (enum action)option.what, e);
		options_say_wanted(
			&(struct option_head){option.name, option.value, NULL}, value, e);
		return 1;
	}
	if (option.kind == WANTS_TOLERANCE) {
		options_take_tolerance(o, value, e);
	} else if (option.kind == WANTS_VERIFY) {
		options_take_verify(o, value, e);
	} else if (option.kind == WANTS_EXPORT || option.kind == WANTS_FILE) {
		take_file(o, &option, value, e);
	} else if (option.kind == WANTS_WORDS)
		words_add((struct words *)((char *)o + option.what), value, strlen(value));
	else if (o->outputs[option.what])
		options_given_twice(option.name, e);
	else
		o->outputs[option.what] = value;
	return equals ? 1 : 2;
}

/* An option that changes nothing was meant to change something. */
static void check_effect(
	const struct options *o, const char *option, enum action needed, struct errors *e)
{
	const char *action = name_of(o->action);

	if (action) {
		error_add(e, STATUS_USAGE, NOWHERE, "%s has no effect with %s", option, action);
		error_hint(e, "leave out %s or %s", option, action);
	} else {
		error_add(e, STATUS_USAGE, NOWHERE, "%s has no effect without %s", option,
			name_of(needed));
		error_hint(e, "leave out %s", option);
	}
}

/* What is told without measuring has a JSON document too. */
static bool tells(enum action action)
{
	return action == ACTION_LIST || action == ACTION_TOPOLOGY || action == ACTION_PLAN ||
	       action == ACTION_CHECK;
}

/* It takes an argument file. */
static bool plans(enum action action)
{
	return action == ACTION_MEASURE || action == ACTION_PLAN || predicts(action);
}

static void check_effects(const struct options *o, struct errors *e)
{
	for (int i = 0; output_formats[i].write; i++)
		if (o->outputs[i] && o->action != ACTION_MEASURE &&
			!(i == OUTPUT_JSON && tells(o->action)) && !(predict_writes(o->action, i)))
			check_effect(o, output_formats[i].option, ACTION_MEASURE, e);
	if (o->sets.count && !plans(o->action) && o->action != ACTION_WORTH)
		check_effect(o, "--set", ACTION_MEASURE, e);
	if (o->matrix && !plans(o->action) && o->action != ACTION_TOPOLOGY)
		check_effect(o, "--matrix", ACTION_PLAN, e);
	if (o->bandwidths && !plans(o->action))
		check_effect(o, "--bandwidths", ACTION_PLAN, e);
	if (o->output && o->action != ACTION_MEASURE && !uses_profile(o->action))
		check_effect(o, "--output", ACTION_MEASURE, e);
	if (o->tolerance_given && o->action != ACTION_COMPARE)
		check_effect(o, "--tolerance", ACTION_COMPARE, e);
	if (o->verify_given && o->action != ACTION_ADVISE)
		check_effect(o, "--verify", ACTION_ADVISE, e);
	if (o->history && o->action != ACTION_COMPARE)
		check_effect(o, "--history", ACTION_COMPARE, e);
	if (o->force && o->action != ACTION_COMPARE && o->action != ACTION_EXPORT &&
		!uses_profile(o->action) && !o->matrix && !o->bandwidths)
		check_effect(o, "--force", ACTION_COMPARE, e);
	if (o->strict && o->action != ACTION_CHECK)
		check_effect(o, "--strict", ACTION_CHECK, e);
	if (o->accepted.count && o->action != ACTION_CHECK)
		check_effect(o, "--accept", ACTION_CHECK, e);
}

int options_parse(struct options *o, int argc, char **argv, struct errors *e)
{
	size_t before = e->failures;
	bool options_end = false;

	/* 1 %: the slowdown that an insignificant change may cause */
	*o = (struct options){.tolerance = 0.01};
	for (int i = 1; i < argc;) {
		if (!options_end && !strcmp(argv[i], "--")) {
			options_end = true;
			i++;
		} else if (!options_end && argv[i][0] == '-' && argv[i][1]) {
			i += take_option(o, i, argc, argv, e);
		} else {
			words_add(&o->operands, argv[i], strlen(argv[i]));
			i++;
		}
	}
	operands_take(o, e);
	if (!informs(o->action)) /* these do their work whatever else there is */
		check_effects(o, e);
	if (o->action == ACTION_MEASURE || uses_profile(o->action))
		option_files_report(o, e);
	if (o->action == ACTION_MEASURE && o->args)
		option_files_name(o, e);
	else if ((o->args && (plans(o->action) || o->action == ACTION_EXPORT)) ||
		 o->action == ACTION_WORTH)
		option_files_check(o, e);
	return e->failures == before ? 0 : -1;
}

void options_free(struct options *o)
{
	words_free(&o->sets);
	words_free(&o->accepted);
	words_free(&o->operands);
	option_files_free(o);
}
