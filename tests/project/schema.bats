#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What the driver writes as JSON is what results/schema-3.json says, also where it has little to write.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	/usr/bin/python3 -c 'import jsonschema' 2>/dev/null ||
		skip "the system's Python has no jsonschema (make setup installs it)"
	skip_obstacle
}

# valid FILE: it follows the schema; else says where it does not. Notes about the tool's own future stand on
# standard error too, so only the exit status counts.
valid() {
	/usr/bin/python3 -m jsonschema -i "$1" "$root/results/schema-3.json"
}

# two [KEY: VALUE]...: t.args for two threads and two small vectors of any machine that has two CPUs.
two() {
	given "nodePerThread: first*2" "nodePerVector: first*2" "numIter: 3" "$@"
}

measured() {
	try "$AFFINITY" --quiet --set warmup=1 --json out.json t.args /dev/null
	[ "$status" -eq 0 ]
}

@test "the schema is what the rows of the fields say (scripts/reference --write)" {
	"$root/${AFFINITY_BUILD:-build}/tools/schema" "$root/results/schema-3.json" | diff - "$root/results/schema-3.json"
}

@test "a document of a plain run follows the schema" {
	two "opType: read write" "speedupCalc: write/read"
	measured
	valid out.json
}

@test "a document of a sweep with a baseline, each thread alone and a target follows the schema" {
	# shellcheck disable=SC2016 # for the driver to expand
	two "sweep: d = 0 1" 'sleep: $d' 'tamPerVector: ${size}*' "solo: yes" "statistic: median" "targetError: 50%" \
		"timeLimit: 10ms" "baseline: d=0" "table: overhead rows=d cols=size"
	echo "sweep: size = 4KiB..8KiB*2" >>t.args
	measured
	valid out.json
	[ "$(grep -c '"solo": {' out.json)" -eq 4 ]
	[ "$(grep -c '"baseline": {' out.json)" -eq 4 ]
}

@test "a document with figures of kernels follows the schema" {
	given "opType: migrate null" "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "tamPerVector: 64KiB" \
		"targetPerVector: first" "numIter: 1"
	measured
	valid out.json
	[ "$(grep -c '"kernel_figures": {' out.json)" -eq 4 ]
	[ "$(grep -c '"target_node": ' out.json)" -eq 1 ]
}

@test "a document with distributions of single events follows the schema" {
	given "opType: chase" "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "tamPerVector: 8KiB" \
		"numIter: 1" "distribution: yes"
	measured
	valid out.json
	[ "$(grep -c '"distribution": {' out.json)" -eq 1 ]
}

@test "the stored documents follow the schema" {
	local file
	for file in "$root"/tests/golden/report/*/*/*.json; do
		[[ $file == */cut/short.json ]] || valid "$file"
	done
}

@test "a document in random order follows the schema" {
	two "opType: read null" "interleave: yes" "seed: 7"
	measured
	valid out.json
}

@test "a document with figures that do not exist follows the schema" {
	two "opType: null" "numIter: 1"
	measured
	valid out.json
	grep -q '"low_s": null' out.json
}

@test "the document has the tables and plots of the text report" {
	# shellcheck disable=SC2016 # for the driver to expand
	two "sweep: d = 0 1" 'sleep: $d' "opType: read write" "table: cost rows=d cols=thread mean=geometric" \
		"plot: cost x=d by=thread" "numIter: 4"
	echo "table: cost rows=d cols=kernel" >>t.args
	try "$AFFINITY" --quiet --json out.json t.args out.txt
	valid out.json
	shown "$(jq -r --argjson factor "$(cost_factor out.txt)" '.tables[] | select(.shown == "table") | . as $t | range(.rows | length) as $i | "\($t.rows[$i])" +
			([$t.cells[$i][] | " \(.value * $factor)"] | add)' out.json)" \
		"$(sed -n '/--Tables--/,/--.*[^s]--/p' out.txt | grep -E '^  (0|1|geometric mean) ' | sed 's/+-[^ ]*//g; s/[~?]//g')"
	[ "$(jq -c '[.tables[] | [.shown, .row_axis, .column_axis, .unit]] | unique' out.json)" = \
		'[["plot","d","thread","s"],["table","d","operation","s"],["table","d","thread","s"]]' ]
	[ "$(jq -c '[.tables[] | [.operation, .thread, .values]] | unique' out.json)" = \
		'[[null,null,{}],["read",null,{}],["write",null,{}]]' ]
	[ "$(jq '.tables | length' out.json)" -eq 5 ]
}

@test "a plot against another quantity and a heat map follow the schema" {
	# shellcheck disable=SC2016 # for the driver to expand
	two "sweep: d = 0 1" 'sleep: $d' "plot: cost x=d against=busy"
	echo "plot: cost rows=d cols=thread" >>t.args
	measured
	valid out.json
	[ "$(jq -c '[.tables[] | [.shown, .against.quantity, (.against.places | length)]]' out.json)" = \
		'[["plot","busy",2],["heat",null,0]]' ]
}

@test "a document with a run that was skipped follows the schema" {
	# shellcheck disable=SC2016 # for the driver to expand
	two "sweep: n = 0 999" 'nodePerVector: first $n'
	measured
	valid out.json
	grep -q '"skipped": ' out.json
}

@test "a document that the schema does not know is told from one that it does" {
	two
	measured
	sed 's/"statistic": "mean"/"statistic": "mode"/' out.json >wrong.json
	run valid wrong.json
	[ "$status" -ne 0 ]
	sed 's/"program"/"programme"/' out.json >wrong.json
	run valid wrong.json
	[ "$status" -ne 0 ]
}

@test "a document with crossings follows the schema" {
	# shellcheck disable=SC2016 # for the driver to expand
	# far apart, so that it is "never", but for a machine on which samples come very late
	two "sweep: t = 100 200" 'sleep: ${t}${unit}*' "baseline: unit=us" "table: crossing along=t rows=unit" \
		"numIter: 9" "statistic: median" "placements: 1"
	echo "sweep: unit = us ms" >>t.args
	measured
	valid out.json
	[ "$(jq -c '[.tables[].cells[][] | has("word") or .value != null]' out.json)" = '[false,true]' ]
}

@test "a document with claims follows the schema, also where these cannot be asked" {
	# shellcheck disable=SC2016 # for the driver to expand
	two 'sweep: t = 1 2' 'sleep: ${t}ms*' "placements: 1" "numIter: 1"
	# shellcheck disable=SC2016 # for the driver to expand
	sed -i 's/^nodePerThread.*/nodePerThread: $node*2/' t.args
	printf '%s\n' 'sweep: node = 0 7' 'claim: cost t=1 < t=2' 'claim: ns_per_unit node=0 thread=0 t=1 ~ t=2 within=5%' >>t.args
	measured
	valid out.json
	[ "$(jq -c '[.claims.tests[].figure.value != null] | unique' out.json)" = '[false,true]' ]
}

@test "a document with physical ranges follows the schema, known or not" {
	two "physicalRanges: yes" "table: coverage_32 rows=thread"
	measured
	valid out.json
	jq -e '.runs[0].physical_ranges | has("ranges")' out.json
}
