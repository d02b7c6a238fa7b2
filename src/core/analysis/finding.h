/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was found, as data: a kind, and the parts that its sentence is made of. A part is a text, a
 * figure with unit and interval, or a list of findings. Findings are made from a result
 * (src/core/findings), stand in its JSON document, and are said by one table of sentences
 * (sentences.c), as plain text and as HTML: who needs a sentence adds a kind there.
 *
 * A finding owns its texts and lists; names of parts and units are constants or outlive it.
 */
#ifndef FINDING_H
#define FINDING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "analysis/trust.h"
#include "base/amount.h"
#include "base/say.h"

enum finding_kind {
	FINDING_EXTREMES, /* the least and the most figure of a table, or of all runs */
	FINDING_FIGURES,  /* of tables that have one figure each */
	FINDING_COSTS,    /* of operations, without a table */
	/* parts of others */
	FINDING_FIGURE,
	FINDING_KINDS
};

struct finding_list {
	struct finding *list;
	size_t count;
};

struct finding_part {
	const char *name;
	char *text; /* NULL: it is a figure, or a list */
	struct amount amount;
	const char *unit;
	struct finding_list list;
};

struct finding {
	enum finding_kind kind;
	enum trust_word trust; /* of its figures, and of all that holds for the result */
	double effect;         /* how many times its least figure the most is; 1: not known */
	struct finding_part *parts;
	size_t count;
};

/* Adds one without parts; it stays where it is until the next one is added. */
struct finding *findings_add(struct finding_list *f, enum finding_kind kind);
void findings_free(struct finding_list *f);

/* Adds a part; the text is formatted like printf(). Of NULL or "", and of a figure that was not
 * measured, nothing is added. */
void finding_text(struct finding *f, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void finding_figure(struct finding *f, const char *name, struct amount a, const char *unit);
/* Adds an empty list, which stays where it is until the next part is added. */
struct finding_list *finding_add_list(struct finding *f, const char *name);
/* The first that says in a sentence what the experiment found; NULL: none does. */
const struct finding *findings_first(const struct finding_list *f);
/* NULL: it has none of this name. */
const struct finding_part *finding_part(const struct finding *f, const char *name);

/* sentences.c: "extremes", as documents have it; and the kind of that name, or FINDING_KINDS. */
const char *finding_kind_name(enum finding_kind kind);
/* Its sentence without the full stop. */
void finding_say(const struct finding *f, enum say_style style, FILE *out);
/* The same as plain text, with it; to be freed. */
char *finding_sentence(const struct finding *f);

#endif
