/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures of the runs, and the report for people. */
#include "affinity-map/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/terminal.h"
#include "base/text.h"

static size_t index_of(const struct map_result *r, int layout, size_t run)
{
	return ((size_t)layout * r->runs + run) * (size_t)r->napps;
}

const struct map_sample *map_sample_of(const struct map_result *r, int layout, size_t run, int app)
{
	return &r->samples[index_of(r, layout, run) + (size_t)app];
}

double map_wall(const struct map_result *r, int layout, size_t run, int app)
{
	double longest = 0;

	if (app != MAP_SLOWEST)
		return map_sample_of(r, layout, run, app)->wall_s;
	for (int i = 0; i < r->napps; i++)
		longest = fmax(longest, map_sample_of(r, layout, run, i)->wall_s);
	return longest;
}

int map_figures(const struct map_result *r, int layout, int app, struct stats *s)
{
	double *walls = alloc_zeroed(r->done[layout] + 1, sizeof(*walls));

	for (size_t i = 0; i < r->done[layout]; i++)
		walls[i] = map_wall(r, layout, i, app);
	int failed = stats_of(walls, r->done[layout], MAP_CONFIDENCE, s);
	free(walls);
	return failed;
}

struct amount map_ratio(const struct map_result *r, int layout)
{
	size_t n = r->done[layout] < r->done[0] ? r->done[layout] : r->done[0];
	double *walls = alloc_zeroed(2 * n + 1, sizeof(*walls));
	struct amount ratio = {NAN, NAN, NAN};

	for (size_t i = 0; i < n; i++) {
		walls[i] = map_wall(r, layout, i, MAP_SLOWEST);
		walls[n + i] = map_wall(r, 0, i, MAP_SLOWEST);
	}
	if (layout)
		stats_paired_ratio(walls, walls + n, n, MAP_CONFIDENCE, &ratio);
	else if (n)
		ratio.value = 1;
	free(walls);
	return ratio;
}

static bool is_random(const struct map_result *r, int layout)
{
	return r->layouts[layout].method == MAPPING_RANDOM;
}

struct stats map_random(const struct map_result *r)
{
	double *means = alloc_zeroed((size_t)r->nlayouts + 1, sizeof(*means));
	struct stats s, all = {0};
	size_t n = 0;

	for (int l = 0; l < r->nlayouts; l++)
		if (is_random(r, l) && !map_figures(r, l, MAP_SLOWEST, &s))
			means[n++] = s.mean;
	stats_of(means, n, MAP_CONFIDENCE, &all);
	free(means);
	return all;
}

int map_slower_random(const struct map_result *r, int layout)
{
	struct stats own, s;
	int slower = 0;

	if (map_figures(r, layout, MAP_SLOWEST, &own))
		return 0;
	for (int l = 0; l < r->nlayouts; l++)
		if (is_random(r, l) && !map_figures(r, l, MAP_SLOWEST, &s))
			slower += s.mean > own.mean;
	return slower;
}

const char *map_kind(const struct topo *t, int cpu)
{
	const struct topo_cpu *c = topo_cpu(t, cpu);

	return c ? topo_kind_name(t, c->kind) : NULL;
}

/* "CPU 0,2 (performance), 8,9 (efficiency)"; without kinds "CPU 0,2,8,9". */
static void cpu_list(const struct map_result *r, int layout, int app, FILE *out)
{
	const int *cpus = r->layouts[layout].cpus[app];
	const char *separator = " ";

	if (cpus[0] < 0) {
		fprintf(out, "not bound\n");
		return;
	}
	fprintf(out, "CPU");
	for (int k = 0; k < r->apps[app].threads; k++) {
		const char *kind = map_kind(r->topo, cpus[k]);
		bool last = k + 1 == r->apps[app].threads;

		fprintf(out, "%s%d", separator, cpus[k]);
		separator = ",";
		/* each kind has one name */
		if (kind && (last || map_kind(r->topo, cpus[k + 1]) != kind)) {
			fprintf(out, " (%s)", kind);
			separator = ", ";
		}
	}
	fprintf(out, "\n");
}

static void counted_mix(const struct map_app *app, size_t runs, FILE *out)
{
	fprintf(out, " mix counted in %zu run%s:", runs, runs == 1 ? "" : "s");
	for (int i = 0; i < MAPPING_TYPES; i++) {
		fprintf(out, "%s %s ", i ? "," : "", mapping_types[i]);
		if (isnan(app->share[i]))
			fprintf(out, "n/a");
		else
			fprintf(out, "%.3f", app->share[i]);
	}
	fprintf(out, "\n");
}

static void formulas(const struct map_counted *counted, FILE *out)
{
	for (int i = 0; i < MAPPING_TYPES; i++)
		if (counted->formula[i])
			fprintf(out, "percent of %s: %s\n", mapping_types[i], counted->formula[i]);
}

void map_report_plan(const struct map_result *r, FILE *out)
{
	fprintf(out, "machine: %s, %d node%s, %d core%s, %d CPU%s\n", r->topo->source,
		r->topo->nnodes, text_s((unsigned)r->topo->nnodes), r->topo->ncores,
		text_s((unsigned)r->topo->ncores), r->topo->ncpus,
		text_s((unsigned)r->topo->ncpus));
	for (int i = 0; i < r->napps; i++) {
		fprintf(out, "program %d:", i);
		for (char **word = r->apps[i].argv; *word; word++)
			fprintf(out, " %s", *word);
		fprintf(out, "\n");
		if (r->apps[i].counted)
			counted_mix(&r->apps[i], r->counted->runs, out);
	}
	formulas(r->counted, out);
	map_report_mappings(r, out);
}

void map_report_mappings(const struct map_result *r, FILE *out)
{
	for (int l = 0; l < r->nlayouts; l++) {
		char *title = map_layout_title(&r->layouts[l]);

		fprintf(out, "mapping %s: %s\n", title, r->layouts[l].why);
		free(title);
		for (int i = 0; i < r->napps; i++) {
			fprintf(out, " program %d, %d thread%s: ", i, r->apps[i].threads,
				r->apps[i].threads == 1 ? "" : "s");
			cpu_list(r, l, i, out);
		}
	}
}

static void print_value_cell(FILE *out, int width, double value)
{
	if (isfinite(value))
		fprintf(out, " %*.4f", width, value);
	else
		fprintf(out, " %*s", width, "n/a");
}

static double mean_of(
	const struct map_result *r, int layout, int app, double (*field)(const struct map_sample *))
{
	double sum = 0;

	for (size_t i = 0; i < r->done[layout]; i++)
		sum += field(map_sample_of(r, layout, i, app));
	return sum / (double)r->done[layout];
}

static double user_s(const struct map_sample *s)
{
	return s->user_s;
}

static double system_s(const struct map_sample *s)
{
	return s->system_s;
}

static int most_threads(const struct map_result *r, int layout, int app)
{
	int most = 0;

	for (size_t i = 0; i < r->done[layout]; i++) {
		int n = map_sample_of(r, layout, i, app)->most_threads;

		most = n > most ? n : most;
	}
	return most;
}

/* Columns beside the name of a program. On a narrower terminal those stay that are read first;
 * --out and --json have all. */
#define BESIDE 107

static bool is_narrow(int width, FILE *out)
{
	const int terminal = terminal_width(out);

	return terminal && terminal < width + BESIDE;
}

static void print_app_row(const struct map_result *r, int layout, int app, int width, FILE *out)
{
	const bool narrow = is_narrow(width, out);
	const char *name = app == MAP_SLOWEST ? "(the slowest)" : r->apps[app].name;
	struct stats s;

	fprintf(out, "%-11s | %-*s", r->layouts[layout].name, width, name);
	if (map_figures(r, layout, app, &s)) {
		fprintf(out, " not measured\n");
		return;
	}
	fprintf(out, " %5zu", s.n);
	print_value_cell(out, 11, s.mean);
	print_value_cell(out, 10, s.n > 1 ? s.ci_mean : NAN);
	print_value_cell(out, 10, s.median);
	if (!narrow) {
		print_value_cell(out, 10, s.min);
		print_value_cell(out, 10, s.max);
	}
	if (app == MAP_SLOWEST) {
		fprintf(out, "\n");
		return;
	}
	if (!narrow) {
		print_value_cell(out, 10, mean_of(r, layout, app, user_s));
		print_value_cell(out, 10, mean_of(r, layout, app, system_s));
	}
	fprintf(out, " %8d\n", most_threads(r, layout, app));
}

static void results(const struct map_result *r, FILE *out)
{
	int width = 13;

	for (int i = 0; i < r->napps; i++)
		width = (int)strlen(r->apps[i].name) > width ? (int)strlen(r->apps[i].name) : width;
	fprintf(out, "\n%-11s | %-*s %5s %11s %10s %10s", "mapping", width, "program", "runs",
		"wall(s)", "+- 95 %", "median");
	if (!is_narrow(width, out))
		fprintf(out, " %10s %10s %10s %10s", "min", "max", "user(s)", "sys(s)");
	fprintf(out, " %8s\n", "threads");
	for (int l = 0; l < r->nlayouts; l++) {
		for (int i = 0; i < r->napps; i++)
			print_app_row(r, l, i, width, out);
		if (r->napps > 1)
			print_app_row(r, l, MAP_SLOWEST, width, out);
	}
}

/* Programs whose threads are neither counted in the table nor bound by the mapping. */
static void strangers(const struct map_result *r, int layout, int app, FILE *out)
{
	int most = 0;

	for (size_t i = 0; i < r->done[layout]; i++) {
		int lost = map_sample_of(r, layout, i, app)->lost;

		most = lost > most ? lost : most;
	}
	if (most)
		fprintf(out, "%s, program %d: %d program%s without the library, on all its CPUs\n",
			r->layouts[layout].name, app, most, most == 1 ? "" : "s");
}

static void print_map_ratios(const struct map_result *r, FILE *out)
{
	const char *first = r->layouts[0].name;

	for (int l = 1; l < r->nlayouts; l++) {
		struct amount ratio = map_ratio(r, l);

		fprintf(out, "%s%s/%s:", l == 1 ? "\n" : "", r->layouts[l].name, first);
		print_value_cell(out, 0, ratio.value);
		if (isfinite(ratio.low))
			fprintf(out, ", 95 %% interval %.4f .. %.4f\n", ratio.low, ratio.high);
		else
			fprintf(out, ", no interval from one run\n");
	}
}

/* Where the named mappings stand among the random ones. */
static void among_random(const struct map_result *r, FILE *out)
{
	struct stats random = map_random(r), s;

	if (random.n < 2)
		return;
	fprintf(out,
		"\n%zu random mappings: mean times of the slowest %.4f .. %.4f s, median %.4f s\n",
		random.n, random.min, random.max, random.median);
	for (int l = 0; l < r->nlayouts; l++)
		if (!is_random(r, l) && !map_figures(r, l, MAP_SLOWEST, &s))
			fprintf(out, "%s: %.4f s, faster than %d of %zu random mappings\n",
				r->layouts[l].name, s.mean, map_slower_random(r, l), random.n);
}

void map_report(const struct map_result *r, FILE *out)
{
	map_report_plan(r, out);
	if (r->seed)
		fprintf(out, "order: random, seed %llu\n", (unsigned long long)r->seed);
	results(r, out);
	for (int l = 0; l < r->nlayouts; l++)
		for (int i = 0; i < r->napps; i++)
			strangers(r, l, i, out);
	print_map_ratios(r, out);
	among_random(r, out);
}
