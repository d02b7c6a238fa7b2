/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * affinity-report: one page of HTML from a folder of results.
 *
 * store/ reads the folders (stored.c) and says what experiments are called and which chapter they
 * belong to; chapters.c is the order of the page as data. Of these figures/ makes tables (grids.c
 * finds cells, html_grid.c writes them), sentences/ says what was found and how far it can be
 * trusted, and drawings/ draws what no table shows. The files here put them in order: page.c the
 * whole (heading.c, index.c, machines.c, chapter.c, pairs.c, closing.c), section.c one experiment
 * and blocks.c one table or picture of it. A folder sees only those named before it.
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

#include "base/terminal.h"
#include "base/alloc.h"
#include "base/buffer.h"
#include "base/ending.h"
#include "base/installed.h"
#include "base/output.h"
#include "base/text.h"
#include "base/name.h"
#include "base/version.h"
#include "affinity-report/options.h"
#include "affinity-report/page.h"
#include "system/program.h"

const char PROGRAM_NAME[] = "affinity-report";

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

/* What the program of --mix prints; installed, that beside this one. To be freed. */
static char *mix_of(const struct report_options *o)
{
	char *folder = o->mix ? NULL : installed_folder();
	char *beside = folder ? alloc_format("%sscripts/mix", folder) : NULL;
	char *program = beside ? beside : (char *)(uintptr_t)o->mix;
	char *text = program ? program_output((char *[]){program, NULL}) : alloc_string("", 0);

	free(beside);
	free(folder);
	return text;
}

/* Is the page to be in another folder than the current one, from which results were named? */
static bool is_away(const struct report_options *o)
{
	return o->out && strchr(o->out, '/');
}

/* Writes the page of results that were read, or says why there are none. Frees all. */
static enum status finish_page(const struct report_options *o, struct page *p,
	struct stored *results, int failed, const char *path, struct errors *e)
{
	enum status status = STATUS_OK;

	if (!failed) {
		char *mix = mix_of(o);

		p->mix = mix;
		failed = write_file(p, path, e);
		free(mix);
	}
	errors_print(e, 0, stderr);
	if (!failed) {
		fprintf(stderr, "%s: ", PROGRAM_NAME);
		text_print_shown(path, stderr);
		fputc('\n', stderr);
		page_answer_plain(p, stdout);
	}
	if (failed)
		status = errors_status(e);
	stored_free(results);
	errors_free(e);
	return status;
}

/* The page of one folder. */
static enum status make_report(const struct report_options *o, const char *folder)
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
	enum status status = finish_page(o, &p, &results, failed, path, &e);

	free(path);
	return status;
}

/* The page of several folders and of files. */
static enum status make_many(const struct report_options *o)
{
	struct stored results;
	struct errors e = {0};
	struct page p = {.results = &results,
		.folder = "FOLDER...",
		.top = o->top,
		.apart = true,
		.away = is_away(o)};
	int failed = stored_read_many(&results, o->paths.word, o->paths.count, &e);

	if (failed && !e.failures)
		error_add(&e, STATUS_FAILED, NOWHERE, "nothing in these can be shown");
	return finish_page(o, &p, &results, failed, o->out ? o->out : "report.html", &e);
}

/* The host's folder of results; ejec.sh names it after the host without the domain. To be freed. */
static char *host_folder(const char *top)
{
	struct utsname name;

	uname(&name);
	return alloc_format("%sresults/%.*s", top, (int)strcspn(name.nodename, "."), name.nodename);
}

/* Says why there are no results. */
static enum status say_none(const char *host)
{
	const size_t skipped = stored_skipped(host);
	struct errors denied = {0};

	if (stored_denied(host, &denied)) {
		errors_print(&denied, 0, stderr);
		errors_free(&denied);
		return STATUS_USAGE;
	}
	if (skipped) {
		fprintf(stderr,
			"affinity-report: nothing was measured in '%s': %zu experiment%s skipped "
			"or failed\n  hint: files that end in .skipped say why\n",
			host, skipped, text_s(skipped));
		return STATUS_FAILED;
	}
	char *folder = installed_folder(), *batch = installed_names("scripts/ejec.sh", folder);

	fprintf(stderr, "affinity-report: no results in '%s'; %s makes some\n", host, batch);
	free(batch);
	free(folder);
	return STATUS_FAILED;
}

static enum status make_all(const struct report_options *o)
{
	const char *folder = o->paths.count ? o->paths.word[0] : NULL;
	char *host = folder ? alloc_string(folder, strlen(folder)) : host_folder(o->top);
	char *quick = alloc_format("%s/quick", host);
	bool made = false;
	enum status status = STATUS_OK;

	if (stored_exist(host)) {
		made = true;
		status = make_report(o, host);
	}
	/* where there is nothing else, or nobody named what is wanted */
	if (!status && (!made || (!folder && !o->out)) && stored_exist(quick)) {
		made = true;
		status = make_report(o, quick);
	}
	if (!made)
		status = say_none(host);
	free(host);
	free(quick);
	return status;
}

static enum status make_pages(const struct report_options *o)
{
	if (o->paths.count > 1 || (o->paths.count && !stored_is_folder(o->paths.word[0])))
		return make_many(o);
	return make_all(o);
}

static enum status perform_report(const struct report_options *o)
{
	if (o->action == REPORT_MAKE)
		return make_pages(o);
	if (o->action == REPORT_HELP)
		terminal_show(report_options_usage);
	else
		printf("%s %s\n", PROGRAM_NAME, AFFINITY_VERSION);
	return STATUS_OK;
}

int main(int argc, char **argv)
{
	struct report_options o;
	struct errors e = {0};
	enum status status = STATUS_OK;

	signal(SIGXFSZ, SIG_IGN); /* a write fails instead */
	if (!report_options_parse(&o, argv + (argc > 0), &e))
		status = perform_report(&o);
	ending_flush(&e);
	errors_print(&e, 0, stderr);
	if (!status)
		status = errors_status(&e);
	errors_free(&e);
	report_options_free(&o);
	return (int)status;
}
