/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the page is made of: the results of folders, what their experiments are called, and the
 * chapters that they belong to. */
#ifndef REPORT_STORE_H
#define REPORT_STORE_H

#include <stdbool.h>
#include <stdio.h>

#include "affinity-report/store/chapters.h"
#include "affinity-report/store/comment.h"
#include "affinity-report/store/stored.h"

struct page {
	const struct stored *results;
	const char *folder; /* as the user gave it */
	const char *top;    /* the project's folder with a slash: paths are shown relative to it */
	const char *mix;    /* the output of scripts/mix; "" without */
	bool apart;         /* the page is not in the folder of the results */
	bool away;          /* nor in the current folder, from which results are named */
};

/* names.c: the comment of its file, with the whole first sentence as title where titles in front of
 * a colon are the same; and what an experiment is called: by its chapter, by its file's comment, or
 * its file's name, which is to be freed. */
struct comment page_comment(const struct page *p, const struct document *d);
char *page_name(const struct page *p, const struct stored_document *of);

/* groups.c: Calls `visit` for each group of results that belong to no chapter, in the page's order.
 * id: of its heading; members: indices of documents. */
typedef void group_visit(const struct page *p, const char *id, const char *title,
	const size_t *members, size_t n, FILE *out);
void page_groups(const struct page *p, group_visit *visit, FILE *out);
/* "Loaded latency" for "mine/3_loaded_latency"; to be freed */
char *page_short_name(const char *name);

#endif
