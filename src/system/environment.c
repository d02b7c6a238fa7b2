/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the facts that a reader of results must know from /proc and /sys. A new fact needs one line
 * in facts_of_*(). */
#include "system/environment.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "memory/capacity.h"
#include "memory/cgroup.h"
#include "memory/pages.h"
#include "base/clock.h"
#include "counters/counters.h"
#include "system/simulated.h"
#include "base/text.h"
#include "base/version.h"
#include "contract/loops.h"

void environment_add(struct environment *env, const char *name, const char *value)
{
	env->facts = alloc_grow(env->facts, env->count, sizeof(*env->facts));
	value = value && *value ? value : "unknown";
	env->facts[env->count++] = (struct fact){name, alloc_string(value, strlen(value))};
}

static void add_file(struct environment *env, const char *name, const char *path)
{
	char line[512];

	environment_add(env, name, text_first_line(path, line, sizeof(line)) ? NULL : line);
}

/* "0.52 0.58 0.59 1/389": of 1, 5 and 15 minutes, and threads running of all. Behind it, the file
 * has the process that began last. */
static void add_load_average(struct environment *env)
{
	char line[128], *threads;

	if (text_first_line("/proc/loadavg", line, sizeof(line)))
		line[0] = '\0';
	threads = strchr(line, '/');
	if (threads)
		threads[strcspn(threads, " ")] = '\0';
	environment_add(env, "load_average", line);
}

/* Adds the value of a "name : value" line of /proc/cpuinfo for the first CPU. */
static void add_cpuinfo(struct environment *env, const char *name, const char *field)
{
	char line[4096], *value = NULL;
	FILE *f = fopen("/proc/cpuinfo", "r");
	size_t length = strlen(field);

	while (f && !value && fgets(line, sizeof(line), f))
		if (!strncmp(line, field, length) && strchr(line, ':'))
			value = text_trim(strchr(line, ':') + 1);
	environment_add(env, name, value);
	if (f)
		fclose(f);
}

/* Adds whether the first CPU has a flag. On x86 the flag "hypervisor" marks a virtual CPU. */
static void add_flag(struct environment *env, const char *name, const char *flag)
{
	char line[8192];
	bool found = false, known = false;
	FILE *f = fopen("/proc/cpuinfo", "r");

	while (f && !known && fgets(line, sizeof(line), f)) {
		known = !strncmp(line, "flags", 5);
		found = known && strstr(line, flag);
	}
	if (f)
		fclose(f);
	environment_add(env, name, known ? found ? "yes" : "no" : NULL);
}

/* "always [madvise] never" -> "madvise". */
static void add_bracketed(struct environment *env, const char *name, const char *path)
{
	char line[256], *open, *close;

	if (text_first_line(path, line, sizeof(line)) || !(open = strchr(line, '[')) ||
		!(close = strchr(open, ']'))) {
		environment_add(env, name, NULL);
		return;
	}
	*close = '\0';
	environment_add(env, name, open + 1);
}

/* "64 KiB madvise, 2 MiB inherit": the sizes that are not switched off, where each has a setting.
 */
static void fact_of_thp_sizes(struct environment *env)
{
	char path[128], line[128], word[16], size[32], text[512] = "";
	bool known = false;

	for (size_t bytes = 2 * mem_base_page(); bytes <= mem_huge_page(); bytes *= 2) {
		if (text_first_line(mem_thp_setting(bytes, path, sizeof(path)), line, sizeof(line)))
			continue;
		known = true;
		if (strchr(line, '[') && sscanf(strchr(line, '['), "[%15[a-z]", word) == 1 &&
			strcmp(word, "never") != 0)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s %s",
				*text ? ", " : "", text_size(bytes, size, sizeof(size)), word);
	}
	environment_add(env, "transparent_huge_page_sizes", !known ? NULL : *text ? text : "none");
}

static void facts_of_program(struct environment *env)
{
	char text[128];

	environment_add(env, "affinity_version", AFFINITY_VERSION);
	environment_add(env, "compiler", AFFINITY_COMPILER);
	environment_add(env, "compiler_flags", AFFINITY_FLAGS);
	environment_add(env, "clang_of_loops", *AFFINITY_CLANG ? AFFINITY_CLANG : "none");
	environment_add(env, "loops", loops_all);
	environment_add(env, "libraries", AFFINITY_LIBRARIES);
	environment_add(env, "hwloc_at_run_time", topo_library());
	environment_add(env, "hardware_counters", counters_state(text, sizeof(text)));
}

/* Nothing outside of jobs. */
static void facts_of_job(struct environment *env)
{
	const char *job = getenv("SLURM_JOB_ID"), *node = getenv("SLURMD_NODENAME");

	if (!job || !*job)
		return;
	environment_add(env, "slurm_job", job);
	environment_add(env, "slurm_node", node);
}

static void facts_of_system(struct environment *env, const struct topo *t)
{
	struct utsname u;
	char text[256];
	time_t now = time(NULL);

	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
	environment_add(env, "date", text);
	uname(&u);
	environment_add(env, "host", u.nodename);
	facts_of_job(env);
	environment_add(env, "simulated", simulated_by(text, sizeof(text)) ? text : "no");
	snprintf(text, sizeof(text), "%s %s", u.sysname, u.release);
	environment_add(env, "kernel", text);
	environment_add(env, "architecture", u.machine);
	add_cpuinfo(env, "cpu_model", "model name");
	add_cpuinfo(env, "cpu_stepping", "stepping");
	add_cpuinfo(env, "microcode", "microcode");
	environment_board(env);
	environment_frequencies(env, t);
	add_file(env, "boost", "/sys/devices/system/cpu/cpufreq/boost");
	add_file(env, "intel_no_turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo");
	add_file(env, "smt", "/sys/devices/system/cpu/smt/control");
	environment_scheduling(env);
	add_file(env, "clock_source",
		"/sys/devices/system/clocksource/clocksource0/current_clocksource");
	add_bracketed(env, "transparent_huge_pages", "/sys/kernel/mm/transparent_hugepage/enabled");
	fact_of_thp_sizes(env);
	add_file(env, "numa_balancing", "/proc/sys/kernel/numa_balancing");
	add_file(env, "perf_event_paranoid", "/proc/sys/kernel/perf_event_paranoid");
	add_flag(env, "virtual_machine", "hypervisor");
	add_load_average(env);
}

/* Adds the limits to the memory of vectors other than the size of the nodes. */
static void facts_of_memory(struct environment *env, const struct topo *t)
{
	uint64_t left = cgroup_memory_left(CGROUP_SELF);
	char text[1024], size[32];

	environment_add(env, "control_group_memory_left",
		left > UINT64_MAX / 4 ? "no limit" /* version 1 writes its largest page count */
				      : text_size(left, size, sizeof(size)));
	text[0] = '\0';
	for (int i = 0; i < t->nnodes && t->this_system; i++)
		for (size_t k = 0; k < MEM_POOLS; k++) {
			unsigned long long pages =
				capacity_pool_size(t->nodes[i].node, mem_pool_bytes[k]);
			size_t used = strlen(text);

			if (pages)
				snprintf(text + used, sizeof(text) - used, "%snode %d: %llu of %s",
					used ? ", " : "", t->nodes[i].node, pages,
					text_size(mem_pool_bytes[k], size, sizeof(size)));
		}
	environment_add(env, "huge_page_pools", *text ? text : "none");
}

static void facts_of_quota(struct environment *env)
{
	struct quota quota;
	char text[64];

	quota_take(CGROUP_SELF, &quota);
	snprintf(text, sizeof(text), "%.6g CPU%s", quota.cpus, quota.cpus == 1 ? "" : "s");
	environment_add(env, "cpu_quota", isinf(quota.cpus) ? "no limit" : text);
}

static void facts_of_clock(struct environment *env)
{
	struct clock_cost cost = clock_measure();
	char text[64];

	snprintf(text, sizeof(text), "%.1f ns to read, %.0f ns step", cost.read_ns, cost.step_ns);
	environment_add(env, "clock", text);
}

extern char **environ;

/* Adds the environment variables that control the OpenMP runtime. */
static void facts_of_openmp(struct environment *env)
{
	char *all = alloc_string("", 0);

	for (char **v = environ; *v; v++)
		if (!strncmp(*v, "OMP_", 4) || !strncmp(*v, "GOMP_", 5) || !strncmp(*v, "KMP_", 4))
			alloc_append(&all, " ", "%s", *v);
	environment_add(env, "openmp_environment", *all ? all : "none");
	free(all);
}

void environment_read(struct environment *env, const struct topo *t)
{
	*env = (struct environment){0};
	facts_of_system(env, t);
	environment_topology(env, t);
	facts_of_memory(env, t);
	facts_of_quota(env);
	facts_of_clock(env);
	facts_of_openmp(env);
	facts_of_program(env);
}

/* If the hypervisor takes 1 % of the time or other programs use 5 %, the effect is larger than the
 * intervals of a quiet machine. */
#define MUCH 0.05

/* Names of facts, and the word in messages. */
static const struct during {
	const char *word, *steal, *others, *throttled;
} during_what[] = {
	[DURING_RUN] = {"run", "steal_during_run", "others_load_during_run",
		"throttled_during_run"},
	[DURING_CHECK] = {"check", "steal_during_check", "others_load_during_check",
		"throttled_during_check"},
};

void environment_load(struct environment *env, const struct load *before,
	enum environment_during what, struct errors *e)
{
	const struct during *during = &during_what[what];
	struct load_share share = load_since(before);
	char text[64];

	snprintf(text, sizeof(text), "%.2f %%", share.steal * 100);
	environment_add(env, during->steal, text);
	snprintf(text, sizeof(text), "%.2f %%", share.others * 100);
	environment_add(env, during->others, text);
	if (share.periods)
		snprintf(text, sizeof(text), "%.6g s in %llu period%s", share.throttled_s,
			(unsigned long long)share.periods, text_s(share.periods));
	else
		snprintf(text, sizeof(text), "0 s");
	environment_add(env, during->throttled, text);
	if (share.periods) {
		error_warn(e,
			"a CPU quota of %.3g CPUs held the threads up for %.3g s during the %s",
			share.quota_cpus, share.throttled_s, during->word);
		error_hint(e,
			"lift it: docker and podman without --cpus, cpu.max of the control group, "
			"CPUQuota= of systemd, limits.cpu of Kubernetes");
		error_about(e, during->throttled);
	}
	if (share.steal > 0.01) {
		error_warn(e, "the hypervisor took %.1f %% of the machine's time during the %s",
			share.steal * 100, during->word);
		error_hint(e, "ask for dedicated CPUs, or measure when the host is quiet");
		error_about(e, during->steal);
	}
	if (share.others > MUCH) {
		error_warn(e, "other programs used %.1f %% of the machine's CPUs during the %s",
			share.others * 100, during->word);
		error_hint(
			e, "stop them, or keep them off with isolcpus or a cpuset; top shows them");
		error_about(e, during->others);
	}
}

/* A share of a CPU's time that the system's own work does not reach. */
#define BUSY 0.2

void environment_busy(struct environment *env, const struct near *all, struct errors *e)
{
	const char *others = environment_get(env, "others_load_during_check");
	bool *set = alloc_zeroed((size_t)all->count + 1, sizeof(*set)), any = false;
	const size_t room = (size_t)all->count * 8 + 16;
	char *list = alloc_zeroed(room, 1);

	near_busy(all, BUSY, set);
	for (int i = 0; i < all->count; i++)
		any |= set[i];
	environment_add(
		env, "busy_cpus_during_check", text_ranges(set, (size_t)all->count, list, room));
	if (any && others && strtod(others, NULL) <= MUCH * 100) {
		error_warn(e,
			"other programs used CPUs during the check: busy_cpus_during_check = %s",
			list);
		error_hint(e, "stop them, or keep threads off these CPUs and those that share "
			      "their cores");
		error_about(e, "busy_cpus_during_check");
	}
	free(list);
	free(set);
}

/* What is nearer takes more: half a core, a part of a cache, a part of a memory's bandwidth. */
void environment_near(struct environment *env, const struct near_load *near, struct errors *e)
{
	const struct {
		const char *fact;
		double load;
		const char *where, *remedy;
	} levels[] = {
		{"others_load_on_core_during_run", near->core,
			"a hardware thread beside one of the run, on the same core,",
			"keep other programs off it (isolcpus, a cpuset), or switch the second "
			"threads off: echo off | sudo tee /sys/devices/system/cpu/smt/control"},
		{"others_load_under_cache_during_run", near->cache,
			"the other CPUs under last-level caches of the run",
			"keep other programs off them with isolcpus or a cpuset; top shows them"},
		{"others_load_on_node_during_run", near->node, "the other CPUs of nodes of the run",
			"keep other programs off them with isolcpus or a cpuset; top shows them"},
	};
	bool warned = false;
	char text[32];

	for (size_t i = 0; near->known && i < sizeof(levels) / sizeof(*levels); i++) {
		snprintf(text, sizeof(text), "%.2f %%", levels[i].load * 100);
		environment_add(env, levels[i].fact, isnan(levels[i].load) ? "no other CPU" : text);
		if (warned || !(levels[i].load > MUCH))
			continue;
		error_warn(e, "other programs used %s for %.1f %% of the run", levels[i].where,
			levels[i].load * 100);
		error_hint(e, "%s", levels[i].remedy);
		error_about(e, levels[i].fact);
		warned = true;
	}
}

const char *environment_get(const struct environment *env, const char *name)
{
	for (size_t i = 0; i < env->count; i++)
		if (!strcmp(env->facts[i].name, name))
			return env->facts[i].value;
	return NULL;
}

const char *environment_simulated(const struct environment *env)
{
	const char *by = environment_get(env, "simulated");

	return by && strcmp(by, "no") ? by : NULL;
}

void environment_free(struct environment *env)
{
	for (size_t i = 0; i < env->count; i++)
		free(env->facts[i].value);
	free(env->facts);
	*env = (struct environment){0};
}
