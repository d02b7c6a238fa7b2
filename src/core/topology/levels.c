/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds out which CPUs each place has, and which level is inside which. Sets of CPUs decide, never
 * numbers that the system gives: in guests each CPU may have an L3 of another number. */
#include "topology/levels.h"

#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"

/* Where hwloc has several groups that it gives no name, they are group0, group1 .. */
#define UNNAMED "group"

#define NO_TYPE HWLOC_OBJ_MACHINE

/* What hwloc calls groups that it makes of nodes near each other, and of the CPUs near a device
 * (include/private/private.h, in all of 2.x and 3.0): they are no part of the machine. */
#define GROUP_OF_DISTANCES 900
#define GROUP_OF_DEVICES   1000

/* What other programs and manuals call a level, and where it is read. Of levels that may be inside
 * each other either way, the one of the earlier row is outside. */
static const struct row {
	const char *name, *synonyms;
	hwloc_obj_type_t type;
	const char *subtype; /* of groups */
	int cache;           /* level of data caches, from struct topo_cpu */
} rows[] = {
	{"drawer", "", HWLOC_OBJ_GROUP, "Drawer", 0},
	{"book", "", HWLOC_OBJ_GROUP, "Book", 0},
	{UNNAMED, "", HWLOC_OBJ_GROUP, NULL, 0},
	{"package", "socket", HWLOC_OBJ_PACKAGE, NULL, 0},
	{"node", "numa numanode numa_domain", NO_TYPE, NULL, 0},
	{"die", "", HWLOC_OBJ_DIE, NULL, 0},
	{"L4", "l4cache", NO_TYPE, NULL, 4},
	{"L3", "l3cache ccx", NO_TYPE, NULL, 3},
	{"complex", "", HWLOC_OBJ_GROUP, "Complex", 0},
	{"tile", "", HWLOC_OBJ_GROUP, "Tile", 0},
	{"cluster", "", HWLOC_OBJ_GROUP, "Cluster", 0},
	{"module", "", HWLOC_OBJ_GROUP, "Module", 0},
	{"unit", "compute_unit", HWLOC_OBJ_GROUP, "Compute Unit", 0},
	{"L2", "l2cache", NO_TYPE, NULL, 2},
	{"core", "", NO_TYPE, NULL, 0},
	{"L1", "l1cache l1dcache", NO_TYPE, NULL, 1},
	{"pu", "cpu thread hwthread", NO_TYPE, NULL, 0},
	{"LLC", "ll_cache llcache", NO_TYPE, NULL, 0},
};
#define ROWS ((int)(sizeof(rows) / sizeof(*rows)))

static struct topo_level *add_level(struct topo *t, const struct row *row, const char *name)
{
	struct topo_level *l;

	for (int i = 0; i < t->nlevels; i++)
		if (!strcmp(t->levels[i].name, name))
			return &t->levels[i];
	t->levels = alloc_grow(t->levels, (size_t)t->nlevels, sizeof(*t->levels));
	l = &t->levels[t->nlevels++];
	*l = (struct topo_level){.name = alloc_string(name, strlen(name)),
		.synonyms = row->synonyms,
		.cache = row->cache,
		.of = alloc_zeroed((size_t)t->ncpus + 1, sizeof(*l->of)),
		.same_as = -1};
	for (int i = 0; i < t->ncpus; i++)
		l->of[i] = -1;
	return l;
}

static const struct row *row_of(hwloc_obj_t o)
{
	const struct row *found = NULL;

	if (o->type == HWLOC_OBJ_GROUP && (o->attr->group.kind == GROUP_OF_DISTANCES ||
						  o->attr->group.kind == GROUP_OF_DEVICES))
		return NULL;
	for (int r = 0; r < ROWS; r++)
		if (rows[r].type == o->type && rows[r].type != NO_TYPE &&
			(!rows[r].subtype ||
				(o->subtype && !strcasecmp(o->subtype, rows[r].subtype))))
			found = !found || rows[r].subtype ? &rows[r] : found;
	return found;
}

/* The places of hwloc's tree above a CPU. An inner one of the same name is left out. */
static void add_objects(struct topo *t, hwloc_obj_t pu, int cpu, hwloc_obj_t *last)
{
	for (hwloc_obj_t o = pu->parent; o; o = o->parent) {
		const struct row *row = row_of(o);
		char name[32];

		if (!row)
			continue;
		if (row->name[0] == UNNAMED[0])
			snprintf(name, sizeof(name), UNNAMED "%u", o->attr->group.depth);
		else
			snprintf(name, sizeof(name), "%s", row->name);
		struct topo_level *l = add_level(t, row, name);

		if (last[l - t->levels] != o) {
			last[l - t->levels] = o;
			l->count++;
		}
		l->of[cpu] = l->count - 1;
	}
}

/* hwloc has no more depths than this. */
#define MOST_LEVELS 128

static void add_tree(struct topo *t, hwloc_topology_t hwloc)
{
	hwloc_obj_t pu = NULL, last[MOST_LEVELS] = {NULL};

	while ((pu = hwloc_get_next_obj_by_type(hwloc, HWLOC_OBJ_PU, pu)))
		if (topo_cpu(t, (int)pu->os_index))
			add_objects(t, pu, t->cpu_index[pu->os_index], last);
}

/* Caches that have no size and are above CPUs of several packages are no caches: guests show an L2
 * above all of them. */
static bool is_made_up(const struct topo *t, int level)
{
	for (int i = 1; i < t->ncpus; i++) {
		const struct topo_cpu *a = &t->cpus[i - 1], *b = &t->cpus[i];

		if (b->caches[level] >= 0 && a->caches[level] == b->caches[level] &&
			a->package != b->package && !t->caches[level].each[b->caches[level]].bytes)
			return true;
	}
	return false;
}

/* The last level above a CPU, -1: it shows none, or not the last one. */
static int last_level(const struct topo *t, const struct topo_cpu *cpu)
{
	for (int level = TOPO_LEVELS - 1; level; level--)
		if (topo_cache_hidden(t, cpu, level))
			return -1;
		else if (topo_cache_above(t, cpu, level))
			return level;
	return -1;
}

static void add_last_caches(struct topo *t, struct topo_level *l)
{
	int *number[TOPO_LEVELS]; /* [level][cache]: 1 + what it has here */

	for (int level = 0; level < TOPO_LEVELS; level++)
		number[level] = alloc_zeroed((size_t)t->caches[level].count + 1, sizeof(int));
	for (int i = 0; i < t->ncpus; i++) {
		const int level = last_level(t, &t->cpus[i]);
		int *n = level < 0 ? NULL : &number[level][t->cpus[i].caches[level]];

		if (n && !*n)
			*n = ++l->count;
		l->of[i] = n ? *n - 1 : -1;
	}
	for (int level = 0; level < TOPO_LEVELS; level++)
		free(number[level]);
}

/* The place of a CPU at a level that hwloc's tree is not asked for. */
static int number_of(const struct row *row, const struct topo_cpu *cpu)
{
	return row->cache            ? cpu->caches[row->cache]
	       : row->name[0] == 'n' ? cpu->node
	       : row->name[0] == 'c' ? cpu->core
				     : cpu->cpu;
}

static void add_row(struct topo *t, const struct row *row)
{
	if (row->type != NO_TYPE || (row->cache && is_made_up(t, row->cache)))
		return;
	struct topo_level *l = add_level(t, row, row->name);

	if (row == &rows[ROWS - 1])
		add_last_caches(t, l);
	else
		for (int i = 0; i < t->ncpus; i++)
			l->of[i] = number_of(row, &t->cpus[i]);
}

/* How many places, and CPUs without one. */
static void count_level_places(const struct topo *t, struct topo_level *l)
{
	bool *seen = alloc_zeroed((size_t)topo_level_highest(t, l) + 2, sizeof(*seen));

	l->count = l->missing = l->hidden = 0;
	for (int i = 0; i < t->ncpus; i++) {
		const int number = l->of[i];

		l->missing += number < 0;
		l->hidden += number < 0 && l->cache && topo_cache_hidden(t, &t->cpus[i], l->cache);
		if (number >= 0 && !seen[number])
			l->count += seen[number] = true;
	}
	free(seen);
}

/* Has each place of the inner level CPUs of one place of the outer one only, or of none? */
static bool lies_in(
	const struct topo *t, const struct topo_level *inner, const struct topo_level *outer)
{
	int *first = alloc_zeroed((size_t)topo_level_highest(t, inner) + 2, sizeof(*first));
	bool lies = true;

	for (int i = 0; i < t->ncpus && lies; i++) {
		if (inner->of[i] < 0)
			continue;
		int *found = &first[inner->of[i]], number = outer->of[i] + 2;

		lies = !*found || *found == number;
		*found = number;
	}
	free(first);
	return lies;
}

static bool is_equal(const struct topo *t, const struct topo_level *a, const struct topo_level *b)
{
	for (int i = 0; i < t->ncpus; i++)
		if ((a->of[i] < 0) != (b->of[i] < 0))
			return false;
	return lies_in(t, a, b) && lies_in(t, b, a);
}

/* Levels before this one are a chain, the outermost first. */
static void place_in_order(struct topo *t, int at)
{
	struct topo_level l = t->levels[at];
	int to = 0;

	while (to < at && !t->levels[to].aside &&
		(lies_in(t, &l, &t->levels[to]) || !lies_in(t, &t->levels[to], &l)))
		to++;
	for (int i = 0; i < at && !t->levels[i].aside; i++)
		l.aside |= i < to ? !lies_in(t, &l, &t->levels[i]) : !lies_in(t, &t->levels[i], &l);
	while (l.aside && to < at)
		to++;
	memmove(&t->levels[to + 1], &t->levels[to], (size_t)(at - to) * sizeof(l));
	t->levels[to] = l;
}

static bool is_unnamed(const struct topo_level *l)
{
	return !strncmp(l->name, UNNAMED, strlen(UNNAMED));
}

/* Groups that hwloc made to hang the memory of a node on say nothing where the node does. */
static bool is_needless(const struct topo *t, const struct topo_level *l)
{
	for (int i = 0; i < t->nlevels && is_unnamed(l); i++)
		if (&t->levels[i] != l && is_equal(t, l, &t->levels[i]))
			return true;
	return !l->count;
}

static void free_level(struct topo_level *l)
{
	free(l->name);
	free(l->of);
}

static void drop_needless(struct topo *t)
{
	int kept = 0;

	for (int i = 0; i < t->nlevels; i++)
		count_level_places(t, &t->levels[i]);
	for (int i = 0; i < t->nlevels; i++) {
		struct topo_level l = t->levels[i];

		if (is_needless(t, &t->levels[i]))
			free_level(&l);
		else
			t->levels[kept++] = l;
	}
	t->nlevels = kept;
}

static const struct row *row_of_name(const char *name)
{
	for (int r = 0; r < ROWS; r++)
		if (!strcmp(rows[r].name, name))
			return &rows[r];
	return !strncmp(name, UNNAMED, strlen(UNNAMED)) ? row_of_name(UNNAMED) : NULL;
}

static int by_row(const void *a, const void *b)
{
	const char *x = ((const struct topo_level *)a)->name,
		   *y = ((const struct topo_level *)b)->name;
	const struct row *r = row_of_name(x), *of = row_of_name(y);

	return r != of ? (r > of) - (r < of) : strcmp(x, y);
}

static void find_equals(struct topo *t)
{
	for (int i = 0; i < t->nlevels; i++)
		for (int k = 0; k < i && t->levels[i].same_as < 0; k++)
			if (is_equal(t, &t->levels[i], &t->levels[k]))
				t->levels[i].same_as = k;
}

/* Those of hwloc's tree, which other sizes of caches do not change. */
static void copy_tree(struct topo *t, const struct topo_level *levels, int n)
{
	for (int i = 0; i < n; i++) {
		const struct row *row = row_of_name(levels[i].name);

		if (row->type == NO_TYPE)
			continue;
		struct topo_level *l = add_level(t, row, levels[i].name);

		memcpy(l->of, levels[i].of, (size_t)t->ncpus * sizeof(*l->of));
	}
}

void topo_load_levels(struct topo *t, struct hwloc_topology *hwloc)
{
	const struct topo_level *before = t->levels;
	const int nbefore = t->nlevels;

	t->levels = NULL;
	t->nlevels = 0;
	if (hwloc)
		add_tree(t, hwloc);
	else
		copy_tree(t, before, nbefore);
	for (int r = 0; r < ROWS; r++)
		add_row(t, &rows[r]);
	drop_needless(t);
	if (t->nlevels)
		qsort(t->levels, (size_t)t->nlevels, sizeof(*t->levels), by_row);
	for (int i = 1; i < t->nlevels; i++)
		place_in_order(t, i);
	find_equals(t);
}

void topo_free_levels(struct topo *t)
{
	for (int i = 0; i < t->nlevels; i++)
		free_level(&t->levels[i]);
	free(t->levels);
	t->levels = NULL;
	t->nlevels = 0;
}

const char *topo_level_meant(const char *word)
{
	for (int r = 0; r < ROWS; r++)
		if (!strcasecmp(rows[r].name, word) || topo_is_among(rows[r].synonyms, word))
			return rows[r].name;
	return NULL;
}

bool topo_level_may_be_inside(const char *inner, const char *outer)
{
	const struct row *last = &rows[ROWS - 1], *in = row_of_name(inner);

	/* the last caches of cores are at least L2 */
	return (in == last ? row_of_name("L2") : in) > row_of_name(outer);
}
