/* SPDX-License-Identifier: GPL-3.0-or-later */
/* States of a machine that spoil measurements: one row each, with the remedy. */
#include "system/conditions.h"

#include <stdlib.h>
#include <string.h>

/* Is the fact's value one of the words (separated by |)? A fact that the system does not report is
 * not judged. */
static bool one_of(const char *value, const char *words)
{
	size_t length = strlen(value);
	const char *found = words;

	while ((found = strstr(found, value))) {
		bool begins = found == words || found[-1] == '|';
		if (begins && (!found[length] || found[length] == '|'))
			return true;
		found++;
	}
	return false;
}

static const struct condition {
	const char *fact;
	const char *well;   /* values that cause no trouble */
	bool several_nodes; /* trouble only with more than one node */
	const char *trouble, *remedy;
} conditions[] = {
	{"simulated", "no", false,
		"this is a simulated machine: its times are no measurement of any hardware",
		"take from it where threads and data were, and nothing else"},
	{"numa_balancing", "0", true,
		"automatic NUMA balancing is on: the kernel may move pages while they are measured",
		"sudo sysctl kernel.numa_balancing=0"},
	{"frequency_governor", "performance", false,
		"the clock rate follows the load (frequency governor)",
		"sudo cpupower frequency-set -g performance"},
	{"boost", "0", false,
		"boost is on: the clock rate depends on temperature and on how many cores work",
		"echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"},
	{"intel_no_turbo", "1", false,
		"turbo is on: the clock rate depends on temperature and on how many cores work",
		"echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"},
	{"clock_source", "tsc|arch_sys_counter|kvm-clock|hyperv_clocksource_tsc_page", false,
		"reading the time may be slow and coarse (clock source)",
		"boot with tsc=reliable where the hardware allows it"},
	{"transparent_huge_pages", "madvise|never", false,
		"every vector that is large enough gets transparent huge pages: 'system' pages are "
		"huge",
		"name the size in the file (pagesPerVector: base or thp), or echo madvise | sudo "
		"tee "
		"/sys/kernel/mm/transparent_hugepage/enabled"},
	{"cpu_quota", "no limit", false,
		"a CPU quota limits this process: its threads stand still when a period's part is "
		"used up",
		"lift it: docker and podman without --cpus, cpu.max of the control group, "
		"CPUQuota= "
		"of systemd, limits.cpu of Kubernetes"},
	{"virtual_machine", "no", false,
		"this is a virtual machine: its CPUs may share cores, move and be taken away, and "
		"its nodes may not be the "
		"hardware's",
		"read the spread; measure on the hardware itself for figures about the hardware"},
	{0},
};

void conditions_judge(const struct environment *env, const struct topo *t, struct errors *e)
{
	for (const struct condition *c = conditions; c->fact; c++) {
		const char *value = environment_get(env, c->fact);

		if (!value || !strcmp(value, "unknown") || one_of(value, c->well))
			continue;
		if (c->several_nodes && t->nnodes < 2)
			continue;
		error_warn(e, "%s: %s = %s", c->trouble, c->fact, value);
		error_hint(e, "%s", c->remedy);
		error_about(e, c->fact);
	}
}
