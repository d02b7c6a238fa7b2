/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads affinity-frag's command line from one table. */
#include "affinity-frag/options.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/linux.h"
#include "base/options.h"
#include "base/text.h"

static void take_leave(void *to, const struct option *row, const char *value, struct errors *e)
{
	struct frag_options *o = to;

	if (!strcmp(value, "0") || !text_bytes(value, &o->leave_bytes))
		return;
	error_add(e, STATUS_USAGE, NOWHERE, "%s: '%s' is not a size", row->name, value);
	error_hint(e, "0, or a number and a unit, such as 512MiB or 4G");
}

static void take_ranges(void *to, const struct option *row, const char *value, struct errors *e)
{
	struct frag_options *o = to;

	if (!text_count(value, &o->ranges) && o->ranges)
		return;
	error_add(e, STATUS_USAGE, NOWHERE, "%s: '%s' is not a number of ranges", row->name, value);
	error_hint(e, "1 or more");
}

/* A command of affinity-frag must not keep it open. */
static void take_amounts(void *to, const struct option *row, const char *value, struct errors *e)
{
	struct frag_options *o = to;
	uint64_t fd;

	if (!text_count(value, &fd) && fd <= INT_MAX && !fcntl((int)fd, F_SETFD, FD_CLOEXEC)) {
		o->amounts = (int)fd;
		return;
	}
	error_add(e, STATUS_USAGE, NOWHERE, "%s: '%s' is not an open file descriptor", row->name,
		value);
	error_hint(e, "affinity-frag --leave 4G --amounts 3 3>amounts");
}

static void take_node(void *to, const struct option *row, const char *value, struct errors *e)
{
	struct frag_options *o = to;
	uint64_t node;

	if (!text_count(value, &node) && node < LINUX_NODES) {
		o->node = (int)node;
		return;
	}
	error_add(
		e, STATUS_USAGE, NOWHERE, "%s: '%s' is not the number of a node", row->name, value);
	error_hint(e, "affinity --topology lists the nodes");
}

static const struct option table[] = {
	{"--leave", "SIZE", "what stays free in blocks of 2 MiB and more: 0, 512MiB, 4G",
		.take = take_leave},
	{"--ranges", "K", "in at most K physical ranges (root: chosen; others: if it is K blocks)",
		.take = take_ranges},
	{"--node", "N", "the node (default: the only one)", .take = take_node},
	{"--amounts", "FD", "what is left, in bytes, to file descriptor FD, for a program",
		.take = take_amounts},
	{"--undo", NULL, "drive free blocks together, as after an affinity-frag that was killed",
		.action = FRAG_UNDO},
	{"--help", NULL, "this", .action = FRAG_HELP},
	{"--version", NULL, "version", .action = FRAG_VERSION},
	{0},
};

void frag_options_usage(FILE *out)
{
	fprintf(out,
		"usage: affinity-frag --leave SIZE [--ranges K] [--node N] [-- COMMAND [ARG...]]\n"
		"       affinity-frag --undo [--node N]\n\n"
		"Breaks the free memory of a node, so that SIZE is left in blocks of 2 MiB and\n"
		"more (of a huge page, where that is larger), and holds it so until COMMAND\n"
		"ends; without COMMAND until a signal: SIGINT, SIGTERM, SIGHUP or SIGQUIT.\n\n");
	options_print(table, 14, out);
	fprintf(out, "\nexit status: that of COMMAND, 128 + N when signal N ended it; else\n"
		     "             0; 1 could not run, 2 bad arguments, 3 the node cannot be "
		     "broken so\n");
}

static void check_frag_options(const struct frag_options *o, bool leave, struct errors *e)
{
	if (o->action == FRAG_BREAK && !leave) {
		error_add(e, STATUS_USAGE, NOWHERE, "how much is to be left?");
		error_hint(e, "affinity-frag --leave SIZE [--node N] [-- COMMAND]");
	}
	if (o->action == FRAG_UNDO && leave)
		error_add(e, STATUS_USAGE, NOWHERE, "--undo and --leave exclude each other");
	if (o->action == FRAG_UNDO && o->ranges)
		error_add(e, STATUS_USAGE, NOWHERE, "--undo and --ranges exclude each other");
	if (o->action == FRAG_UNDO && o->argv[0])
		error_add(e, STATUS_USAGE, NOWHERE, "--undo takes no command");
}

int frag_options_parse(struct frag_options *o, char **words, struct errors *e)
{
	struct options_given given = {.rows = table, .action = FRAG_BREAK};
	const size_t before = e->failures;

	*o = (struct frag_options){.node = -1, .amounts = -1};
	o->argv = options_take(&given, words, o, e);
	o->action = (enum frag_action)given.action;
	if (e->failures == before)
		check_frag_options(o, options_has(&given, "--leave"), e);
	return e->failures == before ? 0 : -1;
}
