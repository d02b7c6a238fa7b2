/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What gives a mapping its pages: anonymous memory, a memfd, or a file, whose pages stay in memory
 * when the mapping is gone (the page cache). Linux puts a page of a file on the node that the
 * policy of the task prefers that reads or writes it first, and ignores the mapping's policy; of a
 * memfd it obeys that. No file has a name here but those that are the user's, which are mapped
 * read-only: whatever ends the process, nothing stays.
 */
#ifndef BACKING_H
#define BACKING_H

#include <stdbool.h>
#include <stddef.h>

#include "memory/pages.h"

struct mem;

enum mem_backing {
	BACKING_ANONYMOUS,
	BACKING_MEMFD,
	BACKING_FOLDER, /* a file without a name in the folder `path` */
	BACKING_FILE    /* the user's file `path`, never written */
};

/* Which of the pages of a file are in memory before they are touched. */
enum mem_cache {
	CACHE_ASIS, /* as they are found */
	CACHE_WARM, /* dropped, and read in by the threads that touch */
	CACHE_COLD  /* dropped before every sample */
};

struct mem_backed {
	enum mem_backing kind;
	enum mem_cache cache;
	const char *path; /* of a folder or a file; not owned */
};

/* Opens a file of at least `bytes`: of a memfd and in a folder a new one, whose room on the disk is
 * taken. Returns the file, or -1 and errno; EFBIG: the user's file is smaller, or a new one would
 * be larger than the process may write. */
int backing_open(const struct mem_backed *b, size_t bytes);

/* Is it a file, whose pages may be in memory without a mapping? */
bool backing_is_file(const struct mem_backed *b);

/* Is its file system in memory? Reading a hole of a file then makes it grow, and nothing is
 * dropped.
 */
bool backing_in_memory(const struct mem_backed *b);

/* How many pages of a mapped file are in memory, without touching one. */
struct backing_resident {
	size_t pages;
	const char *shown_by; /* "mincore" or "cachestat"; NULL: nothing shows it */
};
struct backing_resident backing_resident(const struct mem *m);

/* Drops the pages of a mapped file from memory, those of a file without a name after writing them
 * to the disk. What stays shows backing_resident(). 0, or -1 and errno. */
int backing_drop(const struct mem *m);

#endif
