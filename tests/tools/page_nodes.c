/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Asks the kernel on which nodes pages of another process are.
 *
 *     page_nodes PID ADDRESS PAGES
 *
 * prints runs of pages on the same node, such as "nodes 0*100 1*56", -1: not in memory; and the
 * sums that /proc/PID/numa_maps has for the mappings of these pages, with their policies, such as
 * "numa_maps default N0=100 bind:1 N1=56".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static void *address;
static size_t pages, page;

static void print_nodes(int pid)
{
	void **list = calloc(pages, sizeof(*list));
	int *status = calloc(pages, sizeof(*status));

	for (size_t i = 0; i < pages; i++)
		list[i] = (char *)address + i * page;
	if (syscall(SYS_move_pages, pid, pages, list, NULL, status, 0)) {
		perror("move_pages");
		exit(1);
	}
	printf("nodes");
	for (size_t i = 0, n; i < pages; i += n) {
		for (n = 1; i + n < pages && status[i + n] == status[i];)
			n++;
		printf(" %d*%zu", status[i] < 0 ? -1 : status[i], n);
	}
	printf("\n");
	free(list);
	free(status);
}

/* "7f..000 bind:1 anon=56 dirty=56 N1=56 kernelpagesize_kB=4" */
static void print_line(char *line)
{
	char *start = strtok(line, " "), *word;
	size_t at = strtoull(start, NULL, 16);

	if (at < (size_t)address || at >= (size_t)address + pages * page)
		return;
	printf(" %s", strtok(NULL, " "));
	while ((word = strtok(NULL, " \n")))
		if (*word == 'N')
			printf(" %s", word);
}

int main(int argc, char **argv)
{
	char path[64], line[1024];

	if (argc != 4)
		return 2;
	page = (size_t)sysconf(_SC_PAGESIZE);
	address = (void *)strtoull(argv[2], NULL, 16);
	pages = (size_t)atol(argv[3]);
	print_nodes(atoi(argv[1]));
	snprintf(path, sizeof(path), "/proc/%s/numa_maps", argv[1]);
	FILE *f = fopen(path, "r");

	if (!f)
		return 1;
	printf("numa_maps");
	while (fgets(line, sizeof(line), f))
		print_line(line);
	printf("\n");
	return fclose(f);
}
