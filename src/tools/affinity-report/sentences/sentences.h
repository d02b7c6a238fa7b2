/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the page says in words: the answer, what was found, and how far that can be trusted. */
#ifndef REPORT_SENTENCES_H
#define REPORT_SENTENCES_H

#include "affinity-report/figures/html.h"
#include "affinity-report/store/store.h"
#include "document/quality.h"

/* answer.c: where the weights of a language model go, and how many threads, for each machine;
 * nothing without results that show it, or of emulated ones */
void page_answer(const struct page *p, FILE *out);
/* The same as plain text, a line for each; of several machines below their names. */
void page_answer_plain(const struct page *p, FILE *out);
/* What its nodes, lines and pages mean; nothing of several machines. */
void page_words(const struct page *p, FILE *out);
/* What else the tables of an experiment say. */
void page_crossings(const struct document *d, FILE *out);

/* found.c: the sentences of all experiments, the largest effects first */
void page_findings(const struct page *p, FILE *out);
/* quality.c: what the experiment found, in a sentence, and how far that can be trusted */
void page_verdict(const struct document *d, FILE *out);
/* quality.c: "Quiet.", or why no conclusions can be drawn */
void page_doubts(const struct quality *q, FILE *out);
void page_quality(const struct quality *q, FILE *out);
const char *page_quality_word(enum trust_word word);
/* Begins an item of a list with the sign of a quality, and its word, which is `told` or only for
 * readers that see no sign. */
void page_quality_sign(enum trust_word word, bool told, FILE *out);

/* state.c: the conditions of the measurements, each as ok, doubtful or bad */
void page_conditions(const struct page *p, FILE *out);
/* Those of one of several machines; page_conditions() does not tell these. */
void page_conditions_of(const struct page *p, size_t machine, FILE *out);
void page_warnings(const struct page *p, FILE *out);
/* "page_faults" as "page faults" */
void page_fact_name(FILE *out, const char *name);

/* samples.c: how many samples were taken, and how many were disturbed */
void page_samples(const struct document *d, FILE *out);
/* sizes.c: how large the vectors really were, and where they and the threads were */
void page_sizes(const struct document *d, FILE *out);
/* source.c: the files with all samples, and the lines of each run in the CSV */
void page_source(const struct page *p, const char *name, const struct document *d, FILE *out);

#endif
