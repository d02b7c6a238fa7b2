/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares the facts that identify a machine.
 *
 * What results show of the machine. machine.c says whether it is this one; caches.c finds caches in
 * a staircase, translations.c the reach of a TLB, node_figures.c latencies and bandwidths between
 * nodes, of which memattrs.c makes a file for hwloc.
 */
#include "machine/machine.h"

#include <string.h>

#include "document/arguments.h"

const char *const document_machine_facts[DOCUMENT_MACHINE_FACTS] = {
	"topology", "caches", "host", "architecture", "cpu_model"};

#define CACHES "caches"

bool document_says_caches(const struct document *d)
{
	struct args args = {0};
	struct errors none = {0}; /* a bad line was told when it was measured */
	bool says = false;

	document_arguments(&args, d, &none);
	for (size_t i = 0; i < args.count; i++)
		says |= !strcmp(args.entries[i].key, CACHES);
	args_free(&args);
	errors_free(&none);
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
