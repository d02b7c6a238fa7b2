/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The function map by name: the only way from a kernel's name to the kernel. */
#ifndef REGISTRY_H
#define REGISTRY_H

#include "base/error.h"
#include "base/text.h"
#include "contract/kernel.h"
#include "contract/loops.h"

/* Are the first n characters of a the id b? Hyphens (fp-add) equal underscores. Every comparison of
 * ids uses this function. */
bool registry_same(const char *a, size_t n, const char *b);

/* Whether each kernel of a map has what the driver relies upon, a name of its own and a table of
 * parameters that fits: 0, or -1 with a message for each mistake. */
int registry_check(const struct kernel_id *map, struct errors *e);

/* The map's entry of an id; NULL when there is none. */
const struct kernel_id *registry_entry(const char *id);

/* NULL when the map has no such id. */
const struct kernel *registry_find(const char *id);

/* What this machine lacks to run the kernel, or NULL. */
const char *registry_lacks(const struct kernel *k);

/* Whether the build has the loops that the kernel claims, as far as a worker's job may take them;
 * of several that differ the first. w NULL: all of them. Never NULL. */
const struct loop_verdict *registry_loop(const struct kernel *k, const struct worker *w);
/* May a job of a kernel take the loop of a verdict? As above. */
bool registry_takes_loop(
	const struct kernel *k, const struct worker *w, const struct loop_verdict *v);

/* The same as text: "as claimed", "another: LOOP: ..." or "not checked: ...", cut to text[n]. */
const char *registry_loop_text(const struct loop_verdict *v, char *text, size_t n);

/* The kernel that has this id, or whose work other programs call so ("stream"); NULL: none. */
const char *registry_meant(const char *word);

/* The id nearest to a wrong one, or NULL. */
const char *registry_nearest(const char *id);

/* A kernel's name: its first id in the map. */
const char *registry_name(const struct kernel *k);

bool registry_is_alias(const struct kernel_id *k);

/* What a kernel of the map is for. */
const struct kernel_group *registry_group(const struct kernel_id *k);

/* The family that a name belongs to, or NULL. */
const struct kernel_family *registry_family(const char *id);

/* Does the kernel's name or an alias have one of the patterns ("simd_*")? Without patterns: yes. */
bool registry_listed(const struct kernel *k, const struct words *patterns);

/* -1 with a message for each pattern that fits no kernel. */
int registry_check_patterns(const struct words *patterns, struct errors *e);

#endif
