/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Puts the results of a node together. */
#include "affinity-fleet/hosts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* Dates are whole seconds, and a run's time ends when its results are being written. */
#define SLACK_S 2

static int by_number(size_t a, size_t b)
{
	return (a > b) - (a < b);
}

static int by_time(const struct result *a, const struct result *b)
{
	const int order = (a->begin_s > b->begin_s) - (a->begin_s < b->begin_s);

	return order ? order : strcmp(a->path, b->path);
}

static int compare_result_dates(const void *a, const void *b, void *results)
{
	const struct result *x = (const struct result *)results + *(const size_t *)a,
			    *y = (const struct result *)results + *(const size_t *)b;
	const int experiment = by_number(x->experiment, y->experiment);

	return experiment ? experiment : by_time(x, y);
}

static int order_in_time(const void *a, const void *b, void *results)
{
	return by_time((const struct result *)results + *(const size_t *)a,
		(const struct result *)results + *(const size_t *)b);
}

static bool is_copy(const struct result *a, const struct result *b)
{
	return a->experiment == b->experiment && a->begin_s == b->begin_s && a->count == b->count &&
	       !memcmp(a->values, b->values, a->count * sizeof(*a->values));
}

/* Results of one run, such as a folder that is named twice. */
static void leave_out_copies(struct intake *in, const struct host *h, struct errors *e)
{
	for (size_t i = 1; i < h->count; i++) {
		struct result *one = &in->results[h->results[i - 1]],
			      *other = &in->results[h->results[i]];

		if (!is_copy(one, other))
			continue;
		other->left_out = true;
		error_warn(e, "left out: %s: the same result as %s", other->path, one->path);
	}
}

/* The first fact of the first n that two results differ in; n: none. */
static size_t other_fact(
	const struct intake *in, const struct result *a, const struct result *b, size_t n)
{
	size_t i = 0;

	while (i < n && !facts_changed(in->words.list[a->facts[i]], in->words.list[b->facts[i]]))
		i++;
	return i;
}

static char *two_machines(const struct intake *in, const struct result *a, const struct result *b)
{
	const size_t fact = other_fact(in, a, b, FACTS_MACHINE);

	if (fact < FACTS_MACHINE)
		return alloc_format(
			"the name stands for two machines: %s is '%s' in %s, '%s' in %s",
			facts_names[fact], in->words.list[a->facts[fact]], a->path,
			in->words.list[b->facts[fact]], b->path);
	if (b->begin_s + SLACK_S < a->end_s)
		return alloc_format("%s and %s were measured at the same time: does the name "
				    "stand for two machines?",
			a->path, b->path);
	return NULL;
}

/* Of a node whose microcode or kernel changed the old results tell of another node. */
static void leave_out_old(
	struct intake *in, struct result *x, const struct result *newest, struct errors *e)
{
	const size_t fact = other_fact(in, x, newest, FACTS_ALIKE);

	if (fact == FACTS_ALIKE)
		return;
	x->left_out = true;
	error_warn(e, "left out: %s: %s of '%s' was '%s', now '%s'", x->path, facts_names[fact],
		in->hosts.list[x->host], in->words.list[x->facts[fact]],
		in->words.list[newest->facts[fact]]);
}

/* A node is what its newest result says that is not before the change. */
static size_t newest(const struct intake *in, const size_t *times, size_t n)
{
	for (size_t i = n; i-- > 0;)
		if (in->results[times[i]].role != ROLE_BEFORE)
			return times[i];
	return times[n - 1];
}

static void check_host(struct intake *in, struct host *h, bool keep_old, struct errors *e)
{
	size_t *times = alloc_zeroed(h->count, sizeof(*times)), n = 0;

	leave_out_copies(in, h, e);
	for (size_t i = 0; i < h->count; i++)
		if (!in->results[h->results[i]].left_out)
			times[n++] = h->results[i];
	qsort_r(times, n, sizeof(*times), order_in_time, in->results);
	h->newest = newest(in, times, n);
	for (size_t i = 1; i < n && !h->refused; i++)
		h->refused = two_machines(in, &in->results[times[i - 1]], &in->results[times[i]]);
	for (size_t i = 0; i < n && !h->refused && !keep_old; i++)
		leave_out_old(in, &in->results[times[i]], &in->results[h->newest], e);
	free(times);
}

struct host *hosts_of(struct intake *in, bool keep_old, struct errors *e)
{
	struct host *hosts = alloc_zeroed(in->hosts.count + 1, sizeof(*hosts));

	for (size_t i = 0; i < in->count; i++) {
		struct host *h = &hosts[in->results[i].host];

		h->results = alloc_grow(h->results, h->count, sizeof(*h->results));
		h->results[h->count++] = i;
	}
	for (size_t i = 0; i < in->hosts.count; i++) {
		qsort_r(hosts[i].results, hosts[i].count, sizeof(*hosts[i].results),
			compare_result_dates, in->results);
		check_host(in, &hosts[i], keep_old, e);
	}
	return hosts;
}

void hosts_free(struct host *hosts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(hosts[i].results);
		free(hosts[i].refused);
	}
	free(hosts);
}
