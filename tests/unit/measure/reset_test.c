/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When kernels are called around samples: choose() before all of them, reset() before each and
 * after the last, tell() after each, and done(). Two threads take the samples, of kernels that note
 * what is called. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "input/param.h"
#include "measure/rivals.h"
#include "measure/series.h"
#include "../scratch.h"

#define THREADS 2

static char calls[THREADS][64];
static atomic_int resets, running, early;
static int fails_at; /* the reset that fails, of thread 1, from 1; 0: none */
static int times;    /* that thread 1 was reset */
static volatile sig_atomic_t never;

static int note(const struct worker *w, char call)
{
	size_t n = strlen(calls[w->id]);

	assert_true(n + 1 < sizeof(calls[0]));
	calls[w->id][n] = call;
	return (int)n + 1;
}

static const char *reset(struct worker *w, char *why, size_t n)
{
	note(w, 'R');
	atomic_fetch_add(&resets, 1);
	if (atomic_load(&running))
		atomic_fetch_add(&early, 1);
	if (w->id != 1 || ++times != fails_at)
		return NULL;
	snprintf(why, n, "the page %d is gone", 7);
	return why;
}

static uint64_t run(struct worker *w, uint64_t passes)
{
	atomic_fetch_add(&running, 1);
	note(w, 'x');
	if (atomic_load(&resets) % THREADS)
		atomic_fetch_add(&early, 1);
	atomic_fetch_sub(&running, 1);
	return passes;
}

static void tell(const struct worker *w, double *values)
{
	note(w, 't');
	values[0] = 10 + w->id;
	values[1] = (double)strlen(calls[w->id]);
}

static const char *verify(const struct worker *w, char *why, size_t n)
{
	(void)why;
	(void)n;
	note(w, 'v');
	return NULL;
}

static const struct kernel_figure figures[] = {
	{"own", "page", "a figure", FIGURE_SUM, NULL, false},
	{"calls", "", "another", FIGURE_SUM, NULL, false},
	{0},
};

static const struct kernel noting = {.summary = "notes",
	.unit = "call",
	.run = run,
	.nothing = true,
	.fixed = true,
	.reset = reset,
	.figures = figures,
	.tell = tell,
	.verify = verify};

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

/* Thread 0 runs `first`, thread 1 the kernel that notes. */
static void begin(struct stage *s, const struct kernel *first)
{
	static const char text[] = "opType: null\nnodePerThread: first*2\noversubscribe: yes\n"
				   "numIter: 2\nwarmup: 1\nplacements: 1\nclockRate: no\n";

	memset(s, 0, sizeof(*s));
	memset(calls, 0, sizeof(calls));
	times = 0;
	topo_load(&s->topo, &s->errors);
	args_read(&s->args, scratch_write(text), &s->errors);
	request_read(&s->request, &s->args, &s->errors);
	plan_make(&s->plan, &s->request, &s->topo, s->args.path, &s->errors);
	assert_int_equal(s->errors.failures, 0);
	s->plan.ops[0].jobs[0].kernel = first;
	s->plan.ops[0].jobs[1].kernel = &noting;
	assert_int_equal(prepare(&s->prepared, &s->plan, &s->rights, &never, &s->errors), 0);
	samples_init(&s->samples, &s->plan, &s->prepared);
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

static int sample_all(struct stage *s)
{
	struct series b = {.lost = &s->errors};
	int failed = series_open(&b, &s->samples, 0, &never, &s->errors);

	while (!failed && !series_done(&b))
		failed = series_sample(&b, &never, &s->errors);
	failed |= series_close(&b, &s->errors);
	return failed;
}

static void test_order(void **state)
{
	struct stage s;

	(void)state;
	begin(&s, &noting);
	assert_int_equal(sample_all(&s), 0);
	for (int i = 0; i < THREADS; i++)
		assert_string_equal(calls[i], "RxtRxtRxtvR");
	assert_int_equal(atomic_load(&early), 0);
	end(&s);
}

static const char *arrange(struct worker *w, char *why, size_t n)
{
	(void)why;
	(void)n;
	note(w, 'a');
	if (atomic_load(&resets) % THREADS)
		atomic_fetch_add(&early, 1);
	return NULL;
}

static void test_arranged(void **state)
{
	struct kernel arranging = noting;
	struct stage s;

	(void)state;
	arranging.migration.arrange = arrange;
	begin(&s, &arranging);
	assert_int_equal(sample_all(&s), 0);
	assert_string_equal(calls[0], "RaxtRaxtRaxtvR");
	assert_string_equal(calls[1], "RxtRxtRxtvR");
	assert_int_equal(atomic_load(&early), 0);
	end(&s);
}

static atomic_int set_up;

/* The second thread is late. */
static const char *prepare_late(struct worker *w)
{
	if (w->id)
		usleep(20000);
	note(w, 's');
	atomic_fetch_add(&set_up, 1);
	return NULL;
}

static void choose(struct worker *w)
{
	note(w, 'c');
	if (atomic_load(&set_up) != THREADS)
		atomic_fetch_add(&early, 1);
}

static void test_chosen(void **state)
{
	struct kernel choosing = noting;
	struct stage s;

	(void)state;
	choosing.setup = prepare_late;
	choosing.choose = choose;
	begin(&s, &choosing);
	s.plan.ops[0].jobs[1].kernel = &choosing;
	assert_int_equal(sample_all(&s), 0);
	for (int i = 0; i < THREADS; i++)
		assert_string_equal(calls[i], "scRxtRxtRxtvR");
	assert_int_equal(atomic_load(&early), 0);
	end(&s);
}

static void test_figures(void **state)
{
	const struct kernel plain = {.summary = "notes", .unit = "call", .run = run, .fixed = true};
	struct stage s;

	(void)state;
	begin(&s, &plain);
	assert_int_equal(sample_all(&s), 0);
	assert_string_equal(calls[0], "xxx");
	assert_int_equal(s.samples.ops[0].count, 3);
	for (size_t i = 0; i < 3; i++) {
		const double *told = s.samples.ops[0].samples[i].told;

		assert_true(told[0] != told[0] && told[1] != told[1]); /* NAN */
		assert_true(told[2] == 11 && told[3] == 3.0 * (double)(i + 1));
	}
	end(&s);
}

#define WINDOW_NS 40000000u

/* The second call of a window ends behind it. */
static uint64_t run_over(struct worker *w, uint64_t passes)
{
	if (note(w, 'x') % 2 == 0)
		usleep(WINDOW_NS / 1000 * 3 / 2);
	return passes;
}

static void tell_1000(const struct worker *w, double *values)
{
	calls[w->id][0] = '\0';
	values[0] = 1000;
}

static void test_rates(void **state)
{
	static const struct kernel_figure rates[] = {
		{"rate", "token", "a rate", FIGURE_SUM, NULL, true}, {0}};
	const struct kernel over = {.summary = "goes over the window",
		.unit = "call",
		.run = run_over,
		.nothing = true,
		.figures = rates,
		.tell = tell_1000};
	struct stage s;

	(void)state;
	begin(&s, &over);
	s.plan.ops[0].jobs[1].kernel = &over;
	s.request.window_ns = WINDOW_NS;
	assert_int_equal(sample_all(&s), 0);
	for (size_t i = 0; i < s.samples.ops[0].count; i++)
		for (int k = 0; k < THREADS; k++) {
			const struct sample *x = &s.samples.ops[0].samples[i];
			const struct thread_sample *t = &x->threads[k];
			const double ns = (double)(t->end_ns - t->begin_ns);
			const double rate = 1000 * (double)t->units / (double)t->worked /
					    (ns * 1e-9 - sample_lost_s(x, k));

			assert_true(t->worked > t->units);
			/* of a window in which no call ended there is none */
			if (t->units)
				assert_float_equal(x->told[k], rate, 1e-9 * rate);
		}
	end(&s);
}

static void test_none(void **state)
{
	const struct kernel plain = {.summary = "notes", .unit = "call", .run = run, .fixed = true};
	struct stage s;

	(void)state;
	begin(&s, &plain);
	s.plan.ops[0].jobs[1].kernel = &plain;
	assert_int_equal(sample_all(&s), 0);
	assert_string_equal(calls[1], "xxx");
	assert_null(s.samples.ops[0].samples[0].told);
	end(&s);
}

static uint64_t found;

static uint64_t done(const struct worker *w)
{
	note(w, 'd');
	return found;
}

static void test_done(void **state)
{
	struct kernel counted = noting;
	struct stage s;

	(void)state;
	counted.tell = NULL;
	counted.figures = NULL;
	counted.nothing = false;
	counted.done = done;
	found = 7;
	begin(&s, &counted);
	s.plan.ops[0].jobs[1].kernel = &counted;
	assert_int_equal(sample_all(&s), 0);
	assert_string_equal(calls[0], "RxdRxdRxdvR");
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(s.samples.ops[0].samples[i].threads[0].units, 7);
		assert_int_equal(s.samples.ops[0].samples[i].threads[1].worked, 7);
	}
	end(&s);
	found = UINT64_C(1) << 60;
	begin(&s, &counted);
	assert_int_equal(sample_all(&s), -1);
	assert_non_null(strstr(s.errors.list[0].text,
		"thread 0, null: it says that it did 1152921504606846976 calls in "));
	end(&s);
}

static void test_failure(void **state)
{
	struct stage s;

	(void)state;
	fails_at = 2;
	begin(&s, &noting);
	assert_int_equal(sample_all(&s), -1);
	fails_at = 0;
	assert_int_equal(s.errors.failures, 1);
	assert_string_equal(s.errors.list[0].text, "affinity: thread 1, null: the page 7 is gone");
	assert_int_equal(errors_status(&s.errors), STATUS_FAILED);
	for (int i = 0; i < THREADS; i++)
		assert_string_equal(calls[i], "RxtRR");
	end(&s);
}

static uint64_t run_slowly(struct worker *w, uint64_t passes)
{
	(void)w;
	atomic_fetch_add(&running, 1);
	usleep(5000);
	atomic_fetch_sub(&running, 1);
	return passes;
}

/* Begin and end of a sample fall into one round. */
static void test_slow_rivals(void **state)
{
	static const struct kernel slow = {.summary = "sleeps",
		.unit = "round",
		.per_unit = {.bytes = 64},
		.args_size = sizeof(uint64_t),
		.nothing = true,
		.run = run_slowly};
	struct background load = {.line = &(struct line){.text = "a load"}, .wanted = 1};
	const struct backgrounds all = {&load, 1};
	double rates[BACKGROUNDS_MOST];
	struct rivals *rivals = NULL;
	struct stage s;

	(void)state;
	begin(&s, &noting);
	for (int i = 0; i < THREADS; i++) {
		struct plan_job *job = &s.plan.ops[0].jobs[i];

		job->kernel = &slow;
		free(job->args);
		job->args = calloc(1, sizeof(uint64_t));
	}
	load.plan = s.plan;
	assert_int_equal(rivals_place(&rivals, &all, &s.rights, &never, &s.errors), 0);
	for (int i = 0; i < 10; i++) {
		rivals_run(rivals, true);
		rivals_begin(rivals);
		rivals_end(rivals, rates);
		assert_true(rates[0] > 0);
		rivals_run(rivals, false);
		assert_int_equal(atomic_load(&running), 0);
	}
	rivals_free(rivals);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{"all threads end reset() before a sample starts, and reset once more behind the "
		 "last",
			test_order, NULL, NULL, NULL},
		{"vectors are arranged before each sample, not after the last", test_arranged, NULL,
			NULL, NULL},
		{"a thread chooses when all are set up, once", test_chosen, NULL, NULL, NULL},
		{"what a kernel tells is in each sample, nothing of threads without figures",
			test_figures, NULL, NULL, NULL},
		{"what a kernel tells of all calls is in a second what those that count did",
			test_rates, NULL, NULL, NULL},
		{"kernels without them have no figures in their samples", test_none, NULL, NULL,
			NULL},
		{"units are those that a kernel finds after the sample, and must be plausible",
			test_done, NULL, NULL, NULL},
		{"a reset that fails ends the operation, with the thread and its reason",
			test_failure, NULL, NULL, NULL},
		{"a load has a rate in a sample shorter than its rounds, and waits when it is off",
			test_slow_rivals, NULL, NULL, NULL},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
