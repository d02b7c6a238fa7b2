/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which thread has which seat of a program. All functions may be called by several processes at the
 * same time; they take no lock and allocate nothing, so that a child of fork() may call them too.
 */
#ifndef MAP_SITTERS_H
#define MAP_SITTERS_H

#include "share.h"

/* Gives a thread the seat with the fewest threads, the first of equals. Before, processes that no
 * longer live lose their seats, however they ended. Returns the seat. */
int sitter_add(struct map_share *s, int process, int thread);

/* The seat of a thread, or -1. */
int sitter_find(struct map_share *s, int process, int thread);

/* Frees the seat of a thread, if it has one. */
void sitter_remove(struct map_share *s, int process, int thread);

/* Frees the seats of all threads of a process but one (0: of all). */
void sitter_remove_process(struct map_share *s, int process, int but);

#endif
