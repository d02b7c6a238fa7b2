/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of sentences, as plain text and as HTML. */
#ifndef SAY_H
#define SAY_H

#include <stdio.h>

#include "base/amount.h"

enum say_style { SAY_PLAIN, SAY_HTML };

/* A text, with its sizes as people write them: "16 KiB" for "16KiB" and "16384B". */
void say_text(FILE *out, enum say_style style, const char *text);
/* "97 +- 1 ns", in HTML "97 ±1 ns", in a prefix of its unit that suits it. Of an interval that is
 * more than a thousand times as wide as the figure, "+-unknown": it says nothing, at length. */
void say_figure(FILE *out, enum say_style style, struct amount a, const char *unit);
/* "+- 0.2", in HTML "±0.2": half of an interval, between two texts; nothing without one. */
void say_interval(FILE *out, enum say_style style, const char *before, struct amount a,
	int decimals, const char *after);

#endif
