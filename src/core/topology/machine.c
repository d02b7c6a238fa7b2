/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lets hwloc read the machine, or the description that a variable of hwloc's names. */
#include "topology/machine.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "topology/xml.h"

static const char *set_variable(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

/* When hwloc cannot read what a variable names, it falls back to this machine, and the plan would
 * be for the wrong machine. So the variables are applied here, where a failure is reported. */
static int choose_source(struct topo *t, hwloc_topology_t hwloc, struct errors *e)
{
	const char *xml = set_variable("HWLOC_XMLFILE");
	const char *synthetic = set_variable("HWLOC_SYNTHETIC");

	if (xml) {
		t->source = alloc_format("HWLOC_XMLFILE=%s", xml);
		if (!hwloc_topology_set_xml(hwloc, xml))
			return 0;
		error_add(e, STATUS_USAGE, NOWHERE, "cannot read '%s' as a machine", t->source);
		return error_hint(e, "lstopo-no-graphics --of xml FILE writes one; unset "
				     "HWLOC_XMLFILE for this machine");
	}
	if (synthetic) {
		t->source = alloc_format("HWLOC_SYNTHETIC=%s", synthetic);
		if (!hwloc_topology_set_synthetic(hwloc, synthetic))
			return 0;
		error_add(e, STATUS_USAGE, NOWHERE, "'%s' does not describe a machine", t->source);
		return error_hint(e, "write it like HWLOC_SYNTHETIC='numa:4 core:2 pu:2', or unset "
				     "it for this machine");
	}
	return 0;
}

/* hwloc's plugins look for devices of OpenCL, OpenGL and PCI. affinity needs none of them, and the
 * search takes longer than all the rest; only an XML file may need a plugin. */
static int init_without_plugins(hwloc_topology_t *hwloc)
{
	static const char variable[] = "HWLOC_PLUGINS_PATH";
	bool ours = !getenv(variable) && !set_variable("HWLOC_XMLFILE");

	if (ours)
		setenv(variable, "/nonexistent", 0);
	int failed = hwloc_topology_init(hwloc);
	if (ours)
		unsetenv(variable); /* programs that affinity-map starts have their own hwloc */
	return failed;
}

#define HWLOC_NAME "hwloc "

/* Of a topology that the library made itself: a file's is that of its writer. */
static const char *version_in(hwloc_topology_t hwloc)
{
#if HWLOC_API_VERSION >= 0x00030000
	return hwloc_get_info_by_name(hwloc_topology_get_infos(hwloc), "hwlocVersion");
#else
	return hwloc_obj_get_info_by_name(hwloc_get_root_obj(hwloc), "hwlocVersion");
#endif
}

/* The header has the version of the build; the linker may have found another library. */
static void read_version(char *text, size_t n)
{
	unsigned api = hwloc_get_api_version();
	const char *version = NULL;
	hwloc_topology_t hwloc;

	/* at least: versions between two changes of the interface have the same one */
	snprintf(text, n, HWLOC_NAME "%u.%u+", api >> 16, api >> 8 & 0xff);
	if (init_without_plugins(&hwloc))
		return;
	if (!hwloc_topology_set_synthetic(hwloc, "pu:1") && !hwloc_topology_load(hwloc))
		version = version_in(hwloc);
	if (version)
		snprintf(text, n, HWLOC_NAME "%s", version);
	hwloc_topology_destroy(hwloc);
}

const char *topo_library(void)
{
	static char text[64];

	if (!*text)
		read_version(text, sizeof(text));
	return text;
}

static const char *library_version(void)
{
	return topo_library() + strlen(HWLOC_NAME);
}

static int refuse_load(const struct topo *t, const char *newer, struct errors *e)
{
	enum status status = t->source ? STATUS_USAGE : STATUS_FAILED;

	if (*newer) {
		error_add(e, status, NOWHERE, "%s cannot load '%s', which hwloc %s wrote",
			topo_library(), t->source, newer);
		return error_hint(e,
			"hwloc %s may write a file for older versions: "
			"lstopo-no-graphics --help there names the option",
			newer);
	}
	error_add(e, status, NOWHERE, "hwloc cannot load '%s'",
		t->source ? t->source : "this machine");
	return error_hint(e, "lstopo-no-graphics shows what hwloc reads");
}

/* With memory-side caches, and forbidden parts, so cores have one number in every cpuset. */
static int start_hwloc(hwloc_topology_t *hwloc, struct errors *e)
{
	if (init_without_plugins(hwloc))
		return error_add(
			e, STATUS_FAILED, NOWHERE, "hwloc does not start: %s", strerror(errno));
	if (!hwloc_topology_set_type_filter(
		    *hwloc, HWLOC_OBJ_MEMCACHE, HWLOC_TYPE_FILTER_KEEP_ALL) &&
		!hwloc_topology_set_flags(*hwloc, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED))
		return 0;
	error_add(e, STATUS_FAILED, NOWHERE, "hwloc does not take the flags: %s", strerror(errno));
	hwloc_topology_destroy(*hwloc);
	return -1;
}

/* Under gVisor /sys has no CPUs. hwloc's second way, the CPU's own answers, then ends with an error
 * and all is lost; without it hwloc still counts the CPUs that the system names. */
static int load_without_x86(hwloc_topology_t *hwloc, struct errors *e)
{
	hwloc_topology_t bare;

	if (start_hwloc(&bare, e))
		return -1;
	if (hwloc_topology_set_components(bare, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86") ||
		hwloc_topology_load(bare)) {
		hwloc_topology_destroy(bare);
		return -1;
	}
	hwloc_topology_destroy(*hwloc);
	*hwloc = bare;
	error_warn(e, "the system does not show hwloc its cores and caches: each CPU counts as a "
		      "core of its own");
	error_hint(e, "figures that depend on shared cores or caches are not to be had here; the "
		      "key caches gives their sizes");
	return 0;
}

static void name_source(struct topo *t, hwloc_topology_t hwloc)
{
	const char *root = set_variable("HWLOC_FSROOT");

	t->this_system = hwloc_topology_is_thissystem(hwloc);
	if (t->source)
		return;
	if (t->this_system)
		t->source = alloc_format("this machine");
	else
		t->source = root ? alloc_format("HWLOC_FSROOT=%s", root)
				 : alloc_format("not this machine, by hwloc's variables");
}

static int load(struct topo *t, hwloc_topology_t *hwloc, struct errors *e)
{
	const char *xml = set_variable("HWLOC_XMLFILE");
	char newer[32] = "";

	if (choose_source(t, *hwloc, e))
		return -1;
	if (xml)
		topo_xml_newer(xml, library_version(), newer, sizeof(newer));
	if (hwloc_topology_load(*hwloc) && (t->source || load_without_x86(hwloc, e)))
		return refuse_load(t, newer, e);
	if (*newer) {
		error_warn(e,
			"'%s' was written by hwloc %s, this is %s: what newer versions added may "
			"be "
			"missing",
			t->source, newer, topo_library());
		error_hint(e, "build with an hwloc as new");
	}
	name_source(t, *hwloc);
	return 0;
}

static int start_and_load(struct topo *t, hwloc_topology_t *hwloc, struct errors *e)
{
	if (start_hwloc(hwloc, e))
		return -1;
	if (!load(t, hwloc, e))
		return 0;
	hwloc_topology_destroy(*hwloc);
	return -1;
}

/* Where /sys shows no cores, hwloc prints a line at each load. The warning of load_without_x86 says
 * what follows from it. */
int topo_read_machine(struct topo *t, hwloc_topology_t *hwloc, struct errors *e)
{
	static const char variable[] = "HWLOC_HIDE_ERRORS";
	bool hide = !getenv(variable) && access("/sys/devices/system/cpu/cpu0/topology", F_OK);

	if (hide)
		setenv(variable, "2", 0);
	int failed = start_and_load(t, hwloc, e);
	if (hide)
		unsetenv(variable); /* programs that affinity-map starts have their own hwloc */
	return failed;
}
