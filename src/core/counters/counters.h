/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters of hardware and system events. Nothing else uses PAPI. PAPI may be absent at build time:
 * then counters_open() fails, counters_make() and counters_attach() return NULL with the same
 * reason, no event has a name, and the functions that take a set do nothing.
 *
 * Events are named as PAPI names them: presets (PAPI_TOT_INS), native events with their masks
 * (perf::INSTRUCTIONS, LS_DISPATCH:LD_DISPATCH). Nothing is multiplexed.
 */
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Says in one line for reports whether hardware counters count on this machine: "PAPI 7.0.0, cycles
 * count", or why not. The function counts to find out, because PAPI reports events as available
 * that cannot be added or never count. */
const char *counters_state(char *buffer, size_t n);

/* Starts PAPI for this process; must be called before other threads use PAPI. Returns 0, or -1 with
 * why[n]. A second call does not open PAPI again. */
int counters_open(char *why, size_t n);
void counters_close(void);

/* PAPI's reason why it counts nothing for threads on this machine, events of the system included;
 * NULL: it counts some. PAPI owns the text. */
const char *counters_off(void);

/* libpfm4's names of the PMUs of this machine's CPUs. The caller frees the array; PAPI owns the
 * names. */
const char **counters_pmus(size_t *n);

enum counters_known {
	COUNTERS_UNKNOWN, /* no event of this machine */
	COUNTERS_THREADS, /* counted for a thread, if it can be counted */
	COUNTERS_MACHINE  /* counted only for the whole machine (uncore and the like) */
};
enum counters_known counters_find(const char *event);

/* Calls each(arg, name) for every event that can be named, without masks. */
void counters_names(void (*each)(void *arg, const char *name), void *arg);

/* The native events of a preset on this CPU: "RETIRED_INSTRUCTIONS"; "" when the event is native
 * itself or the preset has none. */
const char *counters_native(const char *event, char *buffer, size_t n);

/* A set of events of the calling thread that are counted together. in_system: also counts what
 * happens in the system on behalf of the thread, which needs more permission. Returns NULL with
 * why[n] when the events do not fit together, do not exist or are not permitted. Only the thread
 * that made the set may use it. */
struct counters;
struct counters *counters_make(
	const char *const *events, size_t count, bool in_system, char *why, size_t n);
/* The same for another process instead of the calling thread. The set counts the process itself,
 * all threads and children that it starts from now on, and the program that it executes. The
 * process must not have started anything yet; it may have ended when the counters are stopped. */
struct counters *counters_attach(
	pid_t process, const char *const *events, size_t count, char *why, size_t n);
int counters_start(struct counters *c);
/* Write values[count], NAN where counting failed. counters_read() goes on counting. */
void counters_read(struct counters *c, double *values);
void counters_stop(struct counters *c, double *values);
void counters_free(struct counters *c);

#endif
