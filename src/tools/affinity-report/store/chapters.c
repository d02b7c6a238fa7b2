/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chapters: headings, results, numbers, captions. */
#include "affinity-report/store/chapters.h"

#include <stddef.h>

/* clang-format off */
#define PLACEMENT(number, words) {.kind = BLOCK_PLACEMENT, .what = number, .caption = words}
#define BY_THREAD {.quantity = "cost", .rows = "thread", .columns = "operation"}
#define BY_DELAY  {.quantity = "cost", .rows = "delay_ms", .columns = "thread"}
#define THREADS(number, words)                                                                     \
	{.kind = BLOCK_TABLE, .what = number, .caption = words, .key = BY_THREAD}
#define NODES(number, op, words)                                                                   \
	{.kind = BLOCK_TABLE, .what = number, .operation = op, .caption = words,                   \
		.key = {.quantity = "cost", .rows = "data_node", .columns = "thread_node"}}

/* 5.1: one thread, private data */
static const struct experiment_text matrix = {
	"pruebas_un_hilo/matrix", "All nodes", "Tables 5.1 to 5.4", .layout = LAYOUT_PLOTS_OF_MANY,
	.blocks = {
		PLACEMENT("", "One cell: thread on node {thread_node}, data on node {data_node}"),
		NODES("Table 5.1", "read", "Cost of reads ({unit})"),
		NODES("Table 5.2", "write", "Cost of writes ({unit})"),
		NODES("Table 5.3", "read_write", "Cost of read-writes ({unit})"),
		NODES("Table 5.4", "write_read", "Cost of write-reads ({unit})"),
	},
};

static const struct experiment_text stride = {
	"pruebas_un_hilo/stride", "Stride", "Figure 5.1", .layout = LAYOUT_PLOTS,
	.blocks = {{.kind = BLOCK_PLOTS, .what = "Figure 5.1",
		.key = {.quantity = "cost", .rows = "stride_B", .columns = "operation"},
		.caption = "Cost of reads and writes by stride ({unit})"}},
};

static const struct experiment_text char_float = {
	"pruebas_un_hilo/char_float", "Type of the elements", "Figure 5.2", .layout = LAYOUT_PLOTS,
	.blocks = {{.kind = BLOCK_PLOTS, .what = "Figure 5.2",
		.key = {.quantity = "ns_per_unit", .rows = "stride_B", .columns = "type"},
		.caption = "time of an access ({unit}) by stride, char and float"}},
};

/* 5.2: two threads, private data */
#define PRIVATE(id, title, table, figure)                                                          \
	static const struct experiment_text private_##id = {                                       \
		"pruebas_solo_priv/" #id, title, "Table " table ", figure " figure,                \
		.blocks = {                                                                        \
			PLACEMENT("Figure " figure, title),                                        \
			THREADS("Table " table, "Results, " title " ({unit})"),                   \
			{.kind = BLOCK_SLOWDOWNS,                                                  \
				.caption = "Cost beside the other thread / cost alone, "           \
					"and overhead (eq. 4.1)"},                                 \
		},                                                                                 \
	};

PRIVATE(none, "nothing shared", "5.5", "5.3")
PRIVATE(s, "only S", "5.6", "5.4")
PRIVATE(bq, "only BQ", "5.7", "5.5")
PRIVATE(mc, "only MC", "5.8", "5.6")
PRIVATE(mc_s, "MC and S", "5.9", "5.7")
PRIVATE(mc_bq_s, "MC, BQ and S", "5.10", "5.8")

/* 5.3: two threads, one vector */
#define OVERLAPPED(id, title, table)                                                               \
	static const struct experiment_text overlapped_##id = {                                    \
		"pruebas_solape/" #id, title, "Table " table,                                      \
		.blocks = {                                                                        \
			PLACEMENT("Figure 5.9 " title, "placement"),                               \
			THREADS("Table " table,                                                    \
				"Results " title ", overlapped accesses ({unit})"),               \
		},                                                                                 \
	};
#define HALF(id, title, table)                                                                     \
	static const struct experiment_text half_##id = {                                          \
		"pruebas_half_access/" #id, title, "Table " table,                                 \
		.blocks = {                                                                        \
			PLACEMENT("", "placement"),                                                \
			{.kind = BLOCK_SHARES, .what = "Figure 5.14 " title,                       \
				.caption = "accesses of each thread to the vector"},               \
			THREADS("Table " table,                                                    \
				"Results " title ", thread 1 visits half ({unit})"),              \
		},                                                                                 \
	};
#define DELAYED(id, title, table, speedup)                                                         \
	static const struct experiment_text delayed_##id = {                                       \
		"pruebas_sleep/" #id, title, "Tables " table " and " speedup,                      \
		.variable = "delay_ms", .value = "500", .no_run = "no run with a delay of 500 ms", \
		.blocks = {                                                                        \
			PLACEMENT("", "Placement; thread 1 starts 500 ms later"),                  \
			{.kind = BLOCK_ROW, .what = "Table " table, .key = BY_DELAY,               \
				.caption = "Results " title                                        \
					", semi-overlapped accesses, 500 ms ({unit})"},            \
			{.kind = BLOCK_GAINS, .what = "Table " speedup,                            \
				.caption = "Speedup " title " over {baseline}: empirical (E), "    \
					"hypothetical t/(t+delay) (H)"},                           \
		},                                                                                 \
	};

OVERLAPPED(lr, "LR", "5.12")
OVERLAPPED(rr, "RR", "5.13")
OVERLAPPED(ll, "LL", "5.14")
HALF(lr, "LR", "5.15")
HALF(rr, "RR", "5.16")
HALF(ll, "LL", "5.17")
DELAYED(lr, "LR", "5.18", "5.21")
DELAYED(rr, "RR", "5.19", "5.22")
DELAYED(ll, "LL", "5.20", "5.23")

#define HEADING(name, words)    {.kind = PIECE_HEADING, .id = name, .text = words}
#define SUBHEADING(words)       {.kind = PIECE_SUBHEADING, .text = words}
#define EXPERIMENT(which)       {.kind = PIECE_EXPERIMENT, .experiment = &which}
#define SERIES(number, of, op, words)                                                              \
	{.kind = PIECE_SERIES, .id = "pruebas_sleep/" of, .text = "Figure " number,                \
		.caption = words, .operation = op, .key = BY_DELAY}

static const struct piece chapters_thesis[] = {
	HEADING("one", "5.1 One thread, private data"),
	EXPERIMENT(matrix),
	EXPERIMENT(stride),
	EXPERIMENT(char_float),
	HEADING("private", "5.2 Two threads, private data"),
	EXPERIMENT(private_none),
	EXPERIMENT(private_s),
	EXPERIMENT(private_bq),
	EXPERIMENT(private_mc),
	EXPERIMENT(private_mc_s),
	EXPERIMENT(private_mc_bq_s),
	{.kind = PIECE_OVERHEADS, .text = "Table 5.11",
		.caption = "Shared resources, cost (both threads) and overhead (eq. 4.1)"},
	HEADING("shared", "5.3 Two threads, one vector"),
	{.kind = PIECE_PARAGRAPH,
		.text = "LR: thread 0 is local to the vector, thread 1 remote. "
			"RR: both are remote. LL: both are local (figure 5.9)."},
	SUBHEADING("5.3.1 Overlapped accesses"),
	EXPERIMENT(overlapped_lr),
	EXPERIMENT(overlapped_rr),
	EXPERIMENT(overlapped_ll),
	{.kind = PIECE_SOURCES, .id = "pruebas_solape/lr",
		.text = "Where a line can come from when both threads use one vector (LR):"},
	SUBHEADING("5.3.2 Overlapped accesses, less work"),
	EXPERIMENT(half_lr),
	EXPERIMENT(half_rr),
	EXPERIMENT(half_ll),
	SUBHEADING("5.3.3 Semi-overlapped accesses"),
	EXPERIMENT(delayed_lr),
	EXPERIMENT(delayed_rr),
	EXPERIMENT(delayed_ll),
	{.kind = PIECE_MINOR, .text = "Reads"},
	SERIES("5.15", "lr", "read", "reads, LR"),
	SERIES("5.16", "ll", "read", "reads, LL"),
	SERIES("5.17", "rr", "read", "reads, RR"),
	{.kind = PIECE_MINOR_END},
	{.kind = PIECE_MINOR, .text = "Writes"},
	SERIES("5.18", "lr", "write", "writes, LR"),
	SERIES("5.19", "ll", "write", "writes, LL"),
	SERIES("5.20", "rr", "write", "writes, RR"),
	{.kind = PIECE_MINOR_END},
	{.kind = PIECE_MINOR, .text = "Read-writes"},
	SERIES("5.21", "lr", "read_write", "read-writes, LR"),
	SERIES("5.22", "ll", "read_write", "read-writes, LL"),
	SERIES("5.23", "rr", "read_write", "read-writes, RR"),
	{.kind = PIECE_MINOR_END},
	{.kind = PIECE_END},
};

const struct overhead_column overhead_columns[] = {
	{"pruebas_solo_priv/none", "none (5.3)"}, {"pruebas_solo_priv/s", "S (5.4)"},
	{"pruebas_solo_priv/bq", "BQ (5.5)"}, {"pruebas_solo_priv/mc", "MC (5.6)"},
	{"pruebas_solo_priv/mc_s", "MC+S (5.7)"}, {"pruebas_solo_priv/mc_bq_s", "MC+BQ+S (5.8)"},
	{NULL, NULL},
};

/* SMT-Bench */
#define TABLES(every) {.kind = BLOCK_TABLES, .all = every}
#define UNITS(id, name, title)                                                                     \
	static const struct experiment_text units_##id = {                                         \
		"smt/" name, title, "SMT-Bench", .layout = LAYOUT_PLOTS,                           \
		.blocks = {TABLES(false)},                                                       \
	};
#define UNITS_PAIRS(id, name, title, number, words)                                                \
	static const struct experiment_text units_##id = {                                         \
		"smt/" name, title, "SMT-Bench", .layout = LAYOUT_PLOTS,                           \
		.blocks = {                                                                        \
			{.kind = BLOCK_BARS, .what = number, .caption = words,                     \
				.key = {.quantity = "slowdown", .rows = "a", .columns = "scenario", .scenarios = true}},          \
			TABLES(false),                                                           \
		},                                                                                 \
	};

UNITS(a, "a_alone", "Scenario A: one thread alone")
UNITS(b, "b_same_unit", "Scenario B: the same unit, one core")
UNITS(c, "c_other_unit", "Scenario C: other units, one core")
UNITS_PAIRS(matrix, "matrix", "Every pair on one core", "Figure 3",
	"time of an operation on one core, normalised to scenario A")
UNITS(two_b, "two_cores_b_same_unit", "The same unit, two cores")
UNITS(two_c, "two_cores_c_other_unit", "Other units, two cores")
UNITS_PAIRS(two_matrix, "two_cores_matrix", "Every pair on two cores", "Figure 3 on two cores",
	"time of an operation on two cores, normalised to scenario A; no execution unit is shared")

static const struct piece chapters_units[] = {
	HEADING("units", "Execution units"),
	{.kind = PIECE_MIX, .text = "Figure 1a",
		.caption = "what the hot loop of each kernel is made of "
			"(static: from the disassembled loop)"},
	EXPERIMENT(units_a),
	EXPERIMENT(units_b),
	EXPERIMENT(units_c),
	EXPERIMENT(units_matrix),
	EXPERIMENT(units_two_b),
	EXPERIMENT(units_two_c),
	EXPERIMENT(units_two_matrix),
	{.kind = PIECE_END},
};

const char *const mix_kernels[] = {
	"branch", "fp_add", "fp_div", "fp_mul", "int_add", "int_div", "int_mul", "load_dep", NULL};

const struct piece *const chapters_all[] = {
	chapters_units, chapters_migration, chapters_thesis, NULL};

const struct group_title group_titles[] = {
	{"", "Experiments"},
	{"first", "The machine on one screen"},
	{"quickstart", "First steps"},
	{"matrix", "Nodes and cores"},
	{"latency", "Latency"},
	{"bandwidth", "Bandwidth"},
	{"access", "What an access costs"},
	{"scaling", "More and more threads"},
	{"patterns", "Patterns of access"},
	{"coherence", "Lines in other caches"},
	{"translation", "Pages and translation"},
	{"inference", "Language models"},
	{"tiers", "Memory of unlike speed"},
	{"profile", "Profile of the machine"},
	{NULL, NULL},
};

/* Files that no chapter names, such as the user's own. */
const struct experiment_text other_experiment = {
	"", "", "",
	.blocks = {
		PLACEMENT("", NULL),
		TABLES(true),
		{.kind = BLOCK_RUNS, .caption = "Cost of each run ({cost})"},
	},
};
/* clang-format on */
