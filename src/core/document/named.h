/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of results in a folder of a batch, which keeps the earlier ones in .history/. */
#ifndef DOCUMENT_NAMED_H
#define DOCUMENT_NAMED_H

#include "base/error.h"
#include "base/text.h"

/* The file that is meant by the name of a result: that file if it is there; else, in the current
 * folder or its results/, NAME.json, of NAME@DATE the newest kept result whose date begins so, of
 * NAME@last the newest kept one. To be freed. NULL with a message (STATUS_USAGE): nothing is found;
 * but a name that ends in .json stays as it is. */
char *named_result(const char *name, struct errors *e);

/* Adds the files that a name means as a history: that file if it is there; else all that are kept
 * of NAME, in the order of their dates, and the present one, of NAME@DATE those whose date begins
 * so, of NAME@last the newest kept one. 0, or -1 as named_result(). */
int named_history(struct words *files, const char *name, struct errors *e);

#endif
