/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What proves that hand-overs were wake-ups. */
#ifndef WAKE_H
#define WAKE_H

#include "kernel.h"

struct wake_count {
	uint64_t rounds, slept; /* hand-overs to the thread; those before which it slept */
	uint64_t idle;          /* ns that it was given to fall asleep */
	bool yields, one_cpu;
};

/* As prove() of struct kernel. */
enum event_proof wake_judge(const struct wake_count *c, char *text, size_t n);

#endif
