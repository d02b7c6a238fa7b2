/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memory that affinity-map shares with the library that it preloads: one piece for each program
 * of the command line, mapped by all processes of that program. The library writes, affinity-map
 * reads.
 */
#ifndef MAP_SHARE_H
#define MAP_SHARE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Environment variable with the path of the shared memory. Without it the library does nothing. */
#define MAP_SHARE_VARIABLE "AFFINITY_MAP"

/* Changes with the layout, so that a library of another version does nothing. */
#define MAP_SHARE_MAGIC 0x61666d34u

/* Linux's own limit: CONFIG_NR_CPUS is at most 8192. */
#define MAP_SHARE_CPUS 8192

struct map_seat {
	int32_t cpu;
	atomic_int taken; /* threads that have this seat now */
};

/* Threads that have a seat. A thread beyond them is bound, but takes no seat from others. */
#define MAP_SHARE_SITTERS 8192

struct map_share {
	uint32_t magic;
	int32_t bind;     /* 0: threads are counted, not bound */
	int32_t nseats;   /* at least 1 */
	atomic_int execs; /* programs that were executed, the one of the command line included */
	atomic_int processes; /* programs that loaded the library */
	atomic_int threads;   /* that began so far */
	atomic_int now, most; /* threads at this moment, and the most at one time */
	atomic_int refused;   /* threads that the kernel did not bind */
	atomic_int own;       /* calls by which the program bound threads itself */
	struct map_seat seats[MAP_SHARE_CPUS];
	/* Who has a seat: sitters.c packs process, thread and seat into one atomic word. 0: the
	 * entry is free. All entries from `used` on are free. */
	atomic_int used;
	_Alignas(8) _Atomic(uint64_t) sitters[MAP_SHARE_SITTERS];
};

#endif
