/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the documents have in common, and the state of the machine. */
#include "describe/describe.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/version.h"
#include "document/facts.h"
#include "document/value.h"

json_t *describe_begin(const char *what)
{
	return json_pack("{s:i, s:s, s:s}", "schema", 1, "program", what, "affinity_version",
		AFFINITY_VERSION);
}

char *describe_text(json_t *document)
{
	struct buffer text;
	FILE *out = buffer_open(&text);
	int failed = value_write(document, out);

	buffer_close(&text, out);
	if (!failed)
		return text.data;
	free(text.data);
	return NULL;
}

/* With the fact that each is about. */
static json_t *states(const struct environment *env, const struct errors *found)
{
	json_t *list = json_array();

	for (size_t i = 0; i < found->count; i++) {
		const struct message *m = &found->list[i];

		json_array_append_new(
			list, json_pack("{s:s?, s:o, s:s, s:s?}", "fact", m->about, "value",
				      m->about ? value_string(environment_get(env, m->about))
					       : json_null(),
				      "text", m->text, "remedy", m->hint));
	}
	return list;
}

char *describe_state(
	const struct environment *env, const struct errors *spoils, const struct errors *accepted)
{
	json_t *o = describe_begin("affinity --check");

	json_object_set_new(o, "facts", facts_json(env));
	json_object_set_new(o, "spoils", states(env, spoils));
	json_object_set_new(o, "accepted", states(env, accepted));
	return describe_text(o);
}
