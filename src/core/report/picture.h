/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine as a picture of characters. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdio.h>

#include "topology/topo.h"

/* Draws places as headings and boxes, cores as columns of their CPUs, in lines of at most 80
 * columns. Of several places in a row that are alike it draws the first and the last; those that
 * differ in their cores, caches or usable CPUs are not alike. The last lines say how it is read. */
void report_picture(const struct topo *t, FILE *out);

#endif
