/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The worth of the model, as text and JSON. */
#include "forecast/worth.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/text.h"
#include "describe/describe.h"
#include "document/value.h"

/* In the order of the rows: two of the model, then the naive ones, and what was measured again. */
#define OF_MODEL 2
#define OF_RULES (WORTH_ROWS - 1)

static void print_worth_cell(double part, FILE *out)
{
	if (isfinite(part))
		fprintf(out, " %9.1f", 100 * part);
	else
		fprintf(out, " %9s", "-");
}

static void print_worth_row(const struct worth_row *r, FILE *out)
{
	fprintf(out, "%-28s %7zu", r->name, r->all.figures);
	print_worth_cell(r->all.median, out);
	print_worth_cell(r->all.p90, out);
	fprintf(out, " %11zu", r->interacting.figures);
	print_worth_cell(r->interacting.median, out);
	print_worth_cell(r->interacting.p90, out);
	print_worth_cell(r->covered, out);
	fprintf(out, " %5zu of %-4zu", r->best, r->decisions);
	print_worth_cell(r->most_lost, out);
	fprintf(out, "\n");
}

char *worth_disturbed(const struct worth *w)
{
	return w->left_disturbed
		       ? alloc_format("; %zu of %zu operations of the profile are disturbed and "
				      "teach nothing: --force takes them, or measure again while "
				      "nothing else runs",
				 w->left_disturbed, w->operations)
		       : alloc_format("%s", "");
}

static char *without_figures(const struct worth *w, size_t row)
{
	if (row >= OF_RULES)
		return alloc_format("no figure: no run of several threads was measured again in "
				    "another file: measure the profile twice, and name both: "
				    "--worth A,B");
	if (row >= OF_MODEL)
		return alloc_format("no figure: what its threads cost alone was not measured: "
				    "args/profile/03_alone.args");
	char *disturbed = worth_disturbed(w);
	char *why = alloc_format("no figure: %zu run%s of several threads, of %zu file%s, %s too "
				 "few to predict one from the others%s",
		w->runs, text_s(w->runs), w->files, text_s(w->files), w->runs == 1 ? "is" : "are",
		w->left_disturbed ? disturbed : ": scripts/ejec.sh args/profile measures more");

	free(disturbed);
	return why;
}

/* Why a row lacks figures, and what to do, to be freed; NULL: it lacks none. */
static char *find_lack(const struct worth *w, size_t row)
{
	const struct worth_row *r = &w->rows[row];

	if (!r->all.figures)
		return without_figures(w, row);
	return row < OF_MODEL && isnan(r->covered)
		       ? alloc_format("no interval: one of %g %% needs the residuals of %.0f other "
				      "runs",
				 100 * w->confidence,
				 ceil(w->confidence / (1 - w->confidence) - 1e-9))
		       : NULL;
}

static void lacks(const struct worth *w, FILE *out)
{
	for (size_t i = 0, any = 0; i < WORTH_ROWS; i++) {
		char *why = find_lack(w, i);

		if (why)
			fprintf(out, "%s%s: %s\n", any++ ? "" : "\n", w->rows[i].name, why);
		free(why);
	}
}

char *worth_text(const struct worth *w)
{
	struct buffer text;
	FILE *out = buffer_open(&text);

	fprintf(out, "WORTH of the model: each figure is predicted by what was measured without "
		     "it\n");
	if (w->other_machine || w->simulated || w->disturbed)
		fprintf(out, "the profile is%s%s%s\n",
			w->other_machine ? " of another machine" : "",
			w->simulated ? " simulated" : "", w->disturbed ? " disturbed" : "");
	fprintf(out,
		"%zu figure%s of threads together, of %zu file%s; |predicted / measured - 1| in "
		"%%, "
		"intervals of %g %%\ninteracting: over %g %% off the thread alone; best: how often "
		"the best placement is chosen; lost: by the worst choice, %%\n\n",
		w->figures, text_s(w->figures), w->files, text_s(w->files), 100 * w->confidence,
		100 * w->interacts);
	fprintf(out, "%-28s %7s %9s %9s %11s %9s %9s %9s %-13s %9s\n", "predictor", "figures",
		"median", "90 %", "interacting", "median", "90 %", "covered", "      best", "lost");
	for (size_t i = 0; i < WORTH_ROWS; i++)
		print_worth_row(&w->rows[i], out);
	lacks(w, out);
	return buffer_text(&text, out);
}

static json_t *json_of_lacks(const struct worth *w, size_t row)
{
	char *why = find_lack(w, row);
	json_t *found = why ? json_string(why) : json_null();

	free(why);
	return found;
}

static json_t *errors_of(const struct worth_errors *e)
{
	return json_pack("{s:I, s:o, s:o}", "figures", (json_int_t)e->figures, "median",
		value_number(e->median), "p90", value_number(e->p90));
}

char *worth_json(const struct worth *w)
{
	json_t *o = describe_begin("affinity --worth"), *rows = json_array();

	for (size_t i = 0; i < WORTH_ROWS; i++) {
		const struct worth_row *r = &w->rows[i];

		json_array_append_new(rows,
			json_pack("{s:s, s:o, s:o, s:o, s:I, s:I, s:o, s:o}", "predictor", r->name,
				"all", errors_of(&r->all), "interacting",
				errors_of(&r->interacting), "covered", value_number(r->covered),
				"decisions", (json_int_t)r->decisions, "best", (json_int_t)r->best,
				"most_lost", value_number(r->most_lost), "lacks",
				json_of_lacks(w, i)));
	}
	json_object_update_new(
		o, json_pack("{s:I, s:I, s:I, s:I, s:f, s:f, s:b, s:b, s:b, s:o}", "files",
			   (json_int_t)w->files, "figures", (json_int_t)w->figures, "operations",
			   (json_int_t)w->operations, "left_disturbed",
			   (json_int_t)w->left_disturbed, "interacts", w->interacts, "confidence",
			   w->confidence, "other_machine", w->other_machine, "simulated",
			   w->simulated, "disturbed", w->disturbed, "rows", rows));
	return describe_text(o);
}
