/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A QEMU plugin that gives an emulated machine near and far memory, and counts the accesses of each
 * CPU to each node.
 *
 * It is a model. Every CPU has one fully associative cache of lines of 64 bytes that evicts the
 * oldest line first. An access that hits this cache costs nothing. Otherwise the line comes
 *
 *   from memory         at the distance from the CPU's node to the memory's,
 *   from another cache  that has changed it, at the distance between the two CPUs' nodes.
 *
 * A store invalidates the line in all other caches and waits for the farthest of them. A line makes
 * one transfer at a time: a CPU that requests it meanwhile waits until it has arrived, then for its
 * own transfer.
 *
 * With a bandwidth, a line occupies the memory that gives it, and the link between the two nodes:
 * its request one direction, the line itself the other one. CPUs that use a memory or a direction
 * of a link at the same time delay each other, by the mean of a queue and not by who comes first:
 * two CPUs in step would never meet. So the more of its time one CPU occupies a memory, the longer
 * another one waits for it. Each two nodes have a link of their own. These are the directions of
 * the thesis's table 5.11; a line that is written back takes no time, nor does anything else: there
 * is no prefetch and no cache shared by CPUs.
 *
 * With a directory, caches also forward lines that nobody has changed: a line comes from the cache
 * that fetched it last, if that cache still has it, and from memory otherwise. So the entry leaves
 * with its line: a thread alone, or one whose neighbour has gone on, waits for memory. A reader on
 * the line's own node that follows a remote reader closely gets each line over the whole distance
 * and cannot overtake it: the thesis's table 5.12, where a local reader becomes as slow as the
 * remote one. Half the work or a delay of the remote reader separates the two (tables 5.15, 5.18
 * and 5.21). On caches that forward clean lines see Molka and others, "Cache coherence protocol and
 * memory performance of the Intel Haswell-EP architecture", ICPP 2015.
 *
 * A CPU spends this time asleep, so other programs on the host hardly matter. QEMU must give each
 * CPU a host thread (-accel tcg,thread=multi); otherwise all CPUs stop while one waits.
 *
 * The plugin watches user code only: all of it, or the functions given by their addresses, so that
 * the measured program needs no change. Options, separated by commas:
 *
 *   nodes=CPUSxMIB:...     the machine, in the order of its CPUs and its memory
 *   distances=10:21:...    from each node to each node
 *   unit=NS                time of one unit of distance
 *   cache=KIB              size of the cache of each CPU
 *   memory=NS              how long a line occupies its memory; 0 as without this option
 *   link=NS                how long it occupies its link
 *   directory=1            with a directory: caches forward clean lines, too
 *   code=NAME:FIRST-END    hexadecimal addresses of a function; any number of these
 *   report=ADDRESS         each execution of it writes the counts and resets them
 *   out=FILE               file for the counts; the last counts are written at the end
 *   step=2                 for QEMU before 8.2, whose addresses count a node's offset twice
 *
 * A line of FILE, below a line "run K" for the K-th execution of ADDRESS:
 *
 *   loop_read_double cpu 0 node 2 loads 768 stores 0 memory 768 caches 0
 *
 * The node is that of the memory. The last two numbers are the accesses that waited for memory and
 * for another cache; the other accesses did not wait.
 */
#include "distance.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <qemu-plugin.h>

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

/* ---- callbacks of QEMU */

/* Turns an address, in lines, into the line's number in the model; returns -1 if it belongs to no
 * node. */
static int node_of(uint64_t *number)
{
	for (int node = 0; node < model.nnodes; node++) {
		uint64_t first = model.first_line[node];
		uint64_t at = *number - model.step * first;

		if (at < model.first_line[node + 1] - first) {
			*number = first + at;
			return node;
		}
	}
	return -1;
}

static void on_access(
	unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *code_watched)
{
	struct qemu_plugin_hwaddr *where = qemu_plugin_get_hwaddr(info, address);
	uint64_t number;
	int node;

	/* QEMU attributes the accesses of the kernel in an interrupt to the code that it
	 * interrupts. */
	if (!where || address >> 63 || qemu_plugin_hwaddr_is_io(where) || (int)cpu >= model.ncpus)
		return;
	number = qemu_plugin_hwaddr_phys_addr(where) / LINE_BYTES;
	node = node_of(&number);
	if (node < 0)
		return;
	distance_access(code_watched, (int)cpu, node, number, qemu_plugin_mem_is_store(info));
	distance_pay(&model.cpus[cpu]);
}

static void write_counts(void)
{
	for (int i = 0; i < model.ncodes; i++)
		for (int cpu = 0; cpu < model.ncpus; cpu++)
			for (int node = 0; node < model.nnodes; node++) {
				struct counts *c = &model.codes[i].counts[cpu][node];

				if (c->loads || c->stores)
					fprintf(model.out,
						"%s cpu %d node %d loads %" PRIu64
						" stores %" PRIu64 " memory %" PRIu64
						" caches %" PRIu64 "\n",
						model.codes[i].name, cpu, node, c->loads, c->stores,
						c->memory, c->caches);
				*c = (struct counts){0};
			}
	fflush(model.out);
}

static void on_report(unsigned int cpu, void *unused)
{
	(void)cpu;
	(void)unused;
	pthread_mutex_lock(&model.lock);
	write_counts();
	fprintf(model.out, "run %d\n", ++model.runs);
	pthread_mutex_unlock(&model.lock);
}

static void on_end(qemu_plugin_id_t id, void *unused)
{
	(void)id;
	(void)unused;
	write_counts();
	fclose(model.out);
}

/* A function's last instruction is left out: it returns, which is no access of the loop, and QEMU
 * 7.2 would also attribute the accesses of the caller to it. */
static void watch(struct qemu_plugin_insn *instruction)
{
	uint64_t at = qemu_plugin_insn_vaddr(instruction);
	size_t size = qemu_plugin_insn_size(instruction);

	for (int k = 0; k < model.ncodes; k++)
		if (at >= model.codes[k].first && at + size < model.codes[k].end)
			qemu_plugin_register_vcpu_mem_cb(instruction, on_access,
				QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, &model.codes[k]);
	if (at == model.report_at)
		qemu_plugin_register_vcpu_insn_exec_cb(
			instruction, on_report, QEMU_PLUGIN_CB_NO_REGS, NULL);
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
	(void)id;
	if (qemu_plugin_tb_vaddr(block) >> 63)
		return; /* the kernel's */
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++)
		watch(qemu_plugin_tb_get_insn(block, i));
}

/* ---- options */

/* "2x160:2x160" */
static bool read_nodes(char *text)
{
	for (char *word = strtok(text, ":"); word; word = strtok(NULL, ":")) {
		int cpus;
		uint64_t mib;

		if (sscanf(word, "%dx%" SCNu64, &cpus, &mib) != 2 || model.nnodes == MAX_NODES ||
			cpus < 0 || model.ncpus + cpus > MAX_CPUS)
			return false;
		while (cpus--)
			model.cpus[model.ncpus++].node = model.nnodes;
		model.first_line[model.nnodes + 1] =
			model.first_line[model.nnodes] + (mib << 20) / LINE_BYTES;
		model.nnodes++;
	}
	return true;
}

/* Needs the nodes; the distances are in rows. */
static bool read_distances(char *text)
{
	int n = 0;

	for (char *word = strtok(text, ":"); word; word = strtok(NULL, ":"), n++)
		if (n < model.nnodes * model.nnodes)
			model.distance[n / model.nnodes][n % model.nnodes] = atoi(word);
	return n == model.nnodes * model.nnodes;
}

/* "loop_read_int:5555_5000-5555_5040" without the underscores */
static bool read_code(char *text)
{
	struct code *c = &model.codes[model.ncodes];
	char *addresses = strchr(text, ':');

	if (!addresses || model.ncodes == MAX_CODES)
		return false;
	*addresses++ = '\0';
	c->name = strdup(text);
	model.ncodes++;
	return c->name && sscanf(addresses, "%" SCNx64 "-%" SCNx64, &c->first, &c->end) == 2;
}

static bool read_option(char *text)
{
	char *value = strchr(text, '=');

	if (!value)
		return false;
	*value++ = '\0';
	if (!strcmp(text, "nodes"))
		return read_nodes(value);
	if (!strcmp(text, "distances"))
		return read_distances(value);
	if (!strcmp(text, "code"))
		return read_code(value);
	if (!strcmp(text, "report"))
		return (model.report_at = strtoull(value, NULL, 16)) != 0;
	if (!strcmp(text, "out"))
		return (model.out = fopen(value, "w")) != NULL;
	if (!strcmp(text, "unit"))
		return (model.unit_ns = atoll(value)) > 0;
	if (!strcmp(text, "memory"))
		return (model.memory_ns = atoll(value)) >= 0;
	if (!strcmp(text, "link"))
		return (model.link_ns = atoll(value)) >= 0;
	if (!strcmp(text, "directory"))
		return (model.directory = atoi(value) == 1);
	if (!strcmp(text, "step"))
		return (model.step = strtoull(value, NULL, 10)) != 0;
	if (!strcmp(text, "cache"))
		return (model.cache_lines = (uint32_t)(atoi(value) * 1024 / LINE_BYTES)) != 0;
	return false;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(
	qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	size_t bytes;

	(void)info;
	for (int i = 0; i < argc; i++)
		if (!read_option(argv[i])) {
			fprintf(stderr, "distance: bad option '%s'\n", argv[i]);
			return -1;
		}
	if (!model.ncodes)
		model.codes[model.ncodes++] = (struct code){"user", 0, (uint64_t)1 << 63, {{{0}}}};
	if (!model.out)
		model.out = stderr;
	/* Most lines are never accessed; they then take no memory. */
	bytes = model.first_line[model.nnodes] * sizeof(*model.lines);
	model.lines = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (model.lines == MAP_FAILED)
		return -1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	qemu_plugin_register_atexit_cb(id, on_end, NULL);
	return 0;
}
