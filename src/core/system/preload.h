/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The libraries that programs of this project preload into others. */
#ifndef PRELOAD_H
#define PRELOAD_H

#include "base/error.h"

/* A path for LD_PRELOAD, as long as this process lives, of a library that lies beside the running
 * program, in build/ or where make install puts it. The caller frees it. NULL with a message: it is
 * not there, or cannot be read. */
char *preload_find(const char *name, struct errors *e);

#endif
