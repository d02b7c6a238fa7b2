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

bool gemv_isa_is_for(enum gemv_activations form, int isa)
{
	return isa != GEMV_AUTO && all[form][isa - 1];
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
 * on both: where a line takes a dozen instructions or more, auto tries one far distance, too. */
const char *const gemv_ahead_names[] = {
	"auto", "0", "1KiB", "2KiB", "4KiB", "8KiB", "16KiB", "32KiB", "64KiB", NULL};
#define AHEAD_NONE 1
#define AHEAD_FAR  6

size_t gemv_ahead(int ahead)
{
	return ahead <= AHEAD_NONE ? 0 : (size_t)1024 << (ahead - AHEAD_NONE - 1);
}

const char *const gemv_rows_names[] = {"auto", "1", "4", NULL};
#define ROWS_ONE  1
#define ROWS_MANY 2

static bool is_busy(const struct gemv_product *p)
{
	return p->type == GEMV_Q4 || (p->type == GEMV_INT8 && p->activations == GEMV_X_F32);
}

bool gemv_has_rows(const struct gemv_product *p, const struct gemv_isa *isa)
{
	return p->batch > 1 || isa->rows[p->type];
}

static size_t ways_of_isa(const struct gemv_isa *isa, const struct gemv_product *p,
	struct gemv_choice choice, struct gemv_way *ways)
{
	const int ahead = choice.ahead;
	size_t n = 0;

	if (choice.rows != ROWS_MANY)
		ways[n++] = (struct gemv_way){isa, ahead ? ahead : AHEAD_NONE, 1};
	if (choice.rows != ROWS_MANY && !ahead && is_busy(p))
		ways[n++] = (struct gemv_way){isa, AHEAD_FAR, 1};
	if (choice.rows != ROWS_ONE && ahead <= AHEAD_NONE && gemv_has_rows(p, isa))
		ways[n++] = (struct gemv_way){isa, AHEAD_NONE, GEMV_ROWS};
	return n;
}

size_t gemv_ways(
	const struct gemv_product *p, struct gemv_choice choice, struct gemv_way ways[GEMV_WAYS])
{
	const struct gemv_isa *const *isas = all[p->activations];
	const int first = choice.isa ? choice.isa - 1 : 1,
		  end = choice.isa ? choice.isa : GEMV_ISAS;
	size_t n = 0;

	for (int i = first; i < end; i++)
		if (usable(p->activations, i))
			n += ways_of_isa(isas[i], p, choice, ways + n);
	return n || choice.isa ? n : ways_of_isa(isas[0], p, choice, ways);
}

struct trial {
	struct gemv_product product;
	const struct gemv_way *ways;
	struct gemv_rows rows;
	size_t piece, at; /* rows of a trial; where the next one begins */
	const float *scales;
	float *y;
};

static double try_way(void *arg, size_t k)
{
	struct trial *t = arg;
	struct gemv_product *p = &t->product;

	if (t->at + t->piece > t->rows.count)
		t->at = 0;
	const struct gemv_rows piece = {
		t->rows.w + t->at * gemv_row_bytes(p->type, p->columns), t->piece, 0};

	p->way = t->ways[k];
	gemv_multiply(p, &piece, t->scales + t->at, t->y + t->at * p->batch);
	t->at += t->piece;
	return (double)t->piece;
}

_Static_assert(GEMV_WAYS <= TRIAL_WAYS, "each way has a trial");

/* Many times the distance that a way fetches ahead, which the next way finds fetched; less where a
 * batch is multiplied in parts, whose arithmetic takes the time. */
#define TRIAL (16 * TRIAL_BYTES)

size_t gemv_trial_rows(const struct gemv_product *p)
{
	const size_t times = (p->batch + GEMV_TOKENS - 1) / GEMV_TOKENS;
	const size_t fit = TRIAL / (gemv_row_bytes(p->type, p->columns) * times);

	return fit < GEMV_ROWS ? GEMV_ROWS : fit;
}

struct gemv_way gemv_quickest(struct gemv_product p, const struct gemv_way *ways, size_t n,
	struct gemv_rows rows, const float *scales, float *y)
{
	const size_t many = gemv_trial_rows(&p);
	const size_t piece = many < rows.count ? many : rows.count;
	struct trial t = {p, ways, rows, piece ? piece : 1, 0, scales, y};

	return ways[trials_quickest(n, try_way, &t)];
}
