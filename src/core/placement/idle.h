/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Idle threads of the OpenMP runtime sleep instead of spinning beside a sample. */
#ifndef IDLE_H
#define IDLE_H

/* Starts the program again, with the same arguments, unless the environment already tells the
 * OpenMP runtime that idle threads sleep at once: libgomp reads this before main(). Does not return
 * if that succeeds, so call it before anything is read, opened or written. Returns NULL if idle
 * threads sleep, or why they do not. */
const char *idle_sleep(char *const argv[]);

#endif
