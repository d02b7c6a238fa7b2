#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# mode: time. Counts and times are held against each other; how fast anything is, is nobody's business here.

# shellcheck disable=SC2016 # jq has variables of its own

bats_require_minimum_version 1.5.0 # run !
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

base=(
	"opType: read write"
	"nodePerThread: first*2"
	"nodePerVector: first*2"
	"tamPerVector: 4KiB*"
	"vectorPerThread: 0, 1"
	"numIter: 3"
	"mode: time:20ms"
)

# shellcheck disable=SC2034 # for holds
terms='def near($x): (. - $x | fabs) <= 1e-6 * ($x | fabs);'

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	[[ $BATS_TEST_DESCRIPTION == *"refused"* ]] || skip_obstacle
}

@test "a sample counts what was done in the time, and nothing that ended later" {
	# three times what another program may have the CPU for
	given "mode: time:60ms"
	measured
	holds '[samples | .busy_s > 0 and .busy_s <= 0.06 and .units > 0 and .calls > 0] | all'
	holds '[samples | .cost_s | near(.)] | all'
	holds '[samples | . as $s | .cost_s | near($s.busy_s / $s.units)] | length == 16 and all'
	# a round of these kernels is the whole vector: units are whole rounds of it
	holds '[samples | .units / (4096 / 192) | . == . and . > 1] | all'
	holds '.method.mode == "time" and .method.window_s == 0.06 and .method.cost == "seconds per unit"'
	holds '[threads.passes == null] | all'
}

@test "the driver finds out how many rounds a call takes, and keeps it for the next sample" {
	given "opType: read" "nodePerThread: first" "nodePerVector: first" "tamPerVector: 4KiB" "vectorPerThread: 0" \
		"warmup: 2" "mode: time:200ms"
	measured
	# 22 accesses a round: singly, that would be hundreds of thousands of calls in this time; the first sample
	# has to find that out, the others know
	holds '[samples | .units / .calls / 22] | .[1:] | all(. > 2)'
}

@test "the text, the CSV and the JSON of timed samples agree" {
	given "solo: yes" "speedupCalc: write/read"
	measured
	same "$(jq -r '.runs[0].operations[] | .threads[].figures.cost_s, .total_s | . * 1e9' out.json | xargs printf '%.6f\n')" \
		"$(sed -n '/-Results-/,/-Speedups-/s/.*| \(Thread [0-9]*\|Total\): *\([0-9.]*\).*/\2/p' out.txt |
			xargs printf '%.6f\n')"
	grep -q 'Cost(ns/unit)' out.txt
	run ! grep -q 'Time_Cost(s)' out.txt
	same "$(jq -r '[.runs[0].operations[].threads[].samples[] | .units] | sort[]' out.json)" \
		"$(awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } !$at["solo"] { print $at["units"] }' \
			out.csv | sort -n)"
	awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ d = $at["cost_s"] * $at["units"] / $at["busy_s"] - 1; if (d * d > 1e-12) exit 1 }' out.csv
}

@test "rates, bandwidths and slowdowns come from what was done in the time" {
	given "solo: yes"
	measured
	holds '[threads.figures | . as $f | .ns_per_unit | near($f.cost_s * 1e9)] | all'
	holds '[threads.figures | . as $f | .units_per_s | near(1 / $f.cost_s)] | all'
	# a slowdown is the rate alone by the rate together
	holds 'run as $r | [range(2) as $op | range(2) as $t | $r.solo.operations[$op].slowdowns[$t].value
		| near($r.solo.runs[$t].operations[$op].threads[0].figures.units_per_s
		/ $r.operations[$op].threads[$t].figures.units_per_s)] | length == 4 and all'
	holds 'run as $r | [range(2) as $op | ([range(2) as $t | $r.solo.runs[$t].operations[$op].threads[0].figures.cost_s]
		| add) as $alone | ([$r.operations[$op].threads[].figures.cost_s] | add) as $together
		| $r.solo.operations[$op].overhead_percent.value - (1 - $alone / $together) * 100 | fabs < 1e-6] | all'
}

@test "the rate of all threads is the sum of theirs, sample by sample" {
	given "opType: read" "table: rate rows=kernel"
	echo "table: cost rows=kernel" >>t.args
	measured
	# the mean of the seconds of a unit, turned around
	shown "$(jq -r '.runs[0].operations[0].threads as $t
		| [range($t[0].samples | length) as $i | select($t[0].samples[$i].warmup | not)
			| 1 / ([$t[].samples[$i] | .units / (.busy_s - .lost_s)] | add)] | length / add' out.json)" \
		"$(sed -n '/^rate (1\/s)/,/^$/s/^  read  *\([^ ~?]*\).*/\1/p' out.txt)"
	grep -qx 'cost (ns/unit)' out.txt
	shown "$(jq -r '.runs[0].operations[0].total_s * 1e9' out.json)" \
		"$(sed -n '/^cost (ns\/unit)/,/^$/s/^  read  *\([^ ~?]*\).*/\1/p' out.txt)"
}

@test "what threads move together stands in the Total line, with its interval" {
	given "opType: load" "numIter: 8" "statistic: median"
	measured
	shown "$(jq -r '.runs[0].operations[0].together.bytes_per_s | .value / 1e9' out.json)" \
		"$(sed -n 's/.*| Total: .* \([0-9.]*\) GB\/s +- [0-9.]* \(([^)]*) \)*|.*/\1/p' out.txt)"
	given "opType: read"
	measured
	run ! grep -q '| Total: .*/s ' out.txt
}

@test "the time of an operation of all threads is that of a thread that is alone" {
	given "opType: read" "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "numIter: 5" \
		"statistic: median" "table: ns_per_unit rows=kernel"
	measured
	shown "$(jq -r '.runs[0].operations[0].threads[0].figures.ns_per_unit' out.json)" \
		"$(sed -n '/^ns_per_unit (ns)/,/^$/s/^  read  *\([^ ~?]*\).*/\1/p' out.txt)"
}

@test "different kernels run at the same time, and stop at the same time" {
	given "opType: read+write"
	measured
	holds '[threads.kernel] == ["read", "write"]'
	holds '[samples.units > 0] | all'
	holds 'run.operations[0].total_s != null'
}

@test "kernels that count different things have figures of their own and no total" {
	given "opType: read+null" "solo: yes" "table: rate rows=kernel" "speedupCalc: read+null/read+null"
	measured
	holds '[threads.figures.cost_s > 0] | all'
	holds 'run.operations[0].total_s == null and run.speedups[0].total.value == null'
	holds 'run.solo.operations[0] | .overhead_percent.value == null and (.slowdowns | all(.value > 0))'
	grep -q '| Total: *n/a' out.txt
	grep -qx 'rate (1/s): n/a' out.txt
}

@test "threads on the hardware threads of one core are timed together" {
	machine "$TWO_NODES"
	given "nodePerThread:" "corePerThread: 0 0" "nodePerVector: 0*2" "opType: read+write"
	sed -i '/^nodePerThread/d' t.args
	planned "thread 0: CPU 0, core 0, node 0, vectors 0, shares its core" \
		"thread 1: CPU 1, core 0, node 0, vectors 1, shares its core" \
		"samples: 3 of each operation when its cost has settled, 1 operation, of 0.02 s each"
}

@test "the plan knows how long it takes" {
	machine "$TWO_NODES"
	given "nodePerThread: 0 1" "nodePerVector: 0 1" "mode: time:2s" "solo: yes" "warmup: 1"
	# 2 kernels, together and each of 2 threads alone, 4 samples of 2 s
	planned "about 48 s"
	# where none of them changes, the warm-up needs two
	given "nodePerThread: 0 1" "nodePerVector: 0 1" "mode: time:2s" "solo: yes"
	planned "about 60 s"
}

@test "a time in which no round can be done is told, and made as long as a round of all threads" {
	given "opType: write" "tamPerVector: 64MiB*" "stride: 1" "mode: time:1ms" "numIter: 3" "placements: 2"
	measured
	[[ $stderr == *"mode: time:1ms is too short: thread "[01]" finished no round of write in it; the samples of write take "* ]]
	[[ $stderr == *"  hint: a longer time, or smaller vectors"* ]]
	[ "$(grep -c 'too short' <<<"$stderr")" -eq 1 ]
	# whole rounds, of each thread in each sample
	holds '[threads.samples[] | .units > 0 and .units % (64 * 1048576) == 0] | length >= 6 and all'
}

# large KERNELS [KEY: VALUE]...: one thread and 256 MiB, which nothing goes through in a millisecond.
large() {
	given "opType: $1" "nodePerThread: first" "nodePerVector: first" "tamPerVector: 256MiB" "vectorPerThread: 0" \
		"mode: time:1ms" "${@:2}"
}

@test "bandwidth is measured in a time that is too short for a round" {
	large "load store triad"
	measured
	# of a round, and several calls nevertheless; where the thread waits for its CPU, a sample may have one call only
	holds '[ops | [.threads[].samples[] | .calls > 1 and .units < 256 * 1048576 / 8 / 3] | any] | length == 3 and all'
}

@test "results of a part of a round are right, also where kernels take turns in a vector" {
	large "triad add" "interleave: yes" "numIter: 4"
	measured
}

@test "mode: work is the default" {
	given "mode: work"
	measured
	cp out.txt work.txt
	holds '.method.mode == "work" and .method.window_s == null and ([samples.calls == 1] | all)'
	grep -q 'Time_Cost(s)' out.txt
}

@test "a mode that is none is refused" {
	machine "$TWO_NODES"
	base[1]="nodePerThread: 0 1" base[2]="nodePerVector: 0 1"
	given "mode: tim:2s"
	refused 2 "t.args:7: mode: unknown value 'tim:2s'" \
		"  hint: work, or time and how long a sample works: time:2s"
	given "mode: time:2x"
	refused 2 "t.args:7: mode: unknown value 'time:2x'" \
		"  hint: work, or time and how long a sample works: time:2s"
	given "mode: time:0"
	refused 2 "t.args:7: mode: 'time:0' is not within 1ms .. 60min"
	given "mode: time:2h"
	[ "$("$AFFINITY" --plan t.args 2>&1 >/dev/null | head -n 1)" = "t.args:7: mode: unknown value 'time:2h'" ]
}

@test "passes and sleep are refused with mode: time" {
	machine "$TWO_NODES"
	base[1]="nodePerThread: 0 1" base[2]="nodePerVector: 0 1"
	given "passes: 3" "argsExtra: sleep:5"
	refused 2 "t.args:8: passes has no effect with mode: time:20ms" \
		"  hint: the time sets the amount of work; mode: work does a fixed number of passes" \
		"t.args:9: sleep cannot be used with mode: time:20ms, in which all threads work all the time" \
		"  hint: mode: work measures what a delay costs"
	given "sleep: 0*"
	planned "samples: 3 of each operation when its cost has settled, 2 operations, of 0.02 s each"
}

@test "runs of work and of time in one sweep are refused" {
	machine "$TWO_NODES"
	base[1]="nodePerThread: 0 1" base[2]="nodePerVector: 0 1"
	given 'sweep: m = work time:1s' 'mode: $m'
	refused 2 "t.args:7: mode: one sweep cannot measure both work and a time" \
		"  hint: write a file for each; the time itself may differ"
	given 'sweep: m = 1s 2s' 'mode: time:$m' "warmup: 1"
	planned "about 24 s"
}

@test "results of work and of time are not compared" {
	given
	measured
	jq '.runs[].operations[].samples.measure_again = false' out.json >timed.json
	try "$AFFINITY" --compare timed.json timed.json
	[ "$status" -eq 0 ]
	[[ $output == *"before(ns)"* ]]
	given "mode: work"
	measured
	try "$AFFINITY" --compare out.json timed.json
	[ "$status" -eq 2 ]
	same "timed.json: was measured with mode: time, 'out.json' was not: costs of a unit and of a piece of work have no ratio" \
		"$stderr"
}

@test "a flag that a further thread sets ends the time for all threads" {
	given "stoppedBy: flag" "mode: time:50ms" "warmup: 2" "tamPerVector: 256B*"
	measured
	holds '.method.stopped_by == "flag" and .method.window_s == 0.05'
	grep -q '^ - a sample: all threads work for 0.05 s and stop together, by a flag that all poll$' out.txt
	grep -q 'until the end of its last call; 2 warm-up' out.txt
	# nobody stops before the flag, and every call counts
	holds '[samples | .busy_s + .lost_before_s + .late_ns * 1e-9 >= 0.0499999 and .units > 0 and .calls > 0] | all'
	holds '[samples | . as $s | .cost_s | near($s.busy_s / $s.units)] | length == 20 and all'
	# the calls of later samples have more than the one round of the first
	holds '[threads | .samples[-1] | .units / .calls] | all(. > 256)'
	given
	measured
	holds '.method.stopped_by == "clock"'
}

@test "a flag is refused with mode: work" {
	given "mode: work" "stoppedBy: flag"
	refused 2 "t.args:8: stoppedBy: flag has no effect with mode: work" "  hint: mode: time:2s works until it is set"
	given "stoppedBy: flog"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"t.args:8: unknown stoppedBy 'flog'; did you mean 'flag'?"* ]]
}
