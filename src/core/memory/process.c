/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads numa_maps and smaps side by side: both have a process's mappings in the same order. */
#include "memory/process.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/proc.h"

#define WORD_BITS (8 * sizeof(unsigned long))

struct mapping {
	uint64_t start;
	uint64_t all, far; /* bytes */
	bool pool;         /* of huge pages */
};

/* "7f0000000000 prefer:1 anon=512 dirty=512 N0=128 N1=384 kernelpagesize_kB=4". false: a file backs
 * it, or it is no such line. */
static bool read_mapping(char *line, int own, struct mapping *m)
{
	uint64_t pages = 0, far = 0, count, kib = 0;
	char *rest, *word = strtok_r(line, " \n", &rest);
	bool file = !word;

	*m = (struct mapping){0};
	m->start = word ? strtoull(word, NULL, 16) : 0;
	while ((word = strtok_r(NULL, " \n", &rest))) {
		int node;

		file |= !strncmp(word, "file=", 5);
		m->pool |= !strcmp(word, "huge");
		if (sscanf(word, "N%d=%" SCNu64, &node, &count) == 2) {
			pages += count;
			far += node == own ? 0 : count;
		}
		sscanf(word, "kernelpagesize_kB=%" SCNu64, &kib);
	}
	m->all = pages * kib * 1024;
	m->far = far * kib * 1024;
	return !file;
}

struct smaps {
	FILE *in;
	uint64_t at; /* start of the mapping whose lines are read */
};

/* The bytes in transparent huge pages of the mapping that begins at `start`. The next one begins
 * above it; mappings may have come and gone between the two files. */
static uint64_t huge_of(struct smaps *s, uint64_t start)
{
	char line[512];
	uint64_t from, to, kib, huge = 0;

	while (s->at <= start && fgets(line, sizeof(line), s->in)) {
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " ", &from, &to) == 2)
			s->at = from;
		else if (s->at == start && sscanf(line, "AnonHugePages: %" SCNu64, &kib) == 1)
			huge = kib * 1024;
	}
	return huge;
}

void process_pages_read(FILE *numa_maps, FILE *smaps, int own, struct process_pages *sum)
{
	char *line = NULL;
	size_t room = 0;
	struct mapping m;
	struct smaps huge = {smaps, 0};

	while (getline(&line, &room, numa_maps) >= 0) {
		if (!read_mapping(line, own, &m))
			continue;
		sum->all += m.all;
		sum->far += m.far;
		uint64_t bytes = huge_of(&huge, m.start), near = m.all - m.far;
		sum->huge += m.pool ? m.all : bytes;
		sum->far_huge += bytes < m.far ? bytes : m.far;
		sum->far_huge_least += bytes > near ? bytes - near : 0;
	}
	free(line);
}

int process_pages_add(pid_t process, int own, struct process_pages *sum)
{
	FILE *numa_maps = proc_open(process, "numa_maps"), *smaps = proc_open(process, "smaps");
	int failed = !numa_maps || !smaps;

	if (!failed)
		process_pages_read(numa_maps, smaps, own, sum);
	if (numa_maps)
		fclose(numa_maps);
	if (smaps)
		fclose(smaps);
	return failed ? -1 : 0;
}

/* The same of one line of numa_maps; the size of its pages comes last. */
static void add_nodes(char *line, uint64_t *on)
{
	const char *size = strstr(line, "kernelpagesize_kB=");
	const uint64_t page = size ? strtoull(strchr(size, '=') + 1, NULL, 10) * 1024 : 0;
	char *rest, *word = strtok_r(line, " \n", &rest);
	uint64_t count;
	size_t node;

	while ((word = strtok_r(NULL, " \n", &rest))) {
		if (!strncmp(word, "file=", 5))
			return;
		if (sscanf(word, "N%zu=%" SCNu64, &node, &count) == 2 && node < LINUX_NODES)
			on[node] += count * page;
	}
}

int process_nodes_add(pid_t process, uint64_t *on)
{
	FILE *numa_maps = proc_open(process, "numa_maps");
	char *line = NULL;
	size_t room = 0;

	if (!numa_maps)
		return -1;
	while (getline(&line, &room, numa_maps) >= 0)
		add_nodes(line, on);
	free(line);
	fclose(numa_maps);
	return 0;
}

int process_bring_back(pid_t process, const bool nodes[LINUX_NODES], int own)
{
	unsigned long from[LINUX_NODES / WORD_BITS] = {0}, to[LINUX_NODES / WORD_BITS] = {0};

	for (size_t i = 0; i < LINUX_NODES; i++)
		if (nodes[i])
			*((int)i == own ? &to[i / WORD_BITS] : &from[i / WORD_BITS]) |=
				1UL << i % WORD_BITS;
	/* the kernel reads one bit less than the argument says */
	return syscall(SYS_migrate_pages, process, LINUX_NODES + 1, from, to) < 0 ? -1 : 0;
}
