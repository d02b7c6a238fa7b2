/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts of users in HTML stay texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

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

static void test_plain(void **state)
{
	struct buffer text;
	FILE *out = buffer_open(&text);

	(void)state;
	html_plain(out, "<p class='x'>5&nbsp;ns &lt; <b>6&nbsp;ns</b> &amp;c");
	assert_string_equal(buffer_text(&text, out), "5 ns < 6 ns &c");
	free(text.data);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "no character of a text is markup", .test_func = test_text},
		{.name = "without tags and entities HTML is a text", .test_func = test_plain},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests_name("html", tests, NULL, NULL);
}
