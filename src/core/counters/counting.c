/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Resolves names into events that this machine can count.
 *
 * counters.c opens one set of events, by PAPI. events.txt says which events make a metric and
 * formula.c computes it; counting.c resolves what an argument file asks for and tries
 * each event, counting_pass.c divides them into passes. self_check.c proves that they count.
 */
#include "counters/counting_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "counters/counters.h"

/* Each round may find events that do not count, and then tries other ways. No metric of the table
 * has more ways than this. */
#define MAX_ROUNDS 8

/* Loop overhead and interrupts explain deviations below 2 %. */
#define EXACT 0.02

static char *copy_name(const char *text)
{
	return alloc_string(text, strlen(text));
}

/* Why a formula cannot be computed; NULL: it can. */
static const char *why_not_computed(struct counting *c, const struct formula *f)
{
	for (size_t i = 0; i < f->nnames; i++) {
		size_t event = counting_event(c, f->names[i]);

		if (c->events[event].why)
			return c->events[event].why;
	}
	return NULL;
}

static void use(struct counting *c, struct counted_metric *m, const char *formula)
{
	struct formula f;

	if (formula_read(&f, formula))
		return;
	const char *why = why_not_computed(c, &f);
	if (why) {
		if (!m->why)
			m->why = copy_name(why);
		formula_free(&f);
		return;
	}
	m->formula = f;
}

/* Chooses the first way that this machine can count. */
static void resolve(
	struct counting *c, struct counted_metric *m, const char *const *pmus, size_t npmus)
{
	formula_free(&m->formula);
	free(m->why);
	m->why = NULL;
	if (!m->metric)
		use(c, m, m->name);
	for (size_t i = 0; m->metric && i < m->metric->nways && !m->formula.text; i++)
		if (way_fits(&m->metric->ways[i], pmus, npmus))
			use(c, m, m->metric->ways[i].formula.text);
}

static void resolve_all(struct counting *c)
{
	size_t npmus;
	const char **pmus = counters_pmus(&npmus);

	for (int round = 0; round < MAX_ROUNDS; round++) {
		for (size_t i = 0; i < c->nmetrics; i++)
			resolve(c, &c->metrics[i], pmus, npmus);
		if (counting_pack(c))
			break;
	}
	free(pmus);
}

struct counted_metric *counting_find(const struct counting *c, const char *name)
{
	for (size_t i = 0; c && i < c->nmetrics; i++)
		if (!strcmp(c->metrics[i].name, name))
			return &c->metrics[i];
	return NULL;
}

static void add_metric(struct counting *c, const struct metric *metric, const char *name)
{
	if (counting_find(c, name))
		return;
	c->metrics = alloc_grow(c->metrics, c->nmetrics, sizeof(*c->metrics));
	c->metrics[c->nmetrics++] =
		(struct counted_metric){.metric = metric, .name = copy_name(name), .pass = -1};
}

static void add_group(struct counting *c, const char *name)
{
	for (size_t i = 0; i < c->table.nmetrics; i++)
		if (!strcmp(c->table.metrics[i].group, name))
			add_metric(c, &c->table.metrics[i], c->table.metrics[i].name);
}

static void collect(void *words, const char *name)
{
	words_add(words, name, strlen(name));
}

static int refuse_unknown_group(
	const struct counting *c, const char *word, struct place at, struct errors *e)
{
	struct words names = {0};

	for (size_t i = 0; i < c->table.ngroups; i++)
		words_add(&names, c->table.groups[i], strcspn(c->table.groups[i], " "));
	counters_names(collect, &names);
	const char *nearest = text_nearest(word, (const char *const *)names.word, names.count);
	error_unknown(e, STATUS_USAGE, at, nearest, "counters: unknown event '%s'", word);
	words_free(&names);
	return error_hint(e, "mix, cache, tlb, numa, software, or an event as papi_avail and "
			     "papi_native_avail name it");
}

/* Without PAPI the events are unknown, but a mistyped group is still noticed. */
static bool near_group(const struct counting *c, const char *word)
{
	struct words groups = {0};

	for (size_t i = 0; i < c->table.ngroups; i++)
		words_add(&groups, c->table.groups[i], strcspn(c->table.groups[i], " "));
	bool near = text_nearest(word, (const char *const *)groups.word, groups.count) != NULL;
	words_free(&groups);
	return near;
}

static int read_word(
	struct counting *c, const char *word, bool open, struct place at, struct errors *e)
{
	if (events_has_group(&c->table, word)) {
		add_group(c, word);
		return 0;
	}
	enum counters_known known = open                  ? counters_find(word)
				    : near_group(c, word) ? COUNTERS_UNKNOWN
							  : COUNTERS_THREADS;
	if (known == COUNTERS_UNKNOWN)
		return refuse_unknown_group(c, word, at, e);
	if (known == COUNTERS_MACHINE) {
		error_add(e, STATUS_USAGE, at,
			"counters: '%s' is counted for the whole machine, not for threads", word);
		return error_hint(e, "papi_component_avail lists events by component; those of "
				     "perf_event are counted for threads");
	}
	add_metric(c, NULL, word);
	return 0;
}

/* Why the hardware counts nothing; NULL: it counts. The system's own events need no hardware. */
static const char *no_hardware(struct counting *c)
{
	static const char *const basic[] = {
		"perf::CYCLES", "perf::INSTRUCTIONS", "PAPI_TOT_CYC", "PAPI_TOT_INS"};
	size_t event = 0;

	for (size_t i = 0; i < sizeof(basic) / sizeof(*basic); i++) {
		event = counting_event(c, basic[i]);
		if (!c->events[event].why)
			return NULL;
	}
	return c->events[event].why;
}

static int paranoid(void)
{
	char line[32];
	uint64_t level;

	if (text_first_line("/proc/sys/kernel/perf_event_paranoid", line, sizeof(line)) ||
		text_count(line, &level))
		return -1;
	return (int)level;
}

static bool is_system(const struct counting *c, const struct counted_metric *m)
{
	const struct way *way = m->metric && m->metric->nways ? &m->metric->ways[0] : NULL;

	return events_in_system(&c->table, way ? way->formula.names[0] : m->name);
}

/* One warning for all events that are missing for the same reason, with the remedy. */
static void tell_hardware(const char *why, struct errors *e)
{
	error_warn(e, "no hardware events can be counted here: %s", why);
	if (paranoid() > 2)
		error_hint(e,
			"kernel.perf_event_paranoid is %d: sysctl "
			"kernel.perf_event_paranoid=2 permits them, or CAP_PERFMON",
			paranoid());
	else
		error_hint(e, "give a virtual machine counters (KVM: -cpu host,pmu=on), and let a "
			      "container call perf_event_open");
}

static void tell_system(const char *why, struct errors *e)
{
	const char *off = counters_off();

	error_warn(e, "events of the system cannot be counted: %s", why);
	if (off)
		error_hint(e,
			"PAPI knows no counters of this processor and then counts no events "
			"of the system either: %s",
			off);
	else
		error_hint(e,
			"kernel.perf_event_paranoid is %d: sysctl kernel.perf_event_paranoid=1 "
			"permits them, or CAP_PERFMON",
			paranoid());
}

static void tell_missing(struct counting *c, struct place at, struct errors *e)
{
	const char *hardware = NULL;
	bool asked_hardware = false, warned_of_system = false;

	for (size_t i = 0; i < c->nmetrics; i++)
		asked_hardware |= !is_system(c, &c->metrics[i]);
	if (asked_hardware)
		hardware = no_hardware(c);
	if (hardware)
		tell_hardware(hardware, e);
	for (size_t i = 0; i < c->nmetrics; i++) {
		struct counted_metric *m = &c->metrics[i];

		if (m->formula.text)
			continue;
		if (is_system(c, m) && !warned_of_system) {
			tell_system(m->why, e);
			warned_of_system = true;
		} else if (!m->metric && !hardware && !is_system(c, m)) {
			error_add(e, STATUS_OK, at,
				"counters: '%s' exists, but cannot be counted here: %s", m->name,
				m->why);
		}
	}
}

/* One figure of a group is enough; an event that is asked for by name must be counted itself. */
static int check_required(const struct counting *c, const struct words *asked, struct errors *e)
{
	int failed = 0;

	for (size_t w = 0; w < asked->count; w++) {
		const char *word = asked->word[w], *why = NULL;
		bool any = false;

		for (size_t i = 0; i < c->nmetrics; i++) {
			const struct counted_metric *m = &c->metrics[i];

			if (strcmp(m->metric ? m->metric->group : m->name, word))
				continue;
			any |= m->formula.text != NULL;
			why = why ? why : m->why;
		}
		if (any)
			continue;
		failed = error_add(e, STATUS_COUNTERS, asked->at,
			"requireCounters: no event of '%s' can be counted%s%s", word,
			why ? ": " : " on this kind of CPU", why ? why : "");
		error_hint(e, "requireCounters: no measures without these counters");
	}
	return failed;
}

bool counting_silent(const struct counted_event *e, int kind)
{
	return kind >= 0 && e->silent && e->silent[kind];
}

int counting_make(struct counting *c, const struct words *asked, const int *cpus, int nkinds,
	bool required, struct errors *e)
{
	char why[256];
	int failed = 0;

	*c = (struct counting){.cpus = cpus, .nkinds = nkinds};
	if (events_read(&c->table, events_text, "events.txt", e))
		return -1;
	bool open = !counters_open(why, sizeof(why));
	for (size_t i = 0; i < asked->count; i++)
		failed |= read_word(c, asked->word[i], open, asked->at, e);
	if (failed)
		return -1;
	if (open) {
		resolve_all(c);
		tell_missing(c, asked->at, e);
	} else {
		for (size_t i = 0; i < c->nmetrics; i++)
			c->metrics[i].why = copy_name(why);
		error_warn(e, "nothing can be counted: %s", why);
		error_hint(e, "build affinity where PAPI is installed (Debian: libpapi-dev), and "
			      "run it with the same version");
	}
	return required ? check_required(c, asked, e) : 0;
}

void counting_free(struct counting *c)
{
	for (size_t i = 0; i < c->nmetrics; i++) {
		formula_free(&c->metrics[i].formula);
		free(c->metrics[i].name);
		free(c->metrics[i].why);
	}
	for (size_t i = 0; i < c->nevents; i++) {
		free(c->events[i].name);
		free(c->events[i].native);
		free(c->events[i].why);
		free(c->events[i].silent);
	}
	for (size_t i = 0; i < c->npasses; i++) {
		free(c->passes[i].events);
		free(c->passes[i].names);
	}
	counters_close();
	free(c->metrics);
	free(c->events);
	free(c->passes);
	events_free(&c->table);
	*c = (struct counting){0};
}

enum metric_kind counter_kind(const struct counted_metric *m)
{
	return m->metric ? m->metric->kind : METRIC_COUNT;
}

const char *counter_help(const struct counted_metric *m)
{
	return m->metric ? m->metric->help : "";
}

const char *counter_missing(const struct counted_metric *m)
{
	if (m->formula.text)
		return NULL;
	return m->why ? m->why : "affinity knows no event of this kind of CPU for it";
}

char *counter_remark(const struct counted_event *e)
{
	if (e->silent)
		return alloc_format("counts on cores of some kinds only; n/a on the others");
	if (e->unproven)
		return alloc_format("was 0 in the self-check, and may not count");
	if (isfinite(e->expected) && fabs(e->found / e->expected - 1) > EXACT)
		return alloc_format("counts %.3g in each round of the self-check, in which %.3g "
				    "happen: it means something else here",
			e->found, e->expected);
	return alloc_format("%s", "");
}

static bool can_make(const char *name, bool in_system, char *why, size_t n)
{
	struct counters *set = counters_make(&name, 1, in_system, why, n);

	counters_free(set);
	return set != NULL;
}

/* Tries to add and start the event alone. A user without permission to look into the system may
 * still count what the system does for the program itself; the self-check shows whether that is
 * anything. */
static void try_event(struct counted_event *event)
{
	char why[256];

	if (event->in_system && can_make(event->name, true, why, sizeof(why)))
		return;
	event->in_system = false;
	if (!can_make(event->name, false, why, sizeof(why)))
		event->why = alloc_string(why, strlen(why));
}

size_t counting_event(struct counting *c, const char *name)
{
	char native[256];

	for (size_t i = 0; i < c->nevents; i++)
		if (!strcmp(c->events[i].name, name))
			return i;
	const char *behind = counters_native(name, native, sizeof(native));

	c->events = alloc_grow(c->events, c->nevents, sizeof(*c->events));
	c->events[c->nevents] = (struct counted_event){.name = alloc_string(name, strlen(name)),
		.native = alloc_string(behind, strlen(behind)),
		.expected = NAN,
		.found = NAN,
		.empty = NAN,
		.in_system = events_in_system(&c->table, name)};
	try_event(&c->events[c->nevents]);
	return c->nevents++;
}
