#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# bench/migration/compile-times: a row for each program that is named, and what is wrong with its words.

# shellcheck source=tests/pass/helper.bash
source "$BATS_TEST_DIRNAME/helper.bash"

setup() {
	pass_setup
	[ -z "$lacking" ] || skip "$lacking"
	times=$BATS_TEST_DIRNAME/../../bench/migration/compile-times
}

@test "a row has three times and the medians of two ratios" {
	run "$times" --rounds 1 product
	[ "$status" -eq 0 ]
	[[ ${lines[0]} == *"clang version "*", 1 rounds, load "* ]]
	awk -F ' *[|] *' '{ f = $3; l = $4 / f; p = $5 / f } NF != 8 || f < 1 || l - $6 > .2 || $6 - l > .2 || p - $7 > .2 || $7 - p > .2 { exit 1 }' <<<"${lines[3]}"
	[[ ${lines[3]} == "| product | "* ]]
}

@test "the script says what is wrong with its words" {
	run "$times" --rounds 0
	[ "$status" -eq 2 ]
	[ "$output" = "compile-times: --rounds needs a number from 1 on, not '0'" ]
	run "$times" produce
	[ "$status" -eq 2 ]
	[ "$output" = "compile-times: no program 'produce'" ]
}
