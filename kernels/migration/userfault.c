/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units whose pages are elsewhere. What is called in the handler of SIGBUS are system calls alone.
 */
#include "userfault.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <numaif.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fault_units.h"
#include "node_here.h"
#include "page_nodes.h"

#ifndef UFFD_USER_MODE_ONLY
#define UFFD_USER_MODE_ONLY 1
#endif
#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4
#endif

#define CHUNK 2048 /* addresses of a query */

struct userfault {
	struct fault_units units; /* first: open() gets its address */
	int file;
	char *reserved; /* addresses */
	size_t reserved_bytes;
	ptrdiff_t away;   /* from a page of the vector to where it is while the vector is armed */
	bool *cut;        /* [units + 1]: before this one another mapping may begin */
	int *node;        /* [units]: of the thread that touched it */
	atomic_bool torn; /* a mapping begins within a unit */
};

/* Handlers of faults in user space alone need no right from Linux 5.11 on. */
static int open_file(void)
{
	struct uffdio_api api = {.api = UFFD_API, .features = UFFD_FEATURE_SIGBUS};
	int file = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | UFFD_USER_MODE_ONLY);

	if (file < 0 && errno == EINVAL)
		file = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	if (file < 0 || !ioctl(file, UFFDIO_API, &api))
		return file;
	const int error = errno;

	close(file);
	errno = error;
	return -1;
}

static void *reserve(size_t bytes)
{
	return mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

/* What is mapped at `to` goes. The mapping at `from`, which must be one, stays without its pages:
 * no other thread can get its addresses. */
static int move_mapping(char *from, size_t bytes, char *to)
{
	const int flags = MREMAP_MAYMOVE | MREMAP_FIXED | MREMAP_DONTUNMAP;

	return mremap(from, bytes, bytes, flags, to) == MAP_FAILED ? -1 : 0;
}

static int moves_mappings(void)
{
	const size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	char *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *to = reserve(bytes);
	int failed = -1;

	if (page != MAP_FAILED && to != MAP_FAILED)
		failed = move_mapping(page, bytes, to);
	const int error = errno;

	if (page != MAP_FAILED)
		munmap(page, bytes);
	if (to != MAP_FAILED)
		munmap(to, bytes);
	errno = error;
	return failed;
}

const char *userfault_lacks(char *why, size_t n)
{
	const int file = open_file();

	if (file < 0 && errno == EPERM)
		snprintf(why, n,
			"userfaultfd is forbidden: by a container, whose seccomp profile must "
			"allow "
			"it, or before Linux 5.11: sudo sysctl vm.unprivileged_userfaultfd=1");
	else if (file < 0)
		snprintf(why, n,
			"this kernel has no userfaultfd that raises SIGBUS (Linux 4.14 has it): %s",
			strerror(errno));
	else if (moves_mappings())
		snprintf(why, n, "mremap with MREMAP_DONTUNMAP is refused (Linux 5.7 has it): %s",
			strerror(errno));
	else
		why = NULL;
	if (file >= 0)
		close(file);
	return why;
}

/* ---- in the handler */

/* Returns how many bytes from `at` on are there now. */
static size_t copy_pages(const struct userfault *u, char *at, size_t bytes)
{
	size_t copied = 0;

	while (copied < bytes) {
		struct uffdio_copy copy = {.dst = (uintptr_t)at + copied,
			.src = (uintptr_t)(at + u->away) + copied,
			.len = bytes - copied};

		if (ioctl(u->file, UFFDIO_COPY, &copy) && copy.copy <= 0 && errno != EAGAIN)
			break;
		copied += copy.copy > 0 ? (size_t)copy.copy : 0;
	}
	return copied;
}

/* Pages for which there is no memory come back as they are; other threads may have stored to those
 * before them. */
static bool open_unit(struct fault_units *units, size_t unit)
{
	struct userfault *u = (struct userfault *)units;
	char *from = fault_units_begin(units, unit);
	const size_t bytes = (size_t)(fault_units_end(units, unit) - from);

	u->node[unit] = node_now();
	const size_t copied = copy_pages(u, from, bytes);

	if (copied)
		madvise(from + u->away, copied, MADV_DONTNEED);
	if (copied == bytes)
		return true;
	atomic_store(&u->torn, true);
	return !move_mapping(from + u->away + copied, bytes - copied, from + copied);
}

/* ---- around a sample */

/* Pages are at the same place of a unit as before: tables of them, and huge ones, move whole. */
static int find_place(struct userfault *u)
{
	const size_t unit = u->units.unit;
	const uintptr_t base = (uintptr_t)u->units.pages->base;

	u->reserved_bytes = (u->units.n + 2) * unit;
	u->reserved = reserve(u->reserved_bytes);
	if (u->reserved == MAP_FAILED)
		return -1;
	const uintptr_t at = ((uintptr_t)u->reserved / unit + 1) * unit + base % unit;

	u->away = (ptrdiff_t)(at - base);
	return 0;
}

static bool prepare(struct userfault *u)
{
	if (fault_units_enter(&u->units) || find_place(u))
		return false;
	u->cut = calloc(u->units.n + 1, sizeof(*u->cut));
	u->node = calloc(u->units.n, sizeof(*u->node));
	u->file = open_file();
	return u->cut && u->node && u->file >= 0;
}

struct userfault *userfault_make(const struct moved_pages *pages)
{
	struct userfault *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->units.pages = pages;
	u->units.signal = SIGBUS;
	u->units.code = BUS_ADRERR;
	u->units.open = open_unit;
	u->file = -1;
	u->reserved = MAP_FAILED;
	if (prepare(u))
		return u;
	userfault_free(u);
	return NULL;
}

void userfault_free(struct userfault *u)
{
	if (!u)
		return;
	userfault_disarm(u);
	fault_units_leave(&u->units);
	if (u->reserved != MAP_FAILED)
		munmap(u->reserved, u->reserved_bytes);
	if (u->file >= 0)
		close(u->file);
	free(u->cut);
	free(u->node);
	free(u);
}

static struct uffdio_range range_of(const struct userfault *u)
{
	return (struct uffdio_range){(uintptr_t)u->units.pages->base, u->units.pages->bytes};
}

static char *begin_of(const struct userfault *u, size_t unit)
{
	return fault_units_begin(&u->units, unit);
}

/* Units from `first` on that are one mapping and, with `closed`, no thread has touched. Returns the
 * one behind. */
static size_t run_from(const struct userfault *u, size_t first, size_t n, bool closed)
{
	size_t end = first;

	while (end < n && (end == first || !u->cut[end]) && !(closed && u->units.taken[end]))
		end++;
	return end;
}

/* Brings back those of the first n units that no thread has touched. */
static int bring_rest(struct userfault *u, size_t n)
{
	int failed = 0;

	for (size_t first = 0, end; first<n; first = end> first ? end : first + 1) {
		end = run_from(u, first, n, true);
		if (end == first)
			continue;
		char *to = begin_of(u, first);

		failed |= move_mapping(
			to + u->away, (size_t)(fault_units_end(&u->units, end - 1) - to), to);
		u->cut[first] = u->cut[end] = true;
	}
	return failed;
}

static int take_all(struct userfault *u)
{
	const size_t n = u->units.n;

	for (size_t first = 0, end; first < n; first = end) {
		end = run_from(u, first, n, false);
		char *from = begin_of(u, first);

		if (!move_mapping(from, (size_t)(fault_units_end(&u->units, end - 1) - from),
			    from + u->away))
			continue;
		const int error = errno;

		bring_rest(u, first);
		errno = error;
		return -1;
	}
	return 0;
}

/* New pages are on the node of the thread that asks for them, whatever the policy of the process.
 * An access that comes before all is done waits in the kernel, or finds its page. */
int userfault_arm(struct userfault *u)
{
	const struct moved_pages *p = u->units.pages;
	struct uffdio_register all = {.range = range_of(u), .mode = UFFDIO_REGISTER_MODE_MISSING};

	errno = ENOMEM;
	if (atomic_load(&u->torn) || mbind(p->base, p->bytes, MPOL_PREFERRED, NULL, 0, 0))
		return -1;
	fault_units_arm(&u->units);
	if (!ioctl(u->file, UFFDIO_REGISTER, &all) && !take_all(u))
		return 0;
	atomic_store(&u->units.armed, false);
	return -1;
}

/* Are the pages where the thread was? */
static bool all_there(const struct userfault *u, size_t unit)
{
	const struct moved_pages *p = u->units.pages;
	char *from = begin_of(u, unit), *end = fault_units_end(&u->units, unit);
	void *pages[CHUNK];
	int status[CHUNK];

	while (from < end) {
		size_t n = 0;

		for (; n < CHUNK && from < end; from += p->page_bytes)
			pages[n++] = from;
		if (page_nodes(n, pages, status))
			return false;
		while (n)
			if (status[--n] != u->node[unit])
				return false;
	}
	return true;
}

static void count_units(struct userfault *u)
{
	for (size_t unit = 0; unit < u->units.n; unit++) {
		if (!u->units.taken[unit])
			continue;
		if (all_there(u, unit))
			u->units.touched++;
		else
			u->units.missed++;
	}
}

int userfault_disarm(struct userfault *u)
{
	if (!atomic_load(&u->units.armed))
		return 0;
	struct uffdio_range all = range_of(u);

	count_units(u);
	int failed = bring_rest(u, u->units.n);
	const int error = errno;

	if (ioctl(u->file, UFFDIO_UNREGISTER, &all) && !failed)
		failed = -1;
	else if (failed)
		errno = error;
	atomic_store(&u->units.armed, false);
	return failed;
}

uint64_t userfault_touched(const struct userfault *u)
{
	return u->units.touched;
}

uint64_t userfault_missed(const struct userfault *u)
{
	return u->units.missed;
}
