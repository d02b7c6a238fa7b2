/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text report. */
#include <math.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/text.h"
#include "affinity-fleet/documents.h"

/* What was read. */
static void print_head(const struct intake *in, FILE *out)
{
	size_t fresh = 0, before = 0, left_out = 0;

	for (size_t i = 0; i < in->count; i++) {
		fresh += in->results[i].role == ROLE_FRESH;
		before += in->results[i].role == ROLE_BEFORE;
		left_out += in->results[i].left_out;
	}
	fprintf(out, "+ Fleet\n - %zu result%s of %zu node%s", in->count, text_s(in->count),
		in->hosts.count, text_s(in->hosts.count));
	if (fresh)
		fprintf(out, ", %zu of them fresh runs", fresh);
	if (before)
		fprintf(out, ", %zu of them before", before);
	if (left_out)
		fprintf(out, ", %zu left out", left_out);
	fputs("\n", out);
	if (in->disturbed)
		fprintf(out, " - %zu operation%s must be measured again, and %s not used\n",
			in->disturbed, text_s(in->disturbed), in->disturbed == 1 ? "is" : "are");
}

/* What the nodes of a group have in common. */
static void print_facts(const struct findings *f, size_t i, FILE *out)
{
	fprintf(out, "\n+ %zu like nodes\n", f->groups[i].nhosts);
	for (size_t k = 0; k < f->groups[i].alike; k++)
		if (findings_common(f, i, k))
			fprintf(out, " - %s: %s\n", facts_names[k], findings_common(f, i, k));
}

static void print_figures(const struct group *g, FILE *out)
{
	fprintf(out, " - %zu figure%s in %zu experiment%s, ", g->layout.figures,
		text_s(g->layout.figures), g->nexperiments, text_s(g->nexperiments));
}

/* What a node's facts say of the verdict. */
static void print_other_facts(const struct findings *f, const struct node_finding *n, FILE *out)
{
	const char *pair[2];

	for (size_t i = 0; i < FACTS; i++)
		if (findings_other_fact(f, n, i, pair))
			fprintf(out, "     %s %s '%s', %s '%s'\n", facts_names[i],
				f->changes ? "was" : "is", pair[0], f->changes ? "now" : "of most",
				pair[1]);
}

static void print_least(const struct node_finding *n, FILE *out)
{
	if (!isnan(n->least))
		fprintf(out, "     least that is found in 95 %% of the cases: %.1f %%\n", n->least);
}

/* ---- nodes beside each other */

/* "%*.2f", or what is there instead. */
static void print_number(double value, const char *missing, FILE *out)
{
	if (isfinite(value))
		fprintf(out, "  %13.2f", value);
	else
		fprintf(out, "  %13s", missing);
}

/* " by 3 %: needs 5 more fresh runs;" for what three of them do not find. */
static int print_claims(const struct resource_finding *s, double tolerance, FILE *out)
{
	int printed = 0;

	for (int i = 0; i < VERDICTS_CLAIMS; i++) {
		const size_t runs = s->runs_for[i];

		if (verdicts_claims[i] <= tolerance || (runs && runs <= VERDICTS_FRESH))
			continue;
		fprintf(out, "%s %g %%", printed++ ? ";" : "", verdicts_claims[i]);
		if (runs)
			fprintf(out, " needs %zu more fresh run%s", runs - VERDICTS_FRESH,
				text_s(runs - VERDICTS_FRESH));
		else
			fprintf(out, " not possible: healthy nodes differ by %.1f %%", s->healthy);
	}
	return printed;
}

/* What the fleet at hand cannot bear. */
static void print_unbearable(const struct findings *f, size_t i, FILE *out)
{
	bool any = false;

	for (size_t r = 0; r < f->groups[i].layout.resources; r++) {
		const struct resource_finding *s = &f->judged[i].resources[r];
		struct buffer text;
		FILE *words = buffer_open(&text);
		const int printed = isfinite(s->least) ? print_claims(s, f->tolerance, words) : 0;

		buffer_close(&text, words);
		if (printed)
			fprintf(out, "%s  %s:%s\n",
				any ? "" : "\n  not found by three fresh runs, slower by\n",
				s->name, text.data);
		any |= printed > 0;
		free(text.data);
	}
}

static void print_spreads(const struct findings *f, size_t i, FILE *out)
{
	fprintf(out, "\n  figures  between nodes     run to run    least found\n");
	for (size_t r = 0; r < f->groups[i].layout.resources; r++) {
		const struct resource_finding *s = &f->judged[i].resources[r];

		fprintf(out, "  %7zu", s->figures);
		print_number(s->between, "-", out);
		print_number(s->within, "one run", out);
		print_number(s->least, "-", out);
		fprintf(out, "  %s\n", s->name);
	}
	fputs("  (per cent: standard deviations of the median figure; the slowness of all its "
	      "figures\n  that three fresh runs find in 95 % of the cases)\n",
		out);
	if (f->groups[i].nruns < 2)
		fputs("  one run of each node does not tell the spread from run to run: measure "
		      "all nodes once more\n",
			out);
}

static void print_node(const struct findings *f, const struct node_finding *n, FILE *out)
{
	fprintf(out, " - %s: %s: %s: slower by %.1f %%", n->node,
		n->kind == VERDICT_SLOW ? "SLOW" : n->word, n->set, n->slower.value);
	if (!isnan(n->slower.low))
		fprintf(out, " (95 %%: %.1f to %.1f; %zu fresh runs)", n->slower.low,
			n->slower.high, n->fresh);
	fprintf(out, "; the others: %+.1f to %+.1f %%\n", n->others_low, n->others_high);
	if (n->kind == VERDICT_CLEARED)
		fprintf(out, "     %zu fresh runs %s\n", n->fresh,
			n->small ? "show it again, below the tolerance" : "do not show it again");
	if (n->kind != VERDICT_SUSPECT)
		print_least(n, out);
	print_other_facts(f, n, out);
}

static void print_conclusion(const struct judged *j, size_t nodes, FILE *out)
{
	const size_t suspects = j->counts[VERDICT_SUSPECT];

	if (!suspects && !j->counts[VERDICT_SLOW])
		fprintf(out, " - none of %zu nodes is found slow\n", nodes);
	if (suspects)
		fprintf(out,
			"\n  a suspect is not known to be slow: 5 %% of healthy nodes are "
			"suspects. Run "
			"%s\n  three more times, and add the results with --fresh\n",
			suspects == 1 ? "it" : "these");
}

static void print_verdicts(const struct findings *f, size_t i, FILE *out)
{
	const struct group *g = &f->groups[i];
	const struct judged *j = &f->judged[i];

	print_figures(g, out);
	fprintf(out, "%zu run%s a node", g->nruns, text_s(g->nruns));
	if (g->older)
		fprintf(out, "; %zu older result%s not used", g->older,
			g->older == 1 ? " is" : "s are");
	fputs("\n", out);
	print_spreads(f, i, out);
	print_unbearable(f, i, out);
	fputs("\n+ Nodes\n", out);
	for (int kind = VERDICT_SLOW; kind > VERDICT_ALIKE; kind--)
		for (size_t k = 0; k < g->nhosts; k++)
			if ((int)j->nodes[k].kind == kind)
				print_node(f, &j->nodes[k], out);
	print_conclusion(j, g->nhosts, out);
}

/* ---- over time */

static void print_common(const struct findings *f, size_t i, FILE *out)
{
	const struct judged *j = &f->judged[i];

	fprintf(out, "\n  figures  all nodes  (95 %%)              node to node  %s  least found\n",
		f->days > 0 ? "date to date" : "run to run  ");
	for (size_t r = 0; r < f->groups[i].layout.resources; r++) {
		const struct resource_finding *s = &j->resources[r];

		fprintf(out, "  %7zu  %+9.1f  (%+6.1f to %+6.1f)  %12.1f  %12.1f  %11.1f  %s\n",
			s->figures, s->all.value, s->all.low, s->all.high, s->between, s->within,
			s->least, s->name);
	}
	fprintf(out,
		"  (per cent: how much slower all nodes became, %s%s, and how these\n"
		"  changes spread; from %s of a node against the others; a node's change that is\n"
		"  found in 95 %% of the cases)\n",
		f->days > 0 ? "where that was most: from " : "after against before",
		f->days > 0 ? j->dates[j->split] : "", f->days > 0 ? "date to date" : "run to run");
}

static void print_change(const struct findings *f, const struct node_finding *n, FILE *out)
{
	const bool slower = n->kind == VERDICT_SLOWER;

	fprintf(out, " - %s: %s", n->node, slower ? "SLOWER" : n->word);
	if (n->since)
		fprintf(out, " since %s", n->since);
	fprintf(out, ": %s: by %.1f %%", n->set, fabs(n->slower.value));
	if (!isnan(n->slower.low))
		fprintf(out, " (95 %%: %.1f to %.1f)",
			fabs(slower ? n->slower.low : n->slower.high),
			fabs(slower ? n->slower.high : n->slower.low));
	fputs(" against the others\n", out);
	print_least(n, out);
	print_other_facts(f, n, out);
}

static void print_changes(const struct findings *f, size_t i, FILE *out)
{
	const struct group *g = &f->groups[i];
	const struct judged *j = &f->judged[i];

	if (j->refused) {
		fprintf(out, " - not judged: %s\n", j->refused);
		return;
	}
	print_figures(g, out);
	fprintf(out, "%s to %s: %zu %s\n", j->dates[0], j->dates[j->ndates - 1], j->ndates,
		f->days > 0 ? "dates" : "runs");
	print_common(f, i, out);
	fputs("\n+ Nodes\n", out);
	for (size_t n = 0; n < g->nhosts; n++)
		if (j->nodes[n].kind >= VERDICT_QUICKER)
			print_change(f, &j->nodes[n], out);
	if (!j->counts[VERDICT_SLOWER] && !j->counts[VERDICT_QUICKER])
		fprintf(out, " - none of %zu nodes is found to have changed otherwise than all\n",
			g->nhosts - j->counts[VERDICT_UNKNOWN]);
	for (size_t n = 0; n < g->nhosts; n++)
		if (j->nodes[n].kind == VERDICT_UNKNOWN)
			fprintf(out, " - %s: not known: %s\n", j->nodes[n].node,
				f->days > 0 ? "too few dates"
					    : "it has no cost both before and after");
}

static void print_refused(const struct findings *f, FILE *out)
{
	bool any = false;

	for (size_t i = 0; i < f->in->hosts.count; i++) {
		if (!f->hosts[i].refused)
			continue;
		fputs(any ? "" : "\n+ Not judged\n", out);
		fprintf(out, " - %s: %s\n", f->in->hosts.list[i], f->hosts[i].refused);
		any = true;
	}
}

void fleet_report(const struct findings *f, FILE *out)
{
	print_head(f->in, out);
	for (size_t i = 0; i < f->count; i++) {
		print_facts(f, i, out);
		if (f->changes)
			print_changes(f, i, out);
		else
			print_verdicts(f, i, out);
	}
	print_refused(f, out);
}

void fleet_suspects(const struct findings *f, FILE *out)
{
	for (size_t i = 0; i < f->count; i++)
		for (size_t k = 0; k < f->groups[i].nhosts; k++)
			if (f->judged[i].nodes[k].kind == VERDICT_SUSPECT)
				fprintf(out, "%s\n", f->judged[i].nodes[k].node);
}
