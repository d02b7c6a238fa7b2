/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an option that affinity does not have means: a key of argument files, or nothing. */
#ifndef OPTION_MEANT_H
#define OPTION_MEANT_H

#include "base/error.h"

/* The key, as of hyperfine or numactl, or with a value: "mode: time:2s". NULL: none. */
const char *option_key_meant(const char *word);

/* Adds the hint how the key that was meant is set, or where options are listed (NULL). Returns -1.
 */
int option_hint_unknown(const char *key, const char *word, struct errors *e);

#endif
