/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has gnuplot draw, and puts its pictures beside the text report. */
#include "report/plot.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/output.h"

struct drawing {
	const struct view *view;
	const char *out; /* NULL: only count */
	size_t count, all;
	int failed;
	struct errors *errors;
};

/* results.txt -> results-2.svg */
static char *picture_path(const char *out, size_t number, size_t all)
{
	const char *slash = strrchr(out, '/'), *dot = strrchr(out, '.');
	size_t length = dot && dot > (slash ? slash + 1 : out) ? (size_t)(dot - out) : strlen(out);

	if (all == 1)
		return alloc_format("%.*s.svg", (int)length, out);
	return alloc_format("%.*s-%zu.svg", (int)length, out, number);
}

/* What gnuplot prints for a script; NULL when it failed. To be freed. */
static char *draw(const struct view *v, const struct table *m, size_t *size)
{
	char script[] = "/tmp/affinity-plot-XXXXXX", *command, *svg = NULL, buffer[4096];
	int fd = mkstemp(script);
	FILE *f = fd < 0 ? NULL : fdopen(fd, "w"), *pipe;
	size_t got;

	if (!f)
		return NULL;
	plot_script(v, m, f);
	fclose(f);
	command = alloc_format("gnuplot %s 2>/dev/null", script);
	pipe = popen(command, "r");
	free(command);
	FILE *memory = pipe ? open_memstream(&svg, size) : NULL;
	while (memory && (got = fread(buffer, 1, sizeof(buffer), pipe)) > 0)
		fwrite(buffer, 1, got, memory);
	if (memory)
		fclose(memory);
	int failed = !pipe || pclose(pipe) != 0 || !memory;
	unlink(script);
	if (failed) {
		free(svg);
		return NULL;
	}
	return svg;
}

static void picture(void *arg, const struct table *m)
{
	struct drawing *d = arg;
	size_t size;

	d->count++;
	if (!d->out)
		return;
	char *svg = draw(d->view, m, &size), *path = picture_path(d->out, d->count, d->all);
	if (svg)
		d->failed |= output_write(path, svg, size, d->errors);
	else
		error_warn(d->errors, "gnuplot could not draw '%s'; the figures are in the tables",
			path);
	free(path);
	free(svg);
}

static void each_picture(const struct experiment *x, const struct views *v, struct drawing *d)
{
	for (size_t i = 0; i < v->count; i++) {
		d->view = &v->list[i];
		if (d->view->plot)
			view_tables(x, d->view, picture, d);
	}
}

static bool is_file(const char *out)
{
	struct stat st;

	return strcmp(out, "-") && (stat(out, &st) || S_ISREG(st.st_mode));
}

int plot_all(const struct experiment *x, const struct views *v, const char *out, struct errors *e)
{
	struct drawing d = {.errors = e};

	each_picture(x, v, &d);
	if (!d.count)
		return 0;
	if (!is_file(out)) {
		error_warn(e,
			"pictures are drawn beside a text report; %s is no file, so there are none",
			strcmp(out, "-") ? out : "standard output");
		return 0;
	}
	if (system("command -v gnuplot >/dev/null 2>&1")) {
		error_warn(e, "gnuplot is not installed: no pictures");
		error_hint(e, "Debian: apt-get install gnuplot-nox");
		return 0;
	}
	d = (struct drawing){.out = out, .all = d.count, .errors = e};
	each_picture(x, v, &d);
	return d.failed;
}
