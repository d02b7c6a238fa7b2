/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens files for mappings, and asks for and drops their pages. */
#include "memory/backing.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/alloc.h"
#include "memory/mem.h"

/* Linux 6.5; headers may be older. */
#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif

#ifndef OVERLAYFS_SUPER_MAGIC
#define OVERLAYFS_SUPER_MAGIC 0x794c7630
#endif

bool backing_is_file(const struct mem_backed *b)
{
	return b->kind >= BACKING_FOLDER;
}

bool backing_in_memory(const struct mem_backed *b)
{
	struct statfs fs;

	return !statfs(b->path, &fs) &&
	       (fs.f_type == TMPFS_MAGIC || (unsigned)fs.f_type == RAMFS_MAGIC);
}

/* A file that grows beyond this limit ends the process by a signal. */
static bool within_limit(size_t bytes)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY ||
	       bytes <= limit.rlim_cur;
}

/* Some file systems cannot take room before it is written. */
static int take_room(int file, size_t bytes)
{
	struct statvfs fs;

	if (!fallocate(file, 0, 0, (off_t)bytes))
		return 0;
	if (errno != EOPNOTSUPP || fstatvfs(file, &fs))
		return -1;
	errno = ENOSPC;
	/* a file system in memory may have no size */
	return !fs.f_blocks || bytes / fs.f_frsize < fs.f_bavail ? ftruncate(file, (off_t)bytes)
								 : -1;
}

/* Where a file system has no files without a name, the name lives for a moment. */
static int open_in_folder(const char *folder)
{
	int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
		return file;
	char *name = alloc_format("%s/.affinity-XXXXXX", folder);

	file = mkostemp(name, O_CLOEXEC);
	if (file >= 0)
		unlink(name);
	free(name);
	return file;
}

static int open_new(const struct mem_backed *b, size_t bytes)
{
	errno = EFBIG;
	if (!within_limit(bytes))
		return -1;
	const int file = b->kind == BACKING_MEMFD ? memfd_create("affinity", MFD_CLOEXEC)
						  : open_in_folder(b->path);
	const bool memory = b->kind == BACKING_MEMFD;

	if (file < 0 || !(memory ? ftruncate(file, (off_t)bytes) : take_room(file, bytes)))
		return file;
	const int error = errno;

	close(file);
	errno = error;
	return -1;
}

int backing_open(const struct mem_backed *b, size_t bytes)
{
	struct stat is;

	if (b->kind != BACKING_FILE)
		return open_new(b, bytes);
	const int file = open(b->path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (file < 0 || (!fstat(file, &is) && S_ISREG(is.st_mode) &&
				(uint64_t)is.st_size + mem_base_page() > bytes))
		return file;
	close(file);
	errno = EFBIG;
	return -1;
}

/* mincore() says "all" to who neither owns the file nor may write to it. */
static bool may_ask_mincore(int file)
{
	struct stat is;

	return !fstat(file, &is) && is.st_uid == geteuid();
}

static int ask_mincore(const struct mem *m, size_t *pages)
{
	const size_t n = m->bytes / mem_base_page();
	unsigned char *in = alloc_zeroed(n, 1);
	const int failed = mincore(m->base, m->bytes, in);

	*pages = 0;
	for (size_t i = 0; i < n; i++)
		*pages += in[i] & 1;
	free(in);
	return failed;
}

/* An overlay's file has no pages of its own: they are those of the file below. */
static int ask_cachestat(const struct mem *m, size_t *pages)
{
	const struct {
		uint64_t from, bytes;
	} range = {0, m->bytes};
	struct {
		uint64_t cached, dirty, writeback, evicted, recently_evicted;
	} counts;
	struct statfs fs;

	if (fstatfs(m->file, &fs) || fs.f_type == OVERLAYFS_SUPER_MAGIC ||
		syscall(SYS_cachestat, m->file, &range, &counts, 0))
		return -1;
	*pages = counts.cached;
	return 0;
}

struct backing_resident backing_resident(const struct mem *m)
{
	struct backing_resident r = {0, NULL};

	if (!ask_cachestat(m, &r.pages))
		r.shown_by = "cachestat";
	else if (may_ask_mincore(m->file) && !ask_mincore(m, &r.pages))
		r.shown_by = "mincore";
	return r;
}

/* No folio of the page cache is larger, or reaches over a multiple of it. */
#define FOLIO_MOST ((size_t)2 << 20)

/* posix_fadvise() drops neither dirty nor mapped pages, and says so in no way. */
int backing_drop(const struct mem *m)
{
	if (m->backed.kind == BACKING_FOLDER && fsync(m->file))
		return -1;
	if (madvise(m->base, m->bytes, MADV_DONTNEED))
		return -1;
	const size_t all = (m->bytes + FOLIO_MOST - 1) / FOLIO_MOST * FOLIO_MOST;

	errno = posix_fadvise(m->file, 0, (off_t)all, POSIX_FADV_DONTNEED);
	return errno ? -1 : 0;
}
