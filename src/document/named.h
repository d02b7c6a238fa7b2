/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of results in a folder of a batch, which keeps the earlier ones in .history/. */
#ifndef DOCUMENT_NAMED_H
#define DOCUMENT_NAMED_H

#include "base/error.h"

/* The file that is meant by the name of a result: that file if it is there; else, in the current
 * folder or its results/, NAME.json, of NAME@DATE the newest kept result whose date begins so, of
 * NAME@last the newest kept one. If nothing is found, the name itself. To be freed; NULL with a
 * message (STATUS_USAGE): results of NAME are kept, but none of that date. */
char *named_result(const char *name, struct errors *e);

#endif
