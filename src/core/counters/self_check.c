/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does some of each kind of work that events count. */
#include "counters/self_check.h"

#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Far more than the caches of a core. */
#define WALK_BYTES (16u << 20)
#define LINE_BYTES 64u

/* More than a second-level TLB holds (2048 entries on Zen 3). */
#define WALK_PAGES 4096u

/* Load and store touch different lines, so that neither waits for the other. */
void counters_check_loop(void)
{
	_Alignas(64) static _Thread_local uint64_t memory[16];
	uint64_t rounds = COUNTERS_CHECK_ROUNDS, loaded, sum = 0;
	double x = 0, y = 1;

#if defined(__x86_64__)
	__asm__ volatile(
		"1:\n\t"
		"mov (%[from]), %[loaded]\n\t"
		"mov %[sum], 64(%[from])\n\t"
		"addsd %[y], %[x]\n\t"
		"add $3, %[sum]\n\t"
		"sub $1, %[rounds]\n\t"
		"jnz 1b"
		: [loaded] "=&r"(loaded), [sum] "+r"(sum), [x] "+x"(x), [rounds] "+r"(rounds)
		: [from] "r"(memory), [y] "x"(y)
		: "memory", "cc");
#elif defined(__aarch64__)
	__asm__ volatile(
		"1:\n\t"
		"ldr %[loaded], [%[from]]\n\t"
		"str %[sum], [%[from], #64]\n\t"
		"fadd %d[x], %d[x], %d[y]\n\t"
		"add %[sum], %[sum], #3\n\t"
		"subs %[rounds], %[rounds], #1\n\t"
		"b.ne 1b"
		: [loaded] "=&r"(loaded), [sum] "+r"(sum), [x] "+w"(x), [rounds] "+r"(rounds)
		: [from] "r"(memory), [y] "w"(y)
		: "memory", "cc");
#else
	while (rounds--) {
		loaded = ((volatile uint64_t *)memory)[0];
		((volatile uint64_t *)memory)[8] = sum += 3;
		x += y;
	}
#endif
	(void)loaded;
}

bool counters_check_exact(void)
{
#if defined(__x86_64__) || defined(__aarch64__)
	return true;
#else
	return false;
#endif
}

static void walk_lines(void)
{
	char *p =
		mmap(NULL, WALK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return;
	madvise(p, WALK_BYTES, MADV_NOHUGEPAGE);
	for (int turn = 0; turn < 2; turn++)
		for (size_t i = 0; i < WALK_BYTES; i += LINE_BYTES)
			((volatile char *)p)[i]++;
	munmap(p, WALK_BYTES);
}

/* Pages that are only read are the kernel's page of zeros, however large they are. */
static void walk_pages(size_t page)
{
	const size_t bytes = WALK_PAGES * page;
	char *p = mmap(NULL, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p == MAP_FAILED)
		return;
	madvise(p, bytes, MADV_NOHUGEPAGE);
	for (int turn = 0; turn < 2; turn++)
		for (size_t i = 0; i < bytes; i += page)
			(void)((volatile char *)p)[i];
	munmap(p, bytes);
}

/* Moves to another CPU, then allows all CPUs again. */
static bool move_between_cpus(void)
{
	cpu_set_t all, other;
	int here = sched_getcpu();

	if (here < 0 || sched_getaffinity(0, sizeof(all), &all) || CPU_COUNT(&all) < 2)
		return false;
	other = all;
	CPU_CLR(here, &other);
	if (sched_setaffinity(0, sizeof(other), &other))
		return false;
	bool moved = sched_getcpu() != here;
	sched_setaffinity(0, sizeof(all), &all);
	return moved;
}

bool counters_check_walk(void)
{
	const struct timespec moment = {.tv_nsec = 100000};
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);

	walk_lines();
	if (page > WALK_BYTES / WALK_PAGES)
		walk_pages(page);
	nanosleep(&moment, NULL);
	return move_between_cpus();
}
