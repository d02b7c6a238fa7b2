#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# affinity-fleet: which node of a generated fleet is slow, and what it leaves out and refuses.
# long: generates and judges many fleets of many nodes, about 100 s of CPU time

bats_require_minimum_version 1.5.0 # run !
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	FLEET=$AFFINITY-fleet
	mkdir first again
}

# fleet NODES [NAME=VALUE...]: two runs of each node in first/, three fresh ones in again/.
fleet() {
	local set words=()
	for set in "${@:2}"; do
		words+=(-v "$set")
	done
	awk -v nodes="$1" -v runs=2 -v into=first -v again=3 -v fresh=again "${words[@]}" -f "$BATS_TEST_DIRNAME/fleet.awk"
}

# refused MESSAGE HINT -- WORD...
refused() {
	try "$FLEET" "${@:4}"
	[ "$status" -eq 2 ]
	same "$1"$'\n'"  hint: $2" "$stderr"
}

@test "a slow node is a suspect first, and slow after fresh runs: the only one, with what is slow and what differs" {
	fleet 100 slow=17 what=latency by=1.08
	try "$FLEET" first
	[ "$status" -eq 0 ]
	grep -q '^ - n017: suspect: memory/latency: slower by ' <<<"$output"
	grep -q 'three more times' <<<"$output"
	[[ $output != *SLOW* ]]
	try "$FLEET" first --fresh again
	[ "$status" -eq 1 ]
	same "n017: SLOW: memory/latency" "$(sed -n 's/^ - \(.*: SLOW: [^:]*\): slower by [789]\.[0-9] % (95 %: .*; 3 fresh runs); the others: -.*/\1/p' <<<"$output")"
	grep -qx "     numa_balancing is '1', of most '0'" <<<"$output"
	[ -z "$stderr" ]
}

@test "an experiment called caches is one, and the measured caches of a batch are none" {
	command -v jq >/dev/null || skip "jq is not installed (make setup installs it)"
	fleet 4
	local one
	for one in first/*-caches-*.json first/*-caches.json; do
		[ ! -e "$one" ] || { mkdir -p "${one%.json}" && mv "$one" "${one%.json}/caches.json"; }
	done
	[ -n "$(find first -name caches.json)" ]
	try "$FLEET" first
	grep -q ' 12 figures in 3 experiments, ' <<<"$output"
	mkdir host
	jq '.arguments.path = "caches"' "$(find first -name caches.json | sed -n 1p)" >host/caches.json
	try "$FLEET" first host
	grep -q '^ - 24 results of 4 nodes$' <<<"$output"
}

@test "--tolerance says from where on a node is slow" {
	fleet 100 slow=17 what=latency by=1.08
	try "$FLEET" --tolerance 20% --fresh again first
	[ "$status" -eq 0 ]
	[[ $output != *SLOW* ]]
}

@test "what is slower by less than 2 % is not slow, however sure: its fresh runs show it again, which is told" {
	fleet 100 slow=17 what=latency by=1.013 spread=0.05 operations=12
	try "$FLEET" --fresh again first
	[ "$status" -eq 0 ]
	[[ $output != *SLOW* ]]
	same "     3 fresh runs show it again, below the tolerance" "$(sed -n '/^ - n017: cleared: memory.latency: slower by 1\.[0-9] %/{n;p}' <<<"$output")"
	same 1 "$(grep -c 'below the tolerance' <<<"$output")"
}

@test "--suspects prints names alone, for scripts; those that were run again are none" {
	fleet 100 slow=17 what=all by=1.1
	try "$FLEET" --suspects first
	[ "$status" -eq 0 ]
	grep -qx n017 <<<"$output"
	run ! grep -qvx 'n[0-9]*' <<<"$output"
	try "$FLEET" --suspects first --fresh again
	[ -z "$output" ]
}

@test "a healthy fleet has no slow node" {
	fleet 100
	try "$FLEET" first --fresh again
	[ "$status" -eq 0 ]
	[[ $output != *SLOW* ]]
	grep -q 'none of 100 nodes is found slow' <<<"$output"
}

@test "one run of each node does not tell the spread from run to run, and this is said" {
	fleet 100
	rm first/*-2.json
	try "$FLEET" first
	[ "$status" -eq 0 ]
	grep -q 'one run .* does not tell' <<<"$output"
	grep -q ' one run  *- ' <<<"$output"
}

@test "a claim that the fleet cannot bear is told: so many more runs, or not possible" {
	fleet 40 spread=1.5
	try "$FLEET" first --json out.json
	[ "$status" -eq 0 ]
	grep -qE '^  memory/width: 3 % not possible: healthy nodes differ by [0-9]\.[0-9] %; 5 % not possible: healthy nodes differ by [0-9]\.[0-9] %' <<<"$output"
	jq -e '[.groups[].spreads[].claims | length == 3 and .[0].fresh_runs == null and .[2].slower_by_percent == 10] | all' out.json
	rm first/*
	fleet 40 spread=0.3
	try "$FLEET" first --json out.json
	grep -qE '^  memory/[a-z]*: 3 % needs [1-9][0-9]* more fresh runs?$' <<<"$output"
	run ! grep -q '10 % ' <<<"$output"
	jq -e '[.groups[].spreads[].claims[] | .slower_by_percent == 3 or .fresh_runs <= 3] | all' out.json
	try "$FLEET" --tolerance 4% first
	run ! grep -q ' 3 % ' <<<"$output"
}

@test "a node of another kind is judged by none, and its kind is told" {
	fleet 10 twist=5
	try "$FLEET" first
	[ "$status" -eq 0 ]
	grep -qx ' - n005: of its kind there is 1, judging takes 3: cpu_model Model, topology 2 nodes, 2 packages, 2 cores, 2 CPUs, microcode 0x2, kernel Linux 6.1, affinity_version 1' <<<"$output"
	grep -qx '+ 9 like nodes' <<<"$output"
}

@test "nodes that seem to be of two kinds are warned of, and judged together" {
	fleet 60 others=20 what=latency by=1.06
	try "$FLEET" first --json out.json
	[ "$status" -eq 0 ]
	[[ $stderr =~ ^"affinity-fleet: warning: 20 of 60 like nodes may be of another kind: memory/latency costs them "[56]\.[0-9]" % more than the others"$'\n'"  hint: if they are other machines, compare them apart" ]]
	same "60 1" "$(jq -r '"\(.groups[0].nodes | length) \(.warnings | length)"' out.json)"
	rm first/*
	fleet 60 others=3 what=latency by=1.1
	try "$FLEET" first
	[ -z "$stderr" ]
}

@test "other memory modules are another kind, and a fact that older results lack is no difference" {
	fleet 10
	local file
	for file in first/n00[1-3]-*; do
		jq -c '.environment.memory_modules = [{count: 8, bytes: 17179869184, type: "DDR4"}]' "$file" >other && mv other "$file"
	done
	for file in first/n00[4-9]-*-2.json first/n010-*-2.json; do
		jq -c '.environment.memory_modules = [{count: 16, bytes: 17179869184, type: "DDR4"}]' "$file" >other && mv other "$file"
	done
	try "$FLEET" first
	[ "$status" -eq 0 ]
	same "+ 3 like nodes
 - memory_modules: 8 x 16 GiB DDR4
+ 7 like nodes
 - memory_modules: 16 x 16 GiB DDR4" "$(grep -E 'like nodes|memory_modules' <<<"$output")"
	[ -z "$stderr" ]
}

@test "results of two versions of affinity are judged apart, and an older one of the same node is left out" {
	fleet 10 slow=2 what=all by=1.5
	local file
	for file in first/n00[1-3]-* first/n004-*-2.json; do
		jq -c '.environment.affinity_version = "2"' "$file" >other && mv other "$file"
	done
	try "$FLEET" first
	[ "$status" -eq 0 ]
	same "+ 4 like nodes
 - affinity_version: 2
+ 6 like nodes
 - affinity_version: 1" "$(grep -E 'like nodes|affinity_version' <<<"$output")"
	same 3 "$(grep -c "^affinity-fleet: warning: left out: first/n004-.*-1.json: affinity_version of 'n004' was '1', now '2'" <<<"$stderr")"
}

@test "what is half-written, simulated, copied or older than the node's kernel is left out with its reason" {
	fleet 10
	head -c 500 first/n001-width-1.json >half && mv half first/n001-width-1.json
	jq -c '.simulated = true' first/n002-width-1.json >other && mv other first/n002-width-1.json
	cp first/n003-width-1.json first/copy.json
	jq -c '.environment.kernel = "Linux 5.0"' first/n004-width-1.json >other && mv other first/n004-width-1.json
	try "$FLEET" first
	[ "$status" -eq 0 ]
	grep -q '^affinity-fleet: warning: left out: first/n001-width-1.json:1: ' <<<"$stderr"
	grep -q "left out: first/n002-width-1.json: its times are an emulator's or a model's" <<<"$stderr"
	grep -qE 'left out: first/(n003-width-1|copy).json: the same result as first/(n003-width-1|copy).json' <<<"$stderr"
	grep -q "left out: first/n004-width-1.json: kernel of 'n004' was 'Linux 5.0', now 'Linux 6.1'" <<<"$stderr"
	grep -qx '+ 10 like nodes' <<<"$output"
}

@test "a name that stands for two machines is not judged: other hardware, or two results at the same time" {
	fleet 10
	jq -c '.environment.cpu_model = "Other"' first/n001-width-1.json >other && mv other first/n001-width-1.json
	jq -c '.runs[0].operations[0].threads[0].figures.cost_s *= 2' first/n002-width-1.json >first/n002-more.json
	try "$FLEET" first
	[ "$status" -eq 0 ]
	grep -q "^ - n001: the name stands for two machines: cpu_model is 'Model' in .*'Other' in" <<<"$output"
	grep -q '^ - n002: .* were measured at the same time: does the name stand for two machines?' <<<"$output"
	grep -qx '+ 8 like nodes' <<<"$output"
}

@test "other arguments are another experiment, which a single node cannot be judged by" {
	fleet 10
	local file
	for file in first/n001-*; do
		jq -c '.runs[0].operations[].threads[].sleep_s = 1' "$file" >other && mv other "$file"
	done
	try "$FLEET" first
	[ "$status" -eq 0 ]
	grep -q '^ - n001: it has no cost that half of its kind have: other arguments?' <<<"$output"
}

@test "operations that must be measured again are not used, and are counted; a fleet of none is told so" {
	fleet 5
	local file
	jq -c '.runs[0].operations[0].samples.measure_again = true' first/n001-width-1.json >other && mv other first/n001-width-1.json
	try "$FLEET" first
	[ "$status" -eq 0 ]
	grep -qx ' - 1 operation must be measured again, and is not used' <<<"$output"
	for file in first/*; do
		jq -c '.runs[0].operations[].samples.measure_again = true' "$file" >other && mv other "$file"
	done
	try "$FLEET" first
	[ "$status" -eq 2 ]
	grep -q '^ - n005: all its costs are disturbed or missing: measure it again, alone' <<<"$output"
}

@test "a node from which something takes time is a suspect, then slow, though its costs are like those of the others" {
	fleet 20 held=7
	try "$FLEET" first
	[ "$status" -eq 0 ]
	same "n007: suspect: time taken away" "$(sed -n 's/^ - \(.*: time taken away\): slower by 9[5-9]\.[0-9] %; the others: -.*/\1/p;s/^ - \(.*: time taken away\): slower by 10[0-5]\.[0-9] %; the others: -.*/\1/p' <<<"$output")"
	try "$FLEET" --suspects first
	grep -qx n007 <<<"$output"
	jq -c '.environment.cpu_quota_cpus = 0.5' first/n007-width-2.json >other && mv other first/n007-width-2.json
	jq -c '.environment.cpu_quota_cpus = 0.5' again/n007-width-5.json >other && mv other again/n007-width-5.json
	try "$FLEET" first --fresh again --json out.json
	[ "$status" -eq 1 ]
	same "n007 time taken away 3" "$(jq -r '.groups[].nodes[] | select(.verdict == "slow") | "\(.node) \(.set) \(.fresh_runs)"' out.json)"
	grep -qx "     cpu_quota is '0.5 CPUs', of most 'not recorded'" <<<"$output"
}

@test "what takes time once is no fault of the node" {
	fleet 20 held=7 heldto=2
	try "$FLEET" --suspects first
	run ! grep -qx n007 <<<"$output"
	rm -r first again && mkdir first again
	fleet 20 held=7 heldto=3
	try "$FLEET" --suspects first
	grep -qx n007 <<<"$output"
	try "$FLEET" first --fresh again
	[ "$status" -eq 0 ]
	grep -q ' - n007: cleared: time taken away: ' <<<"$output"
}

@test "a node all of whose costs are disturbed is judged by the time that it took" {
	fleet 20 held=7
	for file in first/n007-* again/n007-*; do
		jq -c '.runs[0].operations[].samples.measure_again = true' "$file" >other && mv other "$file"
	done
	try "$FLEET" first --fresh again
	[ "$status" -eq 1 ]
	grep -q '^ - n007: SLOW: time taken away: slower by ' <<<"$output"
	"$FLEET" first --fresh again --page out.html >told || true
	[[ $(grep -m 1 '^<tr class=' out.html) == '<tr class=slow><td>n007<td>slow: time taken away +'* ]]
	[ "$(grep -c SLOW <<<"$output")" -eq 1 ]
}

@test "results of a Slurm job are named after its node, not after the host" {
	fleet 5
	local file
	for file in first/n001-*; do
		jq -c '.environment.slurm_node = "c7"' "$file" >other && mv other "$file"
	done
	rm first/n003*
	try "$FLEET" first
	[ "$status" -eq 0 ]
	grep -qx '+ 4 like nodes' <<<"$output"
	jq -c '.environment.kernel = "x"' first/n001-width-2.json >other && mv other first/n001-width-2.json
	try "$FLEET" first
	grep -q '^ - c7: ' <<<"$output"
}

@test "results say in which job of Slurm and on which of its nodes they were measured, and outside nothing of it" {
	given "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "numIter: 1"
	SLURM_JOB_ID=12 SLURMD_NODENAME=c7 try "$AFFINITY" --quiet --json job.json t.args /dev/null
	same "12 c7" "$(jq -r '.environment | .slurm_job + " " + .slurm_node' job.json)"
	env -u SLURM_JOB_ID -u SLURMD_NODENAME "$AFFINITY" --quiet --json job.json t.args /dev/null
	jq -e '.environment | has("slurm_job") or has("slurm_node") | not' job.json >/dev/null
}

@test "--json follows its schema, and JSON, CSV and metrics tell of the same slow node" {
	fleet 100 slow=17 what=latency by=1.08 twist=5
	try "$FLEET" first --fresh again --json out.json --csv out.csv --metrics out.prom
	[ "$status" -eq 1 ]
	same n017 "$(jq -r '.groups[].nodes[] | select(.verdict == "slow").node' out.json)"
	same n005 "$(jq -r '.not_judged[].node' out.json)"
	# costs are generated as 1 ms
	jq -e '.groups[0].medians | length == 12 and ([.[] | .median_s > 0.00098 and .median_s < 0.00102 and
		.between_percent < 1 and .within_percent > 0.5 and .within_percent < 1.5] | all)' out.json
	jq -e '[.groups[0].medians[].figure] | index("memory/latency: write, thread 1")' out.json
	same 'n017,1,slow,memory/latency' "$(grep ',slow,' out.csv | cut -d, -f1-4)"
	same "$(jq '.groups[0].nodes | length' out.json)" "$(sed 1d out.csv | wc -l)"
	grep -qx 'affinity_node_slow{node="n017"} 1' out.prom
	[ "$(grep -c '^affinity_node_slow{.*} 1' out.prom)" -eq 1 ]
	grep -qx 'affinity_nodes_not_judged 1' out.prom
	/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || skip "the system's Python has no jsonschema"
	/usr/bin/python3 -m jsonschema -i out.json "$root/results/schema-fleet-1.json"
}

@test "--page has a row for each node, the slow one first, and its experiment as the only red cell of it" {
	fleet 100 slow=17 what=latency by=1.08 twist=5
	jq -c '.environment.host = "<b>&" | .environment.kernel = "x"' first/n001-width-1.json >first/other.json
	try "$FLEET" first --fresh again --page out.html
	[ "$(grep -c '^<tr class=' out.html)" -eq 99 ]
	[[ $(grep -m 1 '^<tr class=' out.html) =~ ^'<tr class=slow><td>n017<td>slow: memory/latency +7.'[0-9]' %<td'.*'>+'[78]\.[0-9]'<td' ]]
	same 1 "$(grep -m 1 '^<tr class=' out.html | grep -oE 'rgb\(255,[0-9]+,[0-9]+\)' | grep -vc 255,255,255)"
	grep -q '<li>n005: of its kind there is 1' out.html
	grep -q '<li>&lt;b&gt;&amp;: ' out.html
}

# dated NODES [NAME=VALUE...]: 14 dates, a week or more apart, in first/.
dated() { fleet "$@" dates=14; }

@test "--drift names the node that became slower, since when, and in what; what all nodes became is told apart" {
	dated 20 slow=17 what=latency by=1.06 since=9 all=1.04
	try "$FLEET" --drift 7 first
	[ "$status" -eq 1 ]
	same "n017: SLOWER since 2026-03-08: memory/latency" "$(sed -n 's/^ - \(.*: SLOWER since [^:]*: [^:]*\): by [567]\.[0-9] % (95 %: .*) against the others/\1/p' <<<"$output")"
	grep -qx "     kernel was 'Linux 6.1', now 'Linux 6.2'" <<<"$output"
	grep -qE '^ +4 +\+(3\.[6-9]|4\.[0-4]) .* memory/caches$' <<<"$output"
	grep -q 'from 2026-03-08, ' <<<"$output"
	[ -z "$stderr" ]
}

@test "--drift with a tolerance above the step names no node, and a steady fleet has none" {
	dated 20 slow=17 what=latency by=1.06 since=9
	try "$FLEET" --drift 7 --tolerance 15% first
	[ "$status" -eq 0 ]
	grep -q 'none of 20 nodes is found to have changed' <<<"$output"
	rm first/*
	dated 20
	try "$FLEET" --drift 7 first
	[ "$status" -eq 0 ]
	grep -q 'none of 20 nodes is found to have changed' <<<"$output"
}

@test "--drift tells a node that became quicker, with exit 0, and one that has too few dates" {
	dated 20 slow=17 what=latency by=0.9 since=9
	rm first/n003-*-{3,4,5,6,7,8,9,10,11,12,13,14}.json
	try "$FLEET" --drift 7 first
	[ "$status" -eq 0 ]
	grep -q '^ - n017: quicker since 2026-03-08: memory/latency: by ' <<<"$output"
	grep -qx ' - n003: not known: too few dates' <<<"$output"
}

@test "--drift tells since when something takes time from a node, whose costs are like before, and what comes and goes is none" {
	dated 20 held=7 heldfrom=9
	try "$FLEET" --drift 7 first --json out.json --csv out.csv
	[ "$status" -eq 1 ]
	grep -qE '^ - n007: SLOWER since 2026-03-08: time taken away: by (9[5-9]|10[0-5])\.[0-9] % against the others$' <<<"$output"
	same 1 "$(grep -c '^ - n.*SLOWER' <<<"$output")"
	same "slower 2026-03-08 null null" "$(jq -r '.groups[].nodes[] | select(.set == "time taken away") | "\(.verdict) \(.since) \(.slower_percent.low) \(.least_found_percent)"' out.json)"
	grep -qE '^n007,1,slower,time taken away,2026-03-08,[0-9.]+,,,$' out.csv
	rm first/*
	dated 20 held=7 heldfrom=4 heldto=10
	try "$FLEET" --drift 7 first
	[ "$status" -eq 0 ]
	grep -q 'none of 20 nodes is found to have changed' <<<"$output"
	rm first/*
	dated 20 held=7 heldto=9
	try "$FLEET" --drift 7 first
	[ "$status" -eq 0 ]
	grep -q '^ - n007: quicker since 2026-03-08: time taken away: by ' <<<"$output"
}

@test "--drift judges a node all of whose costs are disturbed from a date on by the time that it took" {
	dated 20 held=7 heldfrom=9
	local file
	for file in first/n007-*-{9,10,11,12,13,14}.json; do
		jq -c '.runs[0].operations[].samples.measure_again = true' "$file" >other && mv other "$file"
	done
	try "$FLEET" --drift 7 first
	[ "$status" -eq 1 ]
	grep -q '^ - n007: SLOWER since 2026-03-08: time taken away: by ' <<<"$output"
}

@test "a drift of few dates is refused, with what it takes" {
	fleet 5
	refused "affinity-fleet: nothing is known of changes: 1 date, drift takes 6, each with 3 nodes" \
		"affinity-fleet --help says what --before and --drift take" -- --drift 1 first
}

# before_and_after [NAME=VALUE...]: three runs of 20 nodes before/, and three in first/, a day later.
before_and_after() {
	mkdir before
	fleet 20 runs=3 again=0 into=before seed=5
	fleet 20 runs=3 again=0 day=2 since=1 "$@"
}

@test "--before pairs nodes with themselves: what all changed by, who changed otherwise, and what differs" {
	before_and_after slow=5 what=width by=1.1 all=0.97
	rm first/n007* before/n008*
	try "$FLEET" --before before first
	[ "$status" -eq 1 ]
	same "n005: SLOWER: memory/width" "$(sed -n 's/^ - \(.*: SLOWER: [^:]*\): by \(8\.[5-9]\|9\.[0-9]\|1[01]\.[0-9]\) % (95 %: .*) against the others/\1/p' <<<"$output")"
	grep -qx "     kernel was 'Linux 6.1', now 'Linux 6.2'" <<<"$output"
	grep -qE '^ +4 +-(2\.[6-9]|3\.[0-4]) .* memory/caches$' <<<"$output"
	grep -qx ' - n007: it was measured before only' <<<"$output"
	grep -qx ' - n008: not known: it has no cost both before and after' <<<"$output"
	grep -q 'results of 20 nodes, 171 of them before' <<<"$output"
}

@test "trials are experiments of their own" {
	fleet 20 runs=3 again=0 experiments=width
	fleet 20 runs=3 again=0 experiments=width quick=1 day=2 into=again
	try "$FLEET" first again --json out.json
	[ "$status" -eq 0 ]
	same "memory/width memory/width (quick)" "$(jq -r '[.. | .resource? // empty | sub(": .*"; "")] | unique | join(" ")' out.json)"
}

@test "--before names the node from which something takes time since then" {
	mkdir before
	fleet 20 runs=3 again=0 into=before seed=5 held=99
	fleet 20 runs=3 again=0 day=2 held=7
	try "$FLEET" --before before first
	[ "$status" -eq 1 ]
	same "n007: SLOWER: time taken away" "$(sed -n 's/^ - \(.*: SLOWER: [^:]*\): by .*/\1/p' <<<"$output")"
	try "$FLEET" --before first before
	[ "$status" -eq 0 ]
	grep -q '^ - n007: quicker: time taken away: by ' <<<"$output"
}

@test "--before with one run on each side is refused" {
	before_and_after
	rm {before,first}/*-[23].json
	refused "affinity-fleet: nothing is known of changes: one run before and one after tell no spread from run to run: measure once more" \
		"affinity-fleet --help says what --before and --drift take" -- --before before first
}

@test "JSON, CSV and page of changes tell of the same node, and JSON follows its schema" {
	dated 20 slow=17 what=latency by=1.06 since=9
	try "$FLEET" --drift 7 first --json out.json --csv out.csv --page out.html
	same "n017 2026-03-08 Linux 6.2" "$(jq -r '.groups[].nodes[] | select(.verdict == "slower") | .node + " " + .since + " " + .changed_facts.kernel.after' out.json)"
	same '14 14' "$(jq -r '.groups[0] | "\(.dates | length) \(.nodes[0].course_percent | length)"' out.json)"
	same 'n017,1,slower,memory/latency,2026-03-08' "$(grep ',slower,' out.csv | cut -d, -f1-5)"
	same 21 "$(wc -l <out.csv)"
	[[ $(grep -m 1 '^<tr class=slower' out.html) == '<tr class=slower><td>n017<td>slower<td'* ]]
	[ "$(grep -c '^<tr class=' out.html)" -eq 41 ]
	before_and_after slow=5 what=width by=1.1
	"$FLEET" --before before first/*-[123].json --json both.json --csv - >other.csv || true
	jq -e '[.groups[].nodes[] | select(.verdict == "slower") | .since] == [null]' both.json
	/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || skip "the system's Python has no jsonschema"
	for file in out.json both.json; do
		/usr/bin/python3 -m jsonschema -i "$file" "$root/results/schema-fleet-changes-1.json"
	done
}

@test "a file that cannot be written is told before anything is read" {
	try "$FLEET" none --json no/where.json
	[[ ${stderr_lines[0]} == *"no/where.json"* ]]
	[ "$status" -ne 0 ]
}

@test "two nodes cannot be compared, and exit is 2" {
	fleet 2
	refused "affinity-fleet: no 3 nodes can be compared" "measure the same files on all nodes, with one build; the report's last part says what each lacks" -- first
	grep -q '^ - n002: of its kind there are 2' <<<"$output"
}

@test "wrong words are told, with what to write" {
	refused "affinity-fleet: which results?" "affinity-fleet FOLDER, such as results/ with a folder for each node" --
	refused "affinity-fleet: cannot read 'none': No such file or directory" "name folders or files with results (.json)" -- none
	refused "affinity-fleet: 'first' has no *.json" "name the folder with the results of all nodes, such as results/" -- first
	refused "affinity-fleet: --tolerance: '5' is no percentage" "such as 5%" -- --tolerance 5 first
	refused "affinity-fleet: --tolerance: 1% is not from 2% to 99%" "healthy nodes differ by up to 2 per cent" -- --tolerance 1% first
	refused "affinity-fleet: --drift: 'weekly' is no number of days" "1 to 366: how often the fleet is measured, such as 7" -- --drift weekly first
	refused "affinity-fleet: --fresh, --suspects and --metrics are about slow nodes, --before and --drift about changes" \
		"ask for them one after the other" -- --drift 7 --suspects first
	try "$FLEET" --drift 7 --before first first
	same "affinity-fleet: --before and --drift: choose one" "$stderr"
	echo '{}' >one.json
	refused "one.json: is not a result document of affinity" "affinity --json FILE ARGS OUT writes one" -- one.json
}

@test "a document on standard output has no text beside it" {
	fleet 5
	try "$FLEET" first --json -
	same "5" "$(jq '[.groups[].nodes[]] | length' <<<"$output")"
	try "$FLEET" first --csv -
	same 6 "${#lines[@]}"
	[[ ${lines[0]} == node,* ]]
}

@test "a file with two uses is refused, and an input is not lost" {
	fleet 5
	cp first/n001-width-1.json before.json
	cp before.json fresh.json
	try "$FLEET" first/n001-width-1.json --json ./first/n001-width-1.json --csv out --metrics ./out --fresh fresh.json --page fresh.json
	[ "$status" -eq 2 ]
	same "affinity-fleet: 'out' and './out' are the same file
  hint: name another: one would replace the other, or be read twice
affinity-fleet: 'first/n001-width-1.json' and './first/n001-width-1.json' are the same file
  hint: name another: one would replace the other, or be read twice
affinity-fleet: 'fresh.json' and 'fresh.json' are the same file
  hint: name another: one would replace the other, or be read twice" "$stderr"
	cmp before.json first/n001-width-1.json
	[ ! -e out ]
}

@test "the schemas in results/ are no results, and nothing is said of them; of another file that is none there is" {
	fleet 5
	cp "$BATS_TEST_DIRNAME"/../../results/schema-3.json first
	cp first/schema-3.json first/other.json
	try "$FLEET" first
	[ "$status" -eq 0 ]
	same "affinity-fleet: warning: left out: first/other.json: is not a result document of affinity" "$stderr"
}
