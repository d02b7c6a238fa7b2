#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Threads that are only counted: threads, mapping, mappingBy, profile. Whole plans: tests/golden/*mapping*.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	machine "$TWO_NODES"
	base=(
		"opType: read"
		"threads: 3"
		"nodePerVector: 0"
		"tamPerVector: 4KiB"
		"vectorPerThread: 0-2"
	)
	printf '%s\n' kernel,type,share read,load,0.5 write,load,0.1 read,store,0 write,store,n/a >mix.csv
}

# cpus CPU...: the plan gives its threads these.
cpus() {
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	same "$*" "$(sed -n 's/^thread [0-9]*: CPU \([0-9]*\),.*/\1/p' <<<"$output" | paste -sd ' ')"
}

@test "counted threads are compact unless mapped otherwise" {
	given
	cpus 0 1 2
	given "mapping: compact"
	cpus 0 1 2
	given "mapping: scatter"
	cpus 0 4 2
	given "mapping: roundrobin"
	cpus 0 2 4
}

@test "a thread with most and one with fewest instructions of a type share a core, and the plan says why" {
	given "threads: 6" "vectorPerThread: 0-5" "opType: read+write" "mapping: instruction" "profile: mix.csv"
	planned "mapping instruction: sorted by load, whose share differs most (shares: branch not known, fp not known, int not known, load 0.100 .. 0.500, store not known)" \
		"thread 0: CPU 0, core 0, node 0, vectors 0, shares its core" \
		"thread 5: CPU 1, core 0, node 0, vectors 0, shares its core"
	given "mapping: instruction" "profile: mix.csv" "mappingBy: load"
	planned "mapping instruction: all threads have the same share of load: they keep their order (shares: branch not known, fp not known, int not known, load 0.500 .. 0.500, store 0.000 .. 0.000)"
}

@test "a thread that runs several kernels has the mean of their mixes" {
	given "opType: read write" "mapping: instruction" "profile: mix.csv"
	planned "mapping instruction: all threads have the same share of every type that is known: they keep their order (shares: branch not known, fp not known, int not known, load 0.300 .. 0.300, store not known)"
}

@test "with a+b* the threads that are left have the mix of b" {
	given "threads: 6" "vectorPerThread: 0-5" "mapping: instruction" "profile: mix.csv" "opType: write+read*"
	cpus 1 0 2 4 6 3 # the only one that loads little shares a core with the first of the others
	[[ $output == *"load 0.100 .. 0.500"* ]]
	given "opType: write*" "mapping: instruction" "profile: mix.csv"
	cpus 0 2 4
	given "threads: 4" "vectorPerThread: 0-3" "mapping: instruction" "profile: mix.csv" "opType: read+null*"
	refused 2 "t.args:7: profile: 'mix.csv' has no mix of the kernel 'null'" \
		"  hint: mapping: instruction must know the mix of every kernel of the file"
}

@test "a profile lies beside the argument file that names it, and where --set says" {
	mkdir folder
	mv mix.csv folder
	given "mapping: instruction" "profile: mix.csv"
	mv t.args folder
	try "$AFFINITY" --plan folder/t.args
	[ "$status" -eq 0 ]
	try "$AFFINITY" --plan --set profile=folder/mix.csv folder/t.args
	[ "$status" -eq 0 ]
	try "$AFFINITY" --plan --set profile=mix.csv folder/t.args
	[ "$status" -eq 2 ]
	same "--set: cannot read the profile 'mix.csv': No such file or directory
  hint: scripts/profile PROGRAM writes one of a program, affinity --mix FILE one of kernels" "$stderr"
}

@test "mixes that are missing, unknown or wrong are refused" {
	given "mapping: instruction"
	refused 2 "t.args:6: mapping: instruction needs the instruction mix of every kernel" \
		"  hint: profile: FILE.csv, with the columns kernel,type,share"
	given "mapping: instruction" "profile: mix.csv" "opType: null"
	refused 2 "t.args:7: profile: 'mix.csv' has no mix of the kernel 'null'" \
		"  hint: mapping: instruction must know the mix of every kernel of the file"
	given "opType: read+write" "mapping: instruction" "profile: mix.csv" "mappingBy: store"
	refused 3 "t.args:2: mapping: the share of store instructions is not known for every thread (branch not known, fp not known, int not known, load 0.100 .. 0.500, store not known)" \
		"  hint: the profile must give every kernel of the file the type to sort by, which mappingBy names"
	printf '%s\n' kernel,type,share read,load,0.5 write,store,0.1 >apart.csv
	given "threads: 9" "vectorPerThread: 0-8" "opType: read+write" "mapping: instruction" "profile: apart.csv" "oversubscribe: yes"
	refused 3 "t.args:2: mapping: there is no type of instructions whose share is known for every thread (branch not known, fp not known, int not known, load not known, store not known)" \
		"  hint: the profile must give every kernel of the file the type to sort by, which mappingBy names"
	echo 'read,load,1.5' >>mix.csv
	given "mapping: instruction" "profile: mix.csv"
	refused 2 "mix.csv:6: '1.5' is not a share" "  hint: the part of all instructions, 0 .. 1 or 0% .. 100%; or n/a"
}

@test "more threads than hardware threads are refused unless they may take turns" {
	local mapping
	for mapping in compact scatter roundrobin os instruction; do
		given "threads: 9" "vectorPerThread: 0-8" "mapping: $mapping" "profile: mix.csv"
		refused 3 "t.args:2: mapping: 9 threads, but only 8 hardware threads that may be used" \
			"  hint: oversubscribe: yes lets threads take turns"
		given "threads: 9" "vectorPerThread: 0-8" "mapping: $mapping" "profile: mix.csv" "oversubscribe: yes"
		try "$AFFINITY" --plan t.args
		[ "$status" -eq 0 ]
	done
}

@test "two ways to place threads, and a mapping without threads, contradict each other" {
	given "nodePerThread: 0*3"
	refused 2 "t.args:2: both nodePerThread and threads say where threads run; keep one"
	base=("${base[@]/threads: 3/corePerThread: 0-2}")
	given "mapping: os"
	refused 2 "t.args:6: mapping is for threads that have no place; corePerThread gives them one" \
		"  hint: threads: N in place of corePerThread says how many there are"
}

@test "wrong values are told with what is right" {
	given "threads: 0" "mapping: scater" "mappingBy: loads"
	refused 2 "t.args:2: threads = 0 is out of range" "  hint: threads takes 1 .. 65536" \
		"t.args:6: unknown mapping 'scater'; did you mean 'scatter'?" \
		"  hint: mapping is one of compact, scatter, roundrobin, os, instruction, random, gomp" \
		"t.args:7: unknown mappingBy 'loads'; did you mean 'load'?" \
		"  hint: mappingBy is one of branch, fp, int, load, store, spread"
}

@test "threads of mapping: os are measured unbound, and the results say where they ran" {
	skip_obstacle
	machine this
	given "threads: 1" "vectorPerThread: 0" "mapping: os" "nodePerVector: first" "numIter: 3" "initPerVector: owner"
	try "$AFFINITY" --quiet --json out.json --csv out.csv t.args -
	[ "$status" -eq 0 ]
	[[ $output == *$'\n - Mapping os: not bound, the operating system decides\n - Thread 0     node: any '*" not bound"$'\n'* ]]
	[[ $output =~ $'\n+ Threads that are not bound\n - read: thread 0 seen on CPU '[0-9,-]+', '([0-9]+|n/a) ]]
	[[ ${output/moved 0/} != *"moved"[^a]* ]]
	# node and cpu_asked are empty, cpu_found is not
	same "0,," "$(tail -n +2 out.csv | cut -d, -f11,12,13 | sort -u)"
	[[ $(tail -n 1 out.csv | cut -d, -f14) =~ ^[0-9]+$ ]]
	command -v jq >/dev/null || skip "jq is not installed (make setup installs it)"
	jq -e '.runs[0] | .mapping.mapping == "os" and .mapping.sorted_by == null and .threads[0].cpu == null
		and .threads[0].node == null and .threads[0].core == null and .operations[0].samples.moved == 0' out.json
	same "$(sed -n 's/^ - read: thread 0 seen on CPU \([0-9,-]*\), .*/\1/p' <<<"$output")" "$(jq -r '.runs[0].operations[0].threads[0].ran_on.cpus' out.json)"
}

@test "what scripts/mix writes of this build's kernels is a profile" {
	command -v objdump >/dev/null || skip 'objdump is not installed (make setup installs it)'
	"$root/scripts/mix" fp_add int_add >mix.csv
	given "opType: fp_add+int_add" "threads: 8" "vectorPerThread: 0-7" "mapping: instruction" "profile: mix.csv"
	cpus 0 7 2 5 4 3 6 1 # an even (fp) and an odd one (int) on each core
	[[ $output == *"mapping instruction: sorted by fp, whose share differs most"* ]]
}

@test "threads in a node with several L3 caches are spread over them, packed if so asked" {
	machine "pack:1 [numa(memory=256GB)] l3:8(size=32MB) core:8 pu:2"
	base=("opType: null")
	given "threads: 8" "mapping: scatter"
	cpus 0 16 32 48 64 80 96 112
	given "nodePerThread: first*8"
	cpus 0 16 32 48 64 80 96 112
	machine "pack:2 [numa(memory=256GB)] l3:4(size=32MB) core:8 pu:2"
	given "threads: 4" "mapping: scatter"
	cpus 0 64 16 80
	given "threads: 4" "mapping: scatter:L3"
	cpus 0 16 32 48
	grep -qx 'mapping scatter:L3: places of L3 in turn, whole cores before siblings' <<<"$output"
	given "threads: 4" "mapping: roundrobin:L3"
	cpus 0 16 32 48
	grep -qx 'mapping roundrobin:L3: places of L3 in turn, whole cores before siblings' <<<"$output"
	given "threads: 4" "mapping: roundrobin:die"
	refused 3 "t.args:3: mapping: roundrobin:die: this machine shows no die" \
		"  hint: levels here: package = node 0-1, L3 = LLC 0-7, core 0-63, pu 0-127"
	given "threads: 4" "mapping: scatter:die"
	refused 3 "t.args:3: mapping: scatter:die: this machine shows no die" \
		"  hint: levels here: package = node 0-1, L3 = LLC 0-7, core 0-63, pu 0-127"
	given "threads: 4" "mapping: scatter:pu"
	refused 2 "t.args:3: mapping: scatter:pu: threads go to whole cores first" \
		"  hint: scatter spreads them over cores, and then over what is in these"
	machine "pack:1 [numa(memory=256GB)] l3:8(size=32MB) core:8 pu:2"
	given "nodePerThread: first*3" # a place counts the threads of all words
	sed -i 's/first\*3/first first*2/' t.args
	cpus 0 16 32
	given "placePerThread: packed(node(0))*8"
	cpus 0 2 4 6 8 10 12 14
	given "placePerThread: L3(each)*2"
	cpus 0 16 32 48 64 80 96 112 2 18 34 50 66 82 98 114
	given "placePerThread: L3(1-2)*"
	cpus 16 18 20 22 24 26 28 30 32 34 36 38 40 42 44 46
	given "placePerThread: S0:0-1 E:C1:2 L3(7):core(7):pu(1)"
	cpus 0 2 16 17 127
	grep -qx 'places: package(0):core(0-1) pu(16) pu(17) L3(7):core(7):pu(1)' <<<"$output"
	given "placePerThread: L3(0)*17"
	refused 3 "t.args:2: placePerThread: more threads than usable hardware threads on L3 0" \
		"  hint: two threads on one hardware thread take turns and measure the scheduler; oversubscribe: yes allows it"
	given "placePerThread: L3(each)*65536"
	refused 2 "t.args:2: placePerThread: more than 65536 threads"
	given "placePerThread: L3(0)" "nodePerThread: 0"
	refused 2 "t.args:2: both nodePerThread and placePerThread say where threads run; keep one"
}

@test "a sweep goes through places, up to how many there are, and up to the cores of one" {
	machine "pack:1 [numa(memory=256GB)] l3:4(size=32MB) core:8 pu:2"
	base=("opType: null" "placePerThread: \$p")
	values() { # VALUES EXPECTED
		given "sweep: p = $1" "${@:3}"
		try "$AFFINITY" --plan t.args
		same "$2" "$(sed -n 's/^run [0-9]* of [0-9]*: p=//p' <<<"$output" | paste -sd ' ')"
	}
	values "L3(each)" "L3(0) L3(1) L3(2) L3(3)"
	values "node(0):L3(each)" "node(0):L3(0) node(0):L3(1) node(0):L3(2) node(0):L3(3)"
	values "1..cores(L3(0))*2 cpus(node(0):L3(0))..cpus(node(0):L3(0))" "1 2 4 8 16" "placePerThread: L3(0)*\$p"
	values "1..count(L3)" "1 2 3 4" "placePerThread: L3(each)*\$p"
	values "cores(L3(1):core(0-1)) cpus(core(0))" "8 9 0 1" "placePerThread: core(\$p)"
	given "sweep: p = 1..cores(L4(0))"
	refused 3 "t.args:3: sweep: 'L4(0)': this machine shows no L4" \
		"  hint: levels here: package = node 0, L3 = LLC 0-3, core 0-31, pu 0-63"
	given "sweep: p = cores(0)"
	refused 2 "t.args:3: sweep: '0' is not a place" \
		"  hint: a place is LEVEL(NUMBER), inside others after a colon: L3(each), package(1):core(0-3); levels here: package = node 0, L3 = LLC 0-3, core 0-31, pu 0-63"
}
