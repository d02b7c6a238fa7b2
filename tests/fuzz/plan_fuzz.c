/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libFuzzer target: argument files that are nearly valid, on machines of all kinds.
 *
 * An input is an argument file whose first line may be `# machine: SYNTHETIC or FILE.xml`, as in
 * tests/golden. The mutator changes lines and words by the grammar, so that most inputs get past
 * the reader and into the plan.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grammar.h"
#include "pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size); /* libFuzzer's */

#define MARK "# machine: "
#define HOME "numa:2(memory=8GB) l3:1(size=16MiB) core:2 pu:2"

/* hwloc needs long to build larger machines; the golden files cover plans for many CPUs. */
#define MAX_CPUS 256

#define MAX_MACHINE 200

/* Loaded machines are kept: to build one takes longer than to make a plan. */
static struct known {
	char name[MAX_MACHINE];
	struct topo topo;
} machines[32];

static size_t line_length(const char *text, size_t size)
{
	const char *end = memchr(text, '\n', size);

	return end ? (size_t)(end - text) + 1 : size;
}

/* Length of the first line of the input if it names a machine; 0 otherwise. */
static size_t head_length(const uint8_t *data, size_t size)
{
	if (size < strlen(MARK) || memcmp(data, MARK, strlen(MARK)) != 0)
		return 0;
	return line_length((const char *)data, size);
}

static unsigned long count_cpus(const char *machine)
{
	unsigned long product = 1;

	for (const char *c = strchr(machine, ':'); c && product <= MAX_CPUS; c = strchr(c + 1, ':'))
		product *= strtoul(c + 1, NULL, 10);
	return product;
}

/* The machine that the input names, or HOME if we cannot use that one. */
static void read_machine(const uint8_t *data, size_t size, char *name)
{
	size_t head = head_length(data, size), length = 0;

	if (head) {
		data += strlen(MARK);
		length = strcspn((const char *)data, "\n");
	}
	snprintf(name, MAX_MACHINE, "%.*s", (int)length, (const char *)data);
	if (!length || length >= MAX_MACHINE || count_cpus(name) > MAX_CPUS)
		snprintf(name, MAX_MACHINE, "%s", HOME);
}

static struct topo *machine(const char *name)
{
	static size_t next;

	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
		if (!strcmp(machines[i].name, name))
			return &machines[i].topo;
	struct known *k = &machines[next++ % (sizeof(machines) / sizeof(*machines))];
	topo_free(&k->topo);
	*k->name = '\0';
	if (pipeline_machine(&k->topo, name))
		return NULL;
	snprintf(k->name, sizeof(k->name), "%s", name);
	return &k->topo;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = calloc(size + 1, 1), name[MAX_MACHINE];

	memcpy(text, data, size);
	read_machine((uint8_t *)text, size, name);
	const struct topo *t = machine(name);
	if (t)
		pipeline(data, size, t);
	free(text);
	return 0;
}

/* A text that is being changed; text that does not fit is dropped. */
struct draft {
	char *text;
	size_t size, max;
};

static void replace(struct draft *d, size_t at, size_t length, const char *with)
{
	size_t more = strlen(with);

	if (d->size - length + more > d->max)
		return;
	memmove(d->text + at + more, d->text + at + length, d->size - at - length);
	memcpy(d->text + at, with, more);
	d->size += more - length;
}

/* The start of a random line after `from`. */
static size_t any_line(const struct draft *d, struct random *r, size_t from)
{
	size_t at = from;

	if (d->size == from)
		return from;
	for (uint32_t skip = random_below(r, 16); skip; skip--) {
		at += line_length(d->text + at, d->size - at);
		if (at >= d->size)
			at = from;
	}
	return at;
}

/* A random word of the line at `at`. */
static size_t any_word(const struct draft *d, struct random *r, size_t at, size_t *length)
{
	size_t end = at + line_length(d->text + at, d->size - at), count = 0, start = at;

	for (*length = 0; at < end; at++) {
		size_t word = at;

		while (at < end && !memchr(" \t\n,", d->text[at], 4))
			at++;
		if (at > word && !random_below(r, (uint32_t)++count)) {
			start = word;
			*length = at - word;
		}
	}
	return start;
}

static void change_line(struct draft *d, struct random *r, size_t head)
{
	char line[512];
	size_t used = grammar_write(r, 'l', line, sizeof(line) - 1);
	size_t key = strcspn(line, ":") + 1, at = head, length;

	line[used] = '\n';
	line[used + 1] = '\0';
	/* replaces a line with the same key, so that fewer files fail because of a repeated key */
	for (; at < d->size; at += length) {
		length = line_length(d->text + at, d->size - at);
		if (length >= key && !memcmp(d->text + at, line, key)) {
			replace(d, at, length, line);
			return;
		}
	}
	if (d->size > head && d->text[d->size - 1] != '\n')
		replace(d, d->size, 0, "\n");
	replace(d, d->size, 0, line);
}

static void change_word(struct draft *d, struct random *r, size_t head, char how)
{
	char word[256] = "";
	size_t length, at = any_word(d, r, any_line(d, r, head), &length);

	if (how == '=')
		grammar_write(r, 'w', word, sizeof(word));
	else if (how == '+')
		snprintf(word, sizeof(word), "%.*s %.*s", (int)(length < 100 ? length : 100),
			d->text + at, (int)(length < 100 ? length : 100), d->text + at);
	replace(d, at, length, word);
}

static void change_machine(struct draft *d, struct random *r, size_t head)
{
	char line[MAX_MACHINE + 20] = MARK;
	size_t used = grammar_write(r, 'm', line + strlen(MARK), MAX_MACHINE);

	snprintf(line + strlen(MARK) + used, sizeof(line) - strlen(MARK) - used, "\n");
	replace(d, 0, head, line);
}

static void start_anew(struct draft *d, struct random *r, size_t head)
{
	char text[1024];

	grammar_write(r, 'B', text, sizeof(text));
	replace(d, head, d->size - head, text);
}

static void mutate(struct draft *d, struct random *r)
{
	size_t head = head_length((uint8_t *)d->text, d->size);
	size_t at = any_line(d, r, head);

	switch (random_below(r, 16)) {
	case 0:
		change_machine(d, r, head);
		break;
	case 1:
		d->size = head + LLVMFuzzerMutate(
					 (uint8_t *)d->text + head, d->size - head, d->max - head);
		break;
	case 2:
		start_anew(d, r, head);
		break;
	case 3:
		replace(d, at, line_length(d->text + at, d->size - at), "");
		break;
	case 4:
		change_word(d, r, head, '+');
		break;
	case 5:
		change_word(d, r, head, '-');
		break;
	case 6:
	case 7:
	case 8:
		change_word(d, r, head, '=');
		break;
	default:
		change_line(d, r, head);
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	struct random r = {seed * UINT64_C(0x9e3779b97f4a7c15) + 1};
	struct draft d = {(char *)data, size, max_size};

	for (uint32_t changes = 1 + random_below(&r, 3); changes; changes--)
		mutate(&d, &r);
	return d.size;
}
