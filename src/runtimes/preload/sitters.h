/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which thread has which seat of a program. Several processes may call these functions at the same
 * time. The functions take no lock and allocate no memory, so that a child of fork() may call them
 * too.
 */
#ifndef MAP_SITTERS_H
#define MAP_SITTERS_H

#include "map_memory.h"

/* Takes the seat with the fewest threads, the first one if several are equal, for a thread of the
 * process that is yet to begin: thread 0. First looks for seats of dead processes, at a few entries
 * behind those that were looked at last. Returns the thread's entry; -1: all are in use, and the
 * seat does not count as taken. */
int sitter_add(struct map_share *s, int process, int *seat);

/* The thread of the entry, or of -1, begins. */
void sitter_begin(struct map_share *s, int entry, int process, int thread);

/* Frees the seats of all dead processes, no matter how they ended. */
void sitter_remove_dead(struct map_share *s, int own);

/* Returns the seat of a thread, or -1. */
int sitter_find(struct map_share *s, int process, int thread);

/* Frees an entry and its seat, if they are the thread's; -1: none. */
void sitter_remove(struct map_share *s, int entry, int process, int thread);

/* Frees the seats of all threads of a process except `but`, also of those that never began. */
#define NO_THREAD (-1)
void sitter_remove_process(struct map_share *s, int process, int but);

#endif
