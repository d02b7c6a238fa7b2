/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values that many parts of a document have. */
#include "document/rows.h"

#include <string.h>

#include "analysis/trust.h"
#include "input/request.h"

#define OF double
static const struct field number_rows[] = {{.type = FIELD_NUMBER}};
const struct fields number_fields = FIELDS(NULL, number_rows, .bare = true);
#undef OF
#define OF int64_t
static const struct field whole_rows[] = {{.type = FIELD_WHOLE, .flags = FROM_0}};
const struct fields whole_fields = FIELDS(NULL, whole_rows, .bare = true);
#undef OF
#define OF size_t
static const struct field index_rows[] = {{.type = FIELD_INDEX}};
const struct fields index_fields = FIELDS(NULL, index_rows, .bare = true);
#undef OF
#define OF const char *
static const struct field text_rows[] = {{.type = FIELD_TEXT, .flags = EMPTY}};
const struct fields text_fields = FIELDS(NULL, text_rows, .bare = true);
#undef OF

#define OF struct document_pair
static const struct field pair_rows[] = {
	TEXT("name", name, 0, NULL), TEXT(NULL, value, EMPTY, NULL)};
const struct fields pair_fields = FIELDS(NULL, pair_rows, .bare = true);
#undef OF
#define OF struct document_named
static const struct field named_rows[] = {
	TEXT("name", name, 0, NULL), NUMBER(NULL, value, 0, NULL)};
const struct fields named_fields = FIELDS(NULL, named_rows, .bare = true);
#undef OF
#define OF struct document_pages
static const struct field pages_rows[] = {
	INT("node", node, FROM_0, NULL), WHOLE(NULL, pages, FROM_1, NULL)};
const struct fields pages_fields = FIELDS(NULL, pages_rows, .bare = true);
#undef OF

#define OF struct document_mark
static const struct field mark_rows[] = {
	CHOICE("word", word, MUST | EMPTY, trust_words, NULL),
	TEXT("why", why, MUST | EMPTY, "'': firm"),
};
const struct fields mark_fields = FIELDS("mark", mark_rows,
	.words = "of a figure: how far it can be trusted, and why no further; null: not measured");
#undef OF

#define OF struct amount
static const struct field amount_rows[] = {
	NUMBER("value", value, MUST, NULL),
	NUMBER("low", low, MUST, NULL),
	NUMBER("high", high, MUST, NULL),
};
const struct fields amount_fields =
	FIELDS("amount", amount_rows, .words = "a derived figure with its confidence interval");
#undef OF

#define OF struct document_marked
static const struct field marked_rows[] = {
	NUMBER("value", amount.value, MUST, NULL),
	NUMBER("low", amount.low, MUST, NULL),
	NUMBER("high", amount.high, MUST, NULL),
	MAYBE("mark", mark, mark.there, mark_fields, LEFT_OUT,
		"absent: it is not made of times of samples"),
};
const struct fields marked_fields =
	FIELDS("marked", marked_rows, .words = "an amount with its mark");
#undef OF

#define OF struct document_own_figure
static const struct field own_rows[] = {
	TEXT("name", name, 0, NULL),
	NUMBER("value", value.value, MUST, NULL),
	NUMBER("low", value.low, MUST, NULL),
	NUMBER("high", value.high, MUST, NULL),
	TEXT("unit", unit, LEFT_OUT | EMPTY, "absent: it has none, or an earlier program"),
};
const struct fields own_fields = FIELDS("own_figure", own_rows);
#undef OF

#define OF struct document_message
static const struct field message_rows[] = {
	TEXT("text", text, MUST | EMPTY, NULL),
	TEXT("hint", hint, MUST | NULLED, NULL),
};
const struct fields message_fields = FIELDS(NULL, message_rows);
#undef OF

#define OF struct document_family
static const struct field family_rows[] = {
	TEXT("name", name, 0, NULL),
	FLAG("shared", shared, MUST, "do intervals over placements share their variance"),
	TEXT("reason", reason, MUST | NULLED,
		"why each figure has its own variance; null: they are shared"),
	WHOLE("figures", figures, MUST | FROM_0, "with an interval over placements"),
	WHOLE("runs", runs, MUST | FROM_0, "that these are of"),
	NUMBER("sd", sd, MUST,
		"common size of the standard deviations of placements, of logarithms"),
	NUMBER("df", df, MUST,
		"degrees of freedom that the common size counts for; null and shared: all "
		"variances are alike"),
	NUMBER("most_df", most_df, MUST, "no interval has more degrees of freedom"),
	NUMBER("rare", rare, MUST,
		"of means: the part by which rare slow samples may raise them; a half interval "
		"narrower than this and rare_error / sqrt(samples) is left out; null: not a mean"),
	NUMBER("rare_error", rare_error, 0,
		"of means: the standard error that rare slow samples give to a single sample; "
		"null: not a mean"),
};
static const struct fields family_fields = FIELDS(NULL, family_rows);
#undef OF

static const char *const modes[] = {"work", "time", NULL};
static const char *const costs[] = {"seconds", "seconds per unit", NULL};
static const char *const intervals[] = {"over placements", "this placement only", NULL};

#define OF struct document_method
static const struct field method_rows[] = {
	CHOICE("mode", mode, MUST, modes, NULL),
	NUMBER("window_s", window_s, MUST, "of mode: time; null: a fixed amount of work"),
	CHOICE("stopped_by", stopped_by, NULLED, stopped_by_names,
		"how threads of mode: time know that it is over: each reads the clock between "
		"calls of its kernel, or polls a flag that a further thread sets; null: a fixed "
		"amount of work; absent: not recorded"),
	CHOICE("cost", cost, MUST, costs, "what cost_s and the other figures of costs are"),
	CHOICE("summary", summary, MUST, summary_names, NULL),
	CHOICE("statistic", statistic, MUST, statistic_names, NULL),
	NUMBER("confidence", confidence, MUST | SURE | FROM_0, NULL),
	WHOLE("iterations", iterations, MUST | FROM_1, NULL),
	WHOLE("warmup", warmup, MUST | NULLED | FROM_0, "null: until costs have settled"),
	{.name = "placements",
		.type = FIELD_WHOLE,
		.flags = FROM_1,
		.at = FIELD_AT(int64_t, placements),
		.otherwise = 1,
		.words = "how often the vectors were to be mapped and touched anew, at least; "
			 "iterations and warmup are of each; absent: 1"},
	WHOLE("placements_most", placements_most, LEFT_OUT | FROM_1,
		"the same, until intervals are narrow enough; absent: placements"),
	NUMBER("placements_error", placements_error, 0,
		"half an interval, as a part of the cost, that is narrow enough; null: the file "
		"gives the number of placements"),
	CHOICE("intervals", intervals, LEFT_OUT, intervals,
		"what intervals of costs and ratios are about: other placements too, or the pages "
		"of this one"),
	MAP("families", families, nfamilies, family_fields, 0,
		"what figures of a kind, of all runs, know from each other: variances of their "
		"placements, and rare slow samples"),
	NUMBER("target_error", target_error, MUST | SURE | FROM_0, NULL),
	FLAG("interleave", interleave, MUST, NULL),
	WHOLE("seed", seed, MUST,
		"of the random order or choice of runs and of stack_offsets; 0: none"),
	WHOLE("runs_to_choose_from", runs_to_choose_from, LEFT_OUT | FROM_1,
		"of the sweeps; more than there are here: these were chosen at random"),
};
#undef OF

static int method_finish(struct fields_reading *r, void *item)
{
	struct document_method *m = item;

	(void)r;
	m->per_unit = m->mode && !strcmp(m->mode, "time");
	m->settled = m->warmup < 0;
	return 0;
}

#define OF struct document_method
const struct fields method_fields = FIELDS("method", method_rows, .finish = method_finish,
	.words = "how figures were made from samples");
#undef OF
