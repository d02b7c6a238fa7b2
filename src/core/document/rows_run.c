/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fields of a run, and of a whole document. */
#include <stdlib.h>
#include <string.h>

#include "analysis/trust.h"
#include "base/alloc.h"
#include "document/facts.h"
#include "document/parts.h"
#include "document/rows.h"
#include "document/value.h"

#define OF struct document_of_kind
static const struct field of_kind_rows[] = {
	TEXT("kind", kind, 0, NULL), RECORD(NULL, value, marked_fields, 0, NULL)};
static const struct fields of_kind_fields = FIELDS(NULL, of_kind_rows, .bare = true);
#undef OF

#define OF struct document_speedup
static const struct field speedup_rows[] = {
	TEXT("speedup", name, MUST, "as in speedupCalc: cost of the first / cost of the second"),
	INT("base", base, NULLED | FROM_0,
		"the index of the second operation; absent: an earlier program"),
	RECORD("total", total, marked_fields, MUST, NULL),
	NUMBER("base_s", base_s, MUST, NULL),
	LIST("threads", threads.list, threads.count, marked_fields, MUST, NULL),
	MAP("kinds", kinds, nkinds, of_kind_fields, LEFT_OUT,
		"of the threads on each kind of cores, where there are several"),
};
static const struct fields speedup_fields = FIELDS("speedup", speedup_rows);
#undef OF

#define OF struct document_solo
static const struct field solo_rows[] = {
	TEXT("operation", operation, MUST | EMPTY, NULL),
	RECORD("overhead_percent", overhead_percent, marked_fields, MUST, NULL),
	LIST("slowdowns", slowdowns.list, slowdowns.count, marked_fields, MUST, NULL),
	MAP("kinds", kinds.list, kinds.count, own_fields, LEFT_OUT,
		"overhead_percent of the threads on each kind of cores, where there are several; "
		"that of all is null then"),
};
static const struct fields solo_fields = FIELDS(NULL, solo_rows);
#undef OF

#define OF struct document_operations
static const struct field alone_rows[] = {
	INT("thread", thread, MUST | FROM_0, NULL),
	LIST("operations", list, count, operation_fields, MUST, NULL),
};
static const struct fields alone_fields = FIELDS(NULL, alone_rows);
#undef OF

#define OF struct document_gain
static const struct field gain_rows[] = {
	RECORD("speedup", speedup, marked_fields, MUST, NULL),
	NUMBER("base_s", base_s, MUST, NULL),
	NUMBER("hypothetical", hypothetical, MUST, NULL),
};
static const struct fields gain_fields = FIELDS(NULL, gain_rows);
#undef OF

#define OF struct document_baseline
static const struct field gains_rows[] = {
	TEXT("operation", operation, MUST | EMPTY, NULL),
	RECORD("total", total, marked_fields, 0,
		"the speedup of all threads together; absent: an earlier program"),
	LIST("threads", threads, nthreads, gain_fields, MUST, NULL),
};
static const struct fields gains_fields = FIELDS(NULL, gains_rows);
#undef OF

static const char *const costs_of[] = {"stalls", "times", NULL};

#define OF struct document_run
static const struct field profiler_rows[] = {
	TEXT("judged_by", profiler.judged_by, MUST | EMPTY, NULL),
	RECORD("gain_percent", profiler.gain_percent, amount_fields, MUST, NULL),
	RECORD("cost_percent", profiler.cost_percent, amount_fields, MUST, NULL),
	CHOICE("cost_of", profiler.cost_of, MUST | EMPTY, costs_of, NULL),
	FLAG("moves_back", profiler.moves_back, MUST, NULL),
};
static const struct fields profiler_fields = FIELDS(NULL, profiler_rows);

static const struct field coverage_rows[] = {
	NUMBER("32", physical.of_32, MUST, NULL),
	NUMBER("64", physical.of_64, MUST, NULL),
	NUMBER("128", physical.of_128, MUST, NULL),
	NUMBER("256", physical.of_256, MUST, NULL),
};
static const struct fields coverage_fields = FIELDS(NULL, coverage_rows);

static const struct field physical_rows[] = {
	WHOLE("ranges", physical.ranges, MUST | NULLED | FROM_0,
		"how many; a range is of one vector"),
	WHOLE("pages", physical.pages, MUST | NULLED | FROM_0, "base pages in them"),
	{.name = "coverage_percent",
		.type = FIELD_RECORD,
		.flags = MUST,
		.of = &coverage_fields,
		.words = "of the pages, that the longest so many ranges hold"},
};
static const struct fields physical_fields = FIELDS(NULL, physical_rows);

static const struct field mapping_rows[] = {
	TEXT("mapping", mapping.mapping, MUST | EMPTY,
		"compact, scatter, roundrobin, os, instruction, gomp or random:SEED"),
	TEXT("sorted_by", mapping.sorted_by, MUST | NULLED,
		"branch, fp, int, load or store; null: by none"),
	TEXT("reason", mapping.reason, MUST | EMPTY, NULL),
};
static const struct fields mapping_fields = FIELDS(NULL, mapping_rows);

static const struct field solo_part_rows[] = {
	LIST("operations", solos, nsolos, solo_fields, MUST, NULL),
	LIST("runs", alone, nalone, alone_fields, MUST, NULL),
};
static const struct fields solo_part_fields = FIELDS("solo", solo_part_rows);

static const struct field baseline_rows[] = {
	TEXT("run", baseline, MUST, NULL),
	LIST("operations", gains, ngains, gains_fields, MUST, NULL),
};
static const struct fields baseline_fields = FIELDS("baseline", baseline_rows);

#undef OF

#define OF struct document_load
static const struct field load_rows[] = {
	TEXT("line", line, MUST, "as in the argument file"),
	NUMBER("wanted_bytes_per_s", wanted_bytes_per_s, MUST | SURE | FROM_0, "0: nothing ran"),
	LIST("vectors", vectors, nvectors, vector_fields, MUST, NULL),
	LIST("threads", threads, nthreads, thread_fields, MUST,
		"their vectors are those of this line"),
};
static const struct fields load_fields = FIELDS("load", load_rows);
#undef OF

#define OF struct document_run
#define VALUES                                                      \
	MAP("values", values.list, values.count, pair_fields, MUST, \
		"of the sweep's variables in this run")

static const struct field skipped_rows[] = {
	VALUES,
	TEXT("skipped", skipped, MUST, "the reason"),
	FLAG("lost", lost, 0,
		"it could not be measured; else not placed, or it was interrupted before"),
};
static const struct fields skipped_fields = FIELDS("skipped", skipped_rows);

static const struct field run_rows[] = {
	VALUES,
	WHOLE("placements", placements, LEFT_OUT | FROM_1,
		"that were made; fewer than those of the method: the run was interrupted"),
	LIST("stack_offsets", stack_offsets, nstack_offsets, whole_fields, 0,
		"bytes, by placement: how far down the threads worked on their stacks; [0] for a "
		"single placement"),
	RECORD("method", method, method_fields, MUST, "of this run; a sweep may change it"),
	LIST("vectors", vectors, nvectors, vector_fields, NEEDED, NULL),
	LIST("threads", threads, nthreads, thread_fields, NEEDED, NULL),
	LIST("background", loads, nloads, load_fields, LEFT_OUT,
		"by line of background: the threads that ran beside those of the run, and their "
		"vectors"),
	LIST("left_huge", leaves, nleaves, leave_fields, LEFT_OUT,
		"with leaveHuge: the nodes whose free memory was broken while vectors were placed "
		"and measured"),
	PART("profiler", has_profiler, profiler_fields, LEFT_OUT,
		"with rhp_frag_profiler: what far huge pages gain and cost by the run of rhp_frag "
		"(judged_by), in percent: huge_gain, and stall_cost or, where stalls are not "
		"counted, by which part that run takes longer than the baseline; vectors are "
		"moved back where the cost is more"),
	PART("physical_ranges", has_physical, physical_fields, LEFT_OUT,
		"with physicalRanges: yes, the runs of frames that follow each other in which the "
		"vectors lay in the last placement; null: they could not be read"),
	LIST("operations", operations.list, operations.count, operation_fields, NEEDED, NULL),
	LIST("speedups", speedups, nspeedups, speedup_fields, MUST, NULL),
	TEXT("kinds_begin", kinds_begin, LEFT_OUT,
		"kinds of cores, divided by commas, that no run before it uses; absent: none, or "
		"the file names the cores"),
	PART("mapping", has_mapping, mapping_fields, LEFT_OUT,
		"with the key threads: how they got their CPUs"),
	PART("solo", has_solo, solo_part_fields, LEFT_OUT, NULL),
	PART("baseline", has_baseline, baseline_fields, LEFT_OUT, NULL),
};
#undef OF
#define OF struct document_run

/* {"d": "100", "n": "2"} -> "d=100 n=2" */
static char *label_of(const struct document_pairs *values)
{
	char *label = alloc_string("", 0);

	for (size_t i = 0; i < values->count; i++)
		alloc_append(&label, " ", "%s=%s", values->list[i].name, values->list[i].value);
	return label;
}

/* Checks all indices once, so that code that uses them need not check them again. */
static int run_finish(struct fields_reading *r, void *item)
{
	struct document_run *t = item;
	char *label = label_of(&t->values);

	t->label = document_copy(r->document, label);
	free(label);
	for (size_t i = 0; i < t->nthreads; i++)
		for (size_t k = 0; k < t->threads[i].nvectors; k++)
			if (t->threads[i].vectors[k] >= t->nvectors)
				return fields_refuse(
					r, "has a thread with a vector that does not exist");
	for (size_t i = 0; i < t->nspeedups; i++)
		if (t->speedups[i].base >= (int)t->operations.count)
			return fields_refuse(
				r, "has a speedup over an operation that does not exist");
	return 0;
}

static const struct fields run_fields =
	FIELDS("run", run_rows, .instead = &skipped_fields, .by = "skipped", .finish = run_finish);
#undef OF

/* ---- findings: their sentences, and the parts that these are made of */

static json_t *finding_json(const struct finding *f);

static json_t *findings_list(const struct finding_list *f)
{
	json_t *all = json_array();

	for (size_t i = 0; i < f->count; i++)
		json_array_append_new(all, finding_json(&f->list[i]));
	return all;
}

static json_t *part_json(const struct finding_part *p)
{
	if (p->text)
		return value_string(p->text);
	if (!p->unit)
		return findings_list(&p->list);
	json_t *o = value_amount(p->amount);

	json_object_set_new(o, "unit", value_string(p->unit));
	return o;
}

static json_t *finding_json(const struct finding *f)
{
	json_t *parts = json_object();

	for (size_t i = 0; i < f->count; i++)
		json_object_set_new(parts, f->parts[i].name, part_json(&f->parts[i]));
	return json_pack("{s:s, s:o}", "kind", finding_kind_name(f->kind), "parts", parts);
}

static json_t *make_findings(const void *at)
{
	const struct finding_list *f = at;
	json_t *all = findings_list(f);

	for (size_t i = 0; i < f->count; i++) {
		json_t *o = json_array_get(all, i);
		char *sentence = finding_sentence(&f->list[i]);

		json_object_set_new(o, "trust", json_string(trust_words[f->list[i].trust]));
		json_object_set_new(o, "effect", value_number(f->list[i].effect));
		json_object_set_new(o, "sentence", value_string(sentence));
		free(sentence);
	}
	return all;
}

/* They are found anew in the figures. */
static void take_findings(struct fields_reading *r, void *at, json_t *value)
{
	(void)r;
	(void)at;
	(void)value;
}

static json_t *make_facts(const void *at)
{
	return facts_json(at);
}

static void take_facts(struct fields_reading *r, void *at, json_t *value)
{
	(void)r;
	facts_read(at, value);
}

static const char *const programs[] = {"affinity", NULL};

#define OF struct document
static const struct field trust_rows[] = {
	CHOICE("word", trust.word, MUST, trust_words, "weak: not for conclusions"),
	WHOLE("firm", trust.firm, MUST | FROM_0, "figures with that mark"),
	WHOLE("fair", trust.fair, MUST | FROM_0, NULL),
	WHOLE("weak", trust.weak, MUST | FROM_0, NULL),
	TEXT("conditions", trust.conditions, MUST,
		"what holds for all figures and makes them weak, such as 'a quick trial'; '': "
		"nothing"),
	TEXT("text", trust.text, MUST, NULL),
};
static const struct fields trust_fields = FIELDS(NULL, trust_rows);

static const struct field argument_rows[] = {
	TEXT("path", arguments.path, MUST, NULL),
	TEXT("text", arguments.text, MUST, "the argument file, verbatim"),
	LIST("set", arguments.set.list, arguments.set.count, text_fields, MUST,
		"--set of the command line, KEY=VALUE"),
};
static const struct fields argument_fields = FIELDS(NULL, argument_rows);

static const struct field document_rows[] = {
	INT("schema", schema, MUST, NULL),
	CHOICE("program", program, MUST, programs, NULL),
	FLAG("simulated", simulated, MUST,
		"times are those of an emulator or a model, not of hardware; "
		"environment.simulated says which"),
	FLAG("quick", quick, MUST, "a trial of quick: yes, not for conclusions"),
	FLAG("interrupted", interrupted, MUST, "Ctrl-C: what is here was finished before"),
	NUMBER("elapsed_s", elapsed_s, MUST | SURE | FROM_0, NULL),
	{.name = "environment",
		.type = FIELD_OTHER,
		.flags = MUST,
		.at = offsetof(OF, environment),
		.make = make_facts,
		.take = take_facts,
		.words = "the machine's state; null: the system does not tell; slurm_job and "
			 "slurm_node only in a job of Slurm. Texts with numbers of CPUs and nodes "
			 "are lists as Linux writes them: 0-3,8"},
	{.name = "arguments", .type = FIELD_RECORD, .flags = MUST, .of = &argument_fields},
	LIST("warnings", warnings, nwarnings, message_fields, MUST,
		"what makes figures doubtful, with its remedy"),
	RECORD("method", method, method_fields, MUST, "of the first run"),
	PART("trust", has_trust, trust_fields, LEFT_OUT,
		"how far the figures can be trusted, as the line Verdict of the text says; absent: "
		"an earlier program"),
	{.name = "findings",
		.type = FIELD_OTHER,
		.at = offsetof(OF, findings),
		.make = make_findings,
		.take = take_findings,
		.words = "what was found; absent: not known"},
	LIST("runs", runs, nruns, run_fields, MUST, NULL),
	LIST("tables", tables, ntables, table_fields, MUST,
		"what the lines table and plot of the argument file show, in their order; one "
		"line can make several"),
	LIST("tables_lacking", lacking, nlacking, lacking_fields, 0,
		"lines table that have no figures; absent: an earlier program"),
	PART("claims", has_claims, claims_fields, LEFT_OUT,
		"with lines claim in the argument file: all tests of them, with their verdicts"),
	MAYBE("counting", counting, has_counting, counting_fields, LEFT_OUT,
		"with counters: what is counted and how"),
};
const struct fields document_fields = FIELDS("document", document_rows);
#undef OF
