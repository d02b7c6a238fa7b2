/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of options that are no files. */
#include "programs/affinity/option_values.h"

#include <string.h>

#include "base/text.h"
#include "prediction/advice.h"

int options_given_twice(const char *option, struct errors *e)
{
	error_add(e, STATUS_USAGE, NOWHERE, "%s is given twice", option);
	return error_hint(e, "only one of them would have an effect");
}

/* A larger value is probably a mistyped unit. */
#define MAX_TOLERANCE 10

/* A bare number is in per cent. A number below 1 is ambiguous, because the user may have meant a
 * fraction. */
int options_take_tolerance(struct options *o, const char *value, struct errors *e)
{
	double number;
	bool bare = !text_real(value, &number);

	if (o->tolerance_given)
		return options_given_twice("--tolerance", e);
	o->tolerance_given = true;
	if (!bare && text_fraction(value, &o->tolerance)) {
		error_add(e, STATUS_USAGE, NOWHERE, "--tolerance '%s' is not a percentage", value);
		return error_hint(e, "for example --tolerance 5%%");
	}
	if (bare && number > 0 && number < 1) {
		error_add(e, STATUS_USAGE, NOWHERE, "--tolerance '%s' could be %g %% or %g %%",
			value, number, number * 100);
		return error_hint(
			e, "write --tolerance %g%% or --tolerance %g%%", number, number * 100);
	}
	if (bare)
		o->tolerance = number / 100;
	if (o->tolerance < 0 || o->tolerance > MAX_TOLERANCE)
		return error_add(e, STATUS_USAGE, NOWHERE,
			"--tolerance '%s' is not within 0%% .. 1000%%", value);
	return 0;
}

int options_take_verify(struct options *o, const char *value, struct errors *e)
{
	if (o->verify_given)
		return options_given_twice("--verify", e);
	o->verify_given = true;
	if (!text_count(value, &o->verify) && o->verify <= ADVICE_MOST)
		return 0;
	error_add(e, STATUS_USAGE, NOWHERE, "--verify '%s' is not a number of placements, 0 .. %d",
		value, ADVICE_MOST);
	return error_hint(e, "--verify %d measures the %d best and the baseline", ADVICE_VERIFY,
		ADVICE_VERIFY);
}

int options_take_plan(struct options *o, const char *value, struct errors *e)
{
	o->full = !strcmp(value, "full");
	if (o->full)
		return 0;
	error_add(e, STATUS_USAGE, NOWHERE, "--plan: unknown value '%s'; it takes full, or none",
		value);
	return error_hint(e, "an argument file stands apart from it: --plan ARGS");
}
