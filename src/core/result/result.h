/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was measured as a result (document/document.h): the one place at which figures are made of
 * samples for whoever prints or writes them.
 *
 * Samples stay where they are (document_sample()), and texts of plans and requests, too: the
 * experiment must live as long as the document.
 */
#ifndef RESULT_H
#define RESULT_H

#include "analysis/claims.h"
#include "analysis/view.h"
#include "document/document.h"
#include "system/environment.h"

struct result_of {
	const struct experiment *experiment;
	const struct views *views;
	const struct claims *claims; /* judged */
	const struct environment *environment;
	const struct args *args;
	const struct errors *warnings; /* of the whole run */
	double elapsed_s;              /* from the first page to the last check */
};

/* document_free() frees it. */
void result_make(struct document *d, const struct result_of *of);

#endif
