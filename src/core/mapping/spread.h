/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses seats for one thread after another: those with the fewest threads, then those on the core
 * with the fewest, of the quickest kind, then those in the places with the fewest threads, the
 * outermost level first; of equal ones the first in the machine's order. So threads spread over all
 * levels, whole cores before siblings.
 */
#ifndef SPREAD_H
#define SPREAD_H

#include "mapping/mapping.h"

struct spread;

/* No threads sit yet. seats[n] must outlive it; n is at least 1. */
struct spread *spread_new(const struct mapping_seat *seats, int n);
void spread_free(struct spread *s);

/* The seats in the machine's order: quick kinds first, seats without a node last, then place by
 * place, core by core; [n], to be freed. */
int *spread_order(const struct mapping_seat *seats, int n);

/* Some of the seats, as ranges of their positions in the machine's order. */
struct spread_set {
	int *ends; /* [2 x n]: from, up to but not with; from ... */
	int n;
};

/* Those seats, to be freed by free(set.ends). */
struct spread_set spread_set(const struct spread *s, const int *seats, int n);

/* The best of a set that is not empty; packed: places other than cores do not count. */
int spread_best(const struct spread *s, const struct spread_set *set, bool packed);

/* A thread sits down. spread_taken(): how many sit there. */
void spread_take(struct spread *s, int seat);
int spread_taken(const struct spread *s, int seat);

#endif
