/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers and units of text.h: strict readers, and sizes for people. */
#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define DIGITS        "0123456789"
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

struct unit {
	const char *name;
	uint64_t scale;
};

static const struct unit duration_units[] = {
	{"", 1000000}, /* a bare number: milliseconds */
	{"ns", 1},
	{"us", 1000},
	{"ms", 1000000},
	{"s", 1000000000},
	{"min", 60000000000},
};

static const struct unit byte_units[] = {
	{"B", 1},
	{"K", UINT64_C(1) << 10},
	{"M", UINT64_C(1) << 20},
	{"G", UINT64_C(1) << 30},
	{"T", UINT64_C(1) << 40},
	{"KiB", UINT64_C(1) << 10},
	{"MiB", UINT64_C(1) << 20},
	{"GiB", UINT64_C(1) << 30},
	{"TiB", UINT64_C(1) << 40},
	{"kB", 1000},
	{"MB", 1000000},
	{"GB", 1000000000},
	{"TB", 1000000000000},
};

static const struct {
	const char *name;
	bool value;
} flag_names[] = {
	{"yes", true},
	{"no", false},
	{"true", true},
	{"false", false},
	{"on", true},
	{"off", false},
	{"1", true},
	{"0", false},
};

/* Does not use strtoull(), because it accepts white space and a sign, and turns -1 into 2^64 - 1.
 */
static int read_digits(const char *digits, size_t length, uint64_t *value)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < length; i++) {
		if (__builtin_mul_overflow(sum, 10u, &sum) ||
			__builtin_add_overflow(sum, (unsigned)(digits[i] - '0'), &sum))
			return -1;
	}
	*value = sum;
	return 0;
}

int text_count(const char *text, uint64_t *value)
{
	size_t length = strspn(text, DIGITS);

	if (length == 0 || text[length] != '\0')
		return -1;
	return read_digits(text, length, value);
}

/* Reads the decimal number at the start of text; returns its end, or NULL. strtod() would also
 * accept white space, "nan", "inf" and hexadecimal; after a sign, only hexadecimal begins with a
 * digit. */
static const char *read_real(const char *text, double *value)
{
	const char *digits = text + (*text == '+' || *text == '-');
	const char *first = digits + (*digits == '.');
	double number;
	char *end;

	if (!isdigit((unsigned char)*first))
		return NULL;
	if (digits[0] == '0' && tolower((unsigned char)digits[1]) == 'x')
		return NULL;
	number = strtod(text, &end);
	if (!isfinite(number))
		return NULL;
	*value = number;
	return end;
}

int text_real(const char *text, double *value)
{
	double number;
	const char *end = read_real(text, &number);

	if (!end || *end != '\0')
		return -1;
	*value = number;
	return 0;
}

int text_fraction(const char *text, double *value)
{
	double number;
	const char *end = read_real(text, &number);

	if (!end)
		return -1;
	if (strcmp(end, "%") == 0)
		number /= 100;
	else if (*end != '\0')
		return -1;
	*value = number;
	return 0;
}

static uint64_t find_scale(const char *name, const struct unit *units, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(units[i].name, name) == 0)
			return units[i].scale;
	}
	return 0;
}

/* Converts the digits after the point to a share of scale, beginning with the last digit. Each
 * division by 10 must have no remainder, so that nothing is rounded: '0.1KiB' is not a whole number
 * of bytes, and is refused. */
static int read_share(const char *digits, size_t length, uint64_t scale, uint64_t *share)
{
	uint64_t sum = 0;

	while (length-- > 0) {
		sum += (uint64_t)(digits[length] - '0') * scale;
		if (sum % 10 != 0)
			return -1;
		sum /= 10;
	}
	*share = sum;
	return 0;
}

static int read_scaled(const char *text, const struct unit *units, size_t count, uint64_t *value)
{
	size_t length = strspn(text, DIGITS);
	const char *decimals = text + length + (text[length] == '.');
	size_t places = text[length] == '.' ? strspn(decimals, DIGITS) : 0;
	uint64_t scale = find_scale(decimals + places, units, count);
	uint64_t whole, share;

	if (length == 0 || (text[length] == '.' && places == 0) || scale == 0)
		return -1;
	if (read_digits(text, length, &whole) || read_share(decimals, places, scale, &share))
		return -1;
	if (__builtin_mul_overflow(whole, scale, &whole) ||
		__builtin_add_overflow(whole, share, &whole))
		return -1;
	*value = whole;
	return 0;
}

int text_duration(const char *text, uint64_t *ns)
{
	return read_scaled(text, duration_units, LENGTH(duration_units), ns);
}

int text_bytes(const char *text, uint64_t *bytes)
{
	return read_scaled(text, byte_units, LENGTH(byte_units), bytes);
}

char *text_bytes_meant(const char *text)
{
	const size_t digits = strspn(text, DIGITS "."), unit = strlen(text + digits);
	char *meant = alloc_string(text, strlen(text));
	uint64_t bytes;

	for (char *c = meant + digits; *c; c++)
		*c = (char)toupper((unsigned char)*c);
	if (unit == 3) /* "KIB"; of "mb" nobody knows whether 2^20 or 10^6 are meant */
		meant[digits + 1] = 'i';
	if ((unit == 1 || unit == 3) && !text_bytes(meant, &bytes))
		return meant;
	free(meant);
	return NULL;
}

int text_position(const char *text, double *value)
{
	uint64_t bytes;

	if (!text_real(text, value))
		return 0;
	if (text_bytes(text, &bytes))
		return -1;
	*value = (double)bytes;
	return 0;
}

int text_flag(const char *text, bool *value)
{
	for (size_t i = 0; i < LENGTH(flag_names); i++) {
		if (strcmp(text, flag_names[i].name) == 0) {
			*value = flag_names[i].value;
			return 0;
		}
	}
	return -1;
}

const char *text_size(uint64_t bytes, char *buffer, size_t n)
{
	static const char *const names[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
	unsigned power = 0;
	double amount;
	char digits[32];

	while (power + 1 < LENGTH(names) && bytes >> (10 * (power + 1)) != 0)
		power++;
	amount = (double)bytes / (double)(UINT64_C(1) << (10 * power));
	/* Four digits between two units: 1023 KiB stays, 1023.9 KiB is 1 MiB. */
	if (amount >= 1023.5 && power + 1 < LENGTH(names)) {
		amount /= 1024;
		power++;
	}
	snprintf(digits, sizeof(digits), amount < 999.5 ? "%.3g" : "%.0f", amount);
	/* Goes down one unit at most, because 65536123 KiB is exact but hard to read. */
	if (strtod(digits, NULL) != amount && power > 1 &&
		bytes % (UINT64_C(1) << (10 * (power - 1))) == 0) {
		power--;
		snprintf(digits, sizeof(digits), "%.0f", (double)(bytes >> (10 * power)));
	}
	snprintf(buffer, n, "%s %s", digits, names[power]);
	return buffer;
}

const char *text_size_word(uint64_t bytes, char *buffer, size_t n)
{
	char text[32];
	uint64_t read = 0;

	text_size(bytes, text, sizeof(text));
	memmove(strchr(text, ' '), strchr(text, ' ') + 1, strlen(strchr(text, ' ')));
	if (!text_bytes(text, &read) && read == bytes)
		snprintf(buffer, n, "%s", text);
	else
		snprintf(buffer, n, "%lluB", (unsigned long long)bytes);
	return buffer;
}

const char *text_size_exact(uint64_t bytes, char *buffer, size_t n)
{
	char word[32];
	int digits = (int)strspn(text_size_word(bytes, word, sizeof(word)), "0123456789.");

	snprintf(buffer, n, "%.*s %s", digits, word, word + digits);
	return buffer;
}

bool text_same_value(const char *a, const char *b)
{
	uint64_t x, y;

	return !strcmp(a, b) || (!text_bytes(a, &x) && !text_bytes(b, &y) && x == y);
}

const char *text_percent(double part, char *buffer, size_t n)
{
	const double percent = part * 100;

	if (isfinite(percent))
		snprintf(buffer, n, fabs(percent) < 10 ? "%.2g %%" : "%.0f %%", percent);
	else
		snprintf(buffer, n, "n/a");
	return buffer;
}
