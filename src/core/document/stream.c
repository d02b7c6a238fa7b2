/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a JSON document piece by piece, as json_dumpf() writes a whole one. */
#include "document/stream.h"

#include <string.h>

#include "document/value.h"

static void put(struct stream *s, const char *text, size_t length)
{
	s->failed |= fwrite(text, 1, length, s->out) != length;
}

static void new_line(struct stream *s)
{
	fprintf(s->out, "\n%*s", s->level, "");
}

/* Texts in JSON contain no line ends, so each one is followed by an indentation. */
static int put_piece(const char *text, size_t length, void *arg)
{
	struct stream *s = arg;
	const char *end = text + length, *line;

	while ((line = memchr(text, '\n', (size_t)(end - text)))) {
		put(s, text, (size_t)(line - text));
		new_line(s);
		text = line + 1;
	}
	put(s, text, (size_t)(end - text));
	return s->failed ? -1 : 0;
}

static void dump(struct stream *s, json_t *value)
{
	s->failed |=
		!value || json_dump_callback(value, put_piece, s, VALUE_FORMAT | JSON_ENCODE_ANY);
	json_decref(value);
}

static void begin_member(struct stream *s, const char *key)
{
	if (s->filled)
		put(s, ",", 1);
	if (s->level)
		new_line(s);
	s->filled = true;
	if (!key)
		return;
	dump(s, json_string(key));
	put(s, ": ", 2);
}

void stream_open(struct stream *s, const char *key, char bracket)
{
	begin_member(s, key);
	put(s, &bracket, 1);
	s->level++;
	s->filled = false;
}

void stream_close(struct stream *s, char bracket)
{
	s->level--;
	if (s->filled)
		new_line(s);
	put(s, &bracket, 1);
	s->filled = true;
}

void stream_value(struct stream *s, const char *key, json_t *value)
{
	begin_member(s, key);
	dump(s, value);
}
