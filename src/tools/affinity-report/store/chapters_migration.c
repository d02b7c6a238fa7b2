/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The chapter of page migration: the figures of Piccoli's dissertation (Unicamp 2016) and of the
 * paper (Piccoli et al., PACT 2014), and what a move costs.
 */
#include "affinity-report/store/chapters.h"

#include <stddef.h>

/* clang-format off */
#define SPEEDUP(variable) {.quantity = "speedup", .rows = variable, .columns = "policy"}
#define FIGURE(number, variable, of, words)                                                        \
	{.kind = BLOCK_PLOT, .what = number, .caption = words, .key = SPEEDUP(variable),           \
		.curves = of}
#define FIGURE_ONLY(number, variable, value, of, words)                                            \
	{.kind = BLOCK_PLOT, .what = number, .caption = words, .only = value,                      \
		.key = SPEEDUP(variable), .curves = of}
#define WHEN(number, value, words)                                                                 \
	{.kind = BLOCK_WHEN, .what = number, .caption = words, .only = value}
#define WHERE(number, value, words)                                                                \
	{.kind = BLOCK_WHERE, .what = number, .caption = words, .only = value}
#define TABLES {.kind = BLOCK_TABLES}
#define BASE_PAGES "Speedup over the baseline by rows of a matrix, without huge pages"

#define DISSERTATION {"spm", "SPM"}, {"spm+lock", "SPM+tl"}, {"interleave", "numactl"}, {"autonuma", "AutoNUMA"}
#define EAGER {"eager", "Eager"}
#define MINAS {"minas", "Minas"}

/* The curves of the dissertation's figures; of those that are also figures of the paper; of its
 * two that have Eager; of the paper's alone. */
static const struct curve dissertation[] = {DISSERTATION, {0}};
static const struct curve both[] = {DISSERTATION, {"eager", "premature"}, MINAS, {0}};
static const struct curve both_eager[] = {DISSERTATION, EAGER, MINAS, {0}};
static const struct curve paper[] = {{"spm", "SPM"}, {"eager", "premature"}, MINAS, {0}};

#define PROGRAM(id, name, title, numbers, ...)                                                     \
	static const struct experiment_text id = {"migration/" name, title, numbers,               \
		.layout = LAYOUT_PLOTS, .blocks = {__VA_ARGS__, TABLES}};

PROGRAM(product_thp, "product_thp", "Product of matrices, transparent huge pages", "Figure 4.9",
	FIGURE("Figure 4.9", "n", dissertation,
		"Speedup over the baseline by rows of a matrix, with transparent huge pages"))
PROGRAM(product, "product", "Product of matrices", "Figure 4.10",
	FIGURE("Figure 4.10", "n", both, BASE_PAGES " (and figure 12 of the paper)"))
PROGRAM(lu, "lu", "LU decomposition", "Figures 4.11 to 4.13",
	FIGURE("Figure 4.11", "n", both_eager, BASE_PAGES " (and figure 12 of the paper)"),
	WHEN("Figure 4.12", "policy=autonuma",
		"When each thread worked with AutoNUMA, the largest matrices"),
	WHEN("Beside figure 4.12", "policy=baseline",
		"When each thread worked without moves, the largest matrices"),
	WHEN("Figure 4.13", "policy=spm+lock",
		"When each thread worked with the runtime and its lock, the largest matrices"))
PROGRAM(cholesky, "cholesky", "Cholesky decomposition", "Figure 4.14",
	FIGURE("Figure 4.14", "n", both, BASE_PAGES " (and figure 12 of the paper)"),
	WHERE("Figure 3.7", "policy=spm",
		"Where threads ran without the lock, the largest matrices"),
	WHERE("Figure 3.8", "policy=spm+lock",
		"Where threads ran with the lock, the largest matrices"))
PROGRAM(add, "add", "Sum of matrices", "Figure 4.15",
	FIGURE("Figure 4.15", "n", both_eager, BASE_PAGES " (and figure 12 of the paper)"))
PROGRAM(strsearch, "strsearch", "Search in a text", "Figure 4.16",
	FIGURE("Figure 4.16", "queries", dissertation, "Speedup over the baseline by searches of the text"))
PROGRAM(bucketsort, "bucketsort", "Bucket sort", "Figures 4.17 and 4.18",
	FIGURE_ONLY("Figure 4.17", "size", "test=yes", NULL,
		"Speedup over the baseline by bytes of the vector, with the test of the size "
			"(without it: figure 4.18)"),
	FIGURE_ONLY("Figure 4.18", "size", "test=no", both,
		"Speedup over the baseline by bytes of the vector, without the test of the size "
			"(and figure 12 of the paper)"))
PROGRAM(knn, "knn", "Nearest neighbours", "Figure 12 of the paper",
	FIGURE_ONLY("Figure 12 of the paper", "queries", "hoisted=no", paper,
		"Speedup over the baseline by queries, the runtime asked in each"),
	FIGURE_ONLY("Beside figure 12", "queries", "hoisted=yes", NULL,
		"Speedup over the baseline by queries, the runtime asked once for all"))
PROGRAM(policies, "policies", "Every policy", "All policies side by side",
	FIGURE("", "queries", NULL,
		"Speedup over the baseline by searches of the text, every policy that this machine "
			"can follow"))
PROGRAM(fig3, "fig3", "Slices that overlap", "Figures 3 and 11 of the paper",
	FIGURE_ONLY("Figure 3 of the paper", "side", "pin=none", NULL,
		"Speedup over the baseline of its loop, disputed pages move to and fro"),
	FIGURE_ONLY("Figure 11 of the paper", "side", "pin=tree", NULL,
		"Speedup over the baseline of its loop, disputed pages stay with one thread"))

#define BY_COMPILER "Calls by the compiler pass and by hand"
#define SPEEDUP_BY "Speedup over the same loops without calls by "
PROGRAM(compiled, "compiled", "Product, sum and LU decomposition", BY_COMPILER,
	FIGURE_ONLY("", "n", "program=product", NULL, SPEEDUP_BY "rows of a matrix, product"),
	FIGURE_ONLY("", "n", "program=matrix_add", NULL, SPEEDUP_BY "rows of a matrix, sum"),
	FIGURE_ONLY("", "n", "program=lu", NULL, SPEEDUP_BY "rows of a matrix, LU"))
PROGRAM(compiled_cholesky, "compiled_cholesky", "Cholesky decomposition", BY_COMPILER,
	FIGURE("", "n", NULL, SPEEDUP_BY "rows of a matrix"))
PROGRAM(compiled_strsearch, "compiled_strsearch", "Search in a text", BY_COMPILER,
	FIGURE("", "queries", NULL, SPEEDUP_BY "searches of the text"))
PROGRAM(compiled_bucketsort, "compiled_bucketsort", "Bucket sort", BY_COMPILER,
	FIGURE_ONLY("", "size", "test=yes", NULL,
		SPEEDUP_BY "bytes of the vector, with the test of the size"),
	FIGURE_ONLY("", "size", "test=no", NULL, SPEEDUP_BY "bytes of the vector, without it"))
PROGRAM(compiled_knn, "compiled_knn", "Nearest neighbours", BY_COMPILER,
	FIGURE("", "queries", NULL, SPEEDUP_BY "queries"))
static const struct experiment_text compiled_cost = {"migration/compiled_cost",
	"Where no page is to move", BY_COMPILER, .layout = LAYOUT_PLOTS, .blocks = {TABLES}};

#define COST(id, name, title)                                                                      \
	static const struct experiment_text id = {"migration/" name, title, "What a move costs",   \
		.layout = LAYOUT_PLOTS, .blocks = {TABLES}};

COST(cost_pairs, "cost_pairs", "From every node to every node")
COST(cost_movers, "cost_movers", "By the call that moves")
COST(cost_batch, "cost_batch", "By pages of a call")
COST(cost_there, "cost_there", "Pages that are there already")
COST(cost_own, "cost_threads_own", "Threads that move vectors of their own")
COST(cost_same, "cost_threads_same", "Threads that move the same vector")
COST(cost_bystanders, "cost_bystanders", "What a move costs others")
COST(break_even, "break_even", "After how many uses a move has paid")
COST(break_even_uses, "break_even_uses", "The same, use by use")

#define EXPERIMENT(which) {.kind = PIECE_EXPERIMENT, .experiment = &which}

const struct piece chapters_migration[] = {
	{.kind = PIECE_HEADING, .id = "migration", .text = "Page migration"},
	{.kind = PIECE_PARAGRAPH,
		.text = "Figures are those of Piccoli's dissertation (Unicamp 2016), and of the "
			"paper (Piccoli et al., PACT 2014) where they say so, for this machine. "
			"Speedups are over the baseline, in which all pages stay on one node, and "
			"of spm, spm+lock (the works' SPM+tl) and eager (their premature). Below a "
			"figure are the curves of the work's figure that were not measured, with "
			"the value of policy that gives them."},
	EXPERIMENT(product_thp),
	EXPERIMENT(product),
	EXPERIMENT(lu),
	EXPERIMENT(cholesky),
	EXPERIMENT(add),
	EXPERIMENT(strsearch),
	EXPERIMENT(bucketsort),
	EXPERIMENT(knn),
	EXPERIMENT(fig3),
	EXPERIMENT(policies),
	{.kind = PIECE_SUBHEADING, .text = BY_COMPILER},
	EXPERIMENT(compiled),
	EXPERIMENT(compiled_cholesky),
	EXPERIMENT(compiled_strsearch),
	EXPERIMENT(compiled_bucketsort),
	EXPERIMENT(compiled_knn),
	EXPERIMENT(compiled_cost),
	{.kind = PIECE_SUBHEADING, .text = "What a move costs, and when it has paid"},
	EXPERIMENT(cost_pairs),
	EXPERIMENT(cost_movers),
	EXPERIMENT(cost_batch),
	EXPERIMENT(cost_there),
	EXPERIMENT(cost_own),
	EXPERIMENT(cost_same),
	EXPERIMENT(cost_bystanders),
	EXPERIMENT(break_even),
	EXPERIMENT(break_even_uses),
	{.kind = PIECE_END},
};
/* clang-format on */
