/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches open values, and ranks what was found. */
#include "prediction/advice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

#define OPEN "?"
/* The best that are told, and those to measure: the first alone often differs from the second by
 * less than the model errs. */
#define TOLD    10
#define MEASURE 4

/* Each is planned: some seconds, and some hundred MB. */
#define MOST 10000

static const struct {
	const char *key, *values;
	size_t count; /* of values; 0: as many as there are nodes */
} searched[] = {{"nodePerVector", "nodes", 0}, {"nodePerThread", "cpunodes", 0},
	{"pagesPerVector", "system 4K thp 2M", 4}};

/* The row of searched; -1: it is not searched. */
static int row_of(const struct entry *entry)
{
	for (size_t i = 0; i < sizeof(searched) / sizeof(*searched); i++)
		if (!strcmp(entry->key, searched[i].key))
			return (int)i;
	return -1;
}

static size_t count_open(const struct entry *entry)
{
	struct words words = {0};
	size_t n = 0;

	words_split(&words, entry->value, " \t");
	for (size_t i = 0; i < words.count; i++)
		n += !strcmp(words.word[i], OPEN);
	words_free(&words);
	return n;
}

/* The value with a variable in place of each `?`; *next is the number of the first. */
static char *with_variables(const struct entry *entry, size_t *next)
{
	struct words words = {0};
	char *value = alloc_string("", 0);

	words_split(&words, entry->value, " \t");
	for (size_t i = 0; i < words.count; i++) {
		char *word = strcmp(words.word[i], OPEN) ? alloc_format("%s", words.word[i])
							 : alloc_format("$open%zu", (*next)++);
		char *longer = alloc_format("%s%s%s", value, *value ? " " : "", word);

		free(word);
		free(value);
		value = longer;
	}
	words_free(&words);
	return value;
}

static int check_entries(const struct args *a, struct errors *e)
{
	size_t open = 0;

	for (size_t i = 0; i < a->count; i++) {
		const struct entry *entry = &a->entries[i];

		if (!strcmp(entry->key, "sweep")) {
			error_add(e, STATUS_USAGE, entry->at,
				"--advise searches one experiment, and a sweep makes several");
			return error_hint(e, "write the values of one of its runs into the file");
		}
		if (row_of(entry) >= 0)
			open += count_open(entry);
		else if (count_open(entry)) {
			error_add(e, STATUS_USAGE, entry->at, "'%s: ?' cannot be searched",
				entry->key);
			return error_hint(e, "nodePerVector, nodePerThread and pagesPerVector can");
		}
	}
	if (open)
		return 0;
	error_add(e, STATUS_USAGE, (struct place){args_name(a->path), 0}, "leaves no value open");
	return error_hint(e, "nodePerVector: ? ? and --advise choose the nodes of two vectors; "
			     "--predict predicts the file as it is");
}

static int check_number(const struct args *a, const struct topo *t, struct errors *e)
{
	double all = 1;

	for (size_t i = 0; i < a->count; i++) {
		const int row = row_of(&a->entries[i]);

		if (row >= 0)
			all *= pow(searched[row].count ? (double)searched[row].count
						       : (double)t->nnodes,
				(double)count_open(&a->entries[i]));
	}
	if (all <= MOST)
		return 0;
	error_add(e, STATUS_USAGE, (struct place){args_name(a->path), 0},
		"leaves %.0f placements open, and --advise searches %d at most", all, MOST);
	return error_hint(e, "write a value in place of some ?: threads that do the same may be "
			     "given in one order");
}

int advice_open(struct args *a, const struct topo *t, struct errors *e)
{
	const size_t count = a->count;
	size_t next = 0;

	if (check_entries(a, e) || check_number(a, t, e))
		return -1;
	for (size_t i = 0; i < count; i++) {
		const int row = row_of(&a->entries[i]);
		size_t first = next;

		if (row < 0 || !count_open(&a->entries[i]))
			continue;
		char *value = with_variables(&a->entries[i], &next);

		free(a->entries[i].value);
		a->entries[i].value = value;
		for (; first < next; first++) {
			char *sweep =
				alloc_format("sweep=open%zu = %s", first, searched[row].values);

			args_set(a, sweep, e);
			free(sweep);
		}
	}
	return 0;
}

struct choice {
	size_t run;
	struct amount total;
};

static struct amount add(struct amount a, struct amount b)
{
	return (struct amount){a.value + b.value, a.low + b.low, a.high + b.high};
}

static struct amount summary_of(const struct forecast_operation *o, int summary)
{
	struct amount all = o->threads[0].cost;

	for (size_t i = 1; i < o->count; i++) {
		const struct amount c = o->threads[i].cost;

		if (summary == SUMMARY_SUM || summary == SUMMARY_MEAN)
			all = add(all, c);
		else if ((c.value > all.value) == (summary == SUMMARY_MAX))
			all = c;
	}
	return summary == SUMMARY_MEAN ? amount_times(all, 1 / (double)o->count) : all;
}

/* False: an operation is not predicted. */
static bool total_of(const struct forecast_run *r, int summary, struct amount *total)
{
	*total = (struct amount){0, 0, 0};
	for (size_t i = 0; i < r->count; i++) {
		if (r->operations[i].refused)
			return false;
		*total = add(*total, summary_of(&r->operations[i], summary));
	}
	return r->count > 0;
}

static int by_total(const void *a, const void *b)
{
	const struct choice *x = a, *y = b;

	if (x->total.value != y->total.value)
		return x->total.value > y->total.value ? 1 : -1;
	return x->run > y->run ? 1 : -1;
}

static void write_set(const struct entry *entry, FILE *out)
{
	char *assignment = alloc_format("%s=%s", entry->key, entry->value);

	fprintf(out, " --set ");
	text_print_quoted(assignment, out);
	free(assignment);
}

/* The words that make the run of the file: its values in the keys that were open. */
static void write_sets(const struct experiment *x, size_t run, FILE *out)
{
	const struct args *open = x->args, *own = &x->runs[run].args;

	for (size_t i = 0; i < open->count && i < own->count; i++)
		if (row_of(&open->entries[i]) >= 0 && strstr(open->entries[i].value, "$open"))
			write_set(&own->entries[i], out);
}

/* Those that the command line gave, and that open no value. */
static void write_given(const struct args *a, FILE *out)
{
	for (size_t i = a->from_file; i < a->count; i++)
		if (strcmp(a->entries[i].key, "sweep") != 0 &&
			!strstr(a->entries[i].value, "$open"))
			write_set(&a->entries[i], out);
}

static void write_choice(const struct forecast *f, const struct experiment *x,
	const struct choice *c, size_t rank, const struct choice *best, FILE *out)
{
	fprintf(out, "%3zu.%6.1f %%  %.6g s", rank + 1,
		100 * (c->total.value / best->total.value - 1), c->total.value);
	if (isnan(c->total.low))
		fprintf(out, ", no interval");
	else
		fprintf(out, ", %g %%: %.6g .. %.6g%s", 100 * f->confidence, c->total.low,
			c->total.high,
			rank && c->total.low <= best->total.high ? ", not told apart from the best"
								 : "");
	fprintf(out, "\n    ");
	write_sets(x, c->run, out);
	fprintf(out, "\n");
}

static void write_advice(const struct forecast *f, const struct experiment *x,
	const struct choice *choices, size_t n, FILE *out)
{
	char mark[FORECAST_MARK];

	forecast_mark(f, mark);
	fprintf(out, "ADVICE by prediction, nothing was measured: %s\n", f->args);
	if (*mark)
		fprintf(out, "the profile is %s\n", mark);
	fprintf(out,
		"%zu of %zu placements are predicted; the cost of a %s, %s of the threads:\n\n", n,
		f->nruns, f->runs[choices->run].per, summary_names[experiment_request(x)->summary]);
	for (size_t i = 0; i < n && i < TOLD; i++)
		write_choice(f, x, &choices[i], i, &choices[0], out);
	fprintf(out, "\nA prediction is not a promise: measure the best before you rely on one:\n");
	for (size_t i = 0; i < n && i < MEASURE; i++) {
		fprintf(out, "  affinity");
		write_given(x->args, out);
		write_sets(x, choices[i].run, out);
		fputc(' ', out);
		text_print_quoted(x->args->path, out);
		fputc('\n', out);
	}
}

char *advice_text(const struct forecast *f, const struct experiment *x)
{
	struct choice *choices = alloc_zeroed(f->nruns + 1, sizeof(*choices));
	const int summary = experiment_request(x)->summary;
	char *text = NULL;
	size_t n = 0, size;

	for (size_t i = 0; i < f->nruns; i++) {
		choices[n].run = i;
		n += total_of(&f->runs[i], summary, &choices[n].total);
	}
	qsort(choices, n, sizeof(*choices), by_total);
	FILE *out = n ? open_memstream(&text, &size) : NULL;

	if (out) {
		write_advice(f, x, choices, n, out);
		fclose(out);
	}
	free(choices);
	return text;
}
