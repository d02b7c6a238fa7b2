#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# --compare: results of a side that are no repetitions of one run, and costs that not all results have.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	printf '%s\n' 'nodePerThread: 0' 'tamPerVector: 4KiB' 'nodePerVector: 0' 'vectorPerThread: 0' 'opType: read write' \
		'numIter: 2' >t.args
	"$AFFINITY" --quiet --json o.json t.args o.txt
	local i
	for i in 1 2 3 4 5 6; do
		change "$i.json" "(.runs[].operations[] | (.threads[].figures.cost_s, .total_s)) *= 1 + $i / 1000"
	done
}

# change FILE FILTER: FILE is o.json, undisturbed and otherwise.
change() {
	jq ".runs[].operations[].samples.measure_again = false | .elapsed_s += ${1%%[!0-9]*}1 | $2" o.json >"$1"
}

compare() { # FURTHER-RESULT
	try "$AFFINITY" --compare 1.json,2.json,3.json "4.json,$1,6.json"
}

@test "results of a side that are of another machine, of other places or interrupted are told" {
	compare 5.json
	[ "$status" -eq 0 ]
	[[ $output != *'No repetitions'* ]]
	change 7.json '.environment.host = "other" | .environment.load_average.one_minute = 77'
	compare 7.json
	[ "$status" -eq 0 ]
	[[ $output == *$'\n+ No repetitions of one run\n - host: '*' in 4.json, other in 7.json'$'\n - what changed is judged by repetitions: leave these out, or measure them again as the others\n\n'* ]]
	change 7.json '.runs[0].vectors[0].asked_node = "7" | .arguments.set = ["nodePerVector=7"]'
	compare 7.json
	[[ $output == *$'\n+ No repetitions of one run\n - argument nodePerVector: 0 in 4.json, 7 in 7.json\n - vector 0: asked_node: "0" in 4.json, "7" in 7.json\n'* ]]
	# lines of --set are added
	change 7.json '.arguments.set = ["background=1 on node(0) by node(0)", "background=2 on node(0) by node(0)"]'
	try "$AFFINITY" --compare 1.json 7.json
	[[ $output == *$'\n - argument background: was not given, is 1 on node(0) by node(0); 2 on node(0) by node(0)\n'* ]]
	# as verify: warn lets pass
	change 7.json '.runs[0].vectors[0].found.pages_on_node = {"0": 1, "3": 12}'
	compare 7.json
	[[ $output == *$'\n+ No repetitions of one run\n - vector 0: pages on other nodes: 0 in 4.json, 12 in 7.json\n'* ]]
	try "$AFFINITY" --compare 1.json 7.json
	[[ $output == *$'\n - vector 0: pages on other nodes: was 0, is 12\n'* ]]
	change 7.json '.runs[0].vectors[0] += {backing: "file", file: "model", cache: "warm"}'
	compare 7.json
	[[ $output == *$'\n - vector 0: backing: "anonymous" in 4.json, "file" in 7.json\n'* ]]
	change 7.json '.interrupted = true'
	compare 7.json
	[[ $output == *$'\n - 7.json was interrupted: it has a part of its samples\n'* ]]
	try "$AFFINITY" --compare 1.json 7.json
	[[ $output == *$'\n - 7.json was interrupted: '* ]]
}

@test "a cost that any result lacks is counted as not compared" {
	change 7.json 'del(.runs[0].operations[1])'
	compare 7.json
	[[ $output == *$'\n1 compared, 0 slower and 0 faster by more than 1 %, 1 not in all files\n'* ]]
	change 7.json '.runs[0].operations[1].threads[0].figures.cost_s = null'
	compare 7.json
	[[ $output == *$'\n1 compared, '*$', 1 not in all files\n'* ]]
	# a thread's cost and the total of one thread are one cost
	change 7.json '.runs[0].operations[0].operation = "chase"'
	try "$AFFINITY" --compare 1.json 7.json
	[[ $output == *$'\n1 compared, '*$', 2 in one file only'* ]]
}
