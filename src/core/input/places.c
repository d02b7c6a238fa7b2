/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads places. A word begins as one place, the machine; each step replaces every place so far by
 * those inside it that the step names.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/list.h"
#include "input/places_parts.h"
#include "topology/topo.h"

/* The form of a kind of cores, see base/list.h. */
#define KINDS_CALL "kind"

/* The index of the kind that kind(NAME) stands for: by its name or its type. -1 with a message
 * (STATUS_PLACEMENT) that lists the kinds of the machine. */
static int find_kind(
	const struct topo *t, const char *text, const char *key, struct place at, struct errors *e)
{
	struct list_call call;
	char known[512];
	const bool right = list_call_read(&call, text) && call.arguments.count == 1;
	const int kind = right ? topo_kind(t, call.arguments.word[0]) : -1;

	list_call_free(&call);
	if (kind >= 0)
		return kind;
	error_add(e, STATUS_PLACEMENT, at, "%s: '%s' is not a kind of cores of this machine", key,
		text);
	if (t->nkinds)
		error_hint(e, "kinds of cores here: %s", topo_kinds(t, known, sizeof(known)));
	else
		error_hint(e, "all cores here are alike, or hwloc does not know their kinds");
	return -1;
}

/* As many values as a list may have. */
#define MAX_PLACES 65536
/* More steps than a machine has levels. */
#define MAX_STEPS 8
#define PACKED    "packed"

static int refuse_place(const struct reading *r, enum status status, const char *what)
{
	return error_add(r->e, status, r->from->at, "%s: '%s' %s", r->from->key, r->word, what);
}

static int hint_form(const struct reading *r)
{
	char list[256];

	return error_hint(r->e,
		"a place is LEVEL(NUMBER), inside others after a colon: "
		"L3(each), package(1):core(0-3); levels here: %s",
		topo_level_list(r->topo, list, sizeof(list)));
}

static void add_one_place(struct places *p, struct places_one one)
{
	p->list = alloc_grow(p->list, p->count, sizeof(*p->list));
	p->list[p->count++] = one;
}

static void free_one(struct places_one *one)
{
	free(one->text);
	free(one->name);
	free(one->cpus);
}

void places_free(struct places *p)
{
	for (size_t i = 0; i < p->count; i++)
		free_one(&p->list[i]);
	free(p->list);
	*p = (struct places){0};
}

/* The place of a number, whose text gets this step. */
static void add_inside(const struct step *s, int number, int shown, struct places *out)
{
	const struct places_one *outer = s->outer;
	struct places_one one = {.is_cpu = !strcmp(s->l->name, "pu"),
		.level = (int)(s->l - s->r->topo->levels),
		.cpus = alloc_zeroed((size_t)outer->ncpus + 1, sizeof(int))};

	for (int i = 0; i < outer->ncpus; i++)
		if (s->l->of[outer->cpus[i]] == number)
			one.cpus[one.ncpus++] = outer->cpus[i];
	one.cores = outer->cores || one.is_cpu || !strcmp(s->l->name, "core");
	one.text =
		alloc_format("%s%s%s(%d)", outer->text, *outer->text ? ":" : "", s->l->name, shown);
	one.name =
		s->r->steps ? alloc_string(one.text, strlen(one.text)) : places_name(s->l, number);
	add_one_place(out, one);
}

static int add_chosen(const struct step *s, const char *which, struct places *out);

/* The system's numbers are in another order than the places: each one by itself. */
static int add_numbers(const struct step *s, uint64_t from, uint64_t to, struct places *out)
{
	char number[16];
	int failed = 0;

	for (uint64_t i = from; i <= to && out->count <= MAX_PLACES && !failed; i++) {
		snprintf(number, sizeof(number), "%d", (int)i);
		failed = add_chosen(s, number, out);
	}
	return failed;
}

static int add_chosen(const struct step *s, const char *which, struct places *out)
{
	const bool numbered = !strcmp(s->l->name, "pu") || !strcmp(s->l->name, "node");
	uint64_t from, to;

	if (numbered && !s->r->steps && !s->r->from->level && !step_range(which, &from, &to) &&
		from < to)
		return add_numbers(s, from, to, out);

	const bool each = !strcmp(which, "each");
	struct chosen c;

	if (step_choose(s, which, &c))
		return -1;
	if (c.number >= 0)
		add_inside(s, c.number, c.number, out);
	for (int i = c.from; i <= c.to && out->count <= MAX_PLACES; i++)
		if (!each || s->usable[i])
			add_inside(s, s->number[i], s->r->steps ? i : s->number[i], out);
	return out->count > MAX_PLACES
		       ? refuse_place(s->r, STATUS_USAGE, "makes more than 65536 places")
		       : 0;
}

/* `each` leaves out CPUs that are in no such place: not silently. */
static void warn_missing(const struct step *s)
{
	const struct reading *r = s->r;
	bool *set = alloc_zeroed((size_t)r->topo->ncpu_index + 1, sizeof(*set)), any = false;
	char cpus[256];

	for (int i = 0; i < s->outer->ncpus; i++) {
		const struct topo_cpu *cpu = &r->topo->cpus[s->outer->cpus[i]];

		set[cpu->cpu] = cpu->allowed && s->l->of[s->outer->cpus[i]] < 0;
		any |= set[cpu->cpu];
	}
	if (any)
		error_warn(r->e, "%s: '%s' leaves CPUs %s out, for which the machine shows no %s%s",
			r->from->key, r->word,
			text_ranges(set, (size_t)r->topo->ncpu_index, cpus, sizeof(cpus)),
			s->l->name,
			s->l->hidden ? ": it is not known which of them share one" : "");
	free(set);
}

/* Files with thousands of CPUs name each by its number. */
static bool add_cpu(const struct step *s, const struct words *which, struct places *out)
{
	uint64_t number;
	const bool alone = !s->r->steps && which->count == 1 && !strcmp(s->l->name, "pu") &&
			   !text_count(which->word[0], &number) && number <= INT_MAX;
	const struct topo_cpu *cpu = alone ? topo_cpu(s->r->topo, (int)number) : NULL;

	if (!cpu)
		return false;
	int index = (int)(cpu - s->r->topo->cpus);
	const struct places_one of_one = {.text = s->outer->text, .cpus = &index, .ncpus = 1};
	const struct step only = {.r = s->r, .l = s->l, .outer = &of_one};

	add_inside(&only, cpu->cpu, cpu->cpu, out);
	return true;
}

static int add_step(struct step *s, const struct words *which, struct places *out)
{
	int failed = 0;

	if (add_cpu(s, which, out))
		return 0;
	step_look(s);
	for (size_t i = 0; i < which->count && !failed; i++) {
		failed = add_chosen(s, which->word[i], out);
		if (!strcmp(which->word[i], "each"))
			warn_missing(s);
	}
	step_free(s);
	return failed;
}

static void add_kind(
	const struct reading *r, const struct places_one *outer, int kind, struct places *out)
{
	const char *name = topo_kind_name(r->topo, kind);
	struct places_one one = {.cores = true,
		.level = -1,
		.cpus = alloc_zeroed((size_t)outer->ncpus + 1, sizeof(int))};

	for (int i = 0; i < outer->ncpus; i++)
		if (r->topo->cpus[outer->cpus[i]].kind == kind)
			one.cpus[one.ncpus++] = outer->cpus[i];
	one.text = alloc_format("%s%skind(%s)", outer->text, *outer->text ? ":" : "", name);
	one.name =
		r->steps ? alloc_string(one.text, strlen(one.text)) : alloc_format("kind %s", name);
	add_one_place(out, one);
}

static int refuse_level(const struct reading *r, const char *word)
{
	const char *meant = topo_level_meant(word);
	char list[256];

	if (!strcasecmp(word, "ccd")) {
		refuse_place(r, STATUS_PLACEMENT, "needs CCDs, which this system does not show");
		return error_hint(r->e, "L3(..) is a CCX; most CCDs have one, those of Zen 2 two");
	}
	if (!meant) {
		error_add(r->e, STATUS_USAGE, r->from->at, "%s: '%s': '%s' is no level of places",
			r->from->key, r->word, word);
		return hint_form(r);
	}
	error_add(r->e, STATUS_PLACEMENT, r->from->at, "%s: '%s': this machine shows no %s",
		r->from->key, r->word, meant);
	return error_hint(r->e, "levels here: %s", topo_level_list(r->topo, list, sizeof(list)));
}

/* Dies are what this word means, where they are not the packages. */
static int find_level(const struct topo *t, const char *word)
{
	const bool ccd = !strcasecmp(word, "ccd");
	const int level = topo_level(t, ccd ? "die" : word);

	return ccd && level >= 0 && t->levels[level].same_as >= 0 ? -1 : level;
}

/* Has the level, or one with the same places, been left behind? */
static bool is_outward(const struct reading *r, int level)
{
	const struct topo_level *l = &r->topo->levels[level],
				*before = r->before < 0 ? NULL : &r->topo->levels[r->before];

	if (!before || before->aside || l->aside)
		return false;
	return (l->same_as < 0 ? level : l->same_as) <
	       (before->same_as < 0 ? r->before : before->same_as);
}

static int refuse_outward(const struct reading *r, int level)
{
	const struct topo_level *l = &r->topo->levels[level], *before = &r->topo->levels[r->before];

	const bool elsewhere = topo_level_may_be_inside(l->name, before->name);

	error_add(r->e, elsewhere ? STATUS_PLACEMENT : STATUS_USAGE, r->from->at,
		"%s: '%s': %s %s is not inside %s %s%s", r->from->key, r->word, places_article(l),
		l->name, places_article(before), before->name, elsewhere ? " here" : "");
	return hint_form(r);
}

static int read_level(struct reading *r, const struct list_call *c, struct places *p)
{
	const int level = find_level(r->topo, c->name);
	struct places out = {0};
	int failed = 0;

	if (level < 0)
		return refuse_level(r, c->name);
	if (is_outward(r, level))
		return refuse_outward(r, level);
	for (size_t i = 0; i < p->count && !failed; i++) {
		struct step s = {.r = r, .l = &r->topo->levels[level], .outer = &p->list[i]};

		failed = add_step(&s, &c->arguments, &out);
	}
	places_free(p);
	*p = out;
	r->before = level;
	return failed;
}

static int read_kind(struct reading *r, const char *step, struct places *p)
{
	const int kind = find_kind(r->topo, step, r->from->key, r->from->at, r->e);
	struct places out = {0};

	if (kind < 0)
		return -1;
	for (size_t i = 0; i < p->count; i++)
		add_kind(r, &p->list[i], kind, &out);
	places_free(p);
	*p = out;
	return 0;
}

static int read_step(struct reading *r, const char *step, struct places *p)
{
	struct list_call call;
	int failed;

	if (r->steps == MAX_STEPS)
		return refuse_place(r, STATUS_USAGE, "has more than 8 steps");
	if (list_calls(step, KINDS_CALL)) {
		failed = read_kind(r, step, p);
	} else if (!list_call_read(&call, step) || !*call.arguments.word[0]) {
		list_call_free(&call);
		refuse_place(r, STATUS_USAGE, "is not a place");
		return hint_form(r);
	} else {
		failed = read_level(r, &call, p);
		list_call_free(&call);
	}
	r->steps++;
	return failed;
}

int places_machine(struct places *p, const struct topo *t)
{
	struct places_one one = {.cpus = alloc_zeroed((size_t)t->ncpus + 1, sizeof(int)),
		.text = alloc_format("%s", ""),
		.name = alloc_format("%s", "")};

	for (; one.ncpus < t->ncpus; one.ncpus++)
		one.cpus[one.ncpus] = one.ncpus;
	add_one_place(p, one);
	return 0;
}

/* Divides at the colons outside of parentheses. */
static int read_steps(struct reading *r, const char *text, struct places *p)
{
	int open = 0, failed = 0;
	const char *begin = text;

	for (const char *c = text; !failed; c++) {
		open += (*c == '(') - (*c == ')');
		if (*c && (*c != ':' || open > 0))
			continue;
		char *step = alloc_string(begin, (size_t)(c - begin));

		failed = read_step(r, step, p);
		free(step);
		if (!*c)
			break;
		begin = c + 1;
	}
	return failed;
}

/* A word of a key of one level is what stands in the parentheses. */
static int read_short(struct reading *r, struct places *p)
{
	const char *word = r->word;
	struct list_call c = {.name = alloc_string(r->from->level, strlen(r->from->level))};
	int failed;

	words_add(&c.arguments, word, strlen(word));
	if (!strcmp(c.name, "core") && list_calls(word, KINDS_CALL))
		failed = read_kind(r, word, p);
	else
		failed = read_level(r, &c, p);
	list_call_free(&c);
	return failed;
}

static void wrap_packed(struct places_one *one)
{
	char *text = alloc_format(PACKED "(%s)", one->text);

	free(one->text);
	one->text = text;
	one->packed = true;
}

static int read_long(struct reading *r, struct places *p)
{
	struct list_call c = {0};
	const bool packed = list_calls(r->word, PACKED) && list_call_read(&c, r->word) &&
			    c.arguments.count == 1;
	const int failed = read_steps(r, packed ? c.arguments.word[0] : r->word, p);

	for (size_t i = 0; packed && i < p->count; i++)
		wrap_packed(&p->list[i]);
	list_call_free(&c);
	return failed;
}

int places_read(
	struct places *p, const char *word, const struct places_from *from, struct errors *e)
{
	struct reading r = {
		.from = from, .topo = from->names->topo, .word = word, .before = -1, .e = e};
	struct places found = {0};

	places_machine(&found, r.topo);
	int failed = from->level ? read_short(&r, &found) : read_long(&r, &found);

	if (!failed && p->count + found.count > MAX_PLACES)
		failed = refuse_place(&r, STATUS_USAGE, "makes more than 65536 places");
	for (size_t i = 0; !failed && i < found.count; i++)
		add_one_place(p, found.list[i]);
	if (!failed)
		found.count = 0;
	places_free(&found);
	return failed;
}

int places_cores(const struct topo *t, const struct places_one *one)
{
	int cores = 0, last = -1;

	for (int i = 0; i < one->ncpus; i++) {
		const struct topo_cpu *c = &t->cpus[one->cpus[i]];

		if (!c->allowed || c->core == last)
			continue;
		last = c->core;
		cores++;
	}
	return cores;
}
