/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The function map by name: the only way from a name of opType to a kernel. */
#ifndef REGISTRY_H
#define REGISTRY_H

#include "kernel.h"

/* NULL when the map has no such id. */
const struct kernel *registry_find(const char *id);

/* The id nearest to a wrong one, or NULL. */
const char *registry_nearest(const char *id);

/* A kernel's name: its first id in the map. */
const char *registry_name(const struct kernel *k);

#endif
