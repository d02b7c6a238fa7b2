/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads result documents one after another. */
#include "affinity-fleet/intake.h"

#include <errno.h>
#include <fts.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "analysis/derive.h"
#include "base/alloc.h"
#include "base/denied.h"
#include "base/error.h"
#include "base/text.h"
#include "compare/conditions.h"
#include "document/document.h"
#include "document/figure.h"

static int by_path(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_result(const FTSENT *entry)
{
	const size_t n = entry->fts_namelen;

	return entry->fts_info == FTS_F && n > 5 && !strcmp(entry->fts_name + n - 5, ".json");
}

/* Such as .history, with results that are not the present ones; named itself, it is not passed. */
static bool is_hidden(const FTSENT *entry)
{
	return entry->fts_info == FTS_D && entry->fts_level > 0 && entry->fts_name[0] == '.';
}

static int unreadable(const char *path, int code, struct errors *e)
{
	error_add(e, STATUS_USAGE, NOWHERE, "cannot read '%s': %s", path, strerror(code));
	error_hint(e, "name folders or files with results (.json)");
	return denied_hint(path, code, e);
}

/* Links are not followed: they may lead back. */
static int walk(char *path, struct words *files, struct errors *e)
{
	char *const roots[] = {path, NULL};
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_COMFOLLOW | FTS_NOCHDIR, NULL);
	int failed = 0;

	if (!tree)
		return unreadable(path, errno, e);
	for (FTSENT *entry = fts_read(tree); entry; entry = fts_read(tree)) {
		if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR) {
			failed = unreadable(entry->fts_path, entry->fts_errno, e);
		} else if (is_hidden(entry)) {
			fts_set(tree, entry, FTS_SKIP);
		} else if (entry->fts_info == FTS_D && denied_folder(entry->fts_path, e)) {
			failed = -1;
			fts_set(tree, entry, FTS_SKIP);
		} else if (is_result(entry)) {
			words_add(files, entry->fts_path, entry->fts_pathlen);
		}
	}
	fts_close(tree);
	return failed;
}

/* Adds the *.json of a folder and of all below it, in the order of their paths, without the caches
 * that ejec.sh measured; or the path itself, if it is no folder. 0, or -1 with a message: there is
 * no such path, or it cannot be read. */
static int folders_list(const char *path, struct words *files, bool *folder, struct errors *e)
{
	struct stat s;

	if (stat(path, &s))
		return unreadable(path, errno, e);
	*folder = S_ISDIR(s.st_mode);
	if (!*folder) {
		words_add(files, path, strlen(path));
		return 0;
	}
	char *root = strdup(path);
	int failed = root ? walk(root, files, e) : unreadable(path, ENOMEM, e);

	free(root);
	if (files->count)
		qsort(files->word, files->count, sizeof(*files->word), by_path);
	return failed;
}

/* What the driver writes where the system does not tell. */
#define UNKNOWN "unknown"
/* Documents that are in memory at a time. */
#define BATCH 64

/* ---- names */

/* FNV-1a (Fowler, Noll, Vo), of a text with its end. */
static uint64_t hash(uint64_t h, const char *text)
{
	do
		h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	while (*text++);
	return h;
}

/* Documents of the same work have the same. */
static uint64_t work_of(const struct document *d)
{
	struct conditions c;
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	conditions_read(&c, d);
	for (size_t i = 0; i < c.count; i++)
		if (c.list[i].work)
			h = hash(hash(h, c.list[i].name), c.list[i].value);
	conditions_free(&c);
	return h;
}

/* The file's folder and name, as ejec.sh names experiments. */
static const char *short_path(const char *path)
{
	const char *last = strrchr(path, '/');

	while (last && last > path && last[-1] != '/')
		last--;
	return last ? last : path;
}

/* "memory/latency\t" and the work. */
static size_t experiment_of(struct intake *in, const struct document *d)
{
	const char *path = d->arguments.path ? short_path(d->arguments.path) : "?";
	size_t length = strlen(path);

	if (length > 5 && !strcmp(path + length - 5, ".args"))
		length -= 5;
	char *key = alloc_format("%.*s%s\t%016llx", (int)length, path, d->quick ? " (quick)" : "",
		(unsigned long long)work_of(d));
	size_t number = texts_number(&in->experiments, key);

	free(key);
	return number;
}

int intake_name_length(const struct intake *in, size_t experiment)
{
	return (int)strcspn(in->experiments.list[experiment], "\t");
}

/* ---- figures */

/* The node that has all pages of the thread's vectors, or that of the thread. */
static long domain_of(const struct document_run *r, const struct document_thread *t)
{
	long node = t->nvectors ? -1 : t->node;

	for (size_t i = 0; i < t->nvectors; i++) {
		const struct document_vector *v = &r->vectors[t->vectors[i]];

		if (v->npages != 1 || (i && v->pages[0].node != node))
			return -1;
		node = v->pages[0].node;
	}
	return node;
}

static size_t part_of(struct intake *in, size_t experiment, const char *operation)
{
	char *name = alloc_format("%.*s: %s", intake_name_length(in, experiment),
		in->experiments.list[experiment], operation);
	size_t number = texts_number(&in->parts, name);

	free(name);
	return number;
}

static size_t figure_of(struct intake *in, size_t experiment, const struct document_run *r,
	const struct document_operation *o, size_t thread)
{
	const long domain = domain_of(r, &r->threads[thread]);
	const size_t before = in->figures.count;
	char *name = alloc_format("%s\t%s%s%s, thread %zu", in->experiments.list[experiment],
		r->label, *r->label ? ", " : "", o->name, thread);
	const size_t number = texts_number(&in->figures, name);

	free(name);
	if (in->figures.count > before) {
		in->about = alloc_grow(in->about, number, sizeof(*in->about));
		in->about[number] =
			(struct figure_about){experiment, part_of(in, experiment, o->name), domain};
	} else if (in->about[number].domain != domain) {
		in->about[number].domain = -1;
	}
	return number;
}

/* What all samples took, as a cost; NAN: not recorded. */
static double time_of(const struct document_job *j, bool per_unit)
{
	double sum = 0, of = 0;

	for (size_t i = 0; i < j->nsamples; i++)
		if (!j->samples[i].warmup) {
			sum += j->samples[i].cost_s;
			of += per_unit ? (double)j->samples[i].units : 1;
		}
	return of > 0 && sum > 0 ? sum / of : NAN;
}

static void add_figure(struct result *x, size_t figure, double cost, double time)
{
	x->figures = alloc_grow(x->figures, x->count, sizeof(*x->figures));
	x->values = alloc_grow(x->values, x->count, sizeof(*x->values));
	x->times = alloc_grow(x->times, x->count, sizeof(*x->times));
	x->figures[x->count] = figure;
	x->values[x->count] = 100 * log(cost);
	x->times[x->count++] = 100 * log(time);
}

static void add_operation(struct intake *in, struct result *x, const struct document_run *r,
	const struct document_operation *o)
{
	const bool again = document_trust_samples(r, o, ALL_THREADS).again;

	in->disturbed += again;
	for (size_t t = 0; t < o->njobs && t < r->nthreads; t++) {
		const struct document_figure found = document_figure(r, o, (int)t, DOCUMENT_COST);
		const double cost = again ? NAN : found.amount.value,
			     time = time_of(&o->jobs[t], r->method.per_unit);

		if (cost > 0 || (again && time > 0))
			add_figure(x, figure_of(in, x->experiment, r, o, t), cost, time);
	}
}

static double seconds_of(const char *date)
{
	struct tm t = {0};
	const char *end = strptime(date, "%Y-%m-%dT%H:%M:%SZ", &t);

	return end && !*end ? (double)timegm(&t) : NAN;
}

static void add_result(
	struct intake *in, const struct document *d, const char *path, enum role role)
{
	const char *node = document_fact(d, "slurm_node");
	const bool in_job = strcmp(node, NOT_RECORDED) != 0 && strcmp(node, UNKNOWN) != 0;
	struct result x = {.path = alloc_string(path, strlen(path)), .role = role};

	x.host = texts_number(&in->hosts, in_job ? node : document_fact(d, "host"));
	x.experiment = experiment_of(in, d);
	x.begin_s = seconds_of(document_fact(d, "date"));
	x.end_s = x.begin_s + d->elapsed_s;
	for (size_t i = 0; i < FACTS; i++)
		x.facts[i] = texts_number(&in->words, document_fact(d, facts_names[i]));
	for (size_t i = 0; i < d->nruns; i++)
		for (size_t k = 0; k < d->runs[i].operations.count; k++)
			add_operation(in, &x, &d->runs[i], &d->runs[i].operations.list[k]);
	in->results = alloc_grow(in->results, in->count, sizeof(*in->results));
	in->results[in->count++] = x;
}

/* results/ also has the schemas of what affinity writes, which nobody expects to be used. */
static void leave_out(const char *path, const struct errors *why, struct errors *e)
{
	const char *slash = strrchr(path, '/');

	if (!strncmp(slash ? slash + 1 : path, "schema-", strlen("schema-")))
		return;
	error_warn(e, "left out: %s", why->list[0].text);
	if (access(path, R_OK) && why->list[0].hint)
		error_hint(e, "%s", why->list[0].hint);
}

/* A document that was read, or the messages that say why not. */
struct reading {
	struct document document;
	struct errors errors;
	int failed;
};

/* Is it the file of measured caches that a batch keeps beside its results (--measure-caches)? An
 * experiment may have that name, too, but not the path of that one's arguments. */
static bool is_of_caches(const struct document *d)
{
	return d->arguments.path && !strcmp(d->arguments.path, "caches");
}

static int take_result(struct intake *in, const char *path, struct reading *r, bool named,
	enum role role, struct errors *e)
{
	if (r->failed && named)
		error_copy(e, &r->errors.list[0]);
	else if (r->failed)
		leave_out(path, &r->errors, e);
	else if (r->document.simulated)
		error_warn(e, "left out: %s: its times are an emulator's or a model's", path);
	else if (named || !is_of_caches(&r->document))
		add_result(in, &r->document, path, role);
	document_free(&r->document);
	errors_free(&r->errors);
	return r->failed && named ? -1 : 0;
}

/* Parsing takes nearly all of the time, so threads share a batch of files. Its results are taken
 * afterwards, in the files' order: threads that wait for their turn would take the CPUs from those
 * that parse. */
static int read_files(
	struct intake *in, const struct words *files, bool named, enum role role, struct errors *e)
{
	struct reading batch[BATCH];
	int failed = 0;

	for (size_t first = 0; first < files->count; first += BATCH) {
		const size_t left = files->count - first, n = left < BATCH ? left : BATCH;

#pragma omp parallel for schedule(dynamic, 1)
		for (size_t i = 0; i < n; i++) {
			batch[i] = (struct reading){.failed = 0};
			batch[i].failed = document_read(
				&batch[i].document, files->word[first + i], &batch[i].errors);
		}
		for (size_t i = 0; i < n; i++)
			failed |=
				take_result(in, files->word[first + i], &batch[i], named, role, e);
	}
	return failed;
}

int intake_read(struct intake *in, const char *path, enum role role, struct errors *e)
{
	struct words files = {0};
	bool folder;
	int failed = folders_list(path, &files, &folder, e);

	if (!failed && !files.count) {
		failed = error_add(e, STATUS_USAGE, NOWHERE, "'%s' has no *.json", path);
		error_hint(e, "name the folder with the results of all nodes, such as results/");
	}
	failed |= read_files(in, &files, !folder, role, e);
	words_free(&files);
	return failed;
}

void intake_free(struct intake *in)
{
	for (size_t i = 0; i < in->count; i++) {
		free(in->results[i].path);
		free(in->results[i].figures);
		free(in->results[i].values);
		free(in->results[i].times);
	}
	free(in->results);
	free(in->about);
	texts_free(&in->hosts);
	texts_free(&in->experiments);
	texts_free(&in->parts);
	texts_free(&in->figures);
	texts_free(&in->words);
	*in = (struct intake){0};
}
