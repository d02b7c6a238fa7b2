/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of threads and their seats. */
#include "sitters.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* An entry: bit 57 is set, then 22 bits of the process, 22 of the thread (PID_MAX_LIMIT of Linux is
 * 2^22), 13 of the seat (MAP_SHARE_CPUS is 2^13). An entry is one word, so that a process that
 * frees it frees exactly the seat that it has read. */
#define ID_BITS   22
#define SEAT_BITS 13
#define USED      (UINT64_C(1) << (2 * ID_BITS + SEAT_BITS))

static uint64_t pack(int process, int thread, int seat)
{
	return USED | (uint64_t)process << (ID_BITS + SEAT_BITS) | (uint64_t)thread << SEAT_BITS |
	       (uint64_t)seat;
}

static int process_of(uint64_t entry)
{
	return (int)(entry >> (ID_BITS + SEAT_BITS) & ((1 << ID_BITS) - 1));
}

static int thread_of(uint64_t entry)
{
	return (int)(entry >> SEAT_BITS & ((1 << ID_BITS) - 1));
}

static int seat_of(uint64_t entry)
{
	return (int)(entry & ((1 << SEAT_BITS) - 1));
}

/* Two processes may free the same entry; the first of them frees the seat. */
static void free_entry(struct map_share *s, int i, uint64_t entry)
{
	if (!atomic_compare_exchange_strong(&s->sitters[i], &entry, 0))
		return;
	atomic_fetch_sub(&s->seats[seat_of(entry)].taken, 1);
	atomic_fetch_sub(&s->now, 1);
}

/* A zombie counts as dead, but kill() still finds it. This function uses system calls because the
 * program may have replaced poll() and close(). */
static bool is_dead(int process)
{
	int fd = (int)syscall(SYS_pidfd_open, process, 0);
	struct pollfd ended = {fd, POLLIN, 0};
	const struct timespec now = {0, 0};

	if (fd < 0)
		return syscall(SYS_kill, process, 0) && errno == ESRCH;
	bool dead = syscall(SYS_ppoll, &ended, 1, &now, NULL, 0) == 1;
	syscall(SYS_close, fd);
	return dead;
}

static void remove_dead(struct map_share *s, int own)
{
	int used = atomic_load(&s->used), last = own;
	bool dead = false;

	for (int i = 0; i < used; i++) {
		uint64_t entry = atomic_load(&s->sitters[i]);
		int process = process_of(entry);

		if (!entry || process == own)
			continue;
		if (process != last)
			dead = is_dead(process);
		last = process;
		if (dead)
			free_entry(s, i, entry);
	}
}

static int emptiest(const struct map_share *s)
{
	int best = 0;

	for (int i = 1; i < s->nseats; i++)
		if (atomic_load(&s->seats[i].taken) < atomic_load(&s->seats[best].taken))
			best = i;
	return best;
}

/* When two threads choose the same seat at the same time, the second one chooses again. */
static int take_seat(struct map_share *s)
{
	for (;;) {
		int seat = emptiest(s), taken = atomic_load(&s->seats[seat].taken);

		if (atomic_compare_exchange_strong(&s->seats[seat].taken, &taken, taken + 1))
			return seat;
	}
}

static bool write_entry(struct map_share *s, uint64_t entry)
{
	for (int i = 0; i < MAP_SHARE_SITTERS; i++) {
		uint64_t free = 0;
		int used = atomic_load(&s->used);

		if (!atomic_compare_exchange_strong(&s->sitters[i], &free, entry))
			continue;
		while (used <= i && !atomic_compare_exchange_weak(&s->used, &used, i + 1))
			;
		return true;
	}
	return false;
}

static void count(struct map_share *s)
{
	int now = atomic_fetch_add(&s->now, 1) + 1, most = atomic_load(&s->most);

	while (now > most && !atomic_compare_exchange_weak(&s->most, &most, now))
		;
}

int sitter_add(struct map_share *s, int process, int thread)
{
	int error = errno;

	remove_dead(s, process);
	int seat = take_seat(s);
	atomic_fetch_add(&s->threads, 1);
	count(s);
	if (!write_entry(s, pack(process, thread, seat))) {
		atomic_fetch_sub(&s->seats[seat].taken, 1);
		atomic_fetch_sub(&s->now, 1);
	}
	errno = error;
	return seat;
}

int sitter_find(struct map_share *s, int process, int thread)
{
	int used = atomic_load(&s->used);

	for (int i = 0; i < used; i++) {
		uint64_t entry = atomic_load(&s->sitters[i]);

		if (entry && process_of(entry) == process && thread_of(entry) == thread)
			return seat_of(entry);
	}
	return -1;
}

void sitter_remove(struct map_share *s, int process, int thread)
{
	int used = atomic_load(&s->used);

	for (int i = 0; i < used; i++) {
		uint64_t entry = atomic_load(&s->sitters[i]);

		if (entry && process_of(entry) == process && thread_of(entry) == thread)
			free_entry(s, i, entry);
	}
}

void sitter_remove_process(struct map_share *s, int process, int but)
{
	int used = atomic_load(&s->used);

	for (int i = 0; i < used; i++) {
		uint64_t entry = atomic_load(&s->sitters[i]);

		if (entry && process_of(entry) == process && thread_of(entry) != but)
			free_entry(s, i, entry);
	}
}
