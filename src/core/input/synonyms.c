/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of other programs and manuals, for "did you mean". */
#include "input/synonyms.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/linux.h"
#include "base/text.h"

const struct synonym kernel_synonyms[] = {
	{"stream", "triad"},
	{"latency", "chase"},
	{"lat_mem_rd", "chase"},
	{"pointer_chase", "chase"},
	{"bandwidth", "load"},
	{"bw_mem", "load"},
	{"random", "gups"},
	{"randomaccess", "gups"},
	{"core_to_core", "pingpong"},
	{NULL, NULL},
};

/* Of hyperfine, fio, likwid-bench, numactl and the like. */
const struct synonym key_synonyms[] = {
	{"size", "sizePerVector"},
	{"bytes", "sizePerVector"},
	{"type", "typePerVector"},
	{"pagesize", "pagesPerVector"},
	{"hugepages", "pagesPerVector"},
	{"time", "mode: time:2s"},
	{"runtime", "mode: time:2s"},
	{"duration", "mode: time:2s"},
	{"timeout", "timeLimit"},
	{"iterations", "samples"},
	{"repetitions", "samples"},
	{"repeat", "samples"},
	{"reps", "samples"},
	{"loops", "passes"},
	{"numjobs", "threads"},
	{"nthreads", "threads"},
	{"node", "nodePerThread"},
	{"nodes", "nodePerThread"},
	{"cpunodebind", "nodePerThread"},
	{"membind", "nodePerVector"},
	{"localalloc", "nodePerVector: local"},
	{"preferred", "nodePerVector: preferred:0"},
	{"cpu", "cpuPerThread"},
	{"cpus", "cpuPerThread"},
	{"physcpubind", "cpuPerThread"},
	{"core", "corePerThread"},
	{"cores", "corePerThread"},
	{"operation", "kernels"},
	{"operations", "kernels"},
	{"workload", "kernels"},
	{"rw", "kernels"},
	{"parameter-scan", "sweep: n = 1..8:1"},
	{"parameter-list", "sweep: n = 1 2 4"},
	{NULL, NULL},
};

/* Of MLC, STREAM, likwid-bench, lmbench, multichase and the like. */
const struct synonym experiment_synonyms[] = {
	{"latency_matrix", "matrix/latency"},
	{"idle_latency", "matrix/latency"},
	{"bandwidth_matrix", "matrix/bandwidth"},
	{"max_bandwidth", "matrix/bandwidth"},
	{"peak_injection_bandwidth", "matrix/bandwidth"},
	{"loaded_latency", "latency/3_loaded"},
	{"multiload", "latency/3_loaded"},
	{"c2c", "matrix/core_to_core"},
	{"core_to_core_latency", "matrix/core_to_core"},
	{"pingpong", "matrix/core_to_core"},
	{"c2c_latency", "coherence/1_states"},
	{"stream", "bandwidth/1_kernels"},
	{"likwid-bench", "bandwidth/1_kernels"},
	{"mbw", "bandwidth/1_kernels"},
	{"bw_mem", "bandwidth/4_staircase"},
	{"lat_mem_rd", "latency/1_staircase"},
	{"multichase", "latency/1_staircase"},
	{"randomaccess", "patterns/4_gups"},
	{NULL, NULL},
};

/* Of numactl, set_mempolicy(2) and kernel arguments, without a list of numbers. */
static const struct synonym policy_synonyms[] = {
	{"interleave:all", "interleave"},
	{"bind:all", "interleave"},
	{"membind:all", "interleave"},
	{"bind", "0"},
	{"membind", "0"},
	{"preferred", "preferred:0"},
	{"preferredmany", "preferred:0"},
	{"localalloc", "local"},
	{"default", "local"},
	{"firsttouch", "local"},
	{"weightedinterleave", "weighted:measured"},
	{NULL, NULL},
};

static const char *past_dashes(const char *text)
{
	while (*text == '-' || *text == '_')
		text++;
	return text;
}

bool synonym_same(const char *a, const char *b)
{
	for (;; a++, b++) {
		a = past_dashes(a);
		b = past_dashes(b);
		if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
			return false;
		if (!*a)
			return true;
	}
}

const char *synonym_meant(const struct synonym *table, const char *word)
{
	for (; table->word; table++)
		if (synonym_same(table->word, word))
			return table->meant;
	return NULL;
}

/* "interleave:0,1" of such nodes. */
static char *policy_over(const char *policy, const bool nodes[LINUX_NODES])
{
	char *all = alloc_format("%s", policy);

	for (int node = 0, listed = 0; node < LINUX_NODES; node++)
		if (nodes[node])
			alloc_append(&all, "", "%s%d", listed++ ? "," : ":", node);
	return all;
}

/* membind:0, interleave:0-1 */
static char *policy_on(const char *policy, const char *list)
{
	bool nodes[LINUX_NODES];
	const int count = text_parse_ranges(list, nodes, LINUX_NODES);
	int first = 0;

	while (count > 0 && !nodes[first])
		first++;
	if (count <= 0)
		return NULL;
	/* ours, but for ranges */
	const bool ranges = strchr(list, '-');

	if (synonym_same(policy, "preferredmany") || (ranges && synonym_same(policy, "preferred")))
		return policy_over("preferred", nodes);
	if (synonym_same(policy, "membind") || (ranges && synonym_same(policy, "bind")))
		return count > 1 ? policy_over("bind", nodes) : alloc_format("%d", first);
	if (synonym_same(policy, "weightedinterleave") ||
		(ranges && synonym_same(policy, "interleave")))
		return policy_over("interleave", nodes);
	return NULL;
}

char *synonym_policy(const char *word)
{
	const char *meant = synonym_meant(policy_synonyms, word), *colon = strchr(word, ':');

	if (meant || !colon)
		return meant ? alloc_string(meant, strlen(meant)) : NULL;
	char *policy = alloc_string(word, (size_t)(colon - word));
	char *on = policy_on(policy, colon + 1);

	free(policy);
	return on;
}

const char *synonym_nearest(
	const struct synonym *table, const char *word, const char *const *names, size_t count)
{
	const char *nearest = synonym_meant(table, word), **all = NULL;

	if (nearest)
		return nearest;
	for (size_t i = 0; i < count; i++) {
		all = alloc_grow(all, i, sizeof(*all));
		all[i] = names[i];
	}
	for (const struct synonym *s = table; s->word; s++) {
		all = alloc_grow(all, count, sizeof(*all));
		all[count++] = s->word;
	}
	nearest = text_nearest(word, all, count);
	free(all);
	return nearest && synonym_meant(table, nearest) ? synonym_meant(table, nearest) : nearest;
}
