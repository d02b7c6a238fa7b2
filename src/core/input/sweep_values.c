/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ranges and sets of the machine, as lists of words. */
#include "input/sweep_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "input/sweep_sets.h"

/* A range longer than this is endless for all practical purposes; sweep.c's limit on runs is as
 * large. */
#define MAX_VALUES 10000

/* Of names of levels. */
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"

static void add_number(struct words *values, double number, bool bytes)
{
	char text[40];

	if (bytes)
		text_size_word((uint64_t)(number + 0.5), text, sizeof(text));
	else
		snprintf(text, sizeof(text), "%.12g", number);
	words_add(values, text, strlen(text));
}

/* The mark of a step, which is not inside of parentheses; the end: there is none. */
static char *mark_of(char *text)
{
	int open = 0;

	while (*text && (open > 0 || (*text != ':' && *text != '*'))) {
		open += (*text == '(') - (*text == ')');
		text++;
	}
	return text;
}

static int bad_range(
	const struct words *values, const char *word, const char *why, struct errors *e)
{
	error_add(e, STATUS_USAGE, values->at, "sweep: '%s' %s", word, why);
	return error_hint(e,
		"ranges are FIRST..LAST:STEP (0..900:100), FIRST..LAST*FACTOR (4..4096*2), "
		"FIRST..LAST in steps of 1 (1..8, 1..cpus); a size may be a part of a node's "
		"memory "
		"(4MiB..50%%*4)");
}

/* A plain number, or a size with a unit; both ends must be of the same kind. */
static int parse_end(const char *text, double *value, bool *bytes)
{
	uint64_t size;

	*bytes = false;
	if (!text_real(text, value))
		return 0;
	*bytes = true;
	if (text_bytes(text, &size))
		return -1;
	*value = (double)size;
	return 0;
}

struct range {
	double first, last, step;
	bool factor, bytes;
	int counted; /* ends that depend on the machine */
};

static bool is_part(const char *text)
{
	return *text && text[strlen(text) - 1] == '%';
}

/* The memory of the smallest node that can hold vectors; 0: none can. */
static double least_memory(const struct topo *t)
{
	double least = 0;

	for (int i = 0; i < t->nnodes; i++)
		if (topo_is_target(&t->nodes[i]) && (!least || (double)t->nodes[i].bytes < least))
			least = (double)t->nodes[i].bytes;
	return least;
}

/* Not above it, with four binary digits: 120 GiB, not 125.6 GiB. */
static double rounded(double bytes)
{
	int exponent;
	const double digits = frexp(bytes, &exponent);

	return ldexp(floor(ldexp(digits, 4)), exponent - 4);
}

/* "50%" of that memory. */
static int parse_part(const char *text, const struct topo *t, double *value)
{
	char *number = alloc_string(text, strlen(text) - 1);
	double percent;
	const int failed = text_real(number, &percent) || percent <= 0 || percent > 100;

	free(number);
	if (!failed)
		*value = rounded(least_memory(t) * percent / 100);
	return failed;
}

/* A number, a size, a part of the memory, or a set of the machine, which stands for how many there
 * are. */
static int parse_counted(
	const char *text, const struct names *names, double *value, bool *bytes, struct range *r)
{
	struct words list = {0};

	if (is_part(text)) {
		*bytes = true;
		r->counted++;
		return parse_part(text, names->topo, value);
	}
	if (!sweep_is_set(text))
		return parse_end(text, value, bytes);
	struct errors known = {0}; /* add_word() has said it */

	sweep_add_set(&list, text, names, &known);
	errors_free(&known);
	*value = (double)list.count;
	*bytes = false;
	r->counted++;
	words_free(&list);
	return 0;
}

/* What is behind the mark, or 1 for whole numbers: no other step is what everybody expects. */
static int parse_step(const char *text, struct range *r)
{
	bool bytes;

	if (text)
		return parse_end(text, &r->step, &bytes) || bytes != (r->bytes && !r->factor);
	r->step = 1;
	return (r->bytes && r->counted < 2) || r->first != floor(r->first) ||
	       r->last != floor(r->last);
}

static int parse_range(const char *word, const struct names *names, struct range *r)
{
	char *copy = alloc_string(word, strlen(word)), *dots = strstr(copy, "..");
	char *mark = mark_of(dots);
	bool first_bytes;

	*dots = '\0';
	r->factor = *mark == '*';
	if (*mark)
		*mark++ = '\0';
	else
		mark = NULL;
	r->counted = 0;
	int failed = (sweep_is_set(copy) && strcmp(copy, dots + 2)) ||
		     parse_counted(copy, names, &r->first, &first_bytes, r) ||
		     parse_counted(dots + 2, names, &r->last, &r->bytes, r) ||
		     first_bytes != r->bytes || parse_step(mark, r);
	free(copy);
	return failed ? -1 : 0;
}

/* The file is right if another machine has more of what it counts. */
static int empty_range(const struct words *values, const char *word, const struct range *r,
	const struct topo *t, struct errors *e)
{
	if (!r->counted)
		return bad_range(values, word, "is empty: its first value is above its last", e);
	char last[40];

	if (r->bytes)
		text_size((uint64_t)r->last, last, sizeof(last));
	else
		snprintf(last, sizeof(last), "%g", r->last);
	if (strstr(word, "(first)") && topo_first(t) < 0)
		error_add(e, STATUS_PLACEMENT, values->at,
			"sweep: '%s' is empty: no node of %s can hold both threads and vectors",
			word, t->source);
	else
		error_add(e, STATUS_PLACEMENT, values->at,
			"sweep: '%s' is empty: here it ends at %s", word, last);
	return error_hint(e, "affinity --topology shows what may be used");
}

/* Drops the last value if it repeats one of those from `from` on. */
static void drop_repeated(struct words *values, size_t from)
{
	const size_t last = values->count - 1;

	for (size_t i = from; i < last; i++)
		if (text_same_value(values->word[i], values->word[last])) {
			free(values->word[last]);
			values->count--;
			return;
		}
}

/* Values are computed from the first one, not added up, so that no error of rounding adds up
 * either; half of 1e-9 of a step is granted at the end. */
static int add_range(
	struct words *values, const char *word, const struct names *names, struct errors *e)
{
	struct range r;

	if (parse_range(word, names, &r))
		return bad_range(values, word, "is not a range", e);
	if (r.first > r.last)
		return empty_range(values, word, &r, names->topo, e);
	if (r.factor ? r.step <= 1 || r.first <= 0 : r.step <= 0)
		return bad_range(values, word,
			r.factor ? "never ends: the factor must be above 1, the first value above 0"
				 : "never ends: the step must be above 0",
			e);
	double steps = r.factor ? log(r.last / r.first) / log(r.step) : (r.last - r.first) / r.step;
	if (steps > MAX_VALUES)
		return bad_range(values, word, "makes more than 10000 values", e);
	for (int i = 0; i <= (int)floor(steps + 1e-9); i++) {
		add_number(values, r.factor ? r.first * pow(r.step, i) : r.first + i * r.step,
			r.bytes);
		/* sizes are whole bytes: steps of less than a byte make some of them twice. Who
		 * writes 1..cpus*2 cpus..cpus cannot know that both end alike on a machine. */
		if (i > 0 || r.counted == 2)
			drop_repeated(values, i > 0 ? values->count - 2 : 0);
	}
	return 0;
}

/* The word, or where a range ends, without its step; to be freed. */
static char *end_of(const char *word)
{
	const char *dots = strstr(word, "..");
	char *copy = alloc_format("%s", dots ? dots + 2 : word);

	if (dots)
		*mark_of(copy) = '\0';
	return copy;
}

/* The word is a set, or a range that ends at the size of one or at a part of the memory. */
static bool depends_on_machine(const char *word)
{
	char *last = end_of(word);
	const bool depends = sweep_is_set(last) || (strstr(word, "..") && is_part(last));

	free(last);
	return depends;
}

/* Is the word what a level is called? */
static bool is_level(const struct words *w, size_t i)
{
	return i < w->count && w->word[i][strspn(w->word[i], LETTERS)] == '\0';
}

/* The words of a list; `each L3` is L3(each), and `each L3 in node(0)` node(0):L3(each). */
static void split_values(struct words *list, const char *text)
{
	struct words words = {0};

	words_split(&words, text, " \t");
	for (size_t i = 0; i < words.count; i++) {
		const char *word = words.word[i];
		char *joined = NULL;

		if (!strcmp(word, "each") && is_level(&words, i + 1)) {
			const bool inside = i + 3 < words.count && !strcmp(words.word[i + 2], "in");

			joined = alloc_format("%s%s%s(each)", inside ? words.word[i + 3] : "",
				inside ? ":" : "", words.word[i + 1]);
			i += inside ? 3 : 1;
		}
		words_add(list, joined ? joined : word, strlen(joined ? joined : word));
		free(joined);
	}
	words_free(&words);
}

bool sweep_values_of_machine(const char *text)
{
	struct words list = {0};
	bool any = false;

	split_values(&list, text);
	for (size_t i = 0; i < list.count; i++)
		any |= depends_on_machine(list.word[i]);
	words_free(&list);
	return any;
}

static int add_word(
	struct words *values, const char *word, const struct names *names, struct errors *e)
{
	struct words counted = {.at = values->at};
	char *last = end_of(word);
	int failed = 0;

	if (strstr(word, "..")) {
		failed = sweep_is_set(last) ? sweep_add_set(&counted, last, names, e) : 0;
		failed = failed ? -1 : add_range(values, word, names, e);
	} else if (sweep_is_set(word)) {
		failed = sweep_add_set(values, word, names, e);
	} else {
		words_add(values, word, strlen(word));
	}
	words_free(&counted);
	free(last);
	return failed;
}

/* The file is right, but the machine has none of what it names. */
static int nothing_found(const char *set, struct place at, const struct topo *t, struct errors *e)
{
	error_add(e, STATUS_PLACEMENT, at, "sweep: '%s' finds none: on %s no %s may be used", set,
		t->source, strcmp(set, "nodes") ? "CPU" : "node's memory");
	return error_hint(e, "affinity --topology shows what may be used");
}

int sweep_values(
	struct words *values, const char *text, const struct names *names, struct errors *e)
{
	struct words list = {0};
	struct place at = values->at;
	int failed = 0;

	split_values(&list, text);
	for (size_t i = 0; i < list.count; i++) {
		values->at = at;
		failed |= add_word(values, list.word[i], names, e);
	}
	if (!failed && !values->count)
		failed = list.count ? nothing_found(list.word[0], at, names->topo, e)
				    : error_add(e, STATUS_USAGE, at,
					      "sweep: the variable has no values");
	words_free(&list);
	return failed;
}
