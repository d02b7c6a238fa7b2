/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether this processor has the instructions that the compiler was allowed to use. With
 * -march=native in CFLAGS a program built on one node of a cluster may end with SIGILL on another,
 * in the middle of a batch.
 */
#ifndef INSTRUCTIONS_H
#define INSTRUCTIONS_H

/* The name of an instruction set that this build needs and the processor lacks, or NULL. */
const char *instructions_missing(void);

#endif
