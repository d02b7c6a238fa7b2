/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The process's runtime, for its threads. */
#ifndef INSERTED_PROCESS_H
#define INSERTED_PROCESS_H

#include "spm/spm.h"

/* NULL: it could not be started. */
struct spm *process_spm(void);

#endif
