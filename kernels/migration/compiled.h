/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the calls go that the compiler pass has put into the loops of works_compiled: to the
 * runtime of the policy that the calling thread follows. */
#ifndef COMPILED_H
#define COMPILED_H

#include <stdbool.h>

struct spm;

/* From now on the calling thread's calls go there; NULL: nowhere, as at first. */
void compiled_follow(struct spm *spm);

/* Before a sample and at its end, of a policy with this runtime. inline_tests: in the sample loops
 * make no call that its tests would reject, where they can know. That is of the whole process: of
 * several policies in one sample that is taken which leaves out the fewest. */
void compiled_begin(const struct spm *spm, bool inline_tests);
void compiled_end(void);

#endif
