#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Languages that write a comma in numbers, and letters that change case in another way: every program and script writes
# and reads the same numbers. make check-locales runs all tests of behaviour in them.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	local why
	for name in de_DE.UTF-8 tr_TR.UTF-8; do
		why=$("$root/scripts/locale" "$name" "$BATS_FILE_TMPDIR/locales") || skip "$why"
	done
	export LOCPATH=$BATS_FILE_TMPDIR/locales
	[ "$(LC_ALL=de_DE.UTF-8 bash -c 'printf %.1f 1,5')" = 1,5 ]
	base+=("passes: 1" "stride: 64B" "fraction: 0.5" "targetError: 2.5%" "mode: time:20.5ms")
	given
	sed -i '/^passes/d' t.args
}

# alike COMMAND...: prints the same in all languages, and something.
alike() {
	local name expected
	expected=$("$@" 2>&1)
	[ -n "$expected" ]
	for name in de_DE.UTF-8 tr_TR.UTF-8; do
		diff <(echo "$expected") <(LC_ALL=$name "$@" 2>&1)
	done
}

@test "plans, help and comparisons are the same in all languages" {
	machine "$TWO_NODES"
	alike "$AFFINITY" --plan t.args
	alike "$AFFINITY" --help keys
	printf '%s\n' program,fp true,0.25 sleep,0.5 >mix.csv
	alike "$AFFINITY-map" --plan --mapping instruction --profile mix.csv -- true : sleep 0.1
	machine this
	local json
	json=$(find "$root/tests/golden/report/here" -name stride.json)
	alike "$AFFINITY" --compare "$json" "$json"
}

page_of() { # MACHINE: of the results of tests/golden/report
	cp -r "$root/tests/golden/report/$1" results
	"$AFFINITY-report" results >/dev/null
	cat results/report.html
	rm -r results
}

@test "the page of stored results is the same in all languages" {
	alike page_of here
	alike page_of ring4
}

@test "results that are measured in another language have points in their numbers" {
	local name
	find_obstacle
	skip_obstacle
	given "nodePerThread: first*2" "nodePerVector: first*2" "plot: cost x=thread"
	sed -i '/^passes/d' t.args
	for name in de_DE.UTF-8 tr_TR.UTF-8; do
		LC_ALL=$name "$AFFINITY" --quiet --set targetError=0 --set numIter=2 --json o.json --csv o.csv t.args o.txt
		jq -e '.runs[0].operations[0].threads[0].figures.cost_s | . > 0 and . < 10' o.json
		awk -F, '{ gsub(/"[^"]*"/, "") } NR == 1 { n = NF } NF != n { exit 1 }' o.csv
		[ "$(grep -cE '[0-9],[0-9]+ (s|ns|us|ms|%)' o.txt)" -eq 0 ]
		LC_ALL=$name "$AFFINITY-map" --mapping os --runs 2 --json map.json --out map.txt -- sleep 0.05 : true
		jq -e '.mappings[0].programs[0].samples[0].wall_s | . >= 0.05 and . < 60' map.json
		[ "$(grep -cE '[0-9],[0-9]' map.txt)" -eq 0 ]
	done
}

@test "a batch and its page are the same in all languages" {
	local name
	find_obstacle
	skip_obstacle
	mkdir suite
	cp t.args suite/I.args
	sed -i 's/^nodePer\(.*\):.*/nodePer\1: first*2/; /^targetError/d' suite/I.args
	for name in de_DE.UTF-8 tr_TR.UTF-8; do
		AFFINITY=$AFFINITY LC_ALL=$name "$root/scripts/ejec.sh" -o "out.$name" --set numIter=2 --report suite >told 2>&1
		grep -E '^suite/I +ok +[0-9]+\.[0-9]( |$)' told
		[ "$(cat "out.$name"/*/report.html | grep -cE '>[0-9]+,[0-9]+ ?(%|s|ns)?<')" -eq 0 ]
	done
}

@test "scripts/profile writes points in another language" {
	command -v valgrind >/dev/null || skip "valgrind is not installed (make setup installs it)"
	local name
	for name in de_DE.UTF-8 tr_TR.UTF-8; do
		LC_ALL=$name "$root/scripts/profile" true | tee told
		grep -E '^true,callgrind,[0-9]+(,[01]\.[0-9]{4}){6}$' told
	done
}
