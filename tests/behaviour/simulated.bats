#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What a simulated machine gives is never shown as a measurement: every output says so.

bats_require_minimum_version 1.5.0

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	skip_obstacle
	cat >small.args <<-'END'
		opType: read write
		nodePerThread: first
		nodePerVector: first
		tamPerVector: 4KiB*
		vectorPerThread: 0
		numIter: 2
		table: cost rows=thread cols=kernel
		plot: cost rows=thread cols=kernel
	END
}

measure() {
	"$AFFINITY" --json out.json --csv out.csv small.args out.txt 2>messages
}

@test "the text report begins with the words, and has them among its warnings" {
	AFFINITY_SIMULATED='a ring of four' measure
	[ "$(head -n 1 out.txt)" = 'simulated machine: a ring of four; its times are no measurement' ]
	sed -n '/^+ Warnings/,/^$/p' out.txt | grep -q 'simulated machine'
	grep -q '^ - simulated: a ring of four$' out.txt
}

@test "the JSON says so at its top, and by what" {
	AFFINITY_SIMULATED='a ring of four' measure
	jq -e '.simulated == true and .environment.simulated == "a ring of four"' out.json
	jq -e '.warnings | any(.text | contains("simulated machine"))' out.json
}

@test "every row of the CSV says so" {
	AFFINITY_SIMULATED='a ring of four' measure
	[ "$(wc -l <out.csv)" -gt 2 ]
	[ "$(tail -n +2 out.csv | grep -cv '^simulated machine ')" -eq 0 ]
}

@test "the driver warns on the terminal" {
	AFFINITY_SIMULATED='a ring of four' measure
	grep -q 'warning: this is a simulated machine' messages
}

@test "pictures have it in their title" {
	command -v gnuplot >/dev/null || skip 'gnuplot is not installed (make setup installs it)'
	AFFINITY_SIMULATED='a ring of four' measure
	grep -q 'simulated machine: ' ./*.svg
}

@test "a comparison says which of the two it was" {
	measure
	cp out.json real.json
	AFFINITY_SIMULATED='a ring of four' measure
	run "$AFFINITY" --compare real.json out.json
	[[ ${lines[0]} == 'simulated machine: out.json: a ring of four; '* ]]
	run "$AFFINITY" --compare real.json real.json
	[[ $output != *'simulated machine'* ]]
}

@test "a real machine is not called simulated" {
	! grep -q 'QEMU TCG' /proc/cpuinfo || skip 'this machine is a simulated one'
	unset AFFINITY_SIMULATED
	measure
	jq -e '.simulated == false and .environment.simulated == null' out.json
	[ "$(cat out.txt out.csv messages | grep -c 'simulated machine')" -eq 0 ]
}
