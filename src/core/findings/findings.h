/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Finds in a result what its figures say (analysis/finding.h): computes nothing that the document
 * does not have but how many times one figure is another, and names what is compared. Who says it,
 * the driver, the page and others, all say the same.
 */
#ifndef FINDINGS_H
#define FINDINGS_H

#include "analysis/finding.h"
#include "document/figure.h"

/* Finds all, from the figures: what a file says that was found in it is for people. */
void findings_fill(struct document *d);

/* headline.c: what the experiment found in the quantity that its file is about: that of its first
 * table, or of its kernels. Nothing where no run was measured. */
void findings_headline(const struct document *d, struct finding_list *to);

/* The others are of a table each: how many threads are worth it (how_many.c), where costs cross
 * (crossings.c), the links of caches (links.c), the best share of pages (interleave.c), what
 * meetings take (layers.c) and far cold vectors (hot.c); ... */
typedef void findings_of_table(
	const struct document *d, const struct document_table *t, struct finding_list *to);
findings_of_table findings_how_many, findings_links, findings_crossings, findings_shares,
	findings_meetings, findings_hot;
/* ... where the weights of a language model go, and how many threads read them (weights.c), from
 * which size or number of threads on (placements.c), and with how many layers (layers.c); */
findings_of_table findings_weights, findings_placements, findings_layers;
/* or of the runs: nodes and their memories (memories.c); lines, the TLB and pages (lines.c). */
void findings_memories(const struct document *d, struct finding_list *to);
void findings_lines(const struct document *d, struct finding_list *to);

/* nodes.c: the only node on which all vectors of a run were found, or those of all runs; -1:
 * several, none, or not known. */
int findings_only_node(const struct document_run *r);
int findings_node_of_all(const struct document *d);
/* "node 0", "interleave": a node as it was asked for; to be freed */
char *findings_node(const char *asked);

/* subject.c: the first run that was measured and has a vector; NULL: none. */
const struct document_run *findings_run(const struct document *d);
/* Adds "4 GiB of weights of 2 bytes, gemv, 8 threads". */
void findings_add_subject(
	struct finding *f, const struct document *d, const struct document_table *t);
/* Adds those of `threads` that are marked. */
void findings_add_threads(
	struct finding *f, const struct document_texts *threads, const bool *which);
/* Why a run was skipped, without "FILE:LINE: ", which says nothing to whoever reads the answer
 * only. */
const char *findings_reason(const char *text);

/* pieces.c: "n 2, weights q4"; to be freed. */
char *findings_pairs(const struct document_pairs *p);
/* Adds the operation of a table, and what its runs have in common. */
void findings_add_of(struct finding *f, const struct document_table *t);

#endif
