#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# placements: how often a run maps and touches its vectors anew, what the samples and the intervals are then, and what
# every output says about them.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

base=("${two_threads[@]}" "numIter: 3")

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	[[ $BATS_TEST_DESCRIPTION == *@(refused|"a plan says"|suites)* ]] || skip_obstacle
}

# The samples of every thread are those of placements 0 to N - 1, in order, each with its warm-up first.
sampled() { # N SAMPLES
	holds "[threads.samples | map([.placement, .warmup])]
		| all(. == [range($1) as \$p | [\$p, true], (range($2) | [\$p, false])])"
}

# counted VALUES: the column `placement` of CSV has these values, each in so many rows.
counted() {
	same "$1" "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{ n[$at["placement"] " of " $at["placements"]]++ }
		END { for (p in n) print p ": " n[p] }' out.csv | sort)"
}

@test "a run has five to ten placements if the file does not say otherwise, with all samples in each" {
	given
	sed -i '/^placements/d' t.args
	measured --set placements=auto
	local made
	made=$(jq '.runs[0].placements' out.json)
	sampled "$made" 3
	counted "$(seq 0 $((made - 1)) | sed "s/\$/ of $made: 16/")"
	holds '.method.placements == 5 and .method.placements_most == 10 and .method.intervals == "over placements"'
	holds 'run.placements as $p | $p >= 5 and $p <= 10 and ([run.vectors[].found_again | length] == [$p - 1, $p - 1])
		and ([threads.figures | .n == $p * 3 and (.by_placement_s | length) == $p] | all)'
	# no more than are needed
	holds 'run.placements == 10 or ([.runs[].operations[].interval_error] | all(. <= 0.05))'
	grep -qF -- " - placements: $made, each in other pages; the intervals are over placements" out.txt
	grep -qF -- "; 5 to 10, until half intervals are 5 %" out.txt
	grep -qF -- "cost of a thread: mean of 3 samples in each placement, " out.txt
	grep -qF -- " - write: $((made * 3)) taken" out.txt
}

@test "the cost is the geometric mean over placements, and t on logarithms its interval" {
	given "speedupCalc: write/read" "statistic: median" "placements: 4" "disturbedAbove: 100%" "clockRate: no"
	measured
	sampled 4 3
	# shellcheck disable=SC2016 # for jq
	holds 'def near($x): (. / $x - 1 | fabs) < 1e-8;
		def over($z): ($z | add / length) as $m | 3.182446305284263 as $t
			| ($t * (($z | map(. - $m | . * .) | add / 3 / 4) | sqrt)) as $half
			| [$m, $m - $half, $m + $half] | map(exp);
		([threads | ([.samples[] | select(.warmup | not)] | group_by(.placement) | map(map(.cost_s - .lost_s - .lost_before_s) | sort[1])) as $each
			| over($each | map(log)) as $expected | .figures
			| (.by_placement_s | [., $each] | transpose | map(.[1] as $x | .[0] | near($x)) | all)
			and (.cost_s | near($expected[0])) and (.low_s | near($expected[1])) and (.high_s | near($expected[2]))] | all)'
	# the speedup is taken in each placement
	# shellcheck disable=SC2016 # for jq
	holds 'run as $r | [0, 1] | map(. as $k | ([$r.operations[].threads[$k].figures.by_placement_s] | transpose
			| map((.[0] | log) - (.[1] | log))) as $d | ($d | add / 4) as $m
			| (3.182446305284263 * ($d | map(. - $m | . * .) | add / 12 | sqrt)) as $half
			| $r.speedups[0].threads[$k] | ((.value | log) - $m | fabs) < 1e-6
			and ((.low | log) - ($m - $half) | fabs) < 1e-6 and ((.high | log) - ($m + $half) | fabs) < 1e-6) | all'
	grep -q -- "-Speedups- (ratios of costs; intervals over placements)" out.txt
}

@test "the spread of the placements is a column" {
	given "opType: read" "placements: 3"
	measured
	grep -q ' spread(%) ' out.txt
	local shown computed
	shown=$(awk '/Thread 0:/ && NF > 8 { sub(/( [(][^)]*[)])? [|] (firm|fair|weak).*/, ""); print $(NF - 5) }' out.txt | head -n 1)
	computed=$(jq -r '[.runs[0].operations[0].threads[0].figures.by_placement_s | (max / min - 1) * 100 * 100 | round / 100] | .[0]' out.json)
	awk -v a="$shown" -v b="$computed" 'BEGIN { exit !((a - b) ^ 2 < 0.0003) }' || {
		echo "$shown is not $computed"
		return 1
	}
	given "opType: read" "placements: 1"
	measured
	[ "$(grep -c 'spread(%)' out.txt)" -eq 0 ]
}

@test "with one placement every output says that its intervals are of this placement only" {
	given "placements: 1"
	measured
	sampled 1 3
	counted "0 of 1: 16"
	holds '.method.placements == 1 and .method.intervals == "this placement only"'
	holds '[run.vectors[].found_again] == [[], []]'
	grep -qF -- " - placements: 1; the intervals are of this placement only" out.txt
}

@test "interleave shuffles the samples within each placement" {
	given "interleave: yes" "seed: 5" "placements: 2" "solo: yes"
	measured
	sampled 2 3
	holds '[run.solo.runs[].operations[].threads[].samples | map(.placement)] | all(. == [0, 0, 0, 0, 1, 1, 1, 1])'
	grep -qF "seed of the random order: 5" out.txt
}

@test "threads work at another place of their stacks in each placement, which the seed repeats" {
	given "placements: 8" "seed: 5" "opType: null" "numIter: 1"
	measured
	holds 'run.stack_offsets | length == 8 and (unique | length > 4) and all(. % 128 == 0 and . >= 0 and . < 4096)'
	local first
	first=$(jq -c '.runs[0].stack_offsets' out.json)
	measured
	same "$first" "$(jq -c '.runs[0].stack_offsets' out.json)"
	measured --set seed=6
	[ "$first" != "$(jq -c '.runs[0].stack_offsets' out.json)" ]
	# without a seed in the file there is one all the same
	given "placements: 2" "opType: null"
	measured
	holds '.method.seed > 0'
	given "placements: 1" "opType: null"
	measured
	holds '.method.seed == 0 and run.stack_offsets == [0]'
}

@test "runs of a sweep can have different numbers of placements" {
	# shellcheck disable=SC2016 # for the driver to expand
	given "sweep: p = 1 3" 'placements: $p'
	for order in no yes; do
		measured --set interleave=$order
		holds '[.runs[].placements] == [1, 3] and [.runs[].method.intervals] == ["this placement only", "over placements"]'
		holds '[.runs[].operations[].threads[].samples | map(.placement) | unique] == [[0], [0], [0], [0], [0, 1, 2], [0, 1, 2],
			[0, 1, 2], [0, 1, 2]]'
	done
}

@test "a gain over the baseline compares placements that have nothing in common" {
	# shellcheck disable=SC2016 # for the driver to expand
	given "sweep: k = 1 2" 'passes: $k' "baseline: k=1" "opType: read" "placements: 2" "statistic: median"
	measured
	# Welch's t on logarithms of two placements a side
	# shellcheck disable=SC2016 # for jq
	holds '[.runs[].operations[0].threads[0].figures.by_placement_s | map(log)] as $z
		| ($z | map(add / 2)) as $m | .runs[1].baseline.operations[0].threads[0].speedup
		| ((.value | log) - ($m[0] - $m[1]) | fabs) < 1e-6 and .low < .value and .value < .high'
	holds '.runs[0].baseline.operations[0].threads[0].speedup | .value == 1 and .low == null'
}

# What is said of a target is said of the interval that is printed.
@test "a target adds placements, five of them at least, until the printed interval is that narrow" {
	local interleave
	for interleave in no yes; do
		# samples that are so alike would be enough at once
		given "targetError: 80%" "placements: 2" "opType: null" "sleep: 10ms*" "timeLimit: 20s" "statistic: median" \
			"interleave: $interleave"
		measured
		holds '[threads.samples | map(select(.warmup | not)) | group_by(.placement) | map(length)] | all(length >= 5 and max == 3)'
		holds '.method.placements == 5 and .method.placements_most == 100'
		holds '[.runs[].operations[]] | all(.ended_by == "targetError" and .interval_error <= 0.8
			and ([.threads[].figures | (.high_s - .low_s) / 2 / .cost_s] + [(.total_high_s - .total_low_s) / 2 / .total_s]
				| max) as $widest | .interval_error - $widest | fabs < 1e-9)'
		grep -q "; target reached: interval +-[0-9.]* %, asked for 80.00 %" out.txt
	done
}

@test "a target that is not reached in time says how far it is" {
	# a mean may have no interval at all where rare samples are slow
	given "targetError: 0.0001%" "placements: 2" "opType: read" "timeLimit: 1ms" "statistic: median"
	measured
	holds '[.runs[].operations[]] | all(.ended_by == "timeLimit" and .interval_error > 1e-6)'
	holds 'run.placements == 5'
	grep -q "; target missed in timeLimit: interval" out.txt
}

@test "in a single placement a target adds samples, ten of them at least" {
	given "targetError: 90%" "placements: 1" "opType: null" "sleep: 10ms*" "timeLimit: 20s" "statistic: median"
	measured
	holds '[threads.samples | map(select(.warmup | not)) | length] | all(. >= 10)'
	grep -q "; target reached: interval" out.txt
}

@test "placements that are no number, none or too many are refused" {
	given "placements: 0"
	refused 2 "t.args:7: placements = 0 is out of range" "  hint: placements takes auto, or 1 .. 100"
	given "placements: x"
	refused 2 "t.args:7: placements = 'x' is not a whole number, such as 10, or auto"
	given "placements: 101"
	refused 2 "t.args:7: placements = 101 is out of range" "  hint: placements takes auto, or 1 .. 100"
}

@test "a plan says how many placements there are, and its time is that of all" {
	machine "$TWO_NODES"
	given "nodePerThread: 0 1" "nodePerVector: 0 1" "tamPerVector: 64MiB*" "warmup: 1"
	sed -i '/^placements/d' t.args
	planned "samples: 3 of each operation after 1 warm-up, 2 operations, in each of 5 to 10 placements"
	local five=${lines[-1]}
	given "nodePerThread: 0 1" "nodePerVector: 0 1" "tamPerVector: 64MiB*" "placements: 1" "warmup: 1"
	planned "samples: 3 of each operation after 1 warm-up, 2 operations"
	[[ $five =~ ^about\ ([0-9.]+)\ s ]]
	five=${BASH_REMATCH[1]}
	[[ ${lines[-1]} =~ ^about\ ([0-9.]+)\ s ]]
	awk -v a="$five" -v b="${BASH_REMATCH[1]}" 'BEGIN { exit !(a > 4.9 * b && a < 5.1 * b) }'
}

@test "the thesis's suites have one placement and say why; a trial has one unless asked" {
	local file
	machine "$TWO_NODES"
	for file in "$root"/args/pruebas_*/*.args; do
		grep -qx 'placements:      1' "$file"
		grep -qF '# One placement, as the thesis had it: the intervals say nothing of other pages.' "$file"
	done
	given "quick: yes"
	sed -i '/^placements/d' t.args
	try "$AFFINITY" --plan t.args
	[[ $output != *placements* ]]
	try "$AFFINITY" --plan --set placements=2 t.args
	[[ $output == *"in each of 2 placements"* ]]
}
