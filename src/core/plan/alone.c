/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One thread of a plan alone. */
#include "plan/alone.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "plan/memory.h"

void plan_alone(const struct plan *p, int k, struct plan *view)
{
	struct plan_job *jobs = alloc_zeroed((size_t)p->nops + 1, sizeof(*jobs));

	*view = *p;
	view->nthreads = 1;
	view->threads = &p->threads[k];
	view->ops = alloc_zeroed((size_t)p->nops + 1, sizeof(*view->ops));
	view->ops[0].jobs = jobs; /* to be freed, also where a wrong file has no operation */
	for (int i = 0; i < p->nops; i++) {
		jobs[i] = p->ops[i].jobs[k];
		view->ops[i] = (struct plan_op){p->ops[i].label, &jobs[i]};
		plan_memory_judge(view, &view->ops[i]);
	}
}

void plan_alone_free(struct plan *view)
{
	free(view->ops[0].jobs); /* those of all operations */
	free(view->ops);
}
