/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creates, checks and writes the files of a run. */
#include "affinity/outputs.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/output.h"
#include "input/recognize.h"
#include "affinity/caches.h"
#include "report/plot.h"

const struct output_format output_formats[] = {
	{NULL, ".txt", NULL, report_text, NULL},
	{"--json", ".json",
		"machine-readable results beside OUT, or what --list, --topology, --plan, --check "
		"tell",
		NULL, document_write},
	{"--csv", ".csv", "one row for each thread of each sample", report_csv, NULL},
	{"--summary", ".summary.csv",
		"one row for each figure of each thread, with its interval (CSV)", report_summary,
		NULL},
	{"--mix", ".mix.csv", "the counted instruction mix of each thread, for profile (CSV)",
		report_mix, NULL},
	{0},
};

_Static_assert(sizeof(output_formats) / sizeof(*output_formats) <= MAX_OUTPUTS + 1,
	"struct options has no room for all formats");

int outputs_spare_args(const char *option, const char *path, struct errors *e)
{
	if (recognize_args(path) != 1)
		return 0;
	error_add(e, STATUS_USAGE, NOWHERE, "'%s' is an argument file, and %s would replace it",
		path, option);
	return error_hint(
		e, "give %s another name; scripts/ejec.sh measures several argument files", option);
}

/* What the user wrote to name the text report. */
static const char *report_name(const struct options *o)
{
	return o->output ? "--output" : "OUT";
}

int outputs_check(const struct options *o, struct errors *e)
{
	int failed = 0;

	for (int i = 0; output_formats[i].suffix; i++) {
		const char *path = o->outputs[i];

		if (!path)
			continue;
		if (outputs_spare_args(
			    i == OUTPUT_TEXT ? report_name(o) : output_formats[i].option, path, e))
			failed = -1;
		else
			failed |= output_check(path, e);
	}
	return failed;
}

int outputs_check_mix(const struct options *o, const struct experiment *x, struct errors *e)
{
	for (int i = 0; output_formats[i].suffix; i++)
		if (o->outputs[i] && output_formats[i].show == report_mix)
			return report_mix_check(x, e);
	return 0;
}

struct pictures {
	const struct options *options;
	const struct experiment *experiment;
	struct errors *errors;
	int failed;
};

/* Checks that no output is `path`: a file that the run reads, or a picture that it draws. */
static int is_no_output(
	const struct options *o, const char *what, const char *path, struct errors *e)
{
	int failed = 0;

	for (int i = 0; i < MAX_OUTPUTS; i++)
		if (o->outputs[i] && output_same(o->outputs[i], path))
			failed = error_add(e, STATUS_USAGE, NOWHERE,
				"'%s' and the %s '%s' are the same file", o->outputs[i], what,
				path);
	return failed;
}

static int is_no_input(
	const struct options *o, const struct experiment *x, const char *picture, struct errors *e)
{
	char *caches = caches_document(x->args);
	bool of_caches = caches && output_same(caches, picture);

	free(caches);
	if (of_caches)
		return error_add(e, STATUS_USAGE, NOWHERE,
			"the caches and the picture '%s' are the same file", picture);
	if (output_same(o->args, picture))
		return error_add(e, STATUS_USAGE, NOWHERE,
			"the arguments '%s' and the picture '%s' are the same file", o->args,
			picture);
	for (size_t i = 0; i < x->nruns; i++) {
		const struct run *r = &x->runs[i];
		char *profile = r->skipped ? NULL : plan_profile_path(&r->plan);
		bool same = profile && output_same(profile, picture);

		free(profile);
		if (same)
			return error_add(e, STATUS_USAGE, NOWHERE,
				"the profile and the picture '%s' are the same file", picture);
	}
	return 0;
}

static void check_picture(void *arg, const char *path)
{
	struct pictures *p = arg;
	int failed = is_no_output(p->options, "picture", path, p->errors);

	failed |= is_no_input(p->options, p->experiment, path, p->errors);
	if (failed)
		error_hint(p->errors, "pictures get their names from %s: choose another name",
			report_name(p->options));
	else
		failed = output_check(path, p->errors);
	p->failed |= failed;
}

int outputs_check_pictures(const struct options *o, const struct experiment *x,
	const struct views *v, struct errors *e)
{
	struct pictures p = {o, x, e, 0};
	char *caches = caches_document(x->args);

	if (caches)
		p.failed |= is_no_output(o, "caches", caches, e);
	free(caches);
	for (size_t i = 0; i < x->nruns; i++) {
		const struct run *r = &x->runs[i];
		char *profile = r->skipped ? NULL : plan_profile_path(&r->plan);

		if (profile)
			p.failed |= is_no_output(o, "profile", profile, e);
		free(profile);
	}
	plot_paths(x, v, o->outputs[OUTPUT_TEXT], check_picture, &p);
	return p.failed;
}

/* The text of one format, to be freed; NULL: out of memory. */
static char *make_text(const struct output_format *f, const struct document *d, size_t *size)
{
	struct buffer text;
	FILE *out = buffer_open(&text);
	int failed = 0;

	if (f->show)
		f->show(d, out);
	else
		failed = f->write(d, out);
	buffer_close(&text, out);
	*size = text.size;
	if (!failed)
		return text.data;
	free(text.data);
	return NULL;
}

int outputs_write(const struct options *o, const struct document *d, struct errors *e)
{
	struct output made[MAX_OUTPUTS];
	char *data[MAX_OUTPUTS] = {0};
	size_t count = 0, unmade = 0;

	for (int i = 0; i < MAX_OUTPUTS; i++) {
		struct output *x = &made[count];

		if (!o->outputs[i])
			continue;
		x->path = o->outputs[i];
		x->data = data[i] = make_text(&output_formats[i], d, &x->size);
		if (x->data)
			count++;
		else
			unmade++;
		if (!x->data)
			error_add(e, STATUS_FAILED, NOWHERE, "out of memory while writing '%s'",
				x->path);
	}
	int failed = unmade ? -1 : output_write_all(made, count, e);
	for (int i = 0; i < MAX_OUTPUTS; i++)
		free(data[i]);
	return failed;
}

/* ---- --json of what measures nothing: --list, --topology, --plan, --check */

bool telling_json(const struct options *o)
{
	return o->outputs[OUTPUT_JSON] != NULL;
}

bool telling_text(const struct options *o)
{
	return !telling_json(o) || !output_same(o->outputs[OUTPUT_JSON], "-");
}

int telling_check(const struct options *o, struct errors *e)
{
	const char *path = o->outputs[OUTPUT_JSON];

	if (!telling_json(o))
		return 0;
	return outputs_spare_args("--json", path, e) || output_check(path, e) ? -1 : 0;
}

void telling_write(const struct options *o, char *document, struct errors *e)
{
	if (document)
		output_write(o->outputs[OUTPUT_JSON], document, strlen(document), e);
	else
		error_add(e, STATUS_FAILED, NOWHERE, "out of memory while writing '%s'",
			o->outputs[OUTPUT_JSON]);
	free(document);
}
