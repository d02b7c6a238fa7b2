/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and texts as JSON. */
#include "value.h"

#include <math.h>

json_t *value_number(double number)
{
	return isfinite(number) ? json_real(number) : json_null();
}

json_t *value_string(const char *text)
{
	json_t *s = json_string(text);

	return s ? s : json_string("(not UTF-8)");
}
