/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks where the candidates of a race are. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "affinity-map/try.h"

/* At where a candidate is, in a run, and how often at most and at least. */
#define LOOKS           20
#define SHORTEST_LOOK_S 0.01
#define LONGEST_LOOK_S  1

/* Where a candidate's threads and pages are: it is run once more, and looked at. */
static int prove(struct try *t, size_t i, struct errors *e)
{
	const struct candidate *c = &t->candidates.list[i];
	const double interval_s = fmin(fmax(t->first_s / LOOKS, SHORTEST_LOOK_S), LONGEST_LOOK_S);
	struct proof *proof = alloc_zeroed(1, sizeof(*proof));
	struct trial run = {0};

	t->measure.limit_s = try_patience_s(t);
	int failed = trial_prove(&run, c, try_app(t, i), &t->measure, interval_s, proof, e);

	if (!failed && run.interrupted) {
		t->end = TRY_INTERRUPTED;
		t->status = 128 + run.interrupted;
		failed = 1;
	} else if (!failed && !run.failed) {
		t->places[i] = (struct try_place){proof_text(proof), proof_fault(proof, c)};
	}
	free(run.failed);
	free(proof);
	return failed;
}

static void warn_of_places(const struct try *t, struct errors *e)
{
	for (size_t i = 0; i < t->candidates.n; i++)
		if (t->places[i].fault)
			error_warn(e, "'%s' is not followed: %s", t->candidates.list[i].name,
				t->places[i].fault);
}

/* The first, and as long as there is time the others who are left. */
int try_prove(struct try *t, uint64_t begin_ns, struct errors *e)
{
	size_t *order = alloc_zeroed(t->candidates.n, sizeof(*order));
	int failed = 0;

	try_order(t, order);
	for (size_t k = 0; k < t->candidates.n && !failed && t->end != TRY_INTERRUPTED; k++) {
		if (!t->race.list[order[k]].live ||
			(k && try_spent_s(begin_ns) + t->first_s >
					(double)t->options->budget_ns * 1e-9))
			break;
		try_tell(t, "looking where it is", try_spent_s(begin_ns));
		failed = prove(t, order[k], e);
	}
	free(order);
	warn_of_places(t, e);
	return failed < 0 ? -1 : 0;
}
