/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which places of a level are inside another place, and which of them a word names. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "input/places_parts.h"

static int find_number(const struct step *s, int number)
{
	for (int i = s->n - 1; i >= 0; i--)
		if (s->number[i] == number)
			return i;
	return -1;
}

void step_look(struct step *s)
{
	const struct topo *t = s->r->topo;
	const struct places_one *outer = s->outer;
	int most = 0, *index; /* [number]: 1 + its index here */

	for (int i = 0; i < outer->ncpus; i++)
		most = s->l->of[outer->cpus[i]] > most ? s->l->of[outer->cpus[i]] : most;
	index = alloc_zeroed((size_t)most + 1, sizeof(*index));
	s->number = alloc_zeroed((size_t)outer->ncpus + 1, sizeof(*s->number));
	s->usable = alloc_zeroed((size_t)outer->ncpus + 1, sizeof(*s->usable));
	s->n = 0;
	for (int i = 0; i < outer->ncpus; i++) {
		const int number = s->l->of[outer->cpus[i]];

		if (number < 0)
			continue;
		if (!index[number]) {
			s->number[s->n] = number;
			index[number] = ++s->n;
		}
		s->usable[index[number] - 1] |= t->cpus[outer->cpus[i]].allowed;
	}
	free(index);
}

void step_free(struct step *s)
{
	free(s->number);
	free(s->usable);
}

static const char *plain(const struct topo_level *l)
{
	return strcmp(l->name, "pu") ? l->name : "CPU";
}

char *places_name(const struct topo_level *l, int number)
{
	return alloc_format("%s %d", plain(l), number);
}

const char *places_article(const struct topo_level *l)
{
	return l->name[0] == 'L' ? "an" : "a";
}

static int hint_cpus(const struct topo *t, const char *of_others, struct errors *e)
{
	char usable[256], other[256];
	const char *named = topo_nameable_cpus(t, other, sizeof(other));

	topo_usable_cpus(t, usable, sizeof(usable));
	if (!named)
		return error_hint(e, "CPUs that may be used here: %s", usable);
	return error_hint(e, "CPUs that may be used here: %s; %s %s%s", usable,
		of_others ? of_others : "that may be named:", named, of_others ? " as well" : "");
}

/* l NULL: a kind of cores. */
static int hint_numbers(const struct topo *t, const struct topo_level *l, struct errors *e)
{
	char usable[256], list[256];

	if (!l || !strcmp(l->name, "pu"))
		return hint_cpus(t, NULL, e);
	if (!strcmp(l->name, "node"))
		return error_hint(e, "nodes that can run threads here: %s",
			topo_usable_thread_nodes(t, usable, sizeof(usable)));
	topo_usable_cpus(t, usable, sizeof(usable));
	if (!strcmp(l->name, "core"))
		return error_hint(e, "the machine's cores: %s%d; CPUs that may be used: %s",
			t->ncores > 1 ? "0 .. " : "", t->ncores - 1, usable);
	return error_hint(e, "%s here: %s; CPUs that may be used: %s", l->name,
		topo_level_numbers(t, l, list, sizeof(list)), usable);
}

bool places_allow(const struct places_one *one, const struct topo_cpu *cpu)
{
	return cpu->allowed || (one->is_cpu && cpu->nameable);
}

int places_refuse(const struct places_from *from, const struct places_one *one, struct errors *e)
{
	const struct topo *t = from->names->topo;
	char other[256];

	error_add(e, STATUS_PLACEMENT, from->at, "%s: %s %s", from->key, one->name,
		one->is_cpu ? "may not be used by this process (cpuset)"
			    : "has no CPU that this process may use");
	if (!one->is_cpu && topo_nameable_cpus(t, other, sizeof(other)))
		return hint_cpus(t, "cpuPerThread may name", e);
	return hint_numbers(t, one->level < 0 ? NULL : &t->levels[one->level], e);
}

static int refuse_number(const struct step *s, int number)
{
	const struct reading *r = s->r;
	const bool offline = !strcmp(s->l->name, "pu") && topo_offline(r->topo, number);

	if (r->steps) {
		error_add(r->e, STATUS_PLACEMENT, r->from->at, "%s: '%s': %s has no %s %d",
			r->from->key, r->word, s->outer->text, s->l->name, number);
		return error_hint(r->e, "inside a place numbers count from 0; %s has %d of %s",
			s->outer->text, s->n, s->l->name);
	}
	char *name = places_name(s->l, number);

	error_add(r->e, STATUS_PLACEMENT, r->from->at, "%s: %s %s", r->from->key, name,
		offline ? "is offline" : "does not exist");
	free(name);
	if (offline && r->topo->this_system)
		return error_hint(
			r->e, "echo 1 | sudo tee /sys/devices/system/cpu/cpu%d/online", number);
	return hint_numbers(r->topo, s->l, r->e);
}

static int refuse_word(const struct step *s, const char *which)
{
	const struct reading *r = s->r;
	const char *name = s->l->name;

	if (!r->steps && (!strcmp(name, "pu") || !strcmp(name, "core")) &&
		names_refuse_numactl(r->topo, name, which, r->from->key, r->from->at, r->e))
		return -1;
	error_add(r->e, STATUS_USAGE, r->from->at, "%s: '%s' is not the number of %s %s",
		r->from->key, which, places_article(s->l), plain(s->l));
	if (!r->from->level)
		return error_hint(r->e, "%s(0), %s(0-1), %s(0,2), %s(each) or %s(first)", name,
			name, name, name, name);
	return strchr(which, ',') ? error_hint(r->e, "blanks divide numbers, not commas: %s: 0 1",
					    r->from->key)
				  : -1;
}

/* The index of a number. */
static int find_place_number(const struct step *s, uint64_t number)
{
	const int at = s->r->steps ? (int)number : find_number(s, (int)number);

	return at >= 0 && at < s->n ? at : refuse_number(s, (int)number);
}

static int first_usable(const struct step *s)
{
	for (int i = 0; i < s->n; i++)
		if (s->usable[i])
			return i;
	return 0;
}

int step_range(const char *which, uint64_t *from, uint64_t *to)
{
	const char *dash = strchr(which, '-');
	char *first = alloc_string(which, dash ? (size_t)(dash - which) : strlen(which));
	const bool right = !text_count(first, from) && !text_count(dash ? dash + 1 : first, to) &&
			   *from <= *to && *to <= INT_MAX;

	free(first);
	return right ? 0 : -1;
}

static int choose_range(const struct step *s, const char *which, struct chosen *c)
{
	uint64_t from, to;

	if (step_range(which, &from, &to) || (s->r->from->level && from != to))
		return refuse_word(s, which);
	c->from = find_place_number(s, from);
	c->to = c->from < 0 ? -1 : find_place_number(s, to);
	return c->to < 0 ? -1 : 0;
}

static int choose_node(const struct step *s, const char *which, struct chosen *c)
{
	const struct reading *r = s->r;
	const int node = names_node(r->from->names, which, r->from->key, r->from->at, r->e);

	if (node == NAMES_FAILED)
		return -1;
	*c = (struct chosen){find_number(s, node), find_number(s, node), -1};
	if (c->from >= 0)
		return 0;
	*c = (struct chosen){0, -1, node};
	return topo_node(r->topo, node) ? 0 : refuse_number(s, node);
}

/* The machine's own nodes may have names; other numbers are positions. */
int step_choose(const struct step *s, const char *which, struct chosen *c)
{
	const bool node = !s->r->steps && !strcmp(s->l->name, "node"), single = s->r->from->level;
	uint64_t from, to;

	*c = (struct chosen){0, s->n - 1, -1};
	if (!single && !strcmp(which, "each"))
		return 0;
	if (node && (single || !strchr(which, '-') || step_range(which, &from, &to)))
		return choose_node(s, which, c);
	if (!single && !strcmp(which, "first")) {
		c->from = c->to = first_usable(s);
		return s->n ? 0 : refuse_number(s, 0);
	}
	return choose_range(s, which, c);
}
