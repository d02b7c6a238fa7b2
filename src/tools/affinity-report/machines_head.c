/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The head of a page of several machines: what each of them is, a column for each. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "affinity-report/page.h"

/* The newest document of a machine; NULL: nothing was measured there. */
static const struct document *newest_of(const struct page *p, size_t machine)
{
	const struct document *newest = NULL;

	for (size_t i = 0; i < p->results->ndocuments; i++) {
		const struct document *d = &p->results->documents[i].document;

		if (p->results->documents[i].machine == machine &&
			(!newest || strcmp(document_fact(d, "date"),
					    document_fact(newest, "date")) >= 0))
			newest = d;
	}
	return newest;
}

/* Writes the cell of a machine of which d is the newest document. */
typedef void cell_writer(const struct page *p, size_t machine, const struct document *d, FILE *out);

static void write_machine_nodes(
	const struct page *p, size_t machine, const struct document *d, FILE *out)
{
	(void)p;
	(void)machine;
	html_text(out, document_fact(d, "topology"));
}

static void write_machine_measured(
	const struct page *p, size_t machine, const struct document *d, FILE *out)
{
	const char *date = document_fact(d, "date"), *hours = strchr(date, 'T');

	(void)p;
	(void)machine;
	html_text_n(out, date, hours ? (size_t)(hours - date) : strlen(date));
	if (hours)
		html(out, "&nbsp;%.*s&nbsp;UTC",
			(int)(strcspn(hours + 1, "Z") < 5 ? strcspn(hours + 1, "Z") : 5),
			hours + 1);
}

static void conditions(const struct page *p, size_t machine, const struct document *d, FILE *out)
{
	if (document_simulated(d))
		fputs("<span class=simulated>simulated machine</span>", out);
	page_conditions_of(p, machine, out);
}

static void experiments(const struct page *p, size_t machine, const struct document *d, FILE *out)
{
	size_t n = 0, counts[TRUST_WEAK + 1] = {0};

	(void)d;
	for (size_t i = 0; i < p->results->ndocuments; i++)
		if (p->results->documents[i].machine == machine) {
			counts[document_quality_of(&p->results->documents[i].document).word]++;
			n++;
		}
	fprintf(out, "%zu: %zu firm, %zu fair, %zu weak", n, counts[TRUST_FIRM], counts[TRUST_FAIR],
		counts[TRUST_WEAK]);
}

/* What a row shows: a fact of the documents, or what is written. */
static const struct {
	const char *head, *fact;
	cell_writer *write;
	bool of_files; /* only there: a folder has several */
} rows[] = {
	{"measured", NULL, write_machine_measured, true},
	{"machine", NULL, write_machine_nodes, false},
	{"CPU", "cpu_model", NULL, false},
	{"caches", "caches", NULL, false},
	{"kernel", "kernel", NULL, false},
	{"affinity", "affinity_version", NULL, false},
	{"conditions", NULL, conditions, false},
	{"experiments", NULL, experiments, false},
};

static void write_machine_cell(const struct page *p, size_t machine, size_t row, FILE *out)
{
	const struct document *d = newest_of(p, machine);

	fputs("<td>", out);
	if (!d)
		fputs("nothing was measured", out);
	else if (rows[row].fact)
		html_text(out, document_fact(d, rows[row].fact));
	else
		rows[row].write(p, machine, d, out);
	fputs("</td>", out);
}

void page_each_machine(const struct page *p, FILE *out)
{
	fputs("<div class=scroll tabindex=0 role=region aria-label='The machines'>"
	      "<table class='facts machines'><thead><tr><td></td>",
		out);
	for (size_t m = 0; m < p->results->machines.count; m++)
		html(out, "<th scope=col>%s</th>", p->results->machines.word[m]);
	fputs("</tr></thead><tbody>\n", out);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (rows[i].of_files && !p->results->of_files)
			continue;
		fprintf(out, "<tr><th scope=row>%s</th>", rows[i].head);
		for (size_t m = 1; m <= p->results->machines.count; m++)
			write_machine_cell(p, m, i, out);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table></div>\n", out);
}
