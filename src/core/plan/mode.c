/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In mode: time all threads work all the time, as much as they can. Refuses keys that ask for
 * something else. */
#include <string.h>

#include "plan/parts.h"

static struct place where(const struct plan *p, const char *setting)
{
	for (size_t i = 0; i < p->request->nsettings; i++)
		if (!strcmp(p->request->settings[i].name, setting))
			return p->request->settings[i].values.at;
	return NOWHERE;
}

static int check_passes(const struct plan *p, struct errors *e)
{
	struct place at = where(p, "passes");

	if (!at.file)
		return 0;
	error_add(e, STATUS_USAGE, at, "passes has no effect with mode: %s",
		p->request->mode.word[0]);
	return error_hint(
		e, "the time sets the amount of work; mode: work does a fixed number of passes");
}

static int check_job(const struct plan *p, const struct plan_job *job, struct errors *e)
{
	const char *mode = p->request->mode.word[0];
	int failed = 0;

	if (job->common.sleep_ns) {
		failed = error_add(e, STATUS_USAGE, where(p, "sleep"),
			"sleep cannot be used with mode: %s, in which all threads work all the "
			"time",
			mode);
		error_hint(e, "mode: work measures what a delay costs");
	}
	if (plan_job_together(job)) {
		failed = error_add(e, STATUS_USAGE, p->request->ops.at,
			"%s cannot be used with mode: %s: its threads wait for each other, and "
			"must "
			"do the same number of rounds",
			job->name, mode);
		error_hint(e, "use mode: work, and set passes");
	} else if (job->kernel->reset) {
		failed = error_add(e, STATUS_USAGE, p->request->ops.at,
			"%s cannot be used with mode: %s: a sample uses up what it finds in its "
			"vectors",
			job->name, mode);
		error_hint(e, "use mode: work; passes sets the rounds of a sample");
	}
	return failed;
}

int plan_mode(const struct plan *p, struct errors *e)
{
	if (!p->request->window_ns)
		return 0;
	int failed = check_passes(p, e);

	for (int o = 0; o < p->nops; o++)
		for (int i = 0; i < p->nthreads; i++)
			if (p->ops[o].jobs[i].kernel)
				failed |= check_job(p, &p->ops[o].jobs[i], e);
	return failed;
}
