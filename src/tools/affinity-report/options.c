/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads affinity-report's command line from one table. */
#include "affinity-report/options.h"

#include <string.h>

#include "base/options.h"
#include "affinity-report/store/stored.h"

#define TEXT(name) .take = option_text, .field = offsetof(struct report_options, name)

static const struct option table[] = {
	{"--top", "DIR", "the project's folder: paths in it are shown from there", TEXT(top)},
	{"--mix", "PROGRAM", "prints what kernels are made of (scripts/mix)", TEXT(mix)},
	{"--output", "FILE", "the page, in place of report.html", TEXT(out)},
	{"--out", "FILE", "the same", TEXT(out)},
	{"--help", NULL, "this", .action = REPORT_HELP},
	{"--version", NULL, "version", .action = REPORT_VERSION},
	{0},
};

void report_options_usage(FILE *out)
{
	fputs("usage: affinity-report [options] [FOLDER|FILE...]\n"
	      "\n"
	      "Makes FOLDER/report.html from the results that ejec.sh left in FOLDER: one file for "
	      "any\n"
	      "browser, without network. It shows what was found, what was measured, then what was "
	      "not\n"
	      "and why, the machine, all warnings, and how to repeat it. Tables and figures of the "
	      "thesis\n"
	      "are shown in its order, each chapter only where one of its files was measured. "
	      "Without\n"
	      "FOLDER: results/HOST and, where ejec.sh --quick left results, results/HOST/quick.\n"
	      "Where FOLDER has only quick results, these are shown.\n"
	      "\n"
	      "Where a file asks where the weights of a language model go, and with how many "
	      "threads,\n"
	      "the answer is printed, too.\n"
	      "\n"
	      "Several folders are machines: what more than one of them measured is shown side by "
	      "side.\n"
	      "So are single files (.json) of one experiment. Their page is report.html in the\n"
	      "current folder.\n"
	      "\n"
	      "Pictures are those that gnuplot drew beside the results, where there are none those "
	      "that\n"
	      "the page draws of their figures, and topology.svg, which ejec.sh has lstopo draw.\n"
	      "\n",
		out);
	options_print(table, 20, out);
	fputs("\nexit status: 0 written, 1 no results, 2 bad arguments\n", out);
}

static void take_path(void *to, const char *word, struct errors *e)
{
	struct report_options *o = to;
	size_t n = strlen(word);

	if (!stored_is_folder(word) && (n < 6 || strcmp(word + n - 5, ".json") != 0)) {
		error_add(e, STATUS_USAGE, NOWHERE, "'%s' is neither a folder nor a result (.json)",
			word);
		error_hint(e, "affinity-report --help lists the options");
		return;
	}
	n -= n > 1 && word[n - 1] == '/';
	for (size_t i = 0; i < o->paths.count; i++)
		if (strlen(o->paths.word[i]) == n && !strncmp(o->paths.word[i], word, n)) {
			error_add(
				e, STATUS_USAGE, NOWHERE, "'%s' is there twice", o->paths.word[i]);
			error_hint(e, "name each folder and file once");
			return;
		}
	words_add(&o->paths, word, n);
}

int report_options_parse(struct report_options *o, char **words, struct errors *e)
{
	struct options_given given = {.rows = table, .action = REPORT_MAKE};

	*o = (struct report_options){.top = ""};
	options_take_all(&given, words, o, take_path, e);
	o->action = (enum report_action)given.action;
	return e->failures ? -1 : 0;
}

void report_options_free(struct report_options *o)
{
	words_free(&o->paths);
}
