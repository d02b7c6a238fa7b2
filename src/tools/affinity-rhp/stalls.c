/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts the events of three metrics of the counters' table together. */
#include "affinity-rhp/stalls.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t find_event(const struct stalls *s, const char *event)
{
	size_t i = 0;

	while (i < s->nevents && strcmp(s->events[i], event))
		i++;
	return i;
}

static void add_events(struct stalls *s, const struct formula *f)
{
	for (size_t i = 0; i < f->nnames; i++) {
		size_t at = find_event(s, f->names[i]);

		if (at == STALLS_EVENTS)
			snprintf(s->why, sizeof(s->why), "too many events");
		else if (at == s->nevents)
			s->events[s->nevents++] = f->names[i];
	}
}

static void find_metrics(struct stalls *s, size_t n)
{
	static const char *const names[] = {"cycles", "memory_stalls", "walk_cycles"};

	for (size_t i = 0; i < n && !*s->why; i++) {
		s->of[i] = counting_find(&s->counting, names[i]);
		const char *missing = s->of[i] ? counter_missing(s->of[i]) : "unknown";

		if (missing)
			snprintf(s->why, sizeof(s->why), "%s: %s", names[i], missing);
		else
			add_events(s, &s->of[i]->formula);
	}
}

void stalls_open(struct stalls *s, bool walks)
{
	struct words groups = {0};
	struct errors told = {0};

	*s = (struct stalls){0};
	words_split(&groups, "mix tlb", " ");
	if (counting_make(&s->counting, &groups, NULL, 0, false, &told))
		snprintf(s->why, sizeof(s->why), "%s", errors_failure(&told));
	else
		find_metrics(s, walks ? 3 : 2);
	words_free(&groups);
	errors_free(&told);
}

int stalls_attach(struct stalls *s, pid_t process)
{
	counters_free(s->counters);
	s->counters = counters_attach(process, s->events, s->nevents, s->why, sizeof(s->why));
	if (s->counters && counters_start(s->counters))
		snprintf(s->why, sizeof(s->why), "%s does not start", s->events[0]);
	return stalls_count(s) ? 0 : -1;
}

static double event_value(const void *arg, const char *event)
{
	const struct stalls *s = arg;
	size_t at = find_event(s, event);

	return at < s->nevents ? s->values[at] : NAN;
}

static double metric_value(const struct stalls *s, const struct counted_metric *m)
{
	return m ? formula_value(&m->formula, event_value, s) : NAN;
}

struct stalls_counts stalls_take(struct stalls *s)
{
	if (!s->counters)
		return (struct stalls_counts){NAN, NAN, NAN};
	counters_read(s->counters, s->values);
	return (struct stalls_counts){
		metric_value(s, s->of[0]), metric_value(s, s->of[1]), metric_value(s, s->of[2])};
}

void stalls_close(struct stalls *s)
{
	counters_free(s->counters);
	counting_free(&s->counting);
}
