/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the nodes and the caches from /sys. */
#include "spm/machine.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A list such as 0-3,8,10-11 of 8192 CPUs has at most that. */
#define LIST_TEXT 65536

#define MAX_LEVELS 8

/* The first line of root/name; empty: there is no such file. */
static void read_line(const char *root, const char *name, char *text, size_t size)
{
	char path[4352];

	*text = '\0';
	snprintf(path, sizeof(path), "%s/%s", root, name);
	FILE *f = fopen(path, "re");

	if (!f)
		return;
	if (!fgets(text, (int)size, f))
		*text = '\0';
	fclose(f);
	text[strcspn(text, "\n")] = '\0';
}

/* Calls add(arg, number) for each number of the list that is below limit. */
static void each_of_list(
	const char *list, unsigned long limit, void (*add)(void *, size_t), void *arg)
{
	while (isdigit((unsigned char)*list)) {
		char *end;
		unsigned long first = strtoul(list, &end, 10), last = first;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		for (unsigned long i = first; i <= last && i < limit; i++)
			add(arg, i);
		list = *end == ',' ? end + 1 : end;
	}
}

static void add_cpu(void *arg, size_t cpu)
{
	struct spm_cpus *c = arg;

	c->words[cpu / SPM_WORD_BITS] |= 1UL << cpu % SPM_WORD_BITS;
}

static void count_one(void *arg, size_t number)
{
	(void)number;
	++*(unsigned *)arg;
}

static bool intersect(struct spm_cpus *c, const struct spm_cpus *allowed)
{
	unsigned long any = 0;

	for (size_t i = 0; i < SPM_CPU_WORDS; i++)
		any |= c->words[i] &= allowed->words[i];
	return any != 0;
}

struct reading {
	struct spm_machine *m;
	const char *root;
	const struct spm_cpus *allowed;
	char *text; /* [LIST_TEXT] */
	bool failed;
};

static void append_node(struct reading *r, int id, const struct spm_cpus *cpus)
{
	struct spm_machine *m = r->m;
	struct spm_node *more = realloc(m->nodes, (size_t)(m->nnodes + 1) * sizeof(*more));

	if (!more) {
		r->failed = true;
		return;
	}
	m->nodes = more;
	m->nodes[m->nnodes++] = (struct spm_node){.id = id, .cpus = *cpus};
}

static void read_node(void *arg, size_t id)
{
	struct reading *r = arg;
	struct spm_cpus cpus = {0};
	char name[64];

	snprintf(name, sizeof(name), "node/node%zu/cpulist", id);
	read_line(r->root, name, r->text, LIST_TEXT);
	each_of_list(r->text, SPM_CPUS, add_cpu, &cpus);
	if (intersect(&cpus, r->allowed))
		append_node(r, (int)id, &cpus);
}

static void read_nodes(struct reading *r)
{
	char nodes[4096];

	read_line(r->root, "node/online", nodes, sizeof(nodes));
	each_of_list(nodes, SPM_NODES, read_node, r);
	if (!r->m->nnodes && !r->failed)
		append_node(r, 0, r->allowed);
}

/* "32K", as the kernel writes it. */
static uint64_t cache_size(const char *text)
{
	char *end;
	uint64_t bytes = strtoull(text, &end, 10);

	return *end == 'K' ? bytes << 10 : *end == 'M' ? bytes << 20 : bytes;
}

static bool read_cache(struct reading *r, size_t cpu, int index, struct spm_cache *c)
{
	char folder[4224], text[64];

	snprintf(folder, sizeof(folder), "%s/cpu/cpu%zu/cache/index%d", r->root, cpu, index);
	read_line(folder, "type", text, sizeof(text));
	if (strcmp(text, "Data") && strcmp(text, "Unified"))
		return false;
	read_line(folder, "level", text, sizeof(text));
	c->level = atoi(text);
	read_line(folder, "size", text, sizeof(text));
	c->bytes = cache_size(text);
	read_line(folder, "shared_cpu_list", r->text, LIST_TEXT);
	c->cpus = 0;
	each_of_list(r->text, SPM_CPUS, count_one, &c->cpus);
	return c->bytes > 0;
}

static size_t first_cpu(const struct spm_cpus *cpus)
{
	size_t cpu = 0;

	while (cpu < SPM_CPUS - 1 && !spm_cpus_has(cpus, cpu))
		cpu++;
	return cpu;
}

static struct spm_caches read_caches(struct reading *r)
{
	struct spm_cache levels[MAX_LEVELS];
	size_t cpu = first_cpu(r->allowed);
	int n = 0;

	for (int index = 0; index < MAX_LEVELS; index++)
		n += read_cache(r, cpu, index, &levels[n]);
	return spm_caches_of(levels, n);
}

struct spm_caches spm_caches_of(const struct spm_cache *levels, int n)
{
	const struct spm_cache *first = levels, *last = levels;
	struct spm_caches c = {0};
	bool shares_known = true;
	double share = 0;

	if (!n)
		return c;
	for (int i = 1; i < n; i++) {
		first = levels[i].level < first->level ? &levels[i] : first;
		last = levels[i].level > last->level ? &levels[i] : last;
	}
	c.llc = last->bytes;
	for (int i = 0; i < n; i++) {
		c.sum += levels[i].bytes;
		if (!levels[i].cpus)
			shares_known = false;
		else
			share += (double)levels[i].bytes * first->cpus / levels[i].cpus;
	}
	c.share = shares_known ? (uint64_t)share : 0;
	return c;
}

int spm_machine_read(struct spm_machine *m, const char *root, const struct spm_cpus *allowed)
{
	struct reading r = {.m = m, .root = root, .allowed = allowed, .text = malloc(LIST_TEXT)};

	*m = (struct spm_machine){0};
	if (!r.text)
		return -1;
	read_nodes(&r);
	m->caches = read_caches(&r);
	free(r.text);
	if (r.failed)
		spm_machine_free(m);
	return r.failed ? -1 : 0;
}

void spm_machine_free(struct spm_machine *m)
{
	free(m->nodes);
	*m = (struct spm_machine){0};
}
