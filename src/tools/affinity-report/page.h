/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the page: from the content of a folder to HTML. */
#ifndef PAGE_H
#define PAGE_H

#include "document/quality.h"
#include "affinity-report/captions.h"
#include "affinity-report/chapters.h"
#include "affinity-report/comment.h"
#include "affinity-report/html.h"
#include "affinity-report/stored.h"

struct page {
	const struct stored *results;
	const char *folder; /* as the user gave it */
	const char *top;    /* the project's folder with a slash: paths are shown relative to it */
	const char *mix;    /* the output of scripts/mix; "" without */
	bool apart;         /* the page is not in the folder of the results */
	bool away;          /* nor in the current folder, from which results are named */
};

void page_write(const struct page *p, FILE *out);

/* The newest document: the page describes the machine from it. */
const struct document *page_newest(const struct page *p);

/* index.c: links to all parts of the page, by group */
void page_index(const struct page *p, FILE *out);

/* heading.c, warnings.c, closing.c: head, machine and warnings; what was skipped; how to repeat the
 * experiments. */
void page_heading(const struct page *p, FILE *out);
/* state.c: the conditions of the measurements, each as ok, doubtful or bad */
void page_conditions(const struct page *p, FILE *out);
/* Those of one of several machines; page_conditions() does not tell these. */
void page_conditions_of(const struct page *p, size_t machine, FILE *out);
void page_machine(const struct page *p, FILE *out);
/* answer.c: where the weights of a language model go, and how many threads, for each machine;
 * nothing without results that show it, or of emulated ones */
void page_answer(const struct page *p, FILE *out);
/* The same as plain text, a line for each; of several machines below their names. */
void page_answer_plain(const struct page *p, FILE *out);
/* What its nodes, lines and pages mean; nothing of several machines. */
void page_words(const struct page *p, FILE *out);
/* What else the tables of an experiment say. */
void page_crossings(const struct document *d, FILE *out);
void page_warnings(const struct page *p, FILE *out);
void page_skipped(const struct page *p, FILE *out);
void page_repeat(const struct page *p, FILE *out);

/* "page_faults" as "page faults" */
void page_fact_name(FILE *out, const char *name);

/* names.c: the comment of its file, with the whole first sentence as title where titles in front of
 * a colon are the same; and what an experiment is called: by its chapter, by its file's comment, or
 * its file's name, which is to be freed. */
struct comment page_comment(const struct page *p, const struct document *d);
char *page_name(const struct page *p, const struct stored_document *of);
/* section.c: an experiment with its text, figures, samples and warnings; or the reason why there is
 * none. */
void page_experiment(const struct page *p, const struct experiment_text *x, FILE *out);
void page_missing(const struct page *p, const char *name, const char *what, FILE *out);
/* "scripts/ejec.sh --set ... FILE", to be freed */
char *page_command(const struct page *p, const struct document *d);

/* verdict.c: what the experiment found, in a sentence, and how far that can be trusted */
void page_verdict(const struct document *d, FILE *out);
/* found.c: the sentences of all experiments, the largest effects first */
void page_findings(const struct page *p, FILE *out);
/* quality.c: "Quiet.", or why no conclusions can be drawn */
void page_doubts(const struct quality *q, FILE *out);
void page_quality(const struct quality *q, FILE *out);
const char *page_quality_word(enum trust_word word);
/* marks.c: the marks of all cells. g: the grid of that table */
void page_mark_cells(const struct document *d, const struct document_table *t, struct grid *g);
/* Documents of earlier versions have "always" and the like where all is the same memory. */
void page_mark_same(const struct document *d, const struct document_table *t, struct grid *g);
/* Begins an item of a list with the sign of a quality, and its word, which is `told` or only for
 * readers that see no sign. */
void page_quality_sign(enum trust_word word, bool told, FILE *out);

/* source.c: the files with all samples, and the lines of each run in the CSV */
void page_source(const struct page *p, const char *name, const struct document *d, FILE *out);
/* sizes.c: how large the vectors really were, and where they and the threads were */
void page_sizes(const struct document *d, FILE *out);
/* alone.c: slowdowns and overheads of `solo` where no table of the file has them */
void page_alone(const struct document *d, FILE *out);
/* chosen.c: which loop kernels chose by themselves; nothing where none did */
void page_chosen(const struct document *d, FILE *out);
/* counters.c: all counters of each thread, folded; nothing without */
void page_counters(const struct document *d, FILE *out);

/* samples.c: how many samples were taken, and how many were disturbed */
void page_samples(const struct document *d, FILE *out);

/* claims.c: the claims with their verdicts; nothing where the file has none */
void page_claims(const struct document *d, FILE *out);

/* own.c: the figures that kernels have of their own, of threads together and, with solo, of each
 * alone, folded; nothing where they have none */
void page_own(const struct document *d, FILE *out);

/* places.c: on which nodes pages were before each operation whose kernels can move them, and after
 * it, folded; nothing where there are none */
void page_places(const struct document *d, FILE *out);

/* trace.c: the clock rates of all threads over the time of the experiment, folded; nothing where
 * the document has no times of samples or no rates */
void page_clock(const struct document *d, FILE *out);
/* The same of a plot of clock rates over time; false: the table is something else, or has nothing
 * to draw */
bool page_trace(const struct document_table *m, FILE *out);

/* gantt.c: when each of several threads worked in the middle sample of each operation, folded
 * unless open */
void page_work(const struct document *d, const struct document_run *r, bool open, FILE *out);
/* wander.c: on which CPUs threads ran that were not bound, folded unless open; nothing where the
 * document does not say which nodes these belong to */
void page_wander(const struct document *d, const struct document_run *r, bool open, FILE *out);

/* tails.c: the distributions of single events of all runs, folded; nothing where there are none */
void page_tails(const struct document *d, FILE *out);

/* blocks.c: one block of an experiment. run: the run that is shown. */
void page_block(const struct page *p, const struct experiment_text *x, const struct block *b,
	const struct document *d, const struct document_run *run, FILE *out);
/* A plot of the document: its picture with its numbers folded, or its numbers. name: of the results
 */
void page_plot(const struct page *p, const char *name, const struct block *b,
	const struct document *d, FILE *out);

/* curves.c: names those of the curves that the plot's table lacks, or has no value of; NULL: none
 */
void page_curves(const struct document_table *t, const struct curve *curves, FILE *out);

/* chapter.c: the groups of results that belong to no chapter, then the chapters. */
void page_chapters(const struct page *p, FILE *out);

/* groups.c: Calls `visit` for each group of results that belong to no chapter, in the page's order.
 * id: of its heading; members: indices of documents. */
typedef void group_visit(const struct page *p, const char *id, const char *title,
	const size_t *members, size_t n, FILE *out);
void page_groups(const struct page *p, group_visit *visit, FILE *out);
/* "Loaded latency" for "mine/3_loaded_latency"; to be freed */
char *page_short_name(const char *name);
/* Does the chapter that begins at this heading have any results? */
bool page_has_chapter(const struct page *p, const struct piece *heading);

/* machines.c: experiments that several machines measured; nothing without */
void page_machines(const struct page *p, FILE *out);
bool page_has_machines(const struct page *p);
const char *page_machines_title(const struct page *p);
/* The document of that experiment and machine; NULL: not measured there */
const struct document *page_of_machine(const struct page *p, size_t machine, const char *bare);
/* The same table of another document, by title, axes and unit; NULL: none */
const struct document_table *page_same_table(
	const struct document *d, const struct document_table *t);
/* Are the sizes of the vectors of two documents the same? */
bool page_same_sizes(const struct document *a, const struct document *b);
/* machines_head.c: what each machine is, and its conditions, a column for each */
void page_each_machine(const struct page *p, FILE *out);
/* machines_means.c: how many times the costs of the first machine those of the others are, as
 * geometric means of all figures that they have in common; nothing where these are none. bare: the
 * experiments that several have. */
void page_machines_means(const struct page *p, const struct words *bare, FILE *out);

/* pairs.c: results of affinity-map --pairs; nothing without */
void page_pairs(const struct page *p, FILE *out);

/* Functions that several parts of the page use. */
void page_title(const struct page *p, FILE *out, const char *tag, const char *text);
/* The badge of a simulated machine; nothing for one of hardware */
void page_mark(const struct page *p, FILE *out);
const char *page_path(const struct page *p, const char *path);
/* Do all documents contain this warning? */
bool page_common(const struct page *p, const char *warning);

#endif
