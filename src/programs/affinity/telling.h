/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --json of what measures nothing: --list, --topology, --plan, --check. */
#ifndef TELLING_H
#define TELLING_H

#include "programs/affinity/options.h"

/* Is --json asked for? */
bool telling_json(const struct options *o);

/* Is the text printed? Not where standard output takes JSON. */
bool telling_text(const struct options *o);

/* 0, or -1 with a message: --json cannot be written. Before anything is printed. */
int telling_check(const struct options *o, struct errors *e);

/* Writes --json and frees the document. */
void telling_write(const struct options *o, char *document, struct errors *e);

#endif
