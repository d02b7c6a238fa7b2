/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Has this build the loops that the jobs may take? */
#include "input/registry.h"
#include "plan/parts.h"

/* A job in a loop that the compiler spoiled would have the figures of another loop. */
static int check_loop(const struct plan *p, const struct plan_op *op, int thread, struct errors *e)
{
	const struct worker w = plan_worker(p, op, thread);
	const struct plan_job *job = &op->jobs[thread];
	const struct loop_verdict *v = registry_loop(job->kernel, &w);

	if (v->state != LOOP_ANOTHER || p->request->spoiled_loops)
		return 0;
	error_add(e, STATUS_FAILED, p->request->ops.at,
		"kernels: '%s' was built with another loop than it claims: %s: %s", job->name,
		v->loop, v->what);
	return error_hint(e,
		"build with another compiler or other flags%s; spoiledLoops: yes measures that "
		"loop",
		job->kernel->takes_loop ? ", or take other parameters" : "");
}

int plan_loops(const struct plan *p, struct errors *e)
{
	int failed = 0;

	for (int o = 0; o < p->nops; o++)
		for (int i = 0; i < p->nthreads; i++)
			failed |= check_loop(p, &p->ops[o], i, e);
	return failed;
}
