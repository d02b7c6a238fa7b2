/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of what is found. */
#include "affinity-fleet/findings.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

const char *const verdicts_words[VERDICTS] = {
	"alike", "suspect", "cleared", "slow", "unknown", "steady", "quicker", "slower"};

const double verdicts_claims[VERDICTS_CLAIMS] = {3, 5, 10};

static char *name_resource(const struct group *g, const struct intake *in, size_t resource)
{
	const size_t which = g->resources[resource];

	if (g->by_parts)
		return alloc_format("%s", in->parts.list[which]);
	return alloc_format("%.*s", intake_name_length(in, which), in->experiments.list[which]);
}

static char *name_figure(const struct group *g, const struct intake *in, size_t column)
{
	const size_t figure = g->figures[column], experiment = in->about[figure].experiment;
	const char *rest = strrchr(in->figures.list[figure], '\t') + 1;

	return alloc_format("%.*s: %s", intake_name_length(in, experiment),
		in->experiments.list[experiment], rest);
}

char *findings_set_name(const struct findings *f, size_t group, size_t set)
{
	const struct group *g = &f->groups[group];

	if (set == fleet_sets(&g->layout))
		return alloc_format("time taken away");
	const struct fleet_set which = fleet_set(&g->layout, set);

	switch (which.kind) {
	case FLEET_NODE:
		return alloc_format("the whole node");
	case FLEET_RESOURCE:
		return name_resource(g, f->in, which.index);
	case FLEET_DOMAIN:
		return alloc_format("NUMA node %zu", g->domains[which.index]);
	default:
		return name_figure(g, f->in, which.index);
	}
}

const char *findings_common(const struct findings *f, size_t group, size_t i)
{
	const struct host *first = &f->hosts[f->groups[group].hosts[0]];
	const char *fact = f->in->words.list[f->in->results[first->newest].facts[i]];

	return facts_recorded(fact) ? fact : NULL;
}

bool findings_other_fact(
	const struct findings *f, const struct node_finding *n, size_t i, const char *pair[2])
{
	const struct result *all = f->in->results;
	const size_t own = all[f->hosts[n->host].newest].facts[i],
		     most = f->judged[n->group - 1].usual[i];
	const char *const *words = f->in->words.list;

	pair[0] = words[f->changes ? all[n->before].facts[i] : own];
	pair[1] = words[f->changes ? all[n->after].facts[i] : most];
	return f->changes ? facts_changed(pair[0], pair[1])
			  : n->kind != VERDICT_ALIKE && i >= FACTS_ALIKE && own != most;
}

void judged_free(struct judged *j, const struct group *g)
{
	for (size_t i = 0; j->nodes && i < g->nhosts; i++)
		free(j->nodes[i].set);
	for (size_t r = 0; j->resources && r < g->layout.resources; r++)
		free(j->resources[r].name);
	for (size_t k = 0; j->figures && k < g->layout.figures; k++)
		free(j->figures[k].name);
	for (size_t t = 0; t < j->ndates; t++)
		free(j->dates[t]);
	free(j->refused);
	free(j->nodes);
	free(j->resources);
	free(j->figures);
	free(j->effects);
	free(j->whole);
	free(j->courses);
	free(j->dates);
}
