/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report of pairs for people. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "affinity-map/pairs.h"

/* What map_report_plan() prints of the machine and the programs. */
static struct map_result head_of(const struct map_pairs *p)
{
	return (struct map_result){
		.apps = p->apps, .napps = p->napps, .topo = p->topo, .counted = p->counted};
}

static void alone(const struct map_pairs *p, FILE *out)
{
	char size[32];

	for (int i = 0; i < p->napps; i++)
		fprintf(out, "program %d alone: %.4f s, %s\n", i, p->alone[i].wall_s,
			text_size(p->alone[i].resident_bytes, size, sizeof(size)));
}

void pairs_report_plan(const struct map_pairs *p, FILE *out)
{
	struct map_result head = head_of(p);

	map_report_plan(&head, out);
	for (int i = 0; i < p->n; i++) {
		const struct map_result *r = &p->list[i].job.result;
		char *name = pairs_name(p, &p->list[i]);

		fprintf(out, "pair %s\n", name);
		map_report_mappings(r, out);
		free(name);
	}
}

static int name_width(const struct map_pairs *p)
{
	int width = 20;

	for (int i = 0; i < p->n; i++) {
		char *name = pairs_name(p, &p->list[i]);

		width = (int)strlen(name) > width ? (int)strlen(name) : width;
		free(name);
	}
	return width;
}

static void times(const struct map_pairs *p, int width, FILE *out)
{
	fprintf(out, "\n%-*s | %-11s %5s %11s %10s %10s %10s\n", width, "pair", "mapping", "runs",
		"wall(s)", "+- 95 %", "min", "max");
	for (int i = 0; i < p->n; i++) {
		const struct map_result *r = &p->list[i].job.result;
		char *name = pairs_name(p, &p->list[i]);

		for (int l = 0; l < r->nlayouts && !p->list[i].skipped; l++) {
			struct stats s;

			if (map_figures(r, l, MAP_SLOWEST, &s))
				continue;
			fprintf(out, "%-*s | %-11s %5zu %11.4f", width, name, r->layouts[l].name,
				s.n, s.mean);
			if (s.n > 1)
				fprintf(out, " %10.4f", s.ci_mean);
			else
				fprintf(out, " %10s", "n/a");
			fprintf(out, " %10.4f %10.4f\n", s.min, s.max);
		}
		free(name);
	}
}

static void ratio_cell(struct amount a, FILE *out)
{
	char text[64];

	if (!isfinite(a.value))
		snprintf(text, sizeof(text), "n/a");
	else if (isfinite(a.low))
		snprintf(text, sizeof(text), "%.4f (%.4f .. %.4f)", a.value, a.low, a.high);
	else
		snprintf(text, sizeof(text), "%.4f", a.value);
	fprintf(out, " %26s", text);
}

static void ratios_of_program(
	const struct map_pairs *p, int program, const char *name, int width, FILE *out)
{
	if (!isfinite(pairs_ratio(p, 0, program).value))
		return;
	fprintf(out, "%-*s |", width, name);
	for (int l = 1; l < p->options->nmethods; l++)
		ratio_cell(pairs_ratio(p, l, program), out);
	fputc('\n', out);
}

static void print_pair_ratios(const struct map_pairs *p, int width, FILE *out)
{
	const struct map_result *first = &p->list[0].job.result;

	fprintf(out, "\n%-*s |", width, "time of the slower");
	for (int l = 1; l < first->nlayouts; l++) {
		char *head = alloc_format("%s/%s", first->layouts[l].name, first->layouts[0].name);

		fprintf(out, " %26s", head);
		free(head);
	}
	fputc('\n', out);
	for (int i = 0; i < p->n; i++) {
		char *name = pairs_name(p, &p->list[i]);

		if (p->list[i].skipped) {
			fprintf(out, "%-*s | left out: %s\n", width, name, p->list[i].skipped);
		} else {
			fprintf(out, "%-*s |", width, name);
			for (int l = 1; l < first->nlayouts; l++)
				ratio_cell(map_ratio(&p->list[i].job.result, l), out);
			fputc('\n', out);
		}
		free(name);
	}
	for (int i = 0; i < p->napps; i++) {
		char *program = pairs_program(p, i), *name = alloc_format("%s, mean", program);

		ratios_of_program(p, i, name, width, out);
		free(name);
		free(program);
	}
	ratios_of_program(p, -1, "all, mean", width, out);
}

void pairs_report(const struct map_pairs *p, FILE *out)
{
	struct map_result head = head_of(p);
	int width = name_width(p);

	map_report_plan(&head, out);
	alone(p, out);
	fprintf(out, "order: random, seed %llu; rounds of every pair under every mapping\n",
		(unsigned long long)p->seed);
	times(p, width, out);
	if (p->options->nmethods > 1)
		print_pair_ratios(p, width, out);
}
