/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memory that affinity-rhp shares with the library that it preloads: what the command asks for,
 * and a record of each program that allocated something. The library writes the records,
 * affinity-rhp reads them.
 */
#ifndef RHP_SHARE_H
#define RHP_SHARE_H

#include <stdatomic.h>
#include <stdint.h>

#include "rhp/rhp.h"

/* Environment variable with the path of the shared memory. Without it the library does nothing. */
#define RHP_SHARE_VARIABLE "AFFINITY_RHP"

/* This number changes with the layout, so that a library of another version does nothing. */
#define RHP_SHARE_MAGIC 0x61667234u

/* Programs that have a record; of further ones only their number is known. */
#define RHP_SHARE_RECORDS 1024

struct rhp_record {
	int32_t process;
	char name[16];         /* as the kernel has it */
	atomic_int ended;      /* `last` is filled in */
	int32_t own_malloc;    /* the program has a malloc() of its own */
	atomic_ullong skipped; /* large mappings that were not placed: fixed, shared, ... */
	struct rhp_counts counts;
	struct rhp_pages last; /* at its end: what was not released before */
};

struct rhp_share {
	uint32_t magic;
	int32_t rest;                     /* enum rhp_rest */
	int32_t take;                     /* enum rhp_take */
	uint64_t from_bytes;              /* requests below it are the C library's */
	unsigned char weights[RHP_NODES]; /* struct rhp_config's; all 0: none */
	atomic_int execs;   /* executed programs, including the one of the command line */
	atomic_int loaded;  /* programs that loaded the library */
	atomic_int records; /* asked for; may be more than there are */
	struct rhp_record record[RHP_SHARE_RECORDS];
};

#endif
