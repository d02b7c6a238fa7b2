/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads affinity-frag's command line from one table. */
#include "programs/affinity-frag/options.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/linux.h"
#include "base/options.h"
#include "base/text.h"

struct reading {
	struct frag_options *o;
	bool leave; /* --leave is there */
};

static void take_leave(void *to, const char *value, struct errors *e)
{
	struct reading *r = to;

	r->leave = true;
	if (!strcmp(value, "0") || !text_bytes(value, &r->o->leave_bytes))
		return;
	error_add(e, STATUS_USAGE, NOWHERE, "--leave: '%s' is not a size", value);
	error_hint(e, "0, or a number and a unit, such as 512MiB or 4G");
}

static void take_ranges(void *to, const char *value, struct errors *e)
{
	struct reading *r = to;

	if (!text_count(value, &r->o->ranges) && r->o->ranges)
		return;
	error_add(e, STATUS_USAGE, NOWHERE, "--ranges: '%s' is not a number of ranges", value);
	error_hint(e, "1 or more");
}

/* A command of affinity-frag must not keep it open. */
static void take_amounts(void *to, const char *value, struct errors *e)
{
	struct reading *r = to;
	uint64_t fd;

	if (!text_count(value, &fd) && fd <= INT_MAX && !fcntl((int)fd, F_SETFD, FD_CLOEXEC)) {
		r->o->amounts = (int)fd;
		return;
	}
	error_add(
		e, STATUS_USAGE, NOWHERE, "--amounts: '%s' is not an open file descriptor", value);
	error_hint(e, "affinity-frag --leave 4G --amounts 3 3>amounts");
}

static void take_node(void *to, const char *value, struct errors *e)
{
	struct reading *r = to;
	uint64_t node;

	if (!text_count(value, &node) && node < LINUX_NODES) {
		r->o->node = (int)node;
		return;
	}
	error_add(e, STATUS_USAGE, NOWHERE, "--node: '%s' is not the number of a node", value);
	error_hint(e, "affinity --topology lists the nodes");
}

static const struct option_row table[] = {
	{{"--leave", "SIZE", "what stays free in blocks of 2 MiB and more: 0, 512MiB, 4G"},
		take_leave, FRAG_BREAK},
	{{"--ranges", "K",
		 "in at most K physical ranges (root: chosen; others: if it is K blocks)"},
		take_ranges, FRAG_BREAK},
	{{"--node", "N", "the node (default: the only one)"}, take_node, FRAG_BREAK},
	{{"--amounts", "FD", "what is left, in bytes, to file descriptor FD, for a program"},
		take_amounts, FRAG_BREAK},
	{{"--undo", NULL, "drive free blocks together, as after an affinity-frag that was killed"},
		NULL, FRAG_UNDO},
	{{"--help", NULL, "this"}, NULL, FRAG_HELP},
	{{"--version", NULL, "version"}, NULL, FRAG_VERSION},
	{{0}, NULL, FRAG_BREAK},
};

void frag_options_usage(FILE *out)
{
	fprintf(out,
		"usage: affinity-frag --leave SIZE [--ranges K] [--node N] [-- COMMAND [ARG...]]\n"
		"       affinity-frag --undo [--node N]\n\n"
		"Breaks the free memory of a node, so that SIZE is left in blocks of 2 MiB and\n"
		"more (of a huge page, where that is larger), and holds it so until COMMAND\n"
		"ends; without COMMAND until a signal: SIGINT, SIGTERM, SIGHUP or SIGQUIT.\n\n");
	for (const struct option_row *o = table; o->head.name; o++)
		options_print(&o->head, 14, out);
	fprintf(out, "\nexit status: that of COMMAND, 128 + N when signal N ended it; else\n"
		     "             0; 1 could not run, 2 bad arguments, 3 the node cannot be "
		     "broken so\n");
}

static void check(const struct reading *r, struct errors *e)
{
	const struct frag_options *o = r->o;

	if (o->action == FRAG_BREAK && !r->leave) {
		error_add(e, STATUS_USAGE, NOWHERE, "how much is to be left?");
		error_hint(e, "affinity-frag --leave SIZE [--node N] [-- COMMAND]");
	}
	if (o->action == FRAG_UNDO && r->leave)
		error_add(e, STATUS_USAGE, NOWHERE, "--undo and --leave exclude each other");
	if (o->action == FRAG_UNDO && o->ranges)
		error_add(e, STATUS_USAGE, NOWHERE, "--undo and --ranges exclude each other");
	if (o->action == FRAG_UNDO && o->argv[0])
		error_add(e, STATUS_USAGE, NOWHERE, "--undo takes no command");
}

int frag_options_parse(struct frag_options *o, char **words, struct errors *e)
{
	static const struct option_table options = {table, sizeof(*table)};
	const size_t before = e->failures;
	struct reading r = {.o = o};
	int action = FRAG_BREAK;

	*o = (struct frag_options){.node = -1, .amounts = -1};
	o->argv = options_take(&options, words, &r, &action, e);
	o->action = (enum frag_action)action;
	if (e->failures == before)
		check(&r, e);
	return e->failures == before ? 0 : -1;
}
