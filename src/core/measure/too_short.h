/* SPDX-License-Identifier: GPL-3.0-or-later */
/* With mode: time, is the time too short for what the threads do in it? For series.c. */
#ifndef TOO_SHORT_H
#define TOO_SHORT_H

#include "measure/series.h"

/* A thread that finished no call in the window of the sample; -1: there is none. */
int too_short_for(const struct series *b, const struct sample *s);

/* Makes the window of the samples that follow longer, unless the thread had no CPU for most of it
 * and this was not repeated often: then the same time may do. */
void too_short_lengthen(const struct series *b, int thread, int repeats, struct errors *e);

/* The message where no repeat was of any use. -1. */
int too_short_refuse(const struct series *b, int thread, struct errors *e);

/* The window holds few calls. */
void too_short_warn(const struct series *b, const struct sample *s, struct errors *e);

#endif
