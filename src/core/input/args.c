/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads argument files: bytes to lines to (key, value, line). */
#include "input/args.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/denied.h"
#include "base/text.h"
#include "input/experiments.h"
#include "input/param.h"
#include "input/registry.h"
#include "input/request.h"

/* An argument file is a page or two of text; anything much larger is a mistake (a results file, a
 * device that never ends), better refused than read. */
#define MAX_BYTES (1u << 20)

/* There are about a hundred keys; a table or a log that got here by mistake has more lines. */
#define MAX_LINES 4096

static const struct place set_place = {"--set", 0};

/* Who knows other benchmarks first tries the name of a kernel. */
static int hint_file(const char *path, struct errors *e)
{
	const char *kernel = registry_meant(path);
	char *nearest = kernel || strpbrk(path, "./") ? NULL : experiments_nearest(path);

	if (nearest)
		error_hint(e, "did you mean the experiment '%s'? affinity --experiments lists all",
			nearest);
	free(nearest);
	if (nearest)
		return -1;
	if (!kernel)
		return error_hint(e,
			"affinity ARGS [OUT]: the argument file comes first; args/ holds examples");
	return error_hint(e,
		"a line 'kernels: %s' in an argument file runs that kernel; affinity --help %s "
		"describes it",
		kernel, kernel);
}

/* Opens what can be an argument file: regular, or a pipe as in `affinity <(generate) out`. "-" is
 * standard input, which messages call `shown`. */
static int open_file(const char *path, const char *shown, struct errors *e)
{
	struct stat st;
	int fd = strcmp(path, "-") ? open(path, O_RDONLY | O_CLOEXEC)
				   : fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);

	if (fd < 0) {
		const int error = errno;

		error_add(e, STATUS_USAGE, (struct place){shown, 0},
			"cannot read the argument file: %s", strerror(error));
		hint_file(path, e);
		return denied_hint(path, error, e);
	}
	if (fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
		error_add(e, STATUS_USAGE, (struct place){shown, 0},
			"is a directory, not an argument file");
		error_hint(e, "scripts/ejec.sh %s runs every file of a folder", path);
		close(fd);
		return -1;
	}
	return fd;
}

static int read_all(struct args *a, int fd, struct errors *e)
{
	struct place at = {a->path, 0};
	ssize_t got;

	a->text = alloc_zeroed(MAX_BYTES + 1, 1);
	while ((got = read(fd, a->text + a->length, MAX_BYTES + 1 - a->length)) > 0) {
		a->length += (size_t)got;
		if (a->length > MAX_BYTES)
			return error_add(e, STATUS_USAGE, at,
				"is larger than 1 MiB; this is not an argument file");
	}
	if (got < 0)
		return error_add(
			e, STATUS_USAGE, at, "cannot read the argument file: %s", strerror(errno));
	a->text[a->length] = '\0';
	return 0;
}

void args_add(struct args *a, const char *key, const char *value, struct place at)
{
	a->entries = alloc_grow(a->entries, a->count, sizeof(*a->entries));
	a->entries[a->count++] = (struct entry){
		alloc_string(key, strlen(key)), alloc_string(value, strlen(value)), at, false};
}

/* With key=value the entry is taken, so that nobody is told that the key is missing. */
static void no_colon(struct args *a, char *line, struct place at, struct errors *e)
{
	char *equals = strchr(line, '=');

	error_add(e, STATUS_USAGE, at, "'%s' is not of the form 'key: value'", line);
	error_hint(e, "every line is 'key: value', a '# comment', or empty");
	if (!equals)
		return;
	*equals = '\0';
	char *key = text_trim(line), *value = text_trim(equals + 1);
	if (!*key || !*value || strpbrk(key, " \t:"))
		return;
	error_hint(e, "write %s: %s", key, value);
	args_add(a, key, value, at);
}

/* A unit that cannot be a value of its own. Single letters can: they name nodes. */
static bool is_unit(const char *word)
{
	static const char *const units[] = {
		"KiB", "MiB", "GiB", "TiB", "kB", "KB", "MB", "GB", "TB", "ms", "us", "ns", NULL};
	int i = 0;

	while (units[i] && strcmp(units[i], word) != 0)
		i++;
	return units[i];
}

static bool is_split(const struct words *list, size_t i)
{
	double number;

	return i && is_unit(list->word[i]) && !text_real(list->word[i - 1], &number);
}

/* '1 MiB' would be two values. The blank goes, so that no other message follows from it. value is
 * writable. */
static void join_units(const char *key, char *value, struct place at, struct errors *e)
{
	struct words list = {0};
	char *end = value;

	words_split(&list, value, " \t");
	for (size_t i = 0; i < list.count; i++) {
		if (i && !is_split(&list, i))
			*end++ = ' ';
		end = stpcpy(end, list.word[i]);
		if (!is_split(&list, i))
			continue;
		error_add(e, STATUS_USAGE, at, "%s: '%s %s' has a blank before its unit", key,
			list.word[i - 1], list.word[i]);
		error_hint(e, "write %s%s", list.word[i - 1], list.word[i]);
	}
	words_free(&list);
}

/* One line, NUL-terminated and writable. */
static void parse_line(struct args *a, char *line, struct place at, struct errors *e)
{
	char *comment = strchr(line, '#');

	if (comment)
		*comment = '\0';
	line = text_trim(line);
	if (!*line)
		return;
	char *colon = strchr(line, ':');
	if (!colon || colon == line) {
		no_colon(a, line, at, e);
		return;
	}
	*colon = '\0';
	char *key = text_trim(line), *value = text_trim(colon + 1);
	if (!*value) {
		error_add(e, STATUS_USAGE, at, "'%s' has no value", key);
		return;
	}
	join_units(key, value, at, e);
	args_add(a, key, value, at);
}

static void parse_lines(struct args *a, struct errors *e)
{
	const char *start = a->text, *end = a->text + a->length;
	int line = 1;

	if (a->length >= 3 && !memcmp(start, "\xef\xbb\xbf", 3))
		start += 3; /* some editors sign UTF-8 files this way */
	for (; start < end; line++) {
		const char *stop = memchr(start, '\n', (size_t)(end - start));
		size_t length = (size_t)((stop ? stop : end) - start);
		struct place at = {a->path, line};

		if (line > MAX_LINES) {
			error_add(e, STATUS_USAGE, (struct place){a->path, 0},
				"has more than %d lines; this is not an argument file", MAX_LINES);
			return;
		}
		if (memchr(start, '\0', length)) {
			error_add(e, STATUS_USAGE, at, "holds a NUL byte; this is not a text file");
			return;
		}
		char *copy = alloc_string(start, length);
		parse_line(a, copy, at, e);
		free(copy);
		start += length + 1;
	}
}

static int parse(struct args *a, struct errors *e)
{
	size_t before = e->failures;

	parse_lines(a, e);
	a->from_file = a->count;
	if (e->failures != before)
		return -1;
	if (!a->count) {
		error_add(
			e, STATUS_USAGE, (struct place){a->path, 0}, "holds no 'key: value' line");
		return error_hint(e, "affinity --help keys lists the keys; args/ holds examples");
	}
	return 0;
}

const char *args_name(const char *path)
{
	return strcmp(path, "-") ? path : "standard input";
}

int args_read(struct args *a, const char *path, struct errors *e)
{
	const char *shown = args_name(path);

	*a = (struct args){.path = alloc_string(shown, strlen(shown))};
	int fd = open_file(path, a->path, e);
	if (fd < 0)
		return -1;
	int failed = read_all(a, fd, e);
	close(fd);
	return failed ? -1 : parse(a, e);
}

int args_parse(struct args *a, const char *path, const char *text, size_t length, struct errors *e)
{
	*a = (struct args){.path = alloc_string(path, strlen(path)),
		.text = alloc_string(text, length),
		.length = length};
	return parse(a, e);
}

static bool same_key(const char *a, const char *b)
{
	const struct param *row = request_find(a);

	return !strcmp(a, b) || (row && row == request_find(b));
}

/* The line "sweep: NAME = ..." of a variable; a->count: there is none. */
static size_t find_variable(const struct args *a, const char *name)
{
	const size_t length = strlen(name);
	size_t i = 0;

	for (; i < a->count; i++) {
		const char *text = a->entries[i].value, *rest = text + length;

		if (!strcmp(a->entries[i].key, "sweep") && !strncmp(text, name, length) &&
			rest[strspn(rest, " \t")] == '=')
			break;
	}
	return i;
}

static void add_values(struct args *a, const char *name, const char *values)
{
	char *line = alloc_format("%s = %s", name, values);

	args_add(a, "sweep", line, set_place);
	free(line);
}

static void remove_entry(struct args *a, size_t i)
{
	free(a->entries[i].key);
	free(a->entries[i].value);
	a->count--;
	a->from_file -= i < a->from_file;
	memmove(&a->entries[i], &a->entries[i + 1], (a->count - i) * sizeof(*a->entries));
}

/* A batch has one --set for files with the key and others without it. */
static int take_away(struct args *a, const char *key, struct errors *e)
{
	const size_t variable = find_variable(a, key);

	if (variable < a->count) {
		remove_entry(a, variable);
		return 0;
	}
	if (!request_find(key)) {
		request_unknown(key, set_place, e);
		return -1;
	}
	for (size_t i = a->count; i-- > 0;)
		if (same_key(a->entries[i].key, key))
			remove_entry(a, i);
	return 0;
}

int args_set(struct args *a, const char *assignment, struct errors *e)
{
	const char *equals = strchr(assignment, '=');

	if (!equals || equals == assignment) {
		error_add(e, STATUS_USAGE, set_place, "'%s' is not of the form KEY=VALUE",
			assignment);
		return error_hint(e,
			"for example --set samples=3, or in quotes --set 'kernels=read "
			"write'");
	}
	char *copy = alloc_string(assignment, strlen(assignment));
	int failed = 0;

	copy[equals - assignment] = '\0';
	char *key = text_trim(copy), *value = text_trim(copy + (equals - assignment) + 1);
	words_add(&a->sets, assignment, strlen(assignment));
	join_units(key, value, set_place, e);
	if (!*value)
		failed = take_away(a, key, e);
	else if (find_variable(a, key) < a->count)
		add_values(a, key, value);
	else
		args_add(a, key, value, set_place);
	free(copy);
	return failed;
}

void args_free(struct args *a)
{
	for (size_t i = 0; i < a->count; i++) {
		free(a->entries[i].key);
		free(a->entries[i].value);
	}
	words_free(&a->sets);
	free(a->entries);
	free(a->text);
	free(a->path);
	*a = (struct args){0};
}
