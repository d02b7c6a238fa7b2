/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread that moves the pages of its vector to a node: what migrate and migrate_use are made of.
 */
#ifndef MIGRATE_H
#define MIGRATE_H

#include "moved_pages.h"

enum mover { MOVER_MOVE_PAGES, MOVER_MBIND, MOVER_MIGRATE_PAGES, MOVER_COPY };

struct migrate_args {
	int mover;
	uint64_t batch;
	bool there;
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

/* Both kernels'; migrate_tell_pages() writes their values. */
extern const struct kernel_figure migrate_figures[];

/* Pages of the system's base size. */
size_t migrate_base_pages(const struct vector *v);

/* Finds the pages of the vector, which is in place. *m is zero. NULL, or what is wrong. */
const char *migrate_begin(struct migrate *m, const struct vector *v, int target);

/* A sample of so many rounds begins. */
void migrate_start(struct migrate *m, uint64_t passes);

/* Writes to why[n] why a sample has one round. */
const char *migrate_too_many(const struct migrate *m, const char *hint, char *why, size_t n);

/* The base pages that are on the target. */
size_t migrate_on_target(const struct migrate *m, int mover);

/* Of a sample that was to move so many base pages; tells: the thread speaks for all of the
 * vector's.
 */
void migrate_tell_pages(
	const struct migrate *m, int mover, size_t asked, bool tells, double *values);

/* Moves all pages once, `batch` in a call. */
void migrate_once(struct migrate *m, const struct migrate_args *args);

/* Moves all pages of the process that are on a node to another one. 0, or what migrate_pages()
 * returns. */
long migrate_process(int from, int to);

void migrate_free_copy(struct migrate *m);

#endif
