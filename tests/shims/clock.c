/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A coarse clock: CLOCK_STEP=N lets CLOCK_MONOTONIC_RAW advance in steps of N nanoseconds. A clock
 * that is slow at first: with CLOCK_SLOW=N each of its first N readings takes 20 microseconds. */
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

typedef int get(clockid_t clock, struct timespec *t);

static void take_long(get *real)
{
	static long left = -1;
	struct timespec from, now;

	if (left < 0)
		left = getenv("CLOCK_SLOW") ? atol(getenv("CLOCK_SLOW")) : 0;
	if (left == 0)
		return;
	left--;
	real(CLOCK_MONOTONIC_RAW, &from);
	do
		real(CLOCK_MONOTONIC_RAW, &now);
	while ((now.tv_sec - from.tv_sec) * 1000000000 + now.tv_nsec - from.tv_nsec < 20000);
}

int clock_gettime(clockid_t clock, struct timespec *t)
{
	static get *real;
	static long step = -1;

	if (!real)
		real = (get *)dlsym(RTLD_NEXT, "clock_gettime");
	if (step < 0)
		step = getenv("CLOCK_STEP") ? atol(getenv("CLOCK_STEP")) : 1;
	if (clock == CLOCK_MONOTONIC_RAW)
		take_long(real);
	int failed = real(clock, t);
	if (clock == CLOCK_MONOTONIC_RAW)
		t->tv_nsec -= t->tv_nsec % step;
	return failed;
}

/* A timer that wakes late: with WAKE_LATE=NS each sleep takes NS longer than it should. */
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *until, struct timespec *left)
{
	static int (*real)(clockid_t, int, const struct timespec *, struct timespec *);
	const char *late = getenv("WAKE_LATE");

	if (!real)
		real = (int (*)(clockid_t, int, const struct timespec *, struct timespec *))dlsym(
			RTLD_NEXT, "clock_nanosleep");
	int failed = real(clock, flags, until, left);

	if (!failed && late)
		real(clock, 0, &(struct timespec){.tv_nsec = atol(late)}, NULL);
	return failed;
}
