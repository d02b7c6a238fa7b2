#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What an argument file says about kernels: opType, speedupCalc and parameters, and what is refused.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	machine "$TWO_NODES"
}

# opType

@test "an unknown kernel is refused with the name that is near" {
	given "opType: raed"
	refused 2 "t.args:1: opType: unknown kernel 'raed'; did you mean 'read'?" \
		"  hint: affinity --list shows every kernel"
}

@test "a kernel with a size, as SMT-Bench writes it, is refused with the lines to write" {
	given "opType: load-dep:1024"
	refused 2 "t.args:1: opType: 'load-dep:1024' is a kernel and a size in KB, as SMT-Bench writes it" \
		"  hint: opType: load_dep and tamPerVector: 1024KiB, a value for each of the vectors"
	given "opType: frob:1024"
	refused 2 "t.args:1: opType: unknown kernel 'frob:1024'" "  hint: affinity --list shows every kernel"
	given "opType: read:big"
	refused 2 "t.args:1: opType: unknown kernel 'read:big'" "  hint: affinity --list shows every kernel"
}

@test "a stride that holds no word is refused with one that does" {
	given "opType: load_ind" "stride: 1"
	refused 2 "t.args:1: load_ind: stride = 1 bytes is not a multiple of 8; write 8B: a bare number counts elements, here of 1 byte"
}

@test "an unknown kernel that is near to none is refused without a guess" {
	given "opType: read frobnicate"
	refused 2 "t.args:1: opType: unknown kernel 'frobnicate'" \
		"  hint: affinity --list shows every kernel"
}

@test "a hyphen in a kernel's name is an underscore, in opType as in speedupCalc and for sweeps" {
	given "opType: write-read read_write" "speedupCalc: write_read/read-write"
	planned "operation write-read: thread 0 write_read, thread 1 write_read" "speedup write_read/read-write"
	given "opType: write-read write_read"
	refused 2 "t.args:1: opType: 'write_read' stands twice; samples: N sets how often each runs"
	# shellcheck disable=SC2016 # for the driver to expand
	given 'opType: $k' "sweep: k = read-write write-read"
	planned "operation read-write: thread 0 read_write, thread 1 read_write"
}

@test "a kernel that this processor cannot run is told by --list and --help, and refused" {
	machine this
	local kernel why
	# every processor lacks some: those of x86 are not Arm's
	kernel=$("$AFFINITY" --list "*" | sed -n '/; not here: /{s/ .*//p;q}')
	why=$("$AFFINITY" --list "*" | sed -n "s/^$kernel .*; not here: //p")
	[ -n "$why" ]
	try "$AFFINITY" --help "$kernel"
	[ "$status" -eq 0 ]
	[[ $output == *$'\n'"It cannot run on this machine: $why."$'\n'* ]]
	printf '%s\n' "opType: null $kernel" "nodePerThread: first" >t.args
	refused 3 "t.args:1: opType: '$kernel' cannot run on this machine: $why" \
		"  hint: affinity --list shows which kernels can"
	# what another machine's processor can do is not known here
	machine "$TWO_NODES"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
}

@test "what load_dep builds in a vector is not given to another thread to destroy" {
	local shared=("nodePerVector: 0" "vectorPerThread: 0 1") hint="  hint: give each of these threads a vector of its own"
	local what="thread 0 needs vector 0 for itself, but thread 1 uses it too"
	given "opType: load_dep+write" "${shared[@]}"
	refused 2 "$(grep -n vectorPerThread t.args | sed 's/:.*//; s/^/t.args:/'): load_dep: $what" "$hint"
	given "opType: load_dep" "${shared[@]}" # both would build at the same time
	refused 2 "$(grep -n vectorPerThread t.args | sed 's/:.*//; s/^/t.args:/'): load_dep: $what" "$hint"
	given "opType: load_dep+load_ind" "${shared[@]}"
	planned "operation load_dep+load_ind: thread 0 load_dep passes calibrated, thread 1 load_ind passes calibrated"
	given "opType: load_dep+write"
	planned "operation load_dep+write: thread 0 load_dep, thread 1 write"
}

@test "the same operation twice is refused" {
	given "opType: read write read"
	refused 2 "t.args:1: opType: 'read' stands twice; samples: N sets how often each runs"
}

@test "a+b gives the kernels to the threads in turn" {
	given "opType: read+write read+null" "nodePerThread: 0 0 1 1" "vectorPerThread: 0-3, 0"
	planned "operation read+write: thread 0 read, thread 1 write, thread 2 read, thread 3 write" \
		"operation read+null: thread 0 read, thread 1 null, thread 2 read, thread 3 null"
}

@test "a+b of an unknown kernel is refused" {
	given "opType: read+wirte"
	refused 2 "t.args:1: opType: unknown kernel 'wirte'; did you mean 'write'?" \
		"  hint: affinity --list shows every kernel"
}

@test "a+b+c needs three threads" {
	given "opType: read+write+null"
	refused 2 "t.args:1: opType: 'read+write+null' names 3 kernels, but there are only 2 threads" \
		"  hint: nodePerThread: first*3, for example, gives as many threads"
}

@test "a plus alone is no operation" {
	given "opType: +"
	refused 2 "t.args:1: opType: '+' names no kernel" \
		"  hint: affinity --list shows every kernel"
}

@test "a kernel that needs vectors is refused for a thread without one" {
	given "vectorPerThread: 0, 0"
	refused 2 "t.args:5: thread 1 runs 'read', which needs 1 vector; it has 0" \
		"  hint: nodePerVector, tamPerVector and vectorPerThread give threads vectors"
}

@test "a kernel that needs vectors is refused in a file without any" {
	printf 'opType: read\nnodePerThread: 0\n' >t.args
	refused 2 "t.args: thread 0 runs 'read', which needs 1 vector; it has 0" \
		"  hint: nodePerVector, sizePerVector and vectorPerThread give threads vectors"
}

@test "a kernel that needs no vector runs without any" {
	printf 'opType: null\nnodePerThread: 0\n' >t.args
	planned "thread 0: CPU 0, core 0, node 0, vectors none"
}

# speedupCalc

@test "a speedup of a kernel that is not run is refused, whichever side it is on" {
	given "speedup: write/read"
	refused 2 "t.args:6: speedup: 'write/read': the file does not run 'write'" \
		"  hint: both sides must be written as after 'opType:'"
	given "speedup: read/write"
	refused 2 "t.args:6: speedup: 'read/write': the file does not run 'write'" \
		"  hint: both sides must be written as after 'opType:'"
}

@test "a speedup is of the form over/under" {
	given "speedupCalc: read /read read/"
	refused 2 "t.args:6: speedupCalc: 'read' is not of the form write/read" \
		"  hint: it prints the cost of write divided by the cost of read" \
		"t.args:6: speedupCalc: '/read' is not of the form write/read" \
		"  hint: it prints the cost of write divided by the cost of read" \
		"t.args:6: speedupCalc: 'read/' is not of the form write/read" \
		"  hint: it prints the cost of write divided by the cost of read"
}

@test "a speedup of a+b is written as in opType" {
	given "opType: read+write null" "speedupCalc: read+write/null"
	planned "speedup read+write/null"
	given "opType: read+write null" "speedupCalc: read/null"
	refused 2 "t.args:6: speedupCalc: 'read/null': the file does not run 'read'" \
		"  hint: both sides must be written as after 'opType:'"
}

# Parameters of kernels

@test "argsExtra and keys of their own say the same" {
	given "argsExtra: sleep:0,100 passes:3"
	planned "operation read: thread 0 read passes 3, thread 1 read passes 3 sleep 100 ms"
	given "sleep: 0 100" "passes: 3"
	planned "operation read: thread 0 read passes 3, thread 1 read passes 3 sleep 100 ms"
}

@test "argsExtra wants name:value" {
	given "argsExtra: sleep :3 sleep: 100"
	refused 2 "t.args:6: argsExtra: 'sleep' is not of the form name:value" \
		"  hint: for example argsExtra: sleep:0,500 stride:192B" \
		"t.args:6: argsExtra: ':3' is not of the form name:value" \
		"  hint: for example argsExtra: sleep:0,500 stride:192B" \
		"t.args:6: argsExtra: 'sleep:' is not of the form name:value" \
		"  hint: for example argsExtra: sleep:0,500 stride:192B" \
		"t.args:6: argsExtra: '100' is not of the form name:value" \
		"  hint: for example argsExtra: sleep:0,500 stride:192B"
}

@test "an unknown name in argsExtra is refused with the one that is near" {
	given "argsExtra: slep:100"
	refused 2 "t.args:6: unknown key 'slep'; did you mean 'sleep'?" \
		"  hint: affinity --help keys lists every key; affinity --help KERNEL a kernel's parameters"
}

@test "a parameter that no kernel of the file takes is refused" {
	given "opType: null" "gap: 4"
	refused 2 "t.args:6: no kernel of the file takes 'gap'" \
		"  hint: gap is a parameter of traffic"
	given "opType: null" "stride: 4"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ ${stderr_lines[0]} == "t.args:6: no kernel of the file takes 'stride'" ]]
	[[ ${stderr_lines[1]} =~ ^"  hint: stride is a parameter of "[^,]+", "[^,]+", "[^,]+" and "[0-9]+" more"$ ]]
}

@test "pages of a kernel that are taken for their size are told which key that is" {
	given "opType: chase" "pages: 2M"
	refused 2 "t.args:6: unknown pages '2M'" \
		"  hint: pages is one of random, local; the size of pages is pagesPerVector"
}

@test "a parameter that one kernel of opType takes is accepted" {
	given "opType: null read" "stride: 4"
	planned
}

@test "a parameter out of range is refused once, with its range" {
	given "opType: read write" "fraction: 1.5" "passes: 0"
	refused 2 "t.args:6: fraction = 1.5 is out of range" "  hint: fraction takes 1e-12 .. 1" \
		"t.args:7: passes = 0 is out of range" "  hint: passes takes 1 .. 1000000000000"
}

@test "a stride of 0 is out of range" {
	given "stride: 0"
	try "$AFFINITY" t.args out.txt
	[ "$status" -eq 2 ]
	[[ $stderr == "t.args:6: stride = 0 is out of range"*"  hint: stride takes 1 .. 2^50 elements" ]]
}

@test "a parameter of the wrong kind is refused with the right one" {
	given "stride: wide" "order: randm" "sleep: 1h" "fraction: all"
	refused 2 "t.args:6: stride = 'wide' is not a number of elements, or of bytes such as 192B" \
		"t.args:7: unknown order 'randm'; did you mean 'random'?" \
		"  hint: order is one of forward, reverse, random" \
		"t.args:8: sleep = '1h' is not a time such as 500ms or 2s (a bare number is ms)" \
		"t.args:9: fraction = 'all' is not a fraction such as 0.5 or 50%"
}

@test "values for each thread must be as many as there are threads" {
	given "sleep: 0 1 2"
	refused 2 "t.args:6: sleep has 3 values, but there are 2 threads" \
		"  hint: one value, or one for each thread"
	given "sleep: 0 1" "nodePerThread: 0" "vectorPerThread: 0, 0"
	refused 2 "t.args:6: sleep has 2 values, but there is 1 thread" \
		"  hint: one value, or one for each thread"
}

@test "a kernel's own objection is told" {
	given "stride: 5000"
	try "$AFFINITY" t.args out.txt
	[ "$status" -eq 2 ]
	[[ $stderr == "t.args:1: read: stride = 5000 elements is above the 4096 elements that are visited" ]]
}

@test "one value of sleep is thread 1's, several are one a thread, with any unit" {
	given "sleep: 50"
	planned "operation read: thread 0 read, thread 1 read sleep 50 ms"
	given "sleep: 250us 0.5s"
	planned "operation read: thread 0 read sleep 0.25 ms, thread 1 read sleep 500 ms"
}

@test "one value of sleep for one thread is warned about, as nobody sleeps" {
	printf 'opType: null\nnodePerThread: 0\nsleep: 100\n' >t.args
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	[ "$stderr" = "affinity: warning: sleep has one value, which is thread 1's, but there is only thread 0" ]
	[[ $output == *"operation null: thread 0 null"$'\n'* ]]
}

@test "the order of accesses is in the results of each thread, however it is asked for" {
	find_obstacle
	skip_obstacle
	machine this
	local text
	# shellcheck disable=SC2016 # for the driver to expand
	for text in 'order: random=["random","random"]' 'order : random=["random","random"]' 'stride: 1=["forward","forward"]' \
		'order: random forward=["random","forward"]' 'argsExtra: order:random,reverse=["random","reverse"]'; do
		printf '%s\n' "${text%%=*}" 'kernels: read' 'nodePerThread: first*2' 'nodePerVector: first' 'sizePerVector: 64KiB' \
			'vectorPerThread: 0 1' 'samples: 1' 'placements: 1' >t.args
		"$AFFINITY" --quiet --json out.json t.args /dev/null
		same "${text#*=}" "$(jq -c '[.runs[0].operations[0].threads[].order]' out.json)"
	done
	"$AFFINITY" --quiet --set order=reverse --json out.json t.args /dev/null
	same '["reverse","reverse"]' "$(jq -c '[.runs[0].operations[0].threads[].order]' out.json)"
	# shellcheck disable=SC2016 # for the driver to expand
	"$AFFINITY" --quiet --set 'sweep=o = forward random' --set 'order=$o' --json out.json t.args /dev/null
	same '["forward","random"]' "$(jq -c '[.runs[].operations[0].threads[0].order]' out.json)"
	"$AFFINITY" --quiet --set kernels=read+null --json out.json t.args /dev/null
	same '["random",null]' "$(jq -c '[.runs[0].operations[0].threads[].order]' out.json)"
}
