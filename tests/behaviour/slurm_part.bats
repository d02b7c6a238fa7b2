#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# A job of Slurm that has a part of its node: affinity takes the part for the machine, and says so.

bats_require_minimum_version 1.5.0
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/slurm.bash
source "$BATS_TEST_DIRNAME/../slurm.bash"

setup_file() {
	export slurm_real=yes
	slurm_setup "$BATS_FILE_TMPDIR/slurm"
}

teardown_file() {
	slurm_stop "$BATS_FILE_TMPDIR/slurm"
}

setup() {
	[ "$(nproc)" -gt 1 ] || skip "one CPU has no half"
	slurm_stage
}

# "0-2,5" -> 0 1 2 5
numbers_of() { # LIST
	local part all=()
	for part in ${1//,/ }; do
		mapfile -t -O "${#all[@]}" all < <(seq "${part%-*}" "${part#*-}")
	done
	echo "${all[*]}"
}

count_of() { wc -w <<<"$(numbers_of "$1")"; }

@test "half of a node's CPUs are the machine of a job that has no more" {
	local half=$(($(nproc) / 2))
	given "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "numIter: 2"
	mv t.args suite/a.args
	try "$ejec" --slurm --sbatch --oversubscribe --sbatch "--cpus-per-task=$half" -o out suite
	cat out/.slurm/n1.out
	[ "$status" -eq 0 ]
	jq -r .environment.cpus_allowed out/n1/suite/a.json | tee allowed
	[ "$(count_of "$(<allowed)")" -eq "$half" ]
	grep -qE "^ejec.sh: job [0-9]+ on n1: CPUs $(<allowed) of .*, which are the machine here" out/.slurm/n1.out
	[[ " $(numbers_of "$(<allowed)") " == *" $(jq '.runs[].threads[].cpu' out/n1/suite/a.json) "* ]]
}

@test "a job that has the whole node says so" {
	given "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "numIter: 2"
	mv t.args suite/a.args
	try "$ejec" --slurm -o out suite
	cat out/.slurm/n1.out
	[ "$status" -eq 0 ]
	[ "$(count_of "$(jq -r .environment.cpus_allowed out/n1/suite/a.json)")" -eq "$(nproc)" ]
	grep -qE '^ejec.sh: job [0-9]+ on n1: all CPUs of the node$' out/.slurm/n1.out
}
