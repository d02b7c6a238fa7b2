/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counters of hardware and system events: the only user of PAPI, which may be absent at build time.
 * Then nothing can be opened, and the rest is never called.
 *
 * Events are named as PAPI names them: presets (PAPI_TOT_INS), native events with their masks
 * (perf::INSTRUCTIONS, LS_DISPATCH:LD_DISPATCH). Nothing is multiplexed.
 */
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Whether hardware counters count on this machine, in one line for reports: "PAPI 7.0.0, cycles
 * count" or why not. Found by counting: PAPI calls events available that then cannot be added, or
 * never count. */
const char *counters_state(char *buffer, size_t n);

/* Starts PAPI for this process, before other threads use it. 0, or -1 with why[n]. Once open it is
 * not opened again. */
int counters_open(char *why, size_t n);
void counters_close(void);

/* libpfm4's names of the PMUs of this machine's CPUs; to be freed, the names are PAPI's. */
const char **counters_pmus(size_t *n);

enum counters_known {
	COUNTERS_UNKNOWN, /* no event of this machine */
	COUNTERS_THREADS, /* is counted for a thread, where it is counted */
	COUNTERS_MACHINE  /* is counted for the machine only (uncore and the like) */
};
enum counters_known counters_find(const char *event);

/* Calls each(arg, name) for every event that can be named, without masks. */
void counters_names(void (*each)(void *arg, const char *name), void *arg);

/* What stands behind a preset on this CPU: "RETIRED_INSTRUCTIONS"; "" when it is native itself or
 * nothing does. */
const char *counters_native(const char *event, char *buffer, size_t n);

/* Events of the calling thread that are counted together. in_system: also what happens in the
 * system on its behalf, which needs more permission. NULL with why[n]: they do not fit, are not
 * there or not permitted. All calls by the thread that made it. */
struct counters;
struct counters *counters_make(
	const char *const *events, size_t count, bool in_system, char *why, size_t n);
/* The same of another process, in place of the calling thread: its own, of all threads and of all
 * children that it begins from now on, and of the program that it executes. For one that has begun
 * nothing yet; it may have ended when the counters are stopped. */
struct counters *counters_attach(
	pid_t process, const char *const *events, size_t count, char *why, size_t n);
int counters_start(struct counters *c);
/* values[count], NAN where counting failed. */
void counters_stop(struct counters *c, double *values);
void counters_free(struct counters *c);

#endif
