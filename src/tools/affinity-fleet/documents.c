/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is found of nodes, resources and figures is a table each; JSON, CSV and metrics are written
 * from its columns. */
#include "affinity-fleet/documents.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/text.h"
#include "base/version.h"
#include "document/document.h"
#include "document/value.h"

enum shape { SHAPE_TEXT, SHAPE_COUNT, SHAPE_NUMBER, SHAPE_AMOUNT, SHAPE_NESTED };

/* What has the column: nodes that are judged beside each other, those over time; also unknown ones,
 * JSON or CSV alone. */
enum { BESIDE = 1, OVER_TIME = 2, BOTH = 3, UNKNOWN = 4, NO_JSON = 8, NO_CSV = 16 };

struct column {
	const char *name; /* with its unit */
	enum shape shape;
	unsigned in;
	size_t at; /* in the row */
	json_t *(*nested)(const struct findings *f, const void *row);
};

/* What three fresh runs and more find. */
static json_t *list_claims(const struct findings *f, const void *row)
{
	const struct resource_finding *s = row;
	json_t *list = json_array();

	(void)f;
	for (int i = 0; i < VERDICTS_CLAIMS && isfinite(s->least); i++)
		json_array_append_new(
			list, json_pack("{s:f, s:o}", "slower_by_percent", verdicts_claims[i],
				      "fresh_runs",
				      s->runs_for[i] ? json_integer((json_int_t)s->runs_for[i])
						     : json_null()));
	return list;
}

/* {fact: {node, most}} where the node is unlike most, or {fact: {before, after}}. */
static json_t *list_facts(const struct findings *f, const void *row)
{
	const char *pair[2];
	json_t *o = json_object();

	for (size_t i = 0; i < FACTS; i++)
		if (findings_other_fact(f, row, i, pair))
			json_object_set_new(o, facts_names[i],
				json_pack("{s:o, s:o}", f->changes ? "before" : "node",
					value_string(pair[0]), f->changes ? "after" : "most",
					value_string(pair[1])));
	return o;
}

static json_t *list_course(const struct findings *f, const void *row)
{
	const struct node_finding *n = row;
	json_t *list = json_array();

	for (size_t t = 0; t < f->judged[n->group - 1].ndates; t++)
		json_array_append_new(list, value_number(n->course[t]));
	return list;
}

#define NODE(field)     offsetof(struct node_finding, field)
#define RESOURCE(field) offsetof(struct resource_finding, field)
#define FIGURE(field)   offsetof(struct figure_finding, field)

static const struct column of_nodes[] = {
	{"node", SHAPE_TEXT, BOTH | UNKNOWN, NODE(node), NULL},
	{"group", SHAPE_COUNT, BOTH | NO_JSON, NODE(group), NULL},
	{"verdict", SHAPE_TEXT, BOTH | UNKNOWN, NODE(word), NULL},
	{"set", SHAPE_TEXT, BOTH, NODE(set), NULL},
	{"since", SHAPE_TEXT, OVER_TIME, NODE(since), NULL},
	{"slower_percent", SHAPE_AMOUNT, BOTH, NODE(slower), NULL},
	{"others_low_percent", SHAPE_NUMBER, BESIDE, NODE(others_low), NULL},
	{"others_high_percent", SHAPE_NUMBER, BESIDE, NODE(others_high), NULL},
	{"score", SHAPE_NUMBER, BESIDE, NODE(score), NULL},
	{"fresh_runs", SHAPE_COUNT, BESIDE, NODE(fresh), NULL},
	{"least_found_percent", SHAPE_NUMBER, BOTH, NODE(least), NULL},
	{"differs", SHAPE_NESTED, BESIDE | NO_CSV, 0, list_facts},
	{"course_percent", SHAPE_NESTED, OVER_TIME | NO_CSV, 0, list_course},
	{"changed_facts", SHAPE_NESTED, OVER_TIME | NO_CSV, 0, list_facts},
	{0},
};

static const struct column of_resources[] = {
	{"resource", SHAPE_TEXT, BOTH, RESOURCE(name), NULL},
	{"figures", SHAPE_COUNT, BESIDE, RESOURCE(figures), NULL},
	{"all_slower_percent", SHAPE_AMOUNT, OVER_TIME, RESOURCE(all), NULL},
	{"between_percent", SHAPE_NUMBER, BOTH, RESOURCE(between), NULL},
	{"within_percent", SHAPE_NUMBER, BOTH, RESOURCE(within), NULL},
	{"least_found_percent", SHAPE_NUMBER, BOTH, RESOURCE(least), NULL},
	{"claims", SHAPE_NESTED, BESIDE, 0, list_claims},
	{0},
};

static const struct column of_figures[] = {
	{"figure", SHAPE_TEXT, BESIDE, FIGURE(name), NULL},
	{"median_s", SHAPE_NUMBER, BESIDE, FIGURE(median_s), NULL},
	{"between_percent", SHAPE_NUMBER, BESIDE, FIGURE(between), NULL},
	{"within_percent", SHAPE_NUMBER, BESIDE, FIGURE(within), NULL},
	{0},
};

static json_t *make_cell(const struct findings *f, const struct column *c, const void *row)
{
	const void *at = (const char *)row + c->at;
	const char *text;

	switch (c->shape) {
	case SHAPE_TEXT:
		text = *(const char *const *)at;
		return text ? value_string(text) : json_null();
	case SHAPE_COUNT:
		return json_integer((json_int_t) * (const size_t *)at);
	case SHAPE_NUMBER:
		return value_number(*(const double *)at);
	case SHAPE_AMOUNT:
		return value_amount(*(const struct amount *)at);
	default:
		return c->nested(f, row);
	}
}

static bool has_column(const struct findings *f, const struct column *c, unsigned but)
{
	return c->in & (f->changes ? OVER_TIME : BESIDE) && !(c->in & but);
}

/* ---- JSON */

/* Nothing is known of some nodes. */
static bool is_known(const struct column *columns, const void *row)
{
	return columns != of_nodes || ((const struct node_finding *)row)->kind != VERDICT_UNKNOWN;
}

static json_t *list_rows(const struct findings *f, const struct column *columns, const void *rows,
	size_t count, size_t size)
{
	json_t *list = json_array();

	for (size_t i = 0; i < count; i++) {
		const void *row = (const char *)rows + i * size;
		json_t *o = json_object();

		for (const struct column *c = columns; c->name; c++)
			if (has_column(f, c, NO_JSON) &&
				(is_known(columns, row) || c->in & UNKNOWN))
				json_object_set_new(o, c->name, make_cell(f, c, row));
		json_array_append_new(list, o);
	}
	return list;
}

static json_t *make_facts(const struct findings *f, size_t group)
{
	json_t *o = json_object();

	for (size_t i = 0; i < f->groups[group].alike; i++) {
		const char *fact = findings_common(f, group, i);

		json_object_set_new(o, facts_names[i], value_string(fact ? fact : NOT_RECORDED));
	}
	return o;
}

static json_t *make_group(const struct findings *f, size_t group)
{
	const struct judged *j = &f->judged[group];
	const struct group *g = &f->groups[group];
	json_t *o = json_pack("{s:o}", "facts", make_facts(f, group)), *dates = json_array();
	json_t *resources = list_rows(
		f, of_resources, j->resources, g->layout.resources, sizeof(*j->resources));

	for (size_t t = 0; t < j->ndates; t++)
		json_array_append_new(dates, value_string(j->dates[t]));
	if (!f->changes)
		json_object_set_new(o, "runs", json_integer((json_int_t)g->nruns));
	json_object_set_new(o, "figures", json_integer((json_int_t)g->layout.figures));
	if (f->changes)
		json_object_update_new(o, json_pack("{s:O, s:s, s:o}", "dates", dates, "all_since",
						  j->dates[j->split], "resources", resources));
	else
		json_object_update_new(o, json_pack("{s:o, s:o}", "spreads", resources, "medians",
						  list_rows(f, of_figures, j->figures,
							  g->layout.figures, sizeof(*j->figures))));
	json_decref(dates);
	json_object_set_new(
		o, "nodes", list_rows(f, of_nodes, j->nodes, g->nhosts, sizeof(*j->nodes)));
	return o;
}

static json_t *list_refused(const struct findings *f)
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
	json_t *groups = json_array(), *refused = json_array();
	json_t *o = json_pack("{s:i, s:s, s:s}", "schema", 1, "program", "affinity-fleet",
		"affinity_version", AFFINITY_VERSION);

	for (size_t i = 0; i < f->count; i++)
		if (f->judged[i].refused)
			json_array_append_new(
				refused, json_pack("{s:o, s:o}", "facts", make_facts(f, i),
						 "reason", value_string(f->judged[i].refused)));
		else
			json_array_append_new(groups, make_group(f, i));
	if (f->changes)
		json_object_set_new(
			o, "compared", json_string(f->days > 0 ? "dates" : "before and after"));
	json_object_update_new(
		o, json_pack("{s:f, s:I, s:I, s:o}", "tolerance_percent", f->tolerance, "results",
			   (json_int_t)f->in->count, "disturbed_operations",
			   (json_int_t)f->in->disturbed, "groups", groups));
	if (f->changes)
		json_object_set(o, "groups_not_judged", refused);
	json_decref(refused);
	json_object_set_new(o, "not_judged", list_refused(f));
	json_object_set_new(o, "warnings", value_messages(f->warnings));
	value_write(o, out);
}

/* ---- CSV */

/* A value that is not known is an empty field; an amount has three. */
static void print_value(const json_t *value, FILE *out)
{
	const char *name;
	json_t *part;

	if (json_is_string(value))
		text_print_csv(json_string_value(value), out);
	else if (json_is_number(value))
		fprintf(out, "%.6g", json_number_value(value));
	json_object_foreach ((json_t *)value, name, part) {
		fputs(strcmp(name, "value") ? "," : "", out);
		print_value(part, out);
	}
}

/* n NULL: the names. */
static void print_row(const struct findings *f, const struct node_finding *n, FILE *out)
{
	for (const struct column *c = of_nodes; c->name; c++) {
		if (!has_column(f, c, NO_CSV))
			continue;
		json_t *cell = n ? make_cell(f, c, n) : NULL;

		fputs(c == of_nodes ? "" : ",", out);
		if (!n)
			fprintf(out, "%s%s", c->name,
				c->shape == SHAPE_AMOUNT ? ",low_percent,high_percent" : "");
		print_value(cell, out);
		json_decref(cell);
	}
	fputc('\n', out);
}

void documents_csv(const struct findings *f, FILE *out)
{
	print_row(f, NULL, out);
	for (size_t i = 0; i < f->count; i++)
		for (size_t k = 0; k < f->groups[i].nhosts && !f->judged[i].refused; k++)
			print_row(f, &f->judged[i].nodes[k], out);
}

/* ---- metrics */

/* A label's value (Prometheus's text format). */
static void print_label(const char *name, const char *text, FILE *out)
{
	fprintf(out, "%s=\"", name);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc(*text == '\n' ? ' ' : *text, out);
	}
	fputc('"', out);
}

struct metric {
	const char *name, *help;
	enum verdict_kind kind;
	bool effect; /* the effect of slow and suspect nodes, not whether a node is of the kind */
};

static const struct metric metrics[] = {
	{"affinity_node_slow", "1: fresh runs show again that it is slow", VERDICT_SLOW, false},
	{"affinity_node_suspect", "1: it should be run again", VERDICT_SUSPECT, false},
	{"affinity_node_slower_percent",
		"cost above what the rest of the node lets expect, of slow and suspect nodes",
		VERDICTS, true},
};

static void print_metric(const struct metric *m, const struct node_finding *n, FILE *out)
{
	if (m->effect && n->kind != VERDICT_SLOW && n->kind != VERDICT_SUSPECT)
		return;
	fprintf(out, "%s{", m->name);
	print_label("node", n->node, out);
	if (m->effect) {
		fputc(',', out);
		print_label("set", n->set, out);
		fprintf(out, "} %.6g\n", n->slower.value);
	} else {
		fprintf(out, "} %d\n", n->kind == m->kind);
	}
}

static void print_help(const char *name, const char *help, FILE *out)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name);
}

void documents_metrics(const struct findings *f, FILE *out)
{
	size_t refused = 0;

	for (size_t m = 0; m < sizeof(metrics) / sizeof(*metrics); m++) {
		print_help(metrics[m].name, metrics[m].help, out);
		for (size_t i = 0; i < f->count; i++)
			for (size_t k = 0; k < f->groups[i].nhosts; k++)
				print_metric(&metrics[m], &f->judged[i].nodes[k], out);
	}
	for (size_t i = 0; i < f->in->hosts.count; i++)
		refused += f->hosts[i].refused != NULL;
	print_help("affinity_nodes_not_judged", "nodes with results that cannot be compared", out);
	fprintf(out, "affinity_nodes_not_judged %zu\n", refused);
}
