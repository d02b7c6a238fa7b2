/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program that speaks: what its messages, its hints and --version begin with. */
#ifndef NAME_H
#define NAME_H

/* A program's main.c defines it; without one, as in the tests of units, it is the driver's. */
extern const char PROGRAM_NAME[];

#endif
