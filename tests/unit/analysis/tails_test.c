/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Distributions of kernels whose events are known, measured by the driver: drawn times, pairs of
 * stamps with nothing between them, and loads of lines a known share of which was flushed. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "analysis/tails.h"
#include "measure/series.h"
#include "statistics/random.h"
#include "../scratch.h"

#define SAMPLES   10
#define BLOCKS    40 /* of a sample */
#define SWITCHED  4  /* of them: the thread sleeps in these */
#define MARKED    4  /* and in these an event loses its mark, as by an interrupt */
#define TOOK_LONG 3e9

static volatile sig_atomic_t never;
static uint64_t seed, scale;

/* Exponential, with the mean `scale`. */
static uint64_t drawn(void)
{
	const double u = ((double)(random_next(&seed) >> 11) + 0.5) * 0x1p-53;

	return (uint64_t)((double)scale * (1 - log(u)));
}

static uint64_t run_events(struct worker *w, uint64_t passes)
{
	for (unsigned b = 0; b < BLOCKS; b++)
		for (unsigned i = 0; i < EVENTS_BLOCK; i++) {
			const bool sleeps = b % (BLOCKS / SWITCHED) == 3;

			events_before(w->events);
			if (sleeps && i == 7)
				usleep(200);
			if (b % (BLOCKS / MARKED) == 5 && i == 7)
				events_mark(false);
			events_take(w->events, sleeps ? (uint64_t)TOOK_LONG : drawn());
		}
	return passes;
}

static uint64_t run(struct worker *w, uint64_t passes)
{
	(void)w;
	return passes;
}

static const struct kernel_events events = {
	.what = "draw", .units = 1, .group = 3, .run = run_events};
static const struct kernel drawing = {.summary = "draws",
	.unit = "draw",
	.run = run,
	.nothing = true,
	.fixed = true,
	.events = &events};

struct stage {
	struct topo topo;
	struct args args;
	struct request request;
	struct plan plan;
	struct prepared prepared;
	struct mem_rights rights;
	struct samples samples;
	struct errors errors;
};

static void measure(struct stage *s, const struct kernel *kernel)
{
	static const char text[] = "opType: chase\nnodePerThread: first\nnodePerVector: first\n"
				   "sizePerVector: 64KiB\nvectorPerThread: all\n"
				   "distribution: yes\nnumIter: 10\nwarmup: 1\nplacements: 1\n"
				   "clockRate: no\ntailAbove: 40ns\n";
	struct series b = {.lost = &s->errors};

	memset(s, 0, sizeof(*s));
	b.lost = &s->errors;
	topo_load(&s->topo, &s->errors);
	args_read(&s->args, scratch_write(text), &s->errors);
	request_read(&s->request, &s->args, &s->errors);
	plan_make(&s->plan, &s->request, &s->topo, s->args.path, &s->errors);
	assert_int_equal(s->errors.failures, 0);
	s->plan.ops[0].jobs[0].kernel = kernel;
	assert_int_equal(prepare(&s->prepared, &s->plan, &s->rights, &never, &s->errors), 0);
	samples_init(&s->samples, &s->plan, &s->prepared);
	assert_int_equal(series_open(&b, &s->samples, 0, &never, &s->errors), 0);
	while (!series_done(&b))
		assert_int_equal(series_sample(&b, &never, &s->errors), 0);
	assert_int_equal(series_count(&b, &never, &s->errors), 0);
	assert_int_equal(series_close(&b, &s->errors), 0);
}

static void end(struct stage *s)
{
	topo_bind(&s->topo, -1);
	samples_free(&s->samples);
	prepare_free(&s->prepared);
	plan_free(&s->plan);
	request_free(&s->request);
	args_free(&s->args);
	topo_free(&s->topo);
	errors_free(&s->errors);
}

static double ticks(const struct tails *t, double ns)
{
	return (ns + t->pair) / t->tick;
}

/* The intervals are wider than 95 %, so that they hold in every one of the draws. */
static void drawn_times_come_back(void **state)
{
	struct stage s;
	struct tails t;

	(void)state;
	seed = UINT64_C(0x9e3779b97f4a7c15);
	scale = 100000;
	measure(&s, &drawing);
	assert_int_equal(s.samples.ops[0].ntimed, SAMPLES);
	assert_int_equal(tails_of(&s.samples, 0, 0, &t), 0);
	assert_string_equal(t.event, "draw");
	assert_true(t.group == 64 || t.group == 3);
	for (int i = 0; i < TAIL_P99_99; i++) {
		const struct tail_figure *f = &t.kept.figures[i];
		const double truth = (double)scale * (1 - log(1 - tail_names[i].part));
		const double half = 2 * (f->ns.high - f->ns.low);

		assert_true(f->ns.low < f->ns.value && f->ns.value < f->ns.high);
		assert_true(ticks(&t, f->ns.value - half) <= truth);
		assert_true(ticks(&t, f->ns.value + half) >= truth);
		if (f->design < 0.1 || f->design > 4)
			fail_msg("%s: design effect %.3g", tail_names[i].name, f->design);
	}
	/* a busy machine may have stamps that take longer than tailAbove */
	if (t.above >= t.least) {
		assert_float_equal(t.kept.above.value, 1, 1e-9);
		assert_float_equal(t.kept.time_above, 1, 1e-9);
	}
	end(&s);
	tails_free(&t);
}

/* A block in which the thread slept is left out of one way of counting, and not of the other. */
static void lost_blocks_are_kept_apart(void **state)
{
	struct stage s;
	struct tails t;

	(void)state;
	seed = UINT64_C(0x9e3779b97f4a7c17);
	scale = 1000;
	measure(&s, &drawing);
	assert_int_equal(tails_of(&s.samples, 0, 0, &t), 0);
	assert_float_equal(t.blocks, SAMPLES * BLOCKS, 0);
	assert_float_equal(t.all.n, SAMPLES * BLOCKS * EVENTS_BLOCK, 0);
	assert_true(t.switched >= SAMPLES * SWITCHED);
	assert_float_equal(t.kept.n, (t.blocks - t.switched) * EVENTS_BLOCK - t.interrupted, 0);
#if defined(__x86_64__)
	assert_true(t.interrupts >= SAMPLES * MARKED && t.interrupted <= t.interrupts);
	if (t.switched < 2 * SAMPLES * SWITCHED) /* the block with the mark was seldom lost too */
		assert_true(t.interrupted > 0);
#endif
	assert_true(ticks(&t, t.kept.longest) < 1e5);
	assert_float_equal(ticks(&t, t.all.longest) / TOOK_LONG, 1, 1e-6);
	assert_float_equal(ticks(&t, t.all.figures[TAIL_P99].ns.value) / TOOK_LONG, 1, 0.01);
	/* 99.99 % takes 36,887 events */
	assert_true(isnan(t.kept.figures[TAIL_P99_99].ns.value));
	assert_true(t.kept.figures[TAIL_P99_99].needed >= 36887);
	end(&s);
	tails_free(&t);
}

/* ---- pairs of stamps with nothing between them */

static uint64_t run_pairs(struct worker *w, uint64_t passes)
{
	for (unsigned i = 0; i < BLOCKS * EVENTS_BLOCK; i++) {
		const uint64_t begin = events_before(w->events);

		events_take(w->events, events_after() - begin);
	}
	return passes;
}

static const struct kernel_events pairs = {
	.what = "pair", .units = 1, .group = 1, .run = run_pairs};
static const struct kernel pairing = {.summary = "stamps",
	.unit = "pair",
	.run = run,
	.nothing = true,
	.fixed = true,
	.events = &pairs};

/* What no stamp can tell from nothing is no figure. */
static void events_below_the_stamps_have_no_time(void **state)
{
	struct stage s;
	struct tails t;

	(void)state;
	measure(&s, &pairing);
	assert_int_equal(tails_of(&s.samples, 0, 0, &t), 0);
	assert_true(isnan(t.kept.figures[TAIL_P50].ns.value));
	assert_true(t.kept.figures[TAIL_P50].below == t.least && t.least > 0);
	assert_true(t.kept.figures[TAIL_P1].below == t.least);
	assert_true(isnan(t.timing.value));
	struct histogram all = tails_merged(&t);

	assert_true(fabs(tails_ns(&t, histogram_at(&all, t.kept.n / 2).high)) <= t.least);
	histogram_free(&all);
	end(&s);
	tails_free(&t);
}

/* ---- flushed lines */

#if defined(__x86_64__)
#define PLACES 256
#define APART  4160 /* prefetchers reach from no place to another */
#define ONE_OF 50

static char lines[PLACES * APART];
static uint64_t flushed, falsely, missed;

/* Each line is in the first cache, unless it was flushed just before. */
static uint64_t run_flushes(struct worker *w, uint64_t passes)
{
	for (unsigned i = 0; i < BLOCKS * EVENTS_BLOCK; i++) {
		volatile char *line = lines + random_next(&seed) % PLACES * APART;
		const bool flush = random_next(&seed) % ONE_OF == 0;

		(void)*line;
		if (flush)
			__builtin_ia32_clflush((const char *)line);
		__builtin_ia32_mfence();
		const uint64_t begin = events_before(w->events);

		(void)*line;
		const uint64_t ticks = events_after() - begin;

		flushed += flush;
		falsely += !flush && ticks > scale;
		missed += flush && ticks <= scale;
		events_take(w->events, ticks);
	}
	return passes;
}

static const struct kernel_events flushes = {
	.what = "load", .units = 1, .group = 1, .run = run_flushes};
static const struct kernel flushing = {.summary = "flushes",
	.unit = "load",
	.run = run,
	.nothing = true,
	.fixed = true,
	.events = &flushes};

/* The share of slow loads holds that of the flushed ones, and neither errors of one kind nor of the
 * other make it up. Where other programs take the CPU too often, little is left. */
static void a_known_share_of_flushed_lines_comes_back(void **state)
{
	const double all = SAMPLES * BLOCKS * EVENTS_BLOCK;
	struct stage s;
	struct tails t;

	(void)state;
	seed = UINT64_C(0x9e3779b97f4a7c15);
	measure(&s, &drawing); /* for the ticks of a pair and of 40 ns */
	assert_int_equal(tails_of(&s.samples, 0, 0, &t), 0);
	scale = (uint64_t)ticks(&t, t.above);
	end(&s);
	tails_free(&t);
	flushed = falsely = missed = 0;
	measure(&s, &flushing);
	assert_int_equal(tails_of(&s.samples, 0, 0, &t), 0);
	const bool busy = t.switched > t.blocks / 4 || t.least > t.above / 2;

	if (!busy) {
		print_message("# %.5f flushed, %.5f [%.5f %.5f] found, %.0f falsely, %.0f missed\n",
			(double)flushed / all, t.kept.above.value, t.kept.above.low,
			t.kept.above.high, (double)falsely, (double)missed);
		/* wider than 95 %, so that it holds in every run */
		const double half = (t.kept.above.high - t.kept.above.low) / 2;

		assert_true(t.kept.above.low - half <= (double)flushed / all);
		assert_true(t.kept.above.high + half >= (double)flushed / all);
		assert_true((double)missed <= 0.05 * (double)flushed);
		assert_true((double)falsely <= 0.2 * (double)flushed);
	}
	end(&s);
	tails_free(&t);
	if (busy) /* skip() would count as a failure */
		print_message("# the machine is too busy to tell\n");
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(drawn_times_come_back),
		cmocka_unit_test(lost_blocks_are_kept_apart),
		cmocka_unit_test(events_below_the_stamps_have_no_time),
#if defined(__x86_64__)
		cmocka_unit_test(a_known_share_of_flushed_lines_comes_back),
#endif
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
