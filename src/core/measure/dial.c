/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Encloses the pause between one that is too short and one that is too long (false position). */
#include "measure/dial.h"

#include <math.h>

/* The first pause: about the time in which a core loads a line from memory next to it. */
#define FIRST_PAUSE 64

/* A round of a thread has a thousand lines: of the longest pause it takes 10 ms. */
#define MOST_PAUSE 32768

/* A thread that finished no line in a trial was as slow as this, at least. */
#define LEAST_PART 1e-3

/* Each trial is a sample. A line and a knee need six; the rest is for noise. */
#define MOST_TRIALS 16

void dial_begin(struct dial *d, double wanted)
{
	*d = (struct dial){.wanted = wanted, .off = INFINITY};
}

/* The pause on the line through both ends. Where the same end stays, the other one's distance
 * counts half (the Illinois rule), or a bend near it would let it crawl. */
static uint64_t between(const struct dial *d, bool same_end)
{
	const double target = 1 / d->wanted;
	double quick = target - d->at_quick, slow = d->at_slow - target;

	if (same_end && d->slow_last)
		quick /= 2;
	else if (same_end)
		slow /= 2;
	return d->quick + (uint64_t)llround((double)(d->slow - d->quick) * quick / (quick + slow));
}

static uint64_t further(uint64_t pause)
{
	const uint64_t next = pause ? 4 * pause : FIRST_PAUSE;

	return next < MOST_PAUSE ? next : MOST_PAUSE;
}

static bool settle(struct dial *d)
{
	d->pause = d->best;
	return false;
}

bool dial_tell(struct dial *d, double told)
{
	const double rate = fmax(told, d->wanted * LEAST_PART);
	const bool slow = rate < d->wanted;
	const bool same_end = d->trials > 1 && slow == d->slow_last;
	const double off = fabs(rate / d->wanted - 1);

	d->trials++;
	if (off < d->off) {
		d->off = off;
		d->best = d->pause;
	}
	if (off <= DIAL_MET || d->trials >= MOST_TRIALS || (slow && !d->pause) ||
		(!slow && d->pause == MOST_PAUSE))
		return settle(d);
	if (slow) {
		d->slow = d->pause;
		d->at_slow = 1 / rate;
		d->has_slow = true;
	} else {
		d->quick = d->pause;
		d->at_quick = 1 / rate;
	}
	d->slow_last = slow;
	const uint64_t before = d->pause;

	d->pause = d->has_slow ? between(d, same_end) : further(d->pause);
	if (d->pause == before || (d->has_slow && d->slow - d->quick < 2))
		return settle(d);
	return true;
}
