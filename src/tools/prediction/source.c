/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens files of a profile. */
#include "prediction/source.h"

#include "document/arguments.h"
#include "machine/machine.h"
#include "prediction/validation.h"

static void plan(struct source *s, const struct topo *t, struct errors *e)
{
	const struct document *d = &s->d;
	struct errors own = {0};

	if (!d->arguments.path) {
		error_warn(e, "%s: has no argument file, and is not used", d->path);
		return;
	}
	document_arguments(&s->args, d, &own);
	const int failed = experiment_plan(&s->x, &s->args, t, &own);

	s->planned = !failed && s->x.nruns == d->nruns;
	if (!s->planned) {
		error_warn(e, "%s: its argument file cannot be planned again, and is not used",
			d->path);
		error_hint(e, "%s", failed ? errors_failure(&own) : "its sweep has other runs now");
	}
	errors_free(&own);
}

static bool is_of_this_machine(
	const struct topo *t, const struct environment *here, const struct document *d)
{
	struct errors differences = {0};
	const bool same = !document_check_machine(t, here, d, true, &differences);

	errors_free(&differences);
	return same;
}

int source_open(struct source *s, const char *path, const struct topo *t,
	const struct environment *here, struct errors *e)
{
	*s = (struct source){.planned = false};
	if (document_read(&s->d, path, e))
		return -1;
	plan(s, t, e);
	if (s->d.interrupted)
		error_warn(e, "%s: was interrupted; what it lacks is not used", path);
	return s->planned ? validation_check(&s->d, &s->x, is_of_this_machine(t, here, &s->d), e)
			  : 0;
}

void source_close(struct source *s)
{
	experiment_free(&s->x);
	args_free(&s->args);
	document_free(&s->d);
}
