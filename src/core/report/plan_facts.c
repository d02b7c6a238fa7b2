/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Collects the facts of a plan in one text, and compares them by name with those of another. */
#include "report/plan_facts.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static const struct {
	const char *name;
	bool numbered; /* all from 0 on are there */
} kinds[FACT_KINDS] = {
	[FACT_NODE] = {"node", false},
	[FACT_VECTOR] = {"vector", true},
	[FACT_POOLS] = {"pools", false},
	[FACT_MAPPING] = {"mapping", false},
	[FACT_PLACES] = {"places", false},
	[FACT_THREAD] = {"thread", true},
	[FACT_BACKGROUND] = {"background", true},
	[FACT_OPERATION] = {"operation", false},
	[FACT_PARAMETER] = {"parameter", false},
	[FACT_SPEEDUP] = {"speedup", false},
	[FACT_SAMPLES] = {"samples", false},
	[FACT_EVENTS] = {"distribution", false},
};

void plan_facts_open(struct plan_facts *f)
{
	*f = (struct plan_facts){0};
	f->out = buffer_open(&f->text);
}

static size_t written(const struct plan_facts *f)
{
	fflush(f->out);
	return f->text.size;
}

FILE *plan_facts_add(struct plan_facts *f, enum fact_kind kind, const char *name, ...)
{
	va_list values;

	f->list = alloc_grow(f->list, f->count, sizeof(*f->list));
	struct plan_fact *fact = &f->list[f->count++];
	*fact = (struct plan_fact){kind, written(f), 0};
	fputs(kinds[kind].name, f->out);
	va_start(values, name);
	vfprintf(f->out, name, values);
	va_end(values);
	fact->named = written(f) - fact->at;
	return f->out;
}

void plan_facts_close(struct plan_facts *f)
{
	buffer_close(&f->text, f->out);
}

void plan_facts_print(const struct plan_facts *f, FILE *out)
{
	fputs(f->text.data, out);
}

void plan_facts_free(struct plan_facts *f)
{
	free(f->text.data);
	free(f->list);
	*f = (struct plan_facts){0};
}

static const char *text_of(const struct plan_facts *f, size_t i)
{
	return f->text.data + f->list[i].at;
}

static size_t length_of(const struct plan_facts *f, size_t i)
{
	return (i + 1 < f->count ? f->list[i + 1].at : f->text.size) - f->list[i].at;
}

static bool same_name(const struct plan_facts *a, size_t i, const struct plan_facts *b, size_t k)
{
	return a->list[i].named == b->list[k].named &&
	       !memcmp(text_of(a, i), text_of(b, k), a->list[i].named);
}

static bool same_text(const struct plan_facts *a, size_t i, const struct plan_facts *b, size_t k)
{
	return length_of(a, i) == length_of(b, k) &&
	       !memcmp(text_of(a, i), text_of(b, k), length_of(a, i));
}

static void print_gone(const struct plan_facts *f, size_t from, size_t to, FILE *out)
{
	while (from < to) {
		const enum fact_kind kind = f->list[from].kind;
		const size_t last = kinds[kind].numbered ? to - 1 : from;

		fprintf(out, "no %.*s", (int)f->list[from].named, text_of(f, from));
		if (last > from) {
			const size_t skipped = strlen(kinds[kind].name);

			fprintf(out, " to%.*s", (int)(f->list[last].named - skipped),
				text_of(f, last) + skipped);
		}
		fputc('\n', out);
		from = last + 1;
	}
}

static void print_one(const struct plan_facts *f, size_t i, FILE *out)
{
	fwrite(text_of(f, i), 1, length_of(f, i), out);
}

static size_t end_of(const struct plan_facts *f, size_t from, enum fact_kind kind)
{
	while (from < f->count && f->list[from].kind == kind)
		from++;
	return from;
}

void plan_facts_print_changes(
	const struct plan_facts *before, const struct plan_facts *now, FILE *out)
{
	size_t b = 0, n = 0;

	for (enum fact_kind kind = 0; kind < FACT_KINDS; kind++) {
		const size_t before_end = end_of(before, b, kind), end = end_of(now, n, kind);

		for (; n < end; n++) {
			size_t kept = b;

			while (kept < before_end && !same_name(before, kept, now, n))
				kept++;
			if (kept == before_end)
				break;
			print_gone(before, b, kept, out);
			if (!same_text(before, kept, now, n))
				print_one(now, n, out);
			b = kept + 1;
		}
		print_gone(before, b, before_end, out);
		b = before_end;
		for (; n < end; n++)
			print_one(now, n, out);
	}
}
