/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a program that was compiled with the pass has from libaffinity-inserted.so
 * (src/runtimes/inserted), here with a runtime for each policy and without threads of its own. */
#include "compiled.h"

#include <pthread.h>

#include "inserted/inserted.h"
#include "inserted/least.h"
#include "spm/spm.h"

static _Thread_local struct spm *followed;

_Atomic int64_t affinity_inserted_least, affinity_inserted_reuse;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int policies; /* in this sample */

static void leave_out(int64_t least, int64_t reuse)
{
	if (__atomic_fetch_add(&policies, 1, __ATOMIC_RELAXED)) {
		least = least < affinity_inserted_least ? least : affinity_inserted_least;
		reuse = reuse < affinity_inserted_reuse ? reuse : affinity_inserted_reuse;
	}
	affinity_inserted_least = least;
	affinity_inserted_reuse = reuse;
}

void compiled_begin(const struct spm *spm, bool inline_tests)
{
	const struct spm_config *c = spm_configuration(spm);

	pthread_mutex_lock(&mutex);
	leave_out(inline_tests ? inserted_least(c) : 0, inline_tests ? inserted_reuse(c) : 0);
	pthread_mutex_unlock(&mutex);
}

void compiled_end(void)
{
	__atomic_fetch_sub(&policies, 1, __ATOMIC_RELAXED);
}

void compiled_follow(struct spm *spm)
{
	followed = spm;
}

void affinity_inserted_call(const struct inserted_site *site, const void *base, int64_t first,
	int64_t last, int64_t executions)
{
	if (followed && last >= first && executions > 0)
		spm_call(followed, base, first, last, executions, site->element_size);
}

void affinity_inserted_release(
	const struct inserted_site *site, const void *base, int64_t first, int64_t last)
{
	(void)site;
	if (followed && last >= first)
		spm_release(followed, base, first, last);
}
