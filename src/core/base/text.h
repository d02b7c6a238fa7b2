/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words, numbers and units, as people write and read them. */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/* A list of words with the place of their line. A zeroed list is empty. */
struct words {
	char **word; /* owned */
	size_t count;
	struct place at; /* of the line; file NULL: the value is a default */
};

/* "node%s" of several: the plural's s, or nothing. */
static inline const char *text_s(unsigned long long n)
{
	return n == 1 ? "" : "s";
}

/* Splits text at the characters of separators and appends copies of the parts; empty parts are
 * dropped. */
void words_split(struct words *w, const char *text, const char *separators);
void words_add(struct words *w, const char *word, size_t length);
void words_free(struct words *w);

/* Lines of a file, each whole. A zeroed list is empty. */
struct lines {
	struct line {
		const char *key; /* before the colon; not owned */
		char *text;      /* after the colon; owned */
		struct place at;
	} * list;
	size_t count;
};

void lines_add(struct lines *l, const char *key, const char *text, struct place at);
void lines_free(struct lines *l);

/* Bytes of the UTF-8 character that begins at text (RFC 3629: shortest form, no surrogates); 0: it
 * is none, or the end. */
size_t text_character(const char *text);

/* Removes white space from both ends, in place; returns the first remaining character. */
char *text_trim(char *text);

/* The following functions read strictly: no white space, no hexadecimal; on -1 the value is
 * unchanged. */

/* All of text is the number, without sign. Returns 0, or -1 when it is no number or does not fit.
 */
int text_count(const char *text, uint64_t *value);
/* A finite decimal number, all of text. 0 or -1. */
int text_real(const char *text, double *value);
/* '0.5' or '50%' -> 0.5. 0 or -1. */
int text_fraction(const char *text, double *value);
/* Nanoseconds of '500ms', '1.5s', '20us', '100ns', '2min'; a bare number is milliseconds. 0 or -1.
 */
int text_duration(const char *text, uint64_t *ns);
/* Bytes of '192B', '200MiB', '4KiB', '2GB'; K M G T alone are binary, as in page sizes; kB MB GB TB
 * are powers of 1000; case matters. A unit is required. 0 or -1 (no number, unknown unit, no whole
 * number of bytes, does not fit). */
int text_bytes(const char *text, uint64_t *bytes);
/* "64k" -> "64K", "4mib" -> "4MiB": what text_bytes() would read, for the caller to free; NULL: no
 * unit is meant. */
char *text_bytes_meant(const char *text);
/* Where a label lies on an axis: a plain number, or bytes as above. 0 or -1. */
int text_position(const char *text, double *value);
/* "yes" "no" (also true, false, on, off, 1, 0). 0 or -1. */
int text_flag(const char *text, bool *value);

/* The name of names[count] that is most similar to text, or NULL when none is near: at most a third
 * of the letters of the longer one differ (Damerau-Levenshtein distance in its restricted form,
 * "optimal string alignment", case ignored). Among equally near names the first one is returned. */
const char *text_nearest(const char *text, const char *const *names, size_t count);
/* "a, b or c" of names up to NULL, in buffer. */
const char *text_one_of(const char *const *names, char *buffer, size_t n);

/* "4 KiB", "1.5 GiB", "1234 MiB": bytes for people, in buffer. Exact where 3 digits or a whole
 * number of the next smaller unit (not of bytes) can express it, else rounded to 3 digits. */
const char *text_size(uint64_t bytes, char *buffer, size_t n);
/* The same, but "23170 B" where it would be rounded. */
const char *text_size_exact(uint64_t bytes, char *buffer, size_t n);
/* The same as one word that text_bytes() reads: "16KiB", "23170B". */
const char *text_size_word(uint64_t bytes, char *buffer, size_t n);
/* "0.42 %", "4.2 %", "42 %", "150 %" of a part of 1, in buffer: two digits, and never an exponent
 * where it would read as a larger number ("1e+02"); "n/a" of none. */
const char *text_percent(double part, char *buffer, size_t n);
/* Are two words the same, or the same size in bytes: "16KiB" and "16384B"? */
bool text_same_value(const char *a, const char *b);
/* "0-3,8" from set[0..count): the indices that are true. "none" for an empty set; ends in
 * "..." when the buffer is too small. */
const char *text_ranges(const bool *set, size_t count, char *buffer, size_t n);
/* Reads a list of numbers as Linux writes it ("0-3,8") into set[0..count). Indices beyond count are
 * dropped; indices that are not listed are cleared. An empty text is an empty list. Returns the
 * number of indices set, or -1 when text is not such a list. */
int text_parse_ranges(const char *text, bool *set, size_t count);

/* The first line of a small file of /proc or /sys, without its newline; "" when it is empty.
 * 0, or -1 with errno (ERANGE: the line is longer than the buffer). */
int text_first_line(const char *path, char *buffer, size_t n);

/* Prints a word so that a shell reads it as one, whatever it contains: in single quotes where it
 * needs them. */
void text_print_quoted(const char *word, FILE *out);

/* The first control character of a text, which a terminal would obey, but for the ends of lines and
 * tabs. NULL: there is none. */
const char *text_control(const char *text);
/* Prints a text that somebody else may have written: control characters as \xHH. */
void text_print_shown(const char *text, FILE *out);

/* Prints a text as RFC 4180 requires: in quotes if it contains a comma, a quote or the end of a
 * line; a quote inside is doubled. Every text that the user or a library wrote is written to CSV by
 * this function. */
void text_print_csv(const char *text, FILE *out);

#endif
