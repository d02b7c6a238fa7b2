/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks src/runtimes/rhp which node has how much. */
#include "placement/promise.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "memory/capacity.h"
#include "rhp/machine.h"

struct promising {
	const struct plan *plan;
	int vector;
	const struct plan_vector *v;
	struct rhp_machine machine;
	uint64_t free_bytes[RHP_NODES];
	int distances[RHP_NODES];
	struct rhp_node nodes[RHP_NODES];
	struct rhp_part parts[RHP_NODES + 1];
	struct errors *e;
};

static int refuse_promise(const struct promising *w, const char *what, int error)
{
	error_add(w->e, STATUS_PLACEMENT, w->plan->request->node_per_vector.at,
		"vector %d: %s: %s: %s", w->vector, placement_names[w->v->placement], what,
		strerror(error));
	return error_hint(w->e, "local_2m and local_4k need no knowledge of free blocks");
}

static int read_machine(struct promising *w)
{
	rhp_machine_read(&w->machine, "");
	int error = rhp_machine_free(&w->machine, w->free_bytes);

	if (error)
		return refuse_promise(w, "cannot read /proc/buddyinfo", error);
	if (rhp_machine_distances(&w->machine, w->v->home, w->distances))
		error_warn(w->e,
			"the kernel shows no distances of nodes: rhp_frag takes them by number");
	return 0;
}

/* Of local_frag only its own. Returns how many. */
static size_t list_nodes(struct promising *w)
{
	const bool far = plan_far_blocks(w->v);
	const int home = w->v->home;
	bool allowed[LINUX_NODES];
	size_t n = 0;

	if (!capacity_allowed(allowed))
		memset(allowed, true, sizeof(allowed));
	for (int node = 0; node < RHP_NODES && node < LINUX_NODES; node++)
		if (w->free_bytes[node] && allowed[node] && (far || node == home))
			w->nodes[n++] =
				(struct rhp_node){node, w->distances[node], w->free_bytes[node]};
	rhp_sort(w->nodes, n);
	return n;
}

/* In the order of touching, as the parts of a program that allocates what it touches: what comes
 * last is far. */
static int bind_parts(struct promising *w, const struct mem *m, size_t n)
{
	const bool from_end = w->v->order == TOUCH_HOT_LAST;
	size_t done = 0;

	for (size_t i = 0; i < n; i++) {
		const struct rhp_part *part = &w->parts[i];
		const size_t at = from_end ? m->bytes - done - part->bytes : done;

		if (part->node >= 0 && mem_prefer(m, at, part->bytes, part->node))
			return refuse_promise(w, "the kernel refuses the memory policy", errno);
		done += part->bytes;
	}
	return 0;
}

static int make_promise(struct promising *w, const struct mem *m, struct promise *made)
{
	if (read_machine(w))
		return -1;
	size_t n = rhp_decide(w->nodes, list_nodes(w), m->bytes, w->machine.huge, w->parts);

	for (size_t i = 0; i < n; i++) {
		const struct rhp_part *part = &w->parts[i];
		size_t *sum = part->node < 0             ? &made->rest
			      : part->node == w->v->home ? &made->local
							 : &made->remote;

		*sum += part->bytes;
	}
	return plan_far_blocks(w->v) ? bind_parts(w, m, n) : 0;
}

int promise_make(const struct plan *p, int vector, const struct mem *m, struct promise *made,
	struct errors *e)
{
	const struct plan_vector *v = &p->vectors[vector];

	if (v->placement != PLACEMENT_LOCAL_FRAG && !plan_far_blocks(v))
		return 0;
	struct promising *w = alloc_zeroed(1, sizeof(*w));

	w->plan = p;
	w->vector = vector;
	w->v = v;
	w->e = e;
	int failed = m->no_policy ? refuse_promise(w, "the kernel refuses memory policies", EPERM)
				  : make_promise(w, m, made);

	free(w);
	return failed;
}
