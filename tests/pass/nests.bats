#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Two programs of random loop nests; tests/pass/nests makes others.

# shellcheck source=tests/pass/helper.bash
source "$BATS_TEST_DIRNAME/helper.bash"

setup() {
	pass_setup
	[ -z "$lacking" ] || skip "$lacking"
	cd "$BATS_TEST_TMPDIR" || return 1
	nests=$BATS_TEST_DIRNAME/nests
}

@test "random loop nests compute what they do without the pass, and what it calls exact is what runs" {
	run "$nests" --seed 9 --programs 2 --functions 12
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output =~ ^"nests: seed 9, 2 programs: "[1-9][0-9]*" instances of calls, "[1-9][0-9]*" exact, " ]]
}

@test "a wrong claim is found, and the program is kept" {
	mkdir -p bad/scripts kept
	cp -r "$BATS_TEST_DIRNAME/.." bad/tests
	printf '%s\n' '#!/bin/sh' "'$cc' \"\$@\"" 'case "$*" in *--pass=check*) mv checked inner &&' \
		"printf '%s\\n' '#!/bin/sh' './inner; sed -i \"1s/.*/x f x exact 0 7 2 ran 0 7 1/\" estimates' >checked && chmod +x checked ;; esac" \
		>bad/scripts/affinity-cc
	chmod +x bad/scripts/affinity-cc
	run bad/tests/pass/nests --seed 9 --functions 6 --keep kept
	echo "$output"
	[ "$status" -eq 1 ]
	[[ $output == *"seed 9 at -O1, see "*"kept/nests-9.c:"*"x f x exact 0 7 2 ran 0 7 1"* ]]
	[ -s kept/nests-9.c ]
}

@test "the script says what is wrong with its words" {
	run "$nests" --seed x
	[ "$status" -eq 2 ]
	[ "$output" = "nests: --seed needs a number, not 'x'" ]
	run "$nests" --seeds 1
	[ "$status" -eq 2 ]
	[[ $output == "nests: unknown word '--seeds'"* ]]
}
