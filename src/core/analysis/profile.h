/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Do far huge pages stay, or are they moved back? The profiler of V.-O. Politis, NTUA 2021, section
 * 4.3: what they gain against what they cost (translation.h), both as parts of the run with all
 * pages local and huge.
 *
 * The cost needs counters of the processor. Where there are none, it is found in the program's own
 * progress: the CPU time in which it now gets from one point to another, against the CPU time that
 * a reference run took for the same points. For waiting that memory adds to the same work this is
 * stalls added / cycles of the reference run.
 */
#ifndef PROFILE_H
#define PROFILE_H

#include <stddef.h>

/* What a run had done by then. Both only grow. */
struct profile_point {
	double progress; /* in the program's own unit, such as bytes written */
	double cpu_s;
};

/* CPU seconds in which the run got from one progress to another, between points by a straight line.
 * points[n] in the order of time. NAN: it did not get there, or it shows no way between the two. */
double profile_time(const struct profile_point *points, size_t n, double from, double to);

enum profile_verdict {
	PROFILE_OPEN, /* not decided yet */
	PROFILE_STAY, /* far pages stay */
	PROFILE_BACK  /* far pages are moved back */
};

/* Pages are moved back if the cost is above the gain. margin (0 to 1): by so much more the other
 * way before a verdict is changed, so that noise does not change it (hysteresis; the work decides
 * once). A gain or cost of NAN leaves the verdict as it was. */
enum profile_verdict profile_decide(
	enum profile_verdict before, double gain, double cost, double margin);

#endif
