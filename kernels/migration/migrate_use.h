/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernels by which migrate_use uses a vector: for migrate_use.c and its test. */
#ifndef MIGRATE_USE_H
#define MIGRATE_USE_H

#include "kernel.h"

/* In the order of the choices of `use`. A use is a round. */
struct migrate_user {
	const char *name;
	const struct kernel *kernel; /* NULL: lines */
	const void *args;            /* its default parameters */
};

#define MIGRATE_USERS 7
extern const struct migrate_user migrate_users[MIGRATE_USERS];

#endif
