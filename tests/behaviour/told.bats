#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What --list, --topology, --plan and --check tell as JSON, and the exit status of --check.

bats_require_minimum_version 1.5.0
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	printf 'opType: null\nnodePerThread: first\nnumIter: 2\n' >t.args
}

# told NAME WORD...: the document of --NAME on standard output alone; it follows its schema.
told() {
	try "$AFFINITY" "--$1" --json - "${@:2}"
	printf '%s\n' "$output" >told.json
	same "affinity --$1" "$(jq -r .program told.json)"
	! /usr/bin/python3 -c 'import jsonschema' 2>/dev/null ||
		/usr/bin/python3 -m jsonschema -i told.json "$root/results/schema-$1-1.json"
}

@test "--list tells the same kernels as text and as JSON" {
	told list
	same 0 "$status"
	same "$(kernels)" "$(jq -r '.kernels[].name' told.json)"
	same "simd_*" "$(jq -r '.kernels[] | select(.name == "simd_add_f64_128_lat") | .family' told.json)"
	same "read_s" "$(jq -r '.kernels[] | select(.name == "read") | .aliases[]' told.json)"
	same "192B" "$(jq -r '.kernels[] | select(.name == "read") | .parameters[] | select(.name == "stride") | .default' told.json)"
	told list 'ctl_*' gups
	same "$("$AFFINITY" --list 'ctl_*' gups | sed 's/ .*//')" "$(jq -r '.kernels[].name' told.json)"
	try "$AFFINITY" --list --json none.json lod
	same 2 "$status"
	[ ! -e none.json ]
}

@test "--topology tells this machine and described ones as JSON" {
	told topology
	same 0 "$status"
	same true "$(jq .this_machine told.json)"
	for machine in ring4 grace laptop holes tiers no-caches homeless; do
		if [ -e "$root/tests/topologies/$machine.xml" ]; then
			machine "$root/tests/topologies/$machine.xml"
		else
			machine "$(sed /^#/d "$root/tests/topologies/$machine.synthetic")"
		fi
		told topology
		same 0 "$status"
		same false "$(jq .this_machine told.json)"
		same "$("$AFFINITY" --topology | grep -c '^node ')" "$(jq '.nodes | length' told.json)"
		same "$("$AFFINITY" --topology | grep -c '^core ')" "$(jq .cores told.json)"
	done
	machine "$root/tests/topologies/ring4.xml"
	told topology
	same '[10,21,31,21]' "$(jq -c '.distances[0]' told.json)"
}

@test "--plan tells plans as JSON, also those that are refused" {
	machine "$TWO_NODES"
	printf 'opType: read+write chase\nnodePerThread: 0 1\nnodePerVector: 0 1\ntamPerVector: 1MiB*\nvectorPerThread: own\n' >two.args
	# shellcheck disable=SC2016 # for the driver to expand
	printf 'opType: null\nnodePerThread: $n\nsweep: n = 0 7\nstride: 3\n' >sweep.args
	printf 'opType: raed\nnodePerThread: first\n' >wrong.args
	told plan two.args wrong.args t.args "$root/README.md"
	same 2 "$status"
	same "false true false true" "$(jq -r '[.plans[].refused] | join(" ")' told.json)"
	same "wrong.args:1: opType: unknown kernel 'raed'; did you mean 'read'?" "$(jq -r '.plans[1].messages[0].text' told.json)"
	same "[0,1]" "$(jq -c '[.plans[0].runs[0].threads[].node]' told.json)"
	same '["read","write"]' "$(jq -c '[.plans[0].runs[0].operations[0].threads[].kernel]' told.json)"
	same null "$(jq '.plans[0].runs[0].operations[1].threads[0].passes' told.json)"
	same 1048576 "$(jq '.plans[0].runs[0].vectors[1].bytes' told.json)"
	told plan --set 'opType=read' --set vectorPerThread=0 --set nodePerVector=0 --set tamPerVector=1MiB sweep.args
	same 0 "$status"
	same '[{"n":"0"},{"n":"7"}]' "$(jq -c '[.plans[0].runs[].values]' told.json)"
	[[ $(jq -r '.plans[0].runs[1].skipped' told.json) == *"node 7 does not exist"* ]]
	same '{"stride":["3"]}' "$(jq -c '.plans[0].runs[0].parameters' told.json)"
}

@test "with a file for --json the text is printed too, and no argument file is replaced" {
	same "$("$AFFINITY" --plan t.args)" "$("$AFFINITY" --plan t.args --json p.json)"
	same t.args "$(jq -r '.plans[].path' p.json)"
	cp t.args u.args
	try "$AFFINITY" --plan t.args --json u.args
	same 2 "$status"
	[[ $stderr == "affinity: 'u.args' is an argument file, and --json would replace it"* ]]
	same "" "$output"
	try "$AFFINITY" --plan t.args --json t.args
	same 2 "$status"
	cmp t.args u.args
	try "$AFFINITY" --topology --json nowhere/t.json
	same 1 "$status"
	[[ $stderr == "affinity: cannot write 'nowhere/t.json': "* ]]
}

@test "--check --strict tells by its exit status what spoils measurements, but for what is accepted" {
	told check
	same 0 "$status"
	same "$(jq -r '.facts.clock_source' told.json)" "$("$AFFINITY" --check | sed -n 's/^clock_source: //p')"
	AFFINITY_SIMULATED="a test" told check --strict
	same 1 "$status"
	[[ $stderr =~ ^"affinity: "[0-9]+" state"s?" of this machine spoil"s?" measurements"$'\n'"  hint: see the remedies, or --accept what you must live with"$ ]]
	same "a test" "$(jq -r '.spoils[] | select(.fact == "simulated") | .value' told.json)"
	# whatever there is on this machine, with what its other programs may do meanwhile
	local accepted=()
	for fact in $(jq -r '.facts | keys[]' told.json); do
		accepted+=(--accept "$fact")
	done
	AFFINITY_SIMULATED="a test" told check --strict "${accepted[@]}"
	same 0 "$status"
	same '[]' "$(jq -c .spoils told.json)"
	same simulated "$(jq -r '.accepted[0].fact' told.json)"
	AFFINITY_SIMULATED="a test" try "$AFFINITY" --check --strict "${accepted[@]}"
	same 0 "$status"
	[[ $output == *$'\naccepted:\naffinity: warning: this is a simulated machine'*$'\nnothing here spoils measurements but what is accepted' ]]
}

@test "--accept takes names of facts, and only with --check" {
	try "$AFFINITY" --check --accept virtual-machine
	same 2 "$status"
	same "affinity: --accept virtual-machine: no fact of the machine has this name
  hint: affinity --check shows the facts: --accept virtual_machine" "$stderr"
	same "" "$output"
	try "$AFFINITY" --strict t.args
	same "affinity: --strict has no effect without --check
  hint: leave out --strict" "$stderr"
	try "$AFFINITY" --list --accept boost
	same "affinity: --accept has no effect with --list
  hint: leave out --accept or --list" "$stderr"
}
