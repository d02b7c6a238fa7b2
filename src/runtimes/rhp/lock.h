/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mutex whose holder always comes to its end: while it is held, the thread is not cancelled and
 * runs no handler of a signal, which could ask for memory and wait for its own thread. */
#ifndef RHP_LOCK_H
#define RHP_LOCK_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

struct rhp_lock {
	pthread_mutex_t mutex;
	sigset_t before; /* the holder's signals */
	int cancels;     /* the holder's cancel state */
};

void rhp_lock(struct rhp_lock *l);
bool rhp_try_lock(struct rhp_lock *l);

/* Signals that came meanwhile are handled in here, and a cancelled thread may end in the next
 * cancellation point. */
void rhp_unlock(struct rhp_lock *l);

#endif
