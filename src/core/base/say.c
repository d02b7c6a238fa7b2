/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces of sentences. */
#include "base/say.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/html.h"
#include "base/numbers.h"
#include "base/text.h"

static const char *const blank[] = {[SAY_PLAIN] = " ", [SAY_HTML] = "&nbsp;"};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* The length of a size such as "16KiB", which ends with its unit; 0: there is none. */
static size_t size_at(const char *text)
{
	static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
	const size_t digits = strspn(text, "0123456789.");

	for (size_t i = 0; digits && i < sizeof(units) / sizeof(*units); i++) {
		const size_t n = digits + strlen(units[i]);

		if (!strncmp(text + digits, units[i], n - digits) && !is_word(text[n]))
			return n;
	}
	return 0;
}

static void say_n(FILE *out, enum say_style style, const char *text, size_t n)
{
	if (style == SAY_HTML)
		html_text_n(out, text, n);
	else
		fwrite(text, 1, n, out);
}

void say_text(FILE *out, enum say_style style, const char *text)
{
	bool begins = true;

	for (size_t n; *text; text += n) {
		char *size = alloc_string(text, begins ? size_at(text) : 0), shown[32];
		uint64_t bytes;

		n = *size ? strlen(size) : 1;
		if (!*size || text_bytes(size, &bytes)) {
			say_n(out, style, text, n);
		} else {
			text_size_exact(bytes, shown, sizeof(shown));
			fprintf(out, "%.*s%s%s", (int)strcspn(shown, " "), shown, blank[style],
				strchr(shown, ' ') + 1);
		}
		begins = !is_word(text[n - 1]);
		free(size);
	}
}

void say_interval(FILE *out, enum say_style style, const char *before, struct amount a,
	int decimals, const char *after)
{
	if (!isfinite(a.low) || !(a.high > a.low))
		return;
	fprintf(out, "%s%s", before, style == SAY_HTML ? "±" : "+- ");
	if (isnan(amount_said(a).low))
		fprintf(out, "unknown%s", after);
	else
		fprintf(out, "%.*f%s", decimals, numbers_half(a, decimals), after);
}

void say_figure(FILE *out, enum say_style style, struct amount a, const char *unit)
{
	const struct scale s = numbers_scale(unit, &a, 1);
	const struct amount shown = amount_times(a, s.factor);
	const int decimals = numbers_decimals(shown);
	const bool html = style == SAY_HTML;

	fprintf(out, html ? "<strong>%.*f</strong>" : "%.*f", decimals, shown.value);
	say_interval(
		out, style, html ? "&nbsp;<small>" : " ", shown, decimals, html ? "</small>" : "");
	unit = s.unit ? s.unit : unit;
	if (*unit) {
		fputs(blank[style], out);
		say_n(out, style, unit, strlen(unit));
	}
}
