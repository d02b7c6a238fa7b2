/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Firm, fair or weak: the worst of what is known decides. */
#include "analysis/quality.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/derive.h"
#include "base/alloc.h"
#include "system/environment.h"

/* At most, in percent. More than a twentieth of a machine that others use disturbs few samples, a
 * fifth most of them; the driver warns of both shares that firm allows. */
struct grade {
	double interval, disturbed, others, steal;
};

static const struct grade firm = {3, 5, 5, 1}, fair = {10, 20, 20, 5};

void quality_add(struct quality *q, struct amount cost)
{
	double percent = (cost.high - cost.low) / 2 / cost.value * 100;

	if (!isfinite(cost.value) || cost.value <= 0)
		return;
	if (!isfinite(percent)) {
		q->without_interval++;
		return;
	}
	q->narrowest = fmin(q->narrowest, percent);
	q->widest = fmax(q->widest, percent);
}

static bool reaches(const struct quality *q, const struct grade *g)
{
	/* of what is not recorded nothing bad is known; that is not firm */
	return q->widest <= g->interval && !(q->others > g->others) && !(q->steal > g->steal) &&
	       (g != &firm || (isfinite(q->others) && !q->unproven)) &&
	       (double)q->disturbed * 100 <= g->disturbed * (double)q->taken;
}

void quality_add_bandwidth(struct quality *q, const struct kernel *k, struct amount bandwidth)
{
	if (k &&
		(k->measures == ATTRIBUTE_READ_BANDWIDTH ||
			k->measures == ATTRIBUTE_WRITE_BANDWIDTH) &&
		isfinite(bandwidth.low))
		quality_add(q, bandwidth);
}

void quality_judge(struct quality *q)
{
	bool sound = !q->simulated && !q->quick && !q->interrupted && !q->throttled &&
		     !q->misplaced && !q->without_interval && isfinite(q->narrowest);

	q->word = sound && reaches(q, &firm)   ? QUALITY_FIRM
		  : sound && reaches(q, &fair) ? QUALITY_FAIR
					       : QUALITY_WEAK;
}

/* ---- the reasons */

static void add(char **text, char *reason)
{
	char *longer = alloc_format("%s%s%s", *text, strchr(*text, ':') ? ", " : ": ", reason);

	free(*text);
	free(reason);
	*text = longer;
}

static void add_word(char **text, bool holds, const char *reason)
{
	if (holds)
		add(text, alloc_format("%s", reason));
}

char *quality_text(const struct quality *q)
{
	char *text = alloc_format("not for conclusions");

	if (q->word != QUALITY_WEAK) {
		free(text);
		return alloc_format(q->word == QUALITY_FIRM ? "quiet" : "fairly quiet");
	}
	add_word(&text, q->simulated, "a simulated machine");
	add_word(&text, q->quick, "a quick trial");
	add_word(&text, q->interrupted, "interrupted");
	add_word(&text, q->without_interval, "figures without an interval");
	if (q->widest > fair.interval)
		add(&text, q->widest > 1000
				   ? alloc_format("intervals of more than 1000 %%")
				   : alloc_format("intervals of up to %.0f %%", q->widest));
	if ((double)q->disturbed * 100 > fair.disturbed * (double)q->taken)
		add(&text, alloc_format("disturbed samples: %lld of %lld", (long long)q->disturbed,
				   (long long)q->taken));
	if (q->others > fair.others)
		add(&text, alloc_format("other programs used %.0f %% of the CPUs", q->others));
	if (q->steal > fair.steal)
		add(&text, alloc_format("the hypervisor took %.0f %% of the CPUs", q->steal));
	add_word(&text, q->throttled, "a CPU quota stopped threads");
	add_word(&text, q->misplaced, "pages that are not where they were asked for");
	return text;
}

/* ---- facts of the environment */

double quality_percent(const char *fact)
{
	char *end;
	double percent = fact ? strtod(fact, &end) : NAN;

	return fact && end > fact && percent >= 0 && !strcmp(end, " %") ? percent : NAN;
}

bool quality_throttled(const char *fact)
{
	return fact && strtod(fact, NULL) > 0;
}

/* ---- of an experiment */

static void add_operation(struct quality *q, const struct run *r, int op)
{
	const struct samples *s = &r->samples;
	struct totals all;
	struct tally t;

	for (int k = 0; k < r->plan.nthreads; k++)
		quality_add(q, derive_cost(s, op, k));
	if (!derive_totals(s, op, ALL_THREADS, &all))
		quality_add_bandwidth(q, r->plan.ops[op].jobs[0].kernel, all.bytes_per_s);
	derive_tally(s, op, &t);
	q->taken += (int64_t)t.samples;
	q->disturbed += (int64_t)t.disturbed;
}

/* Pages that are not where a vector of one node was asked for; only verify: warn lets them pass. */
static size_t pages_elsewhere(const struct plan_vector *v, const struct placement *found)
{
	size_t elsewhere = 0;

	for (int node = 0; node < MEM_MAX_NODES; node++)
		elsewhere += node == v->node ? 0 : found->pages.on_node[node];
	return v->policy == MEM_BIND && v->node >= 0 ? elsewhere : 0;
}

static void add_vector(struct quality *q, const struct run *r, int vector)
{
	const struct prepared *made = r->samples.prepared;
	bool wrong = false, unproven = false;

	for (size_t i = 0; i < made->made; i++) {
		const struct placement *found = prepare_found(made, i, vector);

		wrong |= found->pages.absent || found->moved ||
			 pages_elsewhere(&r->plan.vectors[vector], found);
		unproven |= !found->pages.pages;
	}
	q->vectors++;
	q->misplaced += wrong;
	q->unproven += !wrong && unproven;
}

struct quality quality_of(const struct experiment *x, const struct environment *env)
{
	struct quality q = QUALITY_NONE;

	q.others = quality_percent(environment_get(env, "others_load_during_run"));
	q.steal = quality_percent(environment_get(env, "steal_during_run"));
	q.throttled = quality_throttled(environment_get(env, "throttled_during_run"));
	q.simulated = environment_simulated(env) != NULL;
	q.interrupted = x->interrupted;
	for (size_t i = 0; i < x->nruns; i++) {
		const struct run *r = &x->runs[i];

		if (r->skipped || !r->samples.ops)
			continue;
		q.quick |= r->request.quick;
		for (int op = 0; op < r->plan.nops; op++)
			add_operation(&q, r, op);
		for (int v = 0; v < r->plan.nvectors; v++)
			add_vector(&q, r, v);
	}
	quality_judge(&q);
	return q;
}
