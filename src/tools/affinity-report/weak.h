/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs of which no conclusions can be drawn, while they can of others of the same file: an answer
 * names them, and is one of the others. A file's conditions, such as the load of other programs,
 * are those of all its runs.
 */
#ifndef WEAK_H
#define WEAK_H

#include "affinity-report/page.h"
#include "affinity-report/rates.h"

/* Are the conditions of all runs alone no reason to call them weak? */
bool weak_not_all(const struct document *d);

struct weak_runs {
	const struct document *from;
	struct rates whole; /* the rates with all runs */
	bool *left;         /* [curve * threads]: is it weak? */
	size_t count;       /* of these */
	bool answered;      /* the rates now lack them */
	struct document_table table;
	enum trust_word word; /* of the runs that count */
};

/* Finds them. Where at least `least` curves have two figures without them, `c` then lacks them: it
 * has another table, which weak_free() frees. */
void weak_find(struct weak_runs *w, const struct document *d, struct rates *c, size_t least);
void weak_free(struct weak_runs *w);

/* Was this figure measured, and left out? */
bool weak_is_left(const struct weak_runs *w, size_t curve, size_t i);

/* " Left out as weak: placement slices with 4 threads (intervals of up to 34 %), which ...". c: the
 * rates without them; best: the curve that is the answer, or -1 where each is one. */
void weak_say(const struct weak_runs *w, const struct rates *c, long best, FILE *out);

/* "fair", "weak, not for conclusions: a quick trial": the reasons are those of the whole file */
void weak_say_quality(const struct document *d, enum trust_word word, FILE *out);
/* The same of those that count: "fair without these". */
void weak_say_word(const struct weak_runs *w, FILE *out);

#endif
