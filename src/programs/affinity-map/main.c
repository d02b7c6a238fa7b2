/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * affinity-map binds every thread of unchanged programs as it begins.
 *
 *   options   the command line                      launch     starts programs at one instant
 *   plan      the CPUs of each program (mapping/)   jobs       signals, stops, the terminal
 *   run       shared memory, environment, result    leftovers  processes that are left behind
 *   count     instruction mixes by counters         report     figures for people; json
 *   preload/  the library that goes into the programs
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/linux.h"
#include "programs/affinity-map/count.h"
#include "programs/affinity-map/options.h"
#include "programs/affinity-map/report.h"
#include "base/output.h"
#include "system/program.h"
#include "base/random.h"
#include "mapping/seats.h"
#include "base/version.h"

struct job {
	const struct map_options *options;
	struct topo topo;
	struct map_app *apps;
	int napps;
	struct map_layout layouts[MAPPING_METHODS];
	struct map_counted counted;
	struct map_result result;
	int status; /* exit status of a program that failed; affinity-map exits with it; or 0 */
};

static int find_app(struct map_app *app, char **argv, struct errors *e)
{
	const char *slash = strrchr(argv[0], '/');
	char why[512];

	*app = (struct map_app){.argv = argv, .name = slash ? slash + 1 : argv[0]};
	app->path = program_find(argv[0], why, sizeof(why));
	if (!app->path)
		return error_add(
			e, STATUS_USAGE, NOWHERE, "there is no program '%s': %s", argv[0], why);
	if (program_deaf(app->path, why, sizeof(why))) {
		error_warn(e, "'%s' is %s: no library can be preloaded into it", app->name, why);
		error_hint(e, "its threads stay on the CPUs of the program, but none is bound by "
			      "itself, and they are not counted");
	}
	return 0;
}

/* Without --threads all programs get the same number of places: the number of CPUs divided by that
 * of programs, at least 1. */
static int share_threads(struct job *j, struct errors *e)
{
	const struct words *w = &j->options->threads;
	int seats;

	free(seats_usable(&j->topo, &seats));
	if (w->count > 1 && w->count != (size_t)j->napps) {
		error_add(e, STATUS_USAGE, NOWHERE,
			"--threads has %zu values, but there are %d programs", w->count, j->napps);
		return error_hint(e, "give one value, or one for each program");
	}
	for (int i = 0; i < j->napps; i++) {
		const char *word = w->count ? w->word[w->count > 1 ? i : 0] : NULL;
		uint64_t n = (uint64_t)(seats > j->napps ? seats / j->napps : 1);

		if (word && (text_count(word, &n) || n < 1 || n > LINUX_CPUS)) {
			error_add(e, STATUS_USAGE, NOWHERE,
				"--threads '%s' is not a number of threads", word);
			return error_hint(e, "1 .. %d", LINUX_CPUS);
		}
		j->apps[i].threads = (int)n;
	}
	return 0;
}

static int lay_out(struct job *j, int i, struct errors *e)
{
	const struct map_options *o = j->options;
	const struct mapping_request r = {
		o->methods[i], (enum mapping_type)o->by, o->oversubscribe};

	map_layout_free(&j->layouts[i], j->napps);
	return map_layout(&j->layouts[i], &r, j->apps, j->napps, &j->topo, e);
}

static int plan(struct job *j, struct errors *e)
{
	const struct map_options *o = j->options;
	int failed = 0;

	j->napps = o->nprograms;
	j->apps = alloc_zeroed((size_t)j->napps, sizeof(*j->apps));
	for (int i = 0; i < j->napps; i++)
		failed |= find_app(&j->apps[i], o->programs[i], e);
	failed |= share_threads(j, e);
	failed |= map_mix(j->apps, j->napps, o->profile, e);
	for (int i = 0; i < j->napps && o->action == MAP_PLAN; i++)
		j->apps[i].why = alloc_format("--plan starts nothing that could be counted");
	for (int i = 0; i < o->nmethods && !failed; i++)
		failed = lay_out(j, i, e);
	j->result = (struct map_result){.apps = j->apps,
		.napps = j->napps,
		.layouts = j->layouts,
		.nlayouts = o->nmethods,
		.runs = (size_t)o->runs,
		.by = mapping_types[o->by],
		.topo = &j->topo,
		.counted = &j->counted,
		.warnings = e};
	return failed;
}

/* A stop of affinity-map (Ctrl-Z, SIGSTOP) spoils the times of a run, so it is repeated. */
#define MAX_ATTEMPTS 3

/* *paused: affinity-map was stopped, so the measured times are not those of the programs. */
static int try_once(struct job *j, int layout, const char *library, bool *paused, struct errors *e)
{
	struct map_result *r = &j->result;
	struct map_sample *samples =
		(struct map_sample *)map_sample_of(r, layout, r->done[layout], 0);
	int interrupted;

	if (map_run(&j->layouts[layout], j->apps, j->napps, library, NULL, samples, &interrupted,
		    e))
		return -1;
	j->status = map_judge(j->apps, j->napps, samples, interrupted, e);
	*paused = samples->paused && !j->status;
	if (*paused)
		return 0;
	map_warn(&j->layouts[layout], j->apps, j->napps, samples, e);
	return j->status ? -1 : 0;
}

static int run_once(struct job *j, int layout, const char *library, struct errors *e)
{
	bool paused = true;
	int failed = 0;

	for (int i = 0; i < MAX_ATTEMPTS && paused && !failed; i++) {
		failed = try_once(j, layout, library, &paused, e);
		if (paused && !failed)
			error_warn(e,
				"affinity-map was stopped while programs ran; that run of %s "
				"does not count",
				mapping_methods[j->layouts[layout].method]);
	}
	if (failed)
		return -1;
	if (paused)
		return error_add(e, STATUS_FAILED, NOWHERE,
			"affinity-map was stopped during %d runs in a row", MAX_ATTEMPTS);
	j->result.done[layout]++;
	return 0;
}

/* Counts the mixes that no profile gives. This runs the programs, so it follows all checks. */
static int count_mixes(struct job *j, const char *library, struct errors *e)
{
	const struct map_options *o = j->options;
	int at = 0;

	while (at < o->nmethods && o->methods[at] != MAPPING_INSTRUCTION)
		at++;
	if (at == o->nmethods || !map_lacks_mix(j->apps, j->napps))
		return 0;
	if (map_count(j->apps, j->napps, (enum mapping_type)o->by, library, &j->counted, &j->status,
		    e))
		return -1;
	return lay_out(j, at, e);
}

/* The order consists of rounds. Each round runs every mapping once, in random order, so that drift
 * affects all mappings alike and runs of the same round can be compared. */
static size_t *make_order(struct map_result *r, uint64_t seed, size_t *n)
{
	size_t width = (size_t)r->nlayouts;

	*n = r->runs * width;
	size_t *order = alloc_zeroed(*n, sizeof(*order));
	for (size_t i = 0; i < *n; i++)
		order[i] = i % width;
	if (*n < 2)
		return order;
	r->seed = seed ? seed : random_seed();
	uint64_t state = r->seed;
	for (size_t i = 0; i < *n; i += width)
		random_shuffle(&state, order + i, width);
	return order;
}

/* Without mixes, instruction is the same as compact. If the user asks for both, comparing the two
 * would only show noise. */
static void drop_copy(struct job *j, struct errors *e)
{
	struct map_result *r = &j->result;
	int copy = -1, compact = -1;

	for (int i = 0; i < r->nlayouts; i++) {
		const struct map_layout *l = &j->layouts[i];

		if (l->method == MAPPING_COMPACT)
			*(l->asked == MAPPING_COMPACT ? &compact : &copy) = i;
	}
	if (copy < 0 || compact < 0)
		return;
	error_warn(e, "mapping instruction is left out: it would be the same as compact");
	error_hint(e, "%s", j->layouts[copy].why);
	map_layout_free(&j->layouts[copy], j->napps);
	r->nlayouts--;
	for (int i = copy; i < r->nlayouts; i++)
		j->layouts[i] = j->layouts[i + 1];
	j->layouts[r->nlayouts] = (struct map_layout){0};
}

/* Runs with different numbers of threads do different work, so their times cannot be compared. */
static void compare_threads(const struct map_result *r, struct errors *e)
{
	for (int l = 1; l < r->nlayouts; l++)
		for (int i = 0; i < r->napps && r->done[0] && r->done[l]; i++) {
			int first = map_sample_of(r, 0, 0, i)->threads;
			int other = map_sample_of(r, l, 0, i)->threads;

			if (first == other)
				continue;
			error_warn(e, "'%s' began %d threads with %s and %d with %s",
				r->apps[i].name, first, mapping_methods[r->layouts[0].method],
				other, mapping_methods[r->layouts[l].method]);
			error_hint(e, "give it a fixed number of threads, by its own options");
		}
}

static int run_all(struct job *j, struct errors *e)
{
	struct map_result *r = &j->result;
	char *library = map_library(e);
	int failed = library ? count_mixes(j, library, e) : -1;
	size_t n;

	drop_copy(j, e);
	size_t *order = make_order(r, j->options->seed, &n);
	r->samples = alloc_zeroed(n * (size_t)r->napps, sizeof(*r->samples));
	r->done = alloc_zeroed((size_t)r->nlayouts, sizeof(*r->done));
	for (size_t i = 0; i < n && !failed; i++)
		failed = run_once(j, (int)order[i], library, e);
	compare_threads(r, e);
	free(order);
	free(library);
	return failed;
}

static int write_file(const char *path, int (*write)(const struct map_result *, FILE *),
	const struct map_result *r, struct errors *e)
{
	char *data = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&data, &size);
	int failed = !out || write(r, out);

	if (out && fclose(out))
		failed = 1;
	if (failed)
		failed = error_add(
			e, STATUS_FAILED, NOWHERE, "out of memory while writing '%s'", path);
	else
		failed = output_write(path, data, size, e);
	free(data);
	return failed;
}

static int write_text(const struct map_result *r, FILE *out)
{
	map_report(r, out);
	return 0;
}

/* Reports the complete runs, even if a later run failed. */
static int report(const struct job *j, struct errors *e)
{
	const struct map_options *o = j->options;
	int failed = 0;

	if (o->json)
		failed |= write_file(o->json, map_json, &j->result, e);
	if (o->out)
		failed |= write_file(o->out, write_text, &j->result, e);
	else
		map_report(&j->result, stderr);
	return failed;
}

static bool any_run(const struct map_result *r)
{
	for (int i = 0; i < r->nlayouts; i++)
		if (r->done[i])
			return true;
	return false;
}

static int measure(struct job *j, struct errors *e)
{
	const struct map_options *o = j->options;

	if (!j->topo.this_system)
		return error_add(e, STATUS_PLACEMENT, NOWHERE,
			"cannot run programs on a topology that is not this machine: %s",
			j->topo.source);
	if ((o->json && output_check(o->json, e)) || (o->out && output_check(o->out, e)))
		return -1;
	int failed = run_all(j, e);
	return any_run(&j->result) ? report(j, e) | failed : failed;
}

/* Linux reports everything that mappings need. hwloc would also query each processor, and so would
 * wait for its turn on every CPU. */
static int load_topology(struct topo *t, struct errors *e)
{
	bool ours = !getenv("HWLOC_COMPONENTS");

	if (ours)
		setenv("HWLOC_COMPONENTS", "-x86", 0);
	int failed = topo_load(t, e);
	if (ours)
		unsetenv("HWLOC_COMPONENTS");
	return failed;
}

static void free_app(struct map_app *app)
{
	free(app->path);
	free(app->why);
}

static void perform(struct job *j, struct errors *e)
{
	if (!load_topology(&j->topo, e) && !plan(j, e)) {
		if (j->options->action == MAP_PLAN) {
			drop_copy(j, e);
			map_report_plan(&j->result, stdout);
		} else {
			measure(j, e);
		}
	}
	for (int i = 0; i < MAPPING_METHODS; i++)
		map_layout_free(&j->layouts[i], j->napps);
	for (int i = 0; i < j->napps; i++)
		free_app(&j->apps[i]);
	free(j->apps);
	map_counted_free(&j->counted);
	free(j->result.samples);
	free(j->result.done);
	topo_free(&j->topo);
}

static void nothing(int number)
{
	(void)number;
}

/* Makes a write fail instead of ending this process. It uses a handler because programs would
 * inherit SIG_IGN, but a signal with a handler is reset to its default for them. */
static void outlive(int number)
{
	struct sigaction before, handled = {.sa_handler = nothing, .sa_flags = SA_RESTART};

	if (!sigaction(number, NULL, &before) && before.sa_handler == SIG_DFL)
		sigaction(number, &handled, NULL);
}

int main(int argc, char **argv)
{
	struct map_options options;
	struct job job = {.options = &options};
	struct errors errors = {0};

	outlive(SIGPIPE);
	outlive(SIGXFSZ);
	if (!map_options_parse(&options, argc, argv, &errors)) {
		if (options.action == MAP_HELP)
			map_options_usage(stdout);
		else if (options.action == MAP_VERSION)
			printf("affinity-map %s\n", AFFINITY_VERSION);
		else
			perform(&job, &errors);
	}
	if (fflush(stdout) || ferror(stdout))
		error_add(&errors, STATUS_FAILED, NOWHERE, "cannot write to standard output");
	errors_print(&errors, 0, stderr);
	int status = job.status ? job.status : (int)errors_status(&errors);
	errors_free(&errors);
	map_options_free(&options);
	return status;
}
