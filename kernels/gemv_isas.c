/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instruction sets of gemv, products with them, and which is quickest for given rows. */
#include <stdio.h>

#include "gemv.h"
#include "trials.h"

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

struct trial {
	struct gemv_product product;
	const struct gemv_isa *const *isas;
	const char *w;
	size_t rows, piece, at; /* of a trial; where the next one begins */
	const float *scales;
	float *y;
};

static double try_isa(void *arg, size_t k)
{
	struct trial *t = arg;
	struct gemv_product *p = &t->product;

	if (t->at + t->piece > t->rows)
		t->at = 0;
	p->isa = t->isas[k];
	gemv_multiply(p, t->w + t->at * gemv_row_bytes(p->type, p->columns), t->piece,
		t->scales + t->at, t->y + t->at * p->batch);
	t->at += t->piece;
	return (double)t->piece;
}

_Static_assert(GEMV_ISAS <= TRIAL_WAYS, "each instruction set has a trial");

size_t gemv_quickest(struct gemv_product p, const struct gemv_isa *const *isas, size_t n,
	const char *w, size_t rows, const float *scales, float *y)
{
	const size_t fit = TRIAL_BYTES / gemv_row_bytes(p.type, p.columns);
	const size_t piece = fit < rows ? fit : rows;
	struct trial t = {p, isas, w, rows, piece ? piece : 1, 0, scales, y};

	return trials_quickest(n, try_isa, &t);
}
