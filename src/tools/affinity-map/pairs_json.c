/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine-readable document of pairs: results/schema-map-1.json. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "affinity-map/json.h"
#include "affinity-map/pairs.h"

static json_t *program_ratios_json(const struct map_pairs *p, int program)
{
	json_t *list = json_array();

	for (int l = 0; l < p->options->nmethods; l++)
		json_array_append_new(list, value_amount(pairs_ratio(p, l, program)));
	return list;
}

static json_t *programs(const struct map_pairs *p)
{
	json_t *list = json_array();

	for (int i = 0; i < p->napps; i++) {
		json_t *program = map_json_program(&p->apps[i]);
		int group = pairs_group(&p->apps[i]);

		json_object_set_new(program, "group",
			group < 0 ? json_null() : json_string(mapping_types[group]));
		json_object_set_new(program, "alone_s", value_number(p->alone[i].wall_s));
		json_object_set_new(program, "resident_bytes",
			json_integer((json_int_t)p->alone[i].resident_bytes));
		json_object_set_new(program, "ratios_to_first", program_ratios_json(p, i));
		json_array_append_new(list, program);
	}
	return list;
}

static json_t *pairs(const struct map_pairs *p)
{
	json_t *list = json_array();

	for (int i = 0; i < p->n; i++) {
		const struct map_pair *pair = &p->list[i];

		json_array_append_new(
			list, json_pack("{s:[i,i], s:o, s:o}", "programs", pair->programs[0],
				      pair->programs[1], "skipped",
				      pair->skipped ? value_string(pair->skipped) : json_null(),
				      "mappings",
				      pair->skipped ? json_array()
						    : map_json_mappings(&pair->job.result)));
	}
	return list;
}

static json_t *pairs_figure_json(const char *number, const char *title, const char *shape)
{
	return json_pack("{s:s, s:s, s:s, s:[], s:[], s:[]}", "figure", number, "title", title,
		"shape", shape, "rows", "columns", "cells");
}

static void add_row(json_t *figure, char *head, json_t *cells)
{
	json_array_append_new(json_object_get(figure, "rows"), value_string(head));
	json_array_append_new(json_object_get(figure, "cells"), cells);
	free(head);
}

/* Figure 1b: what the instructions of each program are. What the types leave is not shown. */
static json_t *mixes(const struct map_pairs *p)
{
	json_t *f = pairs_figure_json(
		"Figure 1b", "what the instructions of each program are", "stacked");

	for (int i = 0; i < MAPPING_TYPES; i++)
		json_array_append_new(json_object_get(f, "columns"), json_string(mapping_types[i]));
	for (int i = 0; i < p->napps; i++) {
		json_t *cells = json_array();

		for (int k = 0; k < MAPPING_TYPES; k++)
			json_array_append_new(cells,
				value_amount((struct amount){
					p->apps[i].has_mix ? p->apps[i].share[k] : NAN, NAN, NAN}));
		add_row(f, pairs_program(p, i), cells);
	}
	return f;
}

static json_t *cells_of_pair(const struct map_pairs *p, const struct map_pair *pair)
{
	json_t *cells = json_array();

	for (int l = 0; l < p->options->nmethods; l++)
		json_array_append_new(cells, value_amount(map_ratio(&pair->job.result, l)));
	return cells;
}

/* The pairs of a program, the program first, then their mean. */
static void add_program(json_t *f, const struct map_pairs *p, int program)
{
	char *name = pairs_program(p, program);

	for (int i = 0; i < p->n; i++) {
		const struct map_pair *pair = &p->list[i];
		bool first = pair->programs[0] == program;

		if (pair->skipped || (!first && pair->programs[1] != program))
			continue;
		char *other = pairs_program(p, pair->programs[first]);

		add_row(f, alloc_format("%s + %s", name, other), cells_of_pair(p, pair));
		free(other);
	}
	if (isfinite(pairs_ratio(p, 0, program).value))
		add_row(f, alloc_format("%s, mean", name), program_ratios_json(p, program));
	free(name);
}

/* Figures 5, 6 and 7 have the programs of one group each; a last one those without a mix, if there
 * are any. */
static json_t *group(const struct map_pairs *p, int type, const char *number, const char *what)
{
	const char *first = p->list[0].job.result.layouts[0].name;
	char *title = alloc_format(
		"time of the slower program of a pair, normalised to %s: %s", first, what);
	json_t *f = pairs_figure_json(number, title, "bars");

	for (int l = 0; l < p->options->nmethods; l++)
		json_array_append_new(json_object_get(f, "columns"),
			json_string(p->list[0].job.result.layouts[l].name));
	for (int i = 0; i < p->napps; i++)
		if (pairs_group(&p->apps[i]) == type)
			add_program(f, p, i);
	if (json_array_size(json_object_get(f, "rows")))
		add_row(f, alloc_format("all programs, mean"), program_ratios_json(p, -1));
	free(title);
	return f;
}

static json_t *pair_figures_json(const struct map_pairs *p)
{
	json_t *list = json_array();

	json_array_append_new(list, mixes(p));
	json_array_append_new(list, group(p, MAPPING_FP, "Figure 5",
					    "programs with mostly floating point instructions"));
	json_array_append_new(list,
		group(p, MAPPING_INT, "Figure 6", "programs with mostly integer instructions"));
	json_array_append_new(
		list, group(p, MAPPING_LOAD, "Figure 7", "programs with mostly loads"));
	json_array_append_new(list, group(p, -1, "", "programs whose mix is not known"));
	return list;
}

int pairs_json(const struct map_pairs *p, FILE *out)
{
	struct map_result head = {.topo = p->topo,
		.by = mapping_types[p->options->by],
		.runs = (size_t)p->options->runs,
		.seed = p->seed,
		.counted = p->counted,
		.warnings = p->warnings};
	json_t *document = map_json_head(&head), *names = json_array();

	for (int l = 0; l < p->options->nmethods; l++)
		json_array_append_new(names, json_string(p->list[0].job.result.layouts[l].name));
	json_object_set_new(document, "programs", programs(p));
	json_object_set_new(document, "mapping_names", names);
	json_object_set_new(document, "pairs", pairs(p));
	json_object_set_new(document, "ratios_to_first", program_ratios_json(p, -1));
	json_object_set_new(document, "figures", pair_figures_json(p));
	return value_write(document, out);
}
