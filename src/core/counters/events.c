/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the table line by line. */
#include "counters/events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

/* The assembler includes the file: make compiles from the project's top folder. */
__asm__(".pushsection .rodata\n.global events_text\nevents_text:\n.incbin "
	"\"src/core/counters/events.txt\"\n"
	".byte 0\n.popsection\n");

static const char *const kind_names[] = {"count", "ratio", "percent"};

static char *copy_event(const char *text)
{
	return alloc_string(text, strlen(text));
}

/* Cuts the first word off; *rest is the text after it. */
static char *first_word(char *line, char **rest)
{
	char *end = line + strcspn(line, " \t");

	*rest = text_trim(*end ? end + 1 : end);
	*end = '\0';
	return line;
}

static int add_group(struct events *v, char *rest)
{
	v->groups = alloc_grow(v->groups, v->ngroups, sizeof(*v->groups));
	v->groups[v->ngroups++] = copy_event(rest);
	return *rest ? 0 : -1;
}

static int add_metric(struct events *v, char *rest)
{
	struct metric m = {0};
	char *name = first_word(rest, &rest), *kind = first_word(rest, &rest);
	int found = -1;

	for (int i = 0; i < 3; i++)
		if (!strcmp(kind, kind_names[i]))
			found = i;
	if (!*name || found < 0 || !v->ngroups)
		return -1;
	const char *group = v->groups[v->ngroups - 1];
	m.name = copy_event(name);
	m.group = alloc_string(group, strcspn(group, " "));
	m.help = copy_event(rest);
	m.kind = (enum metric_kind)found;
	v->metrics = alloc_grow(v->metrics, v->nmetrics, sizeof(*v->metrics));
	v->metrics[v->nmetrics++] = m;
	return 0;
}

static int add_way(struct events *v, char *line)
{
	char *colon = strstr(line, ": ");
	struct way w;

	if (!colon || !v->nmetrics || formula_read(&w.formula, colon + 2))
		return -1;
	w.pmus = alloc_string(line, (size_t)(colon - line));
	struct metric *m = &v->metrics[v->nmetrics - 1];
	m->ways = alloc_grow(m->ways, m->nways, sizeof(*m->ways));
	m->ways[m->nways++] = w;
	return 0;
}

static int add_check(struct events *v, char *rest)
{
	char *event = first_word(rest, &rest);
	double n = NAN;

	bool move = !strcmp(rest, "move");

	if (!*event || (!move && strcmp(rest, "some") && text_real(rest, &n)))
		return -1;
	v->checks = alloc_grow(v->checks, v->nchecks, sizeof(*v->checks));
	v->checks[v->nchecks++] = (struct event_check){copy_event(event), n, move};
	return 0;
}

static int add_system(struct events *v, char *rest)
{
	v->system = alloc_grow(v->system, v->nsystem, sizeof(*v->system));
	v->system[v->nsystem++] = copy_event(rest);
	return *rest ? 0 : -1;
}

static int read_line(struct events *v, char *line)
{
	bool indented = *line == '\t' || *line == ' ';
	char *rest;

	line = text_trim(line);
	if (!*line || *line == '#')
		return 0;
	if (indented)
		return add_way(v, line);
	char *word = first_word(line, &rest);
	if (!strcmp(word, "group"))
		return add_group(v, rest);
	if (!strcmp(word, "metric"))
		return add_metric(v, rest);
	if (!strcmp(word, "check"))
		return add_check(v, rest);
	return strcmp(word, "system") ? -1 : add_system(v, rest);
}

int events_read(struct events *v, const char *text, const char *file, struct errors *e)
{
	int failed = 0, number = 0;

	*v = (struct events){0};
	while (*text) {
		size_t length = strcspn(text, "\n");
		char *line = alloc_string(text, length);

		number++;
		if (read_line(v, line))
			failed = error_add(
				e, STATUS_USAGE, (struct place){file, number}, "is not understood");
		free(line);
		text += length + (text[length] == '\n');
	}
	return failed;
}

void events_free(struct events *v)
{
	for (size_t i = 0; i < v->nmetrics; i++) {
		struct metric *m = &v->metrics[i];

		for (size_t k = 0; k < m->nways; k++) {
			free(m->ways[k].pmus);
			formula_free(&m->ways[k].formula);
		}
		free(m->ways);
		free(m->name);
		free(m->group);
		free(m->help);
	}
	for (size_t i = 0; i < v->ngroups; i++)
		free(v->groups[i]);
	for (size_t i = 0; i < v->nchecks; i++)
		free(v->checks[i].event);
	for (size_t i = 0; i < v->nsystem; i++)
		free(v->system[i]);
	free(v->groups);
	free(v->metrics);
	free(v->checks);
	free(v->system);
	*v = (struct events){0};
}

bool events_has_group(const struct events *v, const char *name)
{
	for (size_t i = 0; i < v->nmetrics; i++)
		if (!strcmp(v->metrics[i].group, name))
			return true;
	return false;
}

const struct event_check *events_check(const struct events *v, const char *event)
{
	for (size_t i = 0; i < v->nchecks; i++)
		if (!strcmp(v->checks[i].event, event))
			return &v->checks[i];
	return NULL;
}

bool events_in_system(const struct events *v, const char *event)
{
	for (size_t i = 0; i < v->nsystem; i++)
		if (!strcmp(v->system[i], event))
			return true;
	return false;
}

bool way_fits(const struct way *w, const char *const *pmus, size_t n)
{
	struct words beginnings = {0};
	bool fits = !strcmp(w->pmus, "any");

	words_split(&beginnings, w->pmus, ", ");
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < beginnings.count; k++)
			fits |= !strncmp(pmus[i], beginnings.word[k], strlen(beginnings.word[k]));
	words_free(&beginnings);
	return fits;
}
