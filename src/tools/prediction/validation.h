/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which results a profile may be made of. */
#ifndef VALIDATION_H
#define VALIDATION_H

#include "document/document.h"
#include "measure/experiment.h"
#include "system/environment.h"

/* Do the runs of a document fit the plan of its own argument file, and are its costs possible? 0,
 * or -1 with a message (STATUS_USAGE): other operations, threads or units than planned, a cost that
 * is not above 0, or, where it is of this machine, other places or sizes. A cost that is missing is
 * no mistake. */
int validation_check(
	const struct document *d, const struct experiment *x, bool this_machine, struct errors *e);

/* Of results of other machines than this one: is a document of the same machine as the first one?
 * 0, or -1 with a message. */
int validation_one_machine(
	const struct document *first, const struct document *d, struct errors *e);

/* Has the system been told otherwise since, of something that changes what vectors on pages
 * `system` cost? Says so in a warning. */
bool validation_warn_of_pages(
	const struct document *d, const struct environment *here, struct errors *e);

/* The same measurement, such as a copied file? */
bool validation_is_copy(const struct document *a, const struct document *b);

#endif
