/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a profile shows of latencies under load, by model/loaded.h. */
#ifndef LOAD_CURVES_H
#define LOAD_CURVES_H

#include "model/loaded.h"
#include "prediction/scene.h"

/* A kernel that measures latency beside one that moves lines, of which it stores to a part, at
 * pairs of nodes of a class. */
struct load_curve {
	size_t kernel, pair_class;
	const struct kernel *others; /* of any other parameters */
	double written;
	struct loaded_run *runs;
	size_t count;
	double idle; /* ns, without load; NAN: not known */
	struct loaded law;
	bool fitted;
};

/* What a part of stores between those of two curves is taken as. */
enum load_end {
	LOAD_BETWEEN, /* a mean of both */
	LOAD_BELOW,   /* the curve with less stores */
	LOAD_ABOVE    /* that with more */
};

struct load_curves {
	struct load_curve *list;
	size_t count;
	enum load_end end;
};

/* Takes a view of SCENE_LOADED and what a unit costs each of its threads, ns. alone: as struct
 * model has it. A view with threads that were not measured alone teaches nothing. */
void load_curves_add(struct load_curves *l, const struct scene *s, const double *alone,
	const struct scene_view *v, const double *costs);
/* Call it after all were added. */
void load_curves_fit(struct load_curves *l);
void load_curves_free(struct load_curves *l);

/* ns a unit of each of the threads of a view. NULL, or why it is not known, to be freed. */
char *load_curves_cost(const struct load_curves *l, const struct scene *s, const double *alone,
	const struct scene_view *v, double *costs);

/* log(measured / predicted) of the thread that is farthest off, of every view that the others
 * predict, into out (room for all views). Returns how many. */
size_t load_curves_left_out(const struct load_curves *l, double *out);

/* For people: "chase on char, pages system beside traffic that stores to 0.5 of its lines". To be
 * freed. */
char *load_curve_name(const struct load_curve *l, const struct scene *s);

#endif
