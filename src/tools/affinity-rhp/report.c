/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the records that the preloaded libraries wrote. */
#include "affinity-rhp/report.h"

#include <inttypes.h>

#include "base/text.h"
#include "system/program.h"

int report_records(const struct rhp_share *s)
{
	int n = s->records;

	return n < RHP_SHARE_RECORDS ? n : RHP_SHARE_RECORDS;
}

/* What was found when blocks were released, and at the end. */
static void add_pages(struct rhp_pages *sum, const struct rhp_pages *more)
{
	for (int node = 0; node < RHP_NODES; node++)
		sum->on_node[node] += more->on_node[node];
	sum->absent += more->absent;
	sum->unknown += more->unknown;
	sum->huge += more->huge;
	sum->huge_unknown += more->huge_unknown;
}

bool report_found(const struct rhp_share *s, struct rhp_pages *sum)
{
	bool all = s->records <= RHP_SHARE_RECORDS;

	for (int i = 0; i < report_records(s); i++) {
		add_pages(sum, &s->record[i].counts.found);
		add_pages(sum, &s->record[i].last);
		all &= s->record[i].ended != 0;
	}
	return all;
}

static void report_program(const struct rhp_record *r, FILE *out)
{
	struct rhp_counts counts = r->counts;
	char size[32];

	fprintf(out, "%s (process %d): %" PRIu64 " large block%s, %s\n", r->name, r->process,
		counts.allocations, counts.allocations == 1 ? "" : "s",
		text_size(counts.bytes, size, sizeof(size)));
	if (r->ended)
		add_pages(&counts.found, &r->last);
	rhp_print(&counts, "  ", out);
	if (!r->ended)
		fprintf(out, "  it was killed: the place of its last blocks is unknown\n");
	if (r->skipped)
		fprintf(out,
			"  large mappings left alone (at a fixed address, only reserved, "
			"shared, grown, ...): %llu\n",
			r->skipped);
}

void report_programs(const struct rhp_share *s, FILE *out)
{
	int placed = 0;
	char size[32];

	for (int i = 0; i < report_records(s); i++) {
		const struct rhp_record *r = &s->record[i];

		if (!r->counts.bytes && !r->skipped)
			continue;
		report_program(r, out);
		placed++;
	}
	if (!placed)
		fprintf(out, "no allocation reached %s (--from), so nothing was placed\n",
			text_size(s->from_bytes, size, sizeof(size)));
}

static void warn_of_deaf(
	const struct rhp_share *s, const char *name, const char *path, struct errors *e)
{
	char why[512];
	int loaded = s->loaded, lost = s->execs - (loaded ? loaded : 1);

	if (program_deaf(path, why, sizeof(why)))
		error_warn(e, "'%s' is %s: no library can be preloaded into it", name, why);
	else if (!loaded)
		error_warn(e, "'%s' did not load the library; its memory is as without it", name);
	if (lost <= 0)
		return;
	error_warn(e, "'%s' executed %d program%s that did not load the library", name, lost,
		lost == 1 ? "" : "s");
	error_hint(e, "their memory is as without it: static and setuid programs, and "
		      "environments without LD_PRELOAD (env -i)");
}

void report_warnings(
	const struct rhp_share *s, const char *name, const char *path, struct errors *e)
{
	warn_of_deaf(s, name, path, e);
	for (int i = 0; i < report_records(s); i++) {
		if (!s->record[i].own_malloc)
			continue;
		error_warn(e, "'%s' has an allocator of its own", s->record[i].name);
		error_hint(e, "only what it maps itself with mmap() can be placed");
	}
	if (s->records > RHP_SHARE_RECORDS)
		error_warn(e,
			"%d further program%s asked for large blocks; what they got is not "
			"known",
			s->records - RHP_SHARE_RECORDS,
			text_s((unsigned long long)(s->records - RHP_SHARE_RECORDS)));
}
