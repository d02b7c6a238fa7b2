/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the machine during the measurements, as far as it spoils them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "programs/affinity-report/grids.h"
#include "programs/affinity-report/page.h"

/* Other programs that use less than this part of the CPUs disturb few samples; more than the second
 * one, most of them. */
#define OTHERS_OK  5
#define OTHERS_BAD 20

#define EVERY SIZE_MAX /* in place of the number of a machine */

/* As the driver warns of it. */
#define STEAL_OK 1

/* ---- conditions */

enum mark { MARK_OK, MARK_WATCH, MARK_BAD };

static void begin(FILE *out, enum mark m)
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
	begin(out, most < OTHERS_OK ? MARK_OK : most < OTHERS_BAD ? MARK_WATCH : MARK_BAD);
	fprintf(out, "%s: other programs used %s%.0f&nbsp;%% of the CPUs</li>\n",
		most < OTHERS_OK ? "quiet" : "not quiet", most < OTHERS_OK ? "" : "up to ", most);
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
	if (most > STEAL_OK) {
		begin(out, MARK_BAD);
		fprintf(out, "the hypervisor took up to %.0f&nbsp;%% of the CPUs</li>\n", most);
	}
	if (throttled) {
		begin(out, MARK_BAD);
		fputs("a CPU quota stopped the programs</li>\n", out);
	}
}

/* Facts that are one of few words, and what they mean; a value that is not listed says nothing. */
static const struct {
	const char *fact, *value;
	enum mark mark;
	const char *text;
} conditions[] = {
	{"frequency_governor", "performance", MARK_OK, "governor performance"},
	{"frequency_governor", "powersave", MARK_WATCH,
		"governor powersave: the clock rate varies"},
	{"frequency_governor", "ondemand", MARK_WATCH, "governor ondemand: the clock rate varies"},
	{"frequency_governor", "schedutil", MARK_WATCH,
		"governor schedutil: the clock rate varies"},
	{"boost", "1", MARK_WATCH, "boost is on: the clock rate depends on the load"},
	{"boost", "0", MARK_OK, "boost is off"},
	{"intel_no_turbo", "0", MARK_WATCH, "turbo is on: the clock rate depends on the load"},
	{"intel_no_turbo", "1", MARK_OK, "turbo is off"},
	{"numa_balancing", "0", MARK_OK, "the kernel moves no pages by itself"},
	{"numa_balancing", "1", MARK_WATCH, "NUMA balancing is on: the kernel may move pages"},
	{"virtual_machine", "yes", MARK_WATCH,
		"virtual machine: its CPUs may share cores and be taken away"},
	{"virtual_machine", "no", MARK_OK, "bare metal"},
};

static bool any_has(const struct page *p, size_t machine, const char *fact, const char *value)
{
	for (size_t i = 0; i < p->results->ndocuments; i++)
		if (is_of(p, i, machine) &&
			!strcmp(document_fact(&p->results->documents[i].document, fact), value))
			return true;
	return false;
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
		begin(out, MARK_BAD);
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
	for (size_t i = 0; i < sizeof(conditions) / sizeof(*conditions); i++) {
		if (!any_has(p, machine, conditions[i].fact, conditions[i].value))
			continue;
		begin(out, conditions[i].mark);
		fprintf(out, "%s</li>\n", conditions[i].text);
	}
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
