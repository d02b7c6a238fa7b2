/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Learns a profile and predicts with it. */
#include "affinity/predict.h"

#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "document/arguments.h"
#include "document/document.h"
#include "document/files.h"
#include "prediction/advice.h"
#include "prediction/forecast.h"
#include "prediction/worth.h"
#include "affinity/caches.h"
#include "affinity/outputs.h"
#include "affinity/session.h"

/* Formats of results that predictions and advice have too, by row of output_formats. */
static const struct format {
	char *(*predicted)(const struct forecast *f);
	char *(*advised)(const struct advised *a);
} formats[MAX_OUTPUTS] = {[OUTPUT_TEXT] = {forecast_text, advised_text},
	[OUTPUT_JSON] = {forecast_json, advised_json},
	[OUTPUT_CSV] = {forecast_csv, advised_csv}};

static const struct format *format_of(int row)
{
	return formats[row].predicted ? &formats[row] : NULL;
}

bool predict_writes(enum action action, int row)
{
	if (action == ACTION_WORTH)
		return row == OUTPUT_TEXT || row == OUTPUT_JSON;
	return (action == ACTION_PREDICT || action == ACTION_ADVISE) && format_of(row);
}

/* a NULL: predictions. */
static int write_all(const struct options *o, const struct forecast *f, const struct advised *a,
	struct errors *e)
{
	struct output outputs[MAX_OUTPUTS] = {{0}};
	char *texts[MAX_OUTPUTS];
	size_t count = 0;
	int failed = 0;

	for (int i = 0; output_formats[i].suffix; i++) {
		const struct format *format = o->outputs[i] ? format_of(i) : NULL;

		if (!format)
			continue;
		char *text = a ? format->advised(a) : format->predicted(f);

		if (!text) {
			failed = error_add(e, STATUS_FAILED, NOWHERE,
				"out of memory while writing '%s'", o->outputs[i]);
			break;
		}
		texts[count] = text;
		outputs[count++] = (struct output){o->outputs[i], text, strlen(text)};
	}
	if (!failed)
		failed = output_write_all(outputs, count, e);
	for (size_t i = 0; i < count; i++)
		free(texts[i]);
	return failed;
}

/* Why the first operation that is not predicted is not; NULL: all are. */
static const char *first_refusal(const struct forecast *f)
{
	for (size_t i = 0; i < f->nruns; i++)
		for (size_t k = 0; k < f->runs[i].count; k++)
			if (f->runs[i].operations[k].refused)
				return f->runs[i].operations[k].refused;
	return NULL;
}

static bool assumes(const struct forecast *f)
{
	for (size_t i = 0; i < f->nruns; i++)
		for (size_t k = 0; k < f->runs[i].count; k++)
			if (f->runs[i].operations[k].assumed)
				return true;
	return false;
}

static void warn_of_doubts(const struct forecast *f, struct errors *e)
{
	char mark[FORECAST_MARK];

	forecast_mark(f, mark);
	if (*mark)
		error_warn(e, "the profile is %s; every output says so", mark);
	if (!assumes(f))
		return;
	error_warn(e,
		"how threads slow each other down is assumed: too few runs of the profile show "
		"it");
	error_hint(e, "scripts/ejec.sh args/profile measures them; disturbed samples teach nothing "
		      "without --force");
}

static int tell_nothing(const struct options *o, const struct forecast *f, struct errors *e)
{
	const char *why = first_refusal(f);

	error_add(e, STATUS_FAILED, NOWHERE, "nothing of '%s' can be predicted: %s", f->args,
		why ? why : "no run can be placed here");
	return error_hint(e, "add results to '%s' that have it, or measure: affinity %s",
		o->profile, o->args);
}

/* 0 where nothing can be measured, or where the profile is of another machine. */
static int find_verify(const struct options *o, const struct forecast *f, const struct topo *t,
	size_t *verify, struct errors *e)
{
	*verify = o->verify;
	if (!o->verify_given)
		*verify = t->this_system && !f->other_machine ? ADVICE_VERIFY : 0;
	if (!*verify || t->this_system)
		return 0;
	error_add(e, STATUS_PLACEMENT, NOWHERE,
		"cannot measure on a topology that is not this machine: %s", t->source);
	return error_hint(e, "--verify 0 advises without measuring");
}

static int verify_advice(
	const struct options *o, struct advised *a, struct experiment *x, struct errors *e)
{
	struct pooling pooling;

	advice_choose(a, x);
	int failed = session_sample(o, x, &pooling, e);

	if (!failed)
		advice_judge(a, x);
	return failed;
}

/* found: by branch and bound; NULL: all were predicted. */
static int advise_placements(const struct options *o, const struct forecast *f,
	struct experiment *x, const struct exploration *found, struct errors *e)
{
	struct advised advised;
	size_t verify;

	if (find_verify(o, f, x->topo, &verify, e))
		return -1;
	if (advice_rank(&advised, f, x, verify))
		return error_add(e, STATUS_FAILED, NOWHERE,
			"no placement of '%s' is predicted with all its operations: %s", f->args,
			first_refusal(f));
	if (found)
		advice_searched(&advised, found);
	int failed = verify ? verify_advice(o, &advised, x, e) : 0;

	if (!failed && !(x->interrupted && !experiment_has_samples(x)))
		failed = write_all(o, f, &advised, e);
	if (!failed && verify)
		failed = session_interruption(x, e);
	advised_free(&advised);
	return failed;
}

static int print_forecast(const struct options *o, const struct forecast *f, size_t predicted,
	struct experiment *x, const struct exploration *found, struct errors *e)
{
	const char *why = first_refusal(f);

	if (!predicted)
		return tell_nothing(o, f, e);
	if (why && o->action == ACTION_PREDICT) {
		error_warn(e, "some operations are not predicted: %s", why);
		error_hint(e, "the report has the reason of each");
	}
	warn_of_doubts(f, e);
	return o->action == ACTION_ADVISE ? advise_placements(o, f, x, found, e)
					  : write_all(o, f, NULL, e);
}

static int predict_with(struct training *t, const struct options *o, struct experiment *x,
	const struct exploration *found, struct errors *e)
{
	struct forecast forecast;
	const size_t predicted = forecast_make(&forecast, t, x);
	const int failed = print_forecast(o, &forecast, predicted, x, found, e);

	forecast_free(&forecast);
	return failed;
}

int predict_experiment(const struct options *o, struct experiment *x, struct errors *e)
{
	struct training set;
	int failed = training_read(
		&set, o->profile, x->topo, experiment_request(x)->confidence, o->force, e);

	if (!failed)
		failed = predict_with(&set, o, x, NULL, e);
	training_free(&set);
	return failed;
}

/* What the file says of intervals: before any placement is known to be possible. */
static double confidence_of(const struct args *a, const struct topo *t)
{
	const size_t first = 0;
	const struct sweep_choice one = {&first, 1};
	struct errors own = {0};
	struct experiment x;

	experiment_plan_some(&x, a, t, &one, &own);
	const double confidence = x.nruns ? experiment_request(&x)->confidence : 0.95;

	experiment_free(&x);
	errors_free(&own);
	return confidence;
}

static int advise_found(const struct options *o, const struct args *a, struct training *t,
	const struct exploration *found, struct errors *e)
{
	const struct sweep_choice some = {found->combinations, found->count};
	struct experiment x;
	int failed = experiment_plan_some(&x, a, t->modelled.topo, &some, e);

	if (!failed)
		failed = predict_with(t, o, &x, found, e);
	experiment_free(&x);
	return failed;
}

int predict_large(
	const struct options *o, const struct args *a, const struct topo *t, struct errors *e)
{
	struct exploration found = {.combinations = NULL};
	struct training set;
	int failed = training_read(&set, o->profile, t, confidence_of(a, t), o->force, e);

	if (!failed)
		failed = explore(&found, &set, a, e);
	if (!failed)
		failed = advise_found(o, a, &set, &found, e);
	explore_free(&found);
	training_free(&set);
	return failed;
}

static int write_worth(const struct options *o, const struct training *t, struct errors *e)
{
	struct worth worth;

	if (worth_of(&worth, t)) {
		char *disturbed = worth_disturbed(&worth);

		error_add(e, STATUS_FAILED, NOWHERE,
			"'%s' has no run of several threads that the model covers%s", o->profile,
			disturbed);
		free(disturbed);
		return error_hint(e, "scripts/ejec.sh args/profile measures some");
	}
	char *text = worth_text(&worth), *json = worth_json(&worth);
	struct output outputs[] = {{.path = o->outputs[OUTPUT_TEXT], .data = text},
		{.path = o->outputs[OUTPUT_JSON], .data = json}};
	int failed = text && json ? 0
				  : error_add(e, STATUS_FAILED, NOWHERE,
					    "out of memory while writing the worth");

	if (!failed) {
		outputs[0].size = strlen(text);
		outputs[1].size = strlen(json);
		failed = output_write_all(outputs, outputs[1].path ? 2 : 1, e);
	}
	free(text);
	free(json);
	return failed;
}

/* Intervals have a confidence of their own here. */
#define CONFIDENCE 0.9

/* The machine with the caches that the first document of the profile was measured with, whose
 * argument file may name others than the machine shows. 1: own is made; 0: it shows the same. */
static int caches_of_profile(struct topo *own, const char *profile, const struct topo *t)
{
	struct words files = {0};
	struct errors later = {0}; /* who reads it for good says these */
	bool found = false;
	int made = 0;

	document_files(&files, profile, &later);
	errors_free(&later);
	for (size_t i = 0; i < files.count && !found; i++) {
		struct errors none = {0};
		struct args args = {0};
		struct document d;

		found = !document_read(&d, files.word[i], &none) && d.arguments.path;
		if (found) {
			document_arguments(&args, &d, &none);
			made = caches_for(own, &args, t, NULL, &none) == 1;
			args_free(&args);
		}
		document_free(&d);
		errors_free(&none);
	}
	words_free(&files);
	return made;
}

/* No line of an argument file but `caches` says anything of what was measured. */
static int check_sets(const struct args *a, struct errors *e)
{
	for (size_t i = 0; i < a->count; i++)
		if (strcmp(a->entries[i].key, "caches")) {
			error_add(e, STATUS_USAGE, NOWHERE,
				"--set %s=%s has no effect with --worth", a->entries[i].key,
				a->entries[i].value);
			return error_hint(e, "it judges results as they were measured; --set "
					     "'caches=...' says the machine's caches");
		}
	return 0;
}

/* The same with the caches that --set names; 0: it names none; -1 with a message. */
static int caches_of_sets(
	struct topo *own, const struct options *o, const struct topo *t, struct errors *e)
{
	struct args args = {0};
	int made = 0;

	for (size_t i = 0; i < o->sets.count && !made; i++)
		made = args_set(&args, o->sets.word[i], e);
	if (!made)
		made = check_sets(&args, e);
	if (!made)
		made = caches_for(own, &args, t, NULL, e);
	args_free(&args);
	return made;
}

static int worth_on(const struct options *o, const struct topo *t, struct errors *e)
{
	struct training set;
	int failed = training_read(&set, o->profile, t, CONFIDENCE, o->force, e);

	if (!failed)
		failed = write_worth(o, &set, e);
	training_free(&set);
	return failed;
}

int predict_worth(const struct options *o, const struct topo *machine, struct errors *e)
{
	struct topo own;

	if (outputs_check(o, e))
		return -1;
	const int named = caches_of_sets(&own, o, machine, e);

	if (named < 0)
		return -1;
	if (!named && !caches_of_profile(&own, o->profile, machine))
		return worth_on(o, machine, e);
	const int failed = worth_on(o, &own, e);

	topo_drop_caches(&own);
	return failed;
}
