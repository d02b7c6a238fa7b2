/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The facts of each CPU, those that schedule this process, and the memory policy that it was given.
 */
#include <errno.h>
#include <math.h>
#include <numaif.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/resource.h>

#include "base/alloc.h"
#include "base/linux.h"
#include "base/text.h"
#include "system/environment.h"

#define ISOLATED "/sys/devices/system/cpu/isolated"
#define POSSIBLE "/sys/devices/system/cpu/possible"

/* The CPUs whose facts are asked for, and the text or number of each; NULL and NAN: it has none. */
struct by_cpu {
	int count; /* of numbers */
	bool *asked;
	struct fact_cell *of; /* [count] */
};

/* Those that may be used, and isolated ones, which are made to be named; of a described machine the
 * first one of this machine. */
static void begin_cpus(struct by_cpu *b, const struct topo *t)
{
	b->count = t->this_system && t->ncpu_index ? t->ncpu_index : 1;
	b->asked = alloc_zeroed((size_t)b->count, sizeof(*b->asked));
	b->of = alloc_zeroed((size_t)b->count, sizeof(*b->of));
	for (int i = 0; i < b->count; i++)
		b->of[i].number = NAN;
	bool *isolated = alloc_zeroed((size_t)b->count, sizeof(*isolated));
	char line[4096];

	if (!text_first_line(ISOLATED, line, sizeof(line)))
		text_parse_ranges(line, isolated, (size_t)b->count);
	for (int i = 0; t->this_system && i < t->ncpus; i++) {
		const struct topo_cpu *c = &t->cpus[i];

		b->asked[c->cpu] = c->allowed || (c->nameable && isolated[c->cpu]);
	}
	free(isolated);
	if (!t->this_system)
		b->asked[0] = true;
}

static void end(struct by_cpu *b)
{
	for (int i = 0; i < b->count; i++)
		free(b->of[i].text);
	free(b->of);
	free(b->asked);
}

static bool alike(const struct fact_cell *a, const struct fact_cell *b)
{
	if (a->text && b->text)
		return !strcmp(a->text, b->text);
	return !a->text && !b->text &&
	       (a->number == b->number || (isnan(a->number) && isnan(b->number)));
}

/* The CPUs from `first` on that have the same, in same[]. Are they all that are asked for? */
static bool find_same(const struct by_cpu *b, int first, bool *same)
{
	bool all = true;

	for (int i = 0; i < b->count; i++) {
		same[i] = b->asked[i] && alike(&b->of[i], &b->of[first]);
		all &= same[i] || !b->asked[i];
	}
	return all;
}

/* A row without CPUs of those that are alike, else one for each list of CPUs. */
static void add_by_cpu(struct environment *env, const char *name, const struct by_cpu *b)
{
	const size_t room = (size_t)b->count * 8 + 16; /* every second CPU, with its comma */
	bool *same = alloc_zeroed((size_t)b->count, sizeof(*same));
	bool *told = alloc_zeroed((size_t)b->count, sizeof(*told)), one = false;
	char *ranges = alloc_zeroed(room, 1);
	struct fact f = fact_begin(name);

	for (int i = 0; i < b->count && !one; i++) {
		const struct fact_cell *c = &b->of[i];

		if (!b->asked[i] || told[i])
			continue;
		one = find_same(b, i, same);
		for (int k = 0; k < b->count; k++)
			told[k] |= same[k];
		if (one && !c->text && isnan(c->number))
			break;
		text_ranges(same, (size_t)b->count, ranges, room);
		fact_add_text(&f, one ? "" : ranges);
		if (c->text)
			fact_add_text(&f, c->text);
		else
			fact_add_number(&f, c->number);
	}
	environment_take(env, &f);
	free(ranges);
	free(told);
	free(same);
}

/* Of files that have a rate in kHz, or a word. */
static void add_frequency(
	struct environment *env, const struct topo *t, const char *name, const char *file, bool khz)
{
	char path[128], line[64];
	struct by_cpu b;
	double rate;

	begin_cpus(&b, t);
	for (int i = 0; i < b.count; i++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/cpufreq/%s", i, file);
		if (!b.asked[i] || text_first_line(path, line, sizeof(line)))
			continue;
		if (!khz)
			b.of[i].text = alloc_string(line, strlen(line));
		else if (sscanf(line, "%lf", &rate) == 1)
			b.of[i].number = rate * 1000;
	}
	add_by_cpu(env, name, &b);
	end(&b);
}

void environment_frequencies(struct environment *env, const struct topo *t)
{
	add_frequency(env, t, "frequency_governor", "scaling_governor", false);
	add_frequency(env, t, "frequency_nominal", "base_frequency", true);
	add_frequency(env, t, "frequency_min", "cpuinfo_min_freq", true);
	add_frequency(env, t, "frequency_max", "cpuinfo_max_freq", true);
	add_frequency(env, t, "frequency_limit_min", "scaling_min_freq", true);
	add_frequency(env, t, "frequency_limit_max", "scaling_max_freq", true);
}

/* A list of CPUs, empty or "(null)" where there are none. Linux without such CPUs has no file of
 * them, but one of CPUs. */
static void add_cpus(struct environment *env, const char *name, const char *path)
{
	char line[4096];
	const bool read = !text_first_line(path, line, sizeof(line));

	if (read || !access(POSSIBLE, R_OK))
		environment_add_or_none(env, name, read && *line != '(' ? line : NULL);
	else
		environment_add(env, name, NULL);
}

static void add_policy(struct environment *env)
{
	static const char *const names[] = {[SCHED_OTHER] = "other",
		[SCHED_FIFO] = "fifo",
		[SCHED_RR] = "rr",
		[SCHED_BATCH] = "batch",
		[SCHED_IDLE] = "idle",
		[6] = "deadline",
		[7] = "ext"};
	int policy = sched_getscheduler(0);
	struct sched_param param = {0};
	char text[32];

	policy &= ~0x40000000; /* SCHED_RESET_ON_FORK */
	if (policy < 0 || (size_t)policy >= sizeof(names) / sizeof(*names) || !names[policy])
		snprintf(text, sizeof(text), "%d", policy);
	else if ((policy == SCHED_FIFO || policy == SCHED_RR) && !sched_getparam(0, &param))
		snprintf(text, sizeof(text), "%s %d", names[policy], param.sched_priority);
	else
		snprintf(text, sizeof(text), "%s", names[policy]);
	environment_add(env, "scheduling_policy", text);
	errno = 0;
	const int nice = getpriority(PRIO_PROCESS, 0);

	environment_add_number(env, "nice", errno ? NAN : nice);
}

/* How much of each CPU's time threads of real-time policies may take. */
static void add_real_time_limit(struct environment *env)
{
	static const char runtime[] = "/proc/sys/kernel/sched_rt_runtime_us",
			  period[] = "/proc/sys/kernel/sched_rt_period_us";
	char line[32], other[32];
	double of, may, limit = NAN;

	if (!text_first_line(runtime, line, sizeof(line)) &&
		!text_first_line(period, other, sizeof(other)) && sscanf(line, "%lf", &may) == 1 &&
		sscanf(other, "%lf", &of) == 1 && of > 0)
		limit = may < 0 || may >= of ? INFINITY : may * 100 / of;
	environment_add_number(env, "real_time_limit", limit);
}

/* Of this process, not of a vector: "default", "interleave:0-1". numactl sets it, and the kernel's
 * argument numa_policy of the Raspberry Pi. */
static void add_memory_policy(struct environment *env)
{
	static const char *const names[] = {"default", "preferred", "bind", "interleave", "local",
		"preferred_many", "weighted_interleave"};
	enum { WORD = 8 * sizeof(unsigned long), BITS = LINUX_NODES + WORD };
	unsigned long mask[BITS / WORD] = {0};
	bool nodes[LINUX_NODES], any = false;
	char list[256], text[320];
	int mode = 0;

	if (get_mempolicy(&mode, mask, BITS, NULL, 0)) {
		environment_add(env, "memory_policy", NULL);
		return;
	}
	mode &= 0xff; /* the rest are flags */
	for (size_t i = 0; i < LINUX_NODES; i++) {
		nodes[i] = mask[i / WORD] >> i % WORD & 1;
		any |= nodes[i];
	}
	if ((size_t)mode < sizeof(names) / sizeof(*names))
		snprintf(text, sizeof(text), "%s", names[mode]);
	else
		snprintf(text, sizeof(text), "%d", mode);
	if (any && mode)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), ":%s",
			text_ranges(nodes, LINUX_NODES, list, sizeof(list)));
	environment_add(env, "memory_policy", text);
}

void environment_scheduling(struct environment *env)
{
	add_cpus(env, "isolated_cpus", ISOLATED);
	add_cpus(env, "nohz_full_cpus", "/sys/devices/system/cpu/nohz_full");
	add_policy(env);
	add_real_time_limit(env);
	add_memory_policy(env);
}
