/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Refuses vectors of elements on which a kernel does not work: it would take them for others. */
#include <stdio.h>

#include "plan/parts.h"

/* "double or char". */
static const char *names_of(unsigned types, char *text, size_t n)
{
	size_t used = 0;

	text[0] = '\0';
	for (int i = ELEMENT_TYPES - 1; i >= 0; i--)
		if ((types & TYPE_SET(i)) && used < n)
			used += (size_t)snprintf(text + used, n - used, "%s%s", used ? " or " : "",
				element_names[i]);
	return text;
}

int plan_types(const struct plan *p, const struct plan_op *op, int thread, struct errors *e)
{
	const struct place at = p->request->type_per_vector.at;
	const struct plan_job *job = &op->jobs[thread];
	const struct worker w = plan_worker(p, op, thread);
	char names[64];

	for (int i = 0; i < w.nvectors; i++) {
		if (kernel_takes(job->kernel, w.vectors[i].type))
			continue;
		error_add(e, STATUS_USAGE, at.file ? at : (struct place){p->path, 0},
			"thread %d runs '%s', which takes vectors of %s; its vector %d is of %s",
			thread, job->name, names_of(job->kernel->types, names, sizeof(names)),
			p->threads[thread].vector_ids[i], element_names[w.vectors[i].type]);
		return error_hint(e, "typePerVector: %s%s", names,
			job->kernel->types & TYPE_SET(TYPE_CHAR)
				? "; char is memory whose type the file leaves open"
				: "");
	}
	return 0;
}
