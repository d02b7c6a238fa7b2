/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instruction sets of gemv, products with them, and which is quickest for given rows. */
#include <stdio.h>
#include <time.h>

#include "gemv.h"

/* In the order of gemv_isa_names; NULL: another architecture's. */
static const struct gemv_isa *const all[GEMV_ISAS] = {
	&gemv_scalar,
#if defined(__x86_64__)
	&gemv_sse2,
	&gemv_avx2,
	&gemv_avx512,
#elif defined(__aarch64__)
	NULL,
	NULL,
	NULL,
	&gemv_neon,
#endif
};

const char *const gemv_isa_names[] = {"auto", "scalar", "sse2", "avx2", "avx512", "neon", NULL};

static bool usable(int isa)
{
	return all[isa] && all[isa]->has();
}

size_t gemv_isas(int choice, const struct gemv_isa *isas[GEMV_ISAS])
{
	size_t n = 0;

	for (int i = choice ? choice - 1 : 1; i < (choice ? choice : GEMV_ISAS); i++)
		if (usable(i))
			isas[n++] = all[i];
	return n;
}

const char *gemv_usable(char *buffer, size_t n)
{
	size_t used = 0;

	buffer[0] = '\0';
	for (int i = 0; i < GEMV_ISAS; i++)
		if (usable(i) && used < n)
			used += (size_t)snprintf(
				buffer + used, n - used, "%s%s", used ? ", " : "", all[i]->name);
	return buffer;
}

void gemv_multiply(
	const struct gemv_product *p, const char *w, size_t rows, const float *scales, float *y)
{
	const size_t bytes = gemv_row_bytes(p->type, p->columns), lanes = p->isa->lanes;
	const size_t stride = gemv_stride(p->type, p->columns);
	const size_t turns =
		p->type == GEMV_Q4 ? p->columns / GEMV_COLUMNS : p->columns / (4 * lanes);
	gemv_loop *const *loops = p->isa->loops[p->type];
	float sums[GEMV_TOKENS];

	for (size_t row = 0; row < rows; row++, w += bytes, y += p->batch) {
		size_t token = 0;

		while (token < p->batch) {
			const size_t n = p->batch - token < GEMV_TOKENS ? 1 : GEMV_TOKENS;

			loops[n > 1](w, p->x + token * stride, stride, turns, p->ahead, sums);
			for (size_t k = 0; k < n; k++)
				y[token + k] = scales[row] * sums[k];
			token += n;
		}
	}
}

/* Short trials of each, in turn, of the next rows: trials of large matrices should read memory
 * instead of the cache that an earlier trial filled. The best one counts, because disturbances only
 * make a trial longer. */
#define TRIALS      5
#define TRIAL_BYTES ((size_t)128 << 10)

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

size_t gemv_quickest(struct gemv_product p, const struct gemv_isa *const *isas, size_t n,
	const char *w, size_t rows, const float *scales, float *y)
{
	const size_t bytes = gemv_row_bytes(p.type, p.columns);
	const size_t fit = TRIAL_BYTES / bytes ? TRIAL_BYTES / bytes : 1;
	const size_t piece = fit < rows ? fit : rows;
	double best[GEMV_ISAS];
	size_t quickest = 0, at = 0;

	for (int i = 0; n > 1 && i < TRIALS; i++)
		for (size_t k = 0; k < n; k++, at += piece) {
			if (at + piece > rows)
				at = 0;
			p.isa = isas[k];
			const double begin = now_ns();

			gemv_multiply(&p, w + at * bytes, piece, scales + at, y + at * p.batch);
			const double ns = now_ns() - begin;
			best[k] = i == 0 || ns < best[k] ? ns : best[k];
		}
	for (size_t k = 1; k < n; k++)
		if (best[k] < best[quickest])
			quickest = k;
	return quickest;
}
