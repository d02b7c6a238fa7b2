/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs of which no conclusions can be drawn, while they can of others of the same file: an answer
 * names them, and is one of the others. A file's conditions, such as the load of other programs,
 * are those of all its runs.
 */
#ifndef WEAK_H
#define WEAK_H

#include "document/quality.h"
#include "findings/findings.h"
#include "findings/rates.h"

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

/* Adds what was left out as weak, and how far the rest can be trusted. c: the rates without them;
 * best: the curve that is the answer, or -1 where each is one. */
void weak_add(struct finding *f, const struct weak_runs *w, const struct rates *c, long best);

/* How far it can be trusted; of a file that is weak as a whole, why. */
void weak_add_trust(struct finding *f, const struct document *d, enum trust_word word);
/* Why figures are weak: "intervals of up to 34 %; a quick trial". */
void weak_add_reasons(struct finding *f, const char *name, const struct quality *q);

#endif
