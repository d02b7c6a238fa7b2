/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes command lines that a shell reads as they were meant. */
#include "affinity-map/command_line.h"

#include <string.h>

#include "base/buffer.h"
#include "base/text.h"

char *command_line_nodes(const unsigned long *mask)
{
	const size_t bits = 8 * sizeof(*mask);
	struct buffer b;
	FILE *out = buffer_open(&b);
	bool any = false;

	for (size_t i = 0; i < LINUX_NODES; i++)
		if (mask[i / bits] >> i % bits & 1) {
			fprintf(out, "%s%zu", any ? "," : "", i);
			any = true;
		}
	return buffer_text(&b, out);
}

static void list_cpus(const struct candidate *c, FILE *out)
{
	for (int i = 0; i < c->ncpus; i++)
		fprintf(out, "%s%d", i ? "," : "", c->cpus[i]);
	fputc(' ', out);
}

char *command_line(
	char *const *argv, const struct candidate *c, const char *option, const char *nodes)
{
	struct buffer b;
	FILE *out = buffer_open(&b);

	if (c->set.count)
		fputs("env ", out);
	for (size_t i = 0; i < c->set.count; i++) {
		text_print_quoted(c->set.word[i], out);
		fputc(' ', out);
	}
	if (nodes)
		fprintf(out, "numactl --%s%s ", option, nodes);
	if (c->ncpus) {
		fputs(nodes ? "--physcpubind=" : "taskset -c ", out);
		list_cpus(c, out);
	}
	if (nodes)
		fputs("-- ", out);
	for (size_t i = 0; i < c->before.count; i++) {
		text_print_quoted(c->before.word[i], out);
		fputc(' ', out);
	}
	/* env would take it for a variable */
	if (c->set.count && !nodes && !c->ncpus && !c->before.count && strchr(argv[0], '='))
		fputs("sh -c 'exec \"$0\" \"$@\"' ", out);
	for (int i = 0; argv[i]; i++) {
		if (i)
			fputc(' ', out);
		text_print_quoted(argv[i], out);
	}
	return buffer_text(&b, out);
}
