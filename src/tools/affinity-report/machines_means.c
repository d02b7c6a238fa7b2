/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several machines in one table: geometric means of what each costs over what the first one costs.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "document/arguments.h"
#include "affinity-report/figures/grids.h"
#include "affinity-report/machines.h"

/* What a row of the table is made of. */
struct common {
	const char *bare;
	const struct document_table *table; /* of the first machine */
	bool rates;                         /* more of it is better: costs are their inverse */
	bool whole;                         /* of all work: vectors have to be of the same sizes */
};

/* The machine's document, if that is of the same work. */
static const struct document *like_first(
	const struct page *p, const struct common *c, size_t machine)
{
	const struct document *first = page_of_machine(p, 1, c->bare);
	const struct document *d = page_of_machine(p, machine, c->bare);
	bool same = d && document_same_arguments(first, d) &&
		    (!c->whole || page_same_sizes(first, d)) && !document_simulated(first) &&
		    !document_simulated(d);

	return same ? d : NULL;
}

static struct document_figure common_figure(
	const struct page *p, const struct common *c, size_t machine, size_t cell)
{
	const struct document *d = like_first(p, c, machine);
	const struct document_table *t = d ? page_same_table(d, c->table) : NULL;
	const size_t columns = c->table->columns.count;

	return t ? grids_cell(d, t, c->table->rows.list[cell / columns],
			   c->table->columns.list[cell % columns])
		 : (struct document_figure){.amount = AMOUNT_NONE};
}

static bool is_mean(const struct document_table *t, size_t cell)
{
	const size_t columns = t->columns.count;

	return t->mean && (cell / columns + 1 == t->rows.count ||
				  (columns > 1 && cell % columns + 1 == columns));
}

/* Do all machines that did this work have the figure? Means over other figures are not compared. */
static bool is_everywhere(const struct page *p, const struct common *c, size_t cell)
{
	bool has = !is_mean(c->table, cell);

	for (size_t m = 1; has && m <= p->results->machines.count; m++)
		has = !like_first(p, c, m) || common_figure(p, c, m, cell).amount.value > 0;
	return has;
}

/* Its samples are those of the worst figure. */
static struct document_figure mean_of(const struct page *p, const struct common *c, size_t machine)
{
	const size_t cells = c->table->rows.count * c->table->columns.count;
	struct amount *ratios = alloc_zeroed(cells + 1, sizeof(*ratios));
	struct trust worst = {.word = TRUST_FIRM};
	size_t n = 0;

	for (size_t i = 0; i < cells && like_first(p, c, machine); i++) {
		if (!is_everywhere(p, c, i))
			continue;
		const struct document_figure own = common_figure(p, c, machine, i),
					     first = common_figure(p, c, 1, i);

		worst = trust_worse(&worst, &own.trust);
		worst = trust_worse(&worst, &first.trust);
		ratios[n++] = machine == 1 ? AMOUNT_ONE
			      : c->rates   ? amount_ratio(first.amount, own.amount)
					   : amount_ratio(own.amount, first.amount);
	}
	struct amount mean = n ? amount_geometric_mean(ratios, n) : AMOUNT_NONE;

	free(ratios);
	return (struct document_figure){mean,
		machine == 1 ? (struct trust){.word = TRUST_FIRM} : trust_of(&worst.of, mean)};
}

static void add_row(const struct page *p, struct grid *g, const struct common *c)
{
	const size_t machines = p->results->machines.count;
	struct document_figure *means = alloc_zeroed(machines, sizeof(*means));
	char *title = caption_title(page_of_machine(p, 1, c->bare), c->table, NULL);
	bool any = false;

	for (size_t m = 0; m < machines; m++) {
		means[m] = mean_of(p, c, m + 1);
		any |= m && isfinite(means[m].amount.value);
	}
	if (any)
		grid_row(g, "%s: %s", c->bare, title);
	for (size_t m = 0; any && m < machines; m++)
		grids_put(g, m, means[m]);
	free(title);
	free(means);
}

/* Is it a table of costs or rates? Parts of costs and ratios say nothing of how quick a machine is.
 */
static bool is_comparable(const struct document_table *t)
{
	return t->shown == SHOWN_TABLE && !t->ranges &&
	       (grids_is_time(t->unit) || grids_is_rate(t->unit));
}

static void add_experiment(const struct page *p, struct grid *g, const char *bare)
{
	const struct document *d = page_of_machine(p, 1, bare);

	for (size_t i = 0; d && i < d->ntables; i++) {
		const struct document_table *t = &d->tables[i];
		const struct common c = {.bare = bare,
			.table = t,
			.rates = grids_direction(t) == HEAT_LESS_IS_WORSE,
			.whole = !strcmp(t->unit, "s")};

		if (is_comparable(t))
			add_row(p, g, &c);
	}
}

/* The mean of each machine over the rows that all of them have; `source` has the experiment of
 * each: its tables are of the same samples. */
static void add_all(const struct page *p, struct grid *g, const size_t *source)
{
	const size_t machines = p->results->machines.count, rows = g->nrows;
	struct amount *list = alloc_zeroed(rows + 1, sizeof(*list));
	struct document_figure *means = alloc_zeroed(machines, sizeof(*means));
	size_t *sources = alloc_zeroed(rows + 1, sizeof(*sources)), n = 0;

	for (size_t m = 0; m < machines; m++) {
		struct trust worst = {.word = TRUST_FIRM};

		n = 0;
		for (size_t i = 0; i < rows; i++) {
			bool all = true;

			for (size_t k = 0; k < machines; k++)
				all &= isfinite(g->rows[i].cells[k].value);
			sources[n] = source[i];
			if (!all)
				continue;
			list[n++] = g->rows[i].cells[m];
			worst = trust_worse(&worst, &g->rows[i].marks[m]);
		}
		means[m].amount = !n  ? AMOUNT_NONE
				  : m ? amount_mean_of_sources(list, sources, n)
				      : AMOUNT_ONE;
		if (m)
			means[m].trust = trust_of(&worst.of, means[m].amount);
	}
	g->mean = n > 1;
	if (g->mean)
		grid_row(g, "geometric mean of %zu rows", n);
	for (size_t m = 0; g->mean && m < machines; m++)
		grids_put(g, m, means[m]);
	free(list);
	free(sources);
	free(means);
}

static void add_row_of(struct finding *f, const char *name, const char *at,
	const struct grid_row *r, size_t machine)
{
	finding_figure(f, name, r->cells[machine], "");
	finding_text(f, at, "%s", r->head);
}

/* The mean of a machine, and the rows that are farthest from it. */
static void find_farthest(
	const struct page *p, const struct grid *g, size_t machine, struct finding_list *to)
{
	const size_t rows = g->nrows - g->mean;
	const struct grid_row *least = NULL, *most = NULL;

	for (size_t i = 0; i < rows; i++) {
		const double value = g->rows[i].cells[machine].value;

		if (isfinite(value) && (!least || value < least->cells[machine].value))
			least = &g->rows[i];
		if (isfinite(value) && (!most || value > most->cells[machine].value))
			most = &g->rows[i];
	}
	if (!least)
		return;
	struct finding *f = findings_add(to, FINDING_MACHINE);

	finding_text(f, "machine", "%s", p->results->machines.word[machine]);
	finding_text(f, "first", "%s", p->results->machines.word[0]);
	if (g->mean)
		finding_figure(f, "mean", g->rows[rows].cells[machine], "");
	add_row_of(f, "least", "least_at", least, machine);
	if (most != least)
		add_row_of(f, "most", "most_at", most, machine);
}

static void write_means(const struct page *p, struct grid *g, const size_t *source, FILE *out)
{
	char *caption =
		alloc_format("Cost over that of %s, geometric means", p->results->machines.word[0]);
	static const char begin[] = "<p class=compared>";
	static const struct finding_frame paragraphs = {begin, begin, "</p>\n"};
	struct finding_list found = {0};

	add_all(p, g, source);
	for (size_t m = 1; m < p->results->machines.count; m++)
		find_farthest(p, g, m, &found);
	findings_say(&found, FINDING_BESIDE, &paragraphs, SAY_HTML, out);
	findings_free(&found);
	html_figure_begin(out, "", caption);
	html_grid(out, g);
	fputs("<p class=note>More than 1 is worse, for rates too, which are inverted. Each "
	      "row "
	      "is the mean over the figures that all machines have whose arguments are the same, "
	      "and for costs of whole runs also the sizes of their vectors. Weak results are among "
	      "them: the sections below say which.</p>\n",
		out);
	html_figure_end(out);
	free(caption);
}

void page_machines_means(const struct page *p, const struct words *bare, FILE *out)
{
	struct grid g = {.corner = alloc_format("figures")};
	size_t *source = NULL, n = 0;

	for (size_t m = 0; m < p->results->machines.count; m++)
		grid_column(&g, "%s", p->results->machines.word[m]);
	for (size_t i = 0; i < bare->count; i++) {
		add_experiment(p, &g, bare->word[i]);
		while (n < g.nrows) {
			source = alloc_grow(source, n, sizeof(*source));
			source[n++] = i;
		}
	}
	if (g.nrows)
		write_means(p, &g, source, out);
	else
		fputs("<p class=missing>No geometric means: no table of times or rates is of the "
		      "same arguments on several machines that are not simulated.</p>\n",
			out);
	free(source);
	grid_free(&g);
}
