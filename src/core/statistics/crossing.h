/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * After how many uses a cost that is paid once has paid, and where two curves cross.
 *
 * Such an answer is a range more than a figure. Its amount has a value, with the ends of its
 * interval; an end that does not exist is infinite: high INFINITY is "perhaps never". Or, in place
 * of a value:
 *
 *   "never"     value INFINITY: not at any point; with low, perhaps from there on
 *   "always"    value -INFINITY: already at the first point; with high, perhaps only from there on
 *   "anywhere"  value NAN, low -INFINITY, high INFINITY: the interval reaches over all points
 *   "mixed"     value NAN, low and high finite: certainly cheaper at some point and dearer at a
 * later one; both lie between
 *   "same memory"  value NAN, low INFINITY, high -INFINITY: what is compared differs in its
 * placement only, and all of it is the same memory
 *
 * All NAN: not measured.
 */
#ifndef CROSSING_H
#define CROSSING_H

#include <stdbool.h>
#include <stddef.h>

#include "base/amount.h"

/* once / (dear - cheap): after how many uses the cost `once` has paid if a use costs `dear` without
 * it and `cheap` with it. Their errors are taken as independent. The interval of the difference:
 * squares of the distances to the ends add up (Zou and Donner, Statistics in Medicine 27, 2008);
 * that of the quotient has no logarithms, because the difference can be near 0: Donner and Zou,
 * Closed-form confidence intervals for functions of the normal mean and standard deviation,
 * Statistical Methods in Medical Research 21, 2012, which is Fieller's for normal errors. Where the
 * difference may be 0, high is INFINITY; where it is not above 0, the value is. `once` or a use
 * without an interval: no interval. */
struct amount crossing_of_costs(struct amount once, struct amount dear, struct amount cheap);

struct crossing_point {
	double x;
	double base;         /* cost of the curve to which the other is compared */
	struct amount ratio; /* cost of the other / base; value NAN: this point is missing */
};

/* From which x on the other curve is below the base. points[n] in any order. The
 * difference of the curves is taken as linear between two points, which it is where a cost is a + b
 * x. The interval has every x between the first and the last at which the interval of the
 * difference has 0 in it, ends interpolated in the same way. A point without interval: the result
 * has none, and where the values cross to and fro they cross anywhere. */
struct amount crossing_of_curves(const struct crossing_point *points, size_t n);

/* What the base costs at that crossing of the same points, and at its ends: the line between two
 * points in each case. What is infinite stays so. The interval has what the base costs anywhere
 * between the ends, for it may rise and fall; it is that of the crossing alone, without the errors
 * of the base. */
struct amount crossing_base(const struct crossing_point *points, size_t n, struct amount crossing);

/* Of "same memory". */
struct amount crossing_same_memory(void);
bool crossing_is_same_memory(struct amount a);

/* The word for an amount that has no value, as above; NULL: it has one, or is not measured. */
const char *crossing_word(struct amount a);

/* The amount that has this word, with the ends that are finite in a; a itself, with an end that is
 * missing made infinite where the other exists, for NULL. For readers of documents, which have no
 * infinite numbers. */
struct amount crossing_from_word(const char *word, struct amount a);

/* Is it measured: has it a value or a word? */
bool crossing_known(struct amount a);

/* "41.2 (20.3 .. 80)", "41.2 (20.3 ..)", "never (20.3 ..)", "always", "-". To be freed. */
char *crossing_text(struct amount a);
/* The same of bytes: "12.6 MiB (4 MiB .. 20 MiB)". */
char *crossing_text_of_sizes(struct amount a);

#endif
