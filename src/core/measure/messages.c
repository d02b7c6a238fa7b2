/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Merges the messages of all runs: thousands of runs of a sweep often have the same messages. */
#include "measure/messages.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Copies the messages of a run to the file's; the same message of another run is not repeated. */
static void take_messages(const struct run *t, struct errors *e)
{
	for (size_t i = 0; i < t->errors.count; i++)
		error_copy(e, &t->errors.list[i]);
}

static const char *reason(const struct run *t)
{
	return errors_failure(&t->errors);
}

/* The first run from i on that is skipped for this reason (NULL: for any reason). */
static size_t next_skipped(const struct experiment *x, size_t i, const char *why)
{
	while (i < x->nruns &&
		(!x->runs[i].skipped || (why && strcmp(reason(&x->runs[i]), why) != 0)))
		i++;
	return i;
}

/* Adds one warning for each reason, with the first run that has it. */
static void warn_of_skipped(const struct experiment *x, struct errors *e)
{
	const char **reported = alloc_zeroed(x->nruns, sizeof(*reported));
	size_t nknown = 0, i = next_skipped(x, 0, NULL);

	for (; i < x->nruns; i = next_skipped(x, i + 1, NULL)) {
		const struct run *t = &x->runs[i];
		size_t known = 0, others = 0, k = i;

		while (known < nknown && strcmp(reported[known], reason(t)) != 0)
			known++;
		if (known < nknown)
			continue;
		reported[nknown++] = reason(t);
		while ((k = next_skipped(x, k + 1, reason(t))) < x->nruns)
			others++;
		if (others)
			error_warn(e, "run %s and %zu more are skipped: %s", t->label, others,
				reason(t));
		else
			error_warn(e, "run %s is skipped: %s", t->label, reason(t));
		error_hint_of(e, &t->errors);
	}
	free(reported);
}

/* This is more than are printed. Counting the runs of each mistake takes time, so further mistakes
 * are left out. */
#define MAX_MISTAKES 101

static bool has_message(const struct run *t, const char *text)
{
	for (size_t i = 0; i < t->errors.count; i++)
		if (!strcmp(t->errors.list[i].text, text))
			return true;
	return false;
}

/* Adds a mistake. If only some runs have it, the message names the first of them. */
static void add_mistake(
	const struct experiment *x, size_t first, const struct message *m, struct errors *e)
{
	struct message named = *m;
	size_t runs = 0;

	for (size_t i = first; i < x->nruns; i++)
		runs += has_message(&x->runs[i], m->text);
	if (runs == x->nruns) {
		error_copy(e, m);
		return;
	}
	named.text = runs > 1 ? alloc_format("%s (run %s and %zu more)", m->text,
					x->runs[first].label, runs - 1)
			      : alloc_format("%s (run %s)", m->text, x->runs[first].label);
	error_copy(e, &named);
	free(named.text);
}

/* While the file has mistakes, reports only those. A run that the machine cannot place is not a
 * mistake. */
static void take_mistakes(const struct experiment *x, struct errors *e)
{
	const char *reported[MAX_MISTAKES];
	size_t nknown = 0;

	for (size_t i = 0; i < x->nruns; i++)
		for (size_t k = 0; k < x->runs[i].errors.count; k++) {
			const struct message *m = &x->runs[i].errors.list[k];
			size_t known = 0;

			while (known < nknown && strcmp(reported[known], m->text) != 0)
				known++;
			if (m->status != STATUS_USAGE || known < nknown || nknown == MAX_MISTAKES)
				continue;
			reported[nknown++] = m->text;
			add_mistake(x, i, m, e);
		}
}

int messages_judge(struct experiment *x, struct errors *e)
{
	bool usage = false, any = false;

	for (size_t i = 0; i < x->nruns; i++) {
		usage |= errors_status(&x->runs[i].errors) == STATUS_USAGE;
		any |= !x->runs[i].skipped;
	}
	if (usage && x->nruns > 1) {
		take_mistakes(x, e);
		return -1;
	}
	for (size_t i = 0; i < x->nruns; i++)
		if (!x->runs[i].skipped || !any)
			take_messages(&x->runs[i], e);
	if (any)
		warn_of_skipped(x, e);
	return any ? 0 : -1;
}
