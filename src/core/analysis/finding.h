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
	FINDING_CROSSING, /* from where on something is quicker, or: */
	FINDING_ALWAYS,
	FINDING_NEVER,
	FINDING_ONE_POINT,
	FINDING_SAME_MEMORY,
	FINDING_MIXED,
	FINDING_UNDECIDED,
	FINDING_THREADS, /* how many are worth it */
	FINDING_BEST,    /* of all choices */
	FINDING_LINKS,   /* of last-level caches: how many threads and caches fill them */
	FINDING_SHARED_LINKS,
	FINDING_SHARE,   /* of the pages that are best on the near memory */
	FINDING_MEETING, /* what it takes after each layer */
	FINDING_HOT,     /* what cold vectors on a second memory cost */
	FINDING_WEIGHTS,
	FINDING_PLACEMENTS,
	FINDING_LAYERS,
	FINDING_LATENCY,
	FINDING_BANDWIDTH,
	FINDING_SATURATION,
	FINDING_LINE,
	FINDING_REACH,
	FINDING_HUGE_PAGES,
	FINDING_MACHINE, /* beside the first one of several */
	/* parts of others */
	FINDING_FIGURE,
	FINDING_POINT,
	FINDING_NAME,
	FINDING_TIED,
	FINDING_MISSING,
	FINDING_WEAK_RUNS,
	FINDING_LAYER,
	FINDING_SHARED_LINK,
	FINDING_KINDS
};

/* What a reader looks for. */
enum finding_group {
	FINDING_HEADLINE, /* what an experiment found, in one sentence */
	FINDING_DETAILS,  /* and what else */
	FINDING_ANSWERS,  /* for who has a language model to place */
	FINDING_MEMORIES, /* what the machine's nodes are */
	FINDING_LINES,    /* and its lines, TLB and pages */
	FINDING_BESIDE,   /* what several results say together */
	FINDING_PARTS
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

struct finding_frame {
	const char *first, *before, *after;
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

/* sentences.c: "extremes", as documents have it. */
const char *finding_kind_name(enum finding_kind kind);
enum finding_group finding_group(const struct finding *f);
/* What its sentence is made of, as sentences.c explains. */
const char *finding_pattern(enum finding_kind kind);
/* finding_say.c: its sentence without the full stop. */
void finding_say(const struct finding *f, enum say_style style, FILE *out);
/* The sentences of a group, each between two texts, with its full stop; before the first one stands
 * another text. How many there are. */
size_t findings_say(const struct finding_list *f, enum finding_group group,
	const struct finding_frame *frame, enum say_style style, FILE *out);
/* How far it can be trusted: "weak, not for conclusions: a quick trial", "fair without these". */
void finding_say_trust(const struct finding *f, enum say_style style, FILE *out);
/* The sentence as plain text, with its full stop; to be freed. */
char *finding_sentence(const struct finding *f);

#endif
