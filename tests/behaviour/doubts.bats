#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What is told of figures that are measured as asked and yet say something else.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	skip_obstacle
	given "opType: load+chase" "nodePerThread: first*2" "nodePerVector: first*2" "tamPerVector: 256KiB*" "numIter: 5"
}

@test "threads that hardly worked together are told, with the mode in which they do" {
	measured --set "passes=1 200" --set solo=yes
	[[ $stderr == *"load+chase: all threads worked at the same time during "*" % of thread "[01]"'s time in the kernel (1 operation below 90 %)"* ]]
	[[ $stderr == *"hint: mode: time:100ms makes all threads work until the same instant"* ]]
	grep -q "all threads worked at the same time" out.txt
	# thread 1's; or thread 0's, if it worked late
	[ "$(jq '[.runs[0].operations[0].threads[].figures.overlap] | min < 0.5' out.json)" = true ]
	grep -q ' overlap(%) ' out.txt
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["overlap"] < 0 || $at["overlap"] > 1 || $at["solo"] == 1 && $at["overlap"] != 1 { exit 1 }' out.csv
}

@test "threads that wait on purpose, or work for a time, are no doubt" {
	measured --set "passes=1 200" --set "sleep=1ms*"
	[[ $stderr != *"at the same time"* ]]
	measured --set mode=time:20ms
	[[ $stderr != *"at the same time"* ]]
}

@test "a thread alone has no column for its company" {
	given "nodePerThread: first" "nodePerVector: first" "tamPerVector: 256KiB" "vectorPerThread: 0"
	measured
	[ "$(grep -c 'overlap(%)' out.txt)" -eq 0 ]
	jq -e '.runs[0].operations[0].threads[0].figures.overlap == 1' out.json
}

@test "time that threads lose to others stands in all three reports, and the mark says how much" {
	shims_setup
	given "opType: null" "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "mode: time:100ms"
	# another program has the CPU for 15 ms of each window, or more where this machine is busy
	local -x LD_PRELOAD=$shims/delays.so DELAYS=15000000
	measured
	[ "$(jq '.runs[0].operations[0].threads[0].samples[0].run_delay_ns' out.json)" -ge 0 ] ||
		skip "this kernel does not tell how long a thread waited for its CPU"
	jq -e '.runs[0].operations[0] | .samples.disturbed == .samples.taken and .samples.lost_worst > 0.1
		and ([.threads[].samples[].run_delay_ns] | add > 1e8)' out.json
	grep -qE ' disturbed \(preempted [1-9][0-9]*, .*\), lost [0-9.]+ % of the time, [0-9.]+ % at worst' out.txt
	grep -q ': DISTURBED, MEASURE AGAIN, no undisturbed sample to compare with' out.txt
	same "$(jq '[.runs[0].operations[0].threads[].samples[].run_delay_ns] | add' out.json)" \
		"$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ sum += $at["run_delay_ns"] } END { printf "%.0f\n", sum }' out.csv)"
	[[ $stderr == *"null: 100 % of the samples are disturbed (1 operation above 50 %)"*"hint: measure again"* ]]
	# what may be lost is a key
	measured --set disturbedAbove=100%
	[ "$(jq '.runs[0].operations[0].samples.lost_worst > 0.1' out.json)" = true ]
}

@test "a loss is not believed with which no core could have done the work: the sample counts whole, and as disturbed" {
	shims_setup
	# 3840 adds in a pass, each of which waits for the one before: 5 ms at 3 GHz, of which 3 are said to be another program's
	given "opType: dep_chain1" "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "passes: 4000"
	local -x LD_PRELOAD=$shims/delays.so DELAYS=3000000
	measured
	# where the clock rate changed, it may have been higher in between; where others had the CPU, the loss may be true
	jq -e '[.runs[0].operations[0].threads[0].samples[] | select((.clock_before_hz / .clock_after_hz - 1 | fabs) < 0.09)
		| (.busy_s - .lost_s) * .clock_before_hz > 0.6 * .units and ((.busy_s - 0.003) * .clock_before_hz > 0.6 * .units or
			((.disturbed_flags / 16 | floor % 2 == 1) and .lost_s == 0 and .run_delay_ns == -1))] | all' out.json
	[[ $stderr != *"counters could not be read"* ]]
}

@test "a sample that is too short is told, with the passes that make it long enough" {
	given "opType: chase" "nodePerThread: first" "nodePerVector: first" "tamPerVector: 16KiB" "vectorPerThread: 0"
	measured --set passes=1
	[[ $stderr == *"chase: thread 0 works for "*" us in a sample, and below "*" us its start and end show in the figures (1 operation)"* ]]
	local passes
	passes=$(sed -n 's/.*hint: passes: \([0-9]*\) makes it longer/\1/p' <<<"$stderr")
	[ "$passes" -gt 20 ]
	# the first pass finds cold caches, and so may look longer than those that follow
	for _ in 1 2 3; do
		measured --set "passes=$passes"
		[[ $stderr == *"works for"* ]] || break
		passes=$(sed -n 's/.*hint: passes: \([0-9]*\) makes it longer/\1/p' <<<"$stderr")
	done
	[[ $stderr != *"works for"* ]]
	# a round of the thesis's kernels is the experiment
	measured --set opType=read
	[[ $stderr == *"read: thread 0 works for "*"hint: passes: "* ]]
	# further passes would not meet the state
	measured --set statePerVector=I --set ownerPerVector=thread:0
	[[ $stderr == *"works for"*"hint: larger vectors take longer"* ]]
	measured --set mode=time:10ms
	[[ $stderr != *"works for"* ]]
}

@test "counters that few descriptors keep from being read are told" {
	given "nodePerThread: first*32" "nodePerVector: first" "vectorPerThread: $(seq -s ' ' 0 31)" "tamPerVector: 1MiB" \
		"opType: read" "oversubscribe: yes" "numIter: 5" "warmup: 1"
	measured
	jq -e 'any(.runs[].operations[].threads[].samples[]; .migrations >= 0)' out.json ||
		skip "this kernel does not count migrations"
	[[ $stderr != *"counters could not be read"* ]]
	ulimit -n 8
	try "$AFFINITY" --json - t.args /dev/null
	jq -e '[.runs[].operations[].threads[].samples[].migrations] | any(. < 0) and all(. >= -1)' <<<"$output"
	[[ $stderr =~ "the system's counters could not be read in some of 192 samples of threads: migrations are unknown in "[0-9]+" (-1), time lost to others in "[0-9]+ ]]
	[[ $stderr == *"  hint: each thread opens two files of /proc in each sample: raise ulimit -n"* ]]
}

@test "few descriptors are not taken for no memory" {
	given "nodePerThread: first*2" "nodePerVector: first" "vectorPerThread: all" "tamPerVector: 1MiB" "opType: null" "numIter: 1" \
		"placements: 1" "warmup: 0"
	local files
	for files in 8 7 6 5; do
		(
			ulimit -n $files
			for _ in 1 2 3 4 5 6 7 8; do
				"$AFFINITY" t.args /dev/null 2>&1 || true
			done
		) >>said
	done
	cat said
	[ "$(grep -c 'memory ran out' said)" -eq 0 ]
}
