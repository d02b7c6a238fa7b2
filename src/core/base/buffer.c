/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects what is written to a stream. */
#include "base/buffer.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/alloc.h"
#include "base/text.h"

/* The room is the next power of two, so it need not be stored. */
static size_t room_for(size_t bytes)
{
	size_t room = 4096;

	while (room < bytes && room <= SIZE_MAX / 2)
		room *= 2;
	return room;
}

static ssize_t append_bytes(void *cookie, const char *text, size_t length)
{
	struct buffer *b = cookie;
	size_t room = room_for(b->size + length + 1);

	if (!b->data || room > room_for(b->size + 1)) {
		char *larger = realloc(b->data, room);

		if (!larger)
			alloc_exhausted();
		b->data = larger;
	}
	memcpy(b->data + b->size, text, length);
	b->size += length;
	b->data[b->size] = '\0';
	return (ssize_t)length;
}

FILE *buffer_open(struct buffer *b)
{
	FILE *out = fopencookie(b, "w", (cookie_io_functions_t){.write = append_bytes});

	*b = (struct buffer){0};
	if (!out)
		alloc_exhausted();
	return out;
}

void buffer_close(struct buffer *b, FILE *out)
{
	fclose(out);
	if (!b->data)
		b->data = alloc_zeroed(1, 1);
}

char *buffer_text(struct buffer *b, FILE *out)
{
	buffer_close(b, out);
	return b->data;
}

void buffer_show(struct buffer *b, FILE *out, FILE *to)
{
	buffer_close(b, out);
	text_print_shown(b->data, to);
	free(b->data);
	b->data = NULL;
}
