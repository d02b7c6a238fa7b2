/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lists experiments with the time that their plans guess for this machine. */
#include "affinity/menu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/terminal.h"
#include "input/experiments.h"
#include "affinity/files.h"

static void replace(char **word, char *with)
{
	free(*word);
	*word = with;
}

/* What is neither that of a file nor, with .args, of a file here. */
static void resolve(struct options *o, char **word)
{
	char *here = alloc_format("%s.args", *word);
	struct words names = {0};

	if (!strcmp(*word, "-") || !access(*word, F_OK)) {
		free(here);
		return;
	}
	if (!access(here, F_OK)) {
		replace(word, here);
		o->found = true;
		return;
	}
	free(here);
	experiments_find(&names, *word);
	if (names.count > 1)
		o->unclear = *word;
	if (names.count == 1) {
		replace(word, experiments_path(names.word[0]));
		o->found = true;
	}
	words_free(&names);
}

/* Is it a result's name, without .json? */
static bool is_result(const char *word)
{
	char *file = alloc_format("%s.json", word);
	const bool is = access(word, F_OK) && !access(file, F_OK);

	free(file);
	return is;
}

void menu_resolve(struct options *o)
{
	const size_t count = o->operands.count;

	if (o->action == ACTION_SHOW && o->shown && !is_result(o->shown)) {
		o->resolved = alloc_string(o->shown, strlen(o->shown));
		resolve(o, &o->resolved);
		o->shown = o->resolved;
	}
	if (o->action != ACTION_MEASURE && o->action != ACTION_PLAN &&
		o->action != ACTION_PREDICT && o->action != ACTION_ADVISE)
		return;
	for (size_t i = 0; i < count && !o->unclear; i++) {
		const char *ending = strrchr(o->operands.word[i], '.');

		/* the last may be OUT, which no ending of an argument file has */
		if (!i || i + 1 < count || o->action == ACTION_PLAN ||
			(ending && !strcmp(ending, ".args")))
			resolve(o, &o->operands.word[i]);
	}
}

/* The first sentence of a comment, on one line. To be freed. */
static char *first_sentence(const char *text)
{
	char *comment = args_comment(text), *end = comment;

	for (; *end && strncmp(end, "\n\n", 2); end++) {
		if (*end == '\n')
			*end = ' ';
		if ((*end == '.' || *end == '?') && (!end[1] || end[1] == ' ' || end[1] == '\n'))
			break;
	}
	*end = '\0';
	return comment;
}

/* An experiment, planned here. */
struct row {
	double seconds; /* NAN: it cannot be placed here */
	char *about;    /* its first sentence, or why not */
};

static struct row plan(const struct options *o, const char *name, const struct topo *t)
{
	struct args args = {0};
	struct errors own = {0};
	struct row row;
	char *path = experiments_path(name);

	if (!path)
		return (struct row){NAN, alloc_format("no folder args is beside the program")};
	row.seconds = files_guess(o, path, &args, t, &own);
	row.about = isnan(row.seconds) ? alloc_format("not here: %s", errors_failure(&own))
				       : first_sentence(args.text);
	errors_free(&own);
	args_free(&args);
	free(path);
	return row;
}

/* Two digits are what a guess is worth. */
static const char *time_of(double seconds, char *buffer, size_t n)
{
	if (isnan(seconds))
		return "-";
	if (seconds < 100)
		snprintf(buffer, n, "%.0f s", fmax(1, seconds));
	else if (seconds < 6000)
		snprintf(buffer, n, "%.0f min", seconds / 60);
	else
		snprintf(buffer, n, "%.0f h", seconds / 3600);
	return buffer;
}

const char *menu_time(
	const struct options *o, const char *name, const struct topo *t, char *buffer, size_t n)
{
	const struct row row = plan(o, name, t);

	free(row.about);
	return time_of(row.seconds, buffer, n);
}

static int longest(const struct words *names)
{
	size_t most = 0;

	for (size_t i = 0; i < names->count; i++)
		most = strlen(names->word[i]) > most ? strlen(names->word[i]) : most;
	return (int)most;
}

static void list_names(
	const struct options *o, const struct words *names, const struct topo *t, FILE *out)
{
	const int width = longest(names);
	char time[32];

	for (size_t i = 0; i < names->count; i++) {
		const struct row row = plan(o, names->word[i], t);
		const int used = fprintf(out, "%-*s  %6s  ", width, names->word[i],
			time_of(row.seconds, time, sizeof(time)));

		terminal_cut(row.about, used, terminal_width(out), out);
		free(row.about);
	}
}

/* "latency  2 of 3  4 min  staircase chains loaded": those that can be placed here. */
static size_t list_suite(const struct options *o, const struct words *names, size_t first,
	const struct topo *t, FILE *out)
{
	const size_t length = strcspn(names->word[first], "/") + 1;
	char *about = NULL, time[32];
	double sum = 0;
	size_t i = first, here = 0;

	for (; i < names->count && !strncmp(names->word[i], names->word[first], length); i++) {
		const struct row row = plan(o, names->word[i], t);

		alloc_append(&about, " ", "%s", names->word[i] + length);
		sum += isnan(row.seconds) ? 0 : row.seconds;
		here += !isnan(row.seconds);
		free(row.about);
	}
	const int used = fprintf(out, "%-20.*s %2zu of %2zu  %6s  ", (int)length - 1,
		names->word[first], here, i - first, time_of(here ? sum : NAN, time, sizeof(time)));

	terminal_cut(about, used, terminal_width(out), out);
	fflush(out); /* plans of large machines take a while */
	free(about);
	return i;
}

static void list_suites(const struct options *o, const struct topo *t, FILE *out)
{
	struct words names = {0};

	experiments_find(&names, NULL);
	for (size_t i = 0; i < names.count;)
		i = list_suite(o, &names, i, t, out);
	words_free(&names);
}

static void refuse_unclear(const char *word, const struct words *names, struct errors *e)
{
	error_add(e, STATUS_USAGE, NOWHERE, "'%s' fits %zu experiments; nothing is measured", word,
		names->count);
	error_hint(e, "name one of them, such as %s", names->word[0]);
}

static void refuse_unknown(const char *word, struct errors *e)
{
	char *nearest = experiments_nearest(word);

	error_unknown(e, STATUS_USAGE, NOWHERE, nearest, "no experiment fits '%s'", word);
	error_hint(e, "affinity --experiments lists all");
	free(nearest);
}

void menu_experiments(const struct options *o, const struct topo *t, struct errors *e)
{
	struct words names = {0};

	if (o->unclear) {
		experiments_find(&names, o->unclear);
		list_names(o, &names, t, stderr);
		refuse_unclear(o->unclear, &names, e);
	} else if (!o->operands.count) {
		list_suites(o, t, stdout);
	}
	for (size_t i = 0; !o->unclear && i < o->operands.count; i++) {
		const size_t before = names.count;

		experiments_find(&names, o->operands.word[i]);
		if (names.count == before)
			refuse_unknown(o->operands.word[i], e);
	}
	if (!o->unclear)
		list_names(o, &names, t, stdout);
	words_free(&names);
}

static const struct command {
	const char *text, *about;
	const char *experiment; /* that it runs; NULL: it takes `time` */
	const char *time;
} commands[] = {
	{"affinity first", "the machine on one screen, measured", NULL, "1 min"},
	{"affinity matrix/latency", "ns of a load, from each node to each", "matrix/latency", NULL},
	{"affinity bandwidth/threads", "GB/s of 1, 2, 3 ... threads", "bandwidth/2_threads", NULL},
	{"affinity core_to_core", "ns of a line between each two CPUs", "matrix/core_to_core",
		NULL},
	{"affinity-map --try -- PROGRAM", "the best placement of your program", NULL, "10 min"},
};

void menu_start(const struct options *o, const struct topo *t)
{
	const int width = terminal_width(stdout);
	char time[32];

	puts("affinity measures how fast threads reach data, by where each of them is.\n");
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		const struct command *c = &commands[i];
		const char *takes = c->experiment
					    ? menu_time(o, c->experiment, t, time, sizeof(time))
					    : c->time;
		const int used = printf("  %-29s  %7s  ", c->text, takes);

		terminal_cut(c->about, used, width, stdout);
	}
	puts("\nEach experiment is a text file below args/. affinity --experiments lists all\n"
	     "with their times, affinity --plan NAME says what one would do; files of your\n"
	     "own run as they do. affinity --help: options; --help keys: what a file can say.");
}
