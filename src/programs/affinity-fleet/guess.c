/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Warns of groups whose facts leave something out. */
#include "programs/affinity-fleet/guess.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "fleet/kinds.h"

static struct kinds kinds_in(const struct group *g, const struct verdicts *v, size_t resource)
{
	const size_t width = 1 + g->layout.resources;
	double *all = alloc_zeroed(g->nhosts, sizeof(*all));

	for (size_t i = 0; i < g->nhosts; i++)
		all[i] = v->effects[i * width + 1 + resource];
	const struct kinds k = kinds_of(all, g->nhosts);

	free(all);
	return k;
}

void guess_kinds(
	const struct group *g, const struct verdicts *v, const struct intake *in, struct errors *e)
{
	struct kinds most = {.two = false};
	size_t resource = 0;

	for (size_t r = 0; r < g->layout.resources; r++) {
		const struct kinds k = kinds_in(g, v, r);

		if (k.two && k.gap >= FLEET_FLOOR && k.ratio > most.ratio) {
			most = k;
			resource = r;
		}
	}
	if (!most.two)
		return;
	char *name = verdicts_set_name(g, in, 1 + resource);

	error_warn(e,
		"%zu of %zu like nodes may be of another kind: %s costs them %.1f %% more than the "
		"others",
		most.above, g->nhosts, name, most.gap);
	error_hint(e, "if they are other machines, compare them apart, in folders of their own; "
		      "they are judged together as long as their facts are equal");
	free(name);
}
