/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A treap (Seidel and Aragon, Algorithmica 16, 1996): a search tree by the first page that is a
 * heap by random priorities, and so balanced whatever the order of the calls. Intervals are
 * disjoint, so that they are in the same order by their ends. */
#include "spm/pins.h"

#include <errno.h>
#include <stdlib.h>

struct spm_interval {
	struct spm_run run;
	const void *owner;
	uint64_t priority;
	struct spm_interval *left, *right; /* left: of unused ones the next */
};

void spm_pins_init(struct spm_pins *p)
{
	*p = (struct spm_pins){.random = UINT64_C(0x9e3779b97f4a7c15)};
	pthread_mutex_init(&p->mutex, NULL);
}

/* In the order of rotations to the left, so that the depth of the tree does not matter. */
static void free_all(struct spm_interval *t)
{
	while (t) {
		struct spm_interval *next = t->left;

		if (next) {
			t->left = next->right;
			next->right = t;
		} else {
			next = t->right;
			free(t);
		}
		t = next;
	}
}

void spm_pins_free(struct spm_pins *p)
{
	free_all(p->root);
	free_all(p->unused);
	pthread_mutex_destroy(&p->mutex);
}

/* xorshift64 (Marsaglia, Journal of Statistical Software 8, 2003). */
static uint64_t next_random(struct spm_pins *p)
{
	p->random ^= p->random << 13;
	p->random ^= p->random >> 7;
	p->random ^= p->random << 17;
	return p->random;
}

/* An entry that insert() can use without failing; NULL: no memory. */
static struct spm_interval *unused_entry(struct spm_pins *p)
{
	if (!p->unused)
		p->unused = calloc(1, sizeof(*p->unused));
	return p->unused;
}

/* Those that begin before `first` go to *left, the others to *right. */
static void split_tree(struct spm_interval *t, uintptr_t first, struct spm_interval **left,
	struct spm_interval **right)
{
	while (t)
		if (t->run.first < first) {
			*left = t;
			left = &t->right;
			t = t->right;
		} else {
			*right = t;
			right = &t->left;
			t = t->left;
		}
	*left = *right = NULL;
}

/* All of left begin before all of right. */
static struct spm_interval *merge(struct spm_interval *left, struct spm_interval *right)
{
	struct spm_interval *root, **at = &root;

	while (left && right)
		if (left->priority > right->priority) {
			*at = left;
			at = &left->right;
			left = left->right;
		} else {
			*at = right;
			at = &right->left;
			right = right->left;
		}
	*at = left ? left : right;
	return root;
}

/* unused_entry() has been asked before. */
static void insert(struct spm_pins *p, struct spm_run run, const void *owner)
{
	struct spm_interval *n = p->unused, **at = &p->root;

	p->unused = n->left;
	*n = (struct spm_interval){.run = run, .owner = owner, .priority = next_random(p)};
	while (*at && (*at)->priority > n->priority)
		at = run.first < (*at)->run.first ? &(*at)->left : &(*at)->right;
	split_tree(*at, run.first, &n->left, &n->right);
	*at = n;
	p->entries++;
}

/* Takes the entry out to which the link points. */
static void discard(struct spm_pins *p, struct spm_interval **link)
{
	struct spm_interval *entry = *link;

	*link = merge(entry->left, entry->right);
	*entry = (struct spm_interval){.left = p->unused};
	p->unused = entry;
	p->entries--;
}

/* The link to the first entry that ends behind the page; NULL: none does. *before: the last entry
 * that does not; NULL: all do. */
static struct spm_interval **ends_behind(
	struct spm_pins *p, uintptr_t page, struct spm_interval **before)
{
	struct spm_interval **at = &p->root, **found = NULL;

	*before = NULL;
	while (*at)
		if ((*at)->run.end > page) {
			found = at;
			at = &(*at)->left;
		} else {
			*before = *at;
			at = &(*at)->right;
		}
	return found;
}

/* A run without entries, and the entries next to it, if there are any. */
struct gap {
	struct spm_run run;
	struct spm_interval *before, *behind;
};

/* The first one of the wanted pages. */
static struct gap first_gap(struct spm_pins *p, struct spm_run wanted)
{
	struct gap g = {.run = wanted};
	struct spm_interval **link = ends_behind(p, wanted.first, &g.before);

	while (link && (*link)->run.first <= g.run.first) {
		g.run.first = (*link)->run.end;
		link = ends_behind(p, g.run.first, &g.before);
	}
	if (g.run.first >= wanted.end)
		return (struct gap){.run = {wanted.end, wanted.end}};
	if (link && (*link)->run.first < g.run.end)
		g.run.end = (*link)->run.first;
	g.behind = link ? *link : NULL;
	return g;
}

/* Joins the run with what the owner has next to it, or makes it an entry. */
static int fill_gap(struct spm_pins *p, const struct gap *g, const void *owner)
{
	struct spm_interval *before = g->before, *behind = g->behind, *ignored;

	if (before && (before->owner != owner || before->run.end != g->run.first))
		before = NULL;
	if (behind && (behind->owner != owner || behind->run.first != g->run.end))
		behind = NULL;
	if (before && behind) {
		uintptr_t end = behind->run.end;

		discard(p, ends_behind(p, end - 1, &ignored));
		before->run.end = end;
	} else if (before) {
		before->run.end = g->run.end;
	} else if (behind) {
		behind->run.first = g->run.first;
	} else {
		if (!unused_entry(p))
			return -1;
		insert(p, g->run, owner);
	}
	return 0;
}

struct spm_run spm_pins_take(struct spm_pins *p, struct spm_run wanted, const void *owner)
{
	struct gap g;

	pthread_mutex_lock(&p->mutex);
	errno = 0;
	g = first_gap(p, wanted);
	if (g.run.first < g.run.end && fill_gap(p, &g, owner))
		g.run.end = g.run.first;
	pthread_mutex_unlock(&p->mutex);
	return g.run;
}

/* Leaves of the entry what is outside the run. */
static void cut(struct spm_pins *p, struct spm_interval **link, struct spm_run run)
{
	struct spm_interval *e = *link;
	struct spm_run rest = {run.end, e->run.end};

	if (e->run.first >= run.first && e->run.end <= run.end) {
		discard(p, link);
	} else if (e->run.first >= run.first) {
		e->run.first = run.end;
	} else {
		e->run.end = run.first;
		if (rest.first < rest.end)
			insert(p, rest, e->owner);
	}
}

static void release_all(struct spm_pins *p, struct spm_run run, const void *owner)
{
	for (uintptr_t next = run.first; next < run.end;) {
		struct spm_interval *before, **link = ends_behind(p, next, &before);

		if (!link || (*link)->run.first >= run.end)
			return;
		next = (*link)->run.end;
		if ((*link)->owner == owner)
			cut(p, link, run);
	}
}

int spm_pins_release(struct spm_pins *p, struct spm_run run, const void *owner)
{
	int result = -1;

	pthread_mutex_lock(&p->mutex);
	/* at most one entry is cut in two: one that has the run inside */
	if (unused_entry(p)) {
		release_all(p, run, owner);
		result = 0;
	}
	pthread_mutex_unlock(&p->mutex);
	return result;
}

const void *spm_pins_owner(struct spm_pins *p, uintptr_t page)
{
	const void *owner = NULL;

	pthread_mutex_lock(&p->mutex);
	struct spm_interval *before, **link = ends_behind(p, page, &before);

	if (link && (*link)->run.first <= page)
		owner = (*link)->owner;
	pthread_mutex_unlock(&p->mutex);
	return owner;
}
