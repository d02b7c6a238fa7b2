/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes the page: from the content of a folder to HTML. */
#ifndef PAGE_H
#define PAGE_H

#include "affinity-report/figures/captions.h"
#include "affinity-report/figures/figures.h"
#include "affinity-report/drawings/drawings.h"
#include "affinity-report/sentences/sentences.h"
#include "affinity-report/store/store.h"

void page_write(const struct page *p, FILE *out);

/* index.c: links to all parts of the page, by group */
void page_index(const struct page *p, FILE *out);

/* heading.c, closing.c: head and machine; what was skipped; how to repeat the experiments. */
void page_heading(const struct page *p, FILE *out);
void page_machine(const struct page *p, FILE *out);
/* The newest document: the page describes the machine from it. */
const struct document *page_newest(const struct page *p);
void page_skipped(const struct page *p, FILE *out);
void page_repeat(const struct page *p, FILE *out);

/* chapter.c: the groups of results that belong to no chapter, then the chapters. */
void page_chapters(const struct page *p, FILE *out);
/* Does the chapter that begins at this heading have any results? */
bool page_has_chapter(const struct page *p, const struct piece *heading);

/* section.c: an experiment with its text, figures, samples and warnings; or the reason why there is
 * none. */
void page_experiment(const struct page *p, const struct experiment_text *x, FILE *out);
void page_missing(const struct page *p, const char *name, const char *what, FILE *out);
/* "scripts/ejec.sh --set ... FILE", to be freed */
char *page_command(const struct page *p, const struct document *d);

/* blocks.c: one block of an experiment. run: the run that is shown. */
void page_block(const struct page *p, const struct experiment_text *x, const struct block *b,
	const struct document *d, const struct document_run *run, FILE *out);
/* A plot of the document: its picture with its numbers folded, or its numbers. name: of the results
 */
void page_plot(const struct page *p, const char *name, const struct block *b,
	const struct document *d, FILE *out);

/* machines.c: experiments that several machines measured; nothing without */
void page_machines(const struct page *p, FILE *out);
bool page_has_machines(const struct page *p);
const char *page_machines_title(const struct page *p);

/* machines_head.c: what each machine is, and its conditions, a column for each */
void page_each_machine(const struct page *p, FILE *out);

/* pairs.c: results of affinity-map --pairs; nothing without */
void page_pairs(const struct page *p, FILE *out);

/* page.c: functions that several of these use. */
const char *page_path(const struct page *p, const char *path);
/* Do all documents contain this warning? */
bool page_common(const struct page *p, const char *warning);

#endif
