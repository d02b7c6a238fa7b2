/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The argument file that a document was measured with. */
#ifndef DOCUMENT_ARGUMENTS_H
#define DOCUMENT_ARGUMENTS_H

#include "document/document.h"
#include "input/args.h"

/* Its entries, and behind them those of --set; args_free() frees them. 0, or -1 with a message for
 * each bad line. */
int document_arguments(struct args *a, const struct document *d, struct errors *e);

#endif
