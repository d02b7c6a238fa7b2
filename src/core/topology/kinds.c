/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the kinds of cores from hwloc, names them, and finds them by name. */
#include "topology/kinds.h"

#include <hwloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* What hwloc says of a kind beside its CPUs. */
struct infos {
	const struct hwloc_info_s *list;
	unsigned n;
};

static int get_kind(hwloc_topology_t hwloc, unsigned index, hwloc_bitmap_t set, int *efficiency,
	struct infos *infos)
{
#if HWLOC_API_VERSION >= 0x00030000
	struct hwloc_infos_s *all = NULL;
	const int failed = hwloc_cpukinds_get_info(hwloc, index, set, efficiency, &all, 0);

	*infos = all ? (struct infos){all->array, all->count} : (struct infos){NULL, 0};
	return failed;
#else
	struct hwloc_info_s *all = NULL;
	unsigned n = 0;
	const int failed = hwloc_cpukinds_get_info(hwloc, index, set, efficiency, &n, &all, 0);

	*infos = (struct infos){all, n};
	return failed;
#endif
}

static const char *info(const struct infos *infos, const char *name)
{
	for (unsigned i = 0; i < infos->n; i++)
		if (!strcmp(infos->list[i].name, name))
			return infos->list[i].value;
	return NULL;
}

static double max_hz(const struct infos *infos)
{
	const char *mhz = info(infos, "FrequencyMaxMHz");
	double value = mhz ? strtod(mhz, NULL) : 0;

	return value > 0 ? value * 1e6 : 0;
}

/* Cores of one design differ by as much in what the kernel calls their capacity: their highest
 * rates are chosen by the piece (0.6 to 2.6 % among those of a GB10). Those of two designs in one
 * machine differ by 15 % at least. */
#define SAME_CAPACITY 0.05

/* The kernel's measure of what a core can do, 1024 at most; 0: unknown. */
static double capacity(const struct infos *infos)
{
	const char *text = info(infos, "LinuxCapacity");

	return text ? strtod(text, NULL) : 0;
}

/* Gives the CPUs of one of hwloc's kinds this index. Returns the number of CPUs. */
static int mark_cpus(struct topo *t, hwloc_const_cpuset_t set, struct topo_kind *k, int index)
{
	int last = -1;

	for (int i = 0; i < t->ncpus; i++) {
		struct topo_cpu *c = &t->cpus[i];

		if (!hwloc_bitmap_isset(set, (unsigned)c->cpu))
			continue;
		c->kind = index;
		k->cpus++;
		k->cores += c->core != last;
		last = c->core;
	}
	return k->cpus;
}

/* hwloc ranks all kinds, from the least quick one on, or none. */
static bool is_ranked(hwloc_topology_t hwloc)
{
	struct infos infos;
	int efficiency = -1;

	return !get_kind(hwloc, 0, NULL, &efficiency, &infos) && efficiency >= 0;
}

/* The kind before, if the cores are of its design; kinds that hwloc ranks come the quickest first.
 */
static struct topo_kind *same_design(
	const struct topo *t, const struct topo_kind *k, const char *type)
{
	struct topo_kind *last = t->nkinds ? &t->kinds[t->nkinds - 1] : NULL;

	if (!last || k->efficiency < 0 || !(k->capacity > 0) ||
		!(k->capacity >= last->capacity * (1 - SAME_CAPACITY)))
		return NULL;
	return (type && last->type ? !strcmp(type, last->type) : !type && !last->type) ? last
										       : NULL;
}

static void add_kind(struct topo *t, hwloc_topology_t hwloc, unsigned index)
{
	struct infos infos;
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	struct topo_kind k = {0};

	if (get_kind(hwloc, index, set, &k.efficiency, &infos)) {
		hwloc_bitmap_free(set);
		return;
	}
	const char *type = info(&infos, "CoreType");
	k.capacity = capacity(&infos);
	struct topo_kind *same = same_design(t, &k, type);

	if (same) {
		mark_cpus(t, set, same, t->nkinds - 1);
	} else if (mark_cpus(t, set, &k, t->nkinds)) {
		k.type = type ? alloc_string(type, strlen(type)) : NULL;
		k.max_hz = max_hz(&infos);
		t->kinds = alloc_grow(t->kinds, (size_t)t->nkinds, sizeof(*t->kinds));
		t->kinds[t->nkinds++] = k;
	}
	hwloc_bitmap_free(set);
}

static char *name_of(const struct topo *t, int index)
{
	int last = t->nkinds - 1;

	if (t->kinds[index].efficiency < 0)
		return alloc_format("%d", index);
	if (index == 0 || index == last)
		return alloc_format(index ? "efficiency" : "performance");
	return last == 2 ? alloc_format("middle") : alloc_format("middle%d", index);
}

void topo_load_kinds(struct topo *t, struct hwloc_topology *hwloc)
{
	int found = hwloc_cpukinds_get_nr(hwloc, 0);

	for (int i = 0; i < t->ncpus; i++)
		t->cpus[i].kind = -1;
	for (int i = 0; i < found; i++)
		add_kind(t, hwloc, (unsigned)(is_ranked(hwloc) ? found - 1 - i : i));
	if (t->nkinds < 2) {
		topo_free_kinds(t);
		for (int i = 0; i < t->ncpus; i++)
			t->cpus[i].kind = -1;
	}
	for (int i = 0; i < t->nkinds; i++)
		t->kinds[i].name = name_of(t, i);
}

void topo_free_kinds(struct topo *t)
{
	for (int i = 0; i < t->nkinds; i++) {
		free(t->kinds[i].name);
		free(t->kinds[i].type);
	}
	free(t->kinds);
	t->kinds = NULL;
	t->nkinds = 0;
}

int topo_kind(const struct topo *t, const char *name)
{
	int found = -1, count = 0;

	for (int i = 0; i < t->nkinds; i++)
		if (!strcmp(t->kinds[i].name, name))
			return i;
	for (int i = 0; i < t->nkinds; i++)
		if (t->kinds[i].type && !strcmp(t->kinds[i].type, name)) {
			found = i;
			count++;
		}
	return count == 1 ? found : -1;
}

const char *topo_kind_name(const struct topo *t, int kind)
{
	return kind < 0 ? NULL : t->kinds[kind].name;
}

const char *topo_kinds(const struct topo *t, char *buffer, size_t n)
{
	size_t used = 0;

	*buffer = '\0';
	for (int i = 0; i < t->nkinds && used < n; i++) {
		const struct topo_kind *k = &t->kinds[i];

		used += (size_t)snprintf(buffer + used, n - used, "%s%s%s%s%s", i ? ", " : "",
			k->name, k->type ? " (" : "", k->type ? k->type : "", k->type ? ")" : "");
	}
	return buffer;
}
