/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The process's runtime: begin, calls, releases, and the end.
 *
 * inserted.c holds the one runtime and passes calls on to it; threads.c makes every thread of the
 * process begin and end with it. check.c and turns.c hold the pass's estimates against what
 * happens, in files of log.c.
 */
#include "inserted/inserted.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "inserted/least.h"
#include "inserted/log.h"
#include "inserted/process.h"
#include "spm/spm.h"

/* One a process, as in the dissertation; a library has nowhere else to keep it. */
static struct {
	pthread_once_t once;
	struct spm *spm;
	FILE *trace;
	bool pins;
	atomic_bool ended;
} process = {.once = PTHREAD_ONCE_INIT};

_Atomic int64_t affinity_inserted_least, affinity_inserted_reuse;

static bool is_set(const char *variable)
{
	const char *value = secure_getenv(variable);

	return value && *value;
}

static void tell_programs(void)
{
	const struct spm_config *c = spm_configuration(process.spm);
	int64_t least = INT64_MAX, reuse = INT64_MAX;

	if (c && (is_set("AFFINITY_PASS_TRACE") || is_set("AFFINITY_PASS_COUNTS"))) {
		least = reuse = 0;
	} else if (c) {
		least = inserted_least(c);
		reuse = inserted_reuse(c);
	}
	atomic_store_explicit(&affinity_inserted_least, least, memory_order_relaxed);
	atomic_store_explicit(&affinity_inserted_reuse, reuse, memory_order_relaxed);
}

static void start_runtime(void)
{
	char message[2048];

	process.trace = log_open("AFFINITY_PASS_TRACE");
	process.spm = spm_init(NULL, message, sizeof(message));
	if (process.spm)
		process.pins = spm_configuration(process.spm)->pin != SPM_PIN_NONE;
	else
		fprintf(stderr, "affinity: no page migration: %s\n", message);
	tell_programs();
}

void affinity_inserted_begin(void)
{
	pthread_once(&process.once, start_runtime);
}

struct spm *process_spm(void)
{
	affinity_inserted_begin();
	return process.spm;
}

static const char *answer_name(enum spm_answer answer)
{
	static const char *const names[] = {[SPM_TOO_SMALL] = "too_small",
		[SPM_TOO_LITTLE_REUSE] = "too_little_reuse",
		[SPM_DONE] = "done",
		[SPM_PINNED] = "pinned",
		[SPM_REFUSED] = "refused",
		[SPM_INVALID] = "invalid"};

	return names[answer];
}

void affinity_inserted_call(const struct inserted_site *site, const void *base, int64_t first,
	int64_t last, int64_t executions)
{
	enum spm_answer answer;

	affinity_inserted_begin();
	if (!process.spm || process.ended || last < first || executions <= 0)
		return;
	answer = spm_call(process.spm, base, first, last, executions, site->element_size);
	if (!process.trace)
		return;
	log_lock();
	fprintf(process.trace,
		"%s:%" PRIu32 " %s '%s' %" PRId64 " %" PRId64 " %" PRId64 " %" PRIu32 " %s\n",
		site->file, site->line, site->function, site->array, first, last, executions,
		site->element_size, answer_name(answer));
	log_unlock();
}

void affinity_inserted_release(
	const struct inserted_site *site, const void *base, int64_t first, int64_t last)
{
	(void)site;
	if (process.pins && !process.ended && last >= first)
		spm_release(process.spm, base, first, last);
}

/* At the return of main and at exit(). Threads may still be running, so the runtime stays. */
__attribute__((destructor)) static void end(void)
{
	FILE *counts;

	if (atomic_exchange(&process.ended, true) || !process.spm)
		return;
	counts = log_open("AFFINITY_PASS_COUNTS");
	if (counts) {
		spm_print(process.spm, counts);
		fflush(counts);
	}
	if (process.trace)
		fflush(process.trace);
}
