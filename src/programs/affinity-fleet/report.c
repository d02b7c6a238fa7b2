/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The text report. */
#include "programs/affinity-fleet/report.h"

#include <math.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "base/text.h"

void fleet_report_head(const struct intake *in, FILE *out)
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

void fleet_report_facts(
	const struct group *g, const struct intake *in, const struct host *hosts, FILE *out)
{
	const size_t *facts = in->results[hosts[g->hosts[0]].newest].facts;

	fprintf(out, "\n+ %zu like nodes\n", g->nhosts);
	for (size_t i = 0; i < g->alike; i++)
		if (facts_recorded(in->words.list[facts[i]]))
			fprintf(out, " - %s: %s\n", facts_names[i], in->words.list[facts[i]]);
}

static void kind_of(
	const struct group *g, const struct intake *in, const struct host *hosts, FILE *out)
{
	fleet_report_facts(g, in, hosts, out);
	fprintf(out, " - %zu figure%s in %zu experiment%s, %zu run%s a node", g->layout.figures,
		text_s(g->layout.figures), g->nexperiments, text_s(g->nexperiments), g->nruns,
		text_s(g->nruns));
	if (g->older)
		fprintf(out, "; %zu older result%s not used", g->older,
			g->older == 1 ? " is" : "s are");
	fputs("\n", out);
}

/* "%*.1f", or what is there instead. */
static void number(double value, const char *missing, FILE *out)
{
	if (isfinite(value))
		fprintf(out, "  %13.2f", value);
	else
		fprintf(out, "  %13s", missing);
}

/* " by 3 %: needs 5 more fresh runs;" for what three of them do not find. */
static int tell_claims(const struct spread *s, double tolerance, FILE *out)
{
	int told = 0;

	for (int i = 0; i < VERDICTS_CLAIMS; i++) {
		const size_t runs = s->runs_for[i];

		if (verdicts_claims[i] <= tolerance || (runs && runs <= VERDICTS_FRESH))
			continue;
		fprintf(out, "%s %g %%", told++ ? ";" : "", verdicts_claims[i]);
		if (runs)
			fprintf(out, " needs %zu more fresh run%s", runs - VERDICTS_FRESH,
				text_s(runs - VERDICTS_FRESH));
		else
			fprintf(out, " not possible: healthy nodes differ by %.1f %%", s->healthy);
	}
	return told;
}

/* What the fleet at hand cannot bear. */
static void unbearable(const struct group *g, const struct verdicts *v, const struct intake *in,
	double tolerance, FILE *out)
{
	bool any = false;

	for (size_t r = 0; r < g->layout.resources; r++) {
		const struct spread *s = &v->spreads[r];
		struct buffer text;
		FILE *words = buffer_open(&text);
		const int told = isfinite(s->least) ? tell_claims(s, tolerance, words) : 0;
		char *name = verdicts_set_name(g, in, 1 + r);

		buffer_close(&text, words);
		if (told)
			fprintf(out, "%s  %s:%s\n",
				any ? "" : "\n  not found by three fresh runs, slower by\n", name,
				text.data);
		any |= told > 0;
		free(name);
		free(text.data);
	}
}

static void spreads(
	const struct group *g, const struct verdicts *v, const struct intake *in, FILE *out)
{
	fprintf(out, "\n  figures  between nodes     run to run    least found\n");
	for (size_t r = 0; r < g->layout.resources; r++) {
		const struct spread *s = &v->spreads[r];
		char *name = verdicts_set_name(g, in, 1 + r);

		fprintf(out, "  %7zu", s->figures);
		number(s->between, "-", out);
		number(s->within, "one run", out);
		number(s->least, "-", out);
		fprintf(out, "  %s\n", name);
		free(name);
	}
	fputs("  (per cent: standard deviations of the median figure; the slowness of all its "
	      "figures\n  that three fresh runs find in 95 % of the cases)\n",
		out);
	if (g->nruns < 2)
		fputs("  one run of each node does not tell the spread from run to run: measure "
		      "all nodes once more\n",
			out);
}

/* What differs from most of the group. */
static void differences(const struct group *g, const struct intake *in, const struct host *hosts,
	size_t host, FILE *out)
{
	const size_t *facts = in->results[hosts[host].newest].facts;

	for (size_t i = FACTS_ALIKE; i < FACTS; i++) {
		const size_t usual = group_usual(g, in, hosts, i);

		if (facts[i] != usual)
			fprintf(out, "     %s is '%s', of most '%s'\n", facts_names[i],
				in->words.list[facts[i]], in->words.list[usual]);
	}
}

static void slower_by(const struct node_verdict *v, FILE *out)
{
	fprintf(out, "slower by %.1f %%", v->effect);
	if (!isnan(v->low))
		fprintf(out, " (95 %%: %.1f to %.1f; %zu fresh runs)", v->low, v->high, v->fresh);
	fprintf(out, "; the others: %+.1f to %+.1f %%\n", v->others_low, v->others_high);
}

static void node(const struct group *g, const struct node_verdict *v, const struct intake *in,
	const struct host *hosts, FILE *out)
{
	char *set = verdicts_set_name(g, in, v->set);

	fprintf(out, " - %s: %s: %s: ", in->hosts.list[v->host],
		v->kind == VERDICT_SLOW ? "SLOW" : verdicts_words[v->kind], set);
	slower_by(v, out);
	if (v->kind == VERDICT_CLEARED)
		fprintf(out, "     %zu fresh runs %s\n", v->fresh,
			v->small ? "show it again, below the tolerance" : "do not show it again");
	if (v->kind != VERDICT_SUSPECT && !isnan(v->least))
		fprintf(out, "     least that is found in 95 %% of the cases: %.1f %%\n", v->least);
	differences(g, in, hosts, v->host, out);
	free(set);
}

static void conclusion(const struct group *g, const struct verdicts *v, FILE *out)
{
	const size_t suspects = v->counts[VERDICT_SUSPECT];

	if (!suspects && !v->counts[VERDICT_SLOW])
		fprintf(out, " - none of %zu nodes is found slow\n", g->nhosts);
	if (suspects)
		fprintf(out,
			"\n  a suspect is not known to be slow: 5 %% of healthy nodes are "
			"suspects. Run "
			"%s\n  three more times, and add the results with --fresh\n",
			suspects == 1 ? "it" : "these");
}

void fleet_report_group(const struct group *g, const struct verdicts *v, const struct intake *in,
	const struct host *hosts, double tolerance, FILE *out)
{
	kind_of(g, in, hosts, out);
	spreads(g, v, in, out);
	unbearable(g, v, in, tolerance, out);
	fputs("\n+ Nodes\n", out);
	for (int kind = VERDICT_SLOW; kind > VERDICT_ALIKE; kind--)
		for (size_t i = 0; i < g->nhosts; i++)
			if ((int)v->nodes[i].kind == kind)
				node(g, &v->nodes[i], in, hosts, out);
	conclusion(g, v, out);
}

void fleet_report_refused(const struct intake *in, const struct host *hosts, FILE *out)
{
	bool any = false;

	for (size_t i = 0; i < in->hosts.count; i++) {
		if (!hosts[i].refused)
			continue;
		fputs(any ? "" : "\n+ Not judged\n", out);
		fprintf(out, " - %s: %s\n", in->hosts.list[i], hosts[i].refused);
		any = true;
	}
}

void fleet_report_suspects(const struct verdicts *v, const struct intake *in, FILE *out)
{
	const size_t all = v->counts[VERDICT_ALIKE] + v->counts[VERDICT_SUSPECT] +
			   v->counts[VERDICT_CLEARED] + v->counts[VERDICT_SLOW];

	for (size_t i = 0; i < all; i++)
		if (v->nodes[i].kind == VERDICT_SUSPECT)
			fprintf(out, "%s\n", in->hosts.list[v->nodes[i].host]);
}
