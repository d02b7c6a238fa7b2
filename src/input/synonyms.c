/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words of other programs and manuals, for "did you mean". */
#include "input/synonyms.h"

#include <ctype.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/text.h"

const struct synonym kernel_synonyms[] = {
	{"stream", "triad"},
	{"memcpy", "copy"},
	{"memmove", "copy"},
	{"memset", "fill"},
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

/* Heads of columns, and figures as other programs and people call them. */
const struct synonym quantity_synonyms[] = {
	{"latency", "ns_per_unit"},
	{"ns", "ns_per_unit"},
	{"ns/unit", "ns_per_unit"},
	{"time", "cost"},
	{"seconds", "cost"},
	{"Time_Cost(s)", "cost"},
	{"throughput", "bandwidth"},
	{"GB/s", "bandwidth"},
	{"MB/s", "bandwidth"},
	{"GiB/s", "bandwidth"},
	{NULL, NULL},
};

static const char *past_dashes(const char *text)
{
	while (*text == '-' || *text == '_')
		text++;
	return text;
}

static int is_same(const char *a, const char *b)
{
	for (;; a++, b++) {
		a = past_dashes(a);
		b = past_dashes(b);
		if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
			return 0;
		if (!*a)
			return 1;
	}
}

const char *synonym_meant(const struct synonym *table, const char *word)
{
	for (; table->word; table++)
		if (is_same(table->word, word))
			return table->meant;
	return NULL;
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
