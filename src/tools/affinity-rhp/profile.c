/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order of work of a profile, and its verdicts. */
#include "affinity-rhp/profile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/translation.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "affinity-rhp/reference.h"
#include "affinity-rhp/watch.h"

/* Looks in an interval, and those of them that must have seen progress: its ends are known as well
 * as one of them. */
#define LOOKS 10
#define STEPS 5

/* Progress shows what small pages cost as well, which moving does not mend: only where nearly all
 * are huge. */
#define NEARLY_ALL_HUGE 0.95

/* Initialisation is over when a program's memory grows by less in an interval. */
#define GROWTH 0.01

struct profile {
	const struct rhp_options *options;
	FILE *out;
	struct own_nodes nodes;
	struct stalls stalls;
	struct reference reference;
	struct watch *watch;
	struct course course; /* since the command began */
	uint64_t began_ns, due_ns;
	/* at the beginning of the interval */
	size_t from; /* its point */
	uint64_t bytes;
	struct stalls_counts counts;
	enum profile_verdict verdict;
	const char *why; /* the last interval gave none */
	bool over;
};

/* User time comes in ticks: that of a stretch is known to two of them. */
static double tick_s(void)
{
	return 1 / (double)sysconf(_SC_CLK_TCK);
}

/* CPU time for what the program did in the interval, as an increase over the run in local huge
 * pages. *doubt: that of the ticks. */
static double cost_of_progress(struct profile *p, double *doubt)
{
	const struct profile_point *points = p->course.points + p->from;
	size_t n = p->course.count - p->from;
	int steps = 0;

	for (size_t i = 1; i < n; i++)
		steps += points[i].progress > points[i - 1].progress;
	p->why = steps ? "its progress is too coarse for the interval: it wrote in few tenths of it"
		       : "it shows no progress: it wrote nothing";
	if (steps < STEPS)
		return NAN;
	/* from the first progress on: a pause before it belongs to neither run's time */
	for (; points[1].progress == points[0].progress; n--)
		points++;
	double from = points[1].progress, to = points[n - 1].progress;
	double now = profile_time(points, n, from, to);
	double then = profile_time(p->reference.course.points, p->reference.course.count, from, to);

	p->why = !p->reference.course.count ||
				 to > p->reference.course.points[p->reference.course.count - 1]
						 .progress
			 ? "it wrote more than the run in huge pages"
			 : "user time is too coarse for the interval; --interval makes it longer";
	*doubt = now / then * 2 * tick_s() / then;
	return translation_increase(now, then);
}

/* Does the program's progress tell what far pages cost it? */
static bool progress_tells(
	struct profile *p, const struct rhp_share *share, const struct process_pages *pages)
{
	if (watch_processes(share) > 1)
		p->why = "it has several processes, whose progress does not add up";
	else if ((double)pages->huge < NEARLY_ALL_HUGE * (double)pages->all)
		p->why = "it has small pages, which its progress shows as well";
	else
		return true;
	return false;
}

static double cost_of_stalls(struct profile *p, const struct stalls_counts *now)
{
	p->why = "the counters did not count";
	return translation_cost(now->stalls - p->counts.stalls, now->cycles - p->counts.cycles,
		p->reference.memory);
}

/* Of the gain, where S is of user time. far: the part of memory that gains. */
static double doubt_of_gain(const struct profile *p, double far)
{
	return stalls_count(&p->stalls) ? 0 : far * 2 * tick_s() / p->reference.huge_s;
}

/* far_huge: bytes. */
static double gain_of(const struct profile *p, uint64_t far_huge, const struct process_pages *pages,
	const struct stalls_counts *now)
{
	if (p->options->weigh == RHP_WEIGH_WALKS)
		return translation_cost(
			now->walks - p->counts.walks, now->cycles - p->counts.cycles, 0);
	return translation_gain((double)far_huge / (double)pages->all, p->reference.sensitivity);
}

static double mib(uint64_t bytes)
{
	return (double)bytes / (1024.0 * 1024.0);
}

static void move_back(const struct profile *p, const struct rhp_share *share, uint64_t far)
{
	uint64_t began = clock_ns();
	int error = watch_bring_back(share, p->nodes.with_memory, p->nodes.own.id) ? errno : 0;
	double took_s = (double)(clock_ns() - began) * 1e-9;
	uint64_t left = watch_pages(share, p->nodes.own.id).far;

	fprintf(p->out, "moved back %.1f MiB in %.2f s", left < far ? mib(far - left) : 0, took_s);
	if (error)
		fprintf(p->out, " (the kernel refuses more: %s)", strerror(error));
	fputc('\n', p->out);
}

static void decide(struct profile *p, const struct rhp_share *share,
	const struct process_pages *pages, double gain, double cost)
{
	bool again = !isnan(p->options->margin);

	p->verdict = profile_decide(p->verdict, gain, cost, again ? p->options->margin : 0);
	fprintf(p->out,
		"  after %.1f s: far %.1f of %.1f MiB, %s%.1f of them in huge pages; gain %.1f "
		"%%, cost %.1f %%: ",
		(double)(clock_ns() - p->began_ns) * 1e-9, mib(pages->far), mib(pages->all),
		pages->far_huge > pages->far_huge_least ? "at most " : "", mib(pages->far_huge),
		100 * gain, 100 * cost);
	if (p->verdict == PROFILE_BACK)
		move_back(p, share, pages->far);
	else
		fputs("they stay\n", p->out);
	p->over = !again;
}

static void judge_profile(struct profile *p, const struct rhp_share *share,
	const struct process_pages *pages, const struct stalls_counts *now)
{
	double growth = (double)pages->all - (double)p->bytes;

	if (growth > GROWTH * (double)pages->all) {
		p->why = "it ended before an interval passed in which its memory did not grow; "
			 "--interval makes them shorter";
		return;
	}
	if (!pages->far) {
		p->why = "no page was far";
		return;
	}
	if (!stalls_count(&p->stalls) && !progress_tells(p, share, pages))
		return;
	double doubt = 0;
	double cost =
		stalls_count(&p->stalls) ? cost_of_stalls(p, now) : cost_of_progress(p, &doubt);
	double gain = gain_of(p, pages->far_huge, pages, now);
	double least = gain_of(p, pages->far_huge_least, pages, now);

	doubt += doubt_of_gain(p, (double)pages->far_huge / (double)pages->all);
	if (isnan(cost))
		return;
	if (isnan(gain))
		p->why = "what its huge pages gain was not counted";
	else if (cost > fmin(gain, least) - doubt && cost < fmax(gain, least) + doubt)
		p->why = "gain and cost are too near to each other for what is known of them";
	else
		decide(p, share, pages, gain, cost);
}

static void sample_profile(void *arg, const struct rhp_share *share)
{
	struct profile *p = arg;

	if (p->over)
		return;
	course_add(&p->course, watch_take(p->watch, share));
	if (clock_ns() < p->due_ns)
		return;
	struct process_pages pages = watch_pages(share, p->nodes.own.id);
	struct stalls_counts counts = stalls_take(&p->stalls);
	judge_profile(p, share, &pages, &counts);
	p->due_ns = clock_ns() + p->options->interval_ns;
	p->from = p->course.count - 1;
	p->bytes = pages.all;
	p->counts = counts;
}

static int begin_profile(void *arg, pid_t process)
{
	struct profile *p = arg;

	if (stalls_count(&p->stalls))
		stalls_attach(&p->stalls, process);
	p->began_ns = clock_ns();
	p->due_ns = p->began_ns + p->options->interval_ns;
	p->counts = (struct stalls_counts){0, 0, 0};
	return 0;
}

static void print_reference(const struct profile *p, const char *name)
{
	const struct reference *r = &p->reference;

	fprintf(p->out, "profile of %s, which runs on node %d\n", name, p->nodes.own.id);
	fprintf(p->out, "  all on node %d, in huge pages: %.2f s of user time\n", p->nodes.roomy.id,
		r->huge_s);
	if (!isnan(r->small_s))
		fprintf(p->out, "  all on node %d, in small pages: %.2f s, S %.1f %%%s\n",
			p->nodes.roomy.id, r->small_s, 100 * r->sensitivity,
			stalls_count(&p->stalls) ? "" : " (of user time)");
	if (stalls_count(&p->stalls))
		fprintf(p->out, "  of its cycles wait for memory then: M %.1f %%\n",
			100 * r->memory);
	else
		fprintf(p->out,
			"  costs are of its progress, the bytes that it writes, not of stalls "
			"(%s)\n",
			p->stalls.why);
}

/* Three runs must read the same. */
static int check_input(struct errors *e)
{
	struct stat s;

	if (fstat(STDIN_FILENO, &s) || (!S_ISFIFO(s.st_mode) && !S_ISSOCK(s.st_mode)))
		return 0;
	error_add(e, STATUS_FAILED, NOWHERE,
		"--profile: standard input is a pipe, which cannot be read three times");
	return error_hint(e, "give it a file: affinity-rhp --profile -- COMMAND <FILE");
}

static int check_walks(const struct profile *p, struct errors *e)
{
	if (p->options->weigh != RHP_WEIGH_WALKS || stalls_count(&p->stalls))
		return 0;
	error_add(e, STATUS_FAILED, NOWHERE, "--weigh: walks are not counted here: %s",
		p->stalls.why);
	return error_hint(e, "--weigh gain needs no counters");
}

static int run_watched(
	struct profile *p, struct launch *l, const struct launch_plan *base, struct errors *e)
{
	struct launch_plan plan = *base;

	plan.cpus = p->nodes.own.cpus;
	plan.gate = begin_profile;
	plan.tick = sample_profile;
	plan.period_ns = p->options->interval_ns / LOOKS;
	plan.arg = p;
	p->why = "it ended before an interval had passed; --interval makes it shorter";
	int failed = launch_run(l, &plan, e);
	if (!failed && p->verdict == PROFILE_OPEN)
		fprintf(p->out, "  not decided, nothing was moved: %s\n", p->why);
	return failed;
}

static int run_profile(struct profile *p, struct launch *l, const struct launch_plan *plan,
	int *status, struct errors *e)
{
	struct launch_plan aside = *plan;

	if (own_find(&p->nodes, p->options->node, e) || check_input(e) || check_walks(p, e))
		return -1;
	aside.period_ns = p->options->interval_ns / LOOKS;
	int failed = reference_make(&p->reference, &aside, &p->nodes.roomy,
		p->options->weigh == RHP_WEIGH_GAIN, &p->stalls, e);
	*status = p->reference.status;
	if (failed)
		return -1;
	print_reference(p, plan->argv[0]);
	return run_watched(p, l, plan, e);
}

int profile_run(struct launch *l, const struct rhp_options *o, const struct launch_plan *plan,
	int *status, FILE *out, struct errors *e)
{
	struct profile p = {.options = o, .out = out};

	*status = 0;
	p.watch = alloc_zeroed(1, sizeof(*p.watch));
	stalls_open(&p.stalls, o->weigh == RHP_WEIGH_WALKS);
	int failed = run_profile(&p, l, plan, status, e);
	stalls_close(&p.stalls);
	reference_free(&p.reference);
	free(p.course.points);
	free(p.watch);
	return failed ? -1 : 0;
}
