/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small whole weights for parts of memory. Nothing else is here: programs need it that move no
 * page.
 */
#include "memory/deal.h"

#include <math.h>

/* Fills in weights[n] of which the largest is `largest`. Returns how much of all pages the node
 * with the worst share has too much or too little. */
static double round_weights(const double *parts, size_t n, unsigned largest, unsigned *weights)
{
	double sum = 0, most = 0, whole = 0, worst = 0;

	for (size_t i = 0; i < n; i++) {
		sum += parts[i];
		most = fmax(most, parts[i]);
	}
	for (size_t i = 0; i < n; i++) {
		weights[i] = (unsigned)fmax(1, round(parts[i] / most * largest));
		whole += weights[i];
	}
	for (size_t i = 0; i < n; i++)
		worst = fmax(worst, fabs(weights[i] / whole - parts[i] / sum));
	return worst;
}

void deal_weights(const double *parts, size_t n, unsigned *weights)
{
	double least = INFINITY;
	unsigned best = 1;

	for (unsigned largest = 1; largest <= DEAL_WEIGHT_MAX && least > DEAL_ERROR; largest++) {
		double error = round_weights(parts, n, largest, weights);

		if (error < least) {
			least = error;
			best = largest;
		}
	}
	round_weights(parts, n, best, weights);
}
