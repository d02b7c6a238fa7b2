/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the runs of a document: the places of threads and vectors, and the figures derived for
 * runs. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "document/parts.h"
#include "document/value.h"

/* null: the thread was not bound */
static int place(const json_t *o, const char *key)
{
	const json_t *value = json_object_get(o, key);

	return json_is_integer(value) ? (int)json_integer_value(value) : -1;
}

/* Adds a node's pages; of several placements, the most count. */
static void add_pages(struct document_vector *v, int node, int64_t pages)
{
	size_t i = 0;

	while (i < v->npages && v->pages[i].node != node)
		i++;
	v->npages += i == v->npages;
	v->pages[i].node = node;
	if (pages > v->pages[i].pages)
		v->pages[i].pages = pages;
}

/* found: the first placement; again: the others. */
static void read_placements(
	struct document *d, struct document_vector *v, const json_t *found, const json_t *again)
{
	size_t n = json_array_size(again) + 1, most = 0;

	for (size_t i = 0; i < n; i++) {
		const json_t *o = i ? json_array_get(again, i - 1) : found;

		most += json_object_size(json_object_get(o, "pages_on_node"));
		v->pages_absent += document_whole(o, "pages_absent");
		v->broken |= document_flag(o, "broken");
		v->pages_moved += document_whole(o, "pages_moved_during_run");
	}
	v->pages = document_list(d, most, sizeof(*v->pages));
	for (size_t i = 0; i < n; i++) {
		const char *node;
		json_t *pages;

		json_object_foreach (
			json_object_get(i ? json_array_get(again, i - 1) : found, "pages_on_node"),
			node, pages)
			add_pages(v, atoi(node), json_integer_value(pages));
	}
	qsort(v->pages, v->npages, sizeof(*v->pages), document_by_node);
}

/* Of a part the division stands before the node: "slices:2". */
static int only_node(const json_t *vector)
{
	const char *asked = document_text(vector, "asked_node");
	uint64_t node;

	if (asked && json_object_get(vector, "part"))
		asked = strrchr(asked, ':') ? strrchr(asked, ':') + 1 : asked;
	return asked && !text_count(asked, &node) && node <= INT32_MAX ? (int)node : -1;
}

static void read_vector(struct document *d, struct document_vector *v, const json_t *o)
{
	const json_t *found = json_object_get(o, "found"), *state = json_object_get(o, "state");

	*v = (struct document_vector){
		.asked_node = document_text(o, "asked_node"),
		.only_node = only_node(o),
		.type = document_text(o, "type"),
		.asked_pages = document_text(o, "asked_pages"),
		.init = document_text(o, "init"),
		.elements = document_whole(o, "elements"),
		.bytes = document_whole(o, "bytes"),
	};
	if (state)
		v->state = document_text(state, "asked") ? document_text(state, "asked") : "";
	read_placements(d, v, found, json_object_get(o, "found_again"));
	document_read_found(d, v, o);
}

static void read_thread(struct document *d, struct document_thread *t, const json_t *o)
{
	const json_t *ids = json_object_get(o, "vectors");

	*t = (struct document_thread){
		.node = place(o, "node"),
		.core = place(o, "core"),
		.cpu = place(o, "cpu"),
		.kind = document_text(o, "kind"),
		.shares_core = document_flag(o, "shares_core"),
		.takes_turns = document_flag(o, "takes_turns"),
		.cpu_shown_by = document_text(o, "cpu_shown_by"),
		.nvectors = json_array_size(ids),
	};
	t->vectors = document_list(d, t->nvectors, sizeof(*t->vectors));
	for (size_t i = 0; i < t->nvectors; i++)
		t->vectors[i] = (size_t)json_integer_value(json_array_get(ids, i));
}

static struct document_amounts amounts(struct document *d, const json_t *list)
{
	struct document_amounts a = {NULL, json_array_size(list)};

	a.list = document_list(d, a.count, sizeof(*a.list));
	for (size_t i = 0; i < a.count; i++)
		a.list[i] = document_marked(json_array_get(list, i));
	return a;
}

static const char *operation_of(const json_t *o)
{
	const char *name = document_text(o, "operation");

	return name ? name : "";
}

static void read_speedups(struct document *d, struct document_run *r, const json_t *list)
{
	r->nspeedups = json_array_size(list);
	r->speedups = document_list(d, r->nspeedups, sizeof(*r->speedups));
	for (size_t i = 0; i < r->nspeedups; i++) {
		const json_t *o = json_array_get(list, i);

		r->speedups[i] = (struct document_speedup){
			.name = document_text(o, "speedup"),
			.base = json_object_get(o, "base") ? (size_t)document_whole(o, "base")
							   : r->operations.count,
			.total = document_marked(json_object_get(o, "total")),
			.base_s = document_number(o, "base_s"),
			.threads = amounts(d, json_object_get(o, "threads")),
			.kinds = document_own(d, json_object_get(o, "kinds")),
		};
	}
}

static void read_solo(struct document *d, struct document_run *r, const json_t *solo)
{
	const json_t *list = json_object_get(solo, "operations");
	const json_t *alone = json_object_get(solo, "runs");

	r->has_solo = solo != NULL;
	r->nsolos = json_array_size(list);
	r->solos = document_list(d, r->nsolos, sizeof(*r->solos));
	for (size_t i = 0; i < r->nsolos; i++) {
		const json_t *o = json_array_get(list, i);

		r->solos[i] = (struct document_solo){operation_of(o),
			document_marked(json_object_get(o, "overhead_percent")),
			amounts(d, json_object_get(o, "slowdowns")),
			document_own(d, json_object_get(o, "kinds"))};
	}
	r->nalone = json_array_size(alone);
	r->alone = document_list(d, r->nalone, sizeof(*r->alone));
	for (size_t i = 0; i < r->nalone; i++)
		document_read_operations(
			d, &r->alone[i], json_object_get(json_array_get(alone, i), "operations"));
}

static void read_gain(struct document *d, struct document_baseline *b, const json_t *o)
{
	const json_t *list = json_object_get(o, "threads");

	*b = (struct document_baseline){operation_of(o),
		document_marked(json_object_get(o, "total")), NULL, json_array_size(list)};
	b->threads = document_list(d, b->nthreads, sizeof(*b->threads));
	for (size_t i = 0; i < b->nthreads; i++) {
		const json_t *t = json_array_get(list, i);

		b->threads[i] =
			(struct document_gain){document_marked(json_object_get(t, "speedup")),
				document_number(t, "base_s"), document_number(t, "hypothetical")};
	}
}

static void read_baseline(struct document *d, struct document_run *r, const json_t *baseline)
{
	const json_t *list = json_object_get(baseline, "operations");

	r->baseline = document_text(baseline, "run");
	r->ngains = json_array_size(list);
	r->gains = document_list(d, r->ngains, sizeof(*r->gains));
	for (size_t i = 0; i < r->ngains; i++)
		read_gain(d, &r->gains[i], json_array_get(list, i));
}

/* {"d": "100", "n": "2"} -> "d=100 n=2" */
static char *label_of(const struct document_pairs *values)
{
	char *label = alloc_string("", 0);

	for (size_t i = 0; i < values->count; i++)
		alloc_append(&label, " ", "%s=%s", values->list[i].name, values->list[i].value);
	return label;
}

static int damaged(
	const struct document *d, const struct document_run *r, const char *what, struct errors *e)
{
	error_add(e, STATUS_USAGE, (struct place){d->path, 0}, "run %zu %s",
		(size_t)(r - d->runs) + 1, what);
	return error_hint(e, "the file was changed or damaged: measure again");
}

/* Checks all indices once, so that code that uses them need not check them again. */
static int check_run(
	const struct document *d, const struct document_run *r, const json_t *o, struct errors *e)
{
	if (!json_is_array(json_object_get(o, "vectors")) ||
		!json_is_array(json_object_get(o, "threads")) ||
		!json_is_array(json_object_get(o, "operations")))
		return damaged(d, r, "is neither skipped nor measured", e);
	for (size_t i = 0; i < r->nthreads; i++)
		for (size_t k = 0; k < r->threads[i].nvectors; k++)
			if (r->threads[i].vectors[k] >= r->nvectors)
				return damaged(
					d, r, "has a thread with a vector that does not exist", e);
	for (size_t i = 0; i < r->nspeedups; i++)
		if (r->speedups[i].base > r->operations.count)
			return damaged(
				d, r, "has a speedup over an operation that does not exist", e);
	const char *wrong = document_mistyped(o);

	if (!wrong)
		return 0;
	char *what = alloc_format("has no number in '%s'", wrong);
	const int failed = damaged(d, r, what, e);

	free(what);
	return failed;
}

static int read_run(struct document *d, struct document_run *r, const json_t *o, struct errors *e)
{
	const json_t *vectors = json_object_get(o, "vectors");
	const json_t *threads = json_object_get(o, "threads");

	r->values = document_pairs(d, json_object_get(o, "values"));
	r->label = label_of(&r->values);
	r->skipped = document_text(o, "skipped");
	r->lost = json_is_true(json_object_get(o, "lost"));
	if (r->skipped)
		return 0;
	r->method = d->method;
	if (json_object_get(o, "method"))
		document_read_method(d, &r->method, json_object_get(o, "method"));
	r->nvectors = json_array_size(vectors);
	r->vectors = document_list(d, r->nvectors, sizeof(*r->vectors));
	for (size_t i = 0; i < r->nvectors; i++)
		read_vector(d, &r->vectors[i], json_array_get(vectors, i));
	r->nthreads = json_array_size(threads);
	r->threads = document_list(d, r->nthreads, sizeof(*r->threads));
	for (size_t i = 0; i < r->nthreads; i++)
		read_thread(d, &r->threads[i], json_array_get(threads, i));
	document_read_operations(d, &r->operations, json_object_get(o, "operations"));
	document_read_details(d, r, o);
	read_speedups(d, r, json_object_get(o, "speedups"));
	read_solo(d, r, json_object_get(o, "solo"));
	read_baseline(d, r, json_object_get(o, "baseline"));
	return check_run(d, r, o, e);
}

/* What tells a run from others. */
struct print {
	uint64_t hash;
	size_t run;
};

static int compare_prints(const void *a, const void *b)
{
	const struct print *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->run > y->run) - (x->run < y->run);
}

/* Marks runs that are an earlier run once more, to the last digit of each sample. Measurements are
 * never so alike: somebody joined two documents that both have it. Equal runs stand together in the
 * order of their hashes. Returns how many there are. */
static size_t find_repeated(struct document *d, const json_t *runs, bool *repeated)
{
	struct print *prints = alloc_zeroed(d->nruns + 1, sizeof(*prints));
	size_t n = 0, first = 0;

	for (size_t i = 0; i < d->nruns; i++) {
		prints[i] = (struct print){value_hash(json_array_get(runs, i)), i};
		d->hash += prints[i].hash;
	}
	qsort(prints, d->nruns, sizeof(*prints), compare_prints);
	for (size_t i = 1; i < d->nruns; i++) {
		if (prints[i].hash != prints[first].hash)
			first = i;
		else if (json_equal(json_array_get(runs, prints[i].run),
				 json_array_get(runs, prints[first].run)))
			n += repeated[prints[i].run] = true;
	}
	free(prints);
	return n;
}

static void warn_repeated(struct document *d, const char *label)
{
	char *text = alloc_format(
		"run%s%s is there more than once: it counts once", *label ? " " : "", label);
	char *kept = document_list(d, strlen(text), 1);

	memcpy(kept, text, strlen(text));
	d->warnings[d->nwarnings++].text = kept;
	free(text);
}

/* Of runs that are there more than once the first ones stay. */
static void drop_repeated(struct document *d, const json_t *runs)
{
	const size_t n = d->nruns;
	bool *repeated = alloc_zeroed(n + 1, sizeof(*repeated));
	const size_t dropped = find_repeated(d, runs, repeated);
	struct document_message *warnings =
		document_list(d, d->nwarnings + dropped, sizeof(*warnings));

	if (d->nwarnings)
		memcpy(warnings, d->warnings, d->nwarnings * sizeof(*warnings));
	d->warnings = warnings;
	d->nruns = 0;
	for (size_t i = 0; i < n; i++) {
		const struct document_run r = d->runs[i];

		d->runs[i] = (struct document_run){0};
		if (repeated[i]) {
			warn_repeated(d, r.label);
			free(r.label);
		} else {
			d->runs[d->nruns++] = r;
		}
	}
	free(repeated);
}

int document_read_runs(struct document *d, const json_t *runs, struct errors *e)
{
	int failed = 0;

	d->nruns = json_array_size(runs);
	d->runs = document_list(d, d->nruns, sizeof(*d->runs));
	for (size_t i = 0; i < d->nruns; i++)
		if (read_run(d, &d->runs[i], json_array_get(runs, i), e))
			failed = -1;
	if (!failed)
		drop_repeated(d, runs);
	return failed;
}
