/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recognizes argument files, so that no result replaces one. */
#ifndef RECOGNIZE_H
#define RECOGNIZE_H

/* Does `path` look like an argument file, perhaps one with mistakes: a regular file with keys of
 * the argument file, and with no more lines than these that are not of the form `key: value`? 1:
 * yes; 0: no; -1: it is not there, no regular file, or cannot be read. */
int recognize_args(const char *path);

#endif
