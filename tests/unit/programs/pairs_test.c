/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of pairs of programs whose times are given: who wins is known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "affinity-map/pairs.h"

#define ROUNDS 4

/* Seconds of the slower program by pair (a+b a+c a+d b+c b+d c+d) and mapping. */
static const double seconds[6][3] = {
	{8, 4, 2},  /* a+b: roundrobin half of os, instruction a quarter */
	{8, 8, 4},  /* a+c */
	{8, 16, 8}, /* a+d: roundrobin twice os */
	{4, 4, 2},  /* b+c */
	{4, 2, 1},  /* b+d */
	{4, 4, 4},  /* c+d */
};

static const double mixes[4][MAPPING_TYPES] = {
	{0.1, 0.5, 0.2, 0.1, 0.1}, /* a: fp */
	{0.1, 0.1, 0.4, 0.3, 0.1}, /* b: int */
	{0.6, 0.0, 0.1, 0.2, 0.1}, /* c: load, although it has more branches */
};

struct stage {
	struct map_options options;
	struct mapping_choice methods[3];
	struct map_app apps[4];
	char *argv[4][2];
	struct topo topo;
	struct errors warnings;
	struct map_counted counted;
	struct map_pairs pairs;
};

static void fill_pair(struct stage *s, int i, int a, int b)
{
	static const char *const names[] = {"os", "roundrobin", "instruction"};
	struct map_pair *pair = &s->pairs.list[i];
	struct map_result *r = &pair->job.result;

	*pair = (struct map_pair){
		.programs = {a, b}, .apps = {s->apps[a], s->apps[b]}, .job = {.napps = 2}};
	pair->job.options = &s->options;
	pair->job.layouts = calloc(3, sizeof(struct map_layout));
	*r = (struct map_result){.apps = pair->apps,
		.napps = 2,
		.layouts = pair->job.layouts,
		.nlayouts = 3,
		.runs = ROUNDS};
	job_begin(&pair->job);
	for (int l = 0; l < 3; l++) {
		struct map_layout *layout = &pair->job.layouts[l];

		*layout = (struct map_layout){.asked = s->methods[l].method,
			.method = s->methods[l].method,
			.name = strdup(names[l]),
			.why = strdup("")};
		layout->cpus = calloc(2, sizeof(int *));
		for (int k = 0; k < 2; k++) {
			layout->cpus[k] = calloc(1, sizeof(int));
			layout->cpus[k][0] = -1;
		}
		r->done[l] = ROUNDS;
		/* a drift that all mappings share changes no ratio */
		for (size_t round = 0; round < ROUNDS; round++) {
			struct map_sample *sample =
				(struct map_sample *)map_sample_of(r, l, round, 0);

			sample[round % 2].wall_s = seconds[i][l] * (double)(round + 1);
			sample[1 - round % 2].wall_s = 0.5;
		}
	}
}

static void build(struct stage *s)
{
	static char *const names[] = {"a", "b", "c", "d"};

	*s = (struct stage){.methods = {{.method = MAPPING_OS}, {.method = MAPPING_ROUNDROBIN},
				    {.method = MAPPING_INSTRUCTION}},
		.topo = {.source = "test"}};
	s->options = (struct map_options){
		.methods = s->methods, .nmethods = 3, .runs = ROUNDS, .by = MAPPING_SPREAD};
	s->pairs = (struct map_pairs){.options = &s->options,
		.topo = &s->topo,
		.apps = s->apps,
		.napps = 4,
		.n = 6,
		.seed = 3,
		.counted = &s->counted,
		.warnings = &s->warnings};
	s->pairs.alone = calloc(4, sizeof(*s->pairs.alone));
	s->pairs.list = calloc(6, sizeof(*s->pairs.list));
	for (int i = 0; i < 4; i++) {
		s->argv[i][0] = names[i];
		s->apps[i] = (struct map_app){.argv = s->argv[i],
			.name = names[i],
			.path = names[i],
			.threads = 1,
			.has_mix = i < 3};
		memcpy(s->apps[i].share, mixes[i], sizeof(mixes[i]));
	}
	for (int i = 0, a = 0; a < 4; a++)
		for (int b = a + 1; b < 4; b++)
			fill_pair(s, i++, a, b);
	s->options.nmethods = 3;
}

/* The figure as lines "ROW: CELL CELL CELL", cells with three digits. */
static char *figure_text(const json_t *document, const char *number)
{
	const json_t *figures = json_object_get(document, "figures"), *f;
	char *text;
	size_t size, i, row, k;
	FILE *out = open_memstream(&text, &size);

	json_array_foreach (figures, i, f) {
		const json_t *rows = json_object_get(f, "rows"), *cells, *cell;

		if (strcmp(json_string_value(json_object_get(f, "figure")), number))
			continue;
		json_array_foreach (json_object_get(f, "cells"), row, cells) {
			fprintf(out, "%s:", json_string_value(json_array_get(rows, row)));
			json_array_foreach (cells, k, cell)
				fprintf(out, " %.3f",
					json_number_value(json_object_get(cell, "value")));
			fprintf(out, "\n");
		}
	}
	fclose(out);
	return text;
}

static json_t *document_of(const struct map_pairs *p)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_int_equal(pairs_json(p, out), 0);
	fclose(out);
	json_t *document = json_loads(text, 0, NULL);
	assert_non_null(document);
	free(text);
	return document;
}

static void expect_figure(const json_t *document, const char *number, const char *expected)
{
	char *found = figure_text(document, number);

	assert_string_equal(found, expected);
	free(found);
}

static void figures_name_the_winners(void **state)
{
	struct stage s;

	(void)state;
	build(&s);
	json_t *document = document_of(&s.pairs);

	expect_figure(document, "Figure 5",
		"a + b: 1.000 0.500 0.250\na + c: 1.000 1.000 0.500\na + d: 1.000 2.000 1.000\n"
		"a, mean: 1.000 1.000 0.500\nall programs, mean: 1.000 0.891 0.500\n");
	expect_figure(document, "Figure 6",
		"b + a: 1.000 0.500 0.250\nb + c: 1.000 1.000 0.500\nb + d: 1.000 0.500 0.250\n"
		"b, mean: 1.000 0.630 0.315\nall programs, mean: 1.000 0.891 0.500\n");
	expect_figure(document, "Figure 7",
		"c + a: 1.000 1.000 0.500\nc + b: 1.000 1.000 0.500\nc + d: 1.000 1.000 1.000\n"
		"c, mean: 1.000 1.000 0.630\nall programs, mean: 1.000 0.891 0.500\n");
	expect_figure(document, "",
		"d + a: 1.000 2.000 1.000\nd + b: 1.000 0.500 0.250\nd + c: 1.000 1.000 1.000\n"
		"d, mean: 1.000 1.000 0.630\nall programs, mean: 1.000 0.891 0.500\n");
	json_decref(document);
	pairs_free(&s.pairs);
}

static void mixes_are_drawn(void **state)
{
	struct stage s;

	(void)state;
	build(&s);
	json_t *document = document_of(&s.pairs);

	expect_figure(document, "Figure 1b",
		"a: 0.100 0.500 0.200 0.100 0.100\nb: 0.100 0.100 0.400 0.300 0.100\n"
		"c: 0.600 0.000 0.100 0.200 0.100\nd: 0.000 0.000 0.000 0.000 0.000\n");
	json_decref(document);
	pairs_free(&s.pairs);
}

static void a_pair_that_was_left_out_counts_nowhere(void **state)
{
	struct stage s;

	(void)state;
	build(&s);
	s.pairs.list[2].skipped = strdup("too short");
	assert_false(pairs_measured(&s.pairs.list[2]));
	assert_true(fabs(pairs_ratio(&s.pairs, 1, 0).value - sqrt(0.5)) < 1e-12);
	assert_true(fabs(pairs_ratio(&s.pairs, 2, 3).value - 0.5) < 1e-12);
	/* programs whose pairs are all left out have no figure */
	s.pairs.list[4].skipped = strdup("too short");
	s.pairs.list[5].skipped = strdup("too short");
	assert_true(isnan(pairs_ratio(&s.pairs, 1, 3).value));
	pairs_free(&s.pairs);
}

/* A round that one pair has not completed counts for none. */
static void intervals_are_over_common_rounds(void **state)
{
	struct stage s;

	(void)state;
	build(&s);
	struct amount all = pairs_ratio(&s.pairs, 1, 1);
	assert_true(fabs(all.high - all.low) < 1e-9); /* each round has the same ratio */
	s.pairs.list[3].job.result.done[1] = 1;
	all = pairs_ratio(&s.pairs, 1, 1);
	assert_true(isfinite(all.value));
	assert_true(isnan(all.low));
	s.pairs.list[3].job.result.done[1] = 0;
	assert_true(isnan(pairs_ratio(&s.pairs, 1, 1).value));
	assert_true(isfinite(pairs_ratio(&s.pairs, 2, 1).value));
	/* under the first mapping as well, and of pairs that are left out it does not matter */
	s.pairs.list[0].job.result.done[0] = 1;
	assert_true(isnan(pairs_ratio(&s.pairs, 2, 1).low));
	s.pairs.list[0].skipped = strdup("too short");
	assert_true(isfinite(pairs_ratio(&s.pairs, 2, 1).low));
	pairs_free(&s.pairs);
}

/* The report's lines that begin so. */
static char *lines_of(const struct map_pairs *p, const char *begin)
{
	char *text, *lines = calloc(1, 1), *next;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	pairs_report(p, out);
	fclose(out);
	lines = realloc(lines, size + 1);
	for (char *line = text; *line; line = next) {
		next = strchr(line, '\n') + 1;
		if (!strncmp(line, begin, strlen(begin)))
			strncat(lines, line, (size_t)(next - line));
	}
	free(text);
	return lines;
}

static void expect_lines(const struct map_pairs *p, const char *begin, const char *expected)
{
	char *found = lines_of(p, begin);

	assert_string_equal(found, expected);
	free(found);
}

/* 8 s times 1 to 4: mean 20, deviation 10.328, and half an interval of t(3) 3.1824 times half that.
 */
static void report_and_document_have_the_same_figures(void **state)
{
	static const double all[] = {1, 0.8909, 0.5}, of_b[] = {1, 0.6300, 0.3150};
	struct stage s;

	(void)state;
	build(&s);
	for (int i = 0; i < 4; i++)
		s.pairs.alone[i] = (struct map_sample){
			.wall_s = i + 1.5, .resident_bytes = (uint64_t)(i + 1) << 20};
	expect_lines(&s.pairs, "program 1 alone", "program 1 alone: 2.5000 s, 2 MiB\n");
	expect_lines(&s.pairs, "a + b ",
		"a + b                | os              4     20.0000    16.4341     8.0000    "
		"32.0000\n"
		"a + b                | roundrobin      4     10.0000     8.2170     4.0000    "
		"16.0000\n"
		"a + b                | instruction     4      5.0000     4.1085     2.0000     "
		"8.0000\n"
		"a + b                |  0.5000 (0.5000 .. 0.5000)  0.2500 (0.2500 .. 0.2500)\n");
	expect_lines(&s.pairs, "b, mean",
		"b, mean              |  0.6300 (0.6300 .. 0.6300)  0.3150 (0.3150 .. 0.3150)\n");
	expect_lines(&s.pairs, "all, mean",
		"all, mean            |  0.8909 (0.8909 .. 0.8909)  0.5000 (0.5000 .. 0.5000)\n");
	json_t *document = document_of(&s.pairs);
	const json_t *b = json_array_get(json_object_get(document, "programs"), 1);

	assert_true(json_number_value(json_object_get(b, "alone_s")) == 2.5);
	assert_int_equal(json_integer_value(json_object_get(b, "resident_bytes")), 2 << 20);
	assert_int_equal(json_integer_value(json_object_get(document, "seed")), 3);
	for (size_t l = 0; l < 3; l++) {
		const json_t *its = json_array_get(json_object_get(b, "ratios_to_first"), l);
		const json_t *any = json_array_get(json_object_get(document, "ratios_to_first"), l);

		assert_float_equal(json_number_value(json_object_get(its, "value")), of_b[l], 1e-4);
		assert_float_equal(json_number_value(json_object_get(any, "value")), all[l], 1e-4);
	}
	json_decref(document);
	pairs_free(&s.pairs);
}

/* The ratios of the four rounds are 0.5, 0.5, 0.5 and 1. */
static void an_interval_is_printed_from_below(void **state)
{
	struct stage s;

	(void)state;
	build(&s);
	((struct map_sample *)map_sample_of(&s.pairs.list[0].job.result, 1, 3, 1))->wall_s = 32;
	char *line = lines_of(&s.pairs, "a + b ");
	double value, low, high;

	assert_int_equal(sscanf(strrchr(line, '|'), "| %lf (%lf .. %lf)", &value, &low, &high), 3);
	assert_true(low < value && value < high);
	free(line);
	pairs_free(&s.pairs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{"figures 5, 6 and 7 have the pairs of their programs, and their means",
			figures_name_the_winners, NULL, NULL, NULL},
		{"figure 1b has the mix of each program", mixes_are_drawn, NULL, NULL, NULL},
		{"a pair that was left out counts in no mean",
			a_pair_that_was_left_out_counts_nowhere, NULL, NULL, NULL},
		{"means over pairs compare rounds that all of them have completed",
			intervals_are_over_common_rounds, NULL, NULL, NULL},
		{"report and document have the same figures",
			report_and_document_have_the_same_figures, NULL, NULL, NULL},
		{"an interval begins with its lower end", an_interval_is_printed_from_below, NULL,
			NULL, NULL},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
