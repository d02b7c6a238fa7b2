/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes of caches that the machine does not show, or that the user knows better. */
#ifndef CACHES_H
#define CACHES_H

#include "input/args.h"
#include "report/progress.h"
#include "topology/topo.h"

/* Makes `own` the machine t with other caches: those of the file's key caches; or, where t shows
 * none, and sizes of the file are times a cache, those of a staircase that is measured now; p shows
 * how far it is, and without p none is measured. 1: own is made, and topo_drop_caches() releases
 * it; 0: t is right as it is; -1 with a message. */
int caches_for(struct topo *own, const struct args *a, const struct topo *t, struct progress *p,
	struct errors *e);

/* The path of the document that the file's key caches names, to be freed; NULL: it names none. */
char *caches_document(const struct args *a);

/* Measures the staircase, writes its document and prints what it shows. 0, or -1 with a message;
 * where the staircase has no step, the document is written all the same. */
int caches_measure(const struct topo *t, const char *path, struct progress *p, struct errors *e);

#endif
