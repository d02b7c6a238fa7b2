/* SPDX-License-Identifier: GPL-3.0-or-later */
/* States of a machine that spoil measurements: one row each, with the remedy. */
#include "system/conditions.h"

#include <string.h>

/* Is the fact's value one of the words (separated by |)? A fact that the system does not report is
 * not judged. */
static bool one_of(const char *value, const char *words)
{
	size_t length = strlen(value);
	const char *found = words;

	while (length && (found = strstr(found, value))) {
		bool begins = found == words || found[-1] == '|';
		if (begins && (!found[length] || found[length] == '|'))
			return true;
		found++;
	}
	return false;
}

/* The limit is that of the hardware: nobody has lowered it. */
static bool is_lowered(const struct environment *env, const char *value)
{
	const char *most = environment_get(env, "frequency_max");

	return most && strcmp(most, "unknown") != 0 && strcmp(most, value) != 0;
}

static bool is_nice(const struct environment *env, const char *value)
{
	(void)value;
	return environment_number(env, "nice") > 0;
}

static bool is_held_up(const struct environment *env, const char *value)
{
	const char *policy = environment_get(env, "scheduling_policy");

	(void)value;
	return environment_number(env, "real_time_limit") < 100 && policy &&
	       (!strncmp(policy, "fifo", 4) || !strncmp(policy, "rr", 2));
}

static bool is_idle(const struct environment *env, const char *value)
{
	(void)env;
	return !strcmp(value, "idle");
}

const struct machine_condition conditions[] = {
	{"simulated", "no", NULL, false,
		"this is a simulated machine: its times are no measurement of any hardware",
		"take from it where threads and data were, and nothing else", NULL, NULL},
	{"numa_balancing", "0", NULL, true,
		"automatic NUMA balancing is on: the kernel may move pages while they are measured",
		"sudo sysctl kernel.numa_balancing=0",
		"NUMA balancing is on: the kernel may move pages",
		"the kernel moves no pages by itself"},
	{"frequency_governor", "performance", NULL, false,
		"the clock rate follows the load (frequency governor)",
		"sudo cpupower frequency-set -g performance", "the governor varies the clock rate",
		"governor performance"},
	{"frequency_limit_max", NULL, is_lowered, false,
		"a limit of the system keeps CPUs below their highest clock rate",
		"raise it (sudo cpupower frequency-set --max); power-profiles-daemon, tlp and "
		"thermald set such limits",
		"the clock rate is limited", NULL},
	{"scheduling_policy", NULL, is_idle, false,
		"threads run only when no other program wants their CPUs (scheduling policy)",
		"start affinity without chrt --idle, or without CPUSchedulingPolicy=idle of "
		"systemd",
		"scheduling policy idle", NULL},
	{"nice", NULL, is_nice, false, "other programs get more of the CPUs than this one",
		"start affinity without nice", "niced: other programs come first", NULL},
	{"real_time_limit", NULL, is_held_up, false,
		"threads of a real-time policy are held up when they have used this share of a "
		"second",
		"sudo sysctl kernel.sched_rt_runtime_us=-1, or start affinity without chrt",
		"real-time threads are held up", NULL},
	{"memory_policy", "default|local", NULL, false,
		"an inherited memory policy: vectors are as the file says, but page tables, stacks "
		"and what programs allocate follow it",
		"start affinity without numactl, and the kernel without numa_policy=",
		"an inherited memory policy", NULL},
	{"boost", "0", NULL, false,
		"boost is on: the clock rate depends on temperature and on how many cores work",
		"echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost",
		"boost is on: the clock rate depends on the load", "boost is off"},
	{"intel_no_turbo", "1", NULL, false,
		"turbo is on: the clock rate depends on temperature and on how many cores work",
		"echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo",
		"turbo is on: the clock rate depends on the load", "turbo is off"},
	{"clock_source", "tsc|arch_sys_counter|kvm-clock|hyperv_clocksource_tsc_page", NULL, false,
		"reading the time may be slow and coarse (clock source)",
		"boot with tsc=reliable where the hardware allows it", "a slow clock source", NULL},
	{"transparent_huge_pages", "madvise|never", NULL, false,
		"every vector that is large enough gets transparent huge pages: 'system' pages are "
		"huge",
		"name the size in the file (pagesPerVector: base or thp), or echo madvise | sudo "
		"tee "
		"/sys/kernel/mm/transparent_hugepage/enabled",
		"transparent huge pages for all vectors", NULL},
	{"cpu_quota", "no limit", NULL, false,
		"a CPU quota limits this process: its threads stand still when a period's part is "
		"used up",
		"lift it: docker and podman without --cpus, cpu.max of the control group, "
		"CPUQuota= "
		"of systemd, limits.cpu of Kubernetes",
		"a CPU quota limits the programs", NULL},
	{"virtual_machine", "no", NULL, false,
		"this is a virtual machine: its CPUs may share cores, move and be taken away, and "
		"its nodes may not be the "
		"hardware's",
		"read the spread; measure on the hardware itself for figures about the hardware",
		"virtual machine: its CPUs may share cores and be taken away", "bare metal"},
	{0},
};

const struct condition_limits condition_others = {5, 20}, condition_steal = {1, 5};

/* Not known: it may have more. */
static bool has_one_node(const struct environment *env)
{
	const struct fact *f = environment_fact(env, "topology");

	return f && fact_number(f, 0, "nodes") <= 1;
}

enum condition_state condition_state(
	const struct machine_condition *c, const struct environment *env)
{
	const char *value = environment_get(env, c->fact);

	if (!value || !strcmp(value, FACT_UNKNOWN))
		return CONDITION_UNKNOWN;
	const bool spoils = c->spoils ? c->spoils(env, value) : !one_of(value, c->well);

	return spoils && !(c->several_nodes && has_one_node(env)) ? CONDITION_SPOILS
								  : CONDITION_WELL;
}

void conditions_judge(const struct environment *env, struct errors *e)
{
	for (const struct machine_condition *c = conditions; c->fact; c++) {
		if (condition_state(c, env) != CONDITION_SPOILS)
			continue;
		error_warn(e, "%s: %s = %s", c->trouble, c->fact, environment_get(env, c->fact));
		error_hint(e, "%s", c->remedy);
		error_about(e, c->fact);
	}
}
