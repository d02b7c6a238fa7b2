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

/* A path as numa_maps has it, in which \040 stands for a blank; in place. */
static char *unescape(char *path)
{
	char *to = path;

	for (const char *from = path; *from; to++)
		if (*from == '\\' && strspn(from + 1, "01234567") >= 3) {
			*to = (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + (from[3] - '0'));
			from += 4;
		} else {
			*to = *from++;
		}
	*to = '\0';
	return path;
}

/* "7f0000000000 prefer:1 anon=512 dirty=512 N0=128 N1=384 kernelpagesize_kB=4"; a policy may be of
 * two words, "prefer (many):10", "weighted interleave:0-1". */
static void read_mapping(char *line, struct process_mapping *m)
{
	uint64_t kib = 0, count;
	char *rest, *word = strtok_r(line, " \n", &rest), *policy = strtok_r(NULL, " \n", &rest);
	size_t node;

	*m = (struct process_mapping){.start = word ? strtoull(word, NULL, 16) : 0};
	snprintf(m->policy, sizeof(m->policy), "%s", policy ? policy : "");
	while ((word = strtok_r(NULL, " \n", &rest))) {
		const size_t length = strlen(m->policy);

		/* the second word of a policy's name */
		if (*word == '(' || !strncmp(word, "interleave", 10))
			snprintf(m->policy + length, sizeof(m->policy) - length, " %s", word);
		if (!strncmp(word, "file=", 5))
			m->file = unescape(word + 5);
		m->pool |= !strcmp(word, "huge");
		if (sscanf(word, "N%zu=%" SCNu64, &node, &count) == 2 && node < LINUX_NODES)
			m->on[node] += count;
		sscanf(word, "kernelpagesize_kB=%" SCNu64, &kib);
	}
	for (size_t i = 0; i < LINUX_NODES; i++) {
		m->on[i] *= kib * 1024;
		m->all += m->on[i];
	}
}

void process_mappings_read(
	FILE *numa_maps, void (*each)(void *with, const struct process_mapping *m), void *with)
{
	char *line = NULL;
	size_t room = 0;
	struct process_mapping m;

	while (getline(&line, &room, numa_maps) >= 0) {
		read_mapping(line, &m);
		each(with, &m);
	}
	free(line);
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

struct adding {
	struct smaps huge;
	int own;
	struct process_pages *sum;
};

static void add_pages(void *with, const struct process_mapping *m)
{
	struct adding *a = with;
	struct process_pages *sum = a->sum;

	if (m->file)
		return;
	const uint64_t near = a->own >= 0 && a->own < LINUX_NODES ? m->on[a->own] : 0;
	const uint64_t far = m->all - near, bytes = huge_of(&a->huge, m->start);

	sum->all += m->all;
	sum->far += far;
	sum->huge += m->pool ? m->all : bytes;
	sum->far_huge += bytes < far ? bytes : far;
	sum->far_huge_least += bytes > near ? bytes - near : 0;
}

void process_pages_read(FILE *numa_maps, FILE *smaps, int own, struct process_pages *sum)
{
	process_mappings_read(numa_maps, add_pages, &(struct adding){{smaps, 0}, own, sum});
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

static void add_nodes(void *with, const struct process_mapping *m)
{
	uint64_t *on = with;

	for (size_t i = 0; !m->file && i < LINUX_NODES; i++)
		on[i] += m->on[i];
}

int process_nodes_add(pid_t process, uint64_t *on)
{
	FILE *numa_maps = proc_open(process, "numa_maps");

	if (!numa_maps)
		return -1;
	process_mappings_read(numa_maps, add_nodes, on);
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
