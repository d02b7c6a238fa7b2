/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Learns a profile and predicts with it. */
#include "programs/affinity/predict.h"

#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "programs/affinity/outputs.h"
#include "prediction/advice.h"
#include "prediction/forecast.h"

/* Formats of results that predictions have too. */
static const struct {
	int (*results)(const struct report *r, FILE *out);
	char *(*predicted)(const struct forecast *f);
} formats[] = {
	{report_text, forecast_text}, {report_json, forecast_json}, {report_csv, forecast_csv}};

typedef char *writer(const struct forecast *f);

static writer *writer_of(int row)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (output_formats[row].write == formats[i].results)
			return formats[i].predicted;
	return NULL;
}

bool predict_writes(enum action action, int row)
{
	if (action == ACTION_ADVISE)
		return row == OUTPUT_TEXT;
	return action == ACTION_PREDICT && writer_of(row);
}

static int write_advice(const struct options *o, const struct forecast *f,
	const struct experiment *x, struct errors *e)
{
	char *text = advice_text(f, x);
	int failed = 0;

	if (text)
		failed = output_write(o->outputs[OUTPUT_TEXT], text, strlen(text), e);
	else
		failed = error_add(e, STATUS_FAILED, NOWHERE,
			"no placement of '%s' is predicted with all its operations", f->args);
	free(text);
	return failed;
}

static int write_all(const struct options *o, const struct forecast *f, struct errors *e)
{
	struct output outputs[MAX_OUTPUTS];
	char *texts[MAX_OUTPUTS];
	size_t count = 0;
	int failed = 0;

	for (int i = 0; output_formats[i].write; i++) {
		if (!o->outputs[i] || !predict_writes(o->action, i))
			continue;
		char *text = writer_of(i)(f);

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

static void warn(const struct forecast *f, struct errors *e)
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

static int tell(const struct options *o, const struct forecast *f, const struct experiment *x,
	size_t predicted, struct errors *e)
{
	const char *why = first_refusal(f);

	if (!predicted) {
		error_add(e, STATUS_FAILED, NOWHERE, "nothing of '%s' can be predicted: %s",
			f->args, why ? why : "no run can be placed here");
		return error_hint(e, "add results to '%s' that have it, or measure: affinity %s",
			o->profile, o->args);
	}
	if (why && o->action == ACTION_PREDICT) {
		error_warn(e, "some operations are not predicted: %s", why);
		error_hint(e, "the report has the reason of each");
	}
	warn(f, e);
	return o->action == ACTION_ADVISE ? write_advice(o, f, x, e) : write_all(o, f, e);
}

int predict_experiment(const struct options *o, const struct experiment *x, struct errors *e)
{
	struct lesson lesson;
	struct forecast forecast;
	int failed = lesson_read(
		&lesson, o->profile, x->topo, experiment_request(x)->confidence, o->force, e);

	if (!failed) {
		const size_t predicted = forecast_make(&forecast, &lesson, x);

		failed = tell(o, &forecast, x, predicted, e);
		forecast_free(&forecast);
	}
	lesson_free(&lesson);
	return failed;
}
