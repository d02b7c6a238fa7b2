/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names files of results, and keeps them and what is read apart. */
#include "affinity/options.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/output.h"
#include "affinity/outputs.h"

void option_files_report(struct options *o, struct errors *e)
{
	if (o->output && o->out) {
		error_add(e, STATUS_USAGE, NOWHERE, "the text report cannot be both '%s' and '%s'",
			o->out, o->output);
		error_hint(e, "leave out '%s', or --output", o->out);
	}
	o->outputs[OUTPUT_TEXT] = o->output ? o->output : o->out ? o->out : "-";
}

void option_files_check(const struct options *o, struct errors *e)
{
	const bool exports = o->action == ACTION_EXPORT;
	const char *args = o->args && strcmp(o->args, "-") ? o->args : NULL;
	const char *files[MAX_OUTPUTS + 7] = {args, o->shown, o->matrix, o->bandwidths, o->profile,
		exports ? o->out : NULL, exports ? o->memattrs : NULL};
	const size_t count = sizeof(files) / sizeof(*files);

	memcpy(&files[count - MAX_OUTPUTS], o->outputs, sizeof(o->outputs));
	output_distinct(files, count, e);
}

bool option_files_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* FOLDER/NAME.SUFFIX for the argument file NAME.args or the results NAME.json; one that is shown is
 * an argument file there, too. To be freed. */
static char *name_in(const char *folder, const struct options *o, const char *suffix)
{
	static const char args[] = ".args", json[] = ".json";
	const char *of = o->shown ? o->shown : o->args, *slash = strrchr(of, '/');
	const char *name = !strcmp(of, "-") ? "stdin" : slash ? slash + 1 : of;
	size_t length = strlen(name);

	if (length >= sizeof(args) && !strcmp(name + length - strlen(args), args)) {
		length -= strlen(args);
		suffix = o->shown ? args : suffix;
	} else if (o->shown && length >= sizeof(json) &&
		   !strcmp(name + length - strlen(json), json)) {
		length -= strlen(json);
	}
	return alloc_format("%s%s%.*s%s", folder, folder[strlen(folder) - 1] == '/' ? "" : "/",
		(int)length, name, suffix);
}

static void name_all(struct options *o)
{
	for (int i = 0; i < MAX_OUTPUTS; i++) {
		if (!o->outputs[i] || !option_files_folder(o->outputs[i]))
			continue;
		o->named[i] = name_in(o->outputs[i], o, output_formats[i].suffix);
		o->outputs[i] = o->named[i];
	}
}

static void refuse_one(const struct options *o, int format, struct errors *e)
{
	const char *option = output_formats[format].option;

	if (format == OUTPUT_TEXT)
		option = o->output ? "--output" : "OUT";
	error_add(e, STATUS_USAGE, NOWHERE,
		"%s '%s' is no folder, but several argument files have results of their own: "
		"'%s' to '%s'",
		option, o->outputs[format], o->args, o->operands.word[o->files - 1]);
	error_hint(e, "name a folder that exists, such as results%s",
		format == OUTPUT_TEXT ? "; without OUT the reports go to standard output" : "");
}

void option_files_name(struct options *o, struct errors *e)
{
	if (o->files < 2) {
		name_all(o);
		option_files_check(o, e);
		return;
	}
	for (int i = 0; i < MAX_OUTPUTS; i++)
		if (o->outputs[i] && !option_files_folder(o->outputs[i]) &&
			!output_is_stream(o->outputs[i]))
			refuse_one(o, i, e);
}

void option_files_for(
	struct options *own, const struct options *o, const char *args, struct errors *e)
{
	*own = *o;
	own->args = args;
	name_all(own);
	option_files_check(own, e);
}

void option_files_free(struct options *o)
{
	for (int i = 0; i < MAX_OUTPUTS; i++)
		free(o->named[i]);
}
