/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * affinity-fleet: which nodes of a cluster are slow.
 *
 * intake.c reads the documents, hosts.c puts those of a node together, group.c and layout.c put
 * like nodes together and choose what they are judged by, verdicts.c judges (fleet/fleet.h),
 * report.c and page.c tell people, json.c and table.c other programs.
 */
#include <signal.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/ending.h"
#include "base/output.h"
#include "base/version.h"
#include "programs/affinity-fleet/documents.h"
#include "programs/affinity-fleet/options.h"
#include "programs/affinity-fleet/report.h"

/* Does a document go to standard output? Text beside it would spoil it. */
static bool is_quiet(const struct fleet_options *o)
{
	for (size_t i = 0; i < FLEET_OUTPUTS; i++)
		if (o->outputs[i] && output_same(o->outputs[i], "-"))
			return true;
	return false;
}

/* The text, or names of suspects. */
static void tell(const struct fleet_options *o, const struct findings *f)
{
	if (is_quiet(o))
		return;
	if (o->action == FLEET_REPORT)
		fleet_report_head(f->in, stdout);
	for (size_t i = 0; i < f->count; i++) {
		if (o->action == FLEET_SUSPECTS)
			fleet_report_suspects(&f->verdicts[i], f->in, stdout);
		else
			fleet_report_group(&f->groups[i], &f->verdicts[i], f->in, f->hosts, stdout);
	}
	if (o->action == FLEET_REPORT)
		fleet_report_refused(f->in, f->hosts, stdout);
}

/* All files that were asked for, or none. */
static void write_files(const struct fleet_options *o, const struct findings *f, struct errors *e)
{
	static void (*const write[FLEET_OUTPUTS])(const struct findings *, FILE *) = {
		[FLEET_JSON] = documents_json,
		[FLEET_CSV] = documents_csv,
		[FLEET_PAGE] = documents_page,
		[FLEET_METRICS] = documents_metrics,
	};
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

static size_t slow_nodes(const struct findings *f)
{
	size_t slow = 0;

	for (size_t i = 0; i < f->count; i++)
		slow += f->verdicts[i].counts[VERDICT_SLOW];
	return slow;
}

static int compare(const struct fleet_options *o, struct intake *in, struct errors *e)
{
	struct host *hosts = hosts_of(in, e);
	size_t count = 0;
	struct group *groups = groups_of(in, hosts, &count);
	struct verdicts *verdicts = alloc_zeroed(count + 1, sizeof(*verdicts));
	const struct findings f = {in, hosts, groups, verdicts, count, o->tolerance, e};

	for (size_t i = 0; i < count; i++)
		verdicts[i] = verdicts_of(&groups[i], in, hosts, o->tolerance);
	tell(o, &f);
	if (count) {
		write_files(o, &f, e);
	} else {
		error_add(e, STATUS_USAGE, NOWHERE, "no %d nodes can be compared", GROUP_LEAST);
		error_hint(e, "measure the same files on all nodes, with one build; the report's "
			      "last part says what each lacks");
	}
	const size_t slow = slow_nodes(&f);

	for (size_t i = 0; i < count; i++)
		verdicts_free(&verdicts[i]);
	free(verdicts);
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
		failed |= intake_read(&in, o->paths.word[i], false, e);
	for (size_t i = 0; i < o->fresh.count; i++)
		failed |= intake_read(&in, o->fresh.word[i], true, e);
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
			printf("affinity-fleet %s\n", AFFINITY_VERSION);
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
