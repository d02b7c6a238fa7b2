#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/compare-equals counts what comparisons of a build with itself say; here of a build that is told what to say.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	cat >pretended <<-'END'
		#!/usr/bin/env bash
		echo "$*" >>log
		[[ $1 == --compare ]] || exit 0
		sed -n "$(grep -c -e --compare log)p" says | tr '|' '\n'
	END
	chmod +x pretended
	export AFFINITY=$PWD/pretended
}

@test "comparisons that are judged and those that call a cost slower or faster are counted" {
	printf '%s\n' 'a 1.1  SLOWER|1 compared, 1 slower and 0 faster' 'a 0.9  faster|1 compared, 0 slower and 1 faster' \
		'a 1.0|1 compared, 0 slower and 0 faster' '1 compared, not judged: all are disturbed' >says
	try "$root/scripts/compare-equals" 4 2 mine.args
	[ "$status" -eq 0 ]
	same "2 of 3 comparisons call a cost slower or faster (1 of 4 not judged)" "$output"
	# the sides in turn, each result of its own
	same "before1 after1 before2 after2" "$(head -n 4 log | grep -oE '(before|after)[0-9]' | paste -sd ' ')"
	[ "$(grep -c ' mine.args /dev/null$' log)" -eq 16 ]
	[[ $(grep -e --compare log | head -n 1) == *before1.json,*before2.json\ *after1.json,*after2.json ]]
}

@test "a measurement that fails ends it, and wrong usage is told" {
	printf '#!/bin/sh\nexit 3\n' >pretended
	try "$root/scripts/compare-equals" 1
	[ "$status" -eq 1 ]
	local words
	for words in "0" "x" "1 y" "1 2 3 4"; do
		# shellcheck disable=SC2086 # words
		try "$root/scripts/compare-equals" $words
		[ "$status" -eq 2 ]
		[[ $stderr == 'usage: compare-equals '* ]]
	done
}
