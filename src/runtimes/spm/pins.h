/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which pages are pinned, and by whom: disjoint intervals of page numbers in a balanced tree, as
 * Piccoli et al. (PACT 2014, section 3.5) describe it. A page that is pinned is not migrated again
 * until its owner unpins it. All functions may be called at the same time; one mutex orders them.
 */
#ifndef SPM_PINS_H
#define SPM_PINS_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/* Pages [first, end). */
struct spm_run {
	uintptr_t first, end;
};

struct spm_interval;
struct spm_pins {
	pthread_mutex_t mutex;
	struct spm_interval *root, *unused;
	size_t entries; /* intervals; neighbours of the same owner are one */
	uint64_t random;
};

void spm_pins_init(struct spm_pins *p);
void spm_pins_free(struct spm_pins *p);

/* Pins for the owner the first run of pages in `wanted` that nobody has pinned, the owner itself
 * included, and returns it: not the longest run, and no second one. Empty (end == first): there is
 * none, or (errno ENOMEM) no memory to note it; errno is 0 otherwise. wanted is not empty. */
struct spm_run spm_pins_take(struct spm_pins *p, struct spm_run wanted, const void *owner);

/* Unpins the pages of the run that the owner has pinned. Returns 0, or -1 and ENOMEM; then all
 * stays as it was. */
int spm_pins_release(struct spm_pins *p, struct spm_run run, const void *owner);

/* Who pinned the page; NULL: nobody. */
const void *spm_pins_owner(struct spm_pins *p, uintptr_t page);

#endif
