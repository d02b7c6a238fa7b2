/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading that permissions do not allow: which folder or file on the way is why. */
#ifndef DENIED_H
#define DENIED_H

#include "base/error.h"

/* For a message about a path that could not be read, with errno's value of then. Where permissions
 * are why, the message gets the hint what the owner can allow, in place of one that it has. Returns
 * -1. */
int denied_hint(const char *path, int error, struct errors *e);

/* 0, or -1 with a message (STATUS_USAGE): the user may not list the folder, or not read what is in
 * it. Without it such a folder looks empty. */
int denied_folder(const char *folder, struct errors *e);

#endif
