/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * usage: stray PID KIB NODE
 *
 * Plays a kernel that moves memory: moves the first page of every mapping of KIB of a process to
 * NODE. Exit status 1 when nothing was moved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MPOL_MF_MOVE 2

static int move_page(int pid, void *page, int node)
{
	int status = -1;
	long failed = syscall(SYS_move_pages, pid, 1L, &page, &node, &status, MPOL_MF_MOVE);

	return !failed && status == node;
}

int main(int argc, char **argv)
{
	char path[64], line[512];
	unsigned long from, to;
	int moved = 0;

	if (argc < 4) {
		fprintf(stderr, "usage: stray PID KIB NODE\n");
		return 2;
	}
	snprintf(path, sizeof(path), "/proc/%d/maps", atoi(argv[1]));
	FILE *f = fopen(path, "r");

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx rw-p", &from, &to) == 2 &&
			to - from == 1024 * strtoul(argv[2], NULL, 10))
			moved += move_page(atoi(argv[1]), (void *)from, atoi(argv[3]));
	if (f)
		fclose(f);
	return moved ? 0 : 1;
}
