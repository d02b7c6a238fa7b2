/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares the facts that identify a machine. */
#include "document/machine.h"

#include <string.h>

int document_check_machine(const struct topo *t, const struct environment *here,
	const struct document *d, struct errors *e)
{
	static const char *const names[] = {
		"topology", "caches", "host", "architecture", "cpu_model"};
	int known = t->this_system ? 5 : 2, failed = 0;

	for (size_t i = 0; i < here->count; i++)
		for (int k = 0; k < known; k++) {
			const char *name = here->facts[i].name, *value = here->facts[i].value;

			if (strcmp(name, names[k]) || !strcmp(value, document_fact(d, name)))
				continue;
			failed = error_add(e, STATUS_USAGE, (struct place){d->path, 0},
				"was measured on another machine: %s was %s, is %s", name,
				document_fact(d, name), value);
			error_hint(e, "HWLOC_XMLFILE=FILE gives the topology of the machine that "
				      "was measured (lstopo-no-graphics FILE.xml there)");
		}
	return failed;
}
