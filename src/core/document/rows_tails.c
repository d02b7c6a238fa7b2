/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The distribution of a thread's single events. */
#include "contract/event_times.h"
#include "document/rows.h"

#define OF struct bucket
static const struct field bucket_rows[] = {
	INT("bucket", bucket, 0, NULL),
	INDEX("events", count, FROM_1, NULL),
};
static const struct fields bucket_fields = FIELDS(NULL, bucket_rows, .bare = true);
#undef OF

#define OF struct histogram
static const struct field histogram_rows[] = {
	INDEX("events", n, MUST, NULL),
	INDEX("clamped", clamped, MUST, "of events: more than 32 bits of ticks, in no bucket"),
	INDEX("least", least, MUST, NULL),
	INDEX("most", most, MUST, NULL),
	NUMBER("sum", sum, MUST | SURE, "of those in buckets"),
	MAP("buckets", buckets, count, bucket_fields, MUST,
		"a bucket: its events. Bucket b is the value b below 128; from there on 64 buckets "
		"an octave: it begins at (64 + b % 64) * 2^(b / 64 - 1)"),
};
#undef OF

/* Readers take the lowest value of a bucket by its number. */
static int histogram_finish(struct fields_reading *r, void *item)
{
	const struct histogram *h = item;

	return h->count && h->buckets[h->count - 1].bucket >= EVENTS_BUCKETS
		       ? fields_refuse(r, "has a bucket that does not exist")
		       : 0;
}

#define OF struct histogram
static const struct fields histogram_fields =
	FIELDS(NULL, histogram_rows, .finish = histogram_finish);
#undef OF

#define OF struct tail_figure
static const struct field figure_rows[] = {
	NUMBER("value", ns.value, MUST, "null: below below_ns, or of fewer events than needed"),
	NUMBER("low", ns.low, MUST, NULL),
	NUMBER("high", ns.high, MUST, NULL),
	NUMBER("below_ns", below, MUST, NULL),
	NUMBER("design", design, MUST,
		"variance of the shares of events below it over that of independent events"),
	NUMBER("needed", needed, MUST, "events that it takes"),
};
static const struct fields figure_fields = FIELDS("percentile", figure_rows);
#undef OF

#define OF struct tail_side
static const struct field percentile_rows[] = {
	RECORD("p1", figures[TAIL_P1], figure_fields, MUST, NULL),
	RECORD("p50", figures[TAIL_P50], figure_fields, MUST, NULL),
	RECORD("p90", figures[TAIL_P90], figure_fields, MUST, NULL),
	RECORD("p99", figures[TAIL_P99], figure_fields, MUST, NULL),
	RECORD("p99.9", figures[TAIL_P99_9], figure_fields, MUST, NULL),
	RECORD("p99.99", figures[TAIL_P99_99], figure_fields, MUST, NULL),
};
static const struct fields percentile_fields = FIELDS(NULL, percentile_rows);

static const struct field side_rows[] = {
	NUMBER("events", n, MUST | SURE | FROM_0, NULL),
	NUMBER("clamped", clamped, MUST | SURE | FROM_0, NULL),
	NUMBER("longest_ns", longest, MUST, NULL),
	NUMBER("time_above", time_above, MUST, "the share of the time of events above"),
	NUMBER("unclear", unclear, MUST,
		"the share of events of 1 to 10 us: of the system or of the host"),
	{.name = "percentiles",
		.type = FIELD_RECORD,
		.flags = MUST,
		.of = &percentile_fields,
		.words = "in ns"},
	RECORD("above", above, amount_fields, MUST,
		"the share of events that take more than above_ns"),
};
static const struct fields side_fields = FIELDS("tail_side", side_rows);
#undef OF

#define OF struct tails
static const struct field tails_rows[] = {
	TEXT("event", event, MUST | EMPTY, "such as 'load'"),
	RECORD("timing", timing, amount_fields, MUST,
		"mean of the timed events over that of samples without stamps; null: too short to "
		"say"),
	RECORD("kept", kept, side_fields, MUST,
		"without the switched blocks and the interrupted events"),
	RECORD("all", all, side_fields, MUST, NULL),
	NUMBER("group", group, MUST | SURE | FROM_1, "one event of so many was timed"),
	NUMBER("blocks", blocks, MUST | SURE,
		"of timed events; the system is asked for switches after each block"),
	NUMBER("switched", switched, MUST | SURE, "those in which a thread lost its CPU"),
	NUMBER("interrupts", interrupts, 0,
		"that were seen on the CPU of the thread, in events and between them; 0: perhaps "
		"they leave no mark on this processor; null: not looked for"),
	NUMBER("interrupted", interrupted, 0,
		"events with an interrupt that are in no switched block"),
	NUMBER("pair_ns", pair, MUST | SURE,
		"what two stamps with nothing between them take, the median: taken off each time "
		"below"),
	NUMBER("step_ns", step, MUST | SURE, "the least step of their clock that was seen"),
	NUMBER("least_ns", least, MUST | SURE, "shorter times cannot be distinguished from 0"),
	NUMBER("above_ns", above, MUST | SURE, "tailAbove"),
	NUMBER("tick_ns", tick, MUST | SURE, "a tick of the histograms"),
	LIST("histograms", clusters, nclusters, histogram_fields, MUST,
		"of kept, in ticks with the stamps: of each placement, or of each sample where "
		"there is one"),
};
const struct fields tails_fields = FIELDS("distribution", tails_rows,
	.words = "times of single events, from samples of their own; absent: none were timed");
#undef OF
