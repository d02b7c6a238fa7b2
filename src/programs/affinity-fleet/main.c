/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * affinity-fleet: which nodes of a cluster are slow.
 *
 * intake.c reads the documents, hosts.c puts those of a node together, group.c and layout.c put
 * like nodes together and choose what they are judged by, verdicts.c judges (fleet/fleet.h), held.c
 * what costs do not show, report.c and page.c tell people, json.c and
 * table.c other programs. changes.c puts results on dates, or before and after, and judges changes
 * (fleet/shift.h); changes_*.c tell of them.
 */
#include <signal.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/ending.h"
#include "base/output.h"
#include "base/name.h"
#include "base/version.h"
#include "fleet/kinds.h"
#include "programs/affinity-fleet/changes_documents.h"
#include "programs/affinity-fleet/options.h"
#include "programs/affinity-fleet/report.h"

const char PROGRAM_NAME[] = "affinity-fleet";

/* Does a document go to standard output? Text beside it would spoil it. */
static bool is_quiet(const struct fleet_options *o)
{
	for (size_t i = 0; i < FLEET_OUTPUTS; i++)
		if (o->outputs[i] && output_same(o->outputs[i], "-"))
			return true;
	return false;
}

static bool is_of_changes(const struct fleet_options *o)
{
	return o->before.count || o->days > 0;
}

/* The text, or names of suspects. */
static void print(const struct fleet_options *o, const struct findings *f, FILE *out)
{
	if (f->changes) {
		changes_report(f, out);
		return;
	}
	if (o->action == FLEET_REPORT)
		fleet_report_head(f->in, out);
	for (size_t i = 0; i < f->count; i++) {
		if (o->action == FLEET_SUSPECTS)
			fleet_report_suspects(&f->verdicts[i], f->in, out);
		else
			fleet_report_group(
				&f->groups[i], &f->verdicts[i], f->in, f->hosts, f->tolerance, out);
	}
	if (o->action == FLEET_REPORT)
		fleet_report_refused(f->in, f->hosts, out);
}

/* Names of files are others', too. */
static void tell(const struct fleet_options *o, const struct findings *f)
{
	struct buffer text;

	if (is_quiet(o))
		return;
	FILE *out = buffer_open(&text);
	print(o, f, out);
	buffer_show(&text, out, stdout);
}

/* All files that were asked for, or none. */
static void write_files(const struct fleet_options *o, const struct findings *f, struct errors *e)
{
	static void (*const write[2][FLEET_OUTPUTS])(const struct findings *, FILE *) = {
		{documents_json, documents_csv, documents_page, documents_metrics},
		{changes_json, changes_csv, changes_page, NULL},
	};
	struct buffer texts[FLEET_OUTPUTS];
	struct output asked[FLEET_OUTPUTS];
	size_t n = 0;

	for (size_t i = 0; i < FLEET_OUTPUTS; i++) {
		if (!o->outputs[i])
			continue;
		FILE *out = buffer_open(&texts[n]);

		write[f->changes != NULL][i](f, out);
		buffer_close(&texts[n], out);
		asked[n] = (struct output){o->outputs[i], texts[n].data, texts[n].size};
		n++;
	}
	output_write_all(asked, n, e);
	for (size_t i = 0; i < n; i++)
		free(texts[i].data);
}

static struct kinds kinds_in(const struct group *g, const struct verdicts *v, size_t resource)
{
	const size_t width = 1 + g->layout.resources;
	double *all = alloc_zeroed(g->nhosts, sizeof(*all));

	for (size_t i = 0; i < g->nhosts; i++)
		all[i] = v->effects[i * width + 1 + resource];
	const struct kinds k = kinds_of(all, g->nhosts);

	free(all);
	return k;
}

/* Nodes that their facts call alike may seem to be of two kinds (fleet/kinds.h): a warning for the
 * resource that shows it most, where the kinds differ by FLEET_FLOOR at least. */
static void guess_kinds(
	const struct group *g, const struct verdicts *v, const struct intake *in, struct errors *e)
{
	struct kinds most = {.two = false};
	size_t resource = 0;

	for (size_t r = 0; r < g->layout.resources; r++) {
		const struct kinds k = kinds_in(g, v, r);

		if (k.two && k.gap >= FLEET_FLOOR && k.ratio > most.ratio) {
			most = k;
			resource = r;
		}
	}
	if (!most.two)
		return;
	char *name = verdicts_set_name(g, in, 1 + resource);

	error_warn(e,
		"%zu of %zu like nodes may be of another kind: %s costs them %.1f %% more than the "
		"others",
		most.above, g->nhosts, name, most.gap);
	error_hint(e, "if they are other machines, compare them apart, in folders of their own; "
		      "they are judged together as long as their facts are equal");
	free(name);
}

/* How many nodes are slow. */
static size_t judge(const struct fleet_options *o, struct findings *f, struct errors *e)
{
	struct verdicts *verdicts = alloc_zeroed(f->count + 1, sizeof(*verdicts));
	size_t slow = 0;

	for (size_t i = 0; i < f->count; i++) {
		verdicts[i] = verdicts_of(&f->groups[i], f->in, f->hosts, o->tolerance);
		slow += verdicts[i].counts[VERDICT_SLOW];
		guess_kinds(&f->groups[i], &verdicts[i], f->in, e);
	}
	f->verdicts = verdicts;
	tell(o, f);
	if (f->count)
		write_files(o, f, e);
	for (size_t i = 0; i < f->count; i++)
		verdicts_free(&verdicts[i]);
	free(verdicts);
	return slow;
}

/* How many nodes became slower. */
static size_t judge_changes(const struct fleet_options *o, struct findings *f, struct errors *e)
{
	struct changes *changes = alloc_zeroed(f->count + 1, sizeof(*changes));
	size_t slower = 0, judged = 0;

	for (size_t i = 0; i < f->count; i++) {
		changes[i] = changes_of(&f->groups[i], f->in, f->hosts, o->days, o->tolerance);
		judged += !changes[i].refused;
		slower += changes[i].slower;
	}
	f->changes = changes;
	f->days = o->days;
	tell(o, f);
	if (judged) {
		write_files(o, f, e);
	} else if (f->count) {
		error_add(e, STATUS_USAGE, NOWHERE, "nothing is known of changes: %s",
			changes[0].refused);
		error_hint(e, "affinity-fleet --help says what --before and --drift take");
	}
	for (size_t i = 0; i < f->count; i++)
		changes_free(&changes[i]);
	free(changes);
	return slower;
}

static int compare(const struct fleet_options *o, struct intake *in, struct errors *e)
{
	struct host *hosts = hosts_of(in, is_of_changes(o), e);
	size_t count = 0;
	struct group *groups =
		groups_of(in, hosts, is_of_changes(o) ? FACTS_MACHINE : FACTS_ALIKE, &count);
	struct findings f = {.in = in,
		.hosts = hosts,
		.groups = groups,
		.count = count,
		.tolerance = o->tolerance,
		.warnings = e};
	const size_t slow = is_of_changes(o) ? judge_changes(o, &f, e) : judge(o, &f, e);

	if (!count) {
		error_add(e, STATUS_USAGE, NOWHERE, "no %d nodes can be compared", GROUP_LEAST);
		error_hint(e, "measure the same files on all nodes, with one build; the report's "
			      "last part says what each lacks");
	}
	groups_free(groups, count);
	hosts_free(hosts, in->hosts.count);
	return slow > 0 ? STATUS_FAILED : STATUS_OK;
}

static int check_outputs(const struct fleet_options *o, struct errors *e)
{
	int failed = 0;

	for (size_t i = 0; i < FLEET_OUTPUTS; i++)
		failed |= o->outputs[i] ? output_check(o->outputs[i], e) : 0;
	return failed;
}

static int run(const struct fleet_options *o, struct errors *e)
{
	struct intake in = {0};
	int failed = check_outputs(o, e), status = STATUS_OK;

	for (size_t i = 0; i < o->paths.count; i++)
		failed |= intake_read(&in, o->paths.word[i], ROLE_FIRST, e);
	for (size_t i = 0; i < o->fresh.count; i++)
		failed |= intake_read(&in, o->fresh.word[i], ROLE_FRESH, e);
	for (size_t i = 0; i < o->before.count; i++)
		failed |= intake_read(&in, o->before.word[i], ROLE_BEFORE, e);
	if (!failed)
		status = compare(o, &in, e);
	intake_free(&in);
	return status;
}

int main(int argc, char **argv)
{
	struct fleet_options options;
	struct errors errors = {0};
	int status = STATUS_OK;

	signal(SIGPIPE, SIG_IGN); /* ending_flush() tells */
	signal(SIGXFSZ, SIG_IGN); /* a write fails instead */
	if (!fleet_options_parse(&options, argv + (argc > 0), &errors)) {
		if (options.action == FLEET_HELP)
			fleet_options_usage(stdout);
		else if (options.action == FLEET_VERSION)
			printf("%s %s\n", PROGRAM_NAME, AFFINITY_VERSION);
		else
			status = run(&options, &errors);
	}
	fleet_options_free(&options);
	ending_flush(&errors);
	errors_print(&errors, 0, stderr);
	const int told = (int)errors_status(&errors);

	errors_free(&errors);
	return told ? told : status;
}
