/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sizes of vectors in a trial. */
#include "input/quick.h"
#include "plan/parts.h"

int plan_quick(const struct plan *p, struct plan_vector *v, const char *word, struct place at,
	struct errors *e)
{
	size_t element = element_bytes(v->type);
	uint64_t most = quick_elements(p->request, p->nvectors, element);
	char limit[32];

	if (v->elements <= most)
		return 0;
	if (!p->request->size_swept) {
		v->elements = most;
		return 0;
	}
	/* what cannot run for another reason need not be shorter, too */
	if (e->failures)
		return -1;
	error_add(e, STATUS_PLACEMENT, at, "sizePerVector: '%s' is too large for a quick trial, %s",
		word, text_size(most * element, limit, sizeof(limit)));
	return error_hint(e, "quick: no measures it");
}
