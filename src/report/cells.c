/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells of the text report. */
#include "report/cells.h"

#include <math.h>
#include <string.h>

void report_cell(FILE *out, int width, int digits, double value)
{
	if (isfinite(value))
		fprintf(out, " %*.*f", width, digits, value);
	else
		fprintf(out, " %*s", width, "n/a");
}

int report_label_width(const struct plan *p)
{
	int width = 14;

	for (int i = 0; i < p->nops; i++)
		width = (int)strlen(p->ops[i].label) > width ? (int)strlen(p->ops[i].label) : width;
	return width;
}
