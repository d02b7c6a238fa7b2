/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads affinity-frag's command line from one table. */
#include "programs/affinity-frag/options.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/linux.h"
#include "base/text.h"

struct reading {
	struct frag_options *o;
	bool leave; /* --leave is there */
	struct errors *e;
};

static const struct option {
	const char *name, *value, *help;
	void (*take)(struct reading *r, const char *value);
	enum frag_action action; /* of an option without value */
} table[];

static void take_leave(struct reading *r, const char *value)
{
	r->leave = true;
	if (!strcmp(value, "0") || !text_bytes(value, &r->o->leave_bytes))
		return;
	error_add(r->e, STATUS_USAGE, NOWHERE, "--leave: '%s' is not a size", value);
	error_hint(r->e, "0, or a number and a unit, such as 512MiB or 4G");
}

static void take_node(struct reading *r, const char *value)
{
	uint64_t node;

	if (!text_count(value, &node) && node < LINUX_NODES) {
		r->o->node = (int)node;
		return;
	}
	error_add(r->e, STATUS_USAGE, NOWHERE, "--node: '%s' is not the number of a node", value);
	error_hint(r->e, "affinity --topology lists the nodes");
}

static const struct option table[] = {
	{"--leave", "SIZE", "what stays free in blocks of 2 MiB and more: 0, 512MiB, 4G",
		take_leave, FRAG_BREAK},
	{"--node", "N", "the node (default: the only one)", take_node, FRAG_BREAK},
	{"--undo", NULL, "drive free blocks together, as after an affinity-frag that was killed",
		NULL, FRAG_UNDO},
	{"--help", NULL, "this", NULL, FRAG_HELP},
	{"--version", NULL, "version", NULL, FRAG_VERSION},
	{0},
};

void frag_options_usage(FILE *out)
{
	fprintf(out,
		"usage: affinity-frag --leave SIZE [--node N] [-- COMMAND [ARG...]]\n"
		"       affinity-frag --undo [--node N]\n\n"
		"Breaks the free memory of a node, so that SIZE is left in blocks of 2 MiB and\n"
		"more (of a huge page, where that is larger), and holds it so until COMMAND\n"
		"ends; without COMMAND until a signal: SIGINT, SIGTERM, SIGHUP or SIGQUIT.\n\n");
	for (const struct option *o = table; o->name; o++)
		fprintf(out, "  %s %-*s %s\n", o->name, (int)(13 - strlen(o->name)),
			o->value ? o->value : "", o->help);
	fprintf(out, "\nexit status: that of COMMAND, 128 + N when signal N ended it; else\n"
		     "             0; 1 could not run, 2 bad arguments, 3 the node cannot be "
		     "broken so\n");
}

static void unknown(const char *text, size_t length, struct errors *e)
{
	char *word = alloc_string(text, length);
	const char *names[sizeof(table) / sizeof(*table)];
	size_t count = 0;

	for (const struct option *o = table; o->name; o++)
		names[count++] = o->name;
	error_unknown(e, STATUS_USAGE, NOWHERE, text_nearest(word, names, count),
		"unknown option '%s'", word);
	error_hint(e, "affinity-frag --help lists the options");
	free(word);
}

/* Handles argv[i]; returns how many words it used. "--node 3" and "--node=3" are the same. */
static int take_option(struct reading *r, int i, int argc, char **argv)
{
	const char *word = argv[i], *equals = strchr(word, '=');
	size_t length = equals ? (size_t)(equals - word) : strlen(word);
	const struct option *option = table;

	while (option->name &&
		(strlen(option->name) != length || strncmp(option->name, word, length)))
		option++;
	if (!option->name) {
		unknown(word, length, r->e);
		return 1;
	}
	if (!option->value) {
		if (equals)
			error_add(r->e, STATUS_USAGE, NOWHERE, "%s takes no value", option->name);
		r->o->action = option->action;
		return 1;
	}
	const char *next = i + 1 < argc && strcmp(argv[i + 1], "--") ? argv[i + 1] : NULL;
	const char *value = equals ? equals + 1 : next;
	if (!value || !*value)
		error_add(r->e, STATUS_USAGE, NOWHERE, "%s needs a value: %s %s", option->name,
			option->name, option->value);
	else
		option->take(r, value);
	return equals || !next ? 1 : 2;
}

static void check(const struct reading *r)
{
	const struct frag_options *o = r->o;

	if (o->action == FRAG_BREAK && !r->leave) {
		error_add(r->e, STATUS_USAGE, NOWHERE, "how much is to be left?");
		error_hint(r->e, "affinity-frag --leave SIZE [--node N] [-- COMMAND]");
	}
	if (o->action == FRAG_UNDO && r->leave)
		error_add(r->e, STATUS_USAGE, NOWHERE, "--undo and --leave exclude each other");
	if (o->action == FRAG_UNDO && o->argv[0])
		error_add(r->e, STATUS_USAGE, NOWHERE, "--undo takes no command");
}

int frag_options_parse(struct frag_options *o, int argc, char **argv, struct errors *e)
{
	struct reading r = {.o = o, .e = e};
	size_t before = e->failures;
	int i = 1;

	*o = (struct frag_options){.node = -1};
	while (i < argc && argv[i][0] == '-' && strcmp(argv[i], "--"))
		i += take_option(&r, i, argc, argv);
	if (i < argc && !strcmp(argv[i], "--"))
		i++;
	o->argv = argv + i;
	if (e->failures == before)
		check(&r);
	return e->failures == before ? 0 : -1;
}
