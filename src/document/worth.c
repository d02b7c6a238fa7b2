/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The worth of the model, for people. */
#include "document/worth.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"

static void cell(double part, FILE *out)
{
	if (isfinite(part))
		fprintf(out, " %9.1f", 100 * part);
	else
		fprintf(out, " %9s", "-");
}

static void row(const struct worth_row *r, FILE *out)
{
	fprintf(out, "%-28s %7zu", r->name, r->all.figures);
	cell(r->all.median, out);
	cell(r->all.p90, out);
	fprintf(out, " %11zu", r->interacting.figures);
	cell(r->interacting.median, out);
	cell(r->interacting.p90, out);
	cell(r->covered, out);
	fprintf(out, " %5zu of %-4zu", r->best, r->decisions);
	cell(r->most_lost, out);
	fprintf(out, "\n");
}

char *worth_text(const struct worth *w)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
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
		row(&w->rows[i], out);
	if (!fclose(out))
		return text;
	return NULL;
}
