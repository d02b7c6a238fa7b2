/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several result documents in one word of a command line. */
#ifndef DOCUMENT_FILES_H
#define DOCUMENT_FILES_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

/* Adds the files that `paths` names: files divided by commas, or a folder with its *.json in the
 * order of their names; there may be other files among those. 0, or -1 with a message
 * (STATUS_USAGE): the folder cannot be read. */
int document_files(struct words *files, const char *paths, bool *folder, struct errors *e);

#endif
