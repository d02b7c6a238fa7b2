/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of users in HTML stay texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/html.h"

static void test_text(void **state)
{
	static const char *const cases[][2] = {
		{"a & b", "a &amp; b"},
		{"<b x='1' y=\"2\">", "&lt;b x=&apos;1&apos; y=&quot;2&quot;&gt;"},
		{"\x1b[1m\t\n\xc3\xa4", "[1m\t\n\xc3\xa4"},
		{NULL, ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct buffer text;
		FILE *out = buffer_open(&text);

		html_text(out, cases[i][0]);
		assert_string_equal(buffer_text(&text, out), cases[i][1]);
		free(text.data);
	}
}

static void write_twice(FILE *out, const struct html_part *p)
{
	html(out, "<u>%s</u>%s", p->text, p->text);
}

static void test_format(void **state)
{
	static const char *const texts[] = {"<i>&lt;x&gt;</i> <u>&amp;</u>&amp; 100 %", "<b>",
		"&lt;", "3 -4 18446744073709551615 -5 6 7", "c", "+1.5 2.00 0.333",
		"0.1 1e-07 1234567.125", NULL};
	struct buffer text;
	FILE *out = buffer_open(&text);
	char *line;

	(void)state;
	html(out, "<i>%s</i> %p 100 %%\n%-s\n%.*s\n", "<x>",
		&(const struct html_part){write_twice, .text = "&"}, "<b>", 1, "<y");
	html(out, "%u %d %zu %lld %ld %llu\n%c\n", 3U, -4, SIZE_MAX, -5LL, 6L, 7ULL, 'c');
	html(out, "%+.1f %.*f %.3g\n%a %a %a", 1.5, 2, 2.0, 1.0 / 3, 0.1, 1e-7, 1234567.125);
	line = buffer_text(&text, out);
	for (size_t i = 0; texts[i]; i++) {
		line[strcspn(line, "\n")] = '\0';
		assert_string_equal(line, texts[i]);
		line += strlen(line) + 1;
	}
	free(text.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "no character of a text is markup", .test_func = test_text},
		{.name = "a format writes texts, markup and numbers", .test_func = test_format},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("html", tests, NULL, NULL);
}
