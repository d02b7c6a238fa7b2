/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures that the runs of a document contain, by the names of quantities (analysis/view.h):
 * for documents of schema 1, which have no tables. */
#ifndef OLD_FIGURES_H
#define OLD_FIGURES_H

#include "document/document.h"

struct old_figure {
	const char *name, *unit;
	/* The figure of a thread, or of all threads together (-1), in the operation op of a run;
	 * both must be below the counts of the run. */
	struct amount (*of)(const struct document_run *r, size_t op, int thread);
	bool is_cost;
};

/* NULL: runs do not contain it. */
const struct old_figure *old_figure(const char *name);

#endif
