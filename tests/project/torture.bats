#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# A part of `make torture`: what it promises holds, and it sees when it does not.

bats_require_minimum_version 1.5.0
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup() {
	driver_setup
	shims_setup
	torture=$root/tests/torture/torture
	export FOUND=$PWD/found
}

# a build whose driver does WORDS after the real one
bad_build() { # WORDS
	mkdir bad
	ln -s "$shims" bad/shims
	ln -s "$(dirname "$AFFINITY")"/affinity-{map,report} bad/
	# the stored results are made rightly
	# shellcheck disable=SC2016 # what the script expands
	printf '%s\n' '#!/bin/bash' "'$AFFINITY' \"\$@\"" 'code=$?' '[[ -e one.json ]] || {' "$1" '}' 'exit $code' >bad/affinity
	chmod +x bad/affinity
	export AFFINITY_BUILD=$PWD/bad
}

@test "signals, failing calls and missing resources leave whole results, no files and no processes" {
	run "$torture" --seed 1 --time 20
	echo "$output"
	[ "$status" -ne 77 ] || skip "${lines[-1]#torture: }"
	[ "$status" -eq 0 ]
	[[ ${lines[-1]} == "torture: seed 1: "*" cases, 0 faults" ]]
	[[ $output == *" signals to "* && $output == *" limits ("* ]]
}

@test "a temporary file, a process, a mixed set of results and a wrong status are found" {
	bad_build 'touch .affinity-left; sleep 60 >/dev/null 2>&1 & echo earlier >o.csv; code=9'
	run "$torture" --seed 1 --count 6 limits
	echo "$output"
	[ "$status" -ne 77 ] || skip "${lines[-1]#torture: }"
	[ "$status" -eq 1 ]
	[[ $output == *": temporary files are left"* ]]
	[[ $output == *": processes are left"* ]]
	[[ $output == *": an exit status that the manual does not know"* ]]
}
