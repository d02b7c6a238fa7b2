/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end of a program that printed on standard output. */
#ifndef ENDING_H
#define ENDING_H

#include "base/error.h"

/* Flushes standard output, and adds a message if not all of it could be written: STATUS_READER_LEFT
 * if the reader of a pipe left (| head), else STATUS_FAILED. SIGPIPE must be ignored or handled. */
void ending_flush(struct errors *e);

#endif
