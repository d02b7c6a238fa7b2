/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Changes as a JSON document. */
#include <math.h>
#include <stdlib.h>

#include "base/version.h"
#include "document/value.h"
#include "programs/affinity-fleet/changes_documents.h"

static json_t *per_cent(double effect)
{
	return value_number(changes_per_cent(effect));
}

static json_t *interval(double effect, double low, double high)
{
	return json_pack("{s:o, s:o, s:o}", "value", per_cent(effect), "low", per_cent(low), "high",
		per_cent(high));
}

static json_t *resources(const struct findings *f, size_t group)
{
	const struct changes *c = &f->changes[group];
	json_t *list = json_array();

	for (size_t r = 0; r < f->groups[group].layout.resources; r++) {
		const struct fleet_common *all = &c->common[r];

		json_array_append_new(list,
			json_pack("{s:o, s:o, s:o, s:o, s:o}", "resource",
				fleet_json_owned(
					verdicts_set_name(&f->groups[group], f->in, 1 + r)),
				"all_slower_percent", interval(all->effect, all->low, all->high),
				"between_percent", value_number(all->between), "within_percent",
				value_number(c->shifts.noise[1 + r]), "least_found_percent",
				per_cent(c->shifts.found[1 + r])));
	}
	return list;
}

/* {fact: {before, after}} */
static json_t *facts(const struct findings *f, const struct step_fact *at)
{
	const struct result *before = &f->in->results[at->before],
			    *after = &f->in->results[at->after];
	json_t *o = json_object();

	for (size_t i = 0; i < FACTS; i++)
		if (facts_changed(f->in->words.list[before->facts[i]],
			    f->in->words.list[after->facts[i]]))
			json_object_set_new(o, facts_names[i],
				json_pack("{s:o, s:o}", "before",
					value_string(f->in->words.list[before->facts[i]]), "after",
					value_string(f->in->words.list[after->facts[i]])));
	return o;
}

static json_t *course(const struct changes *c, size_t node)
{
	json_t *list = json_array();

	for (size_t t = 0; t < c->series.dates; t++)
		json_array_append_new(
			list, per_cent(c->shifts.courses[node * c->series.dates + t]));
	return list;
}

static json_t *node(const struct findings *f, size_t group, size_t node)
{
	const struct changes *c = &f->changes[group];
	const struct fleet_shift *v = &c->shifts.nodes[node];
	json_t *o = json_pack("{s:o, s:s}", "node",
		value_string(f->in->hosts.list[f->groups[group].hosts[node]]), "verdict",
		changes_word(v));

	if (v->known)
		json_object_update_new(
			o, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "set",
				   fleet_json_owned(
					   verdicts_set_name(&f->groups[group], f->in, v->set)),
				   "since",
				   f->days > 0 ? value_string(c->dates[v->split]) : json_null(),
				   "slower_percent", interval(v->effect, v->low, v->high),
				   "least_found_percent", value_number(changes_least(c, v)),
				   "course_percent", course(c, node), "changed_facts",
				   facts(f, &c->at[node])));
	return o;
}

static json_t *judged(const struct findings *f, size_t group)
{
	const struct changes *c = &f->changes[group];
	json_t *dates = json_array(), *nodes = json_array();

	for (size_t t = 0; t < c->series.dates; t++)
		json_array_append_new(dates, value_string(c->dates[t]));
	for (size_t n = 0; n < f->groups[group].nhosts; n++)
		json_array_append_new(nodes, node(f, group, n));
	return json_pack("{s:o, s:I, s:o, s:s, s:o, s:o}", "facts",
		fleet_json_facts(f, &f->groups[group]), "figures",
		(json_int_t)f->groups[group].layout.figures, "dates", dates, "all_since",
		c->dates[c->split], "resources", resources(f, group), "nodes", nodes);
}

void changes_json(const struct findings *f, FILE *out)
{
	json_t *groups = json_array(), *refused = json_array();

	for (size_t i = 0; i < f->count; i++) {
		if (f->changes[i].refused)
			json_array_append_new(refused,
				json_pack("{s:o, s:o}", "facts", fleet_json_facts(f, &f->groups[i]),
					"reason", value_string(f->changes[i].refused)));
		else
			json_array_append_new(groups, judged(f, i));
	}
	value_write(json_pack("{s:i, s:s, s:s, s:s, s:f, s:I, s:I, s:o, s:o, s:o, s:o}", "schema",
			    1, "program", "affinity-fleet", "affinity_version", AFFINITY_VERSION,
			    "compared", f->days > 0 ? "dates" : "before and after",
			    "tolerance_percent", f->tolerance, "results", (json_int_t)f->in->count,
			    "disturbed_operations", (json_int_t)f->in->disturbed, "groups", groups,
			    "groups_not_judged", refused, "not_judged", fleet_json_refused(f),
			    "warnings", value_messages(f->warnings)),
		out);
}
