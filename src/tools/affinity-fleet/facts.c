/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The facts of the environment that tell nodes apart. Loads and rates differ with every run. */
#include "affinity-fleet/facts.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "document/document.h"

const char *const facts_names[FACTS] = {
	"cpu_model",
	"topology",
	"cpu_stepping",
	"microcode",
	"firmware",
	"memory_modules",
	"kernel",
	"affinity_version",
	"compiler",
	"compiler_flags",
	"libraries",
	"c_library",
	"loops",
	"frequency_governor",
	"frequency_nominal",
	"frequency_min",
	"frequency_max",
	"frequency_limit_min",
	"frequency_limit_max",
	"isolated_cpus",
	"scheduling_policy",
	"memory_policy",
	"boost",
	"intel_no_turbo",
	"smt",
	"clock_source",
	"transparent_huge_pages",
	"transparent_huge_page_sizes",
	"numa_balancing",
	"virtual_machine",
	"caches",
	"node_distances",
	"cpus_allowed",
	"cpu_quota",
	"openmp_environment",
};

bool facts_differ(const size_t *a, const size_t *b, size_t count)
{
	return memcmp(a, b, count * sizeof(*a)) != 0;
}

bool facts_recorded(const char *fact)
{
	return strcmp(fact, NOT_RECORDED) != 0;
}

bool facts_changed(const char *one, const char *other)
{
	return facts_recorded(one) && facts_recorded(other) && strcmp(one, other) != 0;
}

static int ascending(const void *a, const void *b)
{
	const size_t x = *(const size_t *)a, y = *(const size_t *)b;

	return (x > y) - (x < y);
}

size_t facts_usual(const size_t *numbers, size_t n)
{
	size_t *sorted = alloc_zeroed(n, sizeof(*sorted)), best = 0, most = 0;

	memcpy(sorted, numbers, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), ascending);
	for (size_t i = 0, from = 0; i < n; i++) {
		if (sorted[i] != sorted[from])
			from = i;
		if (i - from + 1 > most) {
			most = i - from + 1;
			best = sorted[i];
		}
	}
	free(sorted);
	return best;
}
