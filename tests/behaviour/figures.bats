#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Every statistic that JSON gives of an operation follows from the samples that stand beside it.

# shellcheck disable=SC2016 # jq has variables of its own

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

# shellcheck disable=SC2034 # for given
base=("${two_threads[@]}" "warmup: 1" "numIter: 7")

# median of an odd number; is($x; $of): equal but for the rounding of a figure as large as $of
# shellcheck disable=SC2034 # for holds
terms='def middle: sort[length / 2 | floor];
	def is($x; $of): (. - $x | fabs) <= 1e-9 * $of;
	def flag($f): .disturbed_flags / $f | floor % 2 == 1;'

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	skip_obstacle
}

@test "the statistics of a cost are those of its samples" {
	given
	measured
	holds '[threads | [.samples[] | select(.warmup | not) | .cost_s - .lost_s - .lost_before_s] as $c
		| ($c | add / 7) as $mean | ($c | middle) as $median | .figures
		| (.n == 7) and (.mean_s | is($mean; $mean)) and (.median_s | is($median; $mean))
		and (.sd_s | is($c | map(pow(. - $mean; 2)) | add / 6 | sqrt; $mean))
		and (.cv | is($c | map(pow(. - $mean; 2)) | add / 6 | sqrt / $mean; 1))
		and (.mad_s | is($c | map(. - $median | fabs) | middle; $mean))
		and (.mad_s as $mad | .outliers == ([$c[] | select($mad > 0 and 0.6745 * (. - $median | fabs) / $mad > 3.5)] | length))] | all'
}

@test "the work and the time of a thread are those of its samples" {
	given
	measured
	holds '[threads | [.samples[] | select(.warmup | not)] as $s | .figures
		| (.units == ($s | map(.units) | add / 7)) and (.calls == ($s | map(.calls) | add / 7))
		and (.busy_s | is($s | map(.busy_s - .lost_s) | add / 7; .))
		and (.ns_per_unit | is($s | map((.busy_s - .lost_s) / .units * 1e9) | add / 7; .))] | all'
}

@test "disturbed samples are counted by what disturbed them" {
	given
	measured
	holds '[ops | [.threads[0].samples[] | select(.warmup | not)] as $s | .samples
		| (.taken == 7) and (.disturbed == ([$s[] | select(.disturbed_flags > 0)] | length))
		and (.moved == ([$s[] | select(flag(1))] | length)) and (.preempted == ([$s[] | select(flag(2))] | length))
		and (.blocked == ([$s[] | select(flag(4))] | length)) and (.page_faults == ([$s[] | select(flag(8))] | length))
		and (.taken_away == ([$s[] | select(flag(16))] | length)) and (.throttled == ([$s[] | select(flag(32))] | length))] | all'
	holds '[ops | ([.threads | map([.samples[] | select(.warmup | not) | if .off_cpu_ns < 0 and .run_delay_ns < 0 then null
		else ((.lost_s + .lost_before_s) / (.busy_s + .lost_before_s)) as $part
		| if $part > 1 then 1 else $part end end]) | transpose[] | if any(. == null) then null else max end]) as $lost | .samples
		| any($lost[]; . == null) or (.lost_worst | is($lost | max; 1)) and (.lost_median | is($lost | middle; 1))] | all'
}
