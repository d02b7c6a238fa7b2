/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes held signals with sigtimedwait(). */
#include "affinity-frag/signals.h"

#include <stddef.h>
#include <time.h>

static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/* Of the process: dispositions belong to it as well. */
static struct {
	sigset_t before, ending, all;
	int came; /* while nobody asked for details */
} held;

static void nothing(int number)
{
	(void)number;
}

void signals_hold(void)
{
	struct sigaction before, handled = {.sa_handler = nothing, .sa_flags = SA_RESTART};

	sigemptyset(&held.ending);
	for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++)
		if (!sigaction(ending[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaddset(&held.ending, ending[i]);
	held.all = held.ending;
	sigaddset(&held.all, SIGCHLD);
	sigprocmask(SIG_BLOCK, &held.all, &held.before);
	signal(SIGCHLD, SIG_DFL); /* if it stayed ignored, waitpid() would report no child */
	/* an ignored signal would stay ignored in the command, a handled one does not */
	sigaction(SIGPIPE, NULL, &before);
	if (before.sa_handler == SIG_DFL)
		sigaction(SIGPIPE, &handled, NULL);
}

void signals_restore(void)
{
	sigprocmask(SIG_SETMASK, &held.before, NULL);
}

int signals_wait(int ms, siginfo_t *info)
{
	struct timespec time = {ms / 1000, ms % 1000 * 1000000L};

	if (held.came)
		return held.came;
	int number = sigtimedwait(info ? &held.all : &held.ending, info, &time);
	if (!info && number > 0)
		held.came = number;
	return number > 0 ? number : 0;
}

void signals_forget(void)
{
	held.came = 0;
}
