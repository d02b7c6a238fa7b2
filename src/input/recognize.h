/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognizes argument files, so that no result replaces one. */
#ifndef RECOGNIZE_H
#define RECOGNIZE_H

#include <stdbool.h>

/* Does `path` look like an argument file, perhaps one with mistakes: a regular file with keys of
 * the argument file, and with no more lines than these that are not of the form `key: value`? */
bool recognize_args(const char *path);

#endif
