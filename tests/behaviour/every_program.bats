#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck disable=SC2030,SC2031 # each test is a process
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

@test "programs that preload a library do so from a folder with a blank or a colon, too" {
	local build=$root/${AFFINITY_BUILD:-build}
	[[ ${AFFINITY_BUILD:-build} != /* ]] || build=$AFFINITY_BUILD
	mkdir "two words: here"
	cp "$AFFINITY-map" "$AFFINITY-rhp" "$build/affinity-map.so" "$build/affinity-rhp.so" "two words: here"
	try "two words: here/affinity-map" --mapping compact --threads 1 --out report -- sh -c 'echo $LD_PRELOAD'
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	cat report
	[[ $output == /proc/* ]]
	try "two words: here/affinity-rhp" --report report -- sh -c 'cat /proc/$$/maps'
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[[ $output == *"two words: here/affinity-rhp.so"* ]]
}

# ends_with STATUS COMMAND...
ends_with() {
	try "${@:2}"
	[ "$status" -eq "$1" ]
	[ -z "$output" ]
	[ -n "$stderr" ]
}

@test "a file or program that is not there is a wrong argument" {
	ends_with 2 "$AFFINITY" none.args
	ends_with 2 "$AFFINITY" --compare none.json none.json
	ends_with 2 "$AFFINITY-map" -- ./none
	ends_with 2 "$AFFINITY-frag" --leave 0 -- ./none
	ends_with 2 "$AFFINITY-rhp" -- ./none
	ends_with 2 "$AFFINITY-rhp" --simulate none
	ends_with 2 "$AFFINITY-fleet" none
	ends_with 2 "$AFFINITY-report" none
	ends_with 2 "$AFFINITY-report" none.json
	ends_with 2 "$root/scripts/ejec.sh" none
	ends_with 2 "$root/scripts/profile" ./none
}

@test "output into a folder that is not there is refused before anything is measured" {
	given
	ends_with 1 "$AFFINITY" t.args none/out
	ends_with 1 "$AFFINITY" --json none/out t.args -
	ends_with 1 "$AFFINITY-map" --json none/out -- touch ran
	ends_with 1 "$AFFINITY-rhp" --report none/out -- touch ran
	[ ! -e ran ]
}

# closed COMMAND...: its output is a pipe that nobody reads any more.
closed() {
	local codes
	{ sleep 0.1 && "$@"; } 2>told | true && codes=("${PIPESTATUS[@]}")
	[ "${codes[0]}" -eq 141 ]
	[ ! -s told ]
}

@test "a pipe that is closed ends a program with 141 and without a message" {
	for program in "${programs[@]}"; do
		closed "$program" --help
		closed "$program" --version
	done
	closed "$AFFINITY" --list
}

@test "a script whose help nobody reads does not go on and measure" {
	printf '#!/bin/sh\ntouch "%s/ran"\n' "$PWD" >driver
	chmod +x driver
	for script in ejec.sh health mix profile; do
		AFFINITY=$PWD/driver closed "$root/scripts/$script" --help
		[ ! -e ran ]
	done
}

into_full() {
	"$@" >/dev/full
}

@test "standard output that takes nothing is a failure" {
	for program in "${programs[@]}"; do
		try into_full "$program" --help
		[ "$status" -eq 1 ]
		same "${program##*/}: cannot write to standard output" "$stderr"
	done
}
