#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Machines with several kinds of cores: who sits where, what is said of it, and which figures are kept apart. Whole plans:
# tests/golden/laptop-* and board-*.

bats_require_minimum_version 1.5.0 # run !

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	machine "$root/tests/topologies/laptop.xml"
	base=("opType: null" "nodePerThread: first*4" "placements: 1")
}

# cpus CPU...: the plan gives its threads these.
cpus() {
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	same "$*" "$(sed -n 's/^thread [0-9]*: CPU \([0-9]*\),.*/\1/p' <<<"$output" | paste -sd ' ')"
}

# cores KEY VALUE: t.args places threads by this key alone.
cores() {
	given "nodePerThread: 0"
	sed -i "s/^nodePerThread:.*/$1: $2/" t.args
}

# This machine's first two CPUs as two kinds of cores, measured for real.
two_kinds() {
	[[ $(usable_cpus | head -2 | paste -sd ' ') == "0 1" ]] || skip "this process may not use the CPUs 0 and 1"
	cat >two.xml <<-'END'
		<?xml version="1.0" encoding="UTF-8"?>
		<!DOCTYPE topology SYSTEM "hwloc2.dtd">
		<topology version="2.0">
		  <object type="Machine" os_index="0" cpuset="0x3" complete_cpuset="0x3" allowed_cpuset="0x3" nodeset="0x1" complete_nodeset="0x1" allowed_nodeset="0x1" gp_index="1">
		    <object type="NUMANode" os_index="0" cpuset="0x3" complete_cpuset="0x3" nodeset="0x1" complete_nodeset="0x1" gp_index="2" local_memory="1073741824"/>
		    <object type="Core" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="3">
		      <object type="PU" os_index="0" cpuset="0x1" complete_cpuset="0x1" nodeset="0x1" complete_nodeset="0x1" gp_index="4"/>
		    </object>
		    <object type="Core" os_index="1" cpuset="0x2" complete_cpuset="0x2" nodeset="0x1" complete_nodeset="0x1" gp_index="5">
		      <object type="PU" os_index="1" cpuset="0x2" complete_cpuset="0x2" nodeset="0x1" complete_nodeset="0x1" gp_index="6"/>
		    </object>
		  </object>
		  <support name="custom.exported_support"/>
		  <cpukind cpuset="0x1" forced_efficiency="0"/>
		  <cpukind cpuset="0x2" forced_efficiency="1"/>
		</topology>
	END
	machine two.xml
	export HWLOC_THISSYSTEM=1
}

@test "threads of a node fill its cores, the quickest kind first, then second hardware threads" {
	given "nodePerThread: first*5"
	cpus 0 2 4 6 8
	given "nodePerThread: first*14"
	cpus 0 2 4 6 8 12 9 13 10 14 11 15 1 3
	machine "$root/tests/topologies/board.xml"
	given "nodePerThread: first*5"
	cpus 7 4 5 6 0
}

@test "counted threads take the quickest kind first, however they are mapped" {
	machine "$root/tests/topologies/board.xml"
	for mapping in compact scatter roundrobin; do
		cores threads 5
		echo "mapping: $mapping" >>t.args
		cpus 7 4 5 6 0
		[[ $output == *"; the quickest kind of cores first"* ]]
	done
	machine "$TWO_NODES"
	try "$AFFINITY" --plan t.args
	[[ $output != *"quickest"* ]]
}

@test "threads on cores of several kinds are a warning, but not where the file names kinds or cores" {
	given
	planned "thread 3: CPU 6, core 3, node 0, kind performance, vectors none"
	given "nodePerThread: first*5"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	same "affinity: warning: threads run on cores of several kinds: performance, efficiency
  hint: corePerThread: kind(performance)* keeps to one kind; where the file names kinds or cores, they may differ" "$stderr"
	cores corePerThread "kind(performance) kind(efficiency)"
	planned "thread 1: CPU 8, core 4, node 0, kind efficiency, vectors none"
	cores cpuPerThread "0 8"
	planned "thread 1: CPU 8, core 4, node 0, kind efficiency, vectors none"
}

@test "a kind that the machine lacks is refused with the kinds that it has" {
	cores corePerThread "kind(prime)"
	refused 3 "t.args:2: corePerThread: 'kind(prime)' is not a kind of cores of this machine" \
		"  hint: kinds of cores here: performance (IntelCore), efficiency (IntelAtom)"
	cores corePerThread "kind(prime)*"
	refused 3 "t.args:2: corePerThread: 'kind(prime)' is not a kind of cores of this machine" \
		"  hint: kinds of cores here: performance (IntelCore), efficiency (IntelAtom)"
	machine "$TWO_NODES"
	cores corePerThread "kind(performance)"
	refused 3 "t.args:2: corePerThread: 'kind(performance)' is not a kind of cores of this machine" \
		"  hint: all cores here are alike, or hwloc does not know their kinds"
}

@test "a kind takes as many threads as it has hardware threads that may be used" {
	cores corePerThread "kind(performance)*8"
	cpus 0 2 4 6 1 3 5 7
	cores corePerThread "kind(performance)*9"
	refused 3 "t.args:2: corePerThread: more threads than usable hardware threads on kind performance" \
		"  hint: two threads on one hardware thread take turns and measure the scheduler; oversubscribe: yes allows it"
	sed 's/allowed_cpuset="0x0000ffff"/allowed_cpuset="0x000000f0"/' "$root/tests/topologies/laptop.xml" >m.xml
	machine m.xml
	cores corePerThread "kind(performance)*"
	cpus 4 6
	cores corePerThread "kind(efficiency)"
	refused 3 "t.args:2: corePerThread: kind efficiency has no CPU that this process may use" \
		"  hint: CPUs that may be used here: 4-7"
}

@test "kinds without a known order have numbers" {
	sed 's/ forced_efficiency="[0-9]*"//' "$root/tests/topologies/board.xml" >m.xml
	machine m.xml
	try "$AFFINITY" --topology
	[ "$status" -eq 0 ]
	[[ $output == *"kind 0: rank unknown (the system says no more of them), 4 cores, CPUs 0-3"* ]]
	cores corePerThread "kind(1)*"
	cpus 4 5 6
}

@test "a machine of one kind names none" {
	machine "$TWO_NODES"
	given "nodePerThread: 0 1"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	[[ $output != *kind* && -z $stderr ]]
	try "$AFFINITY" --topology
	[[ $output != *kind* ]]
}

@test "a sweep marks the run in which another kind of cores begins, but not where the file names cores" {
	# shellcheck disable=SC2016 # for the driver to expand
	given "sweep: n = 3..6:1" 'nodePerThread: first*$n'
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	same "run 3 of 4: n=5
from here on also on cores of kind: efficiency" "$(grep -B1 'from here on' <<<"$output")"
	# shellcheck disable=SC2016
	cores corePerThread '$c'
	echo "sweep: c = cores" >>t.args
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	[[ $output != *"from here on"* ]]
}

@test "the report and the document name the kind of each thread's core" {
	skip_obstacle
	two_kinds
	# shellcheck disable=SC2016
	given "sweep: n = 1 2" 'nodePerThread: first*$n' "numIter: 2" "table: cost rows=n"
	measured
	grep -q ' - Thread 0     node: 0     vector: -         CPU 1, core 1, kind performance$' out.txt
	grep -q ' - Thread 1     node: 0     vector: -         CPU 0, core 0, kind efficiency$' out.txt
	grep -q '^ - from this run on also on cores of kind: efficiency$' out.txt
	grep -q '^from n=2 on, threads also run on cores of kind: efficiency$' out.txt
	holds '[.runs[1].threads[].kind] == ["performance", "efficiency"] and .runs[1].kinds_begin == "efficiency"
		and (.runs[0] | has("kinds_begin") | not) and .environment.core_kinds == ["performance", "efficiency"]
		and .tables[0].row_begins == [null, "kind efficiency"]
		and [.runs[1].threads[].cpu_shown_by] == ["sched_getaffinity", "sched_getaffinity"]'
	grep -q '^ - CPUs of threads 0-1: shown by sched_getaffinity$' out.txt
	same "0,performance 1,efficiency" "$(awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$(at["run"]) == 1 { seen[$(at["thread"]) "," $(at["kind"])] } END { for (s in seen) print s }' out.csv | sort | paste -sd ' ')"
}

@test "a machine of one kind has none in CSV, tables and pictures" {
	skip_obstacle
	unset HWLOC_XMLFILE HWLOC_SYNTHETIC
	with_gnuplot
	# shellcheck disable=SC2016
	given "sweep: d = 1 2" 'passes: $d' "nodePerThread: first" "opType: fp_add" "numIter: 2" "table: cost rows=d" "plot: cost x=d"
	measured
	holds 'if .runs[0].threads[0].kind == null then (.tables[0] | has("row_begins") | not) else true end'
	[[ $(sed -n 1p out.csv) == *,cpu_found,kind,vectors,* ]]
	run ! grep -q 'nohead dt 3' script
}

# What gnuplot would be told: a stand-in writes it down.
with_gnuplot() {
	mkdir -p bin
	printf '#!/bin/sh\ncat >>%s/script\necho "<svg/>"\n' "$PWD" >bin/gnuplot
	chmod +x bin/gnuplot
	PATH=$PWD/bin:$PATH
}

@test "pictures mark where a sweep reaches another kind of cores" {
	skip_obstacle
	two_kinds
	with_gnuplot
	# shellcheck disable=SC2016
	given "sweep: n = 1 2" 'nodePerThread: first*$n' "numIter: 2" "plot: cost x=n"
	measured
	grep -qx "set arrow from first 2, graph 0 to first 2, graph 1 nohead dt 3 .*" script
	grep -qx 'set label "kind efficiency" at first 2, .*' script
	rm script
	# bars: before the second group
	# shellcheck disable=SC2016
	given "sweep: n = first*1 first*2" 'nodePerThread: $n' "numIter: 2" "plot: cost x=n"
	measured
	grep -qx "set arrow from first 0.5, graph 0 to first 0.5, graph 1 nohead dt 3 .*" script
	rm script
	# shellcheck disable=SC2016
	given "sweep: n = 1 2" 'corePerThread: 0-1' "numIter: 2" "plot: cost x=n" 'passes: $n'
	sed -i /nodePerThread/d t.args
	measured
	run ! grep -q 'nohead dt 3' script
}

@test "the page names the kinds of cores and where a sweep reaches them" {
	skip_obstacle
	two_kinds
	# shellcheck disable=SC2016
	given "sweep: n = 1 2" 'nodePerThread: first*$n' "numIter: 2" "table: cost rows=n cols=thread"
	mkdir -p results/own
	try "$AFFINITY" --json results/own/mine.json t.args results/own/mine.txt
	[ "$status" -eq 0 ]
	try "$root/scripts/report" results
	[ "$status" -eq 0 ]
	grep -q '<th scope=row>kinds of cores</th><td>performance, efficiency</td>' results/report.html
	grep -q '<tr class=begins><th scope=row>2 (kind efficiency begins)</th>' results/report.html
	grep -q '<p class=kinds>Kind performance: t0.</p>' results/report.html
}

@test "figures over threads keep the kinds of cores apart" {
	skip_obstacle
	two_kinds
	given "nodePerThread: first*2" "opType: fp_add int_add" "speedupCalc: fp_add/int_add" "solo: yes" "numIter: 2" \
		"mode: time:30ms" "table: cost rows=thread cols=operation mean=geometric"
	measured
	grep -Eq '^ +\| performance: +[0-9.]+ +[0-9.]+' out.txt
	grep -Eq '^ +\| efficiency: +[0-9.]+ +[0-9.]+' out.txt
	grep -Eq '^ +\| Total: +[0-9.]+ +[0-9.]+' out.txt
	[ "$(grep -c '| overhead of performance:' out.txt)" -eq 2 ]
	[ "$(grep -c '| overhead:' out.txt)" -eq 0 ]
	holds '[ops.kinds[].kind] == ["performance", "efficiency", "performance", "efficiency"]
		and all(ops; .together.ns_per_unit.value == null and all(.kinds[]; .together.ns_per_unit.value > 0))
		and (.runs[0].speedups[0].kinds | keys) == ["efficiency", "performance"]
		and all(.runs[0].solo.operations[]; .overhead_percent.value == null and .kinds.efficiency.value != null)
		and all(.tables[0].cells[-1][]; .value == null) and .tables[0].cells[0][-1].value > 0'
	given "nodePerThread: first*1" "opType: fp_add" "numIter: 2"
	measured
	[ "$(grep -c '| performance:' out.txt)" -eq 0 ]
	holds '(ops | has("kinds") | not)'
}

# Counters

@test "an event that one kind of cores does not count is n/a there, and in sums with it" {
	skip_obstacle
	ldd "$AFFINITY" | grep -q libpapi || skip "built without PAPI"
	shims_setup
	two_kinds
	given "nodePerThread: first*2" "opType: null" "numIter: 2" "counters: PAPI_TOT_INS PAPI_LD_INS"
	under papi "PAPI_EVENTS=PAPI_TOT_INS=6000000 PAPI_LD_INS=1000000" PAPI_ONLY=PAPI_LD_INS=1 \
		"$AFFINITY" --quiet --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	holds '[threads.counters.PAPI_LD_INS.value] == [1000000, null]
		and [threads.counters.PAPI_TOT_INS.value] == [6000000, 6000000]
		and (.counting.passes[].events[] | select(.event == "PAPI_LD_INS").remark) == "counts on cores of some kinds only; n/a on the others"
		and (.counting.passes[].events[] | select(.event == "PAPI_TOT_INS").remark) == ""'
	# and so in the mix of each thread
	given "nodePerThread: first*2" "opType: null" "numIter: 2" "counters: mix"
	under papi "PAPI_EVENTS=PAPI_TOT_INS=6000000 PAPI_TOT_CYC=3000000 PAPI_BR_INS=1000000 PAPI_LD_INS=1000000" PAPI_ONLY=PAPI_LD_INS=1 \
		"$AFFINITY" --quiet --mix mix.csv t.args out.txt
	same $'null,0,counted,6000000,0.1667,,,0.1667,\nnull,1,counted,6000000,0.1667,,,,' "$(sed 1d mix.csv)"
	# with both threads on the kind that it does not count on, it is still known that it counts on the other
	given "nodePerThread: first*1" "opType: null" "numIter: 2" "counters: PAPI_LD_INS" "corePerThread: kind(efficiency)"
	sed -i /^nodePerThread/d t.args
	under papi "PAPI_EVENTS=PAPI_LD_INS=1000000" PAPI_ONLY=PAPI_LD_INS=1 \
		"$AFFINITY" --quiet --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	holds '[threads.counters.PAPI_LD_INS.value] == [null]'
}

# affinity-map

@test "affinity-map names the kinds of each program's CPUs" {
	try "$AFFINITY-map" --plan --threads 5,3 --mapping roundrobin -- true : false
	[ "$status" -eq 0 ]
	[[ $output == *"the quickest kind of cores first"* ]]
	same " program 0, 5 threads: CPU 0,4 (performance), 8,10,11 (efficiency)
 program 1, 3 threads: CPU 2,6 (performance), 9 (efficiency)" "$(grep '^ program' <<<"$output")"
	machine "$TWO_NODES"
	try "$AFFINITY-map" --plan --threads 2 --mapping compact -- true
	[[ $output == *" program 0, 2 threads: CPU 0,1" ]]
}

@test "affinity-map warns where two mappings give a program cores of other kinds" {
	try "$AFFINITY-map" --plan --threads 8 --mapping compact,scatter,roundrobin -- true : false
	[ "$status" -eq 0 ]
	same "affinity-map: warning: mapping scatter gives 'true' cores of other kinds than compact: the ratio of their times compares cores too
  hint: taskset -c with the CPUs of one kind keeps to that kind; affinity --topology lists them
affinity-map: warning: mapping roundrobin gives 'true' cores of other kinds than compact: the ratio of their times compares cores too
  hint: taskset -c with the CPUs of one kind keeps to that kind; affinity --topology lists them" "$stderr"
	try "$AFFINITY-map" --plan --threads 2 --mapping compact,scatter,os -- true
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	# of pairs each mapping is told once
	try "$AFFINITY-map" --plan --pairs --threads 8 --mapping compact,scatter -- true : false : echo
	[ "$status" -eq 0 ]
	same "affinity-map: warning: mapping scatter gives 'true' cores of other kinds than compact: the ratio of their times compares cores too
  hint: taskset -c with the CPUs of one kind keeps to that kind; affinity --topology lists them" "$stderr"
}

@test "the document of affinity-map has the kinds of each program's CPUs" {
	skip_obstacle
	two_kinds
	"$AFFINITY-map" --threads 2 --runs 1 --mapping compact --json out.json --out out.txt -- true
	jq -e '.mappings[0].programs[0] | .cpus == [1, 0] and .kinds == ["performance", "efficiency"]' out.json
}
