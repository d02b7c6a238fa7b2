/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Single lines of /proc/buddyinfo and /proc/zoneinfo. They take no memory and need nothing of the
 * other folders, so that a library for programs of others can have them too.
 */
#ifndef LINES_H
#define LINES_H

#include "hugepages/buddyinfo.h"
#include "hugepages/zoneinfo.h"

/* "Node 0, zone   Normal   2858    810    438 ...". 0, or -1: the line is not of this form. */
int buddy_line(const char *line, struct buddy_zone *z);

/* "Node 0, zone   Normal": the head of a zone's lines in zoneinfo. 0, or -1: it is none. */
int zone_head(const char *line, struct zone_limits *z);

/* Is it a line with pages free, a watermark, the protection, the place or the size of the zone? It
 * is then in *z. */
bool zone_line(const char *line, struct zone_limits *z);

#endif
