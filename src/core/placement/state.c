/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Brings lines into a state by accesses that lead to it, because a program can neither set nor read
 * the state itself. */
#include "placement/state.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "contract/flush.h"
#include "placement/backed.h"
#include "placement/team.h"

struct stage {
	const struct plan_step *step;
	char *base;
	size_t bytes;
	int thread; /* of the team: the thread that performs the step */
};

static void take_step(void *arg, int i)
{
	const struct stage *s = arg;
	size_t line = flush_line_bytes();

	if (i != s->thread)
		return;
	if (s->step->action == STEP_FLUSH) {
		flush_lines(s->base, s->bytes);
		return;
	}
	for (size_t at = 0; at < s->bytes; at += line) {
		volatile char *c = s->base + at;
		char value = *c;

		if (s->step->action == STEP_WRITE)
			*c = value;
	}
	flush_fence();
}

static int strayed(const struct plan *p, int cpu, struct errors *e)
{
	if (p->request->verify == VERIFY_WARN) {
		error_warn(e, "the state of lines is not known: no thread stays on CPU %d", cpu);
		return 0;
	}
	error_add(e, STATUS_PLACEMENT, NOWHERE,
		"the state of lines is not known: no thread stays on CPU %d", cpu);
	return error_hint(e, "some other program binds threads, or a sandbox ignores "
			     "sched_setaffinity; verify: warn measures anyway and adds a warning");
}

static int find_thread(const struct plan *p, int cpu)
{
	for (int i = 0; i < p->nthreads; i++)
		if (p->threads[i].cpu == cpu)
			return i;
	return -1;
}

/* OpenMP's idle threads spin on their CPU, so a second thread there would get only half of it. The
 * thread bound to the CPU therefore performs the step, in a team of the sample's size, so that the
 * runtime does not recreate threads. */
static int run_stage(const struct plan *p, struct stage *s, struct errors *e)
{
	int cpu = s->step->cpu, *cpus;

	s->thread = find_thread(p, cpu);
	if (s->thread < 0) {
		s->thread = 0;
		return team_run(p->topo, &cpu, 1, take_step, s, e);
	}
	cpus = alloc_zeroed((size_t)p->nthreads, sizeof(*cpus));
	for (int i = 0; i < p->nthreads; i++)
		cpus[i] = p->threads[i].cpu;
	int strays = team_run(p->topo, cpus, p->nthreads, take_step, s, e);
	free(cpus);
	return strays;
}

int state_set(const struct prepared *r, const struct plan *p, struct errors *e)
{
	if (backed_cool(r, p, e))
		return -1;
	for (int i = 0; i < p->nvectors; i++) {
		const struct plan_vector *v = &p->vectors[i];

		for (int k = 0; k < v->nsteps; k++) {
			struct stage s = {&v->steps[k], r->mems[i].base, v->bytes, 0};
			int strays = run_stage(p, &s, e);

			if (strays < 0 || (strays && strayed(p, v->steps[k].cpu, e)))
				return -1;
		}
	}
	return 0;
}
