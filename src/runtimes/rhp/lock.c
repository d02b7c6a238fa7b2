/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The runtime opens and reads files, which are cancellation points. */
#include "rhp/lock.h"

/* Faults of the holder itself cannot wait. */
static void hold(sigset_t *before, int *cancels)
{
	sigset_t all;

	sigfillset(&all);
	sigdelset(&all, SIGSEGV);
	sigdelset(&all, SIGBUS);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, cancels);
	pthread_sigmask(SIG_BLOCK, &all, before);
}

static void let_go(const sigset_t *before, int cancels)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
	pthread_setcancelstate(cancels, NULL);
}

void rhp_lock(struct rhp_lock *l)
{
	sigset_t before;
	int cancels;

	hold(&before, &cancels);
	pthread_mutex_lock(&l->mutex);
	l->before = before;
	l->cancels = cancels;
}

bool rhp_try_lock(struct rhp_lock *l)
{
	sigset_t before;
	int cancels;

	hold(&before, &cancels);
	if (pthread_mutex_trylock(&l->mutex)) {
		let_go(&before, cancels);
		return false;
	}
	l->before = before;
	l->cancels = cancels;
	return true;
}

void rhp_unlock(struct rhp_lock *l)
{
	sigset_t before = l->before;
	int cancels = l->cancels;

	pthread_mutex_unlock(&l->mutex);
	let_go(&before, cancels);
}
