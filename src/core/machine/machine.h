/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which machine a result document is of. */
#ifndef MACHINE_H
#define MACHINE_H

#include "document/document.h"
#include "system/environment.h"
#include "topology/topo.h"

/* Facts that identify a machine; its topology alone has the first two. */
#define DOCUMENT_MACHINE_FACTS 5
extern const char *const document_machine_facts[DOCUMENT_MACHINE_FACTS];

/* Did the argument file, or --set, say the sizes of caches (key caches)? */
bool document_says_caches(const struct document *d);

/* 0, or -1 with a message for each fact that differs (STATUS_USAGE). If the topology is only
 * described (HWLOC_XMLFILE), the other facts of the running system do not apply to it. caches:
 * their sizes count as well. */
int document_check_machine(const struct topo *t, const struct environment *here,
	const struct document *d, bool caches, struct errors *e);

#endif
