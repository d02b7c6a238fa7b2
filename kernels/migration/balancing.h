/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernel's NUMA balancing (AutoNUMA): it takes away the permissions of a process's pages, some
 * at a time, and moves a page to the node of the thread that then accesses it. It is a setting of
 * the whole machine, kernel.numa_balancing; only who asks for it has it switched, and a process of
 * its own puts the setting back however the program ends, also by a signal.
 */
#ifndef BALANCING_H
#define BALANCING_H

#include <stdbool.h>
#include <stddef.h>

/* kernel.numa_balancing; 0: off, -1: this kernel has none. */
int balancing_setting(void);

/* NULL, or why the kernel does not balance pages here, written to why[n]. switches: the file asks
 * for the setting to be switched on where it is off. */
const char *balancing_lacks(bool switches, char *why, size_t n);

/* Around all uses of the two below; calls may be nested, by any thread. Remembers the setting and
 * starts the process that puts it back. NULL, or what went wrong, written to why[n]; then there is
 * nothing to close. */
const char *balancing_open(char *why, size_t n);
void balancing_close(void);

/* Switches balancing on, and back to what it was; calls may be nested. NULL, or what went wrong,
 * written to why[n]; then there is nothing to switch back. */
const char *balancing_on(char *why, size_t n);
void balancing_off(void);

/* Base pages that balancing has moved on this machine since it started; NAN: the kernel does not
 * say. */
double balancing_moved(void);

#endif
