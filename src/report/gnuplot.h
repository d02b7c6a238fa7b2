/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs gnuplot. */
#ifndef GNUPLOT_H
#define GNUPLOT_H

#include <signal.h>
#include <stddef.h>

/* The file of the program, to be freed; NULL: it is not installed. */
char *gnuplot_find(void);

enum gnuplot_end {
	GNUPLOT_DREW,
	GNUPLOT_FAILED, /* or it drew nothing */
	GNUPLOT_SLOW,   /* it was killed */
	GNUPLOT_STOPPED /* by *stop; it was killed */
};

/* Has it draw a script of that many bytes; settings of the user do not count. What it prints, to be
 * freed, goes to *drawn, its bytes to *size, when it drew. */
enum gnuplot_end gnuplot_draw(const char *program, const char *script, size_t length,
	const volatile sig_atomic_t *stop, char **drawn, size_t *size);

#endif
