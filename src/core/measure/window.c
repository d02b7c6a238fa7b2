/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does the work of a sample. Apart from the kernels, only this code and its caller run inside the
 * measured time. */
#include "measure/window.h"

#include <sched.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"

void window_work(const struct plan_job *job, struct worker *w, struct thread_sample *s)
{
	uint64_t rounds = plan_rounds(job);

	s->units = (w->events ? job->kernel->events->run : job->kernel->run)(w, rounds);
	s->end_ns = clock_ns();
	s->rounds = job->calibrated ? rounds : 0;
	s->worked = s->units;
	s->calls = 1;
}

/* One call takes between these fractions of the window. It is then long compared with reading the
 * clock, and the call that is not counted because it ends too late takes only a small part of the
 * window. The two limits differ by more than a factor of 2, so that doubling and halving come to
 * rest. */
#define LONGEST_CALL  200
#define SHORTEST_CALL 1000

/* Without this limit, kernels whose round does almost nothing (null) would double for ever, and
 * their units would overflow. */
#define MAX_TIMES (UINT64_C(1) << 26)

typedef uint64_t do_some(struct worker *w, uint64_t times);

static do_some *portion_of(const struct kernel *k, const struct worker *w)
{
	return w->events ? k->events->run : k->step ? k->step : k->run;
}

static void begin_window(struct thread_sample *s)
{
	s->units = 0;
	s->worked = 0;
	s->rounds = 0;
	s->calls = 0;
	s->end_ns = s->begin_ns;
}

void window_by_clock(uint64_t deadline, uint64_t window, bool all, struct batch *batch,
	const struct kernel *k, struct worker *w, struct thread_sample *s)
{
	do_some *const some = portion_of(k, w);
	const uint64_t longest = window / LONGEST_CALL, shortest = window / SHORTEST_CALL;
	uint64_t times = batch->times, before, now = s->begin_ns;

	begin_window(s);
	while (now < deadline) {
		uint64_t units = some(w, times);

		before = now;
		now = clock_ns();
		s->worked += units;
		if (all || now <= deadline) {
			s->units += units;
			s->end_ns = now;
			s->calls++;
		}
		if (now - before < shortest && times < MAX_TIMES)
			times *= 2;
		else if (now - before > longest && times > 1)
			times /= 2;
		batch->last_ns = now - before;
	}
	batch->times = times;
}

/* A power of two times the last number, so that a call of the next sample is as long as with the
 * clock. */
static uint64_t next_times(uint64_t times, uint64_t window, const struct thread_sample *s)
{
	uint64_t call = s->calls ? (s->end_ns - s->begin_ns) / s->calls : window;

	for (; call < window / SHORTEST_CALL && times < MAX_TIMES; call *= 2) {
		times *= 2;
		call += !call;
	}
	for (; call > window / LONGEST_CALL && times > 1; call /= 2)
		times /= 2;
	return times;
}

void window_by_flag(const struct window_flag *f, struct batch *batch, const struct kernel *k,
	struct worker *w, struct thread_sample *s)
{
	do_some *const some = portion_of(k, w);
	const uint64_t times = batch->times;

	begin_window(s);
	while (!atomic_load_explicit(&f->over, memory_order_relaxed)) {
		s->units += some(w, times);
		s->calls++;
	}
	s->end_ns = clock_ns();
	s->worked = s->units;
	batch->times = next_times(times, f->window_ns, s);
}

/* The start instant is known when all threads have arrived: it is looked for so often. */
#define LOOK_NS 100000

static void sleep_ns(uint64_t ns)
{
	nanosleep(&(struct timespec){.tv_sec = (time_t)(ns / 1000000000u),
			  .tv_nsec = (long)(ns % 1000000000u)},
		NULL);
}

/* Its creator is bound and handles signals; this thread takes a CPU that is idle, if there is one,
 * and spins at no time. */
static void *set_flag(void *arg)
{
	struct window_flag *f = arg;
	uint64_t start, now;
	cpu_set_t all;
	sigset_t signals;

	sigfillset(&signals);
	pthread_sigmask(SIG_BLOCK, &signals, NULL);
	memset(&all, 0xff, sizeof(all));
	sched_setaffinity(0, sizeof(all), &all);
	while (!(start = start_line_instant(f->line)) && !atomic_load(&f->ended))
		sleep_ns(LOOK_NS);
	while (start && (now = clock_ns()) < start + f->window_ns)
		sleep_ns(start + f->window_ns - now);
	atomic_store(&f->over, true);
	return NULL;
}

int window_flag_begin(
	struct window_flag *f, struct start_line *l, uint64_t window_ns, struct errors *e)
{
	f->window_ns = window_ns;
	f->line = l;
	atomic_store(&f->over, false);
	atomic_store(&f->ended, false);
	int failed = pthread_create(&f->thread, NULL, set_flag, f);

	if (!failed)
		return 0;
	error_add(e, STATUS_FAILED, NOWHERE, "stoppedBy: flag: no thread to set it: %s",
		strerror(failed));
	return error_hint(e, "stoppedBy: clock needs none; ulimit -u, ulimit -v and the pids.max "
			     "of the control group limit threads");
}

void window_flag_end(struct window_flag *f)
{
	atomic_store(&f->ended, true);
	pthread_join(f->thread, NULL);
}
