/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks kernels up in the function map. */
#include "input/registry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "input/synonyms.h"

static char plain(char c)
{
	return c == '-' ? '_' : c;
}

bool registry_same(const char *a, size_t n, const char *b)
{
	size_t i = 0;

	while (i < n && b[i] && plain(a[i]) == plain(b[i]))
		i++;
	return i == n && !b[i];
}

const struct kernel_id *registry_entry(const char *id)
{
	for (const struct kernel_id *k = kernel_map; k->id; k++)
		if (registry_same(id, strlen(id), k->id))
			return k;
	return NULL;
}

const struct kernel *registry_find(const char *id)
{
	const struct kernel_id *k = registry_entry(id);

	return k ? k->kernel : NULL;
}

/* What a kernel's tables lack, or NULL. */
static const char *wrong_kernel(const struct kernel *k)
{
	if (!k)
		return "has no struct kernel";
	if (!k->run)
		return "has no .run";
	if (!k->summary || !*k->summary)
		return "has no .summary";
	if (!k->unit || !*k->unit)
		return "has no .unit";
	if (k->params && !k->args_size)
		return "has .params, but no .args_size";
	if (k->min_vectors < 0)
		return "has a negative .min_vectors";
	if (!k->figures != !k->tell)
		return k->tell ? "has .tell, but no .figures" : "has .figures, but no .tell";
	if (k->done && !k->reset)
		return "has .done, but no .reset";
	if (k->system.took && !k->reset)
		return "has .system.took, but no .reset";
	if (k->migration.arrange && !k->reset)
		return "has .migration.arrange, but no .reset";
	if (k->migration.moves && !(k->reset && k->fixed))
		return "has .migration.moves, but no .reset or not .fixed";
	return NULL;
}

static const char *wrong_param(const struct kernel *k, const struct param *p)
{
	if (!p->help)
		return "has no .help";
	if (!p->fallback)
		return "has no .fallback";
	if (p->type == PARAM_CHOICE && !p->choices)
		return "has no .choices";
	if (p->type != PARAM_CHOICE && p->type != PARAM_FLAG && p->min > p->max)
		return "has a .min above its .max";
	if (p->offset >= k->args_size)
		return "lies outside of .args_size";
	return NULL;
}

static const char *wrong_figure(const struct kernel_figure *f)
{
	if (!f->unit)
		return "has no .unit";
	if (!f->help)
		return "has no .help";
	return NULL;
}

static int check_figures(const struct kernel_id *entry, struct errors *e)
{
	int failed = 0;

	for (const struct kernel_figure *f = entry->kernel->figures; f && f->name; f++) {
		const char *wrong = wrong_figure(f);

		if (wrong)
			failed = error_add(e, STATUS_FAILED, NOWHERE, "kernel '%s': figure '%s' %s",
				entry->id, f->name, wrong);
	}
	return failed;
}

static int check_kernel(const struct kernel_id *entry, struct errors *e)
{
	const struct kernel *k = entry->kernel;
	const char *wrong = wrong_kernel(k);
	int failed = 0;

	if (wrong)
		return error_add(e, STATUS_FAILED, NOWHERE, "kernel '%s' %s", entry->id, wrong);
	for (const struct param *p = k->params; p && p->name; p++) {
		wrong = wrong_param(k, p);
		if (wrong)
			failed |= error_add(e, STATUS_FAILED, NOWHERE,
				"kernel '%s': parameter '%s' %s", entry->id, p->name, wrong);
	}
	return failed | check_figures(entry, e);
}

static const struct kernel_figure *find_figure(const struct kernel *k, const char *name)
{
	for (const struct kernel_figure *f = k ? k->figures : NULL; f && f->name; f++)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

static bool same_kind(const struct kernel_figure *a, const struct kernel_figure *b)
{
	return a->join == b->join && a->unit && b->unit && !strcmp(a->unit, b->unit);
}

/* Figures of the same name share a column. */
static int compare_figures(const struct kernel_id *a, const struct kernel_id *b, struct errors *e)
{
	for (const struct kernel_figure *f = a->kernel ? a->kernel->figures : NULL; f && f->name;
		f++) {
		const struct kernel_figure *other = find_figure(b->kernel, f->name);

		if (other && !same_kind(f, other))
			return error_add(e, STATUS_FAILED, NOWHERE,
				"kernel '%s': figure '%s' has another unit or join than that of "
				"'%s'",
				a->id, f->name, b->id);
	}
	return 0;
}

int registry_check(const struct kernel_id *map, struct errors *e)
{
	int failed = 0;

	for (const struct kernel_id *k = map; k->id; k++) {
		failed |= check_kernel(k, e);
		for (const struct kernel_id *other = map; other != k; other++) {
			failed |= compare_figures(k, other, e);
			if (registry_same(k->id, strlen(k->id), other->id))
				failed |= error_add(e, STATUS_FAILED, NOWHERE,
					"kernel '%s' stands twice in the function map", k->id);
		}
	}
	if (failed)
		error_hint(e, "src/core/contract/kernel.h describes each field; kernels/map.c has "
			      "the list");
	return failed;
}

const char *registry_lacks(const struct kernel *k)
{
	return k->lacks ? k->lacks() : NULL;
}

static bool takes_loop(const struct kernel *k, const char *name, const struct worker *w,
	const struct loop_verdict *v)
{
	return !strcmp(v->kernel, name) &&
	       (!w || !v->loop || !k->takes_loop || k->takes_loop(w, v->loop));
}

bool registry_takes_loop(
	const struct kernel *k, const struct worker *w, const struct loop_verdict *v)
{
	return takes_loop(k, registry_name(k), w, v);
}

const struct loop_verdict *registry_loop(const struct kernel *k, const struct worker *w)
{
	const char *name = registry_name(k);
	const struct loop_verdict *v = loop_verdicts;

	while (v->kernel && !takes_loop(k, name, w, v))
		v++;
	return v;
}

const char *registry_loop_text(const struct loop_verdict *v, char *text, size_t n)
{
	static const char *const states[] = {
		[LOOP_AS_CLAIMED] = "as claimed",
		[LOOP_ANOTHER] = "another",
		[LOOP_NOT_CHECKED] = "not checked",
	};

	snprintf(text, n, "%s%s%s%s%s", states[v->state], v->loop ? ": " : "",
		v->loop ? v->loop : "", *v->what ? ": " : "", v->what);
	return text;
}

/* A function map of one's own may lack the kernel that is meant. */
static const char *known(const char *meant)
{
	return meant && registry_entry(meant) ? meant : NULL;
}

const char *registry_meant(const char *word)
{
	const struct kernel_id *k = registry_entry(word);

	return k ? k->id : known(synonym_meant(kernel_synonyms, word));
}

const char *registry_nearest(const char *id)
{
	size_t count = 0;

	while (kernel_map[count].id)
		count++;
	const char **names = alloc_zeroed(count, sizeof(*names));
	for (size_t i = 0; i < count; i++)
		names[i] = kernel_map[i].id;
	const char *nearest = known(synonym_nearest(kernel_synonyms, id, names, count));
	free(names);
	return nearest;
}

const char *registry_name(const struct kernel *kernel)
{
	for (const struct kernel_id *k = kernel_map; k->id; k++)
		if (k->kernel == kernel)
			return k->id;
	return "?";
}
