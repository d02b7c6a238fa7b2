/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes what is told as JSON. */
#include "programs/affinity/telling.h"

#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "programs/affinity/outputs.h"

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
