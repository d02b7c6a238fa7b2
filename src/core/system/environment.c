/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the facts that a reader of results must know from /proc and /sys. A new fact needs one line
 * in facts_of_*().
 *
 * A fact is typed where it is read (fact.h) and has one text (fact_text.c). environment.c gathers
 * the facts of the machine and its parts environment_*.c those of the board, the CPUs and the
 * topology; conditions.c says which of them spoil a measurement. The other files look at what
 * happens now: watch.c, near.c and load.c at times, quota.c at limits, program.c, process_use.c and
 * leftovers.c at other processes.
 */
#include "system/environment.h"

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "base/alloc.h"
#include "memory/capacity.h"
#include "memory/cgroup.h"
#include "memory/pages.h"
#include "base/clock.h"
#include "counters/counters.h"
#include "system/conditions.h"
#include "system/program.h"
#include "system/simulated.h"
#include "base/text.h"
#include "base/version.h"
#include "contract/loops.h"

static void add_file(struct environment *env, const char *name, const char *path)
{
	char line[512];

	environment_add(env, name, text_first_line(path, line, sizeof(line)) ? NULL : line);
}

/* "0.52 0.58 0.59 1/389 4711": of 1, 5 and 15 minutes, and threads running of all; the last is the
 * process that began last. */
static void add_load_average(struct environment *env)
{
	struct fact f = fact_begin("load_average");
	char line[128];
	double of[5];

	if (!text_first_line("/proc/loadavg", line, sizeof(line)) &&
		sscanf(line, "%lf %lf %lf %lf/%lf", &of[0], &of[1], &of[2], &of[3], &of[4]) == 5)
		for (int i = 0; i < 5; i++)
			fact_add_number(&f, of[i]);
	environment_take(env, &f);
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
	environment_add_number(env, name, known ? found : NAN);
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
	struct fact f = fact_begin("transparent_huge_page_sizes");
	char path[128], line[128], word[16];

	for (size_t bytes = 2 * mem_base_page(); bytes <= mem_huge_page(); bytes *= 2) {
		if (text_first_line(mem_thp_setting(bytes, path, sizeof(path)), line, sizeof(line)))
			continue;
		fact_add_none(&f);
		if (!strchr(line, '[') || sscanf(strchr(line, '['), "[%15[a-z]", word) != 1 ||
			!strcmp(word, "never"))
			continue;
		fact_add_number(&f, (double)bytes);
		fact_add_text(&f, word);
	}
	environment_take(env, &f);
}

/* The makefile's "numa 2.0.16 hwloc 2.9.0". */
static void fact_of_libraries(struct environment *env)
{
	struct fact f = fact_begin("libraries");
	struct words words = {0};

	words_split(&words, AFFINITY_LIBRARIES, " ");
	for (size_t i = 0; i < words.count / 2 * 2; i++)
		fact_add_text(&f, words.word[i]);
	words_free(&words);
	environment_take(env, &f);
}

/* Sizes from which its functions work in another way: lines such as
 * "glibc.cpu.x86_non_temporal_threshold: 0xc0000 (min: 0x4040, max: ...)" of the dynamic linker. */
static void add_thresholds(struct fact *f, char *list)
{
	static const char cpu[] = "glibc.cpu.";

	for (char *rest = list, *line; (line = strsep(&rest, "\n"));) {
		char *value = strchr(line, ':');

		if (strncmp(line, cpu, strlen(cpu)) || !value || !strstr(line, "threshold"))
			continue;
		*value++ = '\0';
		value += strspn(value, " ");
		value[strcspn(value, " ")] = '\0';
		fact_add_text(f, line + strlen(cpu));
		fact_add_text(f, value);
	}
}

/* "glibc=2.36 x86_non_temporal_threshold=0x7200000". */
static void fact_of_c_library(struct environment *env)
{
#ifdef __GLIBC__
	const void *linker = (const void *)getauxval(AT_BASE);
	struct fact f = fact_begin("c_library");
	Dl_info at;

	fact_add_text(&f, "glibc");
	fact_add_text(&f, gnu_get_libc_version());
	if (linker && dladdr(linker, &at) && *at.dli_fname == '/') {
		char *list =
			program_output((char *[]){(char *)at.dli_fname, "--list-tunables", NULL});

		add_thresholds(&f, list);
		free(list);
	}
	environment_take(env, &f);
#else
	environment_add(env, "c_library", NULL);
#endif
}

static void facts_of_program(struct environment *env)
{
	char text[128];

	environment_add(env, "affinity_version", AFFINITY_VERSION);
	environment_add(env, "compiler", AFFINITY_COMPILER);
	environment_add(env, "compiler_flags", AFFINITY_FLAGS);
	environment_add(env, "clang_of_loops", *AFFINITY_CLANG ? AFFINITY_CLANG : "none");
	environment_add(env, "loops", loops_all);
	fact_of_libraries(env);
	fact_of_c_library(env);
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
	environment_add_or_none(env, "simulated", simulated_by(text, sizeof(text)) ? text : NULL);
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
	const uint64_t left = cgroup_memory_left(CGROUP_SELF);
	struct fact f = fact_begin("huge_page_pools");

	/* version 1 writes its largest page count */
	environment_add_number(
		env, "control_group_memory_left", left > UINT64_MAX / 4 ? INFINITY : (double)left);
	fact_add_none(&f);
	for (int i = 0; i < t->nnodes && t->this_system; i++)
		for (size_t k = 0; k < MEM_POOLS; k++) {
			unsigned long long pages =
				capacity_pool_size(t->nodes[i].node, mem_pool_bytes[k]);

			if (!pages)
				continue;
			fact_add_number(&f, t->nodes[i].node);
			fact_add_number(&f, (double)pages);
			fact_add_number(&f, (double)mem_pool_bytes[k]);
		}
	environment_take(env, &f);
}

static void facts_of_quota(struct environment *env)
{
	struct quota quota;

	quota_take(CGROUP_SELF, &quota);
	environment_add_number(env, "cpu_quota", quota.cpus);
}

/* To the digits that differ from one reading to the next. */
static void facts_of_clock(struct environment *env)
{
	const struct clock_cost cost = clock_measure();
	struct fact f = fact_begin("clock");

	fact_add_number(&f, round(cost.read_ns * 10) / 10);
	fact_add_number(&f, round(cost.step_ns));
	environment_take(env, &f);
}

extern char **environ;

/* Adds the environment variables that control the OpenMP runtime. */
static void facts_of_openmp(struct environment *env)
{
	struct fact f = fact_begin("openmp_environment");

	fact_add_none(&f);
	for (char **v = environ; *v; v++) {
		const char *value = strchr(*v, '=');

		if (!value || (strncmp(*v, "OMP_", 4) && strncmp(*v, "GOMP_", 5) &&
				      strncmp(*v, "KMP_", 4)))
			continue;
		char *name = alloc_string(*v, (size_t)(value - *v));

		fact_add_text(&f, name);
		fact_add_text(&f, value + 1);
		free(name);
	}
	environment_take(env, &f);
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

/* Names of facts, and the word in messages. */
static const struct during {
	const char *word, *steal, *others, *kernel, *throttled;
} during_what[] = {
	[DURING_RUN] = {"run", "steal_during_run", "others_load_during_run",
		"kernel_load_during_run", "throttled_during_run"},
	[DURING_CHECK] = {"check", "steal_during_check", "others_load_during_check",
		"kernel_load_during_check", "throttled_during_check"},
};

/* The system counts in ticks of 10 ms. */
static double percent_of_ticks(double share)
{
	return round(share * 1e4) / 100;
}

/* Who used most of what this process did not. */
static void warn_of_others(
	const struct load_share *share, const struct during *during, struct errors *e)
{
	if (share->kernel > share->others / 2) {
		error_warn(e,
			"the kernel's own threads and interrupts used %.1f %% of the machine's "
			"CPUs during the %s",
			share->kernel * 100, during->word);
		error_hint(e, "/proc/interrupts and top show which: move them with "
			      "/proc/irq/N/smp_affinity, or end what makes them work");
	} else {
		error_warn(e, "other programs used %.1f %% of the machine's CPUs during the %s",
			share->others * 100, during->word);
		error_hint(
			e, "stop them, or keep them off with isolcpus or a cpuset; top shows them");
	}
	error_about(e, during->others);
}

void environment_load(struct environment *env, const struct load *before,
	enum environment_during what, struct errors *e)
{
	const struct during *during = &during_what[what];
	struct load_share share = load_since(before);
	struct fact f = fact_begin(during->throttled);

	environment_add_number(env, during->steal, percent_of_ticks(share.steal));
	environment_add_number(env, during->others, percent_of_ticks(share.others));
	environment_add_number(env, during->kernel, percent_of_ticks(share.kernel));
	fact_add_number(&f, share.periods ? share.throttled_s : 0);
	fact_add_number(&f, (double)share.periods);
	environment_take(env, &f);
	if (share.periods) {
		error_warn(e,
			"a CPU quota of %.3g CPUs held the threads up for %.3g s during the %s",
			share.quota_cpus, share.throttled_s, during->word);
		error_hint(e,
			"lift it: docker and podman without --cpus, cpu.max of the control group, "
			"CPUQuota= of systemd, limits.cpu of Kubernetes");
		error_about(e, during->throttled);
	}
	if (share.steal * 100 > condition_steal.firm) {
		error_warn(e, "the hypervisor took %.1f %% of the machine's time during the %s",
			share.steal * 100, during->word);
		error_hint(e, "ask for dedicated CPUs, or measure when the host is quiet");
		error_about(e, during->steal);
	}
	if (share.others * 100 > condition_others.firm)
		warn_of_others(&share, during, e);
}

/* A share of a CPU's time that the system's own work does not reach. */
#define BUSY 0.2

void environment_busy(struct environment *env, const struct near *all, struct errors *e)
{
	const double others = environment_number(env, "others_load_during_check");
	bool *set = alloc_zeroed((size_t)all->count + 1, sizeof(*set)), any = false;
	const size_t room = (size_t)all->count * 8 + 16;
	char *list = alloc_zeroed(room, 1);

	near_busy(all, BUSY, set);
	for (int i = 0; i < all->count; i++)
		any |= set[i];
	text_ranges(set, (size_t)all->count, list, room);
	environment_add_or_none(env, "busy_cpus_during_check", any ? list : NULL);
	if (any && others <= condition_others.firm) {
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

	for (size_t i = 0; near->known && i < sizeof(levels) / sizeof(*levels); i++) {
		environment_add_number(env, levels[i].fact,
			isnan(levels[i].load) ? INFINITY : percent_of_ticks(levels[i].load));
		if (warned || !(levels[i].load * 100 > condition_others.firm))
			continue;
		error_warn(e, "other programs used %s for %.1f %% of the run", levels[i].where,
			levels[i].load * 100);
		error_hint(e, "%s", levels[i].remedy);
		error_about(e, levels[i].fact);
		warned = true;
	}
}

const char *environment_simulated(const struct environment *env)
{
	const struct fact *f = environment_fact(env, "simulated");

	return f ? fact_text(f, 0, "") : NULL;
}
