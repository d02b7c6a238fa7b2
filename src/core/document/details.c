/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads parts of a document that are only shown. */
#include "document/parts.h"

struct document_mark document_mark(const json_t *o)
{
	return (struct document_mark){json_is_object(o), document_text_or_empty(o, "word"),
		document_text_or_empty(o, "why")};
}

struct document_marked document_marked(const json_t *o)
{
	return (struct document_marked){
		document_amount(o), document_mark(json_object_get(o, "mark"))};
}

static void read_leave(struct document *d, struct document_leave *l, const json_t *o)
{
	const json_t *left = json_object_get(o, "left");

	*l = (struct document_leave){.node = (int)document_whole(o, "node"),
		.asked_bytes = document_whole(o, "asked_bytes"),
		.nleft = json_array_size(left)};
	l->left = document_list(d, l->nleft, sizeof(*l->left));
	for (size_t i = 0; i < l->nleft; i++) {
		const json_t *one = json_array_get(left, i);

		l->left[i] = (struct document_left){document_whole(one, "huge_bytes"),
			document_whole(one, "free_bytes"), document_whole(one, "blocks_broken"),
			document_whole(one, "most_huge_bytes")};
	}
}

static void read_physical(struct document_run *r, const json_t *o)
{
	const json_t *ranges = json_object_get(o, "ranges");
	const json_t *coverage = json_object_get(o, "coverage_percent");

	r->has_physical = json_is_object(o);
	r->physical.ranges = json_is_integer(ranges) ? json_integer_value(ranges) : -1;
	r->physical.of_32 = document_number(coverage, "32");
	r->physical.of_64 = document_number(coverage, "64");
	r->physical.of_128 = document_number(coverage, "128");
	r->physical.of_256 = document_number(coverage, "256");
}

static void read_profiler(struct document_run *r, const json_t *o)
{
	r->has_profiler = json_is_object(o);
	r->profiler.judged_by = document_text_or_empty(o, "judged_by");
	r->profiler.cost_of = document_text_or_empty(o, "cost_of");
	r->profiler.gain_percent = document_amount(json_object_get(o, "gain_percent"));
	r->profiler.cost_percent = document_amount(json_object_get(o, "cost_percent"));
	r->profiler.moves_back = document_flag(o, "moves_back");
}

void document_read_details(struct document *d, struct document_run *r, const json_t *run)
{
	const json_t *leaves = json_object_get(run, "left_huge");
	const json_t *mapping = json_object_get(run, "mapping");

	r->placements = document_whole(run, "placements");
	r->kinds_begin = document_text(run, "kinds_begin");
	r->has_mapping = json_is_object(mapping);
	r->mapping.mapping = document_text_or_empty(mapping, "mapping");
	r->mapping.reason = document_text_or_empty(mapping, "reason");
	r->nleaves = json_array_size(leaves);
	r->leaves = document_list(d, r->nleaves, sizeof(*r->leaves));
	for (size_t i = 0; i < r->nleaves; i++)
		read_leave(d, &r->leaves[i], json_array_get(leaves, i));
	read_profiler(r, json_object_get(run, "profiler"));
	read_physical(r, json_object_get(run, "physical_ranges"));
}

static struct document_metric metric(const json_t *o)
{
	const json_t *pass = json_object_get(o, "pass");

	return (struct document_metric){document_text_or_empty(o, "name"),
		document_text_or_empty(o, "kind"), document_text_or_empty(o, "help"),
		document_text_or_empty(o, "formula"), document_text(o, "missing"),
		json_is_integer(pass) ? (int)json_integer_value(pass) : -1};
}

static void read_pass(struct document *d, struct document_pass *p, const json_t *events)
{
	p->nevents = json_array_size(events);
	p->events = document_list(d, p->nevents, sizeof(*p->events));
	for (size_t i = 0; i < p->nevents; i++) {
		const json_t *o = json_array_get(events, i);

		p->events[i] = (struct document_event){document_text_or_empty(o, "event"),
			document_text_or_empty(o, "native"), document_text_or_empty(o, "remark")};
	}
}

void document_read_counting(struct document *d, const json_t *o)
{
	const json_t *metrics = json_object_get(o, "metrics"),
		     *passes = json_object_get(o, "passes");
	struct document_counting *c = &d->counting;

	d->has_counting = json_is_object(o);
	c->samples_per_pass = (int)document_whole(o, "samples_per_pass");
	c->nmetrics = json_array_size(metrics);
	c->metrics = document_list(d, c->nmetrics, sizeof(*c->metrics));
	for (size_t i = 0; i < c->nmetrics; i++)
		c->metrics[i] = metric(json_array_get(metrics, i));
	c->npasses = json_array_size(passes);
	c->passes = document_list(d, c->npasses, sizeof(*c->passes));
	for (size_t i = 0; i < c->npasses; i++)
		read_pass(d, &c->passes[i], json_object_get(json_array_get(passes, i), "events"));
}

void document_read_lacking(struct document *d, const json_t *list)
{
	d->nlacking = json_array_size(list);
	d->lacking = document_list(d, d->nlacking, sizeof(*d->lacking));
	for (size_t i = 0; i < d->nlacking; i++) {
		const json_t *o = json_array_get(list, i);

		d->lacking[i] = (struct document_lacking){document_text_or_empty(o, "title"),
			document_text(o, "reason"), (size_t)document_whole(o, "before")};
	}
}
