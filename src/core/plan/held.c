/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which level holds the data of a thread. A level holds it where all lines fit that the threads
 * under one of its caches access. */
#include "plan/held.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "plan/memory.h"

/* What a thread finds at a level: of its cache, or of all threads where they are not bound. */
struct found {
	double lines;   /* bytes that all threads under it access */
	bool elsewhere; /* other cores have lines that the thread accesses */
};

/* What threads access of their vectors, and what of it is where. */
struct access {
	const struct plan *p;
	const struct plan_op *op;
	const double *part;               /* [nthreads] of their lines; 0: none */
	struct found *found[TOPO_LEVELS]; /* [level][nthreads]; [0] of all threads together */
};

/* A vector as the threads under one cache use it, and as all do. */
struct share {
	int cache, here; /* of the cache that is looked at */
	double part;
	int users;   /* of all caches */
	bool stored; /* by threads that do not divide it */
	bool divides;
};

static bool stores(const struct plan_job *job)
{
	return job->kernel->meetings.hands_over || job->kernel->meetings.transfers ||
	       plan_work(job).stores > 0;
}

static struct share *count_users(const struct access *a)
{
	struct share *shares = alloc_zeroed((size_t)a->p->nvectors + 1, sizeof(*shares));

	for (int i = 0; i < a->p->nthreads; i++)
		for (int k = 0; a->part[i] > 0 && k < a->p->threads[i].nvectors; k++) {
			struct share *s = &shares[a->p->threads[i].vector_ids[k]];
			const struct plan_job *job = &a->op->jobs[i];

			s->cache = -1;
			s->users++;
			s->divides |= job->kernel->accesses.divides;
			s->stored |= !job->kernel->accesses.divides && stores(job);
		}
	return shares;
}

/* The number of the cache of a level above a thread; level 0: one for all. -1: none. */
static int cache_of(const struct access *a, int thread, int level)
{
	const struct topo_cpu *cpu = topo_cpu(a->p->topo, a->p->threads[thread].cpu);

	if (!level)
		return 0;
	return cpu && topo_cache_above(a->p->topo, cpu, level) ? cpu->caches[level] : -1;
}

/* Adds the lines of a thread that no other one under the cache accesses. */
static double add_lines(const struct access *a, struct share *shares, int thread, int cache)
{
	double bytes = 0;

	for (int k = 0; k < a->p->threads[thread].nvectors; k++) {
		const int vector = a->p->threads[thread].vector_ids[k];
		struct share *s = &shares[vector];
		const double all = (double)a->p->vectors[vector].bytes;

		if (s->cache != cache) {
			s->cache = cache;
			s->here = 0;
			s->part = 0;
		}
		s->here++;
		if (s->divides)
			bytes += all * a->part[thread] / s->users;
		else if (a->part[thread] > s->part)
			bytes += all * (a->part[thread] - s->part);
		s->part = fmax(s->part, a->part[thread]);
	}
	return bytes;
}

static bool any_elsewhere(const struct access *a, const struct share *shares, int thread)
{
	for (int k = 0; k < a->p->threads[thread].nvectors; k++) {
		const struct share *s = &shares[a->p->threads[thread].vector_ids[k]];

		if (s->stored && s->here < s->users)
			return true;
	}
	return false;
}

/* Fills in a level: threads one cache after another, so that the time grows with threads and not
 * with their pairs. */
static void look_at(struct access *a, int level, struct share *shares)
{
	const int n = a->p->nthreads, count = level ? a->p->topo->caches[level].count : 1;
	int *first = alloc_zeroed((size_t)count + 1, sizeof(*first));
	int *next = alloc_zeroed((size_t)n + 1, sizeof(*next)); /* both from 1; 0: the end */

	for (int i = n - 1; i >= 0; i--) {
		const int cache = cache_of(a, i, level);

		if (cache < 0 || !(a->part[i] > 0))
			continue;
		next[i] = first[cache];
		first[cache] = i + 1;
	}
	for (int cache = 0; cache < count; cache++) {
		double lines = 0;

		for (int i = first[cache]; i; i = next[i - 1])
			lines += add_lines(a, shares, i - 1, cache);
		for (int i = first[cache]; i; i = next[i - 1])
			a->found[level][i - 1] =
				(struct found){lines, any_elsewhere(a, shares, i - 1)};
	}
	free(next);
	free(first);
}

static void look_at_caches(struct access *a)
{
	for (int level = 0; level < TOPO_LEVELS; level++) {
		struct share *shares = count_users(a);

		a->found[level] = alloc_zeroed((size_t)a->p->nthreads + 1, sizeof(**a->found));
		look_at(a, level, shares);
		free(shares);
	}
}

static void end_look(struct access *a)
{
	for (int level = 0; level < TOPO_LEVELS; level++)
		free(a->found[level]);
}

/* Are lines of the vector in caches of other cores, as the file asks for before every sample? */
static bool left_elsewhere(const struct plan *p, const struct plan_vector *v, int cpu)
{
	const struct topo_cpu *here = topo_cpu(p->topo, cpu);
	bool any = false;

	for (int k = 0; k < v->nsteps; k++) {
		const struct topo_cpu *there = topo_cpu(p->topo, v->steps[k].cpu);

		if (v->steps[k].action == STEP_FLUSH)
			continue;
		any = true;
		if (there && here && there->core == here->core)
			return false;
	}
	return any;
}

static bool is_left_elsewhere(const struct plan *p, int thread)
{
	const struct plan_thread *t = &p->threads[thread];

	for (int k = 0; k < t->nvectors; k++)
		if (left_elsewhere(p, &p->vectors[t->vector_ids[k]], t->cpu))
			return true;
	return false;
}

static bool is_flushed(const struct plan *p, int thread)
{
	const struct plan_thread *t = &p->threads[thread];

	for (int k = 0; k < t->nvectors; k++) {
		const char *state = p->vectors[t->vector_ids[k]].state;

		if (state && !strcmp(state, "I"))
			return true;
	}
	return false;
}

static void say_level(
	char *held, int level, const struct topo_one_cache *one, double lines, const char *more)
{
	char size[32];

	if (one->cores > 1 || *more)
		snprintf(held, PLAN_HELD, "L%d%s, %.2g of its share", level, more,
			lines / (double)one->bytes);
	else if (level == 1)
		snprintf(held, PLAN_HELD, "L1");
	else
		snprintf(held, PLAN_HELD, "L%d of %s", level,
			text_size(one->bytes, size, sizeof(size)));
}

static void say_unknown(char *held, int above)
{
	if (above)
		snprintf(held, PLAN_HELD, "unknown above L%d", above);
	else
		snprintf(held, PLAN_HELD, "unknown: no caches shown");
}

/* Of a thread that is bound. */
static void find_level(const struct access *a, int thread, char *held)
{
	const struct topo *t = a->p->topo;
	const struct topo_cpu *cpu = topo_cpu(t, a->p->threads[thread].cpu);
	const bool left = is_left_elsewhere(a->p, thread);
	const struct topo_one_cache *last = NULL;
	struct found f = {0};
	int above = 0;

	for (int level = 1; level < TOPO_LEVELS; level++) {
		const struct topo_one_cache *one = topo_cache_above(t, cpu, level);

		if (!one && topo_cache_hidden(t, cpu, level)) {
			say_unknown(held, above);
			return;
		}
		if (!one)
			continue;
		last = one;
		above = level;
		f = a->found[level][thread];
		if (f.lines > (double)one->bytes || f.elsewhere || left)
			continue;
		say_level(held, level, one, f.lines, "");
		return;
	}
	if (last && (f.elsewhere || left) && f.lines <= (double)last->bytes)
		snprintf(held, PLAN_HELD, "other cores' caches");
	else if (above <= 1) /* no processor has an L1 alone: the others are not shown */
		say_unknown(held, above);
	else
		say_level(held, above, last, f.lines, " and memory");
}

/* A thread that may run anywhere: what holds its data on every core. */
static void find_anywhere(const struct access *a, int thread, char *held)
{
	const struct topo *t = a->p->topo;
	const double lines = a->found[0][thread].lines;

	for (int level = 1; level < TOPO_LEVELS; level++) {
		const struct topo_cache *c = &t->caches[level];
		const struct topo_one_cache *least = c->each;

		for (int i = 1; i < c->count; i++)
			if (c->each[i].bytes < least->bytes)
				least = &c->each[i];
		if (!least || lines > (double)least->bytes)
			continue;
		say_level(held, level, least, lines, "");
		return;
	}
	snprintf(held, PLAN_HELD, "%s",
		topo_last_level(t) ? "unknown: not bound" : "unknown: no caches shown");
}

static void find_held(const struct access *a, int thread, char *held)
{
	if (a->p->threads[thread].cpu == UNBOUND)
		find_anywhere(a, thread, held);
	else
		find_level(a, thread, held);
}

/* The lines of all, or where `hot` those that are visited again and again, if there are such. */
static double *parts_of(const struct plan *p, const struct plan_op *op, bool hot)
{
	double *parts = alloc_zeroed((size_t)p->nthreads + 1, sizeof(*parts));

	for (int i = 0; i < p->nthreads; i++) {
		const struct kernel *k = op->jobs[i].kernel;
		const struct worker w = plan_worker(p, op, i);
		const double part = hot && k->accesses.hot ? k->accesses.hot(&w) : 0;

		if (k->min_vectors > 0)
			parts[i] = part > 0 ? part : k->accesses.reach ? k->accesses.reach(&w) : 1;
	}
	return parts;
}

static bool has_hot(const struct plan *p, const struct plan_op *op, int thread)
{
	const struct worker w = plan_worker(p, op, thread);
	const struct kernel *k = op->jobs[thread].kernel;

	return k->accesses.hot && k->accesses.hot(&w) > 0;
}

static bool is_on_memory(const struct plan_job *job, const struct topo *t)
{
	return job->kernel->accesses.past_caches || job->kernel->accesses.flushes ||
	       (job->times_cpu_caches >= PLAN_FROM_MEMORY && topo_last_level(t) > 1);
}

static void find_job(
	struct plan_job *job, const struct access *all, const struct access *hot, int i)
{
	char level[PLAN_HELD];

	job->held[0] = '\0';
	if (!(all->part[i] > 0) || plan_job_moves(job) != MOVES_NOTHING ||
		job->kernel->system.faults)
		return;
	if (job->in_side_cache) {
		snprintf(job->held, PLAN_HELD, "memory-side cache");
	} else if (hot) {
		find_held(hot, i, level);
		snprintf(job->held, PLAN_HELD, "hot part %.54s", level);
	} else if (is_on_memory(job, all->p->topo) || is_flushed(all->p, i)) {
		snprintf(job->held, PLAN_HELD, "memory");
	} else {
		find_held(all, i, job->held);
	}
}

void held_find(const struct plan *p, struct plan_op *op)
{
	double *parts = parts_of(p, op, false), *hot_parts = parts_of(p, op, true);
	struct access all = {p, op, parts, {NULL}}, hot = {p, op, hot_parts, {NULL}};
	bool any_hot = false;

	for (int i = 0; i < p->nthreads; i++)
		any_hot |= has_hot(p, op, i);
	look_at_caches(&all);
	if (any_hot)
		look_at_caches(&hot);
	for (int i = 0; i < p->nthreads; i++)
		find_job(&op->jobs[i], &all, any_hot && has_hot(p, op, i) ? &hot : NULL, i);
	end_look(&hot);
	end_look(&all);
	free(hot_parts);
	free(parts);
}

const char *held_join(const char *const *words, size_t count, char *buffer, size_t n)
{
	size_t used = 0;

	buffer[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		bool told = !words[i] || !*words[i];

		for (size_t k = 0; k < i && !told; k++)
			told = words[k] && !strcmp(words[k], words[i]);
		if (told)
			continue;
		int more = snprintf(buffer + used, n - used, "%s%s", used ? "; " : "", words[i]);
		if (more < 0 || (size_t)more >= n - used)
			break;
		used += (size_t)more;
	}
	return buffer;
}

const char *held_together(const struct plan *p, const struct plan_op *op, char *buffer, size_t n)
{
	const char **words = alloc_zeroed((size_t)p->nthreads + 1, sizeof(*words));

	for (int i = 0; i < p->nthreads; i++)
		words[i] = op->jobs[i].held;
	held_join(words, (size_t)p->nthreads, buffer, n);
	free(words);
	return buffer;
}
