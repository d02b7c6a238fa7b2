/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loaded latency: what one load costs while other threads move lines of the same memory.
 *
 * The latency is a function of the bandwidth that the others use, which never falls: what was
 * measured is made so by the mean of neighbours that fall (pool adjacent violators: Ayer et al.,
 * Annals of Mathematical Statistics 26, 1955), and what lies between is interpolated without
 * overshooting (Steffen, Astronomy and Astrophysics 239, 1990; GSL). Beyond the largest load that
 * was seen nothing is known.
 *
 * A line of the others waits, too: a unit of theirs costs, beyond what it costs alone, `waits` of
 * what a load waits beyond the latency without load, for each of its lines. The more they wait the
 * less they use, and the less they use the less they wait, so that there is one state in which
 * both agree; Mess (Esmaili-Dokht et al., MICRO 2024) finds it in the same way. `waits` is a
 * parameter. Pure functions.
 */
#ifndef LOADED_H
#define LOADED_H

#include <stddef.h>

/* A thread that moves lines. */
struct loaded_other {
	double lines; /* of a unit */
	double alone; /* ns a unit */
	double cost;  /* the same as measured, or as predicted */
};

/* A load among others. */
struct loaded_run {
	double latency; /* ns, as measured or as predicted */
	struct loaded_other *others;
	size_t count;
};

struct loaded {
	double *used, *latency; /* [count] bytes per ns, ascending; ns */
	size_t count;
	double waits, error; /* and its standard error; NAN: not known */
};

/* Bytes per ns that the others of a run use. */
double loaded_used(const struct loaded_run *r);

/* Learns from runs, all but runs[without] (`count`: from all). idle: the latency without load, ns.
 * 0, or -1: too few runs. loaded_free() after both. */
int loaded_fit(
	struct loaded *l, double idle, const struct loaded_run *runs, size_t count, size_t without);
void loaded_free(struct loaded *l);

/* What lies between two laws: latency at a bandwidth, and waits, are those of a and, for `part` (0
 * .. 1), those of b. As far as both were measured. loaded_free() after it. */
void loaded_between(struct loaded *l, const struct loaded *a, const struct loaded *b, double part);

/* ns; NAN: beyond the largest load. */
double loaded_latency(const struct loaded *l, double used);

/* Sets the latency and the costs of a run. 0, or -1: its others ask for more than the largest load
 * that was seen. */
int loaded_predict(const struct loaded *l, struct loaded_run *r);

#endif
