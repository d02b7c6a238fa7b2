/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parameters of a model out of measured runs.
 *
 * `alone` is the geometric mean of what single threads cost, by kernel and class; other cells stay
 * unknown. queue, follow and lead are fitted to runs of several threads: minimised are the squares
 * of log(predicted / measured) up to 1.345 * LEARN_ERROR, and beyond that what grows no more than
 * in proportion (Huber, Robust Estimation of a Location Parameter, Annals of Mathematical
 * Statistics 35, 1964; at 1.345 standard errors it loses 5 % where errors are Gaussian): some
 * figures are what no part describes, and must not bend the others. Something is known of the three
 * beforehand, which decides where no run shows them: a wait as long as the latency of a full queue
 * (1, a factor of exp(0.5) either way), and the pace of the farthest thread (1, exp(0.2)). It
 * weighs as much as one figure whose error is LEARN_ERROR.
 */
#ifndef LEARN_H
#define LEARN_H

#include "model/model.h"

#define LEARN_ERROR 0.02
#define LEARN_NONE  ((size_t)-1)
/* Groups that are left out in turn; of more, every second, third and so on. Each is a fit. */
#define LEARN_MOST 60
/* queue, follow, lead */
#define LEARN_COMMON 3
/* What is known of these beforehand: of their logarithms. */
extern const struct learn_prior {
	double middle, spread;
} learn_priors[LEARN_COMMON];
double *learn_common(struct model *m, size_t i);

struct learn_run {
	const struct model_thread *threads;
	const double *ends; /* measured, as model_predict() has them */
	size_t count;
	size_t group; /* runs that are left out together */
	size_t kind;  /* runs whose residuals say something of each other */
	bool steady;  /* ends are ns a unit, as model_steady() has them */
};

struct learn {
	const struct model_machine *machine;
	const struct learn_run *runs;
	size_t count;
};

/* What the model says of a run, as its ends. 0, or as model_predict(). */
int learn_predict(const struct model_machine *m, const struct model *p, const struct learn_run *r,
	double *ends);

/* The same if each thread costs what it costs alone. */
int learn_each(const struct model_machine *m, const struct model *p, const struct learn_run *r,
	double *ends);

/* Fits all runs but those of the group `without` (LEARN_NONE: all). p->alone has room for
 * kernels * classes figures; errors->alone too, for standard errors, all of them relative, NAN of
 * what the runs tell less of than was known beforehand: it is assumed; NULL: they are not wanted.
 * Returns the number of parameters, or -1: there is no run of a single thread. */
int learn_model(const struct learn *l, size_t without, struct model *p, struct model *errors);

/* The same from the runs of one thread alone; queue, follow and lead are what is known beforehand.
 */
int learn_alone(const struct learn *l, struct model *p);

/* log(measured / predicted) of the thread of a run that is farthest off. Threads that run together
 * are off together: as figures of their own they would count as knowledge that is not there. */
double learn_worst(const double *measured, const double *predicted, size_t threads);

/* Residuals, learn_worst() of each run, of the runs of each group by a model that was fitted
 * without it and without the group `without`, one after another into out (room for all runs); of
 * runs of this kind. Into alone, unless NULL, those of the same runs if each thread costs what it
 * costs alone by that model. Returns how many. A run that its model cannot predict has none. */
size_t learn_left_out(
	const struct learn *l, size_t without, size_t kind, double *out, double *alone);

/* The half-width that covers a new residual with this confidence, from those of groups left out:
 * the ceil((n + 1) * confidence)-th smallest absolute one (Papadopoulos et al., Inductive
 * confidence machines for regression, ECML 2002). NAN: too few. Reorders residuals. */
double learn_margin(double *residuals, size_t n, double confidence);

#endif
