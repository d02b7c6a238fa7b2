/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The section of an experiment: its text, its figures, how it was measured. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/error.h"
#include "base/installed.h"
#include "base/text.h"
#include "document/arguments.h"
#include "affinity-report/store/comment.h"
#include "affinity-report/figures/grids.h"
#include "affinity-report/page.h"

static bool starts(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static void not_measured(const char *name, FILE *out)
{
	char *folder = installed_folder();
	char *command = alloc_format("scripts/ejec.sh args/%s.args", name);
	char *installed = installed_names(command, folder);

	html(out, "not measured; <code>%s</code>", installed);
	free(installed);
	free(command);
	free(folder);
}

void page_missing(const struct page *p, const char *name, const char *what, FILE *out)
{
	const struct stored_note *n = stored_note(p->results, name);

	html(out, "<p class=missing><b>%s</b> ", what);
	if (n)
		html(out, "%s: %s", n->state, n->why);
	else
		not_measured(name, out);
	fputs("</p>\n", out);
}

/* The length of a line without its end. */
static size_t line_length(const char *line)
{
	return strcspn(line, "\n");
}

/* Indented lines are commands or tables: their line ends count. */
static bool is_indented(const char *line)
{
	return starts(line, "  ");
}

/* Lines of a paragraph, up to `length`, that are all indented, or none of them. */
static size_t lines_alike(const char *from, size_t length)
{
	size_t n = 0;

	while (n < length && is_indented(from + n) == is_indented(from)) {
		n += line_length(from + n);
		n += n < length;
	}
	return n;
}

static void paragraph(const char *from, size_t length, FILE *out)
{
	for (size_t n; length; from += n, length -= n) {
		n = lines_alike(from, length);
		const bool end = from[n - 1] == '\n', indented = is_indented(from);

		html(out, "%-s%.*s%-s", indented ? "<pre class=prose>" : "<p class=prose>",
			(int)(n - end), from, indented ? "</pre>\n" : "</p>\n");
	}
}

static void prose(const char *text, FILE *out)
{
	for (const char *from = text; from;) {
		const char *end = strstr(from, "\n\n");
		size_t length = end ? (size_t)(end - from) : strlen(from);

		if (strspn(from, " \n") < length)
			paragraph(from, length, out);
		from = end ? end + 2 : NULL;
	}
}

char *page_command(const struct page *p, const struct document *d)
{
	const char *path = page_path(p, d->arguments.path ? d->arguments.path : "");
	struct buffer text;
	FILE *out = buffer_open(&text);
	char *folder = installed_folder(), *program = installed_names("scripts/ejec.sh", folder);

	fprintf(out, "%s ", program);
	document_print_set(d, out);
	text_print_quoted(path, out);
	buffer_close(&text, out);
	free(program);
	free(folder);
	return text.data;
}

static void asked(const struct page *p, const char *name, const struct document *d, FILE *out)
{
	char *command = page_command(p, d), *lines = document_lines(d);

	html_folded_begin(out, "How it was measured");
	page_samples(d, out);
	page_sizes(d, out);
	page_source(p, name, d, out);
	html(out, "<pre>%s</pre>\n<p>Repeat: <code>%s</code></p>\n", lines, command);
	html_folded_end(out);
	free(lines);
	free(command);
}

/* ---- warnings */

static void warning(FILE *out, const char *text, bool *any)
{
	html(out, "%-s%s</li>", *any ? "<li>" : "<ul class=warnings><li>", error_plain(text));
	*any = true;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Leaves out warnings that all experiments have: the top of the page shows them once. */
static void warnings(const struct page *p, const struct document *d, FILE *out)
{
	const char **texts = alloc_zeroed(d->nwarnings + 1, sizeof(*texts));
	bool any = false;

	for (size_t i = 0; i < d->nwarnings; i++)
		texts[i] = d->warnings[i].text;
	qsort(texts, d->nwarnings, sizeof(*texts), by_text);
	for (size_t i = 0; i < d->nwarnings; i++)
		if ((!i || strcmp(texts[i], texts[i - 1])) && !page_common(p, texts[i]))
			warning(out, texts[i], &any);
	if (d->interrupted)
		warning(out, "interrupted: what follows the last finished sample was not measured",
			&any);
	fputs(any ? "</ul>\n" : "", out);
	free(texts);
}

/* ---- the section */

static const char *layout_class(const struct experiment_text *x, const struct document *d)
{
	if (x->layout == LAYOUT_PLOTS_OF_MANY)
		return d->nruns > 1 ? "plots" : "row";
	return x->layout == LAYOUT_PLOTS ? "plots" : "row";
}

/* The first run with the thread on another node than the data shows more. */
static const struct document_run *shown_run(
	const struct experiment_text *x, const struct document *d)
{
	if (x->layout == LAYOUT_PLOTS_OF_MANY)
		for (size_t i = 0; i < d->nruns; i++) {
			const char *data = document_value(&d->runs[i], "data_node");
			const char *thread = document_value(&d->runs[i], "thread_node");

			if (!d->runs[i].skipped && data && thread && strcmp(data, thread))
				return &d->runs[i];
		}
	return grids_run(d, x->variable, x->value);
}

static void blocks(
	const struct page *p, const struct experiment_text *x, const struct document *d, FILE *out)
{
	const struct document_run *run = shown_run(x, d);
	const struct block *b = x->blocks;

	if (!run) {
		html(out, "<p class=missing>%s</p>\n", x->no_run);
		return;
	}
	if (x->layout == LAYOUT_PLOTS_OF_MANY)
		page_block(p, x, b++, d, run, out);
	fprintf(out, "<div class=%s>", layout_class(x, d));
	for (; b->kind != BLOCK_END; b++)
		page_block(p, x, b, d, run, out);
	fputs("</div>\n", out);
}

/* Of the run that is shown. */
static void runs_in_time(const struct experiment_text *x, const struct document *d, FILE *out)
{
	const struct document_run *run = shown_run(x, d);

	if (!run)
		return;
	page_work(d, run, false, out);
	page_wander(d, run, false, out);
}

/* about: what the experiment is for */
static void write_how_measured(const struct page *p, const struct experiment_text *x,
	const struct document *d, const char *about, FILE *out)
{
	if (!grids_run(d, NULL, NULL)) {
		warnings(p, d, out);
		html(out, "<p class=missing><b>%s</b>: no run was measured</p>\n", x->numbers);
		return;
	}
	page_verdict(d, out);
	page_crossings(d, out);
	prose(about, out);
	blocks(p, x, d, out);
	page_claims(d, out);
	page_alone(d, out);
	page_chosen(d, out);
	page_counters(d, out);
	page_own(d, out);
	page_tails(d, out);
	page_places(d, out);
	runs_in_time(x, d, out);
	page_clock(d, out);
	warnings(p, d, out);
	asked(p, x->name, d, out);
}

static void earlier(const struct page *p, const struct experiment_text *x, FILE *out)
{
	const struct stored_note *n = stored_note(p->results, x->name);

	if (!n)
		return;
	html(out, "<p class=missing>Last attempt %s: %s. These are earlier results.</p>\n",
		n->state, n->why);
}

void page_experiment(const struct page *p, const struct experiment_text *x, FILE *out)
{
	const struct document *d = stored_document(p->results, x->name);

	if (!d) {
		char *what = alloc_format("%s, %s,", x->numbers, x->title);

		page_missing(p, x->name, what, out);
		free(what);
		return;
	}
	struct comment c = page_comment(p, d);
	char *name = page_short_name(x->name);

	html(out,
		"<section class=experiment id='%s'>\n<p "
		"class=path><code>%s</code>%-s</p>\n<h3>%s%-s</h3>\n",
		x->name, x->name,
		d->quick ? " <span class=badge>quick trial, not for conclusions</span>" : "",
		*x->title  ? x->title
		: *c.title ? c.title
			   : name,
		document_simulated(d) ? " <span class=simulated>simulated machine</span>" : "");
	write_how_measured(p, x, d, *x->title ? c.all : c.rest, out);
	earlier(p, x, out);
	fputs("</section>\n", out);
	free(name);
	comment_free(&c);
}
