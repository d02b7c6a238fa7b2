#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What translation costs: the lines of args/translation that show it, and the form of what they say. No time is judged.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	TOP=$BATS_TEST_DIRNAME/../..
}

@test "the reach of a TLB is a range of pages, of pages apart and not of the baseline" {
	skip_obstacle
	try "$AFFINITY" --quiet --set 'sweep=n = 16 64 256 1024' --set numIter=3 --set placements=1 --set loads=2000 \
		--set 'sweep=pages = base' --set baseline=stride=64B --json out.json \
		"$TOP/args/translation/tlb.args" out.txt
	[ "$status" -eq 0 ]
	holds '[.tables[] | select(.quantity == "extra (ns)" and .shown == "table")] | length == 1 and
		.[0].values == {"stride": "4160B"} and .[0].rows == ["16", "64", "256", "1024"]'
	holds '[.tables[] | select(.ranges)] | length >= 2 and all(.columns == ["all threads"])'
	holds '[.tables[] | select(.quantity == "reach_1 along n")] | length == 1 and
		(.[0].cells[0][0] | .word == "never" and .low == 1024 or .low < .value and .value < .high)'
	# four times the second level are beyond these pages in any TLB
	holds '[.tables[] | select(.quantity | startswith("walk"))] == []'
	grep -q '^reach_1 along n, chase, stride=4160B$' out.txt
}

@test "so many times a size is a vector's size, and a factor of it no axis of sizes" {
	skip_obstacle
	plan=$("$AFFINITY" --plan --set 'sweep=n = 16' "$TOP/args/translation/tlb.args")
	[[ $plan == *66560* ]]
}
