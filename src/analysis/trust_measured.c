/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is known of the samples of a thread in an operation. */
#include "analysis/derive.h"
#include "analysis/proven.h"
#include "analysis/trust.h"
#include "analysis/undisturbed.h"

static bool uses(const struct plan *p, int thread, int vector)
{
	if (thread < 0)
		return true;
	for (int i = 0; i < p->threads[thread].nvectors; i++)
		if (p->threads[thread].vector_ids[i] == vector)
			return true;
	return false;
}

struct trust_samples trust_samples_of(const struct samples *r, int op, int thread)
{
	struct tally t;

	derive_tally(r, op, &t);
	struct trust_samples of = {.taken = (int64_t)t.samples,
		.disturbed = (int64_t)t.disturbed,
		.again = undisturbed_again(r, op)};

	for (int v = 0; v < r->plan->nvectors; v++) {
		const enum proven_pages pages =
			uses(r->plan, thread, v) ? proven_vector(r, v) : PROVEN_IN_PLACE;

		of.misplaced += pages == PROVEN_ELSEWHERE;
		of.unproven += pages == PROVEN_UNKNOWN;
	}
	return of;
}

struct trust trust_measured(const struct samples *r, int op, int thread, struct amount figure)
{
	const struct trust_samples of = trust_samples_of(r, op, thread);

	return trust_of(&of, figure);
}
