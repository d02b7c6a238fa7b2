/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts by number: equal texts have the same. A zeroed table is empty. */
#ifndef FLEET_TEXTS_H
#define FLEET_TEXTS_H

#include <stddef.h>

struct texts {
	const char **list; /* by number; owned */
	size_t count;
	void *tree;
};

/* The number of a text, which is added where it is new. */
size_t texts_number(struct texts *n, const char *text);
void texts_free(struct texts *n);

#endif
