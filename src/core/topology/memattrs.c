/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes memory attributes through hwloc, for which hwloc loads the same machine again. */
#include "topology/memattrs.h"

#include <errno.h>
#include <hwloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Rounded to hwloc's units, but at least 1: 0 would mean "unknown". */
static hwloc_uint64_t in_units(enum memattr attribute, double value)
{
	double units = attribute == MEMATTR_READ_LATENCY ? value : value / 1048576;

	return units < 1 ? 1 : (hwloc_uint64_t)llround(units);
}

static const struct topo_memattr *find_memattr(const struct topo_memattr *list, size_t n,
	enum memattr attribute, int initiator, int target)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].attribute == attribute && list[i].initiator == initiator &&
			list[i].target == target)
			return &list[i];
	return NULL;
}

/* hwloc names the initiator by the set of CPUs that Linux lists under the node. */
static int set_value(hwloc_topology_t hwloc, const struct topo *t, hwloc_memattr_id_t id,
	const struct topo_memattr *m, hwloc_uint64_t value)
{
	hwloc_obj_t target = hwloc_get_numanode_obj_by_os_index(hwloc, (unsigned)m->target);
	struct hwloc_location from = {.type = HWLOC_LOCATION_TYPE_CPUSET};
	int failed = -1;

	from.location.cpuset = hwloc_bitmap_alloc();
	for (int i = 0; i < t->ncpus; i++)
		if (t->cpus[i].node == m->initiator)
			hwloc_bitmap_set(from.location.cpuset, (unsigned)t->cpus[i].cpu);
	if (target)
		failed = hwloc_memattr_set_value(hwloc, id, target, &from, 0, value);
	hwloc_bitmap_free(from.location.cpuset);
	return failed;
}

static int set_all(
	hwloc_topology_t hwloc, const struct topo *t, const struct topo_memattr *list, size_t n)
{
	static const hwloc_memattr_id_t ids[MEMATTRS] = {
		[MEMATTR_READ_LATENCY] = HWLOC_MEMATTR_ID_READ_LATENCY,
		[MEMATTR_READ_BANDWIDTH] = HWLOC_MEMATTR_ID_READ_BANDWIDTH,
		[MEMATTR_WRITE_BANDWIDTH] = HWLOC_MEMATTR_ID_WRITE_BANDWIDTH,
	};
	int failed = 0;

	for (size_t i = 0; i < n && !failed; i++) {
		const struct topo_memattr *m = &list[i], *other;
		hwloc_uint64_t value = in_units(m->attribute, m->value);

		failed = set_value(hwloc, t, ids[m->attribute], m, value);
		if (m->attribute == MEMATTR_READ_LATENCY && !failed)
			failed = set_value(hwloc, t, HWLOC_MEMATTR_ID_LATENCY, m, value);
		other = m->attribute == MEMATTR_READ_BANDWIDTH
				? find_memattr(
					  list, n, MEMATTR_WRITE_BANDWIDTH, m->initiator, m->target)
				: NULL;
		if (other && !failed)
			failed = set_value(hwloc, t, HWLOC_MEMATTR_ID_BANDWIDTH, m,
				in_units(m->attribute, (m->value + other->value) / 2));
	}
	return failed;
}

static int load(hwloc_topology_t *hwloc)
{
	if (hwloc_topology_init(hwloc))
		return -1;
	if (!hwloc_topology_set_type_filter(
		    *hwloc, HWLOC_OBJ_MEMCACHE, HWLOC_TYPE_FILTER_KEEP_ALL) &&
		!hwloc_topology_set_flags(*hwloc, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) &&
		!hwloc_topology_load(*hwloc))
		return 0;
	hwloc_topology_destroy(*hwloc);
	return -1;
}

char *topo_memattrs_xml(const struct topo *t, const struct topo_memattr *list, size_t n,
	const struct topo_note *notes, size_t nnotes, struct errors *e)
{
	hwloc_topology_t hwloc;
	char *buffer, *copy = NULL;
	int length;

	if (load(&hwloc)) {
		error_add(e, STATUS_FAILED, NOWHERE, "hwloc cannot load '%s' again: %s", t->source,
			strerror(errno));
		return NULL;
	}
	int failed = set_all(hwloc, t, list, n);
	for (size_t i = 0; i < nnotes && !failed; i++)
		failed =
			hwloc_obj_add_info(hwloc_get_root_obj(hwloc), notes[i].name, notes[i].text);
	if (!failed && !hwloc_topology_export_xmlbuffer(hwloc, &buffer, &length, 0)) {
		copy = alloc_string(buffer, strlen(buffer));
		hwloc_free_xmlbuffer(hwloc, buffer);
	} else {
		error_add(e, STATUS_FAILED, NOWHERE, "hwloc does not take the figures: %s",
			strerror(errno));
	}
	hwloc_topology_destroy(hwloc);
	return copy;
}
