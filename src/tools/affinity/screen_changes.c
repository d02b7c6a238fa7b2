/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the first screen would show otherwise than that before it. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "document/named.h"
#include "compare/ratios.h"
#include "affinity/screen.h"

/* Names of as many as a line holds. */
#define NAMED 3

struct changes {
	size_t costs, changed;
	char *named; /* the first of them */
	char *since; /* the oldest date of a result before */
};

/* Beyond what comparisons look at, and beyond both intervals. */
static bool has_changed(const struct ratio *x, const struct costs *before, const struct costs *now)
{
	const struct cost *a = costs_find(before, x->like), *b = costs_find(now, x->like);
	const struct amount ratio = amount_ratio(b->cost, a->cost);

	return x->differs && !x->disturbed && (ratio.low > 1 || ratio.high < 1);
}

static void add_change(struct changes *c, const char *name, const struct ratio *x)
{
	const double percent = 100 * (x->verdict.ratio.value - 1);

	if (c->changed++ < NAMED)
		alloc_append(&c->named, ", ", "%s %s%s%s %+.0f %%", screen_after_number(name),
			x->like->run, *x->like->run ? " " : "", x->like->operation, percent);
}

static void compare_sides_of(
	struct changes *c, const char *name, const struct side *before, const struct side *now)
{
	const char *date = document_fact(&before->costs[0].document, "date");
	struct ratios r;

	ratios_judge(&r, before, now, NULL, 0, false);
	for (size_t i = 0; i < r.count; i++) {
		c->costs++;
		if (has_changed(&r.list[i], &before->costs[0], &now->costs[0]))
			add_change(c, name, &r.list[i]);
	}
	if (r.count && (!c->since || strcmp(date, c->since) < 0)) {
		free(c->since);
		c->since = alloc_string(date, strlen(date));
	}
	ratios_free(&r);
}

/* Of the same work, as comparisons judge it. */
static void add_document(struct changes *c, const char *folder, const char *name)
{
	char *now = alloc_format("%s/%s.json", folder, name);
	char *last = alloc_format("%s/%s@last", folder, name);
	struct side sides[2] = {0};
	struct errors none = {0};
	struct differences d = {0};
	char *path = named_result(last, &none);

	if (path && !access(path, F_OK) && !side_read(&sides[0], path, &none) &&
		!side_read(&sides[1], now, &none)) {
		side_differences(&d, sides[0].conditions, sides[1].conditions);
		if (!d.work)
			compare_sides_of(c, name, &sides[0], &sides[1]);
	}
	side_free(&sides[0]);
	side_free(&sides[1]);
	errors_free(&none);
	free(path);
	free(last);
	free(now);
}

void screen_changes(const struct screen *s, const char *folder, FILE *out)
{
	struct changes c = {0};

	for (size_t i = 0; i < s->ndocuments; i++)
		add_document(&c, folder, s->names[i]);
	if (c.since && !c.changed)
		fprintf(out, "since %s: none of %zu costs changed by more than its interval\n",
			c.since, c.costs);
	else if (c.since)
		fprintf(out,
			"since %s: %zu of %zu costs changed by more than their intervals: "
			"%s%s\n",
			c.since, c.changed, c.costs, c.named, c.changed > NAMED ? " ..." : "");
	free(c.named);
	free(c.since);
}
