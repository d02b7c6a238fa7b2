/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which thread has which seat of a program. Several processes may call these functions at the same
 * time. The functions take no lock and allocate no memory, so that a child of fork() may call them
 * too.
 */
#ifndef MAP_SITTERS_H
#define MAP_SITTERS_H

#include "share.h"

/* Gives a thread the seat with the fewest threads, the first one if several are equal. First frees
 * the seats of dead processes, no matter how they ended. Returns the seat. */
int sitter_add(struct map_share *s, int process, int thread);

/* Returns the seat of a thread, or -1. */
int sitter_find(struct map_share *s, int process, int thread);

/* Frees the seat of a thread, if it has one. */
void sitter_remove(struct map_share *s, int process, int thread);

/* Frees the seats of all threads of a process except `but` (0: of all threads). */
void sitter_remove_process(struct map_share *s, int process, int but);

#endif
