/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words, near names, and lists of indices as Linux writes them. Numbers and units: text_units.c. */
#include "base/text.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define DIGITS "0123456789"

void words_add(struct words *w, const char *word, size_t length)
{
	w->word = alloc_grow(w->word, w->count, sizeof(*w->word));
	w->word[w->count++] = alloc_string(word, length);
}

void words_split(struct words *w, const char *text, const char *separators)
{
	size_t length;

	for (text += strspn(text, separators); *text; text += strspn(text, separators)) {
		length = strcspn(text, separators);
		words_add(w, text, length);
		text += length;
	}
}

void words_free(struct words *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->word[i]);
	free(w->word);
	*w = (struct words){0};
}

void lines_add(struct lines *l, const char *key, const char *text, struct place at)
{
	l->list = alloc_grow(l->list, l->count, sizeof(*l->list));
	l->list[l->count++] = (struct line){key, alloc_string(text, strlen(text)), at};
}

void lines_free(struct lines *l)
{
	for (size_t i = 0; i < l->count; i++)
		free(l->list[i].text);
	free(l->list);
	*l = (struct lines){0};
}

size_t text_character(const char *text)
{
	/* the range of the second byte keeps out longer forms, surrogates and what is above
	 * U+10FFFF
	 */
	static const struct {
		unsigned char first, last; /* of the first byte */
		unsigned char from, to;    /* of the second byte */
		size_t bytes;
	} forms[] = {{0x01, 0x7f, 0, 0, 1}, {0xc2, 0xdf, 0x80, 0xbf, 2},
		{0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
		{0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
		{0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
		{0xf4, 0xf4, 0x80, 0x8f, 4}};
	const unsigned char *c = (const unsigned char *)text;
	size_t form = 0;

	while (form < sizeof(forms) / sizeof(*forms) &&
		(*c < forms[form].first || *c > forms[form].last))
		form++;
	if (form == sizeof(forms) / sizeof(*forms))
		return 0;
	if (forms[form].bytes > 1 && (c[1] < forms[form].from || c[1] > forms[form].to))
		return 0;
	for (size_t n = 2; n < forms[form].bytes; n++)
		if ((c[n] & 0xc0) != 0x80)
			return 0;
	return forms[form].bytes;
}

char *text_trim(char *text)
{
	char *end;

	while (isspace((unsigned char)*text))
		text++;
	end = text + strlen(text);
	while (end > text && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	return text;
}

static size_t min(size_t a, size_t b)
{
	return a < b ? a : b;
}

static bool same_letter(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Row i, column j: the distance between the first i letters of a and the first j of b. */
struct rows {
	size_t *two_up, *up, *now;
};

static size_t count_edits(const char *a, const char *b, size_t i, size_t j, const struct rows *r)
{
	size_t best = r->up[j - 1] + !same_letter(a[i - 1], b[j - 1]);

	best = min(best, min(r->up[j], r->now[j - 1]) + 1);
	if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
		best = min(best, r->two_up[j - 2] + 1);
	return best;
}

static size_t distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	size_t width = b_length + 1, result;
	size_t *table = alloc_zeroed(3 * width, sizeof(*table));
	struct rows r = {table, table + width, table + 2 * width};

	for (size_t j = 0; j < width; j++)
		r.up[j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		r.now[0] = i;
		for (size_t j = 1; j < width; j++)
			r.now[j] = count_edits(a, b, i, j, &r);
		r = (struct rows){r.up, r.now, r.two_up};
	}
	result = r.up[b_length];
	free(table);
	return result;
}

const char *text_nearest(const char *text, const char *const *names, size_t count)
{
	size_t text_length = strlen(text), name_length, longer, d, best = SIZE_MAX;
	const char *nearest = NULL;

	for (size_t i = 0; i < count; i++) {
		name_length = strlen(names[i]);
		longer = text_length > name_length ? text_length : name_length;
		/* each extra letter of the longer one is a difference, so the letters need no
		 * comparison */
		if (3 * (longer - min(text_length, name_length)) > longer)
			continue;
		d = distance(text, text_length, names[i], name_length);
		if (3 * d <= longer && d < best) {
			best = d;
			nearest = names[i];
		}
	}
	return nearest;
}

/* Writes "first-last" after the used characters of buffer; returns the new number of used ones. */
static size_t write_range(size_t first, size_t last, char *buffer, size_t n, size_t used)
{
	const char *comma = used > 0 ? "," : "";
	int length;

	if (first == last)
		length = snprintf(buffer + used, n - used, "%s%zu", comma, first);
	else
		length = snprintf(buffer + used, n - used, "%s%zu-%zu", comma, first, last);
	return used + (size_t)length;
}

const char *text_ranges(const bool *set, size_t count, char *buffer, size_t n)
{
	size_t used = 0, last;

	snprintf(buffer, n, "none");
	for (size_t i = 0; i < count && used < n; i++) {
		if (!set[i])
			continue;
		for (last = i; last + 1 < count && set[last + 1];)
			last++;
		used = write_range(i, last, buffer, n, used);
		i = last;
	}
	/* A truncated list must not look like a shorter one. */
	if (used >= n && n > 3)
		memcpy(buffer + n - 4, "...", 4);
	return buffer;
}

/* Reads the digits at the start of text; returns the text after them, or NULL. */
static const char *read_index(const char *text, uint64_t *index)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return NULL;
	/* A number that is too large becomes UINT64_MAX. It is beyond every set, so it is dropped
	 * like any index out of range. */
	*index = strtoull(text, &end, 10);
	return end;
}

/* Reads "3" or "0-3"; returns the text after it, or NULL. */
static const char *read_range(const char *text, uint64_t *first, uint64_t *last)
{
	text = read_index(text, first);
	if (!text)
		return NULL;
	*last = *first;
	if (*text == '-')
		text = read_index(text + 1, last);
	return *last < *first ? NULL : text;
}

int text_parse_ranges(const char *text, bool *set, size_t count)
{
	uint64_t first, last;
	int total = 0;

	memset(set, 0, count * sizeof(*set));
	while (*text) {
		text = read_range(text, &first, &last);
		if (!text || (*text != '\0' && *text != ','))
			return -1;
		for (uint64_t i = first; i <= last && i < count; i++)
			set[i] = true;
		if (*text == ',' && *++text == '\0')
			return -1;
	}
	for (size_t i = 0; i < count; i++)
		total += set[i];
	return total;
}

int text_first_line(const char *path, char *buffer, size_t n)
{
	FILE *file = fopen(path, "r");
	int error = 0, next = EOF;

	if (!file)
		return -1;
	buffer[0] = '\0';
	if (!fgets(buffer, (int)n, file) && ferror(file))
		error = errno;
	else if (!strchr(buffer, '\n'))
		next = fgetc(file);
	/* A truncated list of processors would look like a shorter one. */
	if (next != EOF && next != '\n')
		error = ERANGE;
	buffer[strcspn(buffer, "\n")] = '\0';
	fclose(file);
	if (error == 0)
		return 0;
	errno = error;
	return -1;
}

const char *text_one_of(const char *const *names, char *buffer, size_t n)
{
	size_t used = 0;

	buffer[0] = '\0';
	for (size_t i = 0; names[i] && used < n; i++) {
		const char *before = i == 0 ? "" : names[i + 1] ? ", " : " or ";

		used += (size_t)snprintf(buffer + used, n - used, "%s%s", before, names[i]);
	}
	return buffer;
}

void text_print_quoted(const char *word, FILE *out)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-./,:=+@%";

	if (*word && !word[strspn(word, plain)]) {
		fputs(word, out);
		return;
	}
	fputc('\'', out);
	for (; *word; word++)
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	fputc('\'', out);
}

/* ISO 6429: C0, DEL, and C1, which UTF-8 has in two bytes. Alone these bytes are C1 for a terminal
 * of Latin-1. */
static bool is_control(const char *text)
{
	unsigned char c = (unsigned char)*text, next = c ? (unsigned char)text[1] : 0;

	if (c < ' ')
		return c != '\t' && c != '\n' && (c != '\r' || next != '\n');
	return c == 0x7f || (c == 0xc2 && next >= 0x80 && next < 0xa0) ||
	       (c >= 0x80 && c < 0xa0 && !text_character(text));
}

const char *text_control(const char *text)
{
	while (*text) {
		if (is_control(text))
			return text;
		size_t n = text_character(text);
		text += n ? n : 1;
	}
	return NULL;
}

void text_print_shown(const char *text, FILE *out)
{
	for (const char *end; (end = text_control(text)); text = end + 1) {
		fprintf(out, "%.*s\\x%02x", (int)(end - text), text, (unsigned char)*end);
		if ((unsigned char)*end == 0xc2)
			fprintf(out, "\\x%02x", (unsigned char)*++end);
	}
	fputs(text, out);
}

void text_print_csv(const char *text, FILE *out)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++)
		fprintf(out, *text == '"' ? "\"%c" : "%c", *text);
	fputc('"', out);
}
