/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run: place, measure, check, write. */
#include "affinity/session.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/doubts.h"
#include "analysis/enough.h"
#include "analysis/profiler.h"
#include "base/clock.h"
#include "findings/findings.h"
#include "affinity/conclusion.h"
#include "affinity/outputs.h"
#include "report/plot.h"
#include "report/progress.h"
#include "result/result.h"
#include "system/conditions.h"

/* The signal that asked, or 0. A signal handler may write nothing else. */
static volatile sig_atomic_t stop_asked;

static void ask_to_stop(int signal);

static bool is_caught(int number)
{
	struct sigaction now;

	return !sigaction(number, NULL, &now) && now.sa_handler == ask_to_stop;
}

/* The default action is restored, so a second signal, SIGINT or SIGTERM, ends the process at once.
 * A second SIGHUP does not: when a terminal closes, both the system and the shell send one. Nor
 * does SIGXCPU, which comes each second above a limit of CPU time. */
static void ask_to_stop(int number)
{
	stop_asked = number;
	if (is_caught(SIGINT))
		signal(SIGINT, SIG_DFL);
	if (is_caught(SIGTERM))
		signal(SIGTERM, SIG_DFL);
}

/* A signal that was ignored from the start (nohup, a shell's background) stays ignored. */
static void catch_signal(int number)
{
	struct sigaction action = {.sa_handler = ask_to_stop}, before;

	if (!sigaction(number, NULL, &before) && before.sa_handler != SIG_IGN)
		sigaction(number, &action, NULL);
}

static void catch_signals(void)
{
	catch_signal(SIGINT);
	catch_signal(SIGTERM);
	catch_signal(SIGHUP);
	catch_signal(SIGXCPU);
}

static int report_interruption(const struct experiment *x, int number, struct errors *e)
{
	if (!x->interrupted)
		return 0;
	return error_add(e, (enum status)(STATUS_SIGNAL + number), NOWHERE,
		experiment_has_samples(x)
			? "interrupted; what was measured is written"
			: "interrupted before anything was measured; nothing is written");
}

static int measure_experiment(const struct options *o, struct experiment *x, struct errors *e)
{
	struct progress progress;

	progress_init(&progress, o->quiet);
	x->judge = profiler_judge;
	x->error = enough_error;
	int failed = experiment_measure(x, &stop_asked, progress_show, &progress, e);
	progress_end(&progress);
	return failed;
}

/* Draws pictures after the results are written, so that no picture can cost the results. The
 * results contain the reason why there are no pictures. The reason why one picture could not be
 * drawn appears only on standard error. */
static int write_results(const struct options *o, const struct result_of *m, struct errors *e)
{
	const struct experiment *x = m->experiment;
	const char *out = o->outputs[OUTPUT_TEXT];
	bool pictures = plot_possible(x, m->views, out, e);
	struct document d;

	result_make(&d, m);
	findings_fill(&d);
	int failed = outputs_write(o, &d, e);

	if (isatty(STDERR_FILENO))
		errors_conclude(e, conclusion_text(o, &d));
	if (x->interrupted)
		stop_asked = 0; /* the signal must not stop the drawing too */
	if (!failed && pictures)
		failed = plot_all(x, m->views, out, &stop_asked, e);
	document_free(&d);
	return failed;
}

int session_measure(const struct options *o, struct experiment *x, const struct views *v,
	struct claims *c, struct errors *e)
{
	struct environment env;
	struct load before;
	struct near near;
	struct pooling pooling;
	uint64_t begin = clock_ns();

	if (outputs_check_mix(o, x, e) || outputs_check_pictures(o, x, v, e))
		return -1;
	catch_signals();
	environment_read(&env, x->topo);
	conditions_judge(&env, e);
	bool *used = experiment_cpus(x);

	near_init(&near, x->topo, used);
	free(used);
	near_begin(&near);
	load_take(&before);
	int failed = measure_experiment(o, x, e);
	int number = stop_asked;
	environment_load(&env, &before, DURING_RUN, e);
	const struct near_load others = near_look(&near);

	near_free(&near);
	environment_near(&env, &others, e);
	struct result_of measured = {
		x, v, c, &env, x->args, e, (double)(clock_ns() - begin) * 1e-9};
	if (!failed && experiment_has_samples(x)) {
		pooling_fit(&pooling, x);
		doubts_tell(x, e);
		claims_judge(c, x);
		failed = write_results(o, &measured, e);
	}
	if (!failed)
		failed = report_interruption(x, number, e);
	environment_free(&env);
	return failed;
}

int session_sample(
	const struct options *o, struct experiment *x, struct pooling *pooling, struct errors *e)
{
	struct environment env;

	catch_signals();
	environment_read(&env, x->topo);
	conditions_judge(&env, e);
	environment_free(&env);
	int failed = measure_experiment(o, x, e);

	if (!failed && experiment_has_samples(x)) {
		pooling_fit(pooling, x);
		doubts_tell(x, e);
	}
	return failed;
}

int session_interruption(const struct experiment *x, struct errors *e)
{
	return report_interruption(x, stop_asked, e);
}
