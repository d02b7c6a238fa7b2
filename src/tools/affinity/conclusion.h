/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last lines on a terminal. */
#ifndef CONCLUSION_H
#define CONCLUSION_H

#include "affinity/options.h"
#include "document/document.h"

/* What was found, its tables as far as the terminal of standard error has room for them, how far to
 * trust it, and where all of it is; without the last line's end. To be freed. */
char *conclusion_text(const struct options *o, const struct document *d);

#endif
