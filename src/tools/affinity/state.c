/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks at the machine for a moment and tells its state. */
#include "affinity/actions.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "describe/describe.h"
#include "affinity/outputs.h"
#include "system/conditions.h"

/* Long enough for the ticks of 10 ms in which the system counts, and nobody waits for it. */
#define LOOK_NS UINT64_C(500000000)

static int check_accepted(const struct environment *env, const struct words *w, struct errors *e)
{
	int failed = 0;

	for (size_t i = 0; i < w->count; i++)
		if (!environment_get(env, fact_name(w->word[i]))) {
			failed = error_add(e, STATUS_USAGE, NOWHERE,
				"--accept %s: no fact of the machine has this name", w->word[i]);
			error_hint(e, "affinity --check shows the facts: --accept virtual_machine");
		}
	return failed;
}

static bool is_accepted(const struct message *m, const struct words *accepted)
{
	for (size_t i = 0; m->about && i < accepted->count; i++)
		if (!strcmp(fact_name(accepted->word[i]), m->about))
			return true;
	return false;
}

static void divide(const struct errors *found, const struct words *accepted, struct errors *spoils,
	struct errors *others)
{
	for (size_t i = 0; i < found->count; i++)
		error_copy(
			is_accepted(&found->list[i], accepted) ? others : spoils, &found->list[i]);
}

static void print_conditions(const struct environment *env, const struct errors *spoils,
	const struct errors *accepted, FILE *out)
{
	for (size_t i = 0; i < env->count; i++)
		fprintf(out, "%s: %s\n", env->facts[i].name, env->facts[i].value);
	if (accepted->count)
		fprintf(out, "\naccepted:\n");
	errors_print(accepted, 0, out);
	fprintf(out, "\n%s%s\n",
		spoils->count ? "what spoils measurements here"
			      : "nothing here spoils measurements",
		spoils->count     ? ":"
		: accepted->count ? " but what is accepted"
				  : "");
	errors_print(spoils, 0, out);
}

static void print_state(const struct options *o, const struct environment *env,
	const struct errors *spoils, const struct errors *accepted, struct errors *e)
{
	if (telling_text(o))
		print_conditions(env, spoils, accepted, stdout);
	if (telling_json(o))
		telling_write(o, describe_state(env, spoils, accepted), e);
	if (o->strict && spoils->count) {
		error_add(e, STATUS_FAILED, NOWHERE,
			"%zu state%s of this machine spoil%s measurements", spoils->count,
			spoils->count == 1 ? "" : "s", spoils->count == 1 ? "s" : "");
		error_hint(e, "see the remedies, or --accept what you must live with");
	}
}

void state_check(const struct options *o, const struct topo *t, struct errors *e)
{
	struct environment env;
	struct errors found = {0}, spoils = {0}, accepted = {0};
	bool *none = alloc_zeroed((size_t)t->ncpu_index + 1, sizeof(*none));
	struct load before;
	struct near all;

	near_init(&all, t, none);
	free(none);
	load_take(&before);
	near_begin(&all);
	clock_sleep_until(clock_ns() + LOOK_NS);
	near_pause(&all); /* before this process works again */
	environment_read(&env, t);
	conditions_judge(&env, &found);
	environment_load(&env, &before, DURING_CHECK, &found);
	environment_busy(&env, &all, &found);
	near_free(&all);
	if (!check_accepted(&env, &o->accepted, e)) {
		divide(&found, &o->accepted, &spoils, &accepted);
		print_state(o, &env, &spoils, &accepted, e);
	}
	errors_free(&found);
	errors_free(&spoils);
	errors_free(&accepted);
	environment_free(&env);
}
