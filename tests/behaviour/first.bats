#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# affinity first: the machine on one screen.

bats_require_minimum_version 1.5.0 # run !

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	command -v jq >/dev/null || skip "jq is not installed (make setup installs it)"
	args=$root/args/first
	set=()
	[[ -z ${AFFINITY_PREFIX-} ]] || args=$AFFINITY_PREFIX/share/affinity/args/first
}

# made_up FOLDER DATE [TIMES]: what args/first would measure on the machine at hand by the law of first.jq.
made_up() {
	local file facts=${facts-'{"others_load_during_run_percent": 0.2}'}
	mkdir -p "$1"
	"$AFFINITY" --quiet --check --json state.json >/dev/null 2>&1 || true
	"$AFFINITY" --quiet --topology --json topo.json >/dev/null 2>&1 || true
	for file in "$args"/*.args; do
		"$AFFINITY" --quiet --plan "${set[@]}" --json plan.json "$file" >/dev/null 2>&1 || continue
		jq --rawfile args "$file" --arg date "$2" --argjson times "${3-1}" --argjson facts "$facts" --slurpfile state state.json --slurpfile topo topo.json \
			-f "$root/tests/behaviour/first.jq" plan.json >"$1/$(basename "$file" .args).json"
	done
}

# shown COLUMNS [ROWS]: the screen as a terminal gets it.
shown() {
	timeout 60 script -qec "stty cols $1 rows ${2-60}; '$AFFINITY' --quiet --show results/host/first" /dev/null </dev/null | sed 's/\r//g'
}

# screen NAME: --show of made_up results is tests/behaviour/first-NAME.txt, but for the times that depend on the program.
screen() {
	try "$AFFINITY" --quiet --show results/host/first first.txt --json first.json
	same 0 "$status"
	[ -z "$stderr" ]
	sed '/^in full: /,$d' first.txt >figures
	diff "$root/tests/behaviour/first-$1.txt" figures
	[ "$(awk 'length > 80' first.txt | wc -l)" -eq 0 ]
}

@test "a captured machine of 256 CPUs is on one screen, each figure with its interval and what it is of" {
	command -v xz >/dev/null || skip "there is no xz to unpack the machine with"
	xz -dc "$root/tests/captured/h3-256ppc-8n8s4t.xml.xz" >ppc.xml
	machine "$PWD/ppc.xml"
	made_up results/host/first 2026-01-02T03:04:05Z
	screen 256
	jq -e '[.figures[] | select(.figure.value < .figure.high and .figure.low < .figure.value)] | length == 111' first.json
	# each experiment that measures more can be named
	local word
	while read -r word; do
		[ -e "$args/../$word.args" ]
	done < <(sed -n '/^in full: affinity /,$p' first.txt | grep -oE '[a-z_]+/[0-9a-z_]+')
	if /usr/bin/python3 -c 'import jsonschema' 2>/dev/null; then
		/usr/bin/python3 -W ignore -m jsonschema -i first.json "$root/results/schema-first-1.json"
	fi
}

@test "a ring of nodes whose caches were measured has its classes of nodes and of pairs" {
	machine "$root/tests/topologies/ring4.xml"
	set=(--set "caches=32K 1M 32M/2")
	made_up results/host/first 2026-01-02T03:04:05Z
	screen ring
	# colours for the matrix where there is a terminal, as wide as that, and not where somebody wants none
	shown 80 >out
	same 16 "$(grep -o $'\e''\[38;5;231;48;5;[0-9]*m' out | wc -l)"
	[ "$(sed 's/\x1b\[[0-9;]*m//g' out | awk 'length > 80' | wc -l)" -eq 0 ]
	same 1 "$(shown 200 | grep -cE '^in full: .{100}')"
	run ! grep -q $'\e' <(NO_COLOR=1 shown 80)
	# the first terminals have 24 rows, two of them for others: what is missed most stays
	NO_COLOR=1 shown 80 24 >out
	[ "$(wc -l <out)" -le 22 ]
	grep -q '^load, node x node' out
	grep -q '^a line from core to core' out
	grep -q '^  load  ' out
	run ! grep -qE '^  triad|^measured|^[+]-node' out
	grep -q '^shortened: a pipe takes all; ' out
	[ "$(NO_COLOR=1 shown 80 10 | wc -l)" -le 13 ]
}

@test "where others use the machine the head says what that does to the figures" {
	machine "numa:1(memory=8GB) l3:1(size=16MiB) l2:2(size=1MiB) l1d:1(size=32KiB) core:1 pu:2"
	facts='{"others_load_during_run_percent": 63}'
	made_up results/host/first 2026-01-02T03:04:05Z
	try "$AFFINITY" --show results/host/first
	same 0 "$status"
	sed -n 2,3p <<<"$output" | grep -q '^other programs used 63 % of the CPUs: times are too long and rates too low'
	run ! grep -q 'not for conclusions' <<<"$output"
	# a pair that is measured in both directions has the quicker and the slower one
	local json=results/host/first/7_cores.json
	jq '{low: 1, high: 99} as $f | .tables[0].pair_classes |= [.[0] | .measured = 1 | .fewest = $f + {value: 40} |
		.median = $f + {value: 45} | .most = $f + {value: 50}]' "$json" >other.json
	mv other.json "$json"
	try "$AFFINITY" --show results/host/first --json first.json
	jq -e '[.figures[] | select(.what == "a line from core to core").figure.value] == [40, 45, 50]' first.json
	# what is weak for another reason is not said to be too long
	for file in results/host/first/*.json; do
		jq '.quick = true | .environment.others_load_during_run_percent = 0' "$file" >other.json
		mv other.json "$file"
	done
	try "$AFFINITY" --show results/host/first
	same "a quick trial" "$(sed -n 2p <<<"$output")"
}

@test "a screen is of one machine, which is the one at hand, and says which files are of an earlier batch" {
	machine "numa:2(memory=8GB) l3:1(size=16MiB) l2:2(size=1MiB) l1d:1(size=32KiB) core:1 pu:1"
	made_up results/host/first 2026-01-02T03:04:05Z
	local json=results/host/first/1_latency.json
	cp "$json" whole.json
	try "$AFFINITY" --show results/host/first
	grep -q '^measured 2026-01-02T03:04:05Z$' <<<"$output"
	jq '.environment.date = "2026-01-01T03:04:05Z"' whole.json >"$json"
	try "$AFFINITY" --show results/host/first --json first.json
	grep -q '^measured 2026-01-02T03:04:05Z; 1 of [0-9]* files are older, from 2026-01-01T03:04:05Z$' <<<"$output"
	jq -e '.date == "2026-01-02T03:04:05Z"' first.json
	jq '.environment.host = "other"' whole.json >"$json"
	try "$AFFINITY" --show results/host/first
	same 2 "$status"
	[[ $stderr == *"was measured on "*"others of its folder on 'other'"* ]]
	cp whole.json "$json"
	machine "numa:2(memory=8GB) l3:1(size=8MiB) l2:2(size=1MiB) l1d:1(size=32KiB) core:1 pu:1"
	try "$AFFINITY" --show results/host/first
	same 2 "$status"
	[[ $stderr == *"was measured on another machine: caches was "* ]]
}

@test "bandwidths say with how many threads they are reached, and what fewer threads reach beyond" {
	machine "numa:9(memory=8GB) l3:1(size=16MiB) l2:16(size=1MiB) l1d:1(size=32KiB) core:1 pu:1"
	made_up results/host/first 2026-01-02T03:04:05Z
	try "$AFFINITY" --show results/host/first
	grep -q '1 thread *one node: 16 *all: 144$' <<<"$output"
	grep -qE '^  load .* 100 \+- 2 /8  100 \+- 2$' <<<"$output"
	grep -q '^/n: n threads reach 90 % of it' <<<"$output"
	# of more than eight nodes some pairs are measured, which are no matrix
	grep -qE '^ +fewest +median +most$' <<<"$output"
	grep -qE '^  memory of another node .* [0-9]+ measured$' <<<"$output"
	local json=results/host/first/3_bandwidth.json
	cp "$json" whole.json
	# what --set changed is not called what the files have
	jq '.tables[0].rows[0] = "2" | .runs[].values.n |= if . == "1" then "2" else . end
		| .runs[].operations[].threads[].held_by = "L3"' whole.json >"$json"
	try "$AFFINITY" --show results/host/first
	grep -q '2 threads *one node: 16 ' <<<"$output"
	grep -qE '^  load .* L3$' <<<"$output"
	jq '.method.confidence = 0.99' results/host/first/1_latency.json >t.json && mv t.json results/host/first/1_latency.json
	jq '.runs[].operations = [] | .interrupted = true' whole.json >"$json" # ended before it measured
	try "$AFFINITY" --show results/host/first
	same 0 "$status"
	grep -q '+- of 99 %$' <<<"$output"
	# an interval that does not hold it says nothing of saturation, and a row may be cut
	jq '.tables[0].cells[3][] |= (.low = 80 | .high = 120)' whole.json >"$json"
	try "$AFFINITY" --show results/host/first
	run ! grep -q '/8' <<<"$output"
	jq '.tables[0].cells[3][0] = {value: 150, low: 149, high: 151, mark: {word: "firm", why: ""}}' whole.json >"$json"
	try "$AFFINITY" --show results/host/first
	grep -qE '^  load .* 100 \+- 2 /8 .* 8 threads: 150 \+- 1$' <<<"$output"
	jq '.tables[0].cells[4][] = {value: null, low: null, high: null}' whole.json >"$json"
	try "$AFFINITY" --show results/host/first
	grep -q '1 thread *one node: 8 *all: 144$' <<<"$output"
}

@test "a cache is that of the CPU that measured, and columns of a matrix stand in their order" {
	machine "$root/tests/topologies/unlike-l2.xml"
	made_up results/host/first 2026-01-02T03:04:05Z
	try "$AFFINITY" --show results/host/first
	grep -qE '^  L2 .* 640 KiB of 1.25 MiB$' <<<"$output"
	rm -r results
	machine "numa:3(memory=8GB) l3:1(size=16MiB) l2:2(size=1MiB) l1d:1(size=32KiB) core:1 pu:1"
	made_up results/host/first 2026-01-02T03:04:05Z
	jq '.tables[0].cells[0, 2][0, 2] = {value: null, low: null, high: null}' results/host/first/6_matrix.json >cut.json
	mv cut.json results/host/first/6_matrix.json
	try "$AFFINITY" --show results/host/first
	grep -qE '^load, node x node, GB/s +0 +1 +2$' <<<"$output"
	run ! grep -q ' $' <<<"$output"
	# memory without CPUs has a column of its own, a single node no matrix
	rm -r results
	machine "$root/tests/topologies/grace.xml"
	made_up results/host/first 2026-01-02T03:04:05Z
	try "$AFFINITY" --show results/host/first
	grep -qE '^load, node x node, GB/s' <<<"$output"
	grep -qE '^  CPUs of node 0 .* \+- .* \+- ' <<<"$output"
	rm -r results
	machine "numa:1(memory=8GB) l3:1(size=16MiB) l2:2(size=1MiB) l1d:1(size=32KiB) core:1 pu:2"
	made_up results/host/first 2026-01-02T03:04:05Z
	try "$AFFINITY" --show results/host/first
	run ! grep -q 'node x node' <<<"$output"
}

@test "what differs from the results before by more than the intervals is said in a line" {
	machine "numa:1(memory=8GB) l3:1(size=16MiB) l2:2(size=1MiB) l1d:1(size=32KiB) core:1 pu:2"
	made_up results/host/first 2026-01-03T03:04:05Z
	try "$AFFINITY" --show results/host/first
	run ! grep -q '^since' <<<"$output"
	made_up before 2026-01-02T03:04:05Z
	mkdir -p results/.history/host/first
	for file in before/*.json; do
		cp "$file" "results/.history/host/first/$(basename "$file" .json)@2026-01-02T03:04:05Z.json"
	done
	try "$AFFINITY" --show results/host/first
	grep -qE '^since 2026-01-02T03:04:05Z: none of [0-9]+ costs changed by more than its interval$' <<<"$output"
	made_up before 2026-01-02T03:04:05Z 0.8
	cp before/1_latency.json results/.history/host/first/1_latency@2026-01-02T03:04:05Z.json
	try "$AFFINITY" --show results/host/first
	grep -qE '^since .*: 3 of [0-9]+ costs changed by more than their intervals: latency in=L1 chase \+25 %' <<<"${output//$'\n' /}"
	# a file is called what the screen calls it, whatever sorts it
	cp results/host/first/1_latency.json results/.history/host/first/1_latency@2026-01-02T03:04:05Z.json
	cp before/b_tail_cores.json results/.history/host/first/b_tail_cores@2026-01-02T03:04:05Z.json
	try "$AFFINITY" --show results/host/first
	grep -q 'intervals: tail_cores ' <<<"${output//$'\n' /}"
}

@test "words that it does not take are answered with a hint, and a file of its name is a file" {
	try "$AFFINITY" first other.args
	same 2 "$status"
	[[ $stderr == *"'other.args': affinity first takes no file"* ]]
	[[ $stderr == *"ejec.sh --help lists the options"* ]]
	try "$AFFINITY" first --frob
	same 2 "$status"
	try "$AFFINITY" --show . --json first.json
	same 2 "$status"
	[[ $stderr == *"'.' has no results of args/first"* || $stderr == *"there are no results in '.'"* ]]
	[ ! -e first.json ]
	# nor are results of other files of such names, whose tables mean something else
	machine "$TWO_NODES"
	made_up "a, b" 2026-01-02T03:04:05Z
	try "$AFFINITY" --quiet --show "a, b"
	same 0 "$status"
	mkdir matrix
	jq '.arguments.path |= sub("args/first/"; "args/matrix/")' "a, b/7_cores.json" >matrix/7_cores.json
	try "$AFFINITY" --quiet --show matrix
	same 2 "$status"
	[[ $stderr == *"'matrix' has no results of args/first"* ]]
	cp matrix/7_cores.json "a, b/"
	try "$AFFINITY" --quiet --show "a, b"
	run ! grep -q 'core to core' <<<"$output"
	echo "kernels: null" >first
	try "$AFFINITY" --quiet first -
	[[ $stderr == *"first: "* ]]
	run ! grep -q 'ejec' <<<"$stderr"
}

@test "a machine of more CPUs than pairs can be chosen from has the other figures" {
	machine "numa:2(memory=8GB) l3:1(size=16MiB) l2:1100(size=1MiB) l1d:1(size=32KiB) core:1 pu:1"
	try "$AFFINITY" first --dry-run -o out
	same 0 "$status"
	grep -q '^skipped .*/7_cores.args: the sweeps make more than' <<<"$output"
}

@test "--resume keeps what was measured and shows it" {
	local host folder
	host=$(uname -n | cut -d. -f1) folder=out/$host/first
	made_up "$folder" 2026-01-02T03:04:05Z
	for file in "$folder"/*.json; do
		echo text >"${file%.json}.txt"
	done
	ls "$folder" >before
	try "$AFFINITY" first --resume -o out
	same 0 "$status"
	[[ $output == *"latency of a load, ns"* ]]
	[[ ! $output == *report.html* || -s out/$host/report.html ]]
	ls "$folder" | grep -v '\.skipped$' >after
	diff before after
}

@test "Ctrl-C keeps the screen that was there, and leaves none that is half written" {
	[[ $(uname -m) == x86_64 ]] || skip "it measures"
	mkdir -p out/"$(uname -n | cut -d. -f1)"
	cd out/* || return 1
	echo before >first.txt
	# its first file goes on until it is stopped
	(trap - INT && exec setsid "$AFFINITY" first -o ../../out --set sizePerVector=16KiB --set samples=50000) >told 2>&1 &
	local pid=$! _
	for _ in {1..600}; do
		! grep -q '^ejec.sh: \[1/' told || break
		sleep 0.1
	done
	sleep 3
	kill -INT "$pid"
	status=0
	wait "$pid" || status=$?
	cat told
	same 130 "$status"
	same before "$(<first.txt)"
	[ ! -e first.json ]
	# what the stopped file had is kept
	jq -e .interrupted first/1_latency.json
}
