/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums the phases of each instant at frequencies in equal steps. */
#include "periodogram.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Instants of a window: so few come before a thread on a busy machine loses its CPU. A single
 * window says nothing: noise reaches 8 in it. All of them take 0.05 s on a core of 2023. */
#define WINDOW        500u
#define LEAST_WINDOWS 4u
#define MOST_WINDOWS  40u
/* A window in which the thread was away is longer, and has narrower lines: it is left out. */
#define LONG 2.0
/* Instants that come in bursts have power over a broad range, most at its long end. A line is sharp
 * beside that: it is that much above the middle one of so many steps on both sides, which are 12
 * times its width, and it lies at least two widths within the range. */
#define SHARP 10.0
#define NEAR  50u
#define EDGE  8u

struct spectrum {
	double from, step; /* frequencies */
	size_t n;
	double *re, *im; /* of the sums of a window */
	double *powers;
};

/* A turn of each instant is one multiplication from one frequency to the next. */
static void add_window(struct spectrum *s, const double *times, size_t n)
{
	for (size_t f = 0; f < s->n; f++)
		s->re[f] = s->im[f] = 0;
	for (size_t i = 0; i < n; i++) {
		const double t = times[i] - times[0];
		const double c = cos(2 * M_PI * s->step * t), d = sin(2 * M_PI * s->step * t);
		double x = cos(2 * M_PI * s->from * t), y = sin(2 * M_PI * s->from * t);

		for (size_t f = 0; f < s->n; f++) {
			const double next = x * c - y * d;

			s->re[f] += x;
			s->im[f] += y;
			y = x * d + y * c;
			x = next;
		}
	}
	for (size_t f = 0; f < s->n; f++)
		s->powers[f] += (s->re[f] * s->re[f] + s->im[f] * s->im[f]) / (double)n;
}

static int by_value(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static bool is_sharp(const struct spectrum *s, size_t f)
{
	const size_t first = f < NEAR ? 0 : f - NEAR, after = f + NEAR < s->n ? f + NEAR + 1 : s->n;
	double near[2 * NEAR + 1];

	if (f < EDGE || f + EDGE >= s->n)
		return false;
	memcpy(near, s->powers + first, (after - first) * sizeof(*near));
	qsort(near, after - first, sizeof(*near), by_value);
	return s->powers[f] >= SHARP * near[(after - first) / 2];
}

static struct spectral_line find_strongest(const struct spectrum *s, size_t windows)
{
	double best = 0;
	size_t f = 0;

	for (size_t i = 0; i < s->n; i++)
		best = fmax(best, s->powers[i]);
	while (f + 1 < s->n && s->powers[f] < best / 2)
		f++;
	while (f + 1 < s->n && s->powers[f + 1] > s->powers[f])
		f++;
	return (struct spectral_line){is_sharp(s, f) ? 1 / (s->from + (double)f * s->step) : NAN,
		s->powers[f] / (double)windows};
}

static double span_of(const double *window)
{
	return window[WINDOW - 1] - window[0];
}

struct spectral_line periodogram(const double *times, size_t n, double shortest, double longest)
{
	const size_t all = n / WINDOW < MOST_WINDOWS ? n / WINDOW : MOST_WINDOWS;
	struct spectral_line line = {NAN, NAN};
	double span = INFINITY;
	size_t windows = 0;

	for (size_t i = 0; i < all; i++)
		span = fmin(span, span_of(times + i * WINDOW));
	if (all < LEAST_WINDOWS || span <= 0)
		return line;
	/* two steps to the width of a line, which is the inverse of a window's length */
	struct spectrum s = {.from = 1 / longest, .step = 1 / (2 * LONG * span)};

	s.n = (size_t)((1 / shortest - s.from) / s.step) + 1;
	s.re = calloc(s.n, sizeof(*s.re));
	s.im = calloc(s.n, sizeof(*s.im));
	s.powers = calloc(s.n, sizeof(*s.powers));
	for (size_t i = 0; s.re && s.im && s.powers && i < all; i++)
		if (span_of(times + i * WINDOW) <= LONG * span) {
			add_window(&s, times + i * WINDOW, WINDOW);
			windows++;
		}
	if (windows >= LEAST_WINDOWS)
		line = find_strongest(&s, windows);
	free(s.re);
	free(s.im);
	free(s.powers);
	return line;
}
