/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws pictures with gnuplot and writes them beside the text report. */
#include "report/plot.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/output.h"
#include "report/gnuplot.h"

/* results.txt -> results-2.svg */
static char *picture_path(const char *out, size_t number, size_t all)
{
	const char *slash = strrchr(out, '/'), *dot = strrchr(out, '.');
	size_t length = dot && dot > (slash ? slash + 1 : out) ? (size_t)(dot - out) : strlen(out);

	if (all == 1)
		return alloc_format("%.*s.svg", (int)length, out);
	return alloc_format("%.*s-%zu.svg", (int)length, out, number);
}

static bool is_file(const char *out)
{
	struct stat st;

	return strcmp(out, "-") && (stat(out, &st) || S_ISREG(st.st_mode));
}

static size_t most_pictures(const struct experiment *x, const struct views *v)
{
	size_t most = 0;

	for (size_t i = 0; i < v->count; i++)
		if (v->list[i].plot)
			most += view_count(x, &v->list[i]);
	return most;
}

void plot_paths(const struct experiment *x, const struct views *v, const char *out,
	void (*each)(void *arg, const char *path), void *arg)
{
	size_t most = most_pictures(x, v);

	if (!most || !is_file(out))
		return;
	for (size_t i = 0; i <= most; i++) {
		char *path = picture_path(out, i, i ? most : 1);

		if (!i || most > 1)
			each(arg, path);
		free(path);
	}
}

static void count_one(void *arg, const struct table *m)
{
	size_t *count = arg;

	(void)m;
	++*count;
}

/* The number of pictures that have figures. */
static size_t count_pictures(const struct experiment *x, const struct views *v)
{
	size_t count = 0;

	for (size_t i = 0; i < v->count; i++)
		if (v->list[i].plot)
			view_tables(x, &v->list[i], count_one, &count);
	return count;
}

bool plot_possible(
	const struct experiment *x, const struct views *v, const char *out, struct errors *e)
{
	if (!count_pictures(x, v))
		return false;
	if (!is_file(out)) {
		error_warn(e,
			"gnuplot draws pictures beside a text report, but %s is not a file: no "
			"pictures",
			strcmp(out, "-") ? out : "standard output");
		return false;
	}
	char *program = gnuplot_find();
	if (!program) {
		error_warn(e, "gnuplot is not installed: no pictures");
		error_hint(e, "Debian: apt-get install gnuplot-nox");
	}
	free(program);
	return program != NULL;
}

struct drawing {
	char *program;
	const struct view *view;
	const char *out;
	const volatile sig_atomic_t *stop;
	size_t count, all;
	bool ended; /* the cause would stop all other pictures too */
	int failed;
	struct errors *errors;
};

static enum gnuplot_end draw(
	const struct drawing *d, const struct table *m, char **svg, size_t *size)
{
	struct buffer script;
	FILE *f = buffer_open(&script);

	plot_script(d->view, m, f);
	buffer_close(&script, f);
	enum gnuplot_end end =
		gnuplot_draw(d->program, script.data, script.size, d->stop, svg, size);
	free(script.data);
	return end;
}

/* A picture that is not drawn must not be taken for one of these results. */
static void tell_earlier(const struct drawing *d, const char *path)
{
	if (!access(path, F_OK))
		error_hint(d->errors, "'%s' is of an earlier run", path);
}

static void explain(struct drawing *d, enum gnuplot_end end, const char *path)
{
	if (end == GNUPLOT_SLOW) {
		error_warn(d->errors,
			"gnuplot did not finish '%s' and was ended: no further pictures", path);
		error_hint(d->errors, "the results are written; gnuplot --version shows whether it "
				      "works");
	} else if (end == GNUPLOT_STOPPED) {
		d->failed = error_add(d->errors, (enum status)(STATUS_SIGNAL + *d->stop), NOWHERE,
			"interrupted while '%s' was drawn; the results are written", path);
	} else {
		error_warn(d->errors, "gnuplot could not draw '%s'; the figures are in the tables",
			path);
	}
	tell_earlier(d, path);
	d->ended = end != GNUPLOT_FAILED;
}

static void keep_picture(struct drawing *d, const char *path, const char *svg, size_t size)
{
	if (!output_write(path, svg, size, d->errors))
		return;
	d->failed = -1;
	if (access(path, F_OK))
		error_hint(d->errors, "the results are written; make room for pictures there (df, "
				      "quota, ulimit -f)");
	else
		error_hint(d->errors, "the results are written; '%s' is of an earlier run", path);
}

static void picture(void *arg, const struct table *m)
{
	struct drawing *d = arg;
	char *svg;
	size_t size;

	d->count++;
	if (d->ended)
		return;
	char *path = picture_path(d->out, d->count, d->all);
	enum gnuplot_end end = draw(d, m, &svg, &size);
	if (end == GNUPLOT_DREW) {
		keep_picture(d, path, svg, size);
		free(svg);
	} else {
		explain(d, end, path);
	}
	free(path);
}

int plot_all(const struct experiment *x, const struct views *v, const char *out,
	const volatile sig_atomic_t *stop, struct errors *e)
{
	struct drawing d = {.program = gnuplot_find(),
		.out = out,
		.stop = stop,
		.all = count_pictures(x, v),
		.errors = e};

	for (size_t i = 0; i < v->count && d.program; i++) {
		d.view = &v->list[i];
		if (d.view->plot)
			view_tables(x, d.view, picture, &d);
	}
	free(d.program);
	return d.failed;
}
