/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread's cost from its samples, with its interval. */
#ifndef ESTIMATE_H
#define ESTIMATE_H

#include "measure/samples.h"
#include "base/stats.h"

/* A figure of one thread in one sample, such as sample_cost. */
typedef double sample_figure(const struct sample *s, int thread);

struct estimate {
	struct stats stats; /* of the samples that count, without warm-up */
	double value;       /* the statistic that the file asks for */
	double low,
		high; /* its confidence interval: of the mean (Student's t) or of the median (order
			 statistics); NAN for a minimum, and where there are too few samples */
};

/* 0, or -1 when there is no sample that counts. */
int estimate(const struct request *q, const struct op_result *result, int thread,
	sample_figure *figure, struct estimate *out);

/* The same, from values of which there is already one for each sample. */
int estimate_values(const struct request *q, const double *values, size_t n, struct estimate *out);

/* Half the interval as a fraction of the value; NAN when there is no interval. */
double estimate_error(const struct estimate *x);

#endif
