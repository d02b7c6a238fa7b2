/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts with PAPI. */
#include "counters/counters.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#ifdef HAVE_PAPI
#include <papi.h>

struct counters {
	int set;
	size_t count;
	bool running;
	long long *values;
};

int counters_open(char *why, size_t n)
{
	if (PAPI_is_initialized() != PAPI_NOT_INITED)
		return 0;
	int version = PAPI_library_init(PAPI_VER_CURRENT);

	if (version != PAPI_VER_CURRENT) {
		snprintf(why, n, "PAPI does not start%s%s", version < 0 ? ": " : "",
			version < 0 ? PAPI_strerror(version) : "");
		return -1;
	}
	/* OpenMP's numbers of threads are not unique: a nested team starts from 0 again */
	int error = PAPI_thread_init(pthread_self);
	if (error == PAPI_OK)
		return 0;
	snprintf(why, n, "PAPI cannot tell threads apart: %s", PAPI_strerror(error));
	PAPI_shutdown();
	return -1;
}

void counters_close(void)
{
	if (PAPI_is_initialized() != PAPI_NOT_INITED)
		PAPI_shutdown();
}

/* The component that counts for threads is the first one, perf_event. */
#define THREADS_COMPONENT 0

const char *counters_off(void)
{
	const PAPI_component_info_t *info = PAPI_get_component_info(THREADS_COMPONENT);

	return info && info->disabled ? info->disabled_reason : NULL;
}

const char **counters_pmus(size_t *n)
{
	const PAPI_component_info_t *info = PAPI_get_component_info(THREADS_COMPONENT);
	const char **names = alloc_zeroed(PAPI_PMU_MAX, sizeof(*names));

	*n = 0;
	for (int i = 0; info && i < PAPI_PMU_MAX; i++)
		if (info->pmu_names[i])
			names[(*n)++] = info->pmu_names[i];
	return names;
}

enum counters_known counters_find(const char *event)
{
	int code;

	if (PAPI_event_name_to_code(event, &code) != PAPI_OK)
		return COUNTERS_UNKNOWN;
	if (!IS_NATIVE(code))
		return COUNTERS_THREADS;
	return PAPI_get_event_component(code) == THREADS_COMPONENT ? COUNTERS_THREADS
								   : COUNTERS_MACHINE;
}

static void names_from(
	int code, int component, void (*each)(void *arg, const char *name), void *arg)
{
	char name[PAPI_MAX_STR_LEN];

	if (PAPI_enum_cmp_event(&code, PAPI_ENUM_FIRST, component) != PAPI_OK)
		return;
	do {
		if (PAPI_event_code_to_name(code, name) == PAPI_OK)
			each(arg, name);
	} while (PAPI_enum_cmp_event(&code, PAPI_ENUM_EVENTS, component) == PAPI_OK);
}

void counters_names(void (*each)(void *arg, const char *name), void *arg)
{
	names_from((int)PAPI_PRESET_MASK, THREADS_COMPONENT, each, arg);
	names_from((int)PAPI_NATIVE_MASK, THREADS_COMPONENT, each, arg);
}

const char *counters_native(const char *event, char *buffer, size_t n)
{
	PAPI_event_info_t info;
	size_t length = 0;
	int code;

	*buffer = '\0';
	if (PAPI_event_name_to_code(event, &code) != PAPI_OK || IS_NATIVE(code) ||
		PAPI_get_event_info(code, &info) != PAPI_OK)
		return buffer;
	for (unsigned i = 0; i < info.count && i < PAPI_MAX_INFO_TERMS && length < n; i++)
		length += (size_t)snprintf(
			buffer + length, n - length, "%s%s", i ? ", " : "", info.name[i]);
	/* how several native events are combined; a single one needs no explanation */
	if (info.count > 1 && length < n)
		snprintf(buffer + length, n - length, " (%s)", info.derived);
	return buffer;
}

/* These modifiers of libpfm4 include the system. PAPI_set_opt(PAPI_DOMAIN) is not used, because it
 * tries a hardware event first and fails where there is none. */
#define IN_SYSTEM ":u=1:k=1"

static int add_event(struct counters *c, const char *event, bool in_system)
{
	char *name = alloc_format("%s%s", event, in_system ? IN_SYSTEM : "");
	int code, error = PAPI_event_name_to_code(name, &code);

	free(name);
	return error == PAPI_OK ? PAPI_add_event(c->set, code) : error;
}

/* Makes the set count another process and its children. This must happen before events are added:
 * Linux needs both settings when it opens an event, and PAPI then opens no event for the calling
 * thread. */
static int attach(struct counters *c, pid_t process)
{
	PAPI_option_t all = {.inherit = {c->set, PAPI_INHERIT_ALL}};
	int error = PAPI_set_opt(PAPI_INHERIT, &all);

	return error == PAPI_OK ? PAPI_attach(c->set, (unsigned long)process) : error;
}

static int make_set(struct counters *c)
{
	int error = PAPI_create_eventset(&c->set);

	return error == PAPI_OK ? PAPI_assign_eventset_component(c->set, THREADS_COMPONENT) : error;
}

static int add_all(struct counters *c, const char *const *events, bool in_system, const char **at)
{
	int error = PAPI_OK;

	for (size_t i = 0; i < c->count && error == PAPI_OK; i++) {
		*at = events[i];
		error = add_event(c, events[i], in_system);
	}
	return error;
}

/* Events that can be added may still not fit together; some systems refuse only at the start. */
static int try_start(struct counters *c)
{
	int error = PAPI_start(c->set);

	return error == PAPI_OK ? PAPI_stop(c->set, c->values) : error;
}

static struct counters *open_counters(
	const char *const *events, size_t count, bool in_system, pid_t process, char *why, size_t n)
{
	struct counters *c = alloc_zeroed(1, sizeof(*c));
	const char *at = "PAPI", *what = "cannot count another process";

	*c = (struct counters){PAPI_NULL, count, false, alloc_zeroed(count, sizeof(*c->values))};
	int error = make_set(c);
	if (error == PAPI_OK && process)
		error = attach(c, process);
	if (error == PAPI_OK) {
		what = "is not counted by this machine";
		error = add_all(c, events, in_system, &at);
	}
	if (error == PAPI_OK) {
		error = try_start(c);
		what = "does not start";
	}
	if (error == PAPI_OK)
		return c;
	snprintf(why, n, "%s %s (PAPI: %s)", at, what, PAPI_strerror(error));
	counters_free(c);
	return NULL;
}

struct counters *counters_make(
	const char *const *events, size_t count, bool in_system, char *why, size_t n)
{
	return open_counters(events, count, in_system, 0, why, n);
}

struct counters *counters_attach(
	pid_t process, const char *const *events, size_t count, char *why, size_t n)
{
	return open_counters(events, count, false, process, why, n);
}

int counters_start(struct counters *c)
{
	c->running = PAPI_start(c->set) == PAPI_OK;
	return c->running ? 0 : -1;
}

static void take_values(const struct counters *c, bool failed, double *values)
{
	for (size_t i = 0; i < c->count; i++)
		values[i] = failed ? NAN : (double)c->values[i];
}

void counters_read(struct counters *c, double *values)
{
	take_values(c, !c->running || PAPI_read(c->set, c->values) != PAPI_OK, values);
}

void counters_stop(struct counters *c, double *values)
{
	bool failed = !c->running || PAPI_stop(c->set, c->values) != PAPI_OK;

	c->running = false;
	take_values(c, failed, values);
}

void counters_free(struct counters *c)
{
	if (!c)
		return;
	if (c->set != PAPI_NULL) {
		PAPI_cleanup_eventset(c->set);
		PAPI_destroy_eventset(&c->set);
	}
	free(c->values);
	free(c);
}

/* Counts the cycles of a short loop. Returns NULL when the counter works, else what failed. */
static const char *try_cycles(char *why, size_t n)
{
	static const char *const cycles[] = {"PAPI_TOT_CYC"};
	struct counters *c = counters_make(cycles, 1, false, why, n);
	double counted = NAN;

	if (!c)
		return why;
	counters_start(c);
	for (volatile int i = 0; i < 1000; i++)
		;
	counters_stop(c, &counted);
	counters_free(c);
	return counted > 0 ? NULL : "the cycle counter does not count";
}

const char *counters_state(char *buffer, size_t n)
{
	bool was_open = PAPI_is_initialized() != PAPI_NOT_INITED;
	char reason[256];
	int version = PAPI_VER_CURRENT;

	if (counters_open(reason, sizeof(reason))) {
		snprintf(buffer, n, "none: %s", reason);
		return buffer;
	}
	const char *why = try_cycles(reason, sizeof(reason));
	snprintf(buffer, n, "PAPI %d.%d.%d, %s%s", PAPI_VERSION_MAJOR(version),
		PAPI_VERSION_MINOR(version), PAPI_VERSION_REVISION(version),
		why ? "no cycle counter: " : "cycles count", why ? why : "");
	if (!was_open)
		counters_close();
	return buffer;
}

#else

const char *counters_state(char *buffer, size_t n)
{
	snprintf(buffer, n, "none: built without PAPI");
	return buffer;
}

int counters_open(char *why, size_t n)
{
	snprintf(why, n, "built without PAPI");
	return -1;
}

void counters_close(void)
{
}

const char **counters_pmus(size_t *n)
{
	*n = 0;
	return alloc_zeroed(1, sizeof(char *));
}

const char *counters_off(void)
{
	return NULL;
}

enum counters_known counters_find(const char *event)
{
	(void)event;
	return COUNTERS_UNKNOWN;
}

void counters_names(void (*each)(void *arg, const char *name), void *arg)
{
	(void)each;
	(void)arg;
}

const char *counters_native(const char *event, char *buffer, size_t n)
{
	(void)event;
	(void)n;
	*buffer = '\0';
	return buffer;
}

struct counters *counters_make(
	const char *const *events, size_t count, bool in_system, char *why, size_t n)
{
	(void)events;
	(void)count;
	(void)in_system;
	counters_open(why, n);
	return NULL;
}

struct counters *counters_attach(
	pid_t process, const char *const *events, size_t count, char *why, size_t n)
{
	(void)process;
	return counters_make(events, count, false, why, n);
}

int counters_start(struct counters *c)
{
	(void)c;
	return -1;
}

void counters_read(struct counters *c, double *values)
{
	(void)c;
	(void)values;
}

void counters_stop(struct counters *c, double *values)
{
	(void)c;
	(void)values;
}

void counters_free(struct counters *c)
{
	free(c);
}

#endif
