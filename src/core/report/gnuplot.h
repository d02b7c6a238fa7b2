/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs gnuplot. */
#ifndef GNUPLOT_H
#define GNUPLOT_H

#include <signal.h>
#include <stddef.h>

/* The path of the program, to be freed; NULL: it is not installed. */
char *gnuplot_find(void);

enum gnuplot_end {
	GNUPLOT_DREW,
	GNUPLOT_FAILED, /* or it drew nothing */
	GNUPLOT_SLOW,   /* it was killed */
	GNUPLOT_STOPPED /* *stop was set; it was killed */
};

/* Runs gnuplot with a script of `length` bytes; the user's settings are ignored. On GNUPLOT_DREW,
 * *drawn is its output, to be freed, and *size the number of bytes. */
enum gnuplot_end gnuplot_draw(const char *program, const char *script, size_t length,
	const volatile sig_atomic_t *stop, char **drawn, size_t *size);

#endif
