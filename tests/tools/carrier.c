/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * usage: carrier PID FROM TO
 *
 * Plays migratepages: has the kernel move all pages that a process has on node FROM to node TO, and
 * then those on TO to FROM. Exit status 0: it did both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NODES 64

static int carry(int pid, int from, int to)
{
	unsigned long old = 1ul << from, new = 1ul << to;

	if (!syscall(SYS_migrate_pages, pid, NODES + 1, &old, &new))
		return 0;
	perror("carrier: migrate_pages");
	return 1;
}

int main(int argc, char **argv)
{
	if (argc != 4) {
		fprintf(stderr, "usage: carrier PID FROM TO\n");
		return 2;
	}
	int pid = atoi(argv[1]), from = atoi(argv[2]), to = atoi(argv[3]);

	return carry(pid, from, to) || carry(pid, to, from);
}
