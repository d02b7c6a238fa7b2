/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A document that is written piece by piece is the document that jansson writes as a whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "document/stream.h"

#define PIECE "{s:[i, {s:s}], s:{}, s:f}", "a", 1, "b", "line\n\"end\"", "c", "d", 0.1

static void pieces_make_the_document(void **state)
{
	char *text = NULL;
	size_t size;
	struct stream s = {.out = open_memstream(&text, &size)};

	(void)state;
	stream_open(&s, NULL, '{');
	stream_value(&s, "first", json_pack(PIECE));
	stream_open(&s, "list", '[');
	stream_value(&s, NULL, json_pack(PIECE));
	stream_open(&s, NULL, '[');
	stream_close(&s, ']');
	stream_open(&s, NULL, '{');
	stream_value(&s, "x", json_null());
	stream_close(&s, '}');
	stream_close(&s, ']');
	stream_value(&s, "last", json_true());
	stream_close(&s, '}');
	fclose(s.out);
	assert_false(s.failed);

	json_t *whole = json_pack("{s:o}", "first", json_pack(PIECE));
	json_object_set_new(whole, "list", json_pack("[o, [], {s:n}]", json_pack(PIECE), "x"));
	json_object_set_new(whole, "last", json_true());
	char *expected = json_dumps(whole, JSON_INDENT(1) | JSON_REAL_PRECISION(12));
	assert_string_equal(text, expected);
	free(expected);
	free(text);
	json_decref(whole);
}

static void failures_stay(void **state)
{
	char buffer[64];
	struct stream s = {.out = fmemopen(buffer, sizeof(buffer), "w")};

	(void)state;
	stream_open(&s, NULL, '{');
	stream_value(&s, "none", NULL);
	assert_true(s.failed);
	stream_value(&s, "x", json_true());
	assert_true(s.failed);
	fclose(s.out);

	s = (struct stream){.out = fopen("/dev/full", "w")};
	setbuf(s.out, NULL);
	stream_value(&s, NULL, json_true());
	assert_true(s.failed);
	fclose(s.out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		{.name = "pieces make the same document as a whole tree",
			.test_func = pieces_make_the_document},
		{.name = "a piece that is missing or cannot be written fails the document",
			.test_func = failures_stay},
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
