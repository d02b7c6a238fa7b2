/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds a number in a program's output, and refuses one that may be another. */
#include "affinity-map/figure.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/types.h>

#include "base/alloc.h"
#include "base/text.h"

#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

/* What may divide a number into parts: thousands, decimals, minutes. */
#define DIVIDERS ".,'_:"

int figure_compile(struct figure_pattern *p, const char *text, struct errors *e)
{
	char why[256];
	int bad = regcomp(&p->compiled, text, REG_EXTENDED | REG_NEWLINE);

	p->text = text;
	if (bad) {
		regerror(bad, &p->compiled, why, sizeof(why));
		return error_add(e, STATUS_USAGE, NOWHERE,
			"--figure '%s' is no extended regular expression: %s", text, why);
	}
	if (p->compiled.re_nsub)
		return 0;
	regfree(&p->compiled);
	error_add(e, STATUS_USAGE, NOWHERE, "--figure '%s' has no group around the number", text);
	return error_hint(e, "such as 'total: ([0-9.]+) s'");
}

void figure_free(struct figure_pattern *p)
{
	regfree(&p->compiled);
}

static bool is_digit(char c)
{
	return isdigit((unsigned char)c);
}

/* Whether the expression says itself what is between the group and its neighbour. */
static bool names_divider(const struct figure_pattern *p, char divider)
{
	if (divider == '.') /* any character, unless it is quoted */
		return strstr(p->text, "\\.") || strstr(p->text, "[.]");
	return strchr(p->text, divider);
}

/* The blanks that typographers put between thousands: U+00A0, U+2009, U+202F. */
static size_t narrow_blank(const char *text)
{
	static const char *const blanks[] = {"\xc2\xa0", "\xe2\x80\x89", "\xe2\x80\xaf"};

	for (size_t i = 0; i < LENGTH(blanks); i++)
		if (!strncmp(text, blanks[i], strlen(blanks[i])))
			return strlen(blanks[i]);
	return 0;
}

static bool is_exponent(const char *text)
{
	return (*text == 'e' || *text == 'E') &&
	       is_digit(text[1 + (text[1] == '+' || text[1] == '-')]);
}

/* edge: nothing of the match is behind the group. */
static bool goes_on(const struct figure_pattern *p, const char *end, bool edge)
{
	const size_t blank = narrow_blank(end);

	if (is_exponent(end) || (blank && is_digit(end[blank])))
		return true;
	if (is_digit(*end))
		return edge;
	return *end && strchr(DIVIDERS, *end) && is_digit(end[1]) &&
	       (edge || !names_divider(p, *end));
}

/* edge: nothing of the match is before the group. */
static bool began_before(
	const struct figure_pattern *p, const char *line, const char *first, bool edge)
{
	const size_t n = (size_t)(first - line);
	const char before = n ? first[-1] : '\0', second = n > 1 ? first[-2] : '\0';

	for (size_t k = 2; k <= 3; k++)
		if (n > k && narrow_blank(first - k) == k && is_digit(first[-(ssize_t)k - 1]))
			return true;
	if (n > 2 && is_exponent(first - 2) && is_digit(first[-3]))
		return true; /* of "e+03" the 03 */
	if (n > 1 && is_exponent(first - 1) && is_digit(second))
		return true;
	if (is_digit(before))
		return edge;
	if (before == '-' && edge)
		return n < 2 || strchr(" \t=:(", second);
	return before && strchr(DIVIDERS, before) && is_digit(second) &&
	       (edge || !names_divider(p, before));
}

/* "1,234.5", "1.234.567", "1'234": digits without separators and with a point. NULL: it is not such
 * a number beyond doubt. To be freed. */
static char *without_thousands(const char *text)
{
	const size_t head = strspn(text, "0123456789");
	const char separator = text[head];
	const char point = separator == '.' ? ',' : '.';
	char *plain = alloc_string(text, strlen(text));
	size_t at = head, n = head, groups = 0;

	for (; text[at] == separator && separator && strspn(text + at + 1, "0123456789") == 3;
		groups++) {
		memcpy(plain + n, text + at + 1, 3);
		n += 3;
		at += 4;
	}
	const bool has_point = text[at] == point;
	const bool sure = groups > 1 || has_point || separator == '\'' || separator == '_';

	strcpy(plain + n, text + at);
	if (has_point)
		plain[n] = '.';
	if (head >= 1 && head <= 3 && *text != '0' && groups && sure && strchr(",.'_", separator))
		return plain;
	free(plain);
	return NULL;
}

/* The group's text as a number. False: it is none, or not beyond doubt. */
static bool read_number(const char *text, double *value)
{
	char *plain = without_thousands(text);
	const bool bad = text_real(plain ? plain : text, value);

	free(plain);
	return !bad;
}

static void read_unit(const char *end, char *unit, size_t n)
{
	size_t length = 0;

	end += strspn(end, " \t");
	while (length + 1 < n && (isalpha((unsigned char)end[length]) || end[length] == '/'))
		length++;
	memcpy(unit, end, length);
	unit[length] = '\0';
}

static void take_match(struct figure *f, const struct figure_pattern *p, const char *line,
	const char *rest, const regmatch_t *match)
{
	const char *first = rest + match[1].rm_so, *end = rest + match[1].rm_eo;
	char *text = alloc_string(first, (size_t)(end - first));

	free(f->doubt);
	*f = (struct figure){.value = NAN};
	read_unit(end, f->unit, sizeof(f->unit));
	if (began_before(p, line, first, match[0].rm_so == match[1].rm_so) ||
		goes_on(p, end, match[0].rm_eo == match[1].rm_eo)) {
		int before = 0, after = 0;

		while (first - before > line && !isspace((unsigned char)first[-before - 1]))
			before++;
		while (end[after] && !isspace((unsigned char)end[after]))
			after++;
		f->doubt = alloc_format("its output has '%.*s', and --figure takes only '%s'",
			(int)(end - first) + before + after, first - before, text);
	} else if (!read_number(text, &f->value)) {
		f->value = NAN;
		f->doubt = alloc_format("'%s' in its output is not clearly a number", text);
	}
	free(text);
}

/* All matches in a line, which may be a progress that was written over. */
static void find_in_line(const char *line, const struct figure_pattern *p, struct figure *f)
{
	const char *rest = line;
	regmatch_t match[2];

	for (int flags = 0; !regexec(&p->compiled, rest, 2, match, flags); flags = REG_NOTBOL) {
		if (match[1].rm_so >= 0)
			take_match(f, p, line, rest, match);
		rest += match[0].rm_eo;
		if (!match[0].rm_eo || !*rest)
			break;
	}
}

void figure_find(FILE *in, const struct figure_pattern *p, struct figure *f)
{
	char *line = NULL;
	size_t size = 0;

	*f = (struct figure){.value = NAN};
	while (getline(&line, &size, in) > 0)
		find_in_line(line, p, f);
	free(line);
}

/* Quantities by the names of their units, without prefix and what follows a '/'. */
static const struct {
	const char *name;
	char quantity;
} units[] = {{"", 'n'}, {"B", 'b'}, {"byte", 'b'}, {"Byte", 'b'}, {"b", 'b'}, {"bit", 'b'},
	{"bp", 'b'}, {"Bp", 'b'}, {"s", 't'}, {"sec", 't'}, {"second", 't'}, {"min", 't'},
	{"minute", 't'}, {"h", 't'}, {"hour", 't'}, {"Hz", 'h'}, {"flop", 'f'}, {"Flop", 'f'},
	{"FLOP", 'f'}, {"op", 'o'}, {"Op", 'o'}, {"OP", 'o'}, {"IOP", 'o'}, {"iop", 'o'}};

static char quantity_of_name(const char *name, size_t length)
{
	/* plural, and "s" for "per second" */
	const size_t singular = length > 1 && strchr("sS", name[length - 1]) ? length - 1 : length;

	for (size_t i = 0; i < LENGTH(units); i++)
		for (size_t n = singular; n <= length; n++)
			if (strlen(units[i].name) == n && !strncmp(units[i].name, name, n))
				return units[i].quantity;
	return '\0';
}

static char quantity_of(const char *unit)
{
	const size_t length = strcspn(unit, "/");
	char found = quantity_of_name(unit, length);

	if (!found && length && strchr("numkKMGTP", *unit))
		found = quantity_of_name(unit + 1, length - 1);
	if (!found && length > 1 && unit[1] == 'i' && strchr("KMGTP", *unit))
		found = quantity_of_name(unit + 2, length - 2);
	return found;
}

enum figure_better figure_better(const char *unit)
{
	const size_t length = strlen(unit), head = strcspn(unit, "/");
	const char last = length ? unit[length - 1] : '\0', of = quantity_of(unit);

	if (!length)
		return FIGURE_UNKNOWN;
	if (of == 't') /* "ms", "ns/op"; "s/s" is neither */
		return head < length && quantity_of(unit + head + 1) == 't' ? FIGURE_UNKNOWN
									    : FIGURE_SMALLER;
	if (head < length) /* "tokens/s", "MB/s" */
		return quantity_of(unit + head + 1) == 't' ? FIGURE_LARGER : FIGURE_UNKNOWN;
	if ((of == 'f' || of == 'o') && strchr("sS", last) && length > strlen("ops"))
		return FIGURE_LARGER; /* "GFLOPS", "IOPS" */
	if (length > 2 && !strcasecmp(unit + length - 2, "ps") &&
		(of == 'b' || (length == 3 && of != 'o')))
		return FIGURE_LARGER; /* "Mbps", "fps" */
	return FIGURE_UNKNOWN;
}

bool figure_other_unit(const char *a, const char *b)
{
	const size_t shorter = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
	const bool plural = shorter && !strncmp(a, b, shorter) &&
			    (!strcmp(a + shorter, "s") || !strcmp(b + shorter, "s"));

	return strcmp(a, b) && !plural && quantity_of(a) && quantity_of(a) == quantity_of(b);
}
