/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures that kernels have of their own (kernel.h: figures), over all samples. */
#ifndef KERNEL_FIGURES_H
#define KERNEL_FIGURES_H

#include "analysis/derive.h"

/* The figures of all kernels that run, each name once, in the order of runs, operations and
 * threads. */
struct kernel_figures {
	const struct kernel_figure **list;
	size_t count;
};

/* Of the operations of all runs that can be done, or of one operation. kernel_figures_free() frees
 * the list. */
void kernel_figures_of_all(struct kernel_figures *l, const struct experiment *x);
void kernel_figures_of_op(struct kernel_figures *l, const struct plan *p, int op);
void kernel_figures_free(struct kernel_figures *l);

/* The figure in one sample, of a thread or of ALL_THREADS or THREADS_OF_KIND: then the sum or mean
 * of the threads that have it. NAN: none has, or the kernel did not know. */
double kernel_figure_in(
	const struct samples *r, int op, const struct sample *s, int who, const char *name);

/* The same over the samples that count, by the file's statistic. */
struct amount kernel_figure_of(const struct samples *r, int op, int who, const char *name);

#endif
