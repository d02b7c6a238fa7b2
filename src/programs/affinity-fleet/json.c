/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The JSON document. */
#include <math.h>
#include <stdlib.h>

#include "base/version.h"
#include "programs/affinity-fleet/documents.h"

json_t *fleet_json_owned(char *text)
{
	json_t *value = value_string(text);

	free(text);
	return value;
}

json_t *fleet_json_facts(const struct findings *f, const struct group *g)
{
	const size_t *facts = f->in->results[f->hosts[g->hosts[0]].newest].facts;
	json_t *o = json_object();

	for (size_t i = 0; i < g->alike; i++)
		json_object_set_new(o, facts_names[i], value_string(f->in->words.list[facts[i]]));
	return o;
}

/* What three fresh runs and more find. */
static json_t *claims(const struct spread *s)
{
	json_t *list = json_array();

	for (int i = 0; i < VERDICTS_CLAIMS && isfinite(s->least); i++)
		json_array_append_new(
			list, json_pack("{s:f, s:o}", "slower_by_percent", verdicts_claims[i],
				      "fresh_runs",
				      s->runs_for[i] ? json_integer((json_int_t)s->runs_for[i])
						     : json_null()));
	return list;
}

static json_t *spreads(const struct findings *f, const struct group *g, const struct verdicts *v)
{
	json_t *list = json_array();

	for (size_t r = 0; r < g->layout.resources; r++) {
		const struct spread *s = &v->spreads[r];

		json_array_append_new(list,
			json_pack("{s:o, s:I, s:o, s:o, s:o, s:o}", "resource",
				fleet_json_owned(verdicts_set_name(g, f->in, 1 + r)), "figures",
				(json_int_t)s->figures, "between_percent", value_number(s->between),
				"within_percent", value_number(s->within), "least_found_percent",
				value_number(s->least), "claims", claims(s)));
	}
	return list;
}

static json_t *medians(const struct findings *f, const struct group *g, const struct verdicts *v)
{
	const size_t first = fleet_sets(&g->layout) - g->layout.figures;
	json_t *list = json_array();

	for (size_t i = 0; i < g->layout.figures; i++)
		json_array_append_new(
			list, json_pack("{s:o, s:o, s:o, s:o}", "figure",
				      fleet_json_owned(verdicts_set_name(g, f->in, first + i)),
				      "median_s", value_number(v->figures[i].median_s),
				      "between_percent", value_number(v->figures[i].between),
				      "within_percent", value_number(v->figures[i].within)));
	return list;
}

/* {fact: {node, most}} where the node is unlike most. */
static json_t *differs(const struct findings *f, const struct group *g, size_t host)
{
	const size_t *facts = f->in->results[f->hosts[host].newest].facts;
	json_t *o = json_object();

	for (size_t i = FACTS_ALIKE; i < FACTS; i++) {
		const size_t usual = group_usual(g, f->in, f->hosts, i);

		if (facts[i] != usual)
			json_object_set_new(o, facts_names[i],
				json_pack("{s:o, s:o}", "node",
					value_string(f->in->words.list[facts[i]]), "most",
					value_string(f->in->words.list[usual])));
	}
	return o;
}

static json_t *node(const struct findings *f, const struct group *g, const struct node_verdict *v)
{
	return json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:I, s:o, s:o}", "node",
		value_string(f->in->hosts.list[v->host]), "verdict", verdicts_words[v->kind], "set",
		fleet_json_owned(verdicts_set_name(g, f->in, v->set)), "slower_percent",
		value_amount((struct amount){v->effect, v->low, v->high}), "others_low_percent",
		value_number(v->others_low), "others_high_percent", value_number(v->others_high),
		"score", value_number(v->score), "fresh_runs", (json_int_t)v->fresh,
		"least_found_percent", value_number(v->least), "differs",
		v->kind == VERDICT_ALIKE ? json_object() : differs(f, g, v->host));
}

static json_t *nodes(const struct findings *f, const struct group *g, const struct verdicts *v)
{
	json_t *list = json_array();

	for (size_t i = 0; i < g->nhosts; i++)
		json_array_append_new(list, node(f, g, &v->nodes[i]));
	return list;
}

static json_t *groups(const struct findings *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->count; i++) {
		const struct group *g = &f->groups[i];

		json_array_append_new(
			list, json_pack("{s:o, s:I, s:I, s:o, s:o, s:o}", "facts",
				      fleet_json_facts(f, g), "runs", (json_int_t)g->nruns,
				      "figures", (json_int_t)g->layout.figures, "spreads",
				      spreads(f, g, &f->verdicts[i]), "medians",
				      medians(f, g, &f->verdicts[i]), "nodes",
				      nodes(f, g, &f->verdicts[i])));
	}
	return list;
}

json_t *fleet_json_refused(const struct findings *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->in->hosts.count; i++)
		if (f->hosts[i].refused)
			json_array_append_new(list,
				json_pack("{s:o, s:o}", "node", value_string(f->in->hosts.list[i]),
					"reason", value_string(f->hosts[i].refused)));
	return list;
}

void documents_json(const struct findings *f, FILE *out)
{
	value_write(
		json_pack("{s:i, s:s, s:s, s:f, s:I, s:I, s:o, s:o, s:o}", "schema", 1, "program",
			"affinity-fleet", "affinity_version", AFFINITY_VERSION, "tolerance_percent",
			f->tolerance, "results", (json_int_t)f->in->count, "disturbed_operations",
			(json_int_t)f->in->disturbed, "groups", groups(f), "not_judged",
			fleet_json_refused(f), "warnings", value_messages(f->warnings)),
		out);
}
