/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For parts.c and queues.c only: what the parts of the model have from each other. */
#ifndef PARTS_H
#define PARTS_H

#include "prediction/training.h"

void parts_add_measured(
	struct training *t, struct modelled_view *v, const double *ends, size_t group);

/* NULL, or why no run tells what the threads of a view cost, to be freed. */
char *parts_look_up(const struct training *t, const struct modelled_view *v, struct predicted *out);

/* The wider one of two margins; NAN: one is not known. */
double parts_wider(double a, double b);

/* queues.c: the functions of struct part. */
void queues_add(struct training *t, struct modelled_view *v, const double *ends, size_t group);
void queues_fit(struct training *t);
char *queues_cost(const struct training *t, const struct modelled_view *v, struct predicted *out);
void queues_free(struct training *t);

/* queues.c: costs alone of kernels, from `from` on, that lie between measured ones. */
void queues_interpolate(struct training *t, size_t from);

#endif
