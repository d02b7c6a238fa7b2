/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes and reads distributions. */
#include "document/tails.h"

#include <stdlib.h>

#include "document/members.h"
#include "document/parts.h"
#include "document/value.h"

struct field {
	const char *name;
	size_t offset; /* of a double */
};

#define FIELD(type, name, member)                   \
	{                                           \
		name, offsetof(struct type, member) \
	}

static const struct field of_tails[] = {
	FIELD(tails, "group", group),
	FIELD(tails, "blocks", blocks),
	FIELD(tails, "switched", switched),
	FIELD(tails, "pair_ns", pair),
	FIELD(tails, "step_ns", step),
	FIELD(tails, "least_ns", least),
	FIELD(tails, "above_ns", above),
	FIELD(tails, "tick_ns", tick),
	{0},
};

static const struct field of_side[] = {
	FIELD(tail_side, "events", n),
	FIELD(tail_side, "clamped", clamped),
	FIELD(tail_side, "longest_ns", longest),
	FIELD(tail_side, "time_above", time_above),
	FIELD(tail_side, "unclear", unclear),
	{0},
};

static const struct field of_figure[] = {
	FIELD(tail_figure, "below_ns", below),
	FIELD(tail_figure, "design", design),
	FIELD(tail_figure, "needed", needed),
	{0},
};

static const struct field of_histogram[] = {
	FIELD(histogram, "sum", sum),
	{0},
};

static void write_fields(json_t *o, const struct field *fields, const void *from)
{
	for (const struct field *f = fields; f->name; f++)
		json_object_set_new(o, f->name,
			value_number(*(const double *)((const char *)from + f->offset)));
}

static void read_fields(const json_t *o, const struct field *fields, void *to)
{
	for (const struct field *f = fields; f->name; f++)
		*(double *)((char *)to + f->offset) = document_number(o, f->name);
}

/* ---- writing */

static json_t *figure_json(const struct tail_figure *f)
{
	json_t *o = value_amount(f->ns);

	write_fields(o, of_figure, f);
	return o;
}

static json_t *side_json(const struct tail_side *s)
{
	json_t *o = json_object(), *list = json_object();

	write_fields(o, of_side, s);
	for (int i = 0; i < TAIL_PARTS; i++)
		json_object_set_new(list, tail_names[i].name, figure_json(&s->figures[i]));
	json_object_set_new(o, "percentiles", list);
	json_object_set_new(o, "above", value_amount(s->above));
	return o;
}

static json_t *histogram_json(const struct histogram *h)
{
	json_t *o = json_pack("{s:I, s:I, s:I, s:I}", "events", (json_int_t)h->n, "clamped",
		(json_int_t)h->clamped, "least", (json_int_t)h->least, "most", (json_int_t)h->most);
	json_t *buckets = json_object();
	char name[16];

	write_fields(o, of_histogram, h);
	for (size_t i = 0; i < h->count; i++) {
		snprintf(name, sizeof(name), "%u", (unsigned)h->buckets[i].bucket);
		json_object_set_new(buckets, name, json_integer((json_int_t)h->buckets[i].count));
	}
	json_object_set_new(o, "buckets", buckets);
	return o;
}

json_t *tails_json(const struct tails *t)
{
	json_t *o = json_pack("{s:s, s:o, s:o, s:o}", "event", t->event, "timing",
		value_amount(t->timing), "kept", side_json(&t->kept), "all", side_json(&t->all));
	json_t *list = json_array();

	write_fields(o, of_tails, t);
	for (size_t i = 0; i < t->nclusters; i++)
		json_array_append_new(list, histogram_json(&t->clusters[i]));
	json_object_set_new(o, "histograms", list);
	return o;
}

/* ---- reading */

static struct tail_side side_read(const json_t *o)
{
	const json_t *list = json_object_get(o, "percentiles");
	struct tail_side s;

	read_fields(o, of_side, &s);
	for (int i = 0; i < TAIL_PARTS; i++) {
		const json_t *f = json_object_get(list, tail_names[i].name);

		s.figures[i].ns = document_amount(f);
		read_fields(f, of_figure, &s.figures[i]);
	}
	s.above = document_amount(json_object_get(o, "above"));
	return s;
}

static int by_bucket(const void *a, const void *b)
{
	const struct bucket *x = a, *y = b;

	return (x->bucket > y->bucket) - (x->bucket < y->bucket);
}

/* A name or count that no program of this project wrote is no bucket. */
static struct histogram histogram_read(struct document *d, json_t *o)
{
	json_t *buckets = json_object_get(o, "buckets"), *count;
	struct histogram h = {
		.buckets = document_list(d, json_object_size(buckets), sizeof(*h.buckets)),
		.n = (uint64_t)document_whole(o, "events"),
		.clamped = (uint64_t)document_whole(o, "clamped"),
		.least = (uint32_t)document_whole(o, "least"),
		.most = (uint32_t)document_whole(o, "most")};
	const char *name;

	read_fields(o, of_histogram, &h);
	json_object_foreach (buckets, name, count) {
		const unsigned long bucket = strtoul(name, NULL, 10);

		if (bucket < EVENTS_BUCKETS && json_integer_value(count) > 0)
			h.buckets[h.count++] = (struct bucket){
				(uint32_t)bucket, (uint64_t)json_integer_value(count)};
	}
	if (h.count) /* members of an object are in any order */
		qsort(h.buckets, h.count, sizeof(*h.buckets), by_bucket);
	return h;
}

struct tails *tails_read(struct document *d, json_t *o)
{
	json_t *list = json_object_get(o, "histograms");

	if (!json_is_object(o))
		return NULL;
	struct tails *t = document_list(d, 1, sizeof(*t));

	read_fields(o, of_tails, t);
	t->event = document_text_or_empty(o, "event");
	t->timing = document_amount(json_object_get(o, "timing"));
	t->kept = side_read(json_object_get(o, "kept"));
	t->all = side_read(json_object_get(o, "all"));
	t->nclusters = json_array_size(list);
	t->clusters = document_list(d, t->nclusters, sizeof(*t->clusters));
	for (size_t i = 0; i < t->nclusters; i++)
		t->clusters[i] = histogram_read(d, json_array_get(list, i));
	return t;
}
