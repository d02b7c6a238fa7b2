/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What affinity-map and the library that it preloads into a program tell each other: one page of
 * memory a program, shared by all of its processes. The library counts, the parent reads.
 */
#ifndef MAP_SHARE_H
#define MAP_SHARE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* Environment variable with the path of the page; absent: the library does nothing. */
#define MAP_SHARE_VARIABLE "AFFINITY_MAP"

/* Changes with the layout, so that a library of another version keeps its hands off. */
#define MAP_SHARE_MAGIC 0x61666d33u

/* Linux's own limit: CONFIG_NR_CPUS is at most 8192. */
#define MAP_SHARE_CPUS 8192

struct map_seat {
	int32_t cpu;
	atomic_int taken; /* threads that sit here now */
};

/* Where a thread sat down: it stays there through exec. By its number, modulo the table's size; of
 * two that meet there the earlier one is forgotten, and takes another seat. */
#define MAP_SHARE_SITTERS 8192

struct map_sitter {
	_Alignas(8) int32_t thread; /* one atom of 8 bytes: on Arm not by itself at a multiple */
	int32_t seat;
};

struct map_share {
	uint32_t magic;
	int32_t bind;         /* 0: threads are counted and left alone */
	int32_t nseats;       /* at least 1 */
	atomic_int processes; /* that loaded the library, an exec counts again */
	atomic_int threads;   /* that were bound, or counted, so far */
	atomic_int now, most; /* threads at this moment, and at the fullest one */
	atomic_int refused;   /* the kernel would not bind them */
	atomic_int own;       /* how often the program bound threads itself, after that */
	struct map_seat seats[MAP_SHARE_CPUS];
	_Atomic(struct map_sitter) sitters[MAP_SHARE_SITTERS];
};

#endif
