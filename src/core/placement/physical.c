/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the frames of vectors. */
#include "placement/physical.h"

#include <errno.h>
#include <string.h>

static void explain_addresses(int why, struct errors *e)
{
	error_warn(e, "physicalRanges: the frames of pages cannot be read: %s",
		why == EPERM ? "the kernel hides them from this process" : strerror(why));
	error_hint(e, "run affinity as root, or give it CAP_SYS_ADMIN");
}

void physical_find(
	struct physical *f, const struct plan *p, const struct mem *mems, struct errors *e)
{
	physical_free(f);
	for (int i = 0; p->request->physical_ranges && i < p->nvectors && !f->error; i++)
		if (frames_add(&f->frames, mems[i].base, p->vectors[i].bytes)) {
			const int why = errno;

			physical_free(f);
			f->error = why;
			explain_addresses(why, e);
		}
}

void physical_free(struct physical *f)
{
	frames_free(&f->frames);
	f->error = 0;
}
