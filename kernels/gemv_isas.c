/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The instruction sets of gemv, products with them, and which is quickest for given rows. */
#include <stdio.h>

#include "gemv.h"
#include "trials.h"

const char *const gemv_isa_names[] = {"auto", "scalar", "sse2", "avx2", "avxvnni", "avx512",
	"avx512vnni", "neon", "dotprod", NULL};

/* In the order of gemv_isa_names; NULL: another architecture's, or of no use for such activations.
 */
static const struct gemv_isa *const all[GEMV_ACTIVATIONS][GEMV_ISAS] = {
#if defined(__x86_64__)
	{&gemv_scalar, &gemv_sse2, &gemv_avx2, NULL, &gemv_avx512},
	{&gemv_dots_scalar, NULL, &gemv_dots_avx2, &gemv_dots_avxvnni, NULL, &gemv_dots_avx512vnni},
#elif defined(__aarch64__)
	{&gemv_scalar, NULL, NULL, NULL, NULL, NULL, &gemv_neon},
	{&gemv_dots_scalar, NULL, NULL, NULL, NULL, NULL, &gemv_dots_neon, &gemv_dots_dotprod},
#else
	{&gemv_scalar},
	{&gemv_dots_scalar},
#endif
};

static bool usable(enum gemv_activations form, int isa)
{
	return all[form][isa] && all[form][isa]->has();
}

const char *gemv_usable(enum gemv_activations form, char *buffer, size_t n)
{
	size_t used = 0;

	buffer[0] = '\0';
	for (int i = 0; i < GEMV_ISAS; i++)
		if (usable(form, i) && used < n)
			used += (size_t)snprintf(buffer + used, n - used, "%s%s", used ? ", " : "",
				all[form][i]->name);
	return buffer;
}

/* Lines are fetched as the loads come to them, so that the processor's own prefetching sees them in
 * order and goes on; or so early that a busy core need not wait for memory. Which is better depends
 * on both: auto tries the first and one far distance. */
const char *const gemv_ahead_names[] = {
	"auto", "0", "1KiB", "2KiB", "4KiB", "8KiB", "16KiB", "32KiB", "64KiB", NULL};
#define AHEAD_NONE 1
#define AHEAD_FAR  6

static size_t ahead_bytes(int ahead)
{
	return ahead <= AHEAD_NONE ? 0 : (size_t)1024 << (ahead - AHEAD_NONE - 1);
}

/* The instruction sets [from, to), counted from scalar. */
static size_t ways_of(
	enum gemv_activations form, int from, int to, int ahead, struct gemv_way *ways)
{
	size_t n = 0;

	for (int i = from; i < to; i++) {
		if (!usable(form, i))
			continue;
		ways[n++] = (struct gemv_way){all[form][i], ahead ? ahead : AHEAD_NONE};
		if (!ahead)
			ways[n++] = (struct gemv_way){all[form][i], AHEAD_FAR};
	}
	return n;
}

size_t gemv_ways(enum gemv_activations form, int isa, int ahead, struct gemv_way ways[GEMV_WAYS])
{
	size_t n;

	if (isa)
		return ways_of(form, isa - 1, isa, ahead, ways);
	n = ways_of(form, 1, GEMV_ISAS, ahead, ways);
	return n ? n : ways_of(form, 0, 1, ahead, ways);
}

void gemv_multiply(
	const struct gemv_product *p, struct gemv_rows rows, const float *scales, float *y)
{
	const size_t bytes = gemv_row_bytes(p->type, p->columns);
	const size_t stride = gemv_stride(p->type, p->activations, p->columns);
	const size_t ahead = ahead_bytes(p->way.ahead);
	const size_t turns = p->columns / p->way.isa->columns[p->type];
	gemv_loop *const *loops = p->way.isa->loops[p->type];
	float sums[GEMV_TOKENS];

	for (size_t left = rows.count; left--; rows.w += bytes, y += p->batch, scales++) {
		const bool far = (left + rows.behind) * bytes >= ahead;
		size_t token = 0;

		while (token < p->batch) {
			const size_t n = p->batch - token < GEMV_TOKENS ? 1 : GEMV_TOKENS;

			loops[n > 1](rows.w, p->x + token * stride, stride, turns,
				far ? (ptrdiff_t)ahead : 0, sums);
			for (size_t k = 0; k < n; k++)
				y[token + k] = *scales * sums[k];
			token += n;
		}
	}
}

struct trial {
	struct gemv_product product;
	const struct gemv_way *ways;
	struct gemv_rows rows;
	size_t run, piece, at; /* rows of a run and of a trial; where the next one begins */
	const float *scales;
	float *y;
};

static double try_way(void *arg, size_t k)
{
	struct trial *t = arg;
	struct gemv_product *p = &t->product;
	const size_t bytes = gemv_row_bytes(p->type, p->columns);

	if (t->at + t->piece > t->rows.count)
		t->at = 0;
	p->way = t->ways[k];
	for (size_t row = t->at, n; row < t->at + t->piece; row += n) {
		const size_t of_run = t->run - row % t->run, left = t->at + t->piece - row;

		n = of_run < left ? of_run : left;
		gemv_multiply(p, (struct gemv_rows){t->rows.w + row * bytes, n, of_run - n},
			t->scales + row, t->y + row * p->batch);
	}
	t->at += t->piece;
	return (double)t->piece;
}

_Static_assert(GEMV_WAYS <= TRIAL_WAYS, "each way has a trial");

/* Many times the distance that a way fetches ahead, which the next way finds fetched. */
#define TRIAL (16 * TRIAL_BYTES)

struct gemv_way gemv_quickest(struct gemv_product p, const struct gemv_way *ways, size_t n,
	struct gemv_rows rows, size_t run, const float *scales, float *y)
{
	const size_t fit = TRIAL / gemv_row_bytes(p.type, p.columns);
	const size_t piece = fit < rows.count ? fit : rows.count;
	struct trial t = {p, ways, rows, run, piece ? piece : 1, 0, scales, y};

	return ways[trials_quickest(n, try_way, &t)];
}
