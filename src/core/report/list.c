/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The function map as text: by groups, or the kernels of patterns. */
#include <string.h>

#include "base/text.h"
#include "input/registry.h"
#include "report/report.h"

static void print_aliases(const struct kernel *kernel, FILE *out)
{
	const char *before = "   also: ";

	for (const struct kernel_id *k = kernel_map; k->id; k++)
		if (k->kernel == kernel && registry_is_alias(k)) {
			fprintf(out, "%s%s", before, k->id);
			before = ", ";
		}
}

/* Only what a user should know before measuring. */
static void print_obstacles(const struct kernel *kernel, FILE *out)
{
	const struct loop_verdict *v = registry_loop(kernel, NULL);
	const char *lacks = registry_lacks(kernel);

	if (v->state == LOOP_ANOTHER)
		fprintf(out, "; built with another loop: %s: %s", v->loop, v->what);
	else if (v->state == LOOP_NOT_CHECKED && !lacks)
		fprintf(out, "; loop not checked");
	if (lacks)
		fprintf(out, "; not here: %s", lacks);
}

static void print_kernel(const struct kernel_id *k, const char *indent, FILE *out)
{
	fprintf(out, "%s%-*s %s", indent, 25 - (int)strlen(indent), k->id, k->kernel->summary);
	print_obstacles(k->kernel, out);
	print_aliases(k->kernel, out);
	fprintf(out, "\n");
}

static bool is_first(const struct kernel_id *k, const struct kernel_family *f)
{
	while (k-- != kernel_map)
		if (registry_family(k->id) == f)
			return false;
	return true;
}

static void print_family(const struct kernel_family *f, FILE *out)
{
	int kernels = 0, lacking = 0;

	for (const struct kernel_id *k = kernel_map; k->id; k++)
		if (!registry_is_alias(k) && registry_family(k->id) == f) {
			kernels++;
			lacking += registry_lacks(k->kernel) != NULL;
		}
	fprintf(out, "  %-23s %s (%d kernel%s", f->pattern, f->summary, kernels,
		kernels == 1 ? "" : "s");
	if (lacking)
		fprintf(out, ", %d of them not here", lacking);
	fprintf(out, ")\n");
}

static void print_groups(FILE *out)
{
	const struct kernel_group *group = NULL;

	for (const struct kernel_id *k = kernel_map; k->id; k++) {
		const struct kernel_family *family = registry_family(k->id);

		if (registry_is_alias(k))
			continue;
		if (registry_group(k) != group) {
			fprintf(out, "%s%s\n", group ? "\n" : "", registry_group(k)->title);
			group = registry_group(k);
		}
		if (!family)
			print_kernel(k, "  ", out);
		else if (is_first(k, family))
			print_family(family, out);
	}
	fprintf(out,
		"\nThe kernels of a family: affinity --list '%s'; all: affinity --list '*'; "
		"one: affinity --help load\n",
		kernel_families[0].pattern);
}

void report_kernels(const struct words *patterns, FILE *out)
{
	if (!patterns->count) {
		print_groups(out);
		return;
	}
	for (const struct kernel_id *k = kernel_map; k->id; k++)
		if (!registry_is_alias(k) && registry_listed(k->kernel, patterns))
			print_kernel(k, "", out);
}
