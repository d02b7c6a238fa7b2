/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Signals that end the program are taken when it looks for them, so that it can clean up. */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <signal.h>

/* Holds back SIGINT, SIGTERM, SIGHUP and SIGQUIT, unless they are ignored, and SIGCHLD. SIGPIPE is
 * no end either. */
void signals_hold(void);

/* For a child, before its program is executed. */
void signals_restore(void);

/* Waits so many milliseconds for one; returns its number, 0: none came. Without `info` SIGCHLD is
 * left for later, and an ending signal is remembered: it is returned again. */
int signals_wait(int ms, siginfo_t *info);

/* Forgets the ending signal that came. */
void signals_forget(void);

#endif
