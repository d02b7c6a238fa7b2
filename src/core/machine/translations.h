/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How much memory the TLB of a core reaches with each size of pages, as results show it: the tables
 * reach_1 and reach_2 of args/translation/tlb.args and files like it.
 */
#ifndef TRANSLATIONS_H
#define TRANSLATIONS_H

#include "analysis/reach.h"
#include "document/document.h"
#include "memory/pages.h"

#define TRANSLATIONS_PAGES (PAGES_THP_BASE + 1)

struct translations {
	/* [pages][level] bytes; NAN: not known */
	double bytes[TRANSLATIONS_PAGES][REACH_LEVELS];
};

void translations_begin(struct translations *t);

/* Takes the tables of a document that has any. */
void translations_add(struct translations *t, const struct document *d);

#endif
