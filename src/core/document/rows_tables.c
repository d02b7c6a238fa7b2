/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables, plots, claims and counters of a document. */
#include <string.h>

#include "analysis/claims.h"
#include "statistics/crossing.h"
#include "document/parts.h"
#include "document/rows.h"

static const char *const words[] = {"never", "always", "anywhere", "mixed", "same memory", NULL};

#define OF struct document_cell
static const struct field cell_rows[] = {
	NUMBER("value", figure.amount.value, MUST, NULL),
	NUMBER("low", figure.amount.low, MUST, NULL),
	NUMBER("high", figure.amount.high, MUST, NULL),
	MAYBE("mark", figure.mark, figure.mark.there, mark_fields, LEFT_OUT,
		"of a mean, of its worst cell's samples; absent: it is not made of times of "
		"samples"),
	CHOICE("word", word, LEFT_OUT, words,
		"never: it does not pay, or costs do not fall below the baseline's, but perhaps "
		"from low on; always: they are below at the first value already, but perhaps only "
		"from high on; anywhere: no difference is certain at any value; mixed: below at "
		"low and above at high, which is larger; same memory: what is compared differs in "
		"its placement only, and all of it is the same memory"),
};
static const struct fields cell_fields = FIELDS("cell", cell_rows,
	.words = "an amount; with ranges, a word may stand in place of the value");
#undef OF

#define OF struct document_cells
static const struct field cells_rows[] = {LIST(NULL, list, count, cell_fields, 0, NULL)};
static const struct fields cells_fields = FIELDS(NULL, cells_rows, .bare = true);
#undef OF

#define OF struct document_numbers
static const struct field numbers_rows[] = {LIST(NULL, list, count, number_fields, 0, NULL)};
static const struct fields numbers_fields = FIELDS(NULL, numbers_rows, .bare = true);
#undef OF

#define OF const char *
static const struct field begin_rows[] = {{.type = FIELD_TEXT, .flags = NULLED}};
static const struct fields begin_fields = FIELDS(NULL, begin_rows, .bare = true);
#undef OF

#define OF struct document_class
static const struct field class_rows[] = {
	TEXT("class", name, MUST, "the innermost place of both: same L3 = node, other package"),
	TEXT("at", at, LEFT_OUT, "the row or column that it is of; absent: all"),
	WHOLE("measured", measured, MUST | FROM_1, "pairs, in either direction or both"),
	WHOLE("pairs", pairs, MUST | FROM_0, "that the machine has"),
	RECORD("fewest", fewest, amount_fields, MUST, NULL),
	RECORD("median", median, amount_fields, MUST, NULL),
	RECORD("most", most, amount_fields, MUST, NULL),
	MAYBE("mark", mark, mark.there, mark_fields, LEFT_OUT, "the worst of these"),
};
static const struct fields class_fields =
	FIELDS("pair_class", class_rows, .words = "pairs of CPUs that are equally near");
#undef OF

static const char *const drawn[] = {"table", "plot", "heat", NULL};
static const char *const kinds[] = {"quantity", "counter", "figure", NULL};
static const char *const axes[] = {"variable", "thread", "operation", "time", "", NULL};
static const char *const means[] = {"geometric", "scenarios", NULL};

#define OF struct document_table
static const struct field against_rows[] = {
	TEXT("quantity", place, MUST, "its name, or time"),
	TEXT("unit", place_unit, MUST | EMPTY, NULL),
	LIST("places", places_by_row, nplaces_by_row, numbers_fields, MUST, NULL),
};
static const struct fields against_fields = FIELDS(NULL, against_rows);

static const struct field table_rows[] = {
	CHOICE("shown", drawn, MUST, drawn, "heat: a plot with rows= and cols="),
	TEXT("title", title, MUST, "for people: made of the fields below"),
	TEXT("quantity", quantity, MUST | EMPTY, "its name"),
	CHOICE("kind", kind, MUST | EMPTY, kinds,
		"quantity: of affinity --help quantities; counter: what counters: counts; figure: "
		"a kernel's own"),
	TEXT("along", along, MUST | NULLED,
		"the variable along which it is found; null: it is of single runs"),
	TEXT("unit", unit, MUST | EMPTY, "of the cells; '' for ratios"),
	TEXT("operation", operation, MUST | NULLED,
		"null: on an axis, or not the same in all runs"),
	INT("thread", thread, MUST | NULLED,
		"whose figures; null: all threads together, or on an axis"),
	MAP("values", values.list, values.count, pair_fields, MUST,
		"of the sweep's variables on no axis"),
	TEXT("row_axis", row_axis, MUST | EMPTY,
		"the name of a variable, thread, operation or time; '' none"),
	CHOICE("rows_are", row_kind, MUST | EMPTY, axes,
		"which of them it is: a variable, too, may be called thread"),
	TEXT("column_axis", column_axis, MUST | EMPTY, NULL),
	CHOICE("columns_are", column_kind, MUST | EMPTY, axes, NULL),
	LIST("rows", rows.list, rows.count, text_fields, MUST, "labels"),
	LIST("columns", columns.list, columns.count, text_fields, MUST, NULL),
	CHOICE("mean", mean, MUST | NULLED, means,
		"geometric: the last row and, of several columns, the last column are means of "
		"the others; scenarios: the columns are those of SMT-Bench's figure 3, and the "
		"last row is the mean of the others"),
	LIST("cells", cells_by_row, ncells_by_row, cells_fields, MUST,
		"by row and column, in the unit; value null without a word: no such run, or not "
		"measured"),
	PART("against", has_place, against_fields, MUST,
		"with against=: where each point is drawn, instead of at its row's label"),
	TEXT("held_by", held, LEFT_OUT,
		"what holds the data of the cells, with the rows, columns or cells where they "
		"differ"),
	FLAG("ranges", ranges, LEFT_OUT,
		"the cells are ranges: break_even, break_even_time, crossing, crossing_time, "
		"reach_1, reach_2, walk, best_share, advised_share or kernel_share. An end that "
		"is null beside one that is a number is open; absent: cells are figures with "
		"their intervals"),
	LIST("row_begins", row_begins.list, row_begins.count, begin_fields, LEFT_OUT,
		"where the sweep of the rows reaches further places or kinds of cores: for each "
		"row "
		"those that begin there, or null"),
	LIST("column_begins", column_begins.list, column_begins.count, begin_fields, LEFT_OUT,
		"the same of columns"),
	LIST("pair_classes", classes, nclasses, class_fields, LEFT_OUT,
		"of a table of pairs of CPUs: those that are equally near, the nearest first"),
};
#undef OF

static enum document_shown shown_of_name(const char *name)
{
	if (name && !strcmp(name, "heat"))
		return SHOWN_HEAT;
	return name && !strcmp(name, "plot") ? SHOWN_PLOT : SHOWN_TABLE;
}

/* AXIS_VARIABLE .. AXIS_TIME; below that: there is no such kind. */
static int axis_of_kind(const char *kind)
{
	int axis = AXIS_VARIABLE;

	while (axis >= AXIS_TIME && strcmp(kind, axis_kind(axis)) != 0)
		axis--;
	return axis;
}

static bool is_matrix(const struct document_table *t)
{
	bool is = t->ncells_by_row == t->rows.count &&
		  (!t->has_place || t->nplaces_by_row == t->rows.count);

	for (size_t i = 0; is && i < t->rows.count; i++)
		is = t->cells_by_row[i].count == t->columns.count &&
		     (!t->has_place || t->places_by_row[i].count == t->columns.count);
	return is;
}

void document_finish_table(struct document *d, struct document_table *t)
{
	const size_t columns = t->columns.count;

	t->shown = shown_of_name(t->drawn);
	t->id = quantity_of_kind(t->kind, t->quantity);
	t->rows_are = axis_of_kind(t->row_kind);
	t->columns_are = axis_of_kind(t->column_kind);
	if (t->row_begins.count != t->rows.count)
		t->row_begins.list = NULL;
	if (t->column_begins.count != columns)
		t->column_begins.list = NULL;
	if (!t->has_place)
		t->place_unit = "";
	t->cells = document_list(d, t->rows.count * columns, sizeof(*t->cells));
	t->marks = document_list(d, t->rows.count * columns, sizeof(*t->marks));
	if (t->has_place)
		t->places = document_list(d, t->rows.count * columns, sizeof(*t->places));
	for (size_t i = 0; i < t->rows.count * columns; i++) {
		const struct document_cell *c = &t->cells_by_row[i / columns].list[i % columns];

		t->cells[i] = t->ranges ? crossing_from_word(c->word, c->figure.amount)
					: c->figure.amount;
		t->marks[i] = c->figure.mark;
		if (t->has_place)
			t->places[i] = t->places_by_row[i / columns].list[i % columns];
	}
}

static int table_finish(struct fields_reading *r, void *item)
{
	struct document_table *t = item;

	t->has_place &= t->place != NULL;
	if (quantity_of_kind(t->kind, t->quantity) == QUANTITY_ROWS ||
		axis_of_kind(t->row_kind) < AXIS_TIME || axis_of_kind(t->column_kind) < AXIS_TIME)
		return fields_refuse(r, "does not say what its figures and its axes are");
	if (!is_matrix(t))
		return fields_refuse(r, "has cells that do not match its rows and columns");
	document_finish_table(r->document, t);
	return 0;
}

#define OF struct document_table
const struct fields table_fields =
	FIELDS("table", table_rows, .finish = table_finish, .words = "one quantity over two axes");
#undef OF

#define OF struct document_side
static const struct field side_rows[] = {
	TEXT("quantity", quantity, MUST, "its name"),
	TEXT("run", run, MUST | NULLED, "its values, as in d=100 n=2; null: there is none"),
	TEXT("operation", operation, MUST | NULLED, "null: the run was not measured"),
	INT("thread", thread, MUST | NULLED, "null: all threads together"),
	RECORD("value", value, amount_fields, MUST, "its interval has the confidence of the file"),
};
static const struct fields side_fields = FIELDS("claim_side", side_rows);
#undef OF

static const char *const verdicts[] = {
	"holds", "does not hold", "not shown", "cannot be asked here", NULL};
static const char *const figures[] = {"left / right", "left - right", NULL};

#define OF struct document_claim
static const struct field claim_rows[] = {
	TEXT("claim", claim, NEEDED, "the line, without its key"),
	TEXT("label", label, NEEDED, "the operation, and values that the claim does not name"),
	CHOICE("verdict", verdict, NEEDED, verdicts, NULL),
	TEXT("reason", reason, MUST | NULLED,
		"null: the verdict follows from figure, above and below"),
	TEXT("unit", unit, NEEDED, "of left and right"),
	RECORD("left", left, side_fields, MUST, NULL),
	RECORD("right", right, side_fields, MUST, NULL),
	CHOICE("figure_is", figure_is, NEEDED, figures, NULL),
	RECORD("figure", figure, amount_fields, MUST,
		"its interval has the confidence confidence_each"),
	NUMBER("above", above, MUST,
		"the claim holds if the whole interval is above it; null: it has no such end"),
	NUMBER("below", below, MUST, "and below this"),
};
static const struct fields claim_fields =
	FIELDS("claim", claim_rows, .words = "a test: two runs that a claim compares");
#undef OF

#define OF struct document
static const struct field claims_rows[] = {
	NUMBER("confidence", claims_confidence, MUST | SURE,
		"that the intervals of all figures together contain what they estimate: that of "
		"the file"),
	NUMBER("confidence_each", claims_each, MUST | SURE,
		"of each of these intervals: 1 - (1 - confidence) / asked"),
	WHOLE("asked", claims_asked, MUST | FROM_0, "tests that have a figure"),
	LIST("tests", claims, nclaims, claim_fields, MUST, NULL),
};
const struct fields claims_fields = FIELDS(NULL, claims_rows);
#undef OF

static const char *const metric_kinds[] = {"count", "ratio", "percent", NULL};

#define OF struct document_metric
static const struct field metric_rows[] = {
	TEXT("name", name, MUST | EMPTY, NULL),
	TEXT("group", group, MUST | NULLED, "null: an event by its name"),
	CHOICE("kind", kind, MUST | EMPTY, metric_kinds, NULL),
	TEXT("help", help, MUST | EMPTY, NULL),
	TEXT("formula", formula, MUST | EMPTY | NULLED,
		"of events, as it is computed; null: not counted"),
	INT("pass", pass, MUST | NULLED | FROM_1,
		"in which its events are counted together; null: in several, or not at all"),
	TEXT("missing", missing, MUST | NULLED, "why it is not counted"),
	TEXT("share_of", share_of, LEFT_OUT,
		"the type of instructions whose share of a mix it gives; absent: none"),
};
static const struct fields metric_fields = FIELDS(NULL, metric_rows);
#undef OF

#define OF struct document_event
static const struct field event_rows[] = {
	TEXT("event", event, MUST | EMPTY, NULL),
	TEXT("native", native, MUST | EMPTY, "what a preset is on this CPU"),
	NUMBER("self_check", self_check, MUST, "counts in one round of the self-check's loop"),
	NUMBER("expected", expected, MUST, "what happens in one; null: not known"),
	NUMBER("empty", empty, MUST,
		"counts from starting to stopping with nothing between; in every figure"),
	TEXT("remark", remark, MUST | EMPTY, NULL),
};
static const struct fields event_fields = FIELDS(NULL, event_rows);
#undef OF

#define OF struct document_pass
static const struct field pass_rows[] = {
	FLAG("in_system", in_system, MUST, "what happens in the system is counted too"),
	LIST("events", events, nevents, event_fields, MUST, NULL),
};
static const struct fields pass_fields = FIELDS(NULL, pass_rows);
#undef OF

#define OF struct document_counting
static const struct field counting_rows[] = {
	INT("samples_per_pass", samples_per_pass, MUST | FROM_1, NULL),
	LIST("metrics", metrics, nmetrics, metric_fields, MUST, NULL),
	LIST("passes", passes, npasses, pass_fields, MUST, NULL),
};
const struct fields counting_fields = FIELDS(NULL, counting_rows);
#undef OF

#define OF struct document_lacking
static const struct field lacking_rows[] = {
	TEXT("title", title, MUST | EMPTY, NULL),
	TEXT("reason", reason, MUST | NULLED, "null: the runs have no such figure"),
	INDEX("before", before, MUST, "how many of tables come before it"),
};
const struct fields lacking_fields = FIELDS(NULL, lacking_rows);
#undef OF
