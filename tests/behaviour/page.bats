#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# affinity-report: what the page begins with, its index and order, and what it says of each experiment's quality.

bats_require_minimum_version 1.5.0 # run !

# shellcheck source=tests/helper.bash
. "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/pages.bash
. "$BATS_TEST_DIRNAME/../pages.bash"

setup() {
	driver_setup
	stored
}

# changed FILE FILTER: of a stored document.
changed() {
	jq "$2" "tests/golden/report/$1" >new.json
	mv new.json "tests/golden/report/$1"
	find tests -exec touch -d 2026-01-02 {} +
}

@test "what was measured comes first, then the thesis, then what was not measured and the machine" {
	stored_page one
	same "group-own units one private shared skipped machine warnings repeat" "$(grep -o "<h2 id='[^']*'" "$page" | cut -d "'" -f 2 | xargs)"
	# a chapter of which nothing was measured is absent, also from the index, and leaves no boxes
	rm -r tests/golden/report/one/{pruebas_*,smt}
	stored_page one
	same "group-own machine warnings repeat" "$(grep -o "<h2 id='[^']*'" "$page" | cut -d "'" -f 2 | grep -v skipped | xargs)"
	run ! grep -q 'not measured; <code>\|[Tt]ables* 5\.' "$page"
}

@test "each link of the index leads to a part of the page, in the order of the page" {
	local host
	for host in here one ring4; do
		stored_page $host
		sed -n '/<nav /,/<.nav>/p' "$page" | grep -o "href='#[^']*'" | cut -d "'" -f 2 | tr -d '#' >links
		grep -oE "<(h2|section class=experiment) id='[^']*'" "$page" | cut -d "'" -f 2 >ids
		[ "$(wc -l <links)" -gt 10 ]
		diff ids links
	done
}

@test "the index tells experiments of the same title apart" {
	stored_page one
	same 3 "$(sed -n '/<nav /,/<.nav>/p' "$page" | grep -o '>LL: Tables* 5[^<]*' | sort -u | wc -l)"
}

@test "the head says when, how many, and which conditions spoil the figures" {
	stored_page one
	grep -qF '<p>Measured 2026-11-22 10:01 UTC to 2026-11-22 10:20 UTC: 11 experiments, <a href='"'#skipped'"'>12 not measured</a>.</p>' "$page"
	grep -q '<li class=bad>.*not quiet: other programs used up to 98&nbsp;% of the CPUs' "$page"
	grep -q '<li class=watch>.*virtual machine' "$page"
	rm -r tests/golden/report/one/{pruebas_*,smt}
	changed one/own/holes.json '.environment.others_load_during_run = "1.20 %" | .environment.virtual_machine = "no"'
	stored_page one
	grep -q '<li class=ok>.*> quiet: other programs used 1&nbsp;% of the CPUs' "$page"
	grep -q '<li class=ok>.*bare metal' "$page"
	run ! grep -q 'class=badge' "$page"
}

@test "a quick trial has a badge, whether the file or the command line asked for it" {
	changed one/own/holes.json '.arguments.set = ["quick=yes"]'
	stored_page one
	grep -q '<span class=badge>1 of 11 is a quick trial: not for conclusions</span>' "$page"
	changed one/own/holes.json '.arguments.set = [] | .arguments.text |= "quick: yes\n" + .'
	stored_page one
	grep -q '<span class=badge>1 of 11 is a quick trial' "$page"
	changed one/own/holes.json '.arguments.set = ["quick=no"]'
	stored_page one
	run ! grep -q 'quick trial' "$page"
}
