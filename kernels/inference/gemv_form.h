/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The form of the weights, as the parameters of gemv and moe give it, and what follows from it. */
#ifndef GEMV_FORM_H
#define GEMV_FORM_H

#include "kernel.h"
#include "own_pages.h"
#include "gemv.h"

struct gemv_form {
	int weights, activations, isa, prefetch, rows;
	uint64_t columns;
};

/* Rows of a parameter table, for a struct args with a member `form`. */
/* clang-format off */
#define GEMV_FORM_ROWS(args) \
	{.name = "weights", .type = PARAM_CHOICE, .offset = offsetof(args, form.weights), \
		.fallback = "bf16", .max = GEMV_TYPES - 1, .choices = gemv_type_names, \
		.help = "their type in memory; int8: a scale for each row, q4: 4 bits, a scale for 32 of " \
			"them"}, \
	{.name = "activations", .type = PARAM_CHOICE, .offset = offsetof(args, form.activations), \
		.fallback = "f32", .max = GEMV_ACTIVATIONS - 1, .choices = gemv_activations_names, \
		.help = "what weights are multiplied with; int8: with a scale for 32 of them, for weights " \
			"of int8 and q4"}, \
	{.name = "columns", .type = PARAM_COUNT, .offset = offsetof(args, form.columns), \
		.fallback = "4096", .min = GEMV_COLUMNS, .max = 65536, \
		.help = "weights of a row, a multiple of 128"}, \
	{.name = "isa", .type = PARAM_CHOICE, .offset = offsetof(args, form.isa), \
		.fallback = "auto", .max = GEMV_ISAS, .choices = gemv_isa_names, \
		.help = "instructions; auto: what is quickest in the thread's own rows"}, \
	{.name = "prefetch", .type = PARAM_CHOICE, .offset = offsetof(args, form.prefetch), \
		.fallback = "auto", .max = GEMV_AHEADS, .choices = gemv_ahead_names, \
		.help = "how far ahead of the loads lines are fetched, a KiB at once, of rows = 1; auto: 0, or of " \
			"q4 and int8 times f32 16KiB where it is quicker"}, \
	{.name = "rows", .type = PARAM_CHOICE, .offset = offsetof(args, form.rows), \
		.fallback = "auto", .max = GEMV_ROWS_CHOICES, .choices = gemv_rows_names, \
		.help = "rows that are multiplied at once; 4: one of each quarter, of q4 times f32 with several " \
			"tokens only; " \
			"auto: what is quicker"}
/* clang-format on */

enum gemv_type gemv_form_type(const struct gemv_form *f);
enum gemv_activations gemv_form_activations(const struct gemv_form *f);

/* Bytes of a row. */
size_t gemv_form_row(const struct gemv_form *f);

/* Rows that fit into a vector. */
size_t gemv_form_rows(const struct gemv_form *f, const struct vector *v);

/* A product with so many tokens, without x and way. */
struct gemv_product gemv_form_product(const struct gemv_form *f, uint64_t batch);

/* For struct kernel: what a weight costs, what is in the vectors, and NULL or why[n]. `name` is the
 * kernel's. */
struct work gemv_form_work(const struct gemv_form *f);
double gemv_form_reach(const struct worker *w); /* of copies the own rows only */
const char *gemv_form_contents(const struct gemv_form *f);
const char *gemv_form_check(const struct gemv_form *f, uint64_t tokens, char *why, size_t n);
const char *gemv_form_lacks(
	const struct gemv_form *f, uint64_t tokens, const char *name, char *why, size_t n);

bool gemv_form_takes_loop(const struct gemv_form *f, uint64_t tokens, const char *loop);

/* x of so many tokens in the order of gemv_arrange(), or before it is known in any; for
 * own_pages_free(). NULL: no memory. It begins with a line: loads over two take twice as long. */
float *gemv_form_x(const struct gemv_form *f, size_t tokens);

/* The ways that the form leaves open for a product, but those with a loop that the compiler spoiled
 * if there are others; returns how many. *without: one of these loops, or NULL. */
size_t gemv_form_ways(const struct gemv_form *f, const struct gemv_product *p,
	struct gemv_way ways[GEMV_WAYS], const char **without);

/* Arranges x of so many tokens for the product's way. */
void gemv_form_arrange(const struct gemv_product *p, size_t tokens, float *x);

/* The quickest way for these rows (gemv_quickest()), with x of so many tokens arranged for it. */
struct gemv_way gemv_form_choose(const struct gemv_form *f, struct gemv_product p, size_t tokens,
	struct gemv_rows rows, const float *scales, float *x, float *y);

/* Rows of a step with mode: time, of at most `most`: as many as have the bytes of one of load's,
 * for each four tokens. */
size_t gemv_form_step(const struct gemv_product *p, size_t most);

/* What of the product's way was chosen: text[n], empty where nothing was left open. */
void gemv_form_chose(const struct gemv_form *f, const struct gemv_product *p, char *text, size_t n);

/* Adds another choice to such a text. */
void gemv_form_add(char *text, size_t n, const char *name, const char *value);

/* y of a row of a vector and a token, in double precision from what the weights mean. */
double gemv_form_expected(const struct gemv_form *f, size_t row, size_t token);

#endif
