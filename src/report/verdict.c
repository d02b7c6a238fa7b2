/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was found, and how far it can be trusted, in one line. */
#include <math.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/numbers.h"
#include "document/figure.h"
#include "report/cells.h"

/* Costs that a line can name one by one. */
#define NAMED 3

/* The costs of operations, of all threads together. */
struct costs {
	struct cost {
		const char *label;
		struct amount amount;
		char held[128]; /* by what the data is held; "": it has none */
	} * list;
	size_t n, lost;    /* lost: runs */
	bool timed, sweep; /* sweep: of several runs */
};

static void collect(struct costs *c, const struct document *d)
{
	size_t runs = 0;

	for (size_t i = 0; i < d->nruns; i++) {
		const struct document_run *r = &d->runs[i];

		c->lost += r->lost;
		runs += !r->skipped;
		for (size_t op = 0; !r->skipped && op < r->operations.count; op++) {
			const struct document_operation *o = &r->operations.list[op];
			const struct amount cost = document_row(o, ALL_THREADS).cost;

			c->timed = r->method.per_unit;
			if (!isfinite(cost.value))
				continue;
			c->list = alloc_grow(c->list, c->n, sizeof(*c->list));
			c->list[c->n] = (struct cost){o->name, cost, ""};
			report_held_words(o, c->list[c->n].held, sizeof(c->list[c->n].held));
			c->n++;
		}
	}
	c->sweep = runs > 1;
}

/* "83 ms +- 30", "4.8 ns/unit" */
static void figure(const struct costs *c, struct amount a, bool interval, FILE *out)
{
	struct scale s = numbers_scale("s", &a, 1);
	struct amount shown = amount_times(a, s.factor);
	int decimals = numbers_decimals(shown);

	fprintf(out, "%.*f %s%s", decimals, shown.value, s.unit ? s.unit : "s",
		c->timed ? "/unit" : "");
	if (interval && shown.high > shown.low)
		fprintf(out, " +- %.*f", decimals, numbers_half(shown, decimals));
}

static void name_each(const struct costs *c, FILE *out)
{
	for (size_t i = 0; i < c->n; i++) {
		fprintf(out, "%s%s ", i ? ", " : "", c->list[i].label);
		figure(c, c->list[i].amount, true, out);
		if (*c->list[i].held)
			fprintf(out, " (%s)", c->list[i].held);
	}
}

/* Operations can have other units, so an end without its name says little. */
static void extreme(const struct costs *c, const struct cost *of, FILE *out)
{
	figure(c, of->amount, false, out);
	fprintf(out, " (%s%s%s)", of->label, *of->held ? ", " : "", of->held);
}

static void name_extremes(const struct costs *c, FILE *out)
{
	const struct cost *least = c->list, *most = c->list;

	for (size_t i = 1; i < c->n; i++) {
		least = c->list[i].amount.value < least->amount.value ? &c->list[i] : least;
		most = c->list[i].amount.value > most->amount.value ? &c->list[i] : most;
	}
	fprintf(out, "%zu costs from ", c->n);
	extreme(c, least, out);
	fputs(" to ", out);
	extreme(c, most, out);
}

char *report_verdict(const struct document *d)
{
	struct costs c = {0};
	struct buffer line;
	FILE *out = buffer_open(&line);

	collect(&c, d);
	if (c.n && c.n <= NAMED && !c.sweep)
		name_each(&c, out);
	else if (c.n)
		name_extremes(&c, out);
	fprintf(out, "%s%s", c.n ? "; " : "",
		d->trust.text ? d->trust.text : "how far to trust them is " NOT_RECORDED);
	if (c.lost)
		fprintf(out, "; %zu of %zu runs lost", c.lost, d->nruns);
	free(c.list);
	return buffer_text(&line, out);
}
