/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of threads and their seats. */
#include "sitters.h"

#include <errno.h>
#include <limits.h>
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

/* What the start of a thread does for seats of dead processes costs the same however many there
 * are: three system calls for each that is asked for, 2 microseconds. */
enum { LOOKS = 64, ASKS = 2 };

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

static bool belongs_to(uint64_t entry, int process, int thread)
{
	return (entry & USED) && process_of(entry) == process && thread_of(entry) == thread;
}

/* Freed entries are a list: each has the number of the next one, counted from 1, 0 at its end. So
 * has the head, and above it how often the head has changed: who read it before an entry was taken
 * and freed again must read again. A process that is killed in here may lose its entry to all. */
static uint64_t head_of(uint64_t before, uint64_t number)
{
	return ((before >> 32) + 1) << 32 | number;
}

static int take_freed(struct map_share *s)
{
	uint64_t head = atomic_load(&s->freed);

	while ((uint32_t)head) {
		int i = (int)(uint32_t)head - 1;
		uint64_t next = atomic_load(&s->sitters[i]) & UINT32_MAX;

		if (atomic_compare_exchange_weak(&s->freed, &head, head_of(head, next)))
			return i;
	}
	return -1;
}

/* Returns an entry that no one else has, or -1. */
static int take_entry(struct map_share *s)
{
	int i = take_freed(s), used = atomic_load(&s->used);

	if (i >= 0)
		return i;
	while (used < MAP_SHARE_SITTERS)
		if (atomic_compare_exchange_weak(&s->used, &used, used + 1))
			return used;
	return -1;
}

/* Two processes may free the same entry; the first of them frees the seat. */
static void free_entry(struct map_share *s, int i, uint64_t entry)
{
	uint64_t head = atomic_load(&s->freed);

	if (!atomic_compare_exchange_strong(&s->sitters[i], &entry, 0))
		return;
	atomic_fetch_sub(&s->seats[seat_of(entry)].taken, 1);
	if (thread_of(entry))
		atomic_fetch_sub(&s->now, 1);
	do
		atomic_store(&s->sitters[i], head & UINT32_MAX);
	while (!atomic_compare_exchange_weak(&s->freed, &head, head_of(head, (uint64_t)i + 1)));
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

/* Looks at so many entries, and asks for so many processes; the next call, in any process, goes on
 * behind them. Who looks at all of them leaves out none, whoever else looks. */
static void remove_dead(struct map_share *s, int own, int looks, int asks)
{
	int used = atomic_load(&s->used), last = own;
	bool dead = false;

	for (int n = 0; n < used && n < looks && asks > 0; n++) {
		int i = looks < INT_MAX ? (int)(atomic_fetch_add(&s->looked, 1) % (unsigned)used)
					: n;
		uint64_t entry = atomic_load(&s->sitters[i]);
		int process = process_of(entry);

		if (!(entry & USED) || process == own)
			continue;
		if (process != last) {
			dead = is_dead(process);
			asks--;
		}
		last = process;
		if (dead)
			free_entry(s, i, entry);
	}
}

void sitter_remove_dead(struct map_share *s, int own)
{
	int error = errno;

	remove_dead(s, own, INT_MAX, INT_MAX);
	errno = error;
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

static void count_sitters(struct map_share *s)
{
	int now = atomic_fetch_add(&s->now, 1) + 1, most = atomic_load(&s->most);

	while (now > most && !atomic_compare_exchange_weak(&s->most, &most, now))
		;
}

int sitter_add(struct map_share *s, int process, int *seat)
{
	int error = errno, entry;

	remove_dead(s, process, LOOKS, ASKS);
	*seat = take_seat(s);
	entry = take_entry(s);
	if (entry >= 0)
		atomic_store(&s->sitters[entry], pack(process, 0, *seat));
	else
		atomic_fetch_sub(&s->seats[*seat].taken, 1);
	errno = error;
	return entry;
}

void sitter_begin(struct map_share *s, int entry, int process, int thread)
{
	atomic_fetch_add(&s->threads, 1);
	count_sitters(s);
	/* the end of the process may have freed it meanwhile, and another one taken it */
	uint64_t own = entry < 0 ? 0 : atomic_load(&s->sitters[entry]);

	if (!belongs_to(own, process, 0) || !atomic_compare_exchange_strong(&s->sitters[entry],
						    &own, pack(process, thread, seat_of(own))))
		atomic_fetch_sub(&s->now, 1);
}

int sitter_find(struct map_share *s, int process, int thread)
{
	int used = atomic_load(&s->used);

	for (int i = 0; i < used; i++) {
		uint64_t entry = atomic_load(&s->sitters[i]);

		if (belongs_to(entry, process, thread))
			return seat_of(entry);
	}
	return -1;
}

void sitter_remove(struct map_share *s, int i, int process, int thread)
{
	uint64_t entry = i < 0 ? 0 : atomic_load(&s->sitters[i]);

	if (belongs_to(entry, process, thread))
		free_entry(s, i, entry);
}

void sitter_remove_process(struct map_share *s, int process, int but)
{
	int used = atomic_load(&s->used);

	for (int i = 0; i < used; i++) {
		uint64_t entry = atomic_load(&s->sitters[i]);

		if ((entry & USED) && process_of(entry) == process && thread_of(entry) != but)
			free_entry(s, i, entry);
	}
}
