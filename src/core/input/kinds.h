/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kind(performance): a kind of cores, where a core is expected. */
#ifndef INPUT_KINDS_H
#define INPUT_KINDS_H

#include "base/error.h"
#include "topology/topo.h"

/* The form of such a word, see base/list.h. */
#define KINDS_CALL "kind"

/* The index of the kind that kind(NAME) stands for: by its name or its type. -1 with a message
 * (STATUS_PLACEMENT) that lists the kinds of the machine. */
int kinds_find(
	const struct topo *t, const char *text, const char *key, struct place at, struct errors *e);

#endif
