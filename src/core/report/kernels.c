/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of parameters as text. */
#include <stdlib.h>
#include <math.h>
#include <string.h>

#include "analysis/needs.h"
#include "base/alloc.h"
#include "base/text.h"
#include "input/param.h"
#include "input/registry.h"
#include "report/report.h"
#include "input/request.h"

static void print_params(const struct param *table, FILE *out)
{
	char range[256];

	for (const struct param *p = table; p && p->name; p++) {
		fprintf(out, "  %-14s %s%s%s%s\n", p->name, p->help, p->alias ? " (also: " : "",
			p->alias ? p->alias : "", p->alias ? ")" : "");
		if (p->choices || (p->type != PARAM_WORDS && p->type != PARAM_LINES))
			fprintf(out, "  %-14s default %s, %s\n", "",
				p->fallback ? p->fallback : "none",
				param_range(p, range, sizeof(range)));
	}
}

static void help_keys(FILE *out)
{
	fprintf(out, "An argument file has lines of the form 'key: values'; # starts a comment.\n");
	fprintf(out, "V*N in a list stands for N times V, V* for V as often as is needed, 0-3 for "
		     "0 1 2 3.\n\n");
	print_params(request_keys, out);
	fprintf(out, "\nParameters that every kernel has (one value, or one for each thread):\n\n");
	print_params(common_params, out);
}

static void help_quantities(FILE *out)
{
	fprintf(out,
		"What table, plot and claim can show, of a thread or of all threads together:\n\n");
	for (const struct quantity_row *q = quantities; q->name; q++) {
		fprintf(out, "  %-16s %s\n  %-16s %s", q->name, q->help, "",
			q->at_value ? "that of the variable"
			: !q->unit  ? "s, or ns/unit with mode: time"
			: *q->unit  ? q->unit
				    : "a ratio");
		needs_print(q, out);
		fprintf(out, "%s\n", q->claimable ? "; may be claimed" : "");
	}
	fprintf(out, "\nAlso what counters: counts, and a kernel's own figures (--help KERNEL).\n");
}

/* The size of a page, for one, is not known before. */
static struct work default_work(const struct kernel *k)
{
	void *args = k->work ? alloc_zeroed(1, k->args_size) : NULL;

	if (!args)
		return k->per_unit;
	param_defaults(k->params, args);
	struct work w = k->work(args);

	param_release(k->params, args);
	free(args);
	return w;
}

/* Not text_s(): 1.5 loads are several. */
static const char *plural(double n)
{
	return n == 1 ? "" : "s";
}

static void print_work(const struct kernel *k, FILE *out)
{
	const struct work w = default_work(k);

	fprintf(out, "One %s: ", k->unit);
	if (k->work_is)
		fputs(k->work_is, out);
	else
		fprintf(out, "%g load%s, %g store%s", w.loads, plural(w.loads), w.stores,
			plural(w.stores));
	if (w.bytes > 0)
		fprintf(out, ", %g byte%s and ", w.bytes, plural(w.bytes));
	if (w.bytes > 0 && isnan(w.fills))
		fputs("an unknown number of write-allocate", out);
	else if (w.bytes > 0)
		fprintf(out, "%g of write-allocate", w.fills);
	fprintf(out, "%s. Vectors for each thread: at least %d",
		k->work ? ", depending on its parameters" : "", k->min_vectors);
	for (int i = 0, n = 0; k->types && i < ELEMENT_TYPES; i++)
		if (k->types & TYPE_SET(i))
			fprintf(out, "%s%s", n++ ? ", " : ", of ", element_names[i]);
	fprintf(out, ".\n");
}

static void print_figures(const struct kernel *k, FILE *out)
{
	static const char *const joins[] = {
		[FIGURE_SUM] = "the sum", [FIGURE_MEAN] = "the mean", [FIGURE_LEAST] = "the least"};

	if (k->figures)
		fprintf(out, "\nIts own figures of each sample:\n\n");
	for (const struct kernel_figure *f = k->figures; f && f->name; f++) {
		fprintf(out, "  %-14s %s\n", f->name, f->help);
		fprintf(out, "  %-14s %s%s%s of all threads\n", "", f->unit, *f->unit ? ", " : "",
			joins[f->join]);
	}
}

int report_help(const char *name, FILE *out, struct errors *e)
{
	const struct kernel *k = registry_find(name);
	const char *topics[] = {"keys", "quantities"};
	const char *nearest = registry_nearest(name), *lacks = k ? registry_lacks(k) : NULL;
	char loop[256];

	if (!strcmp(name, "keys")) {
		help_keys(out);
		return 0;
	}
	if (!strcmp(name, "quantities")) {
		help_quantities(out);
		return 0;
	}
	if (!k) {
		nearest = nearest ? nearest : text_nearest(name, topics, 2);
		error_unknown(e, STATUS_USAGE, NOWHERE, nearest, "unknown kernel '%s'", name);
		return error_hint(e, "affinity --list shows every kernel; --help keys and --help "
				     "quantities the argument file");
	}
	fprintf(out, "%s: %s\n\n", registry_name(k), k->summary);
	print_work(k, out);
	fprintf(out, "Its loop, as built: %s.\n",
		registry_loop_text(registry_loop(k, NULL), loop, sizeof(loop)));
	if (lacks)
		fprintf(out, "It cannot run on this machine: %s.\n", lacks);
	if (k->params)
		fprintf(out, "\nIts parameters (one value, or one for each thread):\n\n");
	print_params(k->params, out);
	print_figures(k, out);
	fprintf(out, "\nParameters that every kernel has:\n\n");
	print_params(common_params, out);
	return 0;
}
