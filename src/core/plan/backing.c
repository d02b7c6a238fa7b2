/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What gives vectors their pages: anonymous memory, a memfd, a file. A folder stands for a file of
 * the run's own in it, which has no name; any other file is the user's, and only read.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/list.h"
#include "memory/backing.h"
#include "plan/parts.h"

static const char key[] = "backingPerVector";
static const char cache_key[] = "pageCachePerVector";

const char *const backing_names[] = {"anonymous", "memfd", "folder", "file", NULL};
const char *const cache_names[] = {"asis", "warm", "cold", NULL};

static int refuse_path(const char *path, const char *why, struct place at, struct errors *e)
{
	error_add(e, STATUS_PLACEMENT, at, "%s: '%s': %s", key, path, why);
	return error_hint(e, "file:PATH is a file to read, or a folder for one of the run's own");
}

/* The path stays in a list of the plan. */
static int read_path(
	struct plan *p, struct mem_backed *b, const char *path, struct place at, struct errors *e)
{
	struct stat is;

	if (stat(path, &is))
		return refuse_path(path, strerror(errno), at, e);
	if (!S_ISREG(is.st_mode) && !S_ISDIR(is.st_mode))
		return refuse_path(path, "is neither a file nor a folder", at, e);
	b->kind = S_ISDIR(is.st_mode) ? BACKING_FOLDER : BACKING_FILE;
	words_add(&p->paths, path, strlen(path));
	b->path = p->paths.word[p->paths.count - 1];
	return 0;
}

static int read_backing(
	struct plan *p, struct mem_backed *b, const char *word, struct place at, struct errors *e)
{
	static const char file[] = "file:";

	if (!strncmp(word, file, strlen(file)) && word[strlen(file)])
		return read_path(p, b, word + strlen(file), at, e);
	if (!strcmp(word, backing_names[BACKING_ANONYMOUS]))
		return 0;
	b->kind = BACKING_MEMFD;
	if (!strcmp(word, backing_names[BACKING_MEMFD]))
		return 0;
	error_add(e, STATUS_USAGE, at, "%s: unknown value '%s'", key, word);
	return error_hint(e, "anonymous, memfd, file:PATH or file:FOLDER");
}

/* warm(1), warm(far(0)), warm(node(1)) */
static int read_warm(struct plan *p, struct plan_vector *v, const char *word,
	const struct names *names, struct place at, struct errors *e)
{
	struct list_call call, inner;
	const bool is = list_call_read(&call, word) && !strcmp(call.name, "warm") &&
			call.arguments.count == 1;
	int node = NAMES_FAILED;

	if (is) {
		const char *where = call.arguments.word[0];
		const bool nested = list_call_read(&inner, where) && !strcmp(inner.name, "node") &&
				    inner.arguments.count == 1;

		node = names_node(
			names, nested ? inner.arguments.word[0] : where, cache_key, at, e);
		list_call_free(&inner);
	} else {
		error_add(e, STATUS_USAGE, at, "%s: unknown value '%s'", cache_key, word);
		error_hint(e, "asis, cold, warm or warm(NODE)");
	}
	list_call_free(&call);
	if (node == NAMES_FAILED || plan_usable_node(p, node, cache_key, at, e))
		return -1;
	v->backed.cache = CACHE_WARM;
	v->warm_node = node;
	return 0;
}

static int read_cache(struct plan *p, struct plan_vector *v, const char *word,
	const struct names *names, struct place at, struct errors *e)
{
	for (int i = 0; cache_names[i]; i++)
		if (!strcmp(word, cache_names[i])) {
			v->backed.cache = (enum mem_cache)i;
			return 0;
		}
	return read_warm(p, v, word, names, at, e);
}

int plan_backing(struct plan *p, const struct names *names, struct errors *e)
{
	const struct request *r = p->request;
	struct words backings = {0}, caches = {0};
	const bool listed = !plan_vector_list(p, &r->backing_per_vector, key, &backings, e) &&
			    !plan_vector_list(p, &r->cache_per_vector, cache_key, &caches, e);
	int failed = listed ? 0 : -1;

	for (int i = 0; listed && i < p->nvectors; i++) {
		struct plan_vector *v = &p->vectors[i];
		int bad = read_backing(p, &v->backed, backings.word[i], backings.at, e);

		v->warm_node = -1;
		bad |= read_cache(p, v, caches.word[i], names, caches.at, e);
		v->refused |= bad;
		failed |= bad;
	}
	words_free(&backings);
	words_free(&caches);
	return failed;
}

struct mem_request plan_request(const struct plan_vector *v, bool nodes[MEM_MAX_NODES])
{
	const bool elsewhere = v->warm_node >= 0;

	memcpy(nodes, v->nodes, MEM_MAX_NODES * sizeof(*nodes));
	if (elsewhere) {
		memset(nodes, 0, MEM_MAX_NODES * sizeof(*nodes));
		nodes[v->warm_node] = true;
	}
	return (struct mem_request){.bytes = v->bytes,
		.policy = elsewhere ? MEM_BIND : v->policy,
		.nodes = nodes,
		.pages = v->pages,
		.huge_last = plan_huge_last(v),
		.backed = &v->backed};
}

/* ---- what does not go with it */

static int refuse_vector(
	const struct plan *p, int vector, const char *why, const char *hint, struct errors *e)
{
	error_add(e, STATUS_USAGE, p->request->backing_per_vector.at, "vector %d: %s", vector, why);
	return error_hint(e, "%s", hint);
}

static int check_vector(const struct plan *p, int vector, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	const struct mem_backed *b = &v->backed;

	if (b->cache != CACHE_ASIS && !backing_is_file(b))
		return refuse_vector(p, vector, "only pages of files can be warm or cold",
			"backing: file:PATH, or leave cache out", e);
	if (b->cache == CACHE_COLD && v->policy != MEM_LOCAL)
		return refuse_vector(p, vector, "a cold file comes to lie where threads read it",
			"nodePerVector: local, or cache: warm", e);
	if (b->kind && v->pages != PAGES_SYSTEM)
		return refuse_vector(p, vector,
			"only anonymous memory has pages of a size that is asked for",
			"leave pagesPerVector out, or backing: anonymous", e);
	if (backing_is_file(b) && v->weights)
		return refuse_vector(p, vector, "pages of files are not dealt out by weights",
			"nodePerVector: interleave, or backing: memfd", e);
	if (b->kind == BACKING_FILE && v->division)
		return refuse_vector(p, vector,
			"a file has its pages once: there are no copies or slices",
			"backing: anonymous has copies of what a kernel makes", e);
	if (b->kind == BACKING_FILE && v->nsteps)
		return refuse_vector(p, vector,
			"a user's file is never written, and a state needs stores",
			"leave statePerVector out", e);
	return 0;
}

/* Has a kernel its own content there, or stores? */
static const char *find_need(const struct plan *p, const struct plan_op *op, int thread, int vector)
{
	const struct plan_job *job = &op->jobs[thread];

	if (plan_work(job).stores > 0)
		return "stores to";
	if (job->kernel->prepares || job->kernel->owns || plan_finds(p, op, thread, vector))
		return "makes the content of";
	return plan_job_moves(job) ? "moves pages of" : NULL;
}

/* Pages of a file stay in memory when a mapping gives them back, and calls have mappings of their
 * own. */
static int refuse_faults(
	const struct plan *p, const struct plan_job *job, int vector, struct errors *e)
{
	error_add(e, STATUS_USAGE, p->request->ops.at,
		"%s measures anonymous memory, and vector %d is a %s", job->name, vector,
		backing_names[p->vectors[vector].backed.kind]);
	return error_hint(e, "backing: anonymous");
}

static int check_job(const struct plan *p, const struct plan_op *op, int thread, struct errors *e)
{
	for (int k = 0; k < p->threads[thread].nvectors; k++) {
		const int vector = p->threads[thread].vector_ids[k];
		const struct mem_backed *b = &p->vectors[vector].backed;
		const char *does = find_need(p, op, thread, vector);

		if (b->kind && op->jobs[thread].kernel->system.faults)
			return refuse_faults(p, &op->jobs[thread], vector, e);
		if (b->kind != BACKING_FILE || !does)
			continue;
		error_add(e, STATUS_USAGE, p->request->ops.at,
			"%s %s vector %d, which is the file '%s': a user's file is never written",
			op->jobs[thread].name, does, vector, b->path);
		return error_hint(e, "kernels: read only loads; backing: file:FOLDER is a file of "
				     "the run's own");
	}
	return 0;
}

static int check_size(const struct plan *p, int vector, struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];
	char has[32], needs[32];
	struct stat is;

	if (v->backed.kind != BACKING_FILE || stat(v->backed.path, &is) ||
		(uint64_t)is.st_size >= v->bytes)
		return 0;
	error_add(e, STATUS_PLACEMENT, p->request->size_per_vector.at,
		"vector %d has %s, the file '%s' %s", vector,
		text_size(v->bytes, needs, sizeof(needs)), v->backed.path,
		text_size((uint64_t)is.st_size, has, sizeof(has)));
	return error_hint(e, "sizePerVector: %lluB is all of it", (unsigned long long)is.st_size);
}

static bool same_file(const struct mem_backed *a, const struct mem_backed *b)
{
	struct stat one, other;

	return a->kind == BACKING_FILE && b->kind == BACKING_FILE && !stat(a->path, &one) &&
	       !stat(b->path, &other) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static int check_twice(const struct plan *p, int vector, struct errors *e)
{
	const struct mem_backed *b = &p->vectors[vector].backed;

	for (int i = 0; i < vector && b->cache != CACHE_ASIS; i++)
		if (p->vectors[i].backed.cache != CACHE_ASIS &&
			same_file(b, &p->vectors[i].backed)) {
			error_add(e, STATUS_USAGE, p->request->cache_per_vector.at,
				"%s: vectors %d and %d are of the file '%s': one keeps the pages "
				"that "
				"the other drops",
				cache_key, i, vector, b->path);
			return error_hint(e, "one vector for all threads, or cache: asis");
		}
	return 0;
}

int plan_backed(const struct plan *p, struct errors *e)
{
	int failed = 0;

	for (int i = 0; i < p->nvectors; i++)
		failed |= check_vector(p, i, e) || check_size(p, i, e) || check_twice(p, i, e);
	for (int o = 0; o < p->nops; o++)
		for (int i = 0; i < p->nthreads; i++)
			failed |= check_job(p, &p->ops[o], i, e);
	return failed;
}
