/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the programs' pages go while they run: nowhere, or to the threads that use them, as the
 * runtime of page migration decides (src/runtimes/spm). One table has its settings for all
 * programs.
 *
 * A program puts struct policy_args first into its parameters, a struct policy * first into what
 * its threads share, and struct policy_account first into what each thread owns. All functions
 * accept the policy NULL, which is the baseline, and then do nothing.
 */
#ifndef POLICY_H
#define POLICY_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "copies.h"
#include "kernel.h"

enum policy_choice {
	POLICY_BASELINE,
	POLICY_SPM,
	POLICY_SPM_LOCK,       /* and threads bound to nodes */
	POLICY_COMPILED,       /* the compiler has put the calls into the loops (works.h) */
	POLICY_EAGER,          /* every range, before it is used for the first time */
	POLICY_COPY_ON_THREAD, /* none: threads work on copies (copies.h) */
	POLICY_INTERLEAVE,     /* none: they lie on all nodes (spread.h) */
	POLICY_WEIGHTED,
	POLICY_MINAS,
	POLICY_FIRST_TOUCH,       /* each thread's part on its node */
	POLICY_ROUND_ROBIN,       /* and the threads on nodes in turn */
	POLICY_NEXT_TOUCH_KERNEL, /* from here on: pages that are touched (touch.h) */
	POLICY_AUTONUMA,
	POLICY_NEXT_TOUCH_PROTECT,
	POLICY_NEXT_TOUCH_USERFAULT,
	POLICY_LAST = POLICY_NEXT_TOUCH_USERFAULT
};

/* The choices are in the order of the runtime's enums. */
struct policy_args {
	int policy;
	double reuse_threshold;
	int reuse_mode;
	bool size_test;
	double cache_factor;
	int cache_def;
	uint64_t cache_bytes;
	int mover, pin, lock, estimate;
	bool inline_tests;
	int loop_compiler;
	bool switch_balancing;
	uint64_t home_weight, home_pages;
};

extern const char *const policy_names[],
	*const policy_modes[], *const policy_caches[],
				       *const policy_movers[],
					       *const policy_pins[],
						       *const policy_locks[],
							       *const policy_estimates[],
								       *const policy_compilers[];

/* clang-format off */
#define POLICY_ROW(of, field, kind, preset, most, names, text) \
	{.name = #field, .type = kind, .offset = offsetof(of, policy.field), .fallback = preset, \
		.max = most, .choices = names, .help = text}

/* The rows of a program's table, whose struct is `of`. */
#define POLICY_PARAMS(of) \
	POLICY_ROW(of, policy, PARAM_CHOICE, "baseline", POLICY_LAST, policy_names, \
		"which pages move to the threads that use them: none, those that the runtime " \
		"of page migration accepts, all, those that are touched; or copies instead"), \
	POLICY_ROW(of, reuse_threshold, PARAM_REAL, "200", 0, NULL, \
		"policy spm: pages move for more uses than that"), \
	POLICY_ROW(of, reuse_mode, PARAM_CHOICE, "per_element", 2, policy_modes, \
		"uses of each element, of each page, or all together"), \
	POLICY_ROW(of, size_test, PARAM_FLAG, "yes", 0, NULL, \
		"ranges that are not larger than a part of the caches do not move"), \
	POLICY_ROW(of, cache_factor, PARAM_REAL, "0.2", 0, NULL, "that part"), \
	POLICY_ROW(of, cache_def, PARAM_CHOICE, "sum", 2, policy_caches, \
		"which caches: all levels, the last, a core's share of each"), \
	POLICY_ROW(of, cache_bytes, PARAM_BYTES, "0", 0x1p52, NULL, \
		"size of the caches, such as 8MiB; 0: the machine's"), \
	POLICY_ROW(of, mover, PARAM_CHOICE, "mbind", 1, policy_movers, \
		"the system call that moves pages"), \
	POLICY_ROW(of, pin, PARAM_CHOICE, "none", 1, policy_pins, \
		"tree: pages that a thread has moved stay until it has used them"), \
	POLICY_ROW(of, lock, PARAM_CHOICE, "none", 3, policy_locks, \
		"where threads are bound while they run; policy spm+lock: node_rr unless given"), \
	POLICY_ROW(of, estimate, PARAM_CHOICE, "static", 1, policy_estimates, \
		"number of uses: as a compiler computes it, or as it is"), \
	POLICY_ROW(of, inline_tests, PARAM_FLAG, "yes", 0, NULL, \
		"policy compiled: loops test sizes themselves and make no call that would be " \
		"rejected for them; no: all calls are made and counted"), \
	POLICY_ROW(of, loop_compiler, PARAM_CHOICE, "driver", 1, policy_compilers, \
		"which compiler made the loop: affinity's, or clang as for policy compiled, " \
		"without the calls"), \
	POLICY_ROW(of, switch_balancing, PARAM_FLAG, "no", 0, NULL, \
		"policies that need kernel.numa_balancing switch it on for their samples"), \
	{.name = "home_weight", .type = PARAM_COUNT, .offset = offsetof(of, policy.home_weight), \
		.fallback = "3", .min = 1, .max = 255, \
		.help = "policy weighted: pages on their node for each one on another node"}, \
	POLICY_ROW(of, home_pages, PARAM_COUNT, "0", 0x1p40, NULL, \
		"policy minas: pages that stay on their node; 0: an equal share of them")
/* clang-format on */

/* How often a loop uses an array. */
struct uses {
	int64_t as_compiled, actual;
};

enum policy_figure {
	FIGURE_CALLS,
	FIGURE_TOO_SMALL,
	FIGURE_TOO_LITTLE_REUSE,
	FIGURE_ACCEPTED,
	FIGURE_ASKED,
	FIGURE_MOVED,
	FIGURE_THERE,
	FIGURE_PINNED,
	FIGURE_REFUSED,
	FIGURE_CALL_TIME,
	RUNTIME_FIGURES, /* those above are of a thread; those below of its vectors, told by one
			    of their threads, or of the machine */
	FIGURE_AWAY = RUNTIME_FIGURES,
	FIGURE_BY_KERNEL,
	FIGURE_SPLIT,
	FIGURE_TOUCHED,
	FIGURE_MISSED,
	FIGURE_COPIED_IN,
	FIGURE_COPIED_OUT,
	FIGURE_COPY_TIME,
	FIGURE_COPY_MISSED,
	POLICY_FIGURES
};

/* Of a thread: what the runtime counted until the sample began, and in it; and its copies. All 0 at
 * first. */
struct policy_account {
	uint64_t before[RUNTIME_FIGURES], sample[RUNTIME_FIGURES];
	struct copies copies;
	bool pinned;          /* the thread, until the sample ends, then free again */
	cpu_set_t free, turn; /* CPUs of the node that is its in this sample */
};

struct policy;

/* NULL, or in why[n] why the policy cannot be followed. */
const char *policy_check(const struct worker *w, char *why, size_t n);
/* The loops that the policy runs (works.h). */
struct works;
const struct works *policy_works(const struct policy_args *a);

/* For lacks_for(). */
const char *policy_lacks(const struct worker *w, char *why, size_t n);

/* For share() and unshare(): notes where the pages of the thread's vectors are. NULL, or what went
 * wrong; *p then has the message, too, and is freed all the same. */
const char *policy_make(const struct worker *w, struct policy **p);
void policy_free(struct policy *p);

/* The same of a program whose threads share nothing else. */
const char *policy_share(struct worker *w);
void policy_unshare(struct worker *w);

/* The policy that the threads share. */
struct policy *policy_of(const struct worker *w);

/* For teardown(), before the account is freed. */
void policy_forget(struct policy_account *a);

/* For run(): around all that it does. */
void policy_begin(struct policy *p, struct policy_account *a);
void policy_end(struct policy *p, struct policy_account *a);

/* The thread will use these bytes of elements in a loop. */
void policy_call(
	struct policy *p, const void *array, uint64_t bytes, size_t element, struct uses uses);
/* It has got these bytes, and has not used them yet. */
void policy_eager(struct policy *p, const void *array, uint64_t bytes);
/* It has used them. */
void policy_release(struct policy *p, const void *array, uint64_t bytes);

/* The thread works on these bytes as its k-th array (k < COPIES) until policy_give(): returns
 * where, there or in a copy, with their content if it `reads` them before it stores to them. */
void *policy_take(struct policy *p, struct policy_account *a, int k, const void *array,
	uint64_t bytes, bool reads);
/* stored: what the thread has stored is in the array afterwards. */
void policy_give(struct policy *p, struct policy_account *a, int k, bool stored);

/* For struct kernel. Its parameters begin with struct policy_args. */
enum moves policy_moves(const void *args);
const char *policy_arrange(struct worker *w, char *why, size_t n);
const char *policy_reset(struct worker *w, char *why, size_t n);

/* Writes POLICY_FIGURES values. */
void policy_tell(const struct worker *w, double *values);

/* clang-format off */
#define POLICY_COUNT(name_, text) \
	{.name = name_, .unit = "call", .help = text, .join = FIGURE_SUM}
#define POLICY_PAGES(name_, text, doubt_) \
	{.name = name_, .unit = "page", .help = text, .join = FIGURE_SUM, .doubt = doubt_}

/* The rows of a program's table of figures, in the order of enum policy_figure. */
#define POLICY_FIGURE_ROWS \
	POLICY_COUNT("spm_calls", "calls of the runtime of page migration"), \
	POLICY_COUNT("spm_too_small", "calls that its size test rejected"), \
	POLICY_COUNT("spm_too_little_reuse", "calls that its reuse test rejected"), \
	POLICY_COUNT("spm_accepted", "calls for which it moved pages"), \
	POLICY_PAGES("spm_pages_asked", "pages of these calls", NULL), \
	POLICY_PAGES("spm_pages_moved", "of these, pages that it moved", NULL), \
	POLICY_PAGES("spm_pages_there", "of these, pages that were there or not in memory", NULL), \
	POLICY_PAGES("spm_pages_pinned", "of these, pages that another thread used", NULL), \
	POLICY_PAGES("spm_pages_refused", "of these, pages that the kernel did not move", \
		"pages were to move and stayed"), \
	{.name = "spm_call_time", .unit = "ns", .help = "time in these calls", .join = FIGURE_SUM}, \
	POLICY_PAGES("pages_away", "pages that are not on the node they came from at the end", \
		NULL), \
	{.name = "kernel_pages_moved", .unit = "page", \
		.help = "pages that NUMA balancing has moved meanwhile, of the whole machine", \
		.join = FIGURE_MEAN}, \
	POLICY_PAGES("huge_split", "transparent huge pages that were split", NULL), \
	{.name = "touch_units", .unit = "unit", \
		.help = "units of 2 MiB that moved to the thread that touched them first", \
		.join = FIGURE_SUM}, \
	{.name = "touch_missed", .unit = "unit", \
		.help = "units that did not move, or not as a whole", .join = FIGURE_SUM, \
		.doubt = "touched memory stayed: its node is full (numactl -H), or there are too " \
			 "many mappings (vm.max_map_count)"}, \
	{.name = "copied_in", .unit = "byte", \
		.help = "bytes that threads copied to memory of their own", .join = FIGURE_SUM}, \
	{.name = "copied_out", .unit = "byte", .help = "bytes that they copied back", \
		.join = FIGURE_SUM}, \
	{.name = "copy_time", .unit = "ns", .help = "time in which they did so", \
		.join = FIGURE_SUM}, \
	POLICY_PAGES("copy_missed", \
		"pages of copies that are not on their thread's node, or were not made", \
		"copies are not where their threads were: memory is full (numactl -H), or a thread " \
		"went to another node")
/* clang-format on */

#endif
