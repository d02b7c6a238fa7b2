/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a vector lies, in words. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "plan/parts.h"

static char *describe_weights(const struct plan_vector *v)
{
	char *text = alloc_format("weighted:");
	const char *between = "";

	for (int node = 0; node < MEM_MAX_NODES; node++) {
		if (!v->weights[node])
			continue;
		alloc_append(&text, "", "%s%d=%u", between, node, v->weights[node]);
		between = ",";
	}
	return text;
}

static void describe(struct plan_vector *v)
{
	char ranges[256];

	if (v->weights) {
		v->asked = v->measured && !v->weights_by ? alloc_format("weighted:measured")
							 : describe_weights(v);
		return;
	}
	text_ranges(v->nodes, MEM_MAX_NODES, ranges, sizeof(ranges));
	if (v->division)
		v->asked = alloc_format("%s:%d", division_names[v->division], v->node);
	else if (v->policy == MEM_BIND)
		v->asked = alloc_format("%s%s", v->node < 0 ? "bind:" : "", ranges);
	else if (v->policy == MEM_PREFERRED)
		v->asked = alloc_format("preferred:%s", ranges);
	else if (v->policy == MEM_INTERLEAVE)
		v->asked = alloc_format("interleave:%s", ranges);
	else
		v->asked = alloc_format("local");
}

/* Each kind once, in the order of the nodes. */
static void name_memory(const struct plan *p, struct plan_vector *v)
{
	struct words kinds = {0};

	for (int i = 0; i < p->topo->nnodes; i++) {
		const struct topo_node *n = &p->topo->nodes[i];
		bool known = n->node >= MEM_MAX_NODES || !v->nodes[n->node] || !n->memory;

		for (size_t k = 0; k < kinds.count && !known; k++)
			known = !strcmp(kinds.word[k], n->memory);
		if (known)
			continue;
		words_add(&kinds, n->memory, strlen(n->memory));
		alloc_append(&v->memory, ", ", "%s", n->memory);
	}
	words_free(&kinds);
}

void plan_describe_vector(const struct plan *p, struct plan_vector *v)
{
	free(v->asked);
	free(v->memory);
	v->memory = NULL;
	describe(v);
	name_memory(p, v);
}
