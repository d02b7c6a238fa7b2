/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How far the figures of a document can be trusted, as the driver says of those that it measured
 * (analysis/quality.h). */
#ifndef DOCUMENT_QUALITY_H
#define DOCUMENT_QUALITY_H

#include "analysis/quality.h"
#include "document/document.h"

/* Was it measured on a simulated machine? Times there say nothing of a real one. */
bool document_simulated(const struct document *d);

struct quality document_quality_of(const struct document *d);
/* The same of an operation of some of its runs (NULL: of all), which are added: of these
 * quality_judge_each() then finds the word. */
struct quality document_quality_begin(const struct document *d);
void document_quality_add(struct quality *q, const struct document_run *r, const char *operation);
/* How far a sentence made of figures can be trusted: `word` is that of the worst of them, and what
 * holds for all of its document is added. */
enum trust_word document_word_of_figures(const struct document *d, enum trust_word word);

#endif
