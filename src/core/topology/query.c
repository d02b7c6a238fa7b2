/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Answers from the tables that topo.c filled in, without hwloc. */
#include "topology/topo.h"

#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

/* Linux's own values for pairs that the firmware does not mention (ACPI, System Locality
 * Information). */
#define LOCAL_DISTANCE  10
#define REMOTE_DISTANCE 20

const struct topo_cpu *topo_cpu(const struct topo *t, int cpu)
{
	if (cpu < 0 || cpu >= t->ncpu_index || t->cpu_index[cpu] < 0)
		return NULL;
	return &t->cpus[t->cpu_index[cpu]];
}

static int by_number(const void *key, const void *element)
{
	int number = *(const int *)key, node = ((const struct topo_node *)element)->node;

	return (number > node) - (number < node);
}

const struct topo_node *topo_node(const struct topo *t, int node)
{
	if (!t->nnodes)
		return NULL;
	return bsearch(&node, t->nodes, (size_t)t->nnodes, sizeof(*t->nodes), by_number);
}

uint64_t topo_distance(const struct topo *t, int from, int to)
{
	const struct topo_node *a = topo_node(t, from), *b = topo_node(t, to);
	uint64_t known = 0;

	if (t->distances && a && b)
		known = t->distances[(size_t)(a - t->nodes) * (size_t)t->nnodes +
				     (size_t)(b - t->nodes)];
	if (known)
		return known;
	return from == to ? LOCAL_DISTANCE : REMOTE_DISTANCE;
}

static bool holds_threads(const struct topo_node *n)
{
	return n->allowed_cpus > 0;
}

static bool holds_vectors(const struct topo_node *n)
{
	return n->allowed;
}

/* The place of two nodes in a matrix, or NULL. */
static double *between(const struct topo *t, double *matrix, int from, int to)
{
	const struct topo_node *a = topo_node(t, from), *b = topo_node(t, to);

	return matrix && a && b ? &matrix[(a - t->nodes) * t->nnodes + (b - t->nodes)] : NULL;
}

/* Puts a figure into a matrix, which begins with NAN in all places. */
static void put_figure(struct topo *t, double **matrix, char **from_file, const char *source,
	int from, int to, double figure)
{
	size_t n = (size_t)t->nnodes * (size_t)t->nnodes;

	if (!*matrix) {
		*matrix = alloc_zeroed(n, sizeof(**matrix));
		for (size_t i = 0; i < n; i++)
			(*matrix)[i] = NAN;
		*from_file = alloc_string(source, strlen(source));
	}
	double *place = between(t, *matrix, from, to);

	if (place)
		*place = figure;
}

void topo_take_access(struct topo *t, const char *source, int from, int to, double ns)
{
	put_figure(t, &t->access, &t->access_source, source, from, to, ns);
}

void topo_take_rate(struct topo *t, const char *source, int from, int to, double bytes_per_s)
{
	put_figure(t, &t->rates, &t->rates_source, source, from, to, bytes_per_s);
}

void topo_free_measured(struct topo *t)
{
	free(t->access);
	free(t->access_source);
	free(t->rates);
	free(t->rates_source);
}

/* NAN: not measured. */
static double topo_rate(const struct topo *t, int from, int to)
{
	const double *place = between(t, t->rates, from, to);

	return place ? *place : NAN;
}

double topo_lowest_rate(const struct topo *t, const bool *readers, int n, int memory)
{
	double lowest = NAN;

	for (int i = 0; i < n; i++) {
		double rate = readers[i] ? topo_rate(t, i, memory) : NAN;

		if (readers[i] && isnan(rate))
			return NAN;
		lowest = fmin(lowest, rate); /* the other one, where one is NAN */
	}
	return lowest;
}

/* The mean of both directions; NAN: not measured. */
static double access_of(const struct topo *t, int node, int other)
{
	const double *there = between(t, t->access, node, other),
		     *back = between(t, t->access, other, node);

	return there && back ? (*there + *back) / 2 : NAN;
}

static bool is_candidate(const struct topo_node *n, int node)
{
	return n->node != node && holds_threads(n) && holds_vectors(n);
}

/* Nanoseconds and distances do not compare: one that is missing leaves distances for all. That of a
 * node without CPUs cannot be measured. */
static bool all_measured(const struct topo *t, int node)
{
	for (int i = 0; i < t->nnodes; i++)
		if (is_candidate(&t->nodes[i], node) && isnan(access_of(t, node, t->nodes[i].node)))
			return false;
	return true;
}

/* Nodes are in the order of their numbers, and the first of equally distant nodes wins. */
static int most_extreme(const struct topo *t, int node, bool far)
{
	bool measured = all_measured(t, node);
	double best = 0;
	int found = -1;

	for (int i = 0; i < t->nnodes; i++) {
		const struct topo_node *n = &t->nodes[i];

		if (!is_candidate(n, node))
			continue;
		double d = measured ? access_of(t, node, n->node)
				    : (double)topo_distance(t, node, n->node);
		if (found >= 0 && (far ? d <= best : d >= best))
			continue;
		best = d;
		found = n->node;
	}
	return found;
}

int topo_first(const struct topo *t)
{
	for (int i = 0; i < t->nnodes; i++)
		if (t->nodes[i].bytes && t->nodes[i].allowed && t->nodes[i].allowed_cpus)
			return t->nodes[i].node;
	return -1;
}

int topo_far(const struct topo *t, int node)
{
	return most_extreme(t, node, true);
}

int topo_near(const struct topo *t, int node)
{
	return most_extreme(t, node, false);
}

const char *topo_usable_cpus(const struct topo *t, char *buffer, size_t n)
{
	bool *set = alloc_zeroed((size_t)t->ncpu_index, sizeof(*set));

	for (int i = 0; i < t->ncpus; i++)
		set[t->cpus[i].cpu] = t->cpus[i].allowed;
	text_ranges(set, (size_t)t->ncpu_index, buffer, n);
	free(set);
	return buffer;
}

const char *topo_nameable_cpus(const struct topo *t, char *buffer, size_t n)
{
	bool *set = alloc_zeroed((size_t)t->ncpu_index, sizeof(*set)), any = false;

	for (int i = 0; i < t->ncpus; i++) {
		set[t->cpus[i].cpu] = t->cpus[i].nameable;
		any |= t->cpus[i].nameable;
	}
	text_ranges(set, (size_t)t->ncpu_index, buffer, n);
	free(set);
	return any ? buffer : NULL;
}

static const char *usable_nodes(
	const struct topo *t, bool (*usable)(const struct topo_node *), char *buffer, size_t n)
{
	size_t count = t->nnodes ? (size_t)t->nodes[t->nnodes - 1].node + 1 : 0;
	bool *set = alloc_zeroed(count, sizeof(*set));

	for (int i = 0; i < t->nnodes; i++)
		set[t->nodes[i].node] = usable(&t->nodes[i]);
	text_ranges(set, count, buffer, n);
	free(set);
	return buffer;
}

const char *topo_usable_thread_nodes(const struct topo *t, char *buffer, size_t n)
{
	return usable_nodes(t, holds_threads, buffer, n);
}

const char *topo_usable_memory_nodes(const struct topo *t, char *buffer, size_t n)
{
	return usable_nodes(t, holds_vectors, buffer, n);
}

const char *topo_home(int node, char *buffer, size_t n)
{
	if (node < 0)
		snprintf(buffer, n, "no node");
	else
		snprintf(buffer, n, "node %d", node);
	return buffer;
}

int topo_last_level(const struct topo *t)
{
	int level = TOPO_LEVELS - 1;

	while (level > 0 && !t->caches[level].bytes)
		level--;
	return level;
}

uint64_t topo_last_cache(const struct topo *t)
{
	return t->caches[topo_last_level(t)].bytes;
}

/* A large cache above many cores may give each less than a small one above one core. */
double topo_cache_of_machine(const struct topo *t, int level, bool shared)
{
	const struct topo_cache *c = &t->caches[level];
	double most = 0;

	for (int i = 0; i < c->count; i++) {
		const struct topo_one_cache *one = &c->each[i];

		if (shared && one->cores)
			most = fmax(most, (double)one->bytes / one->cores);
	}
	return shared ? most : (double)c->bytes;
}

double topo_caches(const struct topo *t, bool shared)
{
	double bytes = 0;

	for (int level = 1; level < TOPO_LEVELS; level++)
		bytes += topo_cache_of_machine(t, level, shared);
	return bytes;
}

const struct topo_one_cache *topo_cache_above(
	const struct topo *t, const struct topo_cpu *cpu, int level)
{
	const struct topo_one_cache *one =
		cpu->caches[level] < 0 ? NULL : &t->caches[level].each[cpu->caches[level]];

	return one && one->bytes ? one : NULL;
}

bool topo_cache_hidden(const struct topo *t, const struct topo_cpu *cpu, int level)
{
	return t->caches_hidden && t->caches[level].bytes && !topo_cache_above(t, cpu, level);
}

uint64_t topo_cache_bytes(const struct topo *t, const struct topo_cpu *cpu, int level)
{
	const struct topo_one_cache *one = topo_cache_above(t, cpu, level);

	if (one)
		return one->bytes;
	return topo_cache_hidden(t, cpu, level) ? t->caches[level].bytes : 0;
}

bool topo_cache_sizes_differ(const struct topo *t, int level)
{
	const struct topo_cache *c = &t->caches[level];

	for (int i = 0; i < c->count; i++)
		if (c->each[i].bytes != c->bytes)
			return true;
	return false;
}

const char *topo_caches_from(const struct topo *t)
{
	switch (t->caches_from) {
	case CACHES_UNKNOWN:
		break;
	case CACHES_SHOWN:
		return t->this_system ? "the kernel" : "the description of the machine";
	case CACHES_PROCESSOR:
		return "the processor (cpuid)";
	case CACHES_USER:
		return "the key caches";
	case CACHES_MEASURED:
		return t->caches_note ? t->caches_note : "a measurement";
	}
	return "unknown";
}
