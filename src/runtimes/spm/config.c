/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One table has the fields of a configuration: for texts, the environment, checks and output. */
#include "spm/config.h"

#include <ctype.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

#define PREFIX "AFFINITY_SPM_"

enum type { NUMBER, BYTES, YES_NO, CHOICE };

struct field {
	const char *name;
	enum type type;
	size_t offset;
	const char *choices[5]; /* in the order of the enum */
};

#define AT(member) offsetof(struct spm_config, member)

static const struct field fields[] = {
	{"reuse_threshold", NUMBER, AT(reuse_threshold), {NULL}},
	{"reuse_mode", CHOICE, AT(reuse_mode), {"per_element", "raw", "per_page"}},
	{"size_test", YES_NO, AT(size_test), {NULL}},
	{"cache_factor", NUMBER, AT(cache_factor), {NULL}},
	{"cache_def", CHOICE, AT(cache_def), {"sum", "llc", "share"}},
	{"cache_bytes", BYTES, AT(cache_bytes), {NULL}},
	{"mover", CHOICE, AT(mover), {"mbind", "move_pages"}},
	{"policy", CHOICE, AT(policy), {"bind", "default"}},
	{"pin", CHOICE, AT(pin), {"none", "tree"}},
	{"lock", CHOICE, AT(lock), {"none", "node_rr", "node_current", "only_if_migrated"}},
	{"estimate", CHOICE, AT(estimate), {"static", "actual"}},
};

#define NFIELDS (sizeof(fields) / sizeof(fields[0]))

static void *member(struct spm_config *c, const struct field *f)
{
	return (char *)c + f->offset;
}

static const void *value_of(const struct spm_config *c, const struct field *f)
{
	return (const char *)c + f->offset;
}

static int nchoices(const struct field *f)
{
	int n = 0;

	while (f->choices[n])
		n++;
	return n;
}

void spm_say(char *message, size_t size, const char *format, ...)
{
	size_t used = size ? strnlen(message, size) : 0;
	va_list ap;

	if (used && used + 1 < size) {
		message[used++] = '\n';
		message[used] = '\0';
	}
	va_start(ap, format);
	if (used < size)
		vsnprintf(message + used, size - used, format, ap);
	va_end(ap);
}

void spm_config_default(struct spm_config *config)
{
	*config = (struct spm_config){
		.reuse_threshold = 200,
		.reuse_mode = SPM_PER_ELEMENT,
		.size_test = true,
		.cache_factor = 0.2,
		.cache_def = SPM_CACHE_SUM,
		.mover = SPM_MBIND,
		.policy = SPM_POLICY_BIND,
		.pin = SPM_PIN_NONE,
		.lock = SPM_LOCK_NONE,
		.estimate = SPM_STATIC,
	};
}

/* Digits, or digits with a point between them. strtod() expects the locale's decimal point. */
static int read_number(const char *text, double *number, const char **end)
{
	double value = 0, unit = 1;

	if (!isdigit((unsigned char)*text))
		return -1;
	for (; isdigit((unsigned char)*text); text++)
		value = value * 10 + (*text - '0');
	if (*text == '.' && isdigit((unsigned char)text[1]))
		for (text++; isdigit((unsigned char)*text); text++) {
			value = value * 10 + (*text - '0');
			unit *= 10;
		}
	*number = value / unit;
	*end = text;
	return 0;
}

static int set_number(double *out, const char *value)
{
	const char *end;
	double number;

	if (read_number(value, &number, &end) || *end)
		return -1;
	*out = number;
	return 0;
}

static int set_bytes(uint64_t *out, const char *value)
{
	static const char *const units[] = {"", "KiB", "MiB", "GiB"};
	const char *end;
	double number;

	if (read_number(value, &number, &end))
		return -1;
	for (int i = 0; i < 4; i++)
		if (!strcmp(end, units[i])) {
			number *= (double)(UINT64_C(1) << 10 * i);
			if (number >= 0x1p53 || number != (double)(uint64_t)number)
				return -1;
			*out = (uint64_t)number;
			return 0;
		}
	return -1;
}

static int set_yes_no(bool *out, const char *value)
{
	if (strcmp(value, "yes") && strcmp(value, "no"))
		return -1;
	*out = !strcmp(value, "yes");
	return 0;
}

static int set_choice(unsigned *out, const struct field *f, const char *value)
{
	for (unsigned i = 0; f->choices[i]; i++)
		if (!strcmp(f->choices[i], value)) {
			*out = i;
			return 0;
		}
	return -1;
}

/* What a value of the field can be, for messages. */
static const char *expected(const struct field *f, char *text, size_t size)
{
	switch (f->type) {
	case NUMBER:
		return "is not a number of at least 0, such as 0.2";
	case BYTES:
		return "is not a number of bytes, such as 8404992 or 8MiB";
	case YES_NO:
		return "is neither yes nor no";
	case CHOICE:
		break;
	}
	snprintf(text, size, "is none of %s", f->choices[0]);
	for (int i = 1; f->choices[i]; i++) {
		strncat(text, ", ", size - strlen(text) - 1);
		strncat(text, f->choices[i], size - strlen(text) - 1);
	}
	return text;
}

/* subject: how messages call the field. */
static int set(struct spm_config *config, const struct field *f, const char *value,
	const char *subject, char *message, size_t size)
{
	void *out = member(config, f);
	char text[128];
	int result = -1;

	switch (f->type) {
	case NUMBER:
		result = set_number(out, value);
		break;
	case BYTES:
		result = set_bytes(out, value);
		break;
	case YES_NO:
		result = set_yes_no(out, value);
		break;
	case CHOICE:
		result = set_choice(out, f, value);
		break;
	}
	if (result)
		spm_say(message, size, "%s: '%s' %s", subject, value,
			expected(f, text, sizeof(text)));
	return result;
}

int spm_config_set(
	struct spm_config *config, const char *name, const char *value, char *message, size_t size)
{
	if (size)
		*message = '\0';
	for (size_t i = 0; i < NFIELDS; i++)
		if (!strcmp(fields[i].name, name))
			return set(config, &fields[i], value, name, message, size);
	spm_say(message, size, "unknown name '%s'", name);
	return -1;
}

/* Is text[n] the field's name in capitals? */
static bool in_capitals(const struct field *f, const char *text, size_t n)
{
	if (strlen(f->name) != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (toupper((unsigned char)f->name[i]) != text[i])
			return false;
	return true;
}

static int set_variable(struct spm_config *config, const char *variable, char *message, size_t size)
{
	const char *name = variable + strlen(PREFIX), *equals = strchr(variable, '=');
	size_t n = (size_t)(equals - name);
	char subject[64];

	snprintf(subject, sizeof(subject), "%.*s", (int)(equals - variable), variable);
	for (size_t i = 0; i < NFIELDS; i++)
		if (in_capitals(&fields[i], name, n))
			return set(config, &fields[i], equals + 1, subject, message, size);
	spm_say(message, size, "%s: there is no such setting", subject);
	return -1;
}

int spm_config_environment(struct spm_config *config, char *message, size_t size)
{
	int result = 0;

	if (size)
		*message = '\0';
	/* who calls a setuid program is not its owner */
	for (char **v = getauxval(AT_SECURE) ? NULL : environ; v && *v; v++)
		if (!strncmp(*v, PREFIX, strlen(PREFIX)) && strchr(*v, '=') &&
			set_variable(config, *v, message, size))
			result = -1;
	return result;
}

static int check_number(const struct field *f, double value, char *message, size_t size)
{
	if (value >= 0 && isfinite(value))
		return 0;
	spm_say(message, size, "%s: %g is not a number of at least 0", f->name, value);
	return -1;
}

static int check_choice(const struct field *f, unsigned value, char *message, size_t size)
{
	if (value < (unsigned)nchoices(f))
		return 0;
	spm_say(message, size, "%s: there is no value %u", f->name, value);
	return -1;
}

int spm_config_check(const struct spm_config *config, char *message, size_t size)
{
	int result = 0;

	for (size_t i = 0; i < NFIELDS; i++) {
		const struct field *f = &fields[i];
		const void *value = value_of(config, f);

		if (f->type == NUMBER && check_number(f, *(const double *)value, message, size))
			result = -1;
		if (f->type == CHOICE && check_choice(f, *(const unsigned *)value, message, size))
			result = -1;
	}
	return result;
}

static void print_field(const struct spm_config *config, const struct field *f, FILE *out)
{
	const void *value = value_of(config, f);

	fprintf(out, "# %s: ", f->name);
	switch (f->type) {
	case NUMBER:
		fprintf(out, "%g\n", *(const double *)value);
		break;
	case BYTES:
		fprintf(out, "%" PRIu64 "\n", *(const uint64_t *)value);
		break;
	case YES_NO:
		fprintf(out, "%s\n", *(const bool *)value ? "yes" : "no");
		break;
	case CHOICE:
		fprintf(out, "%s\n", f->choices[*(const unsigned *)value]);
		break;
	}
}

void spm_config_print(const struct spm_config *config, FILE *out)
{
	locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), before = (locale_t)0;

	if (plain)
		before = uselocale(plain);
	for (size_t i = 0; i < NFIELDS; i++)
		print_field(config, &fields[i], out);
	if (plain) {
		uselocale(before);
		freelocale(plain);
	}
}
