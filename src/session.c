/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ties the layers together for one run: place, measure, check, write. */
#include "session.h"

#include <signal.h>
#include <stdlib.h>

#include "clock.h"
#include "output.h"
#include "progress.h"
#include "report.h"

/* The only thing a signal handler may write. */
static volatile sig_atomic_t stop_asked;

static void ask_to_stop(int signal)
{
	(void)signal;
	stop_asked = 1;
}

/* A second Ctrl-C finds the default action again and ends the process at once; nothing is
 * half-written then, because results are only written at the end. */
static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = ask_to_stop, .sa_flags = (int)SA_RESETHAND};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

typedef int writer(const struct report *r, FILE *out);

static int write_text(const struct report *r, FILE *out)
{
	report_text(r, out);
	return 0;
}

static int write_csv(const struct report *r, FILE *out)
{
	report_csv(r, out);
	return 0;
}

static int write_result(const struct report *r, const char *path, writer *write, struct errors *e)
{
	char *data = NULL;
	size_t size = 0;
	FILE *out = path ? open_memstream(&data, &size) : NULL;

	if (!path)
		return 0;
	int failed = !out || write(r, out);
	if (out && fclose(out))
		failed = 1;
	if (failed)
		failed = error_add(
			e, STATUS_FAILED, NOWHERE, "out of memory while writing '%s'", path);
	else
		failed = output_write(path, data, size, e);
	free(data);
	return failed;
}

static int write_results(const struct options *o, const struct report *r, struct errors *e)
{
	return write_result(r, o->json, report_json, e) | write_result(r, o->csv, write_csv, e) |
	       write_result(r, o->out, write_text, e);
}

static bool anything_measured(const struct run *r)
{
	struct figures f;

	for (int i = 0; i < r->plan->nops; i++)
		if (!derive_thread(r, i, 0, &f))
			return true;
	return false;
}

static int told_if_interrupted(const struct run *r, struct errors *e)
{
	if (!r->interrupted)
		return 0;
	return error_add(e, STATUS_FAILED, NOWHERE,
		anything_measured(r)
			? "interrupted; what was measured is written"
			: "interrupted before anything was measured; nothing is written");
}

static int measure(
	const struct options *o, const struct prepared *placed, struct run *r, struct errors *e)
{
	struct progress progress;

	catch_signals();
	progress_init(&progress, o->quiet);
	int failed = run_plan(r, placed, &stop_asked, progress_show, &progress, e);
	progress_end(&progress);
	return failed;
}

int session_measure(const struct options *o, const struct args *a, struct plan *p, struct errors *e)
{
	struct environment env;
	struct prepared placed;
	struct run r = {0};
	uint64_t begin = clock_ns();

	if (prepare(&placed, p, e))
		return -1;
	environment_read(&env, p->topo, e);
	int failed = measure(o, &placed, &r, e);
	if (!failed)
		failed = prepare_recheck(&placed, e);
	struct report report = {&r, &env, a, e, (double)(clock_ns() - begin) * 1e-9};
	if (!failed && (!r.interrupted || anything_measured(&r)))
		failed = write_results(o, &report, e);
	if (!failed)
		failed = told_if_interrupted(&r, e);
	run_free(&r);
	environment_free(&env);
	prepare_free(&placed);
	return failed;
}

int session_check_outputs(const struct options *o, struct errors *e)
{
	const char *paths[] = {o->out, o->json, o->csv};
	int failed = 0;

	for (int i = 0; i < 3; i++)
		if (paths[i])
			failed |= output_check(paths[i], e);
	return failed;
}
