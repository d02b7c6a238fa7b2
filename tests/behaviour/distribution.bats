#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# distribution: times of single events. How long any takes is judged nowhere here.

bats_require_minimum_version 1.5.0 # run !
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

base=(
	"kernels: chase"
	"nodePerThread: first"
	"nodePerVector: first"
	"sizePerVector: 64KiB"
	"vectorPerThread: all"
	"samples: 4"
	"warmup: 0"
	"placements: 2"
	"distribution: yes"
	"table: p50 rows=operation"
)

# shellcheck disable=SC2034 # for holds
terms='def found: .runs[].operations[].threads[] | select(.distribution) | .distribution;'

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	[[ $BATS_TEST_DESCRIPTION == *"refused"* ]] || skip_obstacle
}

@test "a kernel without single events is refused, and what makes them overlap" {
	given "kernels: read"
	refused 2 "t.args:1: distribution cannot be measured with read: its kernel has no single events: they overlap, or are too short" \
		"  hint: kernels that can: chase, gups, gather, pingpong, wake, queue, fault, map, unmap, protect, dontneed, free, fork; other threads may run others: KERNEL+OTHER*"
	given "chains: 2"
	refused 2 "t.args:1: distribution cannot be measured with chase: the loads of 2 chains overlap; chains: 1" \
		"  hint: kernels that can: chase, gups, gather, pingpong, wake, queue, fault, map, unmap, protect, dontneed, free, fork; other threads may run others: KERNEL+OTHER*"
	given "kernels: gups" "distribution: 1/8"
	refused 2 "t.args:1: distribution cannot be measured with gups: its accesses overlap, and one of 8 that waits for all before it slows them; yes or 1/512" \
		"  hint: kernels that can: chase, gups, gather, pingpong, wake, queue, fault, map, unmap, protect, dontneed, free, fork; other threads may run others: KERNEL+OTHER*"
	given "distribution: no"
	refused 2 "t.args:10: table: p50 needs the times of single events" "  hint: distribution: yes takes them"
}

@test "each placement has a histogram, whose events are those of the figures" {
	given "sweep: o = random local" "table: p99.9 rows=o" 'pages: $o'
	measured
	holds '[found] | length == 2'
	holds '[found | .histograms | length == 2] | all'
	holds '[found | ([.histograms[].events] | add) == .kept.events and .kept.events <= .all.events] | all'
	holds '[found.histograms[] | ([.buckets[]] | add) + .clamped == .events] | all'
	holds '[found | .group == 64 and .event == "load" and .least_ns >= 1.999999 * .step_ns and .pair_ns > 0] | all'
	# a percentile is a figure, or below what stamps tell, or takes more events than there are
	holds '[found | .kept | .events as $n | .percentiles[] | [.value != null, .below_ns != null, .needed > $n] | any] | all'
	holds '[found.kept | .longest_ns as $most | .percentiles[] | select(.value) | .value <= $most] | all'
}

@test "a sentence that begins with a percentile does not call it a counter" {
	given "kernels: pingpong" "nodePerThread: first*2" "vectorPerThread: 0 1" "passes: 2"
	measured
	run ! grep -q 'Counter' <(sed -n '/^+ Verdict/,$p' out.txt)
	run ! grep -qv '^ - The p50 of pingpong' <(grep '^ - .*p50 of pingpong' out.txt)
}

@test "text, summary and stored document have the same percentiles" {
	given "passes: 30" "samples: 20"
	measured
	# a percentile is marked by its interval, as any figure
	holds '[.tables[].cells[][] | select(.value) | (.high - .low) / 2 / .value <= 0.03 or .mark.word != null] | all'
	grep -q '^+ Distribution of single events$' out.txt
	try "$AFFINITY" --show out.json
	[ "$status" -eq 0 ]
	same "$(sed -n '/^+ Distribution/,/^$/p' <<<"$output")" "$(sed -n '/^+ Distribution/,/^$/p' out.txt)"
	try "$AFFINITY" --quiet --summary out.csv t.args out.txt
	[ "$status" -eq 0 ]
	grep -q ',share_above,%,' out.csv
	run ! grep -E ',(p[0-9.]+,ns|longest,ns|(share|time)_above,%)(,[^,]*){3},,' out.csv
}

@test "where accesses overlap, those that are timed are called lone ones, and nothing is wrong after them" {
	given "kernels: gups" "passes: 3" "nodePerThread: first*2" "table: longest rows=operation"
	measured
	holds '[.tables[].cells[][].mark.word] == ["weak"]' # it has no interval
	holds '[.runs[0].operations[0] | .distribution.all.events, ([.threads[].distribution.all.events] | add)] == [768, 768]'
	grep -q '^ - gups, all threads: ns of a lone access$' out.txt
	# 3 rounds of 8192 updates in each of 4 samples of 2 placements, of which one of 512 is timed
	holds '[found | [.event, .group, .timing.value, .all.events]] | unique == [["lone access", 512, null, 384]]'
	given "kernels: gather" "nodePerVector: first*2" "sizePerVector: 64KiB*2" "vectorPerThread: 0, 0" "passes: 3"
	measured
	holds '[found | [.event, .group, .timing.value, .all.events]] == [["lone access", 512, null, 384]]'
	# loads and lone accesses have no distribution together
	given "kernels: chase+gups" "nodePerThread: first*2" "nodePerVector: first*2" "sizePerVector: 64KiB*2" "vectorPerThread: 0, 1" "passes: 3" "table: p50 rows=thread"
	measured
	holds '.runs[0].operations[0] | [.distribution, .threads[1].distribution.event] == [null, "lone access"]'
	given "kernels: gather" "nodePerVector: first*2" "sizePerVector: 64KiB*2" "vectorPerThread: 0, 0" "passes: 3"
	planned
	[[ $output == *"distribution gather: thread 0, one lone access of 512 in 4 more samples of each placement"* ]]
}

@test "round trips are those of the thread that begins, and costs have no stamps in them" {
	given "kernels: pingpong" "nodePerThread: first*2" "vectorPerThread: 0 1" "passes: 2"
	measured
	# 4 samples of 2000 round trips in each of 2 placements
	holds '.runs[0].operations[0].threads[0].distribution.all.events == 16000'
	holds '.runs[0].operations[0].threads[1].distribution == null'
	holds '[.runs[0].operations[0].threads[0].samples[]] | length == 8'
	grep -q '^   interrupts of the CPU that times came\|^   no interrupt was seen' out.txt
	# one that enters the system would take its return for an interrupt
	given "kernels: protect" "distribution: yes"
	measured
	grep -qx '   interrupts are not looked for, and are in both lines' out.txt
	holds '[found.interrupts] | . == [null]'
	run ! grep -q 'idle memory hardly does' out.txt
}

@test "comparisons have ratios of percentiles over the placements, and the page has the curve" {
	given
	measured
	# events of one time, 100 ns before and 120 ns after, of which no placement knows anything else
	known() { # NS TIMES FILE
		jq --argjson ns "$1" --argjson times "$2" '(.runs[].operations[].threads[].distribution) |= (.tick_ns = $times | .pair_ns = 0
			| .kept.percentiles.p50.value = $ns
			| .histograms[] |= (.events = 5000 | .buckets = {"100": 5000} | .least = 100 | .most = 100))
			| .elapsed_s *= $times | .runs[].operations[].threads[].samples[].start_ns += $ns' out.json >"$3"
	}
	known 100 1 before.json
	known 120 1.2 after.json
	try "$AFFINITY" --compare before.json after.json
	[ "$status" -eq 0 ]
	grep -A 2 '^+ Percentiles of single events' <<<"$output" | grep -q ' p50 .* p99.9 '
	grep -A 3 '^+ Percentiles of single events' <<<"$output" | grep -q ' 1\.200 \[1\.200 1\.200\] '
	try "${AFFINITY%affinity}affinity-report" -o page.html out.json
	[ "$status" -eq 0 ]
	[ "$(grep -c 'Which share of single events takes longer' page.html)" -eq 1 ]
	# the mean of loads stands beside them; that of overlapped accesses, or of half round trips, does not
	grep -q 'mean of a unit' page.html
	for other in gups pingpong; do
		jq --arg other "$other" '(.runs[].operations[].threads[].kernel) = $other' out.json >other.json
		"${AFFINITY%affinity}affinity-report" -o page.html other.json
		run ! grep -q 'mean of a unit' page.html
	done
	grep -q 'events (load)' page.html
}
