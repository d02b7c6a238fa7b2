/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes as text and as a table. */
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "programs/affinity-fleet/changes_documents.h"
#include "programs/affinity-fleet/report.h"

static void spreads(const struct findings *f, size_t group, FILE *out)
{
	const struct group *g = &f->groups[group];
	const struct changes *c = &f->changes[group];

	fprintf(out, "\n  figures  all nodes  (95 %%)              node to node  %s  least found\n",
		f->days > 0 ? "date to date" : "run to run  ");
	for (size_t r = 0; r < g->layout.resources; r++) {
		const struct fleet_common *all = &c->common[r];
		char *name = verdicts_set_name(g, f->in, 1 + r);
		size_t figures = 0;

		for (size_t k = 0; k < g->layout.figures; k++)
			figures += g->layout.resource[k] == r;
		fprintf(out, "  %7zu  %+9.1f  (%+6.1f to %+6.1f)  %12.1f  %12.1f  %11.1f  %s\n",
			figures, changes_per_cent(all->effect), changes_per_cent(all->low),
			changes_per_cent(all->high), all->between, c->shifts.noise[1 + r],
			changes_per_cent(c->shifts.found[1 + r]), name);
		free(name);
	}
	fprintf(out,
		"  (per cent: how much slower all nodes became, %s%s, and how these\n"
		"  changes spread; from %s of a node against the others; a node's change that is\n"
		"  found in 95 %% of the cases)\n",
		f->days > 0 ? "where that was most: from " : "after against before",
		f->days > 0 ? c->dates[c->split] : "", f->days > 0 ? "date to date" : "run to run");
}

static void changed_facts(const struct findings *f, const struct step_fact *at, FILE *out)
{
	const struct result *before = &f->in->results[at->before],
			    *after = &f->in->results[at->after];

	for (size_t i = 0; i < FACTS; i++)
		if (facts_changed(f->in->words.list[before->facts[i]],
			    f->in->words.list[after->facts[i]]))
			fprintf(out, "     %s was '%s', now '%s'\n", facts_names[i],
				f->in->words.list[before->facts[i]],
				f->in->words.list[after->facts[i]]);
}

static void node(const struct findings *f, size_t group, size_t node, FILE *out)
{
	const struct changes *c = &f->changes[group];
	const struct fleet_shift *v = &c->shifts.nodes[node];
	char *set = verdicts_set_name(&f->groups[group], f->in, v->set);

	fprintf(out, " - %s: %s", f->in->hosts.list[f->groups[group].hosts[node]],
		v->effect > 0 ? "SLOWER" : "quicker");
	if (f->days > 0)
		fprintf(out, " since %s", c->dates[v->split]);
	fprintf(out, ": %s: by %.1f %%", set, fabs(changes_per_cent(v->effect)));
	if (!isnan(v->low))
		fprintf(out, " (95 %%: %.1f to %.1f)",
			fabs(changes_per_cent(v->effect > 0 ? v->low : v->high)),
			fabs(changes_per_cent(v->effect > 0 ? v->high : v->low)));
	fputs(" against the others\n", out);
	if (!isnan(changes_least(c, v)))
		fprintf(out, "     least that is found in 95 %% of the cases: %.1f %%\n",
			changes_least(c, v));
	changed_facts(f, &c->at[node], out);
	free(set);
}

static void group(const struct findings *f, size_t i, FILE *out)
{
	const struct group *g = &f->groups[i];
	const struct changes *c = &f->changes[i];

	fleet_report_facts(g, f->in, f->hosts, out);
	if (c->refused) {
		fprintf(out, " - not judged: %s\n", c->refused);
		return;
	}
	fprintf(out, " - %zu figure%s in %zu experiment%s, %s to %s: %zu %s\n", g->layout.figures,
		text_s(g->layout.figures), g->nexperiments, text_s(g->nexperiments), c->dates[0],
		c->dates[c->series.dates - 1], c->series.dates, f->days > 0 ? "dates" : "runs");
	spreads(f, i, out);
	fputs("\n+ Nodes\n", out);
	for (size_t n = 0; n < g->nhosts; n++)
		if (c->shifts.nodes[n].changed)
			node(f, i, n, out);
	if (!c->slower && !c->quicker)
		fprintf(out, " - none of %zu nodes is found to have changed otherwise than all\n",
			g->nhosts - c->unknown);
	for (size_t n = 0; n < g->nhosts; n++)
		if (!c->shifts.nodes[n].known)
			fprintf(out, " - %s: not known: %s\n", f->in->hosts.list[g->hosts[n]],
				f->days > 0 ? "too few dates"
					    : "it has no cost both before and after");
}

void changes_report(const struct findings *f, FILE *out)
{
	fleet_report_head(f->in, out);
	for (size_t i = 0; i < f->count; i++)
		group(f, i, out);
	fleet_report_refused(f->in, f->hosts, out);
}

static void row(const struct findings *f, size_t group, size_t node, FILE *out)
{
	const struct changes *c = &f->changes[group];
	const struct fleet_shift *v = &c->shifts.nodes[node];
	char *set = verdicts_set_name(&f->groups[group], f->in, v->set);

	text_print_csv(f->in->hosts.list[f->groups[group].hosts[node]], out);
	fprintf(out, ",%zu,%s,", group + 1, changes_word(v));
	if (v->known) {
		text_print_csv(set, out);
		fprintf(out, ",%s", f->days > 0 ? c->dates[v->split] : "");
		fleet_csv_number(changes_per_cent(v->effect), out);
		fleet_csv_number(changes_per_cent(v->low), out);
		fleet_csv_number(changes_per_cent(v->high), out);
		fleet_csv_number(changes_least(c, v), out);
		fputs("\n", out);
	} else {
		fputs(",,,,,\n", out);
	}
	free(set);
}

void changes_csv(const struct findings *f, FILE *out)
{
	fputs("node,group,verdict,set,since,slower_percent,low_percent,high_percent,"
	      "least_found_percent\n",
		out);
	for (size_t i = 0; i < f->count; i++)
		for (size_t n = 0; n < f->groups[i].nhosts && !f->changes[i].refused; n++)
			row(f, i, n, out);
}
