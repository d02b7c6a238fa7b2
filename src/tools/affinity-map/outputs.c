/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the files of a result in memory and writes them together. */
#include "affinity-map/outputs.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/output.h"
#include "compare/compare.h"

static int make_output(const char *path, map_writer *write, const void *arg, struct buffer *text,
	struct output *made, struct errors *e)
{
	FILE *out = buffer_open(text);
	int failed = write(arg, out);

	buffer_close(text, out);
	*made = (struct output){path, text->data, text->size};
	return failed ? error_add(
				e, STATUS_FAILED, NOWHERE, "out of memory while writing '%s'", path)
		      : 0;
}

int map_outputs_check(const struct map_options *o, struct errors *e)
{
	int failed = o->json ? output_check(o->json, e) : 0;

	if (o->out)
		failed |= output_check(o->out, e);
	return failed;
}

int map_outputs_write(const struct map_options *o, map_writer *json, map_writer *text,
	const void *arg, struct errors *e)
{
	struct buffer made[2] = {0};
	struct output files[2];
	size_t count = 0;
	int failed = 0;

	if (o->json)
		failed |= make_output(o->json, json, arg, &made[0], &files[count++], e);
	if (o->out)
		failed |= make_output(o->out, text, arg, &made[1], &files[count++], e);
	else
		text(arg, stderr);
	if (!failed)
		failed = output_write_all(files, count, e);
	free(made[0].data);
	free(made[1].data);
	if (failed || !o->against)
		return failed;
	const struct comparison c = {
		.before = o->against, .after = o->json, .tolerance = o->tolerance};

	fputc('\n', stderr);
	return compare_files(&c, stderr, e);
}
