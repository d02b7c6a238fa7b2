/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The memory that affinity-map shares with the library that it preloads: one block for each program
 * of the command line, mapped by all processes of that program. The library writes it, affinity-map
 * reads it.
 */
#ifndef MAP_SHARE_H
#define MAP_SHARE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Environment variable with the path of the shared memory. Without it the library does nothing. */
#define MAP_SHARE_VARIABLE "AFFINITY_MAP"

/* This number changes with the layout, so that a library of another version does nothing. */
#define MAP_SHARE_MAGIC 0x61666d35u

/* Linux's own limit: CONFIG_NR_CPUS is at most 8192. */
#define MAP_SHARE_CPUS 8192

struct map_seat {
	int32_t cpu;
	atomic_int taken; /* threads that have this seat now */
};

/* Number of threads that can have a seat. A further thread is bound, but its seat does not count as
 * taken. */
#define MAP_SHARE_SITTERS 8192

struct map_share {
	uint32_t magic;
	int32_t bind;         /* 0: threads are counted, not bound */
	int32_t nseats;       /* at least 1 */
	atomic_int execs;     /* executed programs, including the one of the command line */
	atomic_int processes; /* programs that loaded the library */
	atomic_int threads;   /* threads that began so far */
	atomic_int now, most; /* threads now, and the maximum at one time */
	atomic_int refused;   /* threads that the kernel did not bind */
	atomic_int own;       /* calls by which the program bound threads itself */
	struct map_seat seats[MAP_SHARE_CPUS];
	/* The threads that have a seat: sitters.c packs process, thread and seat into one atomic
	 * word. All entries from `used` on are free. */
	atomic_int used;
	atomic_uint looked; /* at entries, for dead processes */
	_Alignas(8) _Atomic(uint64_t) freed;
	_Alignas(8) _Atomic(uint64_t) sitters[MAP_SHARE_SITTERS];
};

#endif
