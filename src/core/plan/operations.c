/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which kernel each thread runs in each operation, and with which parameters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/list.h"
#include "input/param.h"
#include "plan/kernels.h"
#include "plan/parts.h"
#include "input/registry.h"

/* A thousand operations of a thousand threads are planned; more do not fit in memory, at about a
 * hundred bytes each. */
#define MAX_JOBS (1u << 20)

/* SMT-Bench's "load-dep:1024", a kernel and a size in KB. */
static int kernel_and_size(const char *name, struct place at, struct errors *e)
{
	const char *size = strchr(name, ':') + 1, *id = NULL;

	for (const struct kernel_id *k = kernel_map; k->id && !id; k++)
		if (registry_same(name, (size_t)(size - 1 - name), k->id))
			id = k->id;
	if (!id || !*size || strspn(size, "0123456789") != strlen(size))
		return 0;
	error_add(e, STATUS_USAGE, at,
		"kernels: '%s' is a kernel and a size in KB, as SMT-Bench writes it", name);
	error_hint(e, "kernels: %s and sizePerVector: %sKiB, a value for each of the vectors", id,
		size);
	return -1;
}

static int unknown_kernel(const char *name, struct place at, struct errors *e)
{
	const char *nearest = registry_nearest(name);

	if (strchr(name, ':') && kernel_and_size(name, at, e))
		return -1;
	if (strchr(name, ',')) {
		error_add(e, STATUS_USAGE, at, "kernels: commas divide no kernels");
		return error_hint(e, "blanks do: kernels: read write");
	}
	error_unknown(e, STATUS_USAGE, at, nearest, "kernels: unknown kernel '%s'", name);
	return error_hint(e, "affinity --list shows every kernel");
}

/* The job's name is the map's own string. Whether the processor of another machine lacks something
 * is unknown here. */
static int find_kernel(const struct plan *p, struct plan_job *job, const char *name,
	struct place at, struct errors *e)
{
	const struct kernel_id *k = registry_entry(name);

	if (!k)
		return unknown_kernel(name, at, e);
	job->kernel = k->kernel;
	job->name = k->id;
	const char *lacks = p->topo->this_system ? registry_lacks(k->kernel) : NULL;
	if (!lacks)
		return 0;
	error_add(e, STATUS_PLACEMENT, at, "kernels: '%s' cannot run on this machine: %s", k->id,
		lacks);
	return error_hint(e, "affinity --list shows which kernels can");
}

static int too_few_threads(const struct plan *p, const char *word, size_t kernels,
	enum status status, struct errors *e)
{
	error_add(e, status, p->request->ops.at,
		"kernels: '%s' names %zu kernels, but there %s only %d thread%s", word, kernels,
		p->nthreads == 1 ? "is" : "are", p->nthreads, p->nthreads == 1 ? "" : "s");
	return error_hint(
		e, "nodePerThread: first*%zu, for example, gives as many threads", kernels);
}

/* Every kernel is looked up once, so that each mistake shows once. */
static int find_kernels(const struct plan *p, struct plan_op *op, const struct plan_kernels *k,
	struct place at, struct errors *e)
{
	struct plan_job *jobs = alloc_zeroed(k->names.count, sizeof(*jobs));
	int failed = 0;

	for (size_t i = 0; i < k->names.count; i++)
		failed |= find_kernel(p, &jobs[i], k->names.word[i], at, e);
	for (int i = 0; i < p->nthreads; i++)
		op->jobs[i] = jobs[plan_kernel_of(k, i)];
	free(jobs);
	return failed;
}

static int read_op(struct plan *p, struct plan_op *op, const char *word, struct errors *e)
{
	struct place at = p->request->ops.at;
	struct plan_kernels kernels;
	int failed = 0;

	plan_kernels_read(&kernels, word);
	size_t n = kernels.names.count;
	op->label = alloc_string(word, strlen(word));
	op->jobs = alloc_zeroed((size_t)p->nthreads + 1, sizeof(*op->jobs));
	/* with a+b* the machine decides how many threads there are */
	if (p->nthreads && n > (size_t)p->nthreads)
		failed = too_few_threads(
			p, word, n, kernels.rest ? STATUS_PLACEMENT : STATUS_USAGE, e);
	if (n) {
		failed |= find_kernels(p, op, &kernels, at, e);
	} else {
		error_add(e, STATUS_USAGE, at, "kernels: '%s' names no kernel", word);
		failed = error_hint(e, "affinity --list shows every kernel");
	}
	words_free(&kernels.names);
	return failed;
}

/* Does the setting speak of every thread? V* does, even when there is only one. */
static bool for_each_thread(const struct setting *s, const struct words *list)
{
	return list->count > 1 || strchr(s->values.word[0], '*');
}

/* The value of a setting for one thread; NULL: it does not concern this thread. */
static const char *value_for(
	const struct setting *s, const struct words *list, const struct param *param, int thread)
{
	if (for_each_thread(s, list))
		return list->word[list->count > 1 ? thread : 0];
	if ((param->flags & PARAM_THREAD_1) && thread != 1)
		return NULL;
	return list->word[0];
}

/* Users confuse this parameter, the order of pages, with pagesPerVector, their size. */
static void hint_pages(const struct param *p, struct errors *e)
{
	char range[128];

	if (!strcmp(p->name, "pages"))
		error_hint(e, "pages is %s; the size of pages is pagesPerVector",
			param_range(p, range, sizeof(range)));
}

/* Applies a setting to one job; returns how many parameters it found, or -1. */
static int apply(struct plan_job *job, int thread, const struct setting *s,
	const struct words *list, struct errors *e)
{
	const struct param *own = param_find(job->kernel->params, s->name);
	const struct param *common = param_find(common_params, s->name);
	const struct param *p = own ? own : common, *pairs = param_find_pairs(job->kernel->params);

	if (!p && pairs) {
		const char *text = value_for(s, list, pairs, thread);

		return param_add_pair(pairs, job->args, s->name, text, list->at, e) ? -1 : 1;
	}
	if (!p)
		return 0;
	const char *value = value_for(s, list, p, thread);
	void *fields = own ? job->args : (void *)&job->common;
	void *unused = NULL;

	/* a value that concerns another thread must be right all the same */
	if (!value)
		fields = unused = alloc_zeroed(1, job->kernel->args_size + sizeof(job->common));
	int failed = param_set(p, fields, value ? value : list->word[0], list->at, e);
	if (failed && own)
		hint_pages(p, e);
	free(unused);
	return failed ? -1 : 1;
}

#define MAX_TAKERS 3

/* "load_dep, load_ind, chase and 4 more": the kernels that take a parameter, in buffer. */
static const char *name_takers(const char *param, char *buffer, size_t n)
{
	size_t used = 0, all = 0;

	buffer[0] = '\0';
	for (const struct kernel_id *k = kernel_map; k->id; k++)
		if (param_find(k->kernel->params, param) && all++ < MAX_TAKERS && used < n)
			used += (size_t)snprintf(
				buffer + used, n - used, "%s%s", used ? ", " : "", k->id);
	if (all > MAX_TAKERS && used < n)
		snprintf(buffer + used, n - used, " and %zu more", all - MAX_TAKERS);
	return buffer;
}

static void unused_setting(const struct setting *s, struct errors *e)
{
	char takers[256];

	if (!request_is_parameter(s->name)) {
		request_unknown(s->name, s->values.at, e);
		return;
	}
	error_add(e, STATUS_USAGE, s->values.at, "no kernel of the file takes '%s'", s->name);
	error_hint(e, "%s is a parameter of %s", s->name,
		name_takers(s->name, takers, sizeof(takers)));
}

static int apply_setting(struct plan *p, const struct setting *s, struct errors *e)
{
	const struct list_rules rules = {.key = s->name, .want = (size_t)p->nthreads};
	struct words list;
	int used = 0, failed = 0;

	if (list_expand(&s->values, &rules, &list, e))
		return -1;
	if (list.count != 1 && list.count != (size_t)p->nthreads) {
		error_add(e, STATUS_USAGE, list.at,
			p->nthreads == 1 ? "%s has %zu values, but there is %d thread"
					 : "%s has %zu values, but there are %d threads",
			s->name, list.count, p->nthreads);
		error_hint(e, "one value, or one for each thread");
		words_free(&list);
		return -1;
	}
	for (int o = 0; o < p->nops && !failed; o++)
		for (int i = 0; i < p->nthreads && !failed; i++) {
			int found = apply(&p->ops[o].jobs[i], i, s, &list, e);
			failed = found < 0;
			used += found;
		}
	if (!failed && !used)
		unused_setting(s, e);
	const struct param *common = param_find(common_params, s->name);
	if (common && (common->flags & PARAM_THREAD_1) && p->nthreads == 1 &&
		!for_each_thread(s, &list))
		error_warn(e, "%s has one value, which is thread 1's, but there is only thread 0",
			s->name);
	words_free(&list);
	return failed || !used ? -1 : 0;
}

/* What check() says of the vectors as the file has them, before a trial made them smaller. */
static bool refuses_asked(
	const struct plan *p, const struct plan_op *op, int thread, char *why, size_t n)
{
	struct worker w = plan_worker(p, op, thread);
	struct vector *asked = alloc_zeroed((size_t)w.nvectors + 1, sizeof(*asked));

	for (int k = 0; k < w.nvectors; k++) {
		asked[k] = w.vectors[k];
		asked[k].elements = p->vectors[p->threads[thread].vector_ids[k]].elements_asked;
	}
	w.vectors = asked;
	const bool refuses = op->jobs[thread].kernel->check(&w, why, n);
	free(asked);
	return refuses;
}

/* `why` is about vectors that a trial may have made too small. */
static int refused(const struct plan *p, const struct plan_op *op, int thread, const char *why,
	struct errors *e)
{
	const char *name = op->jobs[thread].name;
	char asked[256];

	if (refuses_asked(p, op, thread, asked, sizeof(asked)))
		return error_add(e, STATUS_USAGE, p->request->ops.at, "%s: %s", name, asked);
	error_add(e, STATUS_PLACEMENT, p->request->ops.at,
		"%s: %s (a quick trial has smaller vectors)", name, why);
	return error_hint(e, "quick: no measures it");
}

/* Asks the kernel's check(), when the parameters are complete. */
static int check_job(const struct plan *p, const struct plan_op *op, int thread, struct errors *e)
{
	const struct plan_thread *t = &p->threads[thread];
	const struct plan_job *job = &op->jobs[thread];
	const struct kernel *k = job->kernel;
	const struct worker w = plan_worker(p, op, thread);
	char why[256];

	if (t->nvectors < k->min_vectors) {
		struct place at = p->request->vector_per_thread.at;
		error_add(e, STATUS_USAGE, at.file ? at : (struct place){p->path, 0},
			"thread %d runs '%s', which needs %d vector%s; it has %d", thread,
			job->name, k->min_vectors, k->min_vectors == 1 ? "" : "s", t->nvectors);
		return error_hint(
			e, "nodePerVector, sizePerVector and vectorPerThread give threads vectors");
	}
	if (plan_types(p, op, thread, e))
		return -1;
	if (k->check && k->check(&w, why, sizeof(why)))
		return refused(p, op, thread, why, e);
	if (p->topo->this_system && k->lacks_for && k->lacks_for(&w, why, sizeof(why))) {
		error_add(e, STATUS_PLACEMENT, p->request->ops.at, "%s: %s", job->name, why);
		return error_hint(e,
			"affinity --topology shows the nodes of this machine, --help %s what else "
			"its parameters may be",
			job->name);
	}
	return 0;
}

static int fill_jobs(struct plan *p, bool complete, struct errors *e)
{
	int failed = !complete;

	for (int o = 0; o < p->nops; o++)
		for (int i = 0; i < p->nthreads; i++) {
			struct plan_job *job = &p->ops[o].jobs[i];
			job->args = alloc_zeroed(1, job->kernel->args_size + 1);
			param_defaults(job->kernel->params, job->args);
			param_defaults(common_params, &job->common);
		}
	for (size_t i = 0; i < p->request->nsettings; i++)
		failed |= apply_setting(p, &p->request->settings[i], e);
	for (int o = 0; o < p->nops && !failed; o++)
		for (int i = 0; i < p->nthreads && !failed; i++)
			failed = check_job(p, &p->ops[o], i, e);
	if (failed)
		return failed;
	failed = plan_loops(p, e);
	failed |= plan_together(p, e);
	failed |= plan_owned(p, e);
	failed |= plan_divided_kernels(p, e);
	failed |= plan_moves(p, e);
	failed |= plan_backed(p, e);
	return failed;
}

static int op_index(const struct plan *p, const char *label, size_t length)
{
	for (int i = 0; i < p->nops; i++)
		if (registry_same(label, length, p->ops[i].label))
			return i;
	return -1;
}

static int read_speedup(struct plan *p, const char *word, struct place at, struct errors *e)
{
	const char *slash = strchr(word, '/');
	struct plan_speedup s;

	if (!slash || slash == word || !slash[1]) {
		error_add(e, STATUS_USAGE, at, "speedup: '%s' is not of the form write/read", word);
		return error_hint(e, "it prints the cost of write divided by the cost of read");
	}
	s.over = op_index(p, word, (size_t)(slash - word));
	s.under = op_index(p, slash + 1, strlen(slash + 1));
	if (s.over < 0 || s.under < 0) {
		const char *missing = s.over < 0 ? word : slash + 1;
		int length = s.over < 0 ? (int)(slash - word) : (int)strlen(missing);
		error_add(e, STATUS_USAGE, at, "speedup: '%s': the file does not run '%.*s'", word,
			length, missing);
		return error_hint(e, "both sides must be written as after 'kernels:'");
	}
	s.label = alloc_string(word, strlen(word));
	p->speedups = alloc_grow(p->speedups, (size_t)p->nspeedups, sizeof(*p->speedups));
	p->speedups[p->nspeedups++] = s;
	return 0;
}

static int read_ops(struct plan *p, const struct words *list, struct errors *e)
{
	int failed = 0;

	p->ops = alloc_zeroed(list->count + 1, sizeof(*p->ops));
	for (size_t i = 0; i < list->count; i++) {
		if (op_index(p, list->word[i], strlen(list->word[i])) >= 0)
			failed |= error_add(e, STATUS_USAGE, list->at,
				"kernels: '%s' stands twice; samples: N sets how often each runs",
				list->word[i]);
		failed |= read_op(p, &p->ops[p->nops++], list->word[i], e);
	}
	return failed;
}

int plan_ops(struct plan *p, bool complete, struct errors *e)
{
	const struct words *ops = &p->request->ops, *speedups = &p->request->speedups;

	if (ops->count * (size_t)p->nthreads > MAX_JOBS)
		return error_add(e, STATUS_USAGE, ops->at,
			"kernels: %zu operations of %d threads are more than can be planned",
			ops->count, p->nthreads);
	int failed = read_ops(p, ops, e);

	for (size_t i = 0; i < speedups->count; i++)
		failed |= read_speedup(p, speedups->word[i], speedups->at, e);
	if (p->nops && p->nthreads && !failed)
		failed = fill_jobs(p, complete, e);
	return failed;
}
