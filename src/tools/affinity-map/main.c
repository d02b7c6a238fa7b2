/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * affinity-map binds every thread of unchanged programs as it begins.
 *
 *   options   the command line                      launch     starts programs at one instant
 *   plan      the CPUs of each program (mapping/)   jobs       signals, stops, the terminal
 *   run       shared memory, environment, result    leftovers  processes that are left behind
 *   count     instruction mixes by counters         report     figures for people; json
 *   job       programs under every mapping          pairs      every pair of the programs
 *   try       a race of command lines   trial      one run of such a line
 *   candidates, command_line            what races
 *   show      a process that runs already
 *   preload/  the library that goes into the programs
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/terminal.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/ending.h"
#include "base/linux.h"
#include "machine/memattrs.h"
#include "affinity-map/comparable.h"
#include "affinity-map/count.h"
#include "affinity-map/job.h"
#include "affinity-map/outputs.h"
#include "affinity-map/pairs.h"
#include "affinity-map/show.h"
#include "affinity-map/try.h"
#include "system/given_cpus.h"
#include "system/program.h"
#include "statistics/random.h"
#include "mapping/seats.h"
#include "base/name.h"
#include "base/version.h"

const char PROGRAM_NAME[] = "affinity-map";

/* A command line: all programs together, or every pair of them. */
struct session {
	const struct map_options *options;
	struct topo topo;
	struct map_app *apps;
	int napps;
	struct map_counted counted;
	struct job job;
	struct map_pairs pairs; /* --pairs, in place of job */
	int status;
};

static int find_app(struct map_app *app, char **argv, struct errors *e)
{
	const char *slash = strrchr(argv[0], '/');
	char why[512];

	*app = (struct map_app){.argv = argv, .name = slash ? slash + 1 : argv[0]};
	app->path = program_find(argv[0], why, sizeof(why));
	if (!app->path)
		return program_missing(argv[0], why, e);
	if (program_deaf(app->path, why, sizeof(why))) {
		error_warn(e, "'%s' is %s: no library can be preloaded into it", app->name, why);
		error_hint(e, "its threads stay on the CPUs of the program, but none is bound by "
			      "itself, and they are not counted");
	}
	return 0;
}

/* Without --threads all programs that run together get the same number of places: the number of
 * CPUs divided by that of programs, at least 1. */
static int share_threads(struct session *s, struct errors *e)
{
	const struct words *w = &s->options->threads;
	int seats, together = s->options->pairs ? 2 : s->napps;

	free(seats_usable(&s->topo, &seats));
	if (w->count > 1 && w->count != (size_t)s->napps) {
		error_add(e, STATUS_USAGE, NOWHERE,
			s->napps == 1 ? "--threads has %zu values, but there is %d program"
				      : "--threads has %zu values, but there are %d programs",
			w->count, s->napps);
		return error_hint(e, "give one value, or one for each program");
	}
	for (int i = 0; i < s->napps; i++) {
		const char *word = w->count ? w->word[w->count > 1 ? i : 0] : NULL;
		uint64_t n = (uint64_t)(seats > together ? seats / together : 1);

		if (word && (text_count(word, &n) || n < 1 || n > LINUX_CPUS)) {
			error_add(e, STATUS_USAGE, NOWHERE,
				"--threads '%s' is not a number of threads", word);
			return error_hint(e, "1 .. %d", LINUX_CPUS);
		}
		s->apps[i].threads = (int)n;
	}
	return 0;
}

/* The programs are to be mapped together, or pair by pair. */
static int plan_mappings(struct session *s, struct errors *e)
{
	if (s->options->pairs) {
		s->pairs = (struct map_pairs){.options = s->options,
			.topo = &s->topo,
			.apps = s->apps,
			.napps = s->napps,
			.counted = &s->counted,
			.warnings = e};
		return pairs_plan(&s->pairs, e);
	}
	s->job = (struct job){.options = s->options,
		.topo = &s->topo,
		.apps = s->apps,
		.napps = s->napps,
		.counted = &s->counted};
	return job_plan(&s->job, e);
}

static int plan(struct session *s, struct errors *e)
{
	const struct map_options *o = s->options;
	int failed = 0;

	s->napps = o->nprograms;
	s->apps = alloc_zeroed((size_t)s->napps, sizeof(*s->apps));
	for (int i = 0; i < s->napps; i++)
		failed |= find_app(&s->apps[i], o->programs[i], e);
	failed |= share_threads(s, e);
	failed = failed ? -1 : map_mix(s->apps, s->napps, o->profile, e);
	for (int i = 0; i < s->napps && o->action == MAP_PLAN; i++)
		if (!s->apps[i].why)
			s->apps[i].why =
				alloc_format("--plan starts nothing that could be counted");
	return failed ? -1 : plan_mappings(s, e);
}

static bool asks_for(const struct map_options *o, enum mapping_method method)
{
	for (int i = 0; i < o->nmethods; i++)
		if (o->methods[i].method == method)
			return true;
	return false;
}

/* Counts the mixes that no profile gives. This runs the programs, so it follows all checks. */
static int count_mixes(struct session *s, const char *library, struct errors *e)
{
	const struct map_options *o = s->options;

	if (!asks_for(o, MAPPING_INSTRUCTION) || !map_lacks_mix(s->apps, s->napps))
		return 0;
	return map_count(
		s->apps, s->napps, (enum mapping_type)o->by, library, &s->counted, &s->status, e);
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

static int run_job(struct session *s, const char *library, struct errors *e)
{
	struct job *j = &s->job;
	int failed = job_plan_again(j, e);
	size_t n;

	j->library = library;
	job_drop_copy(j, e);
	comparable_kinds(&j->result, e);
	size_t *order = make_order(&j->result, s->options->seed, &n);
	job_begin(j);
	const uint64_t begin_ns = clock_ns();

	for (size_t i = 0; i < n && !failed; i++) {
		if (n > 1)
			job_tell(j->layouts[order[i]].name, i, n, begin_ns);
		failed = job_run(j, (int)order[i], e);
	}
	job_compare_threads(j, e);
	s->status = j->status;
	free(order);
	return failed;
}

/* A comparison with a mapping that was replaced by another one would look right but be wrong. */
static int need_mixes(const struct session *s, struct errors *e)
{
	for (int i = 0; i < s->napps && asks_for(s->options, MAPPING_INSTRUCTION); i++) {
		const struct map_app *app = &s->apps[i];

		if (app->has_mix)
			continue;
		error_add(e, STATUS_USAGE, NOWHERE,
			"--pairs: no instruction mix of '%s' is known%s%s", app->name,
			app->why ? ": " : "", app->why ? app->why : "");
		return error_hint(e,
			"scripts/profile %s ... >DIR/%s.csv and --profile DIR; or --mapping "
			"os,roundrobin",
			app->name, app->name);
	}
	return 0;
}

/* The mixes of pairs are copies, so the pairs are planned again when mixes have been counted. */
static int run_pairs(struct session *s, const char *library, struct errors *e)
{
	if (need_mixes(s, e))
		return -1;
	pairs_free(&s->pairs);
	int failed = plan_mappings(s, e);

	if (!failed)
		comparable_kinds_of_pairs(&s->pairs, e);
	failed = failed ? -1 : pairs_alone(&s->pairs, library, e);
	failed = failed ? -1 : pairs_run(&s->pairs, library, e);
	s->status = s->pairs.status;
	return failed;
}

static int run_all(struct session *s, struct errors *e)
{
	char *library = map_library(e);
	int failed = library ? count_mixes(s, library, e) : -1;

	if (!failed)
		failed = s->options->pairs ? run_pairs(s, library, e) : run_job(s, library, e);
	free(library);
	return failed;
}

static int write_text(const void *arg, FILE *out)
{
	const struct session *s = arg;

	if (s->options->pairs)
		pairs_report(&s->pairs, out);
	else
		map_report(&s->job.result, out);
	return 0;
}

static int write_json(const void *arg, FILE *out)
{
	const struct session *s = arg;

	return s->options->pairs ? pairs_json(&s->pairs, out) : map_json(&s->job.result, out);
}

static bool any_run(const struct session *s)
{
	const struct map_result *r = &s->job.result;

	if (s->options->pairs)
		return pairs_any(&s->pairs);
	for (int i = 0; r->done && i < r->nlayouts; i++)
		if (r->done[i])
			return true;
	return false;
}

static int measure_mappings(struct session *s, struct errors *e)
{
	const struct map_options *o = s->options;

	if (!s->topo.this_system)
		return error_add(e, STATUS_PLACEMENT, NOWHERE,
			"cannot run programs on a topology that is not this machine: %s",
			s->topo.source);
	if (map_outputs_check(o, e))
		return -1;
	int failed = run_all(s, e);
	/* of the complete runs, even if a later run failed */
	if (any_run(s))
		failed |= map_outputs_write(o, write_json, write_text, s, e);
	return failed;
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

static void print_plan(struct session *s, struct errors *e)
{
	if (s->options->pairs) {
		comparable_kinds_of_pairs(&s->pairs, e);
		pairs_report_plan(&s->pairs, stdout);
		return;
	}
	job_drop_copy(&s->job, e);
	comparable_kinds(&s->job.result, e);
	map_report_plan(&s->job.result, stdout);
}

static void perform_map(struct session *s, struct errors *e)
{
	const char *bandwidths = s->options->bandwidths;
	int failed = load_topology(&s->topo, e);

	if (!failed && bandwidths)
		failed = memattrs_rates(&s->topo, bandwidths, false, e);

	if (!failed && s->options->action == MAP_SHOW) {
		show_process(s->options, &s->topo, e);
	} else if (!failed && s->options->try) {
		try_program(s->options, &s->topo, &s->status, e);
	} else if (!failed && !plan(s, e)) {
		if (s->options->action == MAP_PLAN)
			print_plan(s, e);
		else
			measure_mappings(s, e);
	}
	job_free(&s->job);
	pairs_free(&s->pairs);
	for (int i = 0; i < s->napps; i++)
		map_app_free(&s->apps[i]);
	free(s->apps);
	map_counted_free(&s->counted);
	topo_free(&s->topo);
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
	struct session session = {.options = &options};
	struct errors errors = {0};

	given_cpus_restore(); /* programs inherit the CPUs of this thread */
	outlive(SIGPIPE);
	outlive(SIGXFSZ);
	if (!map_options_parse(&options, argv + (argc > 0), &errors)) {
		if (options.action == MAP_HELP)
			terminal_show(map_options_usage);
		else if (options.action == MAP_VERSION)
			printf("%s %s\n", PROGRAM_NAME, AFFINITY_VERSION);
		else
			perform_map(&session, &errors);
	}
	ending_flush(&errors);
	errors_print(&errors, 0, stderr);
	int status = session.status ? session.status : (int)errors_status(&errors);
	errors_free(&errors);
	map_options_free(&options);
	return status;
}
