/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine as a table of nodes, distances, caches and page pools. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "memory/capacity.h"
#include "report/picture.h"
#include "report/report.h"
#include "base/text.h"

/* The CPUs that belong to the node, as "0-3,8". */
static const char *cpus_of(
	const struct topo *t, int node, bool only_allowed, char *buffer, size_t n)
{
	int highest = 0;

	for (int i = 0; i < t->ncpus; i++)
		highest = t->cpus[i].cpu > highest ? t->cpus[i].cpu : highest;
	bool *set = alloc_zeroed((size_t)highest + 1, sizeof(*set));
	for (int i = 0; i < t->ncpus; i++)
		if (t->cpus[i].node == node && (t->cpus[i].allowed || !only_allowed))
			set[t->cpus[i].cpu] = true;
	text_ranges(set, (size_t)highest + 1, buffer, n);
	free(set);
	return buffer;
}

static void print_pools(int node, FILE *out)
{
	char size[32];

	for (size_t i = 0; i < MEM_POOLS; i++) {
		size_t bytes = mem_pool_bytes[i];

		if (capacity_pool_exists(bytes))
			fprintf(out, ", %s pool %llu of %llu free",
				text_size(bytes, size, sizeof(size)),
				(unsigned long long)capacity_pool_free(node, bytes),
				(unsigned long long)capacity_pool_size(node, bytes));
	}
}

static void print_memory(const struct topo *t, const struct topo_node *n, FILE *out)
{
	char size[32];

	if (n->memory)
		fprintf(out, ", kind %s", n->memory);
	if (n->guessed)
		fprintf(out, " (by its %sbandwidth)", t->measured ? "measured " : "");
	if (n->memory && n->bytes && n->allowed && !topo_is_target(n))
		fprintf(out, " (only for vectors whose node is named)");
	if (n->cache)
		fprintf(out, ", behind a memory-side cache of %s",
			text_size(n->cache, size, sizeof(size)));
}

static void print_nodes(const struct topo *t, FILE *out)
{
	char all[512], usable[512], size[32];

	for (int i = 0; i < t->nnodes; i++) {
		const struct topo_node *n = &t->nodes[i];

		fprintf(out, "node %d: CPUs %s", n->node,
			cpus_of(t, n->node, false, all, sizeof(all)));
		if (n->allowed_cpus != n->cpus)
			fprintf(out, " (usable: %s)",
				cpus_of(t, n->node, true, usable, sizeof(usable)));
		fprintf(out, ", memory %s",
			n->bytes ? text_size(n->bytes, size, sizeof(size)) : "none");
		if (n->bytes && !n->allowed)
			fprintf(out, " (may not be used)");
		print_memory(t, n, out);
		if (t->this_system && n->bytes) {
			fprintf(out, ", %s available",
				text_size(capacity_available(n->node), size, sizeof(size)));
			print_pools(n->node, out);
		}
		fprintf(out, "\n");
	}
}

static void print_distances(const struct topo *t, FILE *out)
{
	fprintf(out, "distances%s:\n      ",
		t->distances ? "" : " (the machine gives none; 10 and 20 assumed)");
	for (int i = 0; i < t->nnodes; i++)
		fprintf(out, " %5d", t->nodes[i].node);
	for (int i = 0; i < t->nnodes; i++) {
		fprintf(out, "\n %5d", t->nodes[i].node);
		for (int k = 0; k < t->nnodes; k++)
			fprintf(out, " %5llu",
				(unsigned long long)topo_distance(
					t, t->nodes[i].node, t->nodes[k].node));
	}
	fprintf(out, "\n");
}

/* The CPUs under caches of that size, as "0-3,8". */
static const char *cpus_under(
	const struct topo *t, int level, uint64_t bytes, char *buffer, size_t n)
{
	bool *set = alloc_zeroed((size_t)t->ncpu_index + 1, sizeof(*set));

	for (int i = 0; i < t->ncpus; i++) {
		const struct topo_one_cache *one = topo_cache_above(t, &t->cpus[i], level);

		set[t->cpus[i].cpu] = one && one->bytes == bytes;
	}
	text_ranges(set, (size_t)t->ncpu_index, buffer, n);
	free(set);
	return buffer;
}

/* The largest size below `below` of a level's caches; how many have it, and CPUs under one, at
 * most. 0: there is none. */
static struct topo_one_cache next_size(const struct topo_cache *c, uint64_t below, int *count)
{
	struct topo_one_cache next = {0};

	*count = 0;
	for (int i = 0; i < c->count; i++) {
		const struct topo_one_cache *one = &c->each[i];

		if (one->bytes >= below || one->bytes < next.bytes)
			continue;
		if (one->bytes > next.bytes) {
			next = *one;
			*count = 0;
		}
		++*count;
		if (one->shared_by > next.shared_by)
			next.shared_by = one->shared_by;
	}
	return next;
}

/* A line for each size; where there is more than one, with the CPUs under it. */
static void print_level(const struct topo *t, const struct topo_cache *c, FILE *out)
{
	char size[32], cpus[512];
	int count;
	struct topo_one_cache one = next_size(c, UINT64_MAX, &count);
	bool alone = count == c->count;

	for (; one.bytes; one = next_size(c, one.bytes, &count)) {
		fprintf(out, "L%d cache: %s, %d of them, each under %d CPU%s, lines of %u B%s",
			c->level, text_size(one.bytes, size, sizeof(size)), count, one.shared_by,
			one.shared_by == 1 ? "" : "s", c->line,
			c->line_assumed ? " (assumed: the machine gives none)" : "");
		fprintf(out, "%s%s\n", alone ? "" : ": CPUs ",
			alone ? "" : cpus_under(t, c->level, one.bytes, cpus, sizeof(cpus)));
	}
}

/* A row for each node with CPUs, a column for each node with memory. */
static void print_attribute(
	const struct topo *t, const char *name, const uint64_t *matrix, FILE *out)
{
	if (!matrix)
		return;
	fprintf(out, "%s%s, from the CPUs of a node to the memory of another:\n      ", name,
		t->measured ? ", measured" : "");
	for (int i = 0; i < t->nnodes; i++)
		fprintf(out, " %7d", t->nodes[i].node);
	for (int i = 0; i < t->nnodes; i++) {
		if (!t->nodes[i].cpus)
			continue;
		fprintf(out, "\n %5d", t->nodes[i].node);
		for (int k = 0; k < t->nnodes; k++) {
			unsigned long long v = matrix[i * t->nnodes + k];

			if (v)
				fprintf(out, " %7llu", v);
			else
				fprintf(out, " %7s", "-");
		}
	}
	fprintf(out, "\n");
}

static void print_hidden(const struct topo *t, int level, FILE *out)
{
	bool *set = alloc_zeroed((size_t)t->ncpu_index + 1, sizeof(*set));
	bool any = false;
	char cpus[512];

	for (int i = 0; i < t->ncpus; i++) {
		const struct topo_cpu *cpu = &t->cpus[i];

		set[cpu->cpu] = cpu->allowed && topo_cache_hidden(t, cpu, level);
		any |= set[cpu->cpu];
	}
	if (any)
		fprintf(out,
			"L%d cache: not shown for CPUs %s; sizes count the largest that is shown\n",
			level, text_ranges(set, (size_t)t->ncpu_index, cpus, sizeof(cpus)));
	free(set);
}

static void print_caches(const struct topo *t, FILE *out)
{
	for (int level = 1; level < TOPO_LEVELS; level++) {
		print_level(t, &t->caches[level], out);
		print_hidden(t, level, out);
	}
	if (t->caches_from == CACHES_UNKNOWN)
		fprintf(out, "caches: the machine shows none; the key caches gives their sizes\n");
	else if (t->caches_from != CACHES_SHOWN)
		fprintf(out, "sizes of caches: from %s\n", topo_caches_from(t));
}

/* The kinds of cores, the quickest first; nothing if all are alike. */
static void print_kinds(const struct topo *t, FILE *out)
{
	bool *set = alloc_zeroed((size_t)t->ncpu_index, sizeof(*set));
	char cpus[512];

	for (int kind = 0; kind < t->nkinds; kind++) {
		const struct topo_kind *k = &t->kinds[kind];

		for (int i = 0; i < t->ncpus; i++)
			set[t->cpus[i].cpu] = t->cpus[i].kind == kind;
		fprintf(out, "kind %s:", k->name);
		if (k->type)
			fprintf(out, " %s,", k->type);
		if (k->efficiency < 0)
			fprintf(out, " rank unknown (the system says no more of them),");
		if (k->max_hz > 0)
			fprintf(out, " up to %.4g GHz,", k->max_hz * 1e-9);
		fprintf(out, " %d core%s, CPUs %s\n", k->cores, k->cores == 1 ? "" : "s",
			text_ranges(set, (size_t)t->ncpu_index, cpus, sizeof(cpus)));
	}
	free(set);
}

/* The places of a core that it shares with others. */
static void print_places(const struct topo *t, const struct topo_cpu *c, FILE *out)
{
	for (int i = 0; i < t->nlevels; i++) {
		const struct topo_level *l = &t->levels[i];
		const int number = l->of[c - t->cpus];

		if (!topo_level_above_cores(t, l->same_as < 0 ? i : l->same_as) || number < 0 ||
			!strcmp(l->name, "node") || !strcmp(l->name, "package") ||
			!strcmp(l->name, "LLC"))
			continue;
		fprintf(out, " %s %d,", l->name, number);
	}
}

static void print_core(
	const struct topo *t, const struct topo_cpu *c, const char *before, FILE *out)
{
	char home[32];

	fprintf(out, "%score %d: %s,", before, c->core, topo_home(c->node, home, sizeof(home)));
	if (c->package >= 0)
		fprintf(out, " package %d,", c->package);
	print_places(t, c, out);
	if (c->kind >= 0)
		fprintf(out, " kind %s,", topo_kind_name(t, c->kind));
	fprintf(out, " CPUs");
}

static void print_cores(const struct topo *t, FILE *out)
{
	int core = -1;

	for (int i = 0; i < t->ncpus; i++) {
		const struct topo_cpu *c = &t->cpus[i];

		if (c->core != core)
			print_core(t, c, core < 0 ? "" : "\n", out);
		core = c->core;
		fprintf(out, " %d%s", c->cpu,
			c->allowed    ? ""
			: c->nameable ? " (by name only)"
				      : " (may not be used)");
	}
	fprintf(out, "\n");
}

void report_topology(const struct topo *t, FILE *out)
{
	char usable[512];

	fprintf(out, "%s: %d node%s, %d package%s, %d core%s, %d CPU%s (%s)\n", t->source,
		t->nnodes, text_s((unsigned)t->nnodes), t->npackages,
		text_s((unsigned)t->npackages), t->ncores, text_s((unsigned)t->ncores), t->ncpus,
		text_s((unsigned)t->ncpus), topo_library());
	fprintf(out, "CPUs that may be used: %s", topo_usable_cpus(t, usable, sizeof(usable)));
	const char *named = topo_nameable_cpus(t, usable, sizeof(usable));

	fprintf(out, "%s%s\n", named ? "; that cpuPerThread may name as well: " : "",
		named ? named : "");
	fprintf(out, "nodes that can run threads: %s\n",
		topo_usable_thread_nodes(t, usable, sizeof(usable)));
	fprintf(out, "nodes that can hold vectors: %s\n",
		topo_usable_memory_nodes(t, usable, sizeof(usable)));
	fprintf(out, "levels of places, the outermost first: %s\n",
		topo_level_list(t, usable, sizeof(usable)));
	report_picture(t, out);
	print_nodes(t, out);
	print_distances(t, out);
	print_attribute(t, "bandwidths (MiB/s)", t->bandwidths, out);
	print_attribute(t, "latencies (ns)", t->latencies, out);
	print_caches(t, out);
	print_kinds(t, out);
	print_cores(t, out);
}
