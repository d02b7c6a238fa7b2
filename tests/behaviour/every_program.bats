#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What holds for each of the programs.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	programs=("$AFFINITY" "$AFFINITY"-{map,frag,rhp,fleet,report})
}

@test "a message begins with the name of the program that says it, and its hint names it too" {
	for program in "${programs[@]}"; do
		try "$program" --no-such-option
		[ "$status" -eq 2 ]
		[ -z "$output" ]
		same "${program##*/}: unknown option '--no-such-option'" "${stderr_lines[0]}"
		same "  hint: ${program##*/} --help lists the options" "${stderr_lines[1]}"
	done
}
