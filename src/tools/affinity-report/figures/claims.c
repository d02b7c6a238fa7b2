/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The claims of an experiment with their verdicts. */
#include <math.h>
#include <string.h>

#include "affinity-report/figures/figures.h"

static void text_cell(FILE *out, const char *text)
{
	html(out, "<td>%s</td>", text);
}

static void write_claim_side(FILE *out, struct amount a, const char *unit)
{
	fputs("<td>", out);
	html_amount(out, a);
	if (isfinite(a.value) && *unit)
		html(out, " %s", unit);
	fputs("</td>", out);
}

static void write_claim_figure(FILE *out, const struct document_claim *c)
{
	if (!isfinite(c->figure.value)) {
		fputs("<td>" HTML_MISSING "</td>", out);
		return;
	}
	fprintf(out, "<td>%.4g", c->figure.value);
	if (isfinite(c->figure.low))
		fprintf(out, ", %.4g to %.4g", c->figure.low, c->figure.high);
	fprintf(out, "%s</td>", strcmp(c->figure_is, "left - right") ? "" : " (difference)");
}

static void test(const struct document_claim *c, bool first, FILE *out)
{
	if (first)
		html(out, "<tr><th scope=rowgroup colspan=6><code>%s</code></th></tr>\n", c->claim);
	html(out, "<tr><th scope=row>%s</th>", c->label);
	text_cell(out, c->verdict);
	write_claim_side(out, c->left.value, c->unit);
	write_claim_side(out, c->right.value, c->unit);
	write_claim_figure(out, c);
	text_cell(out, c->reason ? c->reason : "");
	fputs("</tr>\n", out);
}

void page_claims(const struct document *d, FILE *out)
{
	if (!d->nclaims)
		return;
	html_figure_begin(out, "", "What this experiment claims, judged by confidence intervals");
	fputs("<div class=scroll><table class=facts><thead><tr><td></td><th>verdict</th>"
	      "<th>left</th><th>right</th><th>left over right</th><th>because</th></tr></thead>"
	      "<tbody>\n",
		out);
	for (size_t i = 0; i < d->nclaims; i++)
		test(&d->claims[i], !i || strcmp(d->claims[i - 1].claim, d->claims[i].claim), out);
	fprintf(out,
		"</tbody></table></div>\n<p>The intervals of the ratios hold together with %.6g "
		"%%, each with %.6g %%.</p>\n",
		d->claims_confidence * 100, d->claims_each * 100);
	html_figure_end(out);
}
