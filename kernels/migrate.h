/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What migrate.c and migrate_movers.c have in common: a thread that moves the pages of a vector. */
#ifndef MIGRATE_H
#define MIGRATE_H

#include "moved_pages.h"

enum mover { MOVER_MOVE_PAGES, MOVER_MBIND, MOVER_MIGRATE_PAGES, MOVER_COPY, MOVER_NONE };

struct migrate_args {
	int mover;
	uint64_t batch;
	bool there;
	uint64_t uses;
};

/* A thread's state. */
struct migrate {
	struct moved_pages pages;
	int target;
	uint64_t calls, passes;
	bool failed;  /* a call said so */
	bool stopped; /* and further ones would */
	char *copy;   /* of MOVER_COPY; NULL: none */
	char *copy_map;
	size_t copy_bytes;
	char why[160];
};

/* Moves all pages once, `batch` in a call. */
void migrate_once(struct migrate *m, const struct migrate_args *args);

/* Moves all pages of the process that are on a node to another one. 0, or what migrate_pages()
 * returns. */
long migrate_process(int from, int to);

void migrate_free_copy(struct migrate *m);

#endif
