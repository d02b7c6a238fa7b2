/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Binds threads to nodes. */
#include <errno.h>

#include "spm/runtime.h"

static void set_node(struct spm_thread *t, int node)
{
	__atomic_store_n(&t->counts.node, node, __ATOMIC_RELAXED);
}

static int bind_to(struct spm *s, struct spm_thread *t, const struct spm_node *n)
{
	if (t->counts.node < 0 && s->system->get_cpus(&t->before))
		return -1;
	if (s->system->set_cpus(&n->cpus))
		return -1;
	set_node(t, n->id);
	return 0;
}

static int bind_to_id(struct spm *s, struct spm_thread *t, int id)
{
	for (int i = 0; i < s->machine.nnodes; i++)
		if (s->machine.nodes[i].id == id)
			return bind_to(s, t, &s->machine.nodes[i]);
	errno = ENODEV;
	return -1;
}

/* Once and for all: a thread that is bound again follows its data. */
static const struct spm_node *node_in_turn(struct spm *s, struct spm_thread *t)
{
	if (t->turn < 0)
		t->turn = (int)(__atomic_fetch_add(&s->turn, 1, __ATOMIC_RELAXED) %
				(unsigned)s->machine.nnodes);
	return &s->machine.nodes[t->turn];
}

int spm_lock(struct spm *s)
{
	struct spm_thread *t;

	if (!s || s->config.lock == SPM_LOCK_NONE)
		return 0;
	t = spm_thread_of(s);
	if (!t)
		return -1;
	t->wants_lock = true;
	switch (s->config.lock) {
	case SPM_LOCK_NODE_RR:
		return bind_to(s, t, node_in_turn(s, t));
	case SPM_LOCK_NODE_CURRENT:
		return bind_to_id(s, t, s->system->node());
	case SPM_LOCK_ONLY_IF_MIGRATED:
		return t->moved_to < 0 ? 0 : bind_to_id(s, t, t->moved_to);
	case SPM_LOCK_NONE:
		break;
	}
	return 0;
}

/* A thread that cannot be bound still has its pages; it is as free as without a lock. */
void spm_lock_moved(struct spm *s, struct spm_thread *t, int node)
{
	t->moved_to = node;
	if (t->wants_lock && s->config.lock == SPM_LOCK_ONLY_IF_MIGRATED)
		bind_to_id(s, t, node);
}

int spm_unlock(struct spm *s)
{
	struct spm_thread *t;

	if (!s || s->config.lock == SPM_LOCK_NONE)
		return 0;
	t = spm_thread_of(s);
	if (!t)
		return -1;
	t->wants_lock = false;
	t->moved_to = -1;
	if (t->counts.node < 0)
		return 0;
	if (s->system->set_cpus(&t->before))
		return -1;
	set_node(t, -1);
	return 0;
}
