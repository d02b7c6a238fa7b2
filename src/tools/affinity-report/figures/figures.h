/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of figures, each of a part of the page. html.h has their pieces, grids.h their cells. */
#ifndef REPORT_FIGURES_H
#define REPORT_FIGURES_H

#include "affinity-report/figures/html.h"
#include "affinity-report/store/store.h"

/* title.c: a heading with the badge, or the badge alone, of a simulated machine; no badge for one
 * of hardware */
void page_title(const struct page *p, FILE *out, const char *tag, const char *text);
void page_mark(const struct page *p, FILE *out);

/* alone.c: slowdowns and overheads of `solo` where no table of the file has them */
void page_alone(const struct document *d, FILE *out);
/* chosen.c: which loop kernels chose by themselves; nothing where none did */
void page_chosen(const struct document *d, FILE *out);
/* claims.c: the claims with their verdicts; nothing where the file has none */
void page_claims(const struct document *d, FILE *out);
/* counters.c: all counters of each thread, folded; nothing without */
void page_counters(const struct document *d, FILE *out);
/* own.c: the figures that kernels have of their own, of threads together and, with solo, of each
 * alone, folded; nothing where they have none */
void page_own(const struct document *d, FILE *out);

#endif
