/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The policies, by the public functions of the runtime. */
#include "policy_parts.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "balancing.h"
#include "compiled.h"
#include "node_here.h"
#include "works.h"

const char *const policy_names[] = {"baseline", "spm", "spm+lock", "compiled", "eager",
	"copy_on_thread", "interleave", "weighted", "minas", "first_touch", "round_robin",
	"next_touch_kernel", "autonuma", "next_touch_protect", "next_touch_userfault", NULL};
const char *const policy_modes[] = {"per_element", "raw", "per_page", NULL};
const char *const policy_caches[] = {"sum", "llc", "share", NULL};
const char *const policy_movers[] = {"mbind", "move_pages", NULL};
const char *const policy_pins[] = {"none", "tree", NULL};
const char *const policy_locks[] = {"none", "node_rr", "node_current", "only_if_migrated", NULL};
const char *const policy_estimates[] = {"static", "actual", NULL};
const char *const policy_compilers[] = {"driver", "clang", NULL};

static bool by_touch(const struct policy_args *a)
{
	return a->policy >= POLICY_NEXT_TOUCH_KERNEL;
}

static bool by_runtime(const struct policy_args *a)
{
	return a->policy >= POLICY_SPM && a->policy <= POLICY_EAGER;
}

static bool by_rule(const struct policy_args *a)
{
	return a->policy >= POLICY_INTERLEAVE && a->policy <= POLICY_MINAS;
}

static bool by_parts(const struct policy_args *a)
{
	return a->policy == POLICY_FIRST_TOUCH || a->policy == POLICY_ROUND_ROBIN;
}

static bool by_spread(const struct policy_args *a)
{
	return by_rule(a) || by_parts(a);
}

static enum touch_way way_of(const struct policy_args *a)
{
	return (enum touch_way)(a->policy - POLICY_NEXT_TOUCH_KERNEL);
}

static int lock_of(const struct policy_args *a)
{
	if (a->policy == POLICY_ROUND_ROBIN)
		return SPM_LOCK_NODE_RR;
	if (a->policy == POLICY_SPM_LOCK && a->lock == SPM_LOCK_NONE)
		return SPM_LOCK_NODE_RR;
	return by_runtime(a) ? a->lock : SPM_LOCK_NONE;
}

static struct spm_config config_of(const struct policy_args *a)
{
	const bool eager = a->policy == POLICY_EAGER;
	struct spm_config c;

	spm_config_default(&c);
	c.reuse_threshold = eager ? 0 : a->reuse_threshold;
	c.reuse_mode = (enum spm_reuse_mode)a->reuse_mode;
	c.size_test = by_runtime(a) && !eager && a->size_test;
	c.cache_factor = a->cache_factor;
	c.cache_def = (enum spm_cache_def)a->cache_def;
	c.cache_bytes = a->cache_bytes;
	c.mover = (enum spm_mover)a->mover;
	c.pin = (enum spm_pin)a->pin;
	c.lock = (enum spm_lock_mode)lock_of(a);
	c.estimate = (enum spm_estimate)a->estimate;
	return c;
}

const struct works *policy_works(const struct policy_args *a)
{
	if (a->policy == POLICY_COMPILED)
		return &works_compiled;
	return a->loop_compiler ? &works_clang : &works_driver;
}

const char *policy_check(const struct worker *w, char *why, size_t n)
{
	const struct policy_args *a = w->args;
	const int lock = lock_of(a);

	if (a->policy == POLICY_BASELINE)
		return NULL;
	if (a->policy == POLICY_COMPILED && a->estimate != SPM_STATIC) {
		snprintf(why, n,
			"estimate: actual: with policy: compiled all numbers are the compiler's; "
			"static is what it has");
		return why;
	}
	if (a->policy == POLICY_COMPILED && !a->loop_compiler) {
		snprintf(why, n,
			"policy: compiled has clang's loops, the other policies have the driver's; "
			"loop_compiler: clang gives clang's to all");
		return why;
	}
	for (const struct vector *v = w->vectors; v < w->vectors + w->nvectors; v++)
		if (moved_pages_check(v, why, n))
			return why;
	if (lock == SPM_LOCK_NONE)
		return NULL;
	const char *key = by_runtime(a) ? "lock" : "policy";
	const char *value = by_runtime(a) ? policy_locks[lock] : policy_names[a->policy];

	if (w->bound)
		snprintf(why, n,
			"%s: %s binds threads to nodes while they run; mapping: os leaves them "
			"free",
			key, value);
	else if (w->vectors->users != w->workers)
		snprintf(why, n,
			"%s: %s deals nodes out to the threads of one vector, but %d of %d "
			"threads share the first one",
			key, value, w->vectors->users, w->workers);
	else
		return NULL;
	return why;
}

static const char *works_lack(const struct policy_args *a, char *why, size_t n)
{
	snprintf(why, n,
		"%s: this affinity was built without clang and the headers of LLVM: scripts/setup "
		"test installs them; then make clean and make",
		a->policy == POLICY_COMPILED ? "policy: compiled" : "loop_compiler: clang");
	return why;
}

const char *policy_lacks(const struct worker *w, char *why, size_t n)
{
	const struct policy_args *a = w->args;
	char reason[256];

	const char *lacks = NULL;

	if (!policy_works(a)->by)
		return works_lack(a, why, n);
	if (by_touch(a))
		lacks = touch_lacks(way_of(a), a->switch_balancing, reason, sizeof(reason));
	if (by_spread(a))
		lacks = spread_lacks(w, reason, sizeof(reason));
	if (!lacks)
		return NULL;
	snprintf(why, n, "policy: %s: %s", policy_names[a->policy], reason);
	return why;
}

static const char *note_places(struct policy *p, const struct worker *w)
{
	const char *wrong = NULL;

	p->pages = calloc((size_t)w->nvectors, sizeof(*p->pages));
	if (!p->pages)
		return "no memory for the places of its pages";
	while (p->n < w->nvectors && !wrong) {
		wrong = moved_pages_find(
			&p->pages[p->n], &w->vectors[p->n], p->message, sizeof(p->message));
		p->n++;
	}
	return wrong;
}

/* The copies would have other pages. */
static const char *pool_pages(const struct policy *p)
{
	for (int k = 0; k < p->n; k++)
		if (p->pages[k].page_bytes > (size_t)sysconf(_SC_PAGESIZE))
			return "copies have no pages of a pool: pagesPerVector: base, or thp";
	return NULL;
}

const char *policy_make(const struct worker *w, struct policy **made)
{
	const struct policy_args *a = w->args;
	struct spm_config config = config_of(a);

	if (a->policy == POLICY_BASELINE)
		return NULL;
	struct policy *p = *made = calloc(1, sizeof(*p));

	if (!p)
		return "no memory";
	p->lead = w->id;
	p->eager = a->policy == POLICY_EAGER;
	p->compiled = a->policy == POLICY_COMPILED;
	p->inline_tests = a->inline_tests;
	p->copies = a->policy == POLICY_COPY_ON_THREAD;
	p->spreads = by_rule(a);
	p->parts = by_parts(a);
	p->pins = a->policy == POLICY_MINAS && !w->bound;
	p->spread = (struct spread){
		(enum spread_rule)(a->policy - POLICY_INTERLEAVE), a->home_weight, a->home_pages};
	if (by_runtime(a))
		p->spm = spm_init(&config, p->message, sizeof(p->message));
	if (a->policy == POLICY_ROUND_ROBIN)
		p->turns = spm_init(&config, p->message, sizeof(p->message));
	if ((by_runtime(a) && !p->spm) || (a->policy == POLICY_ROUND_ROBIN && !p->turns))
		return p->message;
	const char *wrong = note_places(p, w);

	if (!wrong && p->copies)
		wrong = pool_pages(p);
	if (wrong || !by_touch(a))
		return wrong;
	return touch_open(&p->touch, way_of(a), a->switch_balancing, p->pages, p->n, p->message,
		sizeof(p->message));
}

void policy_free(struct policy *p)
{
	if (!p)
		return;
	policy_unready(p);
	spm_end(p->spm);
	spm_end(p->turns);
	touch_close(p->touch);
	for (int k = 0; k < p->n; k++)
		moved_pages_free(&p->pages[k]);
	free(p->pages);
	free(p);
}

const char *policy_share(struct worker *w)
{
	struct policy **p = w->shared = calloc(1, sizeof(*p));

	return p ? policy_make(w, p) : "no memory";
}

void policy_unshare(struct worker *w)
{
	struct policy **p = w->shared;

	if (p)
		policy_free(*p);
	free(p);
}

struct policy *policy_of(const struct worker *w)
{
	return *(struct policy **)w->shared;
}

enum moves policy_moves(const void *args)
{
	const struct policy_args *a = args;

	if (a->policy == POLICY_BASELINE)
		return MOVES_NOTHING;
	return by_spread(a) ? MOVES_ARRANGED : MOVES_VECTORS;
}

static bool knows(const struct policy *p, const struct worker *w)
{
	bool same = p->n == w->nvectors;

	for (int k = 0; same && k < p->n; k++)
		same = p->pages[k].base == w->vectors[k].base;
	return same;
}

/* One thread speaks for all: another kernel's may come before them in the vectors' groups. */
static bool leads(const struct policy *p, const struct worker *w)
{
	return p->lead == w->id;
}

static const char *get_ready(struct policy *p, char *why, size_t n)
{
	const char *wrong = p->touch ? touch_ready(p->touch, why, n) : NULL;

	/* pages that have gone home are no part of what comes */
	p->balanced = balancing_moved();
	return wrong;
}

const char *policy_reset(struct worker *w, char *why, size_t n)
{
	struct policy *p = policy_of(w);
	const char *wrong = NULL;

	if (!p)
		return NULL;
	if (!knows(p, w))
		return "threads that share one of its vectors must share all of them";
	policy_forget(w->own);
	spm_unlock(p->spm);
	if (!leads(p, w))
		return NULL;
	if (p->touch)
		touch_end(p->touch);
	for (int k = 0; k < p->n && !wrong; k++)
		wrong = moved_pages_home(&p->pages[k], why, n);
	return wrong ? wrong : get_ready(p, why, n);
}

/* The CPUs are the thread's in the sample, too: until then it may be bound anew. */
static const char *take_turn(struct policy *p, struct policy_account *a, char *why, size_t n)
{
	if (!spm_lock(p->turns) && !sched_getaffinity(0, sizeof(a->turn), &a->turn))
		return NULL;
	snprintf(why, n, "it cannot be bound to the CPUs of a node: %s", strerror(errno));
	return why;
}

static const char *arrange_part(struct policy *p, struct worker *w, char *why, size_t n)
{
	const char *wrong = p->turns ? take_turn(p, w->own, why, n) : NULL;
	const int node = node_now();

	if (!wrong && node < 0)
		wrong = "the system does not tell on which node it runs";
	for (int k = 0; k < p->n && !wrong; k++)
		wrong = spread_part(&p->pages[k], &w->vectors[k], node, why, n);
	spm_unlock(p->turns);
	return wrong;
}

static void make_ready(struct policy *p)
{
	policy_unready(p); /* the last sample did not come to its end */
	compiled_begin(p->spm, p->inline_tests);
	p->ready = true;
}

static const char *arrange_all(struct policy *p, struct worker *w, char *why, size_t n)
{
	if (p->compiled)
		make_ready(p);
	/* reset() of all threads has given the last copies back */
	if (p->copies)
		copying_ready(&p->copying, w->memory);
	return p->spreads ? spread_pages(&p->spread, w->memory, p->pages, p->n, why, n) : NULL;
}

/* A thread of the works is on its node from before its work begins until after its end, so between
 * arrange() and reset(); one that cannot be bound is as free as without a lock. */
const char *policy_arrange(struct worker *w, char *why, size_t n)
{
	struct policy *p = policy_of(w);
	const char *wrong = NULL;

	if (!p)
		return NULL;
	if (p->parts)
		wrong = arrange_part(p, w, why, n);
	else if (leads(p, w))
		wrong = arrange_all(p, w, why, n);
	if (!wrong)
		spm_lock(p->spm);
	return wrong;
}

/* What became of the vectors. */
static void tell_pages(struct policy *p, double *values)
{
	values[FIGURE_AWAY] = values[FIGURE_SPLIT] = 0;
	if (p->touch) {
		touch_end(p->touch);
		const struct touch_counts c = touch_counts(p->touch);

		values[FIGURE_TOUCHED] = c.moved;
		values[FIGURE_MISSED] = c.missed;
	}
	for (int k = 0; k < p->n; k++) {
		const long away = moved_pages_away(&p->pages[k]);

		values[FIGURE_AWAY] += away < 0 ? NAN : (double)away;
		values[FIGURE_SPLIT] += (double)moved_pages_split(&p->pages[k]);
	}
}

static void tell_copies(const struct copies *c, double *values)
{
	values[FIGURE_COPIED_IN] = (double)c->in;
	values[FIGURE_COPIED_OUT] = (double)c->out;
	values[FIGURE_COPY_TIME] = (double)c->ns;
	values[FIGURE_COPY_MISSED] = copies_missed(c);
}

/* Of the baseline nobody asks where its pages are while it is measured. */
void policy_tell(const struct worker *w, double *values)
{
	const struct policy_account *a = w->own;
	struct policy *p = policy_of(w);

	for (int i = 0; i < RUNTIME_FIGURES; i++)
		values[i] = (double)a->sample[i];
	for (int i = RUNTIME_FIGURES; i < POLICY_FIGURES; i++)
		values[i] = p ? 0 : NAN;
	if (p && p->copies)
		tell_copies(&a->copies, values);
	if (p)
		values[FIGURE_BY_KERNEL] = balancing_moved() - p->balanced;
	if (p && leads(p, w))
		tell_pages(p, values);
}
