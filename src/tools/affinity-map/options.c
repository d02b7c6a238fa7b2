/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads affinity-map's command line from one table. */
#include "affinity-map/options.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/denied.h"
#include "base/options.h"
#include "base/output.h"
#include "input/param.h"

/* Sufficient for a night of short programs. */
#define MAX_RUNS 10000

/* Of --pairs, which the paper compares with intervals. */
#define PAIRS_RUNS 5

/* With --against: of a program that varies by 1 % from run to run they show one that became slower
 * by 2 % beyond the tolerance. */
#define AGAINST_RUNS 8

/* A random mapping each: enough for a distribution. */
#define MAX_METHODS 1000

static const struct param by_row = {
	"--by", NULL, PARAM_CHOICE, 0, "spread", 0, 0, mapping_types, NULL, 0};
static const struct param runs_row = {
	"--runs", NULL, PARAM_COUNT, 0, "1", 1, MAX_RUNS, NULL, NULL, 0};
static const struct param tolerance_row = {
	"--tolerance", NULL, PARAM_FRACTION, 0, "3%", 0.001, 0.5, NULL, NULL, 0};
static const struct param budget_row = {
	"--budget", NULL, PARAM_DURATION, 0, "10min", 1e9, 1e15, NULL, NULL, 0};
static const struct param show_row = {
	"--show", NULL, PARAM_COUNT, 0, NULL, 1, 0x7fffffff, NULL, NULL, 0};
static const struct param watch_row = {
	"--watch", NULL, PARAM_DURATION, 0, NULL, 1e7, 1e15, NULL, NULL, 0};
static const struct param seed_row = {"--seed", NULL, PARAM_COUNT, 0, "0", 0, 0, NULL, NULL, 0};

static void take_number(void *to, const struct option *o, const char *value, struct errors *e)
{
	param_set(o->row, option_field(to, o), value, NOWHERE, e);
}

static option_take take_methods;

#define FIELD(name)  offsetof(struct map_options, name)
#define FLAG(name)   .take = option_flag, .field = FIELD(name)
#define TEXT(name)   .take = option_text, .field = FIELD(name)
#define NUMBER(name) .take = take_number, .field = FIELD(name)

static const struct option table[] = {
	{"--mapping", "M[,M...]",
		"instruction (default), compact, scatter, roundrobin, os,\n"
		"gomp, random, random:SEED, random*N (seeds 1 to N)",
		.take = take_methods},
	{"--by", "TYPE",
		"type of instructions to sort by: spread (default: the widest),\n"
		"branch, fp, int, load, store",
		NUMBER(by), .row = &by_row},
	{"--profile", "FILE|DIR", "instruction mixes: CSV with program,type,share; DIR/NAME.csv",
		TEXT(profile)},
	{"--threads", "N[,N...]", "places for each program (default: a fair share of the CPUs)",
		.take = option_words, .field = FIELD(threads)},
	{"--oversubscribe", NULL, "more threads than CPUs may take turns", FLAG(oversubscribe)},
	{"--pairs", NULL,
		"run every pair of the programs, and compare os with roundrobin and\n"
		"instruction unless --mapping says which",
		FLAG(pairs)},
	{"--try", NULL, "race command lines that place one program, and print the best", FLAG(try)},
	{"--tolerance", "T",
		"of --try: end when the first is worse than none by more (default 3%);\n"
		"of --against: what is slower by more",
		NUMBER(tolerance), .row = &tolerance_row},
	{"--budget", "TIME", "of --try: end after this time (default 10min)", NUMBER(budget_ns),
		.row = &budget_row},
	{"--figure", "REGEX",
		"of --try: compare the number in the group of the last match in the\n"
		"program's standard output, in place of its time; larger is better\n"
		"of a rate (t/s, FLOPS, MB/s), smaller of a time",
		TEXT(figure)},
	{"--larger", NULL, "of --figure: larger numbers are better, whatever the unit says",
		FLAG(larger)},
	{"--smaller", NULL, "of --figure: smaller ones are", FLAG(smaller)},
	{"--bandwidths", "FILE", "of --try: weigh nodes by these results of args/matrix/bandwidth",
		TEXT(bandwidths)},
	{"--list", "FILE", "further programs: a line each", TEXT(list)},
	{"--runs", "N", "runs of each mapping, in random order (default 1; --pairs: 5)",
		NUMBER(runs), .row = &runs_row},
	{"--seed", "N", "seed of that order (default: from the clock; it is printed)", NUMBER(seed),
		.row = &seed_row},
	{"--out", "FILE", "the report (default: standard error)", TEXT(out)},
	{"--json", "FILE", "machine-readable results", TEXT(json)},
	{"--against", "FILE", "judge, as affinity --compare does, what changed since this result",
		TEXT(against)},
	{"--show", "PID", "show where a process that runs, its memory and its files are, by node",
		NUMBER(show), .row = &show_row},
	{"--watch", "TIME", "of --show: again and again after this time", NUMBER(watch_ns),
		.row = &watch_row},
	{"--plan", NULL, "show which CPUs each program would get, start nothing",
		.action = MAP_PLAN},
	{"--help", NULL, "this", .action = MAP_HELP},
	{"--version", NULL, "version", .action = MAP_VERSION},
	{0},
};

void map_options_usage(FILE *out)
{
	fprintf(out,
		"usage: affinity-map [options] -- PROGRAM [ARG...] [: PROGRAM [ARG...]]...\n\n"
		"Starts the programs together, every thread bound as the mapping says, and\n"
		"reports their times. The word ':' divides programs; of PROGRAM : : PROGRAM the\n"
		"second is compared with the first, as they are, in turns.\n"
		"       affinity-map --show PID [--watch TIME]\n\n");
	options_print(table, 24, out);
	fprintf(out, "\nexit status: of the first program that failed, 128 + N when signal N ended "
		     "it; else\n             0; 1 could not run, 2 bad arguments, 3 the mapping is "
		     "impossible\n");
}

static void add_method(struct map_options *o, struct mapping_choice m, struct errors *e)
{
	char *name = mapping_name(&m);

	for (int i = 0; i < o->nmethods; i++)
		if (o->methods[i].method == m.method && o->methods[i].seed == m.seed &&
			!strcmp(o->methods[i].level, m.level))
			error_add(e, STATUS_USAGE, NOWHERE, "--mapping has %s twice", name);
	free(name);
	o->methods = alloc_grow(o->methods, (size_t)o->nmethods, sizeof(*o->methods));
	o->methods[o->nmethods++] = m;
}

/* A mapping, or several random ones: "random*20", "random:7*20". */
static void read_method(struct map_options *o, char *word, struct errors *e)
{
	char *star = strncmp(word, "random", 6) ? NULL : strchr(word, '*');
	struct mapping_choice m;
	uint64_t n = 1;

	if (star && (text_count(star + 1, &n) || n < 1 || n > MAX_METHODS)) {
		error_add(e, STATUS_USAGE, NOWHERE, "--mapping: '%s' is not a number of mappings",
			star + 1);
		error_hint(e, "1 .. %d, such as random*20", MAX_METHODS);
		return;
	}
	if (star)
		*star = '\0';
	if (mapping_read("--mapping", word, NOWHERE, &m, e))
		return;
	for (uint64_t i = 0; i < n; i++, m.seed++)
		add_method(o, m, e);
}

static void take_methods(void *to, const struct option *row, const char *value, struct errors *e)
{
	struct map_options *o = to;
	struct words words = {0};

	words_split(&words, value, ",");
	free(o->methods);
	o->methods = NULL;
	o->nmethods = 0;
	for (size_t i = 0; i < words.count; i++)
		read_method(o, words.word[i], e);
	if (!words.count)
		error_add(e, STATUS_USAGE, NOWHERE, "%s names no mapping", row->name);
	words_free(&words);
}

static void add_program(struct map_options *o, char **words)
{
	o->programs = alloc_grow(o->programs, (size_t)o->nprograms, sizeof(*o->programs));
	o->programs[o->nprograms++] = words;
}

static void cut_programs(struct map_options *o, char **words, struct errors *e)
{
	bool begins = true;

	for (; *words; words++) {
		bool divides = !strcmp(*words, ":");

		if (divides && begins && o->nprograms == 1 && !o->versus) {
			*words = NULL; /* the second of two */
			o->versus = o->try = true;
			continue;
		}
		if (divides && begins)
			error_add(e, STATUS_USAGE, NOWHERE, "there is no program before a ':'");
		if (divides)
			*words = NULL; /* ends the argv of a program */
		else if (begins)
			add_program(o, words);
		begins = divides;
	}
	if (begins && !(o->list && !o->nprograms)) {
		error_add(e, STATUS_USAGE, NOWHERE, "%s",
			o->nprograms ? "there is no program after the last ':'"
				     : "there is no program to run");
		error_hint(e, "affinity-map [options] -- PROGRAM [ARG...] : PROGRAM [ARG...]");
	}
}

/* A line of the list is a program with its arguments, divided by blanks. */
static void add_line(struct map_options *o, const char *line)
{
	struct words w = {0};

	words_split(&w, line, " \t\r\n");
	if (w.count && *w.word[0] != '#') {
		o->lines = alloc_grow(o->lines, (size_t)o->nlines, sizeof(*o->lines));
		w.word = alloc_grow(w.word, w.count, sizeof(*w.word));
		w.word[w.count] = NULL; /* ends its argv */
		o->lines[o->nlines++] = w;
	} else {
		words_free(&w);
	}
}

static void read_list(struct map_options *o, struct errors *e)
{
	FILE *in = fopen(o->list, "re");
	char *line = NULL;
	size_t size = 0;

	while (in && getline(&line, &size, in) > 0)
		add_line(o, line);
	if (!in || ferror(in)) {
		const int error = errno;

		error_add(e, STATUS_USAGE, NOWHERE, "cannot read the list '%s': %s", o->list,
			strerror(error));
		error_hint(e, "--list names a file with a line for each program");
		denied_hint(o->list, error, e);
	} else if (!o->nlines) {
		error_add(e, STATUS_USAGE, (struct place){o->list, 0}, "names no program");
		error_hint(e, "a line for each program: its file and its arguments, divided by "
			      "blanks");
	}
	for (int i = 0; i < o->nlines; i++)
		add_program(o, o->lines[i].word);
	free(line);
	if (in)
		fclose(in);
}

/* If an output file is also an input, or is written twice, its content would be lost. */
static void check_files(const struct map_options *o, struct errors *e)
{
	const char *files[] = {o->profile, o->list, o->bandwidths, o->against, o->out, o->json};

	output_distinct(files, sizeof(files) / sizeof(*files), e);
}

/* What was not asked for. The paper compares with the operating system's own placement. */
static void default_values(struct map_options *o)
{
	static const struct mapping_choice pairs[] = {
		{MAPPING_OS, 1, ""}, {MAPPING_ROUNDROBIN, 1, ""}, {MAPPING_INSTRUCTION, 1, ""}};
	static const struct mapping_choice candidates[] = {
		{MAPPING_OS, 1, ""}, {MAPPING_COMPACT, 1, ""}, {MAPPING_SCATTER, 1, ""}};
	const struct mapping_choice *defaults = o->try ? candidates : pairs;
	size_t first = o->pairs || o->try ? 0 : 2;

	for (size_t i = o->methods ? 3 : first; i < 3; i++) {
		o->methods = alloc_grow(o->methods, (size_t)o->nmethods, sizeof(*o->methods));
		o->methods[o->nmethods++] = defaults[i];
	}
	if (!(o->tolerance > 0))
		o->tolerance = 0.03;
	if (!o->budget_ns)
		o->budget_ns = UINT64_C(600000000000);
	if (!o->runs)
		o->runs = o->pairs ? PAIRS_RUNS : o->against ? AGAINST_RUNS : 1;
}

/* What is judged is kept: it is what the next result is compared with. */
static void check_against(const struct map_options *o, struct errors *e)
{
	if (!o->against || (o->json && !output_same(o->json, "-")))
		return;
	error_add(e, STATUS_USAGE, NOWHERE, "--against needs --json FILE");
	error_hint(e, "the file gets the new result, which a later one can be judged against");
}

static void check_pairs(const struct map_options *o, struct errors *e)
{
	if (!o->pairs)
		return;
	if (o->nprograms == 1) {
		error_add(e, STATUS_USAGE, NOWHERE, "--pairs needs at least two programs");
		error_hint(e, "affinity-map --pairs -- PROGRAM [ARG...] : PROGRAM [ARG...]");
	}
	if (o->threads.count > 1) {
		error_add(e, STATUS_USAGE, NOWHERE, "--pairs takes one value of --threads");
		error_hint(e, "the programs of a pair have as many threads each");
	}
}

/* An option that --try ignored, or that means nothing without it, would look obeyed. */
static void check_try(const struct map_options *o, struct errors *e)
{
	const bool odd = o->pairs || o->runs || o->profile || o->list;

	if (!o->try && (o->figure || o->larger || o->smaller || (o->tolerance > 0 && !o->against) ||
			       o->budget_ns || o->bandwidths)) {
		error_add(e, STATUS_USAGE, NOWHERE,
			"--tolerance, --budget, --figure, --larger, --smaller and --bandwidths "
			"belong to --try");
		error_hint(e, "affinity-map --try [options] -- PROGRAM [ARG...]");
	}
	if (!o->try)
		return;
	if (odd)
		error_add(e, STATUS_USAGE, NOWHERE,
			"--try takes none of --pairs, --runs, --profile, --list");
	if (o->nprograms > 1 + o->versus)
		error_add(e, STATUS_USAGE, NOWHERE, "--try takes one program");
	if (o->versus && (o->nmethods || o->threads.count || o->bandwidths))
		error_add(e, STATUS_USAGE, NOWHERE,
			"two programs are compared as they are: without --mapping, --threads and "
			"--bandwidths");
	if ((o->larger || o->smaller) && !o->figure)
		error_add(e, STATUS_USAGE, NOWHERE, "--%s needs a --figure",
			o->larger ? "larger" : "smaller");
	if (o->larger && o->smaller)
		error_add(e, STATUS_USAGE, NOWHERE, "--larger and --smaller: choose one");
	for (int i = 0; i < o->nmethods; i++)
		if (o->methods[i].method == MAPPING_INSTRUCTION)
			error_add(e, STATUS_USAGE, NOWHERE,
				"--try takes no mapping instruction: which thread does what is "
				"nothing that a command line can say");
}

/* A process that runs already is looked at, and nothing else. */
static void check_show(const struct map_options *o, const struct options_given *given, char **words,
	struct errors *e)
{
	static const char *const allowed[] = {"--show", "--watch", "--json", "--out"};

	if (o->watch_ns && !o->show)
		error_add(e, STATUS_USAGE, NOWHERE, "--watch belongs to --show PID");
	if (!o->show)
		return;
	for (const struct option *row = table; row->name; row++) {
		bool may = !options_has(given, row->name);

		for (size_t i = 0; i < sizeof(allowed) / sizeof(*allowed); i++)
			may |= !strcmp(row->name, allowed[i]);
		if (!may)
			error_add(e, STATUS_USAGE, NOWHERE, "%s has no effect with --show",
				row->name);
	}
	if (o->watch_ns && (o->json || o->out))
		error_add(e, STATUS_USAGE, NOWHERE, "--watch writes to standard output only");
	if (*words)
		error_add(
			e, STATUS_USAGE, NOWHERE, "--show starts no program, such as '%s'", *words);
}

int map_options_parse(struct map_options *o, char **words, struct errors *e)
{
	struct options_given given = {.rows = table, .action = MAP_RUN};
	size_t before = e->failures;

	*o = (struct map_options){.by = MAPPING_SPREAD};
	words = options_take(&given, words, o, e);
	o->action = (enum map_action)given.action;
	check_show(o, &given, words, e);
	if (o->show && o->action == MAP_RUN)
		o->action = MAP_SHOW;
	if (o->action == MAP_RUN || o->action == MAP_PLAN) {
		cut_programs(o, words, e);
		if (o->list)
			read_list(o, e);
		check_against(o, e);
		check_pairs(o, e);
		check_try(o, e);
	}
	default_values(o);
	check_files(o, e);
	return e->failures == before ? 0 : -1;
}

void map_options_free(struct map_options *o)
{
	for (int i = 0; i < o->nlines; i++)
		words_free(&o->lines[i]);
	free(o->lines);
	free(o->methods);
	words_free(&o->threads);
	free(o->programs);
}
