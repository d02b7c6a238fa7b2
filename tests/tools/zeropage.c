/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * usage: zeropage
 *
 * Tests whether this kernel maps its page of zeros where memory is only read. Exit status 0: it
 * does, so that such memory has no page of its own; 1: each page that is read gets memory of its
 * own, as if it were written.
 */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BYTES (1u << 20)

/* Memory, in KiB, that has pages of its own in the mapping that begins at base. */
static long resident_kib(const void *base)
{
	FILE *smaps = fopen("/proc/self/smaps", "r");
	char line[512], begin[32];
	long kib = -1;
	int inside = 0;

	if (!smaps)
		return -1;
	snprintf(begin, sizeof(begin), "%lx-", (unsigned long)base);
	while (kib < 0 && fgets(line, sizeof(line), smaps)) {
		inside |= !strncmp(line, begin, strlen(begin));
		if (inside && sscanf(line, "Rss: %ld kB", &kib) == 1)
			break;
	}
	fclose(smaps);
	return kib;
}

int main(void)
{
	/* a protection that differs from the neighbours' makes it a mapping of its own */
	char *base = mmap(NULL, 3 * BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (base == MAP_FAILED || mprotect(base + BYTES, BYTES, PROT_READ | PROT_WRITE))
		return 2;
	for (size_t i = 0; i < BYTES; i += (size_t)sysconf(_SC_PAGESIZE))
		(void)*(volatile char *)(base + BYTES + i);
	return resident_kib(base + BYTES) > 0;
}
