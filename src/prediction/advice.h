/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --advise: values that an argument file leaves open (`?`) are searched by the model. */
#ifndef ADVICE_H
#define ADVICE_H

#include "document/forecast.h"
#include "input/args.h"
#include "measure/experiment.h"

/* Replaces each `?` of nodePerVector, nodePerThread and pagesPerVector by a variable of a sweep
 * over all values: nodes, nodes with CPUs, sizes of pages. 0, or -1 with messages (STATUS_USAGE):
 * there is none, or the file has a sweep of its own. */
int advice_open(struct args *a, const struct topo *t, struct errors *e);

/* A text of the best placements of the experiment whose runs the forecast has, each with its total
 * and the words of --set that measure it; to be freed. A total is the sum, over operations, of what
 * summaryType makes of the threads. NULL: no run is predicted whole. */
char *advice_text(const struct forecast *f, const struct experiment *x);

#endif
