/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A locked file of POSIX shared memory. */
#include "affinity-frag/record.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

int record_open(struct record *r, int node, struct errors *e)
{
	char text[32] = "";

	*r = (struct record){.fd = -1};
	snprintf(r->name, sizeof(r->name), "/affinity-frag-%u-node%d", (unsigned)getuid(), node);
	r->fd = shm_open(r->name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (r->fd < 0)
		return 0;
	if (flock(r->fd, LOCK_EX | LOCK_NB)) {
		close(r->fd);
		r->fd = -1;
		error_add(e, STATUS_FAILED, NOWHERE, "another affinity-frag is at work on node %d",
			node);
		return error_hint(e, "end it first: each would break what the other leaves");
	}
	if (pread(r->fd, text, sizeof(text) - 1, 0) > 0)
		r->found = strtoull(text, NULL, 10);
	return 0;
}

void record_note(struct record *r, uint64_t pages)
{
	if (r->fd >= 0 && !ftruncate(r->fd, 0))
		dprintf(r->fd, "%" PRIu64 "\n", pages);
}

void record_close(struct record *r, bool done)
{
	if (r->fd < 0)
		return;
	if (done)
		shm_unlink(r->name);
	close(r->fd);
	r->fd = -1;
}
