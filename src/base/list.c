/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expands V*N, V* and A-B in lists of values. */
#include "base/list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* A typing error such as 0*1000000000 must give a message and not fill the memory. */
#define MAX_VALUES 65536

static int too_many(const struct words *in, const char *key, const char *word, struct errors *e)
{
	return error_add(e, STATUS_USAGE, in->at, "%s: '%s' makes more than %d values", key, word,
		MAX_VALUES);
}

static int add_range(const struct words *in, const char *key, const char *word, struct words *out,
	struct errors *e)
{
	const char *dash = strchr(word, '-');
	char *first = alloc_string(word, (size_t)(dash - word));
	uint64_t from, to;
	int bad = text_count(first, &from) || text_count(dash + 1, &to);

	free(first);
	if (bad || from > to) {
		error_add(
			e, STATUS_USAGE, in->at, "%s: '%s' is not a range such as 0-3", key, word);
		return bad ? -1
			   : error_hint(e, "ranges count upwards; write each value of another "
					   "order: 3 2 1 0");
	}
	if (to - from >= MAX_VALUES - out->count)
		return too_many(in, key, word, e);
	for (uint64_t i = from; i <= to; i++) {
		char number[24];
		int length = snprintf(number, sizeof(number), "%llu", (unsigned long long)i);
		words_add(out, number, (size_t)length);
	}
	return 0;
}

/* "0-3", not "-3" and not a name such as far-away. */
static bool is_range(const char *word)
{
	size_t digits = strspn(word, "0123456789");

	return digits && word[digits] == '-';
}

static int add_value(const struct words *in, const char *key, const char *word, bool ranges,
	struct words *out, struct errors *e)
{
	if (ranges && is_range(word))
		return add_range(in, key, word, out, e);
	words_add(out, word, strlen(word));
	return out->count > MAX_VALUES ? too_many(in, key, word, e) : 0;
}

static int add_repeated(const struct words *in, const char *key, size_t index, size_t want,
	bool ranges, struct words *out, struct errors *e)
{
	const char *word = in->word[index], *star = strrchr(word, '*');
	uint64_t times = 0;

	if (star[1] && (text_count(star + 1, &times) || !times))
		return error_add(e, STATUS_USAGE, in->at, "%s: '%s' is not of the form VALUE*COUNT",
			key, word);
	if (!star[1] && (want == LIST_ANY || index + 1 != in->count)) {
		error_add(e, STATUS_USAGE, in->at, "%s: '%s' has no count", key, word);
		return error_hint(e, "write VALUE*COUNT; VALUE* must be the last value of a list "
				     "whose length another key sets");
	}
	if (times > MAX_VALUES)
		return too_many(in, key, word, e);
	char *value = alloc_string(word, (size_t)(star - word));
	int failed = 0;
	for (uint64_t i = 0; !failed && (star[1] ? i < times : out->count < want); i++)
		failed = add_value(in, key, value, ranges, out, e);
	free(value);
	return failed;
}

int list_expand(const struct words *in, const char *key, size_t want, bool ranges,
	struct words *out, struct errors *e)
{
	*out = (struct words){.at = in->at};
	for (size_t i = 0; i < in->count; i++) {
		const char *star = strrchr(in->word[i], '*');
		int failed = star && star != in->word[i]
				     ? add_repeated(in, key, i, want, ranges, out, e)
				     : add_value(in, key, in->word[i], ranges, out, e);
		if (failed) {
			words_free(out);
			return -1;
		}
	}
	return 0;
}
