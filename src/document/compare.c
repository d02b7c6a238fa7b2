/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Compares two result documents. */
#include "document/compare.h"

#include <math.h>
#include <string.h>

/* Different in every run, and no change of the machine. */
static bool passing(const char *fact)
{
	static const char *const names[] = {"date", "load_average", "clock", "steal_during_run",
		"others_load_during_run", "throttled_during_run"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(fact, names[i]))
			return true;
	return false;
}

static const char *fact_of(const struct results *r, const char *name)
{
	for (size_t i = 0; i < r->nfacts; i++)
		if (!strcmp(r->facts[i].name, name))
			return r->facts[i].value;
	return "not recorded";
}

static void compare_machines(const struct results *a, const struct results *b, FILE *out)
{
	bool any = false;

	fprintf(out, "\n+ Machine\n");
	for (size_t i = 0; i < b->nfacts; i++) {
		const char *name = b->facts[i].name, *before = fact_of(a, name);

		if (passing(name) || !strcmp(before, b->facts[i].value))
			continue;
		fprintf(out, " - %s: was %s, is %s\n", name, before, b->facts[i].value);
		any = true;
	}
	if (!any)
		fprintf(out, " - nothing changed\n");
}

/* An interval around 1 is noise, whatever its middle says. */
static const char *judge(struct amount ratio, double tolerance, struct verdicts *v)
{
	v->compared++;
	if (!isfinite(ratio.low)) {
		v->unknown++;
		return "no interval";
	}
	if (ratio.low > 1 + tolerance) {
		v->slower++;
		return "SLOWER";
	}
	if (ratio.high < 1 - tolerance) {
		v->faster++;
		return "faster";
	}
	return "";
}

static void print_row(const struct result *a, const struct result *b, double scale,
	double tolerance, struct verdicts *v, FILE *out)
{
	struct amount ratio = derive_ratio(b->cost, a->cost);
	char thread[16] = "total";

	if (a->thread != ALL_THREADS)
		snprintf(thread, sizeof(thread), "%d", a->thread);
	fprintf(out, "%-24s %-20s %6s %14.9f %14.9f %8.3f", a->run, a->operation, thread,
		a->cost.value * scale, b->cost.value * scale, ratio.value);
	if (isfinite(ratio.low))
		fprintf(out, " %8.3f .. %-8.3f", ratio.low, ratio.high);
	else
		fprintf(out, " %20s", "");
	fprintf(out, " %s\n", judge(ratio, tolerance, v));
}

/* Nobody may take the ratios for those of a machine. */
static void name_simulated(const struct results *r, FILE *out)
{
	for (size_t i = 0; i < r->nfacts; i++)
		if (!strcmp(r->facts[i].name, "simulated") && strcmp(r->facts[i].value, "no"))
			fprintf(out, "simulated machine: %s: %s; its times are no measurement\n",
				r->path, r->facts[i].value);
}

static size_t count_missing(const struct results *from, const struct results *in)
{
	size_t missing = 0;

	for (size_t i = 0; i < from->count; i++)
		missing += !results_find(in, &from->list[i]);
	return missing;
}

struct verdicts compare(
	const struct results *a, const struct results *b, double tolerance, FILE *out)
{
	struct verdicts v = {0};
	double scale = a->per_unit ? 1e9 : 1;

	name_simulated(a, out);
	name_simulated(b, out);
	fprintf(out, "%-24s %-20s %6s %14s %14s %8s %20s\n", "run", "operation", "thread",
		a->per_unit ? "before(ns)" : "before(s)", a->per_unit ? "after(ns)" : "after(s)",
		"ratio", "interval");
	for (size_t i = 0; i < a->count; i++) {
		const struct result *other = results_find(b, &a->list[i]);

		if (other && isfinite(a->list[i].cost.value) && isfinite(other->cost.value))
			print_row(&a->list[i], other, scale, tolerance, &v, out);
	}
	v.only_one = count_missing(a, b) + count_missing(b, a);
	compare_machines(a, b, out);
	fprintf(out,
		"\n%zu compared, %zu slower and %zu faster beyond noise and %.3g %%, %zu without "
		"interval, "
		"%zu in one file only\n",
		v.compared, v.slower, v.faster, tolerance * 100, v.unknown, v.only_one);
	return v;
}

int compare_files(const char *a, const char *b, double tolerance, FILE *out, struct errors *e)
{
	struct results before, after;
	int failed = results_read(&before, a, e);
	failed |= results_read(&after, b, e);

	if (!failed && before.per_unit != after.per_unit) {
		const char *timed = before.per_unit ? a : b;

		failed = error_add(e, STATUS_USAGE, (struct place){timed, 0},
			"was measured with mode: time, '%s' was not: costs of a unit and of a "
			"piece of work have no ratio",
			before.per_unit ? b : a);
	}
	if (!failed) {
		struct verdicts v = compare(&before, &after, tolerance, out);

		if (v.slower)
			failed = error_add(e, STATUS_FAILED, NOWHERE,
				"%zu of %zu costs became slower beyond noise and %.3g %%", v.slower,
				v.compared, tolerance * 100);
		else if (!v.compared)
			failed = error_add(e, STATUS_USAGE, NOWHERE,
				"'%s' and '%s' have no run, operation and thread in common", a, b);
	}
	results_free(&before);
	results_free(&after);
	return failed;
}
