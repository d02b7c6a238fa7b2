/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Replaces PAPI by a processor whose counters are known:
 *
 *   PAPI_EVENTS="PAPI_TOT_INS=6000000 PAPI_LD_INS=0 perf::CYCLES=refused ..."
 *                   what each event counts from a start to a stop; `refused`: the event can be
 *                   named, but not added. Other events do not exist. After commas: the counts of
 *                   the first attached process, of the second and so on; the last is for all
 *                   further ones.
 *   PAPI_SLOTS=N    how many events are counted together (default 100)
 *   PAPI_PMUS="a b" names of the PMUs
 *   PAPI_ONLY="EVENT=CPU ..."
 *                   such an event belongs to the PMU of that CPU: read on another, it is 0
 *   PAPI_INIT=no    PAPI does not start
 *   PAPI_ATTACH=no  nothing can be attached
 *
 * A process can be attached only before it executes anything, and only together with all threads
 * and processes that it starts.
 */
#if __has_include(<papi.h>)
#include <papi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST     64
#define ATTACHED 8

static struct {
	char name[64];
	long long counts[1 + ATTACHED]; /* of the process itself, of attached ones; -1: refused */
} events[MOST];
static int nevents, inited, nattached;
static _Thread_local struct {
	int codes[MOST], n;
	int inherits, attached, runs;
} sets[8];

static int slots(void)
{
	const char *text = getenv("PAPI_SLOTS");

	return text ? atoi(text) : 100;
}

static void read_counts(long long *counts, char *text)
{
	char *word = strsep(&text, ",");

	for (int i = 0; i <= ATTACHED; i++) {
		counts[i] = strcmp(word, "refused") ? atoll(word) : -1;
		word = text ? strsep(&text, ",") : word;
	}
}

static void read_events(void)
{
	char text[4096], *save = NULL;

	snprintf(text, sizeof(text), "%s", getenv("PAPI_EVENTS") ? getenv("PAPI_EVENTS") : "");
	nevents = 0;
	for (char *word = strtok_r(text, " \t\n", &save); word && nevents < MOST;
		word = strtok_r(NULL, " \t\n", &save)) {
		char *equals = strchr(word, '=');

		if (!equals)
			abort();
		*equals = '\0';
		snprintf(events[nevents].name, sizeof(events[0].name), "%s", word);
		read_counts(events[nevents++].counts, equals + 1);
	}
}

int PAPI_is_initialized(void)
{
	return inited ? PAPI_LOW_LEVEL_INITED : PAPI_NOT_INITED;
}

int PAPI_library_init(int version)
{
	if (getenv("PAPI_INIT"))
		return PAPI_ESYS;
	read_events();
	inited = 1;
	return version;
}

int PAPI_thread_init(unsigned long (*id)(void))
{
	(void)id;
	return PAPI_OK;
}

void PAPI_shutdown(void)
{
	inited = 0;
}

char *PAPI_strerror(int error)
{
	if (error == PAPI_EPERM)
		return "Permission level does not permit operation";
	return error == PAPI_ECNFLCT
		       ? "Event exists, but cannot be counted due to hardware resource limits"
		       : "Event does not exist";
}

const PAPI_component_info_t *PAPI_get_component_info(int component)
{
	static PAPI_component_info_t info;
	static char text[256];
	char *save = NULL;
	int n = 0;

	(void)component;
	memset(&info, 0, sizeof(info));
	if (getenv("PAPI_OFF")) {
		info.disabled = PAPI_ENOSUPP;
		snprintf(info.disabled_reason, sizeof(info.disabled_reason), "%s",
			getenv("PAPI_OFF"));
	}
	snprintf(text, sizeof(text), "%s", getenv("PAPI_PMUS") ? getenv("PAPI_PMUS") : "perf");
	for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save))
		info.pmu_names[n++] = word;
	return &info;
}

int PAPI_get_event_component(int code)
{
	return strncmp(events[code & 0xff].name, "uncore", 6) ? 0 : 1;
}

/* Accepts the name with or without the modifiers that include the system. */
int PAPI_event_name_to_code(const char *name, int *code)
{
	const char *end = strstr(name, ":u=1:k=1");
	size_t length = end ? (size_t)(end - name) : strlen(name);

	for (int i = 0; i < nevents; i++)
		if (strlen(events[i].name) == length && !strncmp(events[i].name, name, length)) {
			*code = i | (int)(strncmp(name, "PAPI_", 5) ? PAPI_NATIVE_MASK
								    : PAPI_PRESET_MASK);
			return PAPI_OK;
		}
	return PAPI_ENOEVNT;
}

int PAPI_event_code_to_name(int code, char *name)
{
	strcpy(name, events[code & 0xff].name);
	return PAPI_OK;
}

int PAPI_enum_cmp_event(int *code, int modifier, int component)
{
	int at = modifier == PAPI_ENUM_FIRST ? 0 : (*code & 0xff) + 1;

	(void)component;
	if (at >= nevents)
		return PAPI_ENOEVNT;
	*code = (*code & ~0xff) | at;
	return PAPI_OK;
}

int PAPI_get_event_info(int code, PAPI_event_info_t *info)
{
	memset(info, 0, sizeof(*info));
	info->count = 1;
	snprintf(info->name[0], sizeof(info->name[0]), "NATIVE_%s", events[code & 0xff].name + 5);
	return PAPI_OK;
}

int PAPI_create_eventset(int *set)
{
	for (int i = 0; i < 8; i++)
		if (sets[i].n == 0) {
			*set = i;
			return PAPI_OK;
		}
	return PAPI_ENOMEM;
}

int PAPI_assign_eventset_component(int set, int component)
{
	(void)set;
	(void)component;
	return PAPI_OK;
}

int PAPI_set_opt(int option, PAPI_option_t *value)
{
	if (option != PAPI_INHERIT || sets[value->inherit.eventset].n)
		return PAPI_EINVAL;
	sets[value->inherit.eventset].inherits = value->inherit.inherit == PAPI_INHERIT_ALL;
	return PAPI_OK;
}

/* A process that has not executed anything yet still runs our own program. */
int PAPI_attach(int set, unsigned long process)
{
	char path[64], ours[4096] = "", other[4096] = "?";

	snprintf(path, sizeof(path), "/proc/%lu/exe", process);
	if (readlink("/proc/self/exe", ours, sizeof(ours) - 1) < 0 ||
		readlink(path, other, sizeof(other) - 1) < 0 || strncmp(ours, other, strlen(ours)))
		return PAPI_EINVAL;
	if (getenv("PAPI_ATTACH"))
		return PAPI_EPERM;
	if (!sets[set].inherits || sets[set].n)
		return PAPI_EINVAL;
	sets[set].attached = nattached < ATTACHED ? ++nattached : nattached;
	return PAPI_OK;
}

int PAPI_add_event(int set, int code)
{
	if (events[code & 0xff].counts[0] < 0)
		return PAPI_ENOEVNT;
	if (sets[set].n >= slots())
		return PAPI_ECNFLCT;
	sets[set].codes[sets[set].n++] = code & 0xff;
	return PAPI_OK;
}

int PAPI_start(int set)
{
	sets[set].runs = 1;
	return PAPI_OK;
}

/* Is the thread on a CPU on which the event stays 0? */
static int is_silent(const char *event)
{
	char text[256], *save = NULL;

	snprintf(text, sizeof(text), "%s", getenv("PAPI_ONLY") ? getenv("PAPI_ONLY") : "");
	for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
		char *equals = strchr(word, '=');

		if (equals && strlen(event) == (size_t)(equals - word) &&
			!strncmp(event, word, strlen(event)))
			return sched_getcpu() != atoi(equals + 1);
	}
	return 0;
}

int PAPI_stop(int set, long long *values)
{
	if (!sets[set].runs)
		return PAPI_ENOTRUN;
	sets[set].runs = 0;
	for (int i = 0; i < sets[set].n; i++)
		values[i] = is_silent(events[sets[set].codes[i]].name)
				    ? 0
				    : events[sets[set].codes[i]].counts[sets[set].attached];
	return PAPI_OK;
}

int PAPI_cleanup_eventset(int set)
{
	memset(&sets[set], 0, sizeof(sets[set]));
	return PAPI_OK;
}

int PAPI_destroy_eventset(int *set)
{
	*set = PAPI_NULL;
	return PAPI_OK;
}
#endif
