/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the facts that identify a machine. */
#include "document/machine.h"

#include <string.h>

#include "base/text.h"

const char *const document_machine_facts[DOCUMENT_MACHINE_FACTS] = {
	"topology", "caches", "host", "architecture", "cpu_model"};

#define CACHES "caches"

bool document_says_caches(const struct document *d)
{
	const size_t length = strlen(CACHES);
	struct words lines = {0};
	bool says = false;

	words_split(&lines, d->arguments.text ? d->arguments.text : "", "\r\n");
	for (size_t i = 0; i < lines.count; i++) {
		const char *line = text_trim(lines.word[i]);

		says |= !strncmp(line, CACHES, length) && strchr(" \t:", line[length]);
	}
	words_free(&lines);
	for (size_t i = 0; i < d->arguments.set.count; i++)
		says |= !strncmp(d->arguments.set.list[i], CACHES "=", length + 1);
	return says;
}

int document_check_machine(const struct topo *t, const struct environment *here,
	const struct document *d, bool caches, struct errors *e)
{
	int known = t->this_system ? DOCUMENT_MACHINE_FACTS : 2, failed = 0;

	for (size_t i = 0; i < here->count; i++)
		for (int k = 0; k < known; k++) {
			const char *name = here->facts[i].name, *value = here->facts[i].value;

			if (strcmp(name, document_machine_facts[k]) ||
				(!caches && !strcmp(name, CACHES)) ||
				!strcmp(value, document_fact(d, name)))
				continue;
			failed = error_add(e, STATUS_USAGE, (struct place){d->path, 0},
				"was measured on another machine: %s was %s, is %s", name,
				document_fact(d, name), value);
			error_hint(e, "HWLOC_XMLFILE=FILE gives the topology of the machine that "
				      "was measured (lstopo-no-graphics FILE.xml there)");
		}
	return failed;
}
