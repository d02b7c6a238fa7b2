/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What there is to measure, and how long it takes here. */
#ifndef MENU_H
#define MENU_H

#include "affinity/options.h"
#include "topology/topo.h"

/* ARGS that name no file become the path of the experiment that they mean. Where several fit,
 * o->unclear is the word. */
void menu_resolve(struct options *o);

/* The suites, or the experiments that the operands, or o->unclear, mean. Messages: a word that
 * means none, or several where one is to be measured. */
void menu_experiments(const struct options *o, const struct topo *t, struct errors *e);

/* "2 min": how long an experiment takes here; "-" of one that cannot be placed. In buffer. */
const char *menu_time(
	const struct options *o, const char *name, const struct topo *t, char *buffer, size_t n);

/* What the program is, and commands to begin with. */
void menu_start(const struct options *o, const struct topo *t);

#endif
