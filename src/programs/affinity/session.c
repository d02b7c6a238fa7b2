/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run: place, measure, check, write. */
#include "programs/affinity/session.h"

#include <signal.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/output.h"
#include "report/plot.h"
#include "report/progress.h"
#include "report/report.h"
#include "system/conditions.h"

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

struct output {
	const char *path; /* NULL: not asked for */
	writer *write;
	char *data;
	size_t size;
};

static int make_output(struct output *x, const struct report *r, struct errors *e)
{
	FILE *out = x->path ? open_memstream(&x->data, &x->size) : NULL;

	if (!x->path)
		return 0;
	int failed = !out || x->write(r, out);
	if (out && fclose(out))
		failed = 1;
	if (!failed)
		return 0;
	return error_add(e, STATUS_FAILED, NOWHERE, "out of memory while writing '%s'", x->path);
}

/* All are made before the first is written: what can fail until then changes no file. */
static int write_outputs(const struct options *o, const struct report *r, struct errors *e)
{
	struct output outputs[] = {{o->json, report_json, NULL, 0}, {o->csv, write_csv, NULL, 0},
		{o->out, write_text, NULL, 0}};
	int failed = 0, unmade = 0;

	for (int i = 0; i < 3 && !unmade; i++)
		unmade = make_output(&outputs[i], r, e);
	for (int i = 0; i < 3; i++) {
		const struct output *x = &outputs[i];

		if (x->path && !unmade)
			failed |= output_write(x->path, x->data, x->size, e);
		free(x->data);
	}
	return unmade ? unmade : failed;
}

static int told_if_interrupted(const struct experiment *x, struct errors *e)
{
	if (!x->interrupted)
		return 0;
	return error_add(e, STATUS_FAILED, NOWHERE,
		experiment_has_samples(x)
			? "interrupted; what was measured is written"
			: "interrupted before anything was measured; nothing is written");
}

static int measure(const struct options *o, struct experiment *x, struct errors *e)
{
	struct progress progress;

	progress_init(&progress, o->quiet);
	int failed = experiment_measure(x, &stop_asked, progress_show, &progress, e);
	progress_end(&progress);
	return failed;
}

int session_measure(
	const struct options *o, struct experiment *x, const struct views *v, struct errors *e)
{
	struct environment env;
	struct load before;
	uint64_t begin = clock_ns();

	catch_signals();
	environment_read(&env, x->topo);
	conditions_judge(&env, x->topo, e);
	load_take(&before);
	int failed = measure(o, x, e);
	environment_load(&env, &before, e);
	struct report report = {x, v, &env, x->args, e, (double)(clock_ns() - begin) * 1e-9};
	if (!failed && experiment_has_samples(x)) {
		failed = plot_all(x, v, o->out, e); /* its warnings belong into the results */
		failed |= write_outputs(o, &report, e);
	}
	if (!failed)
		failed = told_if_interrupted(x, e);
	environment_free(&env);
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

void session_check(const struct topo *t, FILE *out)
{
	struct environment env;
	struct errors found = {0};

	environment_read(&env, t);
	conditions_judge(&env, t, &found);
	for (size_t i = 0; i < env.count; i++)
		fprintf(out, "%s: %s\n", env.facts[i].name, env.facts[i].value);
	fprintf(out, "\n%s\n",
		found.count ? "what spoils measurements here:"
			    : "nothing here spoils measurements");
	errors_print(&found, 0, out);
	errors_free(&found);
	environment_free(&env);
}
