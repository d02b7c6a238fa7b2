/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several result documents in one word of a command line. */
#ifndef DOCUMENT_FILES_H
#define DOCUMENT_FILES_H

#include <stdbool.h>

#include "base/text.h"

/* Adds the files that `paths` names: files divided by commas, or a folder with its *.json in the
 * order of their names. True: it is a folder, so there may be other files among them. */
bool document_files(struct words *files, const char *paths);

#endif
