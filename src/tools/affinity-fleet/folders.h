/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The results in a folder and below it. */
#ifndef FLEET_FOLDERS_H
#define FLEET_FOLDERS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/text.h"

/* Adds the *.json of a folder and of all below it, in the order of their paths, without the caches
 * that ejec.sh measured; or the path itself, if it is no folder. 0, or -1 with a message: there is
 * no such path, or it cannot be read. */
int folders_list(const char *path, struct words *files, bool *folder, struct errors *e);

#endif
