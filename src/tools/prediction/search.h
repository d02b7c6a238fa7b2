/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The best of very many choices, by branch and bound: a choice is a value for each variable. Values
 * are given to one variable after another; where a lower bound on what is given already is no
 * better than the worst of the best that are known, nothing behind it is looked at. Before that
 * each variable gets the value with the least bound, and then single values are changed as long as
 * this gains, so that there is something to compare with. Pure: nothing here knows what is chosen.
 */
#ifndef SEARCH_H
#define SEARCH_H

#include <stdbool.h>
#include <stddef.h>

struct search {
	size_t variables;
	const size_t *values; /* [variables] how many each may have, at least 1 */
	/* Nothing whose first `given` variables are those of choice[] costs less. HUGE_VAL: nothing
	 * of it is wanted. */
	double (*bound)(void *with, const size_t *choice, size_t given);
	/* NAN: there is none. */
	double (*cost)(void *with, const size_t *choice);
	void *with;
	size_t best; /* how many are wanted */
	size_t most; /* bounds and costs that may be asked for */
};

struct search_choice {
	size_t *choice; /* [variables], owned */
	double cost;
};

struct search_result {
	struct search_choice *list; /* the best first; of equally good ones any */
	size_t count;
	size_t costs; /* that were asked for */
	bool whole;   /* nothing that was not looked at is better than the last of the list */
	double left;  /* else: it costs this at least */
};

/* search_free() frees it. */
void search_best(const struct search *s, struct search_result *r);
void search_free(struct search_result *r);

#endif
