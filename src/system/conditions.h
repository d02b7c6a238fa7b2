/* SPDX-License-Identifier: GPL-3.0-or-later */
/* States of the machine that spoil measurements. */
#ifndef CONDITIONS_H
#define CONDITIONS_H

#include "system/environment.h"

/* Warns of every such state among the facts, with its remedy as a hint. */
void conditions_judge(const struct environment *env, const struct topo *t, struct errors *e);

#endif
