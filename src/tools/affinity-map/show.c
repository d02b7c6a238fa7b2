/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads /proc/PID: task/ has the threads, numa_maps the memory by node, smaps_rollup the huge
 * pages. A page of a file that no process has mapped is not seen. */
#include "affinity-map/show.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "affinity-map/outputs.h"
#include "base/alloc.h"
#include "base/denied.h"
#include "base/proc.h"
#include "document/value.h"
#include "memory/process.h"

/* Files of a table for people: the largest ones. JSON has all. */
#define FILES_SHOWN 10

enum kind { ANONYMOUS, POOL, SHARED, MAPPED };

static const char *const kinds[] = {[ANONYMOUS] = "anonymous",
	[POOL] = "huge pages of pools",
	[SHARED] = "shared memory",
	[MAPPED] = "files"};
#define KINDS (sizeof(kinds) / sizeof(*kinds))

struct thread {
	int id, cpu, node; /* where it ran last */
	double seconds;    /* of CPU time */
	char *cpus;        /* that it may use; owned */
};

/* Bytes with one name: of a kind, of a file, under a policy. */
struct part {
	char *name; /* owned */
	uint64_t on[LINUX_NODES], all;
};

struct parts {
	struct part *list;
	size_t count;
};

struct shown {
	pid_t process;
	char name[64];
	const struct topo *topo;
	struct thread *threads;
	size_t nthreads;
	struct part of[KINDS], sum;
	struct parts files, policies;
	uint64_t huge[3];         /* transparent ones: anonymous, of shared memory, of files */
	double busy[LINUX_NODES]; /* CPU time of the threads that ran there last, in s */
	bool near[LINUX_NODES];   /* that is NEAR_PART of all, in any look */
};

/* ---- threads */

/* As Linux writes it; NULL: not known. */
static char *usable_cpus(int thread)
{
	unsigned long mask[LINUX_MASK_WORDS] = {0};
	bool *set = alloc_zeroed(LINUX_CPUS, sizeof(*set));
	char text[4096];
	int failed = sched_getaffinity(thread, sizeof(mask), (cpu_set_t *)mask);

	for (size_t i = 0; i < LINUX_CPUS; i++)
		set[i] = CPU_ISSET_S(i, sizeof(mask), (cpu_set_t *)mask);
	char *cpus = failed ? NULL
			    : alloc_format("%s", text_ranges(set, LINUX_CPUS, text, sizeof(text)));

	free(set);
	return cpus;
}

static void add_thread(void *with, int id)
{
	struct shown *s = with;
	struct proc_stat now;

	if (proc_stat(s->process, id, &now))
		return;
	const struct topo_cpu *cpu = topo_cpu(s->topo, now.cpu);
	const struct thread t = {.id = id,
		.cpu = now.cpu,
		.node = cpu ? cpu->node : -1,
		.seconds = (double)(now.user + now.system) / (double)sysconf(_SC_CLK_TCK),
		.cpus = usable_cpus(id)};

	if (t.node >= 0 && t.node < LINUX_NODES)
		s->busy[t.node] += t.seconds;
	s->threads = alloc_grow(s->threads, s->nthreads, sizeof(*s->threads));
	s->threads[s->nthreads++] = t;
}

/* A thread that sleeps says nothing of where memory is used; those of a process that has hardly run
 * all count. */
#define NEAR_PART 0.01

static void find_near(struct shown *s)
{
	double all = 0;

	for (size_t i = 0; i < LINUX_NODES; i++)
		all += s->busy[i];
	for (size_t i = 0; i < LINUX_NODES; i++)
		s->near[i] |= all > 0 && s->busy[i] >= NEAR_PART * all;
	for (size_t i = 0; i < s->nthreads && !(all > 0); i++)
		if (s->threads[i].node >= 0 && s->threads[i].node < LINUX_NODES)
			s->near[s->threads[i].node] = true;
}

static void read_threads(struct shown *s)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task", s->process);
	proc_each(path, add_thread, s);
	find_near(s);
}

/* ---- memory */

static struct part *part_of(struct parts *p, const char *name)
{
	for (size_t i = p->count; i-- > 0;)
		if (!strcmp(p->list[i].name, name))
			return &p->list[i];
	p->list = alloc_grow(p->list, p->count, sizeof(*p->list));
	p->list[p->count] = (struct part){.name = alloc_format("%s", name)};
	return &p->list[p->count++];
}

static void add_bytes(struct part *p, const struct process_mapping *m)
{
	for (size_t i = 0; i < LINUX_NODES; i++)
		p->on[i] += m->on[i];
	p->all += m->all;
}

static bool begins(const char *text, const char *with)
{
	return !strncmp(text, with, strlen(with));
}

static enum kind kind_of(const struct process_mapping *m)
{
	if (m->pool)
		return POOL;
	if (!m->file)
		return ANONYMOUS;
	return begins(m->file, "/dev/shm/") || begins(m->file, "/memfd:") ||
			       begins(m->file, "/SYSV") || begins(m->file, "/dev/zero")
		       ? SHARED
		       : MAPPED;
}

static void add_mapping(void *with, const struct process_mapping *m)
{
	struct shown *s = with;

	if (!m->all)
		return;
	add_bytes(&s->of[kind_of(m)], m);
	add_bytes(&s->sum, m);
	add_bytes(part_of(&s->policies, m->policy), m);
	if (kind_of(m) == MAPPED)
		add_bytes(part_of(&s->files, m->file), m);
}

static void read_huge(struct shown *s)
{
	static const char *const names[] = {"AnonHugePages:", "ShmemPmdMapped:", "FilePmdMapped:"};
	char line[256];
	FILE *in = proc_open(s->process, "smaps_rollup");

	while (in && fgets(line, sizeof(line), in))
		for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
			if (begins(line, names[i]))
				s->huge[i] = strtoull(line + strlen(names[i]), NULL, 10) * 1024;
	if (in)
		fclose(in);
}

static int more_bytes(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	return (x->all < y->all) - (x->all > y->all);
}

static int read_memory(struct shown *s, struct errors *e)
{
	FILE *in = proc_open(s->process, "numa_maps");

	if (in) {
		process_mappings_read(in, add_mapping, s);
		fclose(in);
		read_huge(s);
		qsort(s->files.list, s->files.count, sizeof(struct part), more_bytes);
		qsort(s->policies.list, s->policies.count, sizeof(struct part), more_bytes);
		return 0;
	}
	const int error = errno;
	char path[64];

	error_add(e, STATUS_FAILED, NOWHERE, "cannot read where the memory of process %d lies: %s",
		s->process, strerror(error));
	snprintf(path, sizeof(path), "/proc/%d/numa_maps", s->process);
	if (error == ENOENT)
		return error_hint(e, "this kernel or sandbox has no %s", path);
	error_hint(e, "a process of another user is shown to root only");
	return -1;
}

static int read_name(struct shown *s, struct errors *e)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/comm", s->process);
	if (!text_first_line(path, s->name, sizeof(s->name)))
		return 0;
	error_add(e, STATUS_USAGE, NOWHERE, "--show: there is no process %d", s->process);
	return error_hint(e, "pgrep NAME prints the numbers of the processes of that name");
}

static void forget(struct shown *s)
{
	for (size_t i = 0; i < s->nthreads; i++)
		free(s->threads[i].cpus);
	for (size_t i = 0; i < s->files.count; i++)
		free(s->files.list[i].name);
	for (size_t i = 0; i < s->policies.count; i++)
		free(s->policies.list[i].name);
	free(s->threads);
	free(s->files.list);
	free(s->policies.list);
	s->threads = NULL;
	s->nthreads = 0;
	s->files = s->policies = (struct parts){0};
	memset(s->of, 0, sizeof(s->of));
	memset(s->busy, 0, sizeof(s->busy));
	s->sum = (struct part){0};
	memset(s->huge, 0, sizeof(s->huge));
}

static int look(struct shown *s, struct errors *e)
{
	forget(s);
	if (read_name(s, e) || read_memory(s, e))
		return -1;
	read_threads(s);
	return 0;
}

/* ---- for people */

#define MIB(bytes) ((double)(bytes) / 1048576)

/* A node with a thread or with memory of the process. */
static bool concerns(const struct shown *s, size_t node)
{
	bool thread = false;

	for (size_t i = 0; i < s->nthreads; i++)
		thread |= s->threads[i].node == (int)node;
	return thread || s->sum.on[node] || s->near[node];
}

static void print_head(const struct shown *s, const char *first, FILE *out)
{
	fprintf(out, "%-24s", first);
	for (size_t i = 0; i < LINUX_NODES; i++)
		if (concerns(s, i)) {
			char name[24];

			snprintf(name, sizeof(name), "node %zu", i);
			fprintf(out, " %9s", name);
		}
}

static void print_threads(const struct shown *s, FILE *out)
{
	double all = 0;

	for (size_t i = 0; i < s->nthreads; i++)
		all += s->threads[i].seconds;
	print_head(s, "threads", out);
	fprintf(out, "\n%-24s", "  ran last on");
	for (size_t node = 0; node < LINUX_NODES; node++) {
		int n = 0;

		for (size_t i = 0; i < s->nthreads; i++)
			n += s->threads[i].node == (int)node;
		if (concerns(s, node))
			fprintf(out, " %9d", n);
	}
	fprintf(out, "\n%-24s", "  their CPU time");
	for (size_t node = 0; node < LINUX_NODES; node++) {
		double part = 0;
		char text[32];

		for (size_t i = 0; i < s->nthreads; i++)
			part += s->threads[i].node == (int)node ? s->threads[i].seconds : 0;
		if (concerns(s, node))
			fprintf(out, " %9s",
				all > 0 ? text_percent(part / all, text, sizeof(text)) : "n/a");
	}
	fputc('\n', out);
}

/* Sets of CPUs that threads may use, each with their number. */
static void print_usable(const struct shown *s, FILE *out)
{
	const char *between = "  may use CPUs ";

	for (size_t i = 0; i < s->nthreads; i++) {
		const char *cpus = s->threads[i].cpus;
		size_t same = 0;
		bool before = !cpus;

		for (size_t k = 0; cpus && k < s->nthreads; k++) {
			const bool is = s->threads[k].cpus && !strcmp(s->threads[k].cpus, cpus);

			same += is;
			before |= is && k < i;
		}
		if (before)
			continue;
		fprintf(out, "%s%s (%zu thread%s)", between, cpus, same, text_s(same));
		between = ", ";
	}
	fputc('\n', out);
}

static void print_part(const struct shown *s, const char *name, const struct part *p, FILE *out)
{
	const size_t length = strlen(name);

	/* of a long path the end says more */
	fputs(length > 22 ? "  .." : "  ", out);
	text_print_shown(length > 22 ? name + length - 20 : name, out);
	fprintf(out, "%*s", length < 22 ? (int)(22 - length) : 0, "");
	for (size_t i = 0; i < LINUX_NODES; i++)
		if (concerns(s, i))
			fprintf(out, " %9.1f", MIB(p->on[i]));
	fprintf(out, " %9.1f", MIB(p->all));
}

static void print_memory(const struct shown *s, FILE *out)
{
	const uint64_t huge[KINDS] = {s->huge[0], s->of[POOL].all, s->huge[1], s->huge[2]};

	print_head(s, "memory, MiB", out);
	fprintf(out, " %9s\n", "all");
	for (size_t i = 0; i < KINDS; i++) {
		char text[32];

		if (!s->of[i].all)
			continue;
		print_part(s, kinds[i], &s->of[i], out);
		if (huge[i] && i != POOL)
			fprintf(out, "  in huge pages %s",
				text_percent((double)huge[i] / (double)s->of[i].all, text,
					sizeof(text)));
		fputc('\n', out);
	}
	print_part(s, "all", &s->sum, out);
	fputc('\n', out);
}

static void print_files(const struct shown *s, FILE *out)
{
	const size_t n = s->files.count < FILES_SHOWN ? s->files.count : FILES_SHOWN;

	if (!n)
		return;
	print_head(s, "mapped files, MiB", out);
	fprintf(out, " %9s\n", "all");
	for (size_t i = 0; i < n; i++) {
		print_part(s, s->files.list[i].name, &s->files.list[i], out);
		fputc('\n', out);
	}
	if (n < s->files.count)
		fprintf(out, "  and %zu smaller ones (--json has all)\n", s->files.count - n);
}

static uint64_t far_bytes(const struct shown *s, const struct part *p)
{
	uint64_t far = 0;

	for (size_t i = 0; i < LINUX_NODES; i++)
		far += s->near[i] ? 0 : p->on[i];
	return far;
}

/* Less may be what libraries had in memory before. */
#define FAR_PART 0.05

static void print_move(const struct shown *s, FILE *out)
{
	bool away[LINUX_NODES] = {false};
	char from[512], to[512];

	for (size_t i = 0; i < LINUX_NODES; i++)
		away[i] = !s->near[i] && s->sum.on[i];
	fprintf(out,
		"  hint: migratepages %d %s %s moves what no file backs; numactl "
		"--cpunodebind binds the next start\n",
		s->process, text_ranges(away, LINUX_NODES, from, sizeof(from)),
		text_ranges(s->near, LINUX_NODES, to, sizeof(to)));
}

static void print_far(const struct shown *s, FILE *out)
{
	const uint64_t far = far_bytes(s, &s->sum), files = far_bytes(s, &s->of[MAPPED]);
	char text[32];

	if (!s->sum.all)
		return;
	if (!far) {
		fputs("all of it is on nodes where its threads use the CPUs\n", out);
		return;
	}
	fprintf(out, "%.1f MiB (%s) are on nodes where none of its threads uses a CPU\n", MIB(far),
		text_percent((double)far / (double)s->sum.all, text, sizeof(text)));
	if ((double)far < FAR_PART * (double)s->sum.all)
		return;
	if (far > files)
		print_move(s, out);
	if (files)
		fputs("  hint: a page of a file stays where it was first read: args/files says how "
		      "it is read in on another node\n",
			out);
}

static int write_text(const void *arg, FILE *out)
{
	const struct shown *s = arg;

	fprintf(out, "process %d, ", s->process);
	text_print_shown(s->name, out);
	fprintf(out, ": %zu thread%s\n", s->nthreads, text_s(s->nthreads));
	print_threads(s, out);
	print_usable(s, out);
	print_memory(s, out);
	print_files(s, out);
	for (size_t i = 0; i < s->policies.count; i++)
		fprintf(out, "%s%s (%.1f MiB)", i ? ", " : "policies: ", s->policies.list[i].name,
			MIB(s->policies.list[i].all));
	fputs(s->policies.count ? "\n" : "", out);
	print_far(s, out);
	return 0;
}

/* ---- JSON */

static json_t *part_json(const struct part *p)
{
	json_t *on = json_object();

	for (size_t i = 0; i < LINUX_NODES; i++) {
		char name[24];

		snprintf(name, sizeof(name), "%zu", i);
		if (p->on[i])
			json_object_set_new(on, name, json_integer((json_int_t)p->on[i]));
	}
	return json_pack("{s:I, s:o}", "bytes", (json_int_t)p->all, "on_node", on);
}

static json_t *parts_json(const struct parts *p)
{
	json_t *o = json_object();

	for (size_t i = 0; i < p->count; i++) {
		json_t *name = value_string(p->list[i].name);

		json_object_set_new(o, json_string_value(name), part_json(&p->list[i]));
		json_decref(name);
	}
	return o;
}

static json_t *threads_json(const struct shown *s)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->nthreads; i++) {
		const struct thread *t = &s->threads[i];

		json_array_append_new(list,
			json_pack("{s:i, s:i, s:i, s:s?, s:f}", "thread", t->id, "cpu", t->cpu,
				"node", t->node, "cpus_allowed", t->cpus, "cpu_s", t->seconds));
	}
	return list;
}

static int write_json(const void *arg, FILE *out)
{
	static const char *const huge[] = {"anonymous", "shared memory", "files"};
	const struct shown *s = arg;
	json_t *memory = json_object(), *in_huge = json_object();

	for (size_t i = 0; i < KINDS; i++)
		json_object_set_new(memory, kinds[i], part_json(&s->of[i]));
	for (size_t i = 0; i < sizeof(huge) / sizeof(*huge); i++)
		json_object_set_new(in_huge, huge[i], json_integer((json_int_t)s->huge[i]));
	json_t *o = json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:I}", "process",
		(int)s->process, "name", value_string(s->name), "threads", threads_json(s),
		"memory", memory, "transparent_huge_bytes", in_huge, "files", parts_json(&s->files),
		"policies", parts_json(&s->policies), "far_bytes",
		(json_int_t)far_bytes(s, &s->sum));
	int failed = o ? json_dumpf(o, out, JSON_INDENT(1)) : -1;

	json_decref(o);
	fputc('\n', out);
	return failed;
}

/* ---- looks */

static bool is_there(pid_t process)
{
	FILE *in = proc_open(process, "comm");

	if (in)
		fclose(in);
	return in;
}

/* Until the process ends, which is no mistake. */
static int watch(struct shown *s, uint64_t every_ns, struct errors *e)
{
	const struct timespec pause = {
		(time_t)(every_ns / 1000000000), (long)(every_ns % 1000000000)};

	do {
		char now[16];
		const time_t t = time(NULL);

		if (look(s, e))
			return is_there(s->process) ? -1 : (errors_free(e), 0);
		strftime(now, sizeof(now), "%H:%M:%S", localtime(&t));
		printf("%s ", now);
		write_text(s, stdout);
		putchar('\n');
		fflush(stdout);
		nanosleep(&pause, NULL);
	} while (is_there(s->process));
	return 0;
}

int show_process(const struct map_options *o, const struct topo *t, struct errors *e)
{
	struct map_options files = *o;
	struct shown *s = alloc_zeroed(1, sizeof(*s));
	int failed;

	s->process = (pid_t)o->show;
	s->topo = t;
	if (!o->json && !o->out)
		files.out = "-";
	if (o->watch_ns)
		failed = look(s, e) ? -1 : watch(s, o->watch_ns, e);
	else
		failed = look(s, e) ? -1 : map_outputs_write(&files, write_json, write_text, s, e);
	forget(s);
	free(s);
	return failed;
}
