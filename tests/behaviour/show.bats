#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# --show: a result document says again what the measurement said.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	stored=$root/tests/golden/report
}

# again [KEY=VALUE]...: t.args is measured; its report and figures are those of its document, to the last byte.
again() {
	local set=()
	for pair; do set+=(--set "$pair"); done
	try "$AFFINITY" --quiet "${set[@]}" --json out.json --summary out.csv --csv samples.csv t.args out.txt
	[ "$status" -eq 0 ]
	try "$AFFINITY" --show out.json --summary again.csv --csv other.csv again.txt
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	cmp out.txt again.txt
	cmp out.csv again.csv
	cmp samples.csv other.csv
}

@test "a sweep with claims, tables, each thread alone and a baseline is shown as it was measured" {
	skip_obstacle
	# shellcheck disable=SC2016 # for the driver to expand
	given "opType: read write migrate" "nodePerThread: first*2" "nodePerVector: first*2" "vectorPerThread: 0, 1" \
		'tamPerVector: $n*' 'sleep: $d' "targetPerVector: first*" "numIter: 2" "warmup: 1" "placements: 2" "solo: yes" \
		"speedupCalc: write/read" "baseline: d=0" "counters: mix" "table: cost rows=d cols=n" \
		"claim: cost d=0 < d=1" "sweep: d = 0 1"
	printf '%s\n' "sweep: n = 4KiB 8KiB" "table: branches rows=d" "table: speedup rows=thread cols=operation" >>t.args
	again
	[ "$(grep -c '^==== run' again.txt)" -eq 4 ]
	grep -q '; claimed: below 1\(; \|$\)' again.txt
	grep -q '^branches (%): n/a: branches is not counted: \|^branches (%)$' again.txt
	grep -v 'nodePerThread\|speedup\|sweep\|sleep\|baseline\|claim\|table\|tamPer\|counters\|solo\|opType' t.args >own.args
	printf '%s\n' "threads: 2" "mapping: os" "opType: read write" "tamPerVector: 4KiB*" "mode: time:100ms" "initPerVector: owner*" >>own.args
	mv own.args t.args
	again
	grep -q '^+ Threads that are not bound$' again.txt
}

@test "what a run was refused or interrupted for is shown" {
	skip_obstacle
	# shellcheck disable=SC2016 # for the driver to expand
	given "opType: read" "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" 'tamPerVector: $n' "numIter: 1" \
		"sweep: n = 4KiB 900TiB"
	try "$AFFINITY" --quiet --json out.json t.args out.txt
	[ -e out.json ]
	"$AFFINITY" --show out.json again.txt
	cmp out.txt again.txt
	grep -q '^not measured: ' again.txt
}

@test "a report lacks what its document lacks" {
	local file=$stored/here/pruebas_un_hilo/char_float.json changed
	"$AFFINITY" --show "$file" whole.txt
	for changed in '.runs[0].vectors[0].bytes = 1' '.runs[0].operations[0].samples.lost_worst = 0.5' '.environment.host = "h"' \
		'.runs[0].operations[0].threads[0].figures.busy_s = 77' '.runs[0].threads[0].cpu = 77' '.warnings = []' \
		'.runs[0].operations[0].skew_max_ns = 7' '.tables = []' '.arguments.path = "p"' '.elapsed_s = 7e7'; do
		jq "$changed" "$file" >changed.json
		"$AFFINITY" --show changed.json changed.txt
		run cmp -s whole.txt changed.txt
		echo "$changed"
		[ "$status" -eq 1 ]
	done
}

@test "every stored document is shown, into a file and into a folder under its name" {
	local file count=0
	mkdir shown
	while read -r file; do
		"$AFFINITY" --show "$file" --summary shown shown/
		"$AFFINITY" --show "$file" | cmp - "shown/$(basename "$file" .json).txt"
		grep -q '^+ Verdict$' "shown/$(basename "$file" .json).txt"
		count=$((count + 1))
	done < <(find "$stored" -name '*.json' ! -path '*/cut/*')
	[ "$count" -gt 30 ]
	[ -e shown/char_float.summary.csv ]
}

@test "what is no result document is refused with its reason" {
	local mine=$stored/here/own/mine.json case
	echo '{}' >else.json
	head -c 200 "$mine" >cut.json
	jq '.schema = 2' "$mine" >two.json
	jq 'del(.runs[0].threads)' "$mine" >broken.json
	jq '.runs[0].speedups = [{speedup: "a/b", base: 9, total: {value: 1}, threads: []}]' "$mine" >base.json
	for case in 'none.json: cannot be read: No such file' 'else.json: is not a result document of affinity' \
		'cut.json:[0-9]*: cannot be read as JSON' 'two.json: has schema 2, this program reads schema 3' \
		'broken.json: .runs.0..threads. is missing' 'base.json: .runs.0.. has a speedup over an operation that does not exist'; do
		echo earlier >out.txt
		try "$AFFINITY" --show "${case%%:*}" out.txt
		[ "$status" -eq 2 ]
		[[ $stderr =~ $case ]]
		[[ $stderr == *"  hint: "* ]]
		[ "$(<out.txt)" = earlier ]
	done
}

@test "the document is no output, and what only a measurement has is no option" {
	cp "$stored/here/own/mine.json" mine.json
	try "$AFFINITY" --show mine.json mine.json
	[ "$status" -eq 2 ]
	cmp mine.json "$stored/here/own/mine.json"
	for option in '--mix out.csv' '--set k=v' '--plan'; do
		# shellcheck disable=SC2086 # a word each
		try "$AFFINITY" --show mine.json $option
		[ "$status" -eq 2 ]
		[ -z "$output" ]
	done
	try "$AFFINITY" --show mine.json one.txt two.txt
	[ "$status" -eq 2 ]
	[[ $stderr == *"'two.txt' is one operand too many; --show takes OUT"* ]]
	try "$AFFINITY" --show
	[ "$status" -eq 2 ]
}

@test "a reader that goes away is told" {
	run bash -c "'$AFFINITY' --show '$stored/here/smt/matrix.json' > >(head -c 1 >/dev/null; sleep 0)"
	[ "$status" -eq 0 ] || [[ $output == *"cannot write"* ]]
	try "$AFFINITY" --show "$stored/here/smt/matrix.json" /dev/full
	[ "$status" -eq 1 ]
	[[ $stderr == *"/dev/full"* ]]
}

@test "what was found is found in the figures, and a sentence is no surer than its cells" {
	local file=$stored/here/pruebas_un_hilo/stride.json
	"$AFFINITY" --show "$file" whole.txt
	jq '.findings = [{kind: "costs", trust: "firm", effect: 1, parts: {quantity: "Cost", figures: []}, sentence: "none"}]' "$file" >told.json
	"$AFFINITY" --show told.json told.txt
	cmp whole.txt told.txt
	# a mark that the driver wrote, of what the cell's own runs do not show
	mkdir firm weak
	cp "$file" firm/r.json
	jq '.tables[].cells[][].mark = {word: "weak", why: "alone: '"'"'disturbed"}' firm/r.json >weak/r.json
	"$AFFINITY-report" firm
	"$AFFINITY-report" weak
	grep -q "data-mark=weak title='weak: interval +-3.1 %; alone: &apos;disturbed'" weak/report.html
}

@test "a result goes before an argument file of its name, which has no figures" {
	cp "$stored/here/pruebas_un_hilo/stride.json" mine.json
	cp "$root/args/matrix/core_to_core.args" mine.args
	"$AFFINITY" --show mine >mine.txt
	grep -q '^==== run 1 of ' mine.txt
	rm mine.json
	try "$AFFINITY" --show mine .
	same "" "$output"
	cmp mine.args "$root/args/matrix/core_to_core.args"
	try "$AFFINITY" --show mine --summary s.csv
	[ "$status" -eq 2 ]
	[[ $stderr == *"'mine.args' is an argument file, which has no figures"* ]]
	[ ! -e s.csv ]
}
