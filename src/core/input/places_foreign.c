/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Places as likwid and hwloc write them, in our words. likwid numbers the cores of a domain first
 * and then their further hardware threads, but counts siblings side by side in its expressions E.
 */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/linux.h"
#include "input/places_parts.h"

/* Letters of likwid's domains; N is the whole machine. */
static const struct {
	char letter;
	const char *level;
} domains[] = {{'S', "package"}, {'D', "die"}, {'M', "node"}, {'C', "LLC"}};
#define DOMAINS (sizeof(domains) / sizeof(*domains))

/* A word in progress. */
struct foreign {
	const char *word;
	const struct places_from *from;
	struct words *ours;
	struct errors *e;
	char *domain; /* "package(1):", "": the machine */
	/* [n] its usable hardware threads: siblings side by side, and in likwid's order of lists */
	struct seat {
		int cpu;      /* the system's number */
		int core, pu; /* places in the domain, and in the core */
		int round;    /* usable ones of the core before it */
	} * seats, *order;
	uint64_t n;
};

static int refuse_foreign(const struct foreign *f)
{
	error_add(
		f->e, STATUS_USAGE, f->from->at, "%s: '%s' is not a place", f->from->key, f->word);
	if (strstr(f->word, "scatter"))
		return error_hint(f->e, "threads: N and mapping: scatter spread N threads");
	return error_hint(f->e,
		"a place is LEVEL(NUMBER): package(0):core(0-3), L3(each), pu(0,2); "
		"S0:0-3, E:M0:4 and package:0.core:0-3 are understood, too");
}

static void take_word(const struct foreign *f, char *word)
{
	words_add(f->ours, word, strlen(word));
	free(word);
}

/* "node(1)" of M1; NULL: no domain, or the machine. To be freed. */
static char *place_of(const char *text, const struct topo *t)
{
	uint64_t number;

	for (size_t i = 0; i < DOMAINS; i++)
		if (domains[i].letter == *text && !text_count(text + 1, &number) &&
			number < LINUX_CPUS) {
			const bool node = *text == 'M' && number < (uint64_t)t->nnodes;

			/* likwid counts nodes, whose numbers may have holes */
			return alloc_format("%s(%d)", domains[i].level,
				node ? t->nodes[number].node : (int)number);
		}
	return NULL;
}

/* The usable hardware threads of a place: likwid, too, leaves others out. */
static void find_seats(struct foreign *f, const struct places_one *one)
{
	const struct topo *t = f->from->names->topo;
	struct seat s = {.core = -1};
	int last = -1, most = 0;
	uint64_t n = 0;

	f->seats = alloc_zeroed((size_t)one->ncpus + 1, sizeof(*f->seats));
	f->order = alloc_zeroed((size_t)one->ncpus + 1, sizeof(*f->order));
	for (int i = 0; i < one->ncpus; i++) {
		const struct topo_cpu *cpu = &t->cpus[one->cpus[i]];

		if (cpu->core != last)
			s = (struct seat){.core = s.core + 1, .pu = -1};
		last = cpu->core;
		s.pu++;
		s.cpu = cpu->cpu;
		if (cpu->allowed)
			f->seats[f->n++] = s;
		s.round += cpu->allowed;
		most = s.round > most ? s.round : most;
	}
	for (int round = 0; round < most; round++)
		for (uint64_t i = 0; i < f->n; i++)
			if (f->seats[i].round == round)
				f->order[n++] = f->seats[i];
}

/* Reads a domain and its CPUs. */
static int enter(struct foreign *f, const char *text)
{
	const struct topo *t = f->from->names->topo;
	const struct places_from whole = {f->from->names, f->from->key, f->from->at, NULL};
	struct places p = {0};
	char *place = place_of(text, t);
	const bool machine = !strcmp(text, "N");
	int failed = machine ? places_machine(&p, t)
		     : place ? places_read(&p, place, &whole, f->e)
			     : refuse_foreign(f);

	if (!failed) {
		find_seats(f, p.list);
		f->domain = machine ? alloc_format("%s", "") : alloc_format("%s:", place);
	}
	places_free(&p);
	free(place);
	return failed;
}

static int refuse_many(const struct foreign *f)
{
	return error_add(f->e, STATUS_PLACEMENT, f->from->at,
		"%s: '%s' needs more than the %d usable hardware threads of its domain",
		f->from->key, f->word, (int)f->n);
}

/* Cores side by side are one word: core(0-3). */
static int add_range(struct foreign *f, const char *range)
{
	uint64_t from, to;

	if (step_range(range, &from, &to))
		return refuse_foreign(f);
	if (to >= f->n)
		return refuse_many(f);
	while (from <= to) {
		const struct seat *s = &f->order[from], *last = s;

		while (++from <= to && !s->round && !last[1].round &&
			last[1].core == last->core + 1)
			last++;
		if (s->round)
			take_word(f, alloc_format("%score(%d):pu(%d)", f->domain, s->core, s->pu));
		else if (last == s)
			take_word(f, alloc_format("%score(%d)", f->domain, s->core));
		else
			take_word(f, alloc_format("%score(%d-%d)", f->domain, s->core, last->core));
	}
	return 0;
}

/* S0:0-3,8; S0 alone is all of it: its cores, then their further hardware threads. */
static int add_list(struct foreign *f, const struct words *fields)
{
	struct words ranges = {0};
	char *all = NULL;
	int failed = fields->count > 2 ? refuse_foreign(f) : enter(f, fields->word[0]);

	if (!failed && fields->count == 1)
		all = alloc_format("0-%d", (int)f->n - 1);
	if (!failed)
		words_split(&ranges, all ? all : fields->word[1], ",");
	if (!failed && !ranges.count) {
		error_add(f->e, STATUS_USAGE, f->from->at, "%s: '%s' is not a place", f->from->key,
			f->word);
		failed =
			error_hint(f->e, "likwid refuses it, too; all of it is %s, or %score(each)",
				fields->word[0], f->domain);
	}
	for (size_t i = 0; i < ranges.count && !failed; i++)
		failed = add_range(f, ranges.word[i]);
	words_free(&ranges);
	free(all);
	return failed;
}

/* E:M0:COUNT, E:M0:COUNT:CHUNK:STRIDE, of the domain's hardware threads, siblings side by side. */
static int add_expression(struct foreign *f, const struct words *fields)
{
	uint64_t number[] = {0, 1, 1};
	bool right = fields->count == 3 || fields->count == 5;

	for (size_t i = 2; right && i < fields->count; i++)
		right = !text_count(fields->word[i], &number[i - 2]) && number[i - 2] &&
			number[i - 2] <= LINUX_CPUS;
	if (!right)
		return refuse_foreign(f);
	if (enter(f, fields->word[1]))
		return -1;
	for (uint64_t i = 0; i < number[0]; i++) {
		const uint64_t at = i / number[1] * number[2] + i % number[1];

		if (at >= f->n)
			return refuse_many(f);
		take_word(f, alloc_format("pu(%d)", f->seats[at].cpu));
	}
	return 0;
}

/* Splits text also where parts are empty: "M0:" has two. */
static void split_at(struct words *w, const char *text, char at)
{
	for (const char *end; (end = strchr(text, at)); text = end + 1)
		words_add(w, text, (size_t)(end - text));
	words_add(w, text, strlen(text));
}

/* S0:0-1@M0:1 is both. */
static int add_likwid(struct foreign *f)
{
	struct words parts = {0};
	int failed = 0;

	split_at(&parts, f->word, '@');
	for (size_t i = 0; i < parts.count && !failed; i++) {
		const char *part = parts.word[i];
		struct words fields = {0};

		split_at(&fields, part + 2 * !strncmp(part, "L:", 2), ':');
		f->n = 0;
		failed = !strcmp(fields.word[0], "E") ? add_expression(f, &fields)
						      : add_list(f, &fields);
		words_free(&fields);
		free(f->domain);
		free(f->seats);
		free(f->order);
		f->domain = NULL;
		f->seats = f->order = NULL;
	}
	words_free(&parts);
	return failed ? -1 : 0;
}

/* 3, 0-3, 4:2 (two from 4 on), all; NULL: none of them. To be freed. */
static char *which_of(const struct words *fields)
{
	const char *which = fields->word[1];
	uint64_t from, count;

	if (fields->count == 2)
		return alloc_format("%s", strcmp(which, "all") ? which : "each");
	if (text_count(which, &from) || text_count(fields->word[2], &count) || !count ||
		from + count > LINUX_CPUS)
		return NULL;
	return alloc_format("%d-%d", (int)from, (int)(from + count - 1));
}

/* hwloc counts CPUs and nodes in its own order, and we name them by the system's numbers. -1: there
 * is none, or its place in that order is not known. */
static int number_of(const struct topo *t, bool node, uint64_t index)
{
	uint64_t n = 0;
	int last = -1;

	if (!node)
		return index < (uint64_t)t->ncpus ? t->cpus[index].cpu : -1;
	for (int i = 0; i < t->nnodes; i++)
		if (!t->nodes[i].cpus)
			return -1; /* which may stand anywhere among the others */
	for (int i = 0; i < t->ncpus; i++) {
		if (t->cpus[i].node != last && n++ == index)
			return t->cpus[i].node;
		last = t->cpus[i].node;
	}
	return -1;
}

/* The numbers of a first step, by commas; others are counted from 0 in both. *which is freed. */
static char *numbers_of(const struct foreign *f, const char *level, char *which)
{
	const struct topo *t = f->from->names->topo;
	const int l = topo_level(t, level);
	const bool node = l >= 0 && !strcmp(t->levels[l].name, "node");
	uint64_t from, to;
	char *numbers = NULL;

	if (!which || l < 0 || (!node && strcmp(t->levels[l].name, "pu") != 0) ||
		step_range(which, &from, &to))
		return which;
	for (uint64_t i = from; i <= to && i < LINUX_CPUS; i++) {
		const int number = number_of(t, node, i);

		if (number < 0) {
			free(numbers);
			free(which);
			return NULL;
		}
		alloc_append(&numbers, ",", "%d", number);
	}
	free(which);
	return numbers;
}

/* package:1.core:0-3 */
static int add_hwloc(struct foreign *f)
{
	struct words steps = {0};
	char *text = alloc_format("%s", "");
	int failed = 0;

	split_at(&steps, f->word, '.');
	for (size_t i = 0; i < steps.count && !failed; i++) {
		struct words fields = {0};

		split_at(&fields, steps.word[i], ':');
		char *which = fields.count == 2 || fields.count == 3 ? which_of(&fields) : NULL;

		if (!i && which)
			which = numbers_of(f, fields.word[0], which);
		if (which)
			alloc_append(&text, ":", "%s(%s)", fields.word[0], which);
		else
			failed = refuse_foreign(f);
		free(which);
		words_free(&fields);
	}
	words_free(&steps);
	if (!failed)
		words_add(f->ours, text, strlen(text));
	free(text);
	return failed;
}

/* Has it a level's word before its first colon? */
static bool is_hwloc(const struct foreign *f)
{
	char *level = alloc_string(f->word, strcspn(f->word, ":"));
	const bool is = strchr(f->word, ':') &&
			(topo_level_meant(level) || topo_level(f->from->names->topo, level) >= 0);

	free(level);
	return is;
}

/* S0, N:0, E:M0:4, L:N:0 */
static bool is_likwid(const char *word)
{
	if (strchr("EL", *word))
		return word[1] == ':';
	return strchr("NSMDC", *word) && (!word[1] || strchr("0123456789:", word[1]));
}

int places_translate(
	struct words *ours, const char *word, const struct places_from *from, struct errors *e)
{
	struct foreign f = {.word = word, .from = from, .ours = ours, .e = e};

	if (is_hwloc(&f) && !strchr(word, '('))
		return add_hwloc(&f);
	if (is_likwid(word) && !strchr(word, '('))
		return add_likwid(&f);
	words_add(ours, word, strlen(word));
	return 0;
}
