/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Learns a profile and predicts with it. */
#include "programs/affinity/predict.h"

#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "programs/affinity/outputs.h"
#include "prediction/forecast.h"

/* By row of output_formats. */
static char *(*const writers[])(const struct forecast *) = {
	[OUTPUT_TEXT] = forecast_text, [OUTPUT_JSON] = forecast_json, [OUTPUT_CSV] = forecast_csv};

#define WRITERS (sizeof(writers) / sizeof(*writers))

static int write_all(const struct options *o, const struct forecast *f, struct errors *e)
{
	struct output outputs[WRITERS];
	char *texts[WRITERS] = {NULL};
	size_t count = 0;
	int failed = 0;

	for (size_t i = 0; i < WRITERS; i++) {
		if (!o->outputs[i])
			continue;
		texts[i] = writers[i](f);
		if (!texts[i])
			failed = error_add(e, STATUS_FAILED, NOWHERE,
				"out of memory while writing '%s'", o->outputs[i]);
		else
			outputs[count++] =
				(struct output){o->outputs[i], texts[i], strlen(texts[i])};
	}
	if (!failed)
		failed = output_write_all(outputs, count, e);
	for (size_t i = 0; i < WRITERS; i++)
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

static int tell(
	const struct options *o, const struct forecast *f, size_t predicted, struct errors *e)
{
	const char *why = first_refusal(f);
	char mark[FORECAST_MARK];

	if (!predicted) {
		error_add(e, STATUS_FAILED, NOWHERE, "nothing of '%s' can be predicted: %s",
			f->args, why ? why : "no run can be placed here");
		return error_hint(e, "add results to '%s' that have it, or measure: affinity %s",
			o->profile, o->args);
	}
	if (why) {
		error_warn(e, "some operations are not predicted: %s", why);
		error_hint(e, "the report has the reason of each");
	}
	forecast_mark(f, mark);
	if (*mark)
		error_warn(e, "the profile is %s; every output says so", mark);
	return write_all(o, f, e);
}

int predict_experiment(const struct options *o, const struct experiment *x, struct errors *e)
{
	struct lesson lesson;
	struct forecast forecast;
	int failed = lesson_read(
		&lesson, o->profile, x->topo, experiment_request(x)->confidence, o->force, e);

	if (!failed) {
		const size_t predicted = forecast_make(&forecast, &lesson, x);

		failed = tell(o, &forecast, predicted, e);
		forecast_free(&forecast);
	}
	lesson_free(&lesson);
	return failed;
}
