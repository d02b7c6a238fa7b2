/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The common start of a sample. */
#include "measure/start_line.h"

#include "base/clock.h"
#include "contract/wait.h"

/* Long enough for the start instant to reach every thread and for one system call (about 1 us
 * each), short enough to cost nothing. Where threads do not all run at once (emulators,
 * oversubscription), threads miss the instant and the margin grows. */
#define MIN_MARGIN_NS 20000u
#define MAX_MARGIN_NS 5000000u
#define MISSED_NS     2000u

/* Threads wait for the last stretch without the relax hint: the hint costs up to 0.1 us, and under
 * a hypervisor that watches for spinning it can cost far more. */
#define LAST_STRETCH_NS 3000u

void start_line_init(struct start_line *l, int threads)
{
	atomic_init(&l->arrived, 0);
	atomic_init(&l->start_ns, 0);
	l->threads = threads;
	l->margin_ns = MIN_MARGIN_NS;
	pthread_barrier_init(&l->finish, NULL, (unsigned)threads);
}

void start_line_free(struct start_line *l)
{
	pthread_barrier_destroy(&l->finish);
}

void start_line_reset(struct start_line *l, uint64_t late_ns)
{
	/* grow at once, shrink slowly: one interruption must not make every later sample wait */
	if (late_ns > MISSED_NS)
		l->margin_ns *= 2;
	else
		l->margin_ns -= l->margin_ns / 8;
	if (l->margin_ns < MIN_MARGIN_NS)
		l->margin_ns = MIN_MARGIN_NS;
	if (l->margin_ns > MAX_MARGIN_NS)
		l->margin_ns = MAX_MARGIN_NS;
	atomic_store(&l->arrived, 0);
	atomic_store(&l->start_ns, 0);
}

uint64_t start_line_instant(const struct start_line *l)
{
	return atomic_load_explicit(&l->start_ns, memory_order_acquire);
}

uint64_t start_line_arrive(struct start_line *l)
{
	uint64_t start;
	unsigned spins = 0;

	if (atomic_fetch_add(&l->arrived, 1) + 1 == l->threads)
		atomic_store(&l->start_ns, clock_ns() + l->margin_ns);
	while (!(start = start_line_instant(l)))
		wait_moment(&spins);
	return start;
}

uint64_t start_line_leave(uint64_t start_ns)
{
	uint64_t now;

	while ((now = clock_ns()) < start_ns)
		if (start_ns - now > LAST_STRETCH_NS)
			wait_relax();
	return now;
}

/* How often a reading must fit into what is left until the start, to be begun. */
#define FITS 4

uint64_t start_line_watch(uint64_t instant, struct watch *w, int delays)
{
	const uint64_t begin = clock_ns();

	watch_take(w, delays);
	const uint64_t end = clock_ns(), ahead = FITS * (end - begin);

	if (end + ahead < instant) {
		start_line_leave(instant - ahead);
		watch_take(w, delays);
	}
	return start_line_leave(instant);
}

void start_line_finish(struct start_line *l)
{
	pthread_barrier_wait(&l->finish);
}
