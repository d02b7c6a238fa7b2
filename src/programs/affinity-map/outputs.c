/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes the files of a result in memory and writes them together. */
#include "programs/affinity-map/outputs.h"

#include <stdlib.h>

#include "base/output.h"

/* The data of *made are to be freed. 0, or -1 with a message. */
static int make(const char *path, map_writer *write, const void *arg, char **data,
	struct output *made, struct errors *e)
{
	FILE *out = open_memstream(data, &made->size);
	int failed = !out || write(arg, out);

	if (out && fclose(out))
		failed = 1;
	made->path = path;
	made->data = *data;
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
	char *data[2] = {0};
	struct output made[2];
	size_t count = 0;
	int failed = 0;

	if (o->json)
		failed |= make(o->json, json, arg, &data[0], &made[count++], e);
	if (o->out)
		failed |= make(o->out, text, arg, &data[1], &made[count++], e);
	else
		text(arg, stderr);
	if (!failed)
		failed = output_write_all(made, count, e);
	free(data[0]);
	free(data[1]);
	return failed;
}
