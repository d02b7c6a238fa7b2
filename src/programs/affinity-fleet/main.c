/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * affinity-fleet: which nodes of a cluster are slow.
 *
 * intake.c reads the documents, hosts.c puts those of a node together, group.c and layout.c put
 * like nodes together and choose what they are judged by, verdicts.c judges (fleet/fleet.h),
 * report.c tells.
 */
#include <signal.h>

#include "base/ending.h"
#include "base/version.h"
#include "programs/affinity-fleet/options.h"
#include "programs/affinity-fleet/report.h"

/* Judges all groups; returns how many nodes are slow. */
static size_t judge(const struct fleet_options *o, const struct group *groups, size_t count,
	const struct intake *in, const struct host *hosts)
{
	size_t slow = 0;

	for (size_t i = 0; i < count; i++) {
		struct verdicts v = verdicts_of(&groups[i], in, hosts, o->tolerance);

		slow += v.counts[VERDICT_SLOW];
		if (o->action == FLEET_SUSPECTS)
			fleet_report_suspects(&v, in, stdout);
		else
			fleet_report_group(&groups[i], &v, in, hosts, stdout);
		verdicts_free(&v);
	}
	return slow;
}

static int compare(const struct fleet_options *o, struct intake *in, struct errors *e)
{
	struct host *hosts = hosts_of(in, e);
	size_t count = 0, slow;
	struct group *groups = groups_of(in, hosts, &count);

	if (o->action == FLEET_REPORT)
		fleet_report_head(in, stdout);
	slow = judge(o, groups, count, in, hosts);
	if (o->action == FLEET_REPORT)
		fleet_report_refused(in, hosts, stdout);
	if (!count) {
		error_add(e, STATUS_USAGE, NOWHERE, "no %d nodes can be compared", GROUP_LEAST);
		error_hint(e, "measure the same files on all nodes, with one build; the report's "
			      "last part says what each lacks");
	}
	groups_free(groups, count);
	hosts_free(hosts, in->hosts.count);
	return slow > 0 ? STATUS_FAILED : STATUS_OK;
}

static int run(const struct fleet_options *o, struct errors *e)
{
	struct intake in = {0};
	int failed = 0, status = STATUS_OK;

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
