/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the machine during the measurements, as far as it spoils them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "affinity-report/figures/grids.h"
#include "affinity-report/sentences/sentences.h"
#include "system/conditions.h"

#define EVERY SIZE_MAX /* in place of the number of a machine */

/* ---- conditions */

enum mark { MARK_OK, MARK_WATCH, MARK_BAD };

static void begin_condition(FILE *out, enum mark m)
{
	static const char *const classes[] = {"ok", "watch", "bad"};
	static const char *const signs[] = {"✓", "!", "✕"};

	fprintf(out, "<li class=%s><b aria-hidden=true>%s</b> ", classes[m], signs[m]);
}

/* Is the document of this machine? EVERY: of any. */
static bool is_of(const struct page *p, size_t i, size_t machine)
{
	return machine == EVERY || p->results->documents[i].machine == machine;
}

static void others(const struct page *p, size_t machine, FILE *out)
{
	double most = NAN;

	for (size_t i = 0; i < p->results->ndocuments; i++)
		if (is_of(p, i, machine))
			most = fmax(most,
				environment_number(&p->results->documents[i].document.environment,
					"others_load_during_run"));
	if (!isfinite(most))
		return;
	const bool quiet = most <= condition_others.firm;

	begin_condition(out, quiet                           ? MARK_OK
			     : most <= condition_others.fair ? MARK_WATCH
							     : MARK_BAD);
	fprintf(out, "%s: other programs used %s%.0f&nbsp;%% of the CPUs</li>\n",
		quiet ? "quiet" : "not quiet", quiet ? "" : "up to ", most);
}

static void taken_away(const struct page *p, size_t machine, FILE *out)
{
	double most = NAN;
	bool throttled = false;

	for (size_t i = 0; i < p->results->ndocuments; i++) {
		const struct document *d = &p->results->documents[i].document;

		if (!is_of(p, i, machine))
			continue;
		most = fmax(most, environment_number(&d->environment, "steal_during_run"));
		throttled |= environment_number(&d->environment, "throttled_during_run") > 0;
	}
	if (most > condition_steal.firm) {
		begin_condition(out, MARK_BAD);
		fprintf(out, "the hypervisor took up to %.0f&nbsp;%% of the CPUs</li>\n", most);
	}
	if (throttled) {
		begin_condition(out, MARK_BAD);
		fputs("a CPU quota stopped the programs</li>\n", out);
	}
}

/* The worst of all documents. */
static enum condition_state worst(
	const struct page *p, size_t machine, const struct machine_condition *c)
{
	enum condition_state worst = CONDITION_UNKNOWN;

	for (size_t i = 0; i < p->results->ndocuments; i++) {
		const struct environment *env = &p->results->documents[i].document.environment;
		const enum condition_state own =
			is_of(p, i, machine) ? condition_state(c, env) : worst;

		worst = own > worst ? own : worst;
	}
	return worst;
}

static void condition(
	const struct page *p, size_t machine, const struct machine_condition *c, FILE *out)
{
	const bool spoils = worst(p, machine, c) == CONDITION_SPOILS;
	const char *text = spoils ? c->brief : c->fine;

	if (!text || worst(p, machine, c) == CONDITION_UNKNOWN)
		return;
	begin_condition(out, spoils ? MARK_WATCH : MARK_OK);
	html(out, "%s</li>\n", text);
}

static void trials(const struct page *p, FILE *out)
{
	size_t n = 0;

	for (size_t i = 0; i < p->results->ndocuments; i++)
		n += p->results->documents[i].document.quick;
	if (n)
		fprintf(out, "<p><span class=badge>%zu of %zu %s: not for conclusions</span></p>\n",
			n, p->results->ndocuments,
			n == 1 ? "is a quick trial" : "are quick trials");
}

/* Whoever copies results of one machine to those of another has figures below the wrong name. */
static void mixed(const struct page *p, size_t machine, FILE *out)
{
	struct name_list hosts = {0};

	for (size_t i = 0; i < p->results->ndocuments; i++) {
		const char *host = document_fact(&p->results->documents[i].document, "host");

		if (is_of(p, i, machine) && strcmp(host, NOT_RECORDED) != 0)
			name_list_add(&hosts, host);
	}
	if (hosts.count > 1) {
		begin_condition(out, MARK_BAD);
		fputs("results of several machines below one name: ", out);
		for (size_t i = 0; i < hosts.count; i++)
			html(out, "%s%s", i ? ", " : "", hosts.list[i]);
		fputs("</li>\n", out);
	}
	name_list_free(&hosts);
}

static void list(const struct page *p, size_t machine, FILE *out)
{
	fputs("<ul class=conditions>\n", out);
	mixed(p, machine, out);
	others(p, machine, out);
	taken_away(p, machine, out);
	for (const struct machine_condition *c = conditions; c->fact; c++)
		condition(p, machine, c, out);
	fputs("</ul>\n", out);
}

void page_conditions_of(const struct page *p, size_t machine, FILE *out)
{
	list(p, machine, out);
}

void page_conditions(const struct page *p, FILE *out)
{
	if (!p->results->machines.count)
		list(p, EVERY, out);
	trials(p, out);
}
