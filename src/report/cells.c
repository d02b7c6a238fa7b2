/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells of the text report. */
#include "report/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/trust.h"
#include "plan/held.h"

void report_cell(FILE *out, int width, int digits, double value)
{
	if (isfinite(value))
		fprintf(out, " %*.*f", width, digits, value);
	else
		fprintf(out, " %*s", width, "n/a");
}

void report_held(const char *words, FILE *out)
{
	if (*words)
		fprintf(out, " (%s)", words);
}

void report_held_together(const struct plan *p, int op, FILE *out)
{
	char all[256];

	report_held(held_together(p, &p->ops[op], all, sizeof(all)), out);
}

void report_mark(const struct samples *r, int op, int who, FILE *out)
{
	struct trust t;

	if (trust_of_row(r, op, who, &t))
		return;
	char *text = trust_text(&t);

	fprintf(out, " | %s", text);
	free(text);
}

int report_label_width(const struct plan *p)
{
	int width = 14;

	for (int i = 0; i < p->nops; i++)
		width = (int)strlen(p->ops[i].label) > width ? (int)strlen(p->ops[i].label) : width;
	return width;
}
