/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * migrate_use: moves the thread's vector to its target (targetPerVector), or leaves it where it is,
 * and then uses it so many times. Move and uses are in one time: the number of uses from which on a
 * mover costs less than `none` is when its move has paid, the first use with empty caches and
 * translation buffers included.
 *
 * A use is a round of another kernel with its default parameters: its setup() fills the vector, its
 * run() uses it, its verify() checks it. With `lines` it loads each line of the vector, in order.
 * A unit is a use.
 */
#include <stdio.h>
#include <stdlib.h>

#include "access/access_visit.h"
#include "bandwidth/bandwidth_rounds.h"
#include "latency/chase.h"
#include "keep.h"
#include "migrate.h"
#include "migrate_use.h"

#define LINE 64

extern const struct kernel read_kernel, write_kernel, read_write_kernel, load_kernel, chase_kernel,
	gups_kernel;

static const struct access_args access_defaults = {
	.stride = {192, true}, .fraction = 1, .hot_accesses = 0.9};
static const struct bandwidth_args bandwidth_defaults;
static const struct chase_args chase_defaults = {
	.chains = 1, .stride = {64, true}, .page = {256 << 10, true}};

const struct migrate_user migrate_users[MIGRATE_USERS] = {
	{"lines", NULL, NULL},
	{"read", &read_kernel, &access_defaults},
	{"write", &write_kernel, &access_defaults},
	{"read_write", &read_write_kernel, &access_defaults},
	{"load", &load_kernel, &bandwidth_defaults},
	{"chase", &chase_kernel, &chase_defaults},
	{"gups", &gups_kernel, NULL},
};

static const char *const use_names[] = {
	"lines", "read", "write", "read_write", "load", "chase", "gups", NULL};

/* None, and then the first ones of enum mover. */
static const char *const mover_names[] = {"none", "move_pages", "mbind", NULL};

struct use_args {
	int mover, use;
	uint64_t uses;
};

static const struct param use_params[] = {
	{.name = "mover",
		.type = PARAM_CHOICE,
		.offset = offsetof(struct use_args, mover),
		.fallback = "move_pages",
		.choices = mover_names,
		.help = "what moves the pages before they are used; none: they stay"},
	{.name = "use",
		.type = PARAM_CHOICE,
		.offset = offsetof(struct use_args, use),
		.fallback = "lines",
		.choices = use_names,
		.help = "what a use is: a load of each line, or a round of this kernel"},
	{.name = "uses",
		.type = PARAM_COUNT,
		.offset = offsetof(struct use_args, uses),
		.fallback = "1",
		.min = 1,
		.max = 1e6,
		.help = "uses of the vector after its move, in the same time"},
	{0},
};

struct moved_use {
	struct migrate move;
	struct worker user; /* the thread, as the kernel sees it that uses the vector */
};

static const struct migrate_user *user_of(const struct worker *w)
{
	const struct use_args *args = w->args;

	return &migrate_users[args->use];
}

static bool moves(const struct worker *w)
{
	const struct use_args *args = w->args;

	return args->mover > 0;
}

static struct migrate_args move_of(const struct worker *w)
{
	const struct use_args *args = w->args;

	return (struct migrate_args){.mover = args->mover - 1};
}

static struct worker as_user(const struct worker *w)
{
	struct worker user = *w;

	user.args = user_of(w)->args;
	user.own = user.shared = NULL;
	return user;
}

static const char *use_check(const struct worker *w, char *why, size_t n)
{
	const struct kernel *k = user_of(w)->kernel;
	const struct worker user = as_user(w);

	if (w->nvectors > 1)
		snprintf(why, n, "a thread moves one vector; this one has %d", w->nvectors);
	else if (moves(w) && w->vectors->target < 0)
		snprintf(why, n, "its vector has no target: targetPerVector, or mover: none");
	else if (moves(w) && moved_pages_check(w->vectors, why, n))
		return why;
	else if (k && w->nvectors && !kernel_takes(k, w->vectors->type))
		snprintf(why, n,
			"its `use` does not take elements of this type: typePerVector: char");
	else
		return k && k->check ? k->check(&user, why, n) : NULL;
	return why;
}

static const char *use_setup(struct worker *w)
{
	const struct kernel *k = user_of(w)->kernel;
	struct moved_use *u = calloc(1, sizeof(*u));

	w->own = u;
	if (!u)
		return "no memory left for its state";
	u->user = as_user(w);
	const char *wrong = k && k->setup ? k->setup(&u->user) : NULL;

	return wrong || !moves(w) ? wrong : migrate_begin(&u->move, w->vectors, w->vectors->target);
}

static void use_choose(struct worker *w)
{
	const struct kernel *k = user_of(w)->kernel;

	if (k && k->choose)
		k->choose(&((struct moved_use *)w->own)->user);
}

/* Nothing depends on a load, so that there are as many at once as the core can have. */
HOT void loop_uses(const char *base, size_t bytes, uint64_t uses)
{
	for (uint64_t use = 0; use < uses; use++)
		for (size_t at = 0; at < bytes; at += LINE)
			keep(base[at]);
}

static void use(struct worker *w, uint64_t uses)
{
	const struct vector *v = w->vectors;
	struct moved_use *u = w->own;

	if (user_of(w)->kernel)
		user_of(w)->kernel->run(&u->user, uses);
	else
		loop_uses(v->base, v->elements * v->element_size, uses);
}

static uint64_t use_run(struct worker *w, uint64_t passes)
{
	const struct use_args *args = w->args;
	const struct migrate_args move = move_of(w);
	struct moved_use *u = w->own;

	migrate_start(&u->move, passes);
	for (uint64_t pass = 0; pass < passes; pass++) {
		if (moves(w))
			migrate_once(&u->move, &move);
		use(w, args->uses);
	}
	return passes * args->uses;
}

static void use_tell(const struct worker *w, double *values)
{
	const struct moved_use *u = w->own;
	const size_t asked = moves(w) ? migrate_base_pages(w->vectors) * u->move.passes : 0;

	migrate_tell_pages(&u->move, move_of(w).mover, asked, moves(w), values);
}

static const char *use_reset(struct worker *w, char *why, size_t n)
{
	struct moved_use *u = w->own;

	if (!moves(w))
		return NULL;
	return u->move.passes > 1 ? migrate_too_many(&u->move, "and so do more uses", why, n)
				  : moved_pages_home(&u->move.pages, why, n);
}

static const char *use_verify(const struct worker *w, char *why, size_t n)
{
	const struct kernel *k = user_of(w)->kernel;
	const struct moved_use *u = w->own;

	return k && k->verify ? k->verify(&u->user, why, n) : NULL;
}

static void use_teardown(struct worker *w)
{
	const struct kernel *k = user_of(w)->kernel;
	struct moved_use *u = w->own;

	if (!u)
		return;
	if (k && k->teardown)
		k->teardown(&u->user);
	moved_pages_free(&u->move.pages);
	free(u);
	w->own = NULL;
}

static enum moves use_moves(const void *args)
{
	const struct use_args *a = args;

	return a->mover ? MOVES_TO_TARGETS : MOVES_NOTHING;
}

/* Chains that are followed are most of the time of a use. */
static struct chain_work use_chain(const struct worker *w)
{
	const struct use_args *args = w->args;
	const struct kernel *k = user_of(w)->kernel;
	const struct worker user = as_user(w);
	struct chain_work c =
		k && k->accesses.chain ? k->accesses.chain(&user) : (struct chain_work){0};

	c.waits *= (double)args->uses;
	return c;
}

const struct kernel migrate_use_kernel = {
	.summary = "moves the pages of its vector to another node, and then uses it",
	.unit = "use",
	.work_is =
		"what a round of the kernel in `use` loads and stores; with lines a load of each "
		"line",
	.params = use_params,
	.args_size = sizeof(struct use_args),
	.min_vectors = 1,
	.fixed = true,
	.owns = true,
	.migration.moves = use_moves,
	.accesses.chain = use_chain,
	.check = use_check,
	.setup = use_setup,
	.choose = use_choose,
	.run = use_run,
	.reset = use_reset,
	.figures = migrate_figures,
	.tell = use_tell,
	.verify = use_verify,
	.teardown = use_teardown,
};
