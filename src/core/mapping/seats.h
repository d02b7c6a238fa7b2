/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The seats of a machine, in the form that mapping.h requires. */
#ifndef SEATS_H
#define SEATS_H

#include "mapping/mapping.h"
#include "topology/topo.h"

/* Returns every hardware thread that this process may use, to be freed; *n is their number. */
struct mapping_seat *seats_usable(const struct topo *t, int *n);

/* The same for a mapping, which may know the places of one level only. NULL with a message that
 * names `key`: the machine lacks it. */
struct mapping_seat *seats_for(const struct topo *t, const struct mapping_choice *choice, int *n,
	const char *key, struct place at, struct errors *e);

/* The same, with `nameable` also those that it uses only where a file names them. */
struct mapping_seat *seats_of(const struct topo *t, bool nameable, int *n);

#endif
