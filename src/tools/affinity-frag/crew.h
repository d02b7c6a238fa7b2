/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Work on many blocks at once. What takes long is that the kernel clears each page, and that a
 * virtual machine may have to get it from its host first: both happen on the CPU of the thread that
 * touches the page.
 */
#ifndef CREW_H
#define CREW_H

/* Threads that work at most. */
#define CREW_MOST 8

/* Does the work for the items 0 to items - 1, with a thread for each CPU that this process may use,
 * the calling one among them, and with fewer where the system gives no more. The threads inherit
 * the signals that are blocked. */
void crew_work(int items, void (*work)(void *arg, int item), void *arg);

#endif
