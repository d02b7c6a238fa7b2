/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An experiment as a result document. */
#ifndef MEASURED_H
#define MEASURED_H

#include <stdio.h>

#include "analysis/claims.h"
#include "analysis/view.h"
#include "document/document.h"
#include "input/args.h"
#include "measure/experiment.h"
#include "system/environment.h"

struct measured {
	const struct experiment *experiment;
	const struct views *views;
	const struct claims *claims; /* judged */
	const struct environment *environment;
	const struct args *args;
	const struct errors *warnings;       /* of the whole run */
	double elapsed_s;                    /* from the first page to the last check */
	const struct finding_list *findings; /* src/core/findings; NULL: not known yet */
};

/* One document, "schema": 3; manual/output.md describes it. 0, or -1 if out of memory. */
int measured_json(const struct measured *m, FILE *out);

/* The same as who reads the file finds it, but for the samples: what is shown of it is the same of
 * the file. 0, or -1 with a message. Call document_free() in both cases. */
int measured_document(const struct measured *m, struct document *d, struct errors *e);

#endif
