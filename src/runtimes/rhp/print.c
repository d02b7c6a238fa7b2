/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts for people. */
#include "rhp/rhp.h"

#include <inttypes.h>
#include <string.h>

#define MIB (1024.0 * 1024.0)

static void print_node_bytes(const uint64_t *bytes, FILE *out)
{
	for (int node = 0; node < RHP_NODES; node++)
		if (bytes[node])
			fprintf(out, "node %d %.1f MiB, ", node, (double)bytes[node] / MIB);
}

/* The numbers are the kernel's: some are younger than headers. */
static const char *policy_name(int mode)
{
	static const char *const names[] = {"default", "preferred", "bind", "interleave", "local",
		"preferred-many", "weighted-interleave"};
	const int known = sizeof(names) / sizeof(*names);

	return mode >= 0 && mode < known ? names[mode] : "unknown";
}

static void faults(const struct rhp_counts *c, const char *before, FILE *out)
{
	if (c->own_policy)
		fprintf(out,
			"%sthe program's own memory policy (%s) was kept: no node was chosen\n",
			before, policy_name(c->own_policy));
	if (c->thp_off)
		fprintf(out,
			"%stransparent huge pages are off (%s): nothing was sent to another node\n",
			before,
			c->thp_off == 1 ? "/sys/kernel/mm/transparent_hugepage/enabled"
					: "prctl of this process");
	if (c->buddyinfo_error)
		fprintf(out, "%s/proc/buddyinfo could not be read (%s): no node was chosen\n",
			before, strerror(c->buddyinfo_error));
	if (c->distance_error)
		fprintf(out,
			"%sdistances of nodes could not be read (%s): taken by their numbers\n",
			before, strerror(c->distance_error));
	if (c->refused_error)
		fprintf(out, "%sthe kernel refused to bind %.1f MiB (%s)\n", before,
			(double)c->refused / MIB, strerror(c->refused_error));
	if (c->advice_error)
		fprintf(out, "%sthe kernel refused advice on huge pages (%s)\n", before,
			strerror(c->advice_error));
}

static void found(const struct rhp_pages *p, const char *before, FILE *out)
{
	uint64_t written = p->unknown, sized;

	for (int node = 0; node < RHP_NODES; node++)
		written += p->on_node[node];
	sized = written > p->huge_unknown ? written - p->huge_unknown : 0;
	fprintf(out, "%sfound: ", before);
	print_node_bytes(p->on_node, out);
	if (p->unknown)
		fprintf(out, "unknown %.1f MiB, ", (double)p->unknown / MIB);
	fprintf(out, "never written %.1f MiB", (double)p->absent / MIB);
	if (sized)
		fprintf(out, "; in huge pages %.1f %% of what was written",
			100.0 * (double)p->huge / (double)sized);
	if (p->huge_unknown)
		fprintf(out, "; size of pages unknown of %.1f MiB", (double)p->huge_unknown / MIB);
	fputc('\n', out);
}

void rhp_print(const struct rhp_counts *counts, const char *before, FILE *out)
{
	fprintf(out, "%spromised: ", before);
	print_node_bytes(counts->promised, out);
	fprintf(out, "rest %.1f MiB\n", (double)counts->rest / MIB);
	found(&counts->found, before, out);
	faults(counts, before, out);
}
