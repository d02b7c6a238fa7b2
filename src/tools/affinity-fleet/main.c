/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * affinity-fleet: which nodes of a cluster are slow.
 *
 * intake.c reads the documents, hosts.c puts those of a node together, group.c and layout.c put
 * like nodes together and choose what they are judged by. verdicts.c judges them beside each other
 * (fleet.h), changes.c over dates, or before and after (shift.h), lost_time.c
 * what costs do not show. All fill in findings.h, which report.c and page.c write for people,
 * documents.c for programs.
 */
#include <signal.h>
#include <stdlib.h>

#include "base/terminal.h"
#include "base/alloc.h"
#include "base/buffer.h"
#include "base/ending.h"
#include "base/output.h"
#include "base/name.h"
#include "base/version.h"
#include "affinity-fleet/kinds.h"
#include "affinity-fleet/documents.h"
#include "affinity-fleet/options.h"

const char PROGRAM_NAME[] = "affinity-fleet";

/* Does a document go to standard output? Text beside it would spoil it. */
static bool is_quiet(const struct fleet_options *o)
{
	for (size_t i = 0; i < FLEET_OUTPUTS; i++)
		if (o->outputs[i] && output_same(o->outputs[i], "-"))
			return true;
	return false;
}

/* The text, or names of suspects. Names of files are others', too. */
static void print_findings(const struct fleet_options *o, const struct findings *f)
{
	struct buffer text;

	if (is_quiet(o))
		return;
	FILE *out = buffer_open(&text);

	if (o->action == FLEET_SUSPECTS)
		fleet_suspects(f, out);
	else
		fleet_report(f, out);
	buffer_show(&text, out, stdout);
}

/* All files that were asked for, or none. */
static void write_files(const struct fleet_options *o, const struct findings *f, struct errors *e)
{
	static void (*const write[FLEET_OUTPUTS])(const struct findings *, FILE *) = {
		documents_json, documents_csv, documents_page, documents_metrics};
	struct buffer texts[FLEET_OUTPUTS];
	struct output asked[FLEET_OUTPUTS];
	size_t n = 0;

	for (size_t i = 0; i < FLEET_OUTPUTS; i++) {
		if (!o->outputs[i])
			continue;
		FILE *out = buffer_open(&texts[n]);

		write[i](f, out);
		buffer_close(&texts[n], out);
		asked[n] = (struct output){o->outputs[i], texts[n].data, texts[n].size};
		n++;
	}
	output_write_all(asked, n, e);
	for (size_t i = 0; i < n; i++)
		free(texts[i].data);
}

/* Nodes that their facts call alike may seem to be of two kinds (fleet/kinds.h): a warning for the
 * resource that shows it most, where the kinds differ by FLEET_FLOOR at least. */
static void guess_kinds(const struct group *g, const struct judged *j, struct errors *e)
{
	const size_t width = g->layout.resources;
	double *all = alloc_zeroed(g->nhosts, sizeof(*all));
	struct kinds most = {.two = false};
	size_t resource = 0;

	for (size_t r = 0; r < width; r++) {
		for (size_t i = 0; i < g->nhosts; i++)
			all[i] = j->effects[i * width + r];
		const struct kinds k = kinds_of(all, g->nhosts);

		if (k.two && k.gap >= FLEET_FLOOR && k.ratio > most.ratio) {
			most = k;
			resource = r;
		}
	}
	free(all);
	if (!most.two)
		return;
	error_warn(e,
		"%zu of %zu like nodes may be of another kind: %s costs them %.1f %% more than the "
		"others",
		most.above, g->nhosts, j->resources[resource].name, most.gap);
	error_hint(e, "if they are other machines, compare them apart, in folders of their own; "
		      "they are judged together as long as their facts are equal");
}

/* What all judgements have in common. */
static void complete(const struct findings *f, size_t group, struct judged *j)
{
	const struct group *g = &f->groups[group];
	const size_t first = fleet_sets(&g->layout) - g->layout.figures;

	for (size_t i = 0; i < g->nhosts; i++) {
		struct node_finding *n = &j->nodes[i];

		n->host = g->hosts[i];
		n->node = f->in->hosts.list[n->host];
		n->group = group + 1;
		n->word = verdicts_words[n->kind];
		if (n->kind != VERDICT_UNKNOWN)
			n->set = findings_set_name(f, group, n->set_number);
		j->counts[n->kind]++;
	}
	for (size_t r = 0; r < g->layout.resources; r++)
		j->resources[r].name = findings_set_name(f, group, 1 + r);
	for (size_t k = 0; j->figures && k < g->layout.figures; k++)
		j->figures[k].name = findings_set_name(f, group, first + k);
	for (size_t i = FACTS_ALIKE; i < FACTS; i++)
		j->usual[i] = group_usual(g, f->in, f->hosts, i);
}

/* How many nodes are slow, or became slower. */
static size_t judge_nodes(const struct fleet_options *o, struct findings *f, struct errors *e)
{
	size_t slow = 0, judged = 0;

	for (size_t i = 0; i < f->count; i++) {
		struct judged *j = &f->judged[i];

		if (f->changes)
			changes_judge(f, i, j);
		else
			verdicts_judge(f, i, j);
		if (j->refused)
			continue;
		complete(f, i, j);
		judged++;
		slow += j->counts[f->changes ? VERDICT_SLOWER : VERDICT_SLOW];
		if (!f->changes)
			guess_kinds(&f->groups[i], j, e);
	}
	print_findings(o, f);
	if (judged) {
		write_files(o, f, e);
	} else if (f->count) {
		error_add(e, STATUS_USAGE, NOWHERE, "nothing is known of changes: %s",
			f->judged[0].refused);
		error_hint(e, "affinity-fleet --help says what --before and --drift take");
	}
	return slow;
}

static int compare_dates(const struct fleet_options *o, struct intake *in, struct errors *e)
{
	const bool changes = o->before.count || o->days > 0;
	struct host *hosts = hosts_of(in, changes, e);
	struct findings f = {.in = in,
		.hosts = hosts,
		.changes = changes,
		.days = o->days,
		.tolerance = o->tolerance,
		.warnings = e};
	struct group *groups =
		groups_of(in, hosts, changes ? FACTS_MACHINE : FACTS_ALIKE, &f.count);

	f.groups = groups;
	f.judged = alloc_zeroed(f.count + 1, sizeof(*f.judged));
	const size_t slow = judge_nodes(o, &f, e);

	if (!f.count) {
		error_add(e, STATUS_USAGE, NOWHERE, "no %d nodes can be compared", GROUP_LEAST);
		error_hint(e, "measure the same files on all nodes, with one build; the report's "
			      "last part says what each lacks");
	}
	for (size_t i = 0; i < f.count; i++)
		judged_free(&f.judged[i], &groups[i]);
	free(f.judged);
	groups_free(groups, f.count);
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

static int run_fleet(const struct fleet_options *o, struct errors *e)
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
		status = compare_dates(o, &in, e);
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
			terminal_show(fleet_options_usage);
		else if (options.action == FLEET_VERSION)
			printf("%s %s\n", PROGRAM_NAME, AFFINITY_VERSION);
		else
			status = run_fleet(&options, &errors);
	}
	fleet_options_free(&options);
	ending_flush(&errors);
	errors_print(&errors, 0, stderr);
	const int told = (int)errors_status(&errors);

	errors_free(&errors);
	return told ? told : status;
}
