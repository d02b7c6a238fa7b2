/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several result documents in one word of a command line. */
#ifndef DOCUMENT_FILES_H
#define DOCUMENT_FILES_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

/* Adds the files that `paths` names: files and folders divided by commas; of a folder its *.json in
 * the order of their names. 0, or -1 with a message (STATUS_USAGE): a folder cannot be read. */
int document_files(struct words *files, const char *paths, struct errors *e);

/* The same of one folder, whose name may have commas. */
int document_folder(struct words *files, const char *folder, struct errors *e);

/* Is it a word of `paths`, and not only in a folder that is? A folder may have other files. */
bool document_is_named(const char *paths, const char *file);

#endif
