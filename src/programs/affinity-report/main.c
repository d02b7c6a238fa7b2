/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * affinity-report: one page of HTML from a folder of results.
 *
 * stored.c reads the folder. page.c writes the page in this order: heading.c and state.c, index.c,
 * found.c, chapter.c with the groups of groups.c and the pieces of chapters.c, pairs.c, closing.c,
 * warnings.c. For each experiment, section.c writes comment.c's title, verdict.c and quality.c what
 * was found, blocks.c with captions.c its figures, and alone.c, chosen.c, counters.c, own.c,
 * samples.c, sizes.c and source.c what belongs to them. grids.c makes the tables, numbers.c their
 * digits, html.c and html_grid.c the syntax of HTML, draw.c and chart.c the drawings, page.css the
 * style.
 *
 * The page prints figures of the documents, rounded, and computes none but the widths of intervals
 * in percent and how many times one figure is another one. The driver computes all tables and plots
 * that an argument file asks for (analysis/view.h), and writes the same ones into its text report
 * and into the document.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/installed.h"
#include "base/output.h"
#include "base/text.h"
#include "base/version.h"
#include "programs/affinity-report/page.h"

static const char help[] =
	"usage: affinity-report [options] [FOLDER]\n"
	"\n"
	"Makes FOLDER/report.html from the results that ejec.sh left in FOLDER: one file for any\n"
	"browser, without network. It shows what was found, what was measured, then what was not\n"
	"and why, the machine, all warnings, and how to repeat it. Tables and figures of the "
	"thesis\n"
	"are shown in its order, each chapter only where one of its files was measured. Without "
	"FOLDER:\n"
	"results/HOST and, where ejec.sh --quick left results, results/HOST/quick; a FOLDER that\n"
	"has nothing else stands for its quick.\n"
	"\n"
	"Where a file asks where the weights of a language model go, and with how many threads, "
	"the\n"
	"answer is printed, too.\n"
	"\n"
	"Several folders are machines: what more than one of them measured is shown side by side.\n"
	"Their page, and that of single files, is report.html in the current folder.\n"
	"\n"
	"Pictures are those that gnuplot drew beside the results, where there are none those that\n"
	"the page draws of their figures, and topology.svg, which ejec.sh has lstopo draw.\n"
	"\n"
	"  --top DIR      the project's folder: paths in it are shown from there\n"
	"  --mix COMMAND  prints what kernels are made of (scripts/mix)\n"
	"  --out FILE     the page, in place of report.html; also -o FILE\n"
	"  --help, -h     this\n"
	"  --version, -V  version\n"
	"\n"
	"exit status: 0 written, 1 no results, 2 bad arguments\n";

struct options {
	char **paths; /* none: the folder of this host */
	size_t npaths;
	const char *out; /* NULL: report.html in the folder; of several, in the current one */
	const char *top; /* ends in a slash, or "" */
	const char *mix; /* a command, or NULL */
	bool help, version;
};

static int take_path(struct options *o, char *word, struct errors *e)
{
	size_t n = strlen(word);

	if (!stored_is_folder(word) && (n < 6 || strcmp(word + n - 5, ".json") != 0))
		return error_add(e, STATUS_USAGE, NOWHERE,
			"'%s' is neither a folder nor a result (.json)", word);
	if (n > 1 && word[n - 1] == '/')
		word[n - 1] = '\0';
	for (size_t i = 0; i < o->npaths; i++)
		if (!strcmp(o->paths[i], word))
			return error_add(e, STATUS_USAGE, NOWHERE, "'%s' is there twice", word);
	o->paths[o->npaths++] = word;
	return 0;
}

static int read_options(struct options *o, char **words, struct errors *e)
{
	int failed = 0;

	/* paths replace words that have been read */
	*o = (struct options){.top = "", .paths = words};
	for (; *words && !failed && !o->help && !o->version; words++) {
		if (!strcmp(*words, "-h") || !strcmp(*words, "--help"))
			o->help = true;
		else if (!strcmp(*words, "-V") || !strcmp(*words, "--version"))
			o->version = true;
		else if (!strcmp(*words, "--top") && words[1])
			o->top = *++words;
		else if (!strcmp(*words, "--mix") && words[1])
			o->mix = *++words;
		else if ((!strcmp(*words, "-o") || !strcmp(*words, "--out")) && words[1])
			o->out = *++words;
		else if ((*words)[0] == '-' && (*words)[1])
			failed = error_add(e, STATUS_USAGE, NOWHERE, "unknown option '%s'", *words);
		else
			failed = take_path(o, *words, e);
	}
	return failed;
}

/* The output of a command; "" if it fails. To be freed. */
static char *output_of(const char *command)
{
	FILE *in = command ? popen(command, "r") : NULL;
	char *text = alloc_string("", 0), *line = NULL;
	size_t size = 0;

	while (in && getline(&line, &size, in) > 0) {
		char *longer = alloc_format("%s%s", text, line);

		free(text);
		text = longer;
	}
	free(line);
	if (in && pclose(in))
		*text = '\0';
	return text;
}

static int write_file(const struct page *p, const char *path, struct errors *e)
{
	struct buffer text;
	FILE *out = buffer_open(&text);

	page_write(p, out);
	buffer_close(&text, out);
	int failed = output_write(path, text.data, text.size, e);

	free(text.data);
	return failed;
}

static void say(const struct errors *e)
{
	for (size_t i = 0; i < e->count; i++) {
		fprintf(stderr, "report: %s\n", page_plain(e->list[i].text));
		if (e->list[i].hint)
			fprintf(stderr, "  hint: %s\n", e->list[i].hint);
	}
}

/* The command of --mix; installed, the program beside this one. To be freed; NULL: none. */
static char *mix_command(const struct options *o)
{
	char *folder = installed_folder(), *program;
	struct buffer command = {NULL, 0};

	if (o->mix || !folder) {
		free(folder);
		return o->mix ? alloc_string(o->mix, strlen(o->mix)) : NULL;
	}
	FILE *out = buffer_open(&command);

	program = alloc_format("%sscripts/mix", folder);
	text_print_quoted(program, out);
	fputs(" 2>/dev/null", out);
	fputc(0, out);
	buffer_close(&command, out);
	free(program);
	free(folder);
	return command.data;
}

/* Is the page to be in another folder than the current one, from which results were named? */
static bool is_away(const struct options *o)
{
	return o->out && strchr(o->out, '/');
}

/* Writes the page of results that were read, or says why there are none. Frees all. 0, or -1. */
static int finish(const struct options *o, struct page *p, struct stored *results, int failed,
	const char *path, struct errors *e)
{
	if (!failed) {
		char *command = mix_command(o), *mix = output_of(command);

		p->mix = mix;
		failed = write_file(p, path, e);
		free(mix);
		free(command);
	}
	say(e);
	if (!failed) {
		fprintf(stderr, "report: %s\n", path);
		page_answer_plain(p, stdout);
	}
	stored_free(results);
	errors_free(e);
	return failed;
}

/* The page of one folder. */
static int make_report(const struct options *o, const char *folder)
{
	char *path = o->out ? alloc_format("%s", o->out) : alloc_format("%s/report.html", folder);
	struct stored results;
	struct errors e = {0};
	struct page p = {.results = &results,
		.folder = folder,
		.top = o->top,
		.apart = o->out,
		.away = is_away(o)};
	int failed = stored_read(&results, folder, &e);

	if (failed)
		error_add(&e, STATUS_FAILED, NOWHERE, "nothing in '%s' can be shown", folder);
	failed = finish(o, &p, &results, failed, path, &e);
	free(path);
	return failed;
}

/* The page of several folders and of files. */
static int make_many(const struct options *o)
{
	struct stored results;
	struct errors e = {0};
	struct page p = {.results = &results,
		.folder = "FOLDER...",
		.top = o->top,
		.apart = true,
		.away = is_away(o)};
	int failed = stored_read_many(&results, o->paths, o->npaths, &e);

	if (failed && !e.count)
		error_add(&e, STATUS_FAILED, NOWHERE, "nothing in these can be shown");
	return finish(o, &p, &results, failed, o->out ? o->out : "report.html", &e);
}

/* The host's folder of results; ejec.sh names it after the host without the domain. To be freed. */
static char *host_folder(const char *top)
{
	struct utsname name;

	uname(&name);
	return alloc_format("%sresults/%.*s", top, (int)strcspn(name.nodename, "."), name.nodename);
}

static void say_none(const char *host)
{
	char *folder = installed_folder(), *batch = installed_names("scripts/ejec.sh", folder);

	fprintf(stderr, "report: no results in '%s'; %s makes some\n", host, batch);
	free(batch);
	free(folder);
}

static int make_all(const struct options *o)
{
	const char *folder = o->npaths ? o->paths[0] : NULL;
	char *host = folder ? alloc_string(folder, strlen(folder)) : host_folder(o->top);
	char *quick = alloc_format("%s/quick", host);
	bool made = false;
	int failed = 0;

	if (stored_exist(host)) {
		made = true;
		failed = make_report(o, host);
	}
	/* where there is nothing else, or nobody named what is wanted */
	if (!failed && (!made || (!folder && !o->out)) && stored_exist(quick)) {
		made = true;
		failed = make_report(o, quick);
	}
	if (!made)
		say_none(host);
	free(host);
	free(quick);
	return made && !failed ? STATUS_OK : STATUS_FAILED;
}

int main(int argc, char **argv)
{
	struct options o;
	struct errors e = {0};

	(void)argc;
	signal(SIGXFSZ, SIG_IGN); /* a write fails instead */
	if (read_options(&o, argv + 1, &e)) {
		say(&e);
		fputs("report: affinity-report --help lists the options\n", stderr);
		errors_free(&e);
		return STATUS_USAGE;
	}
	if (o.help)
		fputs(help, stdout);
	else if (o.version)
		printf("affinity-report %s\n", AFFINITY_VERSION);
	if (o.help || o.version)
		return STATUS_OK;
	if (o.npaths > 1 || (o.npaths && !stored_is_folder(o.paths[0])))
		return make_many(&o) ? STATUS_FAILED : STATUS_OK;
	return make_all(&o);
}
