/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file of a profile: results, and the plan of their own argument file. */
#ifndef SOURCE_H
#define SOURCE_H

#include "document/document.h"
#include "measure/experiment.h"
#include "system/environment.h"

struct source {
	struct document d;
	struct args args;
	struct experiment x;
	bool planned; /* false: it teaches no runs; a warning has said why */
};

/* Reads results, plans them again, and finds whether they can be what the plan measures
 * (validation.h). 0, or -1 with messages (STATUS_USAGE). Call source_close() after both. */
int source_open(struct source *s, const char *path, const struct topo *t,
	const struct environment *here, struct errors *e);
void source_close(struct source *s);

#endif
