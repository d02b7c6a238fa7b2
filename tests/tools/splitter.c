/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * usage: splitter PID BYTES
 *
 * Imitates memory pressure: waits until a mapping of the process has BYTES in transparent huge
 * pages, gives the process half a second to begin measuring, and makes the kernel split the pages.
 * Exit status 0: they are split; 1: there were none, or this kernel does not split them on demand.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define HUGE     (2ul << 20)
#define PAUSE_US 20000
#define LOOKS    500

/* Finds the mapping with the most huge pages; returns how many of its bytes are in huge pages. */
static unsigned long most_huge(const char *pid, unsigned long *begin, unsigned long *end)
{
	unsigned long from = 0, to = 0, a, b, kib, most = 0;
	char path[64], line[512];

	snprintf(path, sizeof(path), "/proc/%s/smaps", pid);
	FILE *smaps = fopen(path, "r");

	while (smaps && fgets(line, sizeof(line), smaps)) {
		if (sscanf(line, "%lx-%lx ", &a, &b) == 2) {
			from = a;
			to = b;
			continue;
		}
		if (sscanf(line, "AnonHugePages: %lu kB", &kib) == 1 && kib * 1024 > most) {
			most = kib * 1024;
			*begin = from;
			*end = to;
		}
	}
	if (smaps)
		fclose(smaps);
	return most;
}

int main(int argc, char **argv)
{
	unsigned long begin = 0, end = 0, wanted;

	if (argc != 3) {
		fprintf(stderr, "usage: splitter PID BYTES\n");
		return 2;
	}
	wanted = strtoul(argv[2], NULL, 10);
	for (int i = 0; i < LOOKS && most_huge(argv[1], &begin, &end) < wanted; i++)
		usleep(PAUSE_US);
	usleep(500000);
	const unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE);
	int pid = (int)syscall(SYS_pidfd_open, atoi(argv[1]), 0);

	/* marks a part of a huge page as cold: the kernel must split the page for that, as only
	 * small pages can be cold */
	for (unsigned long at = begin; pid >= 0 && at < end; at += HUGE) {
		struct iovec part = {(char *)at + page, page};

		syscall(SYS_process_madvise, pid, &part, 1, MADV_COLD, 0);
	}
	return kill(atoi(argv[1]), 0) || most_huge(argv[1], &begin, &end) >= wanted;
}
