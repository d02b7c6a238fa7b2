#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Argument files that nobody would write: what libFuzzer makes up, what it found once, and very large ones.

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/builds.bash
source "$BATS_TEST_DIRNAME/../builds.bash"

# Seconds of CPU time, many times what an answer takes; without the limits that these tests are about most would take
# hours.
PATIENCE=60

# The programs under the sanitizers: clang's build for libFuzzer, or gcc's where clang has none.
setup_file() {
	local root=${BATS_TEST_DIRNAME%/*/*}
	unset MAKEFLAGS MFLAGS
	export SANITIZED=fuzz-quick
	"$root/scripts/fuzz" --quick 0 || {
		make -C "$root" -j "$(nproc)" sanitized
		SANITIZED=asan
	}
}

setup() {
	driver_setup
	machine "$TWO_NODES"
	unset MAKEFLAGS MFLAGS
	export LSAN_OPTIONS=suppressions=$root/tests/tools/lsan.supp:print_suppressions=0
}

# repeat N TEXT: not by a loop, every turn of which bats would take note of
repeat() {
	yes "$2" | head -n "$1" | tr -d '\n'
}

# answered EXIT MESSAGE: t.args is refused in time, and the message is among others.
answered() {
	# 4 GiB: what no plan needs
	try patient "$PATIENCE" bash -c 'ulimit -v 4194304 && exec "$@"' - "$AFFINITY" --plan t.args
	[ "$status" -eq "$1" ]
	[[ $stderr == *"$2"* ]]
	[ "${#stderr_lines[@]}" -le 41 ]
}

@test "ten seconds of made-up argument files finds nothing wrong" {
	run "$root/scripts/fuzz" --quick 10
	echo "$output"
	[ "$status" -ne 77 ] || skip "clang has no libFuzzer here (make setup installs it)"
	[ "$status" -eq 0 ]
	# clang's, of what it had to build
	run grep "warning: " "$root/build/fuzz-quick/build.log"
	[ "$status" -eq 1 ]
}

@test "a planted mistake is found by them" {
	[ -n "${AFFINITY_TURNS-}" ] || skip "takes minutes: make check-turns"
	[ -x "$root/build/fuzz-quick/affinity" ] || skip "clang has no libFuzzer here (make setup installs it)"
	(cd "$root" && cp -a --parents Makefile src kernels args scripts tests/fuzz tests/tools/lsan.supp tests/topologies \
		build/fuzz-quick "$BATS_TEST_TMPDIR")
	rm -rf build/fuzz-quick/corpus
	sed -i 's/thread >= (uint64_t)p->nthreads/thread > (uint64_t)p->nthreads/' src/core/plan/use.c
	run scripts/fuzz --quick 15
	echo "$output"
	[ "$status" -eq 1 ]
	[[ $output == *AddressSanitizer:*"in give"*"args_fuzz found something: build/fuzz-quick/found/args_fuzz-crash-"* ]]
	[[ $output == *"plan_fuzz found something: build/fuzz-quick/found/plan_fuzz-crash-"* ]]
}

@test "what was found once is answered properly under the sanitizers" {
	for file in "$root"/tests/fuzz/found/*.args; do
		machine=$(sed -n '1s/^# machine: //p' "$file")
		[[ $machine != *.xml ]] || machine=$root/tests/topologies/$machine
		machine "$machine"
		try patient "$PATIENCE" "$root/build/$SANITIZED/affinity" --plan "$file"
		echo "$file"
		[[ $status == [023] ]]
		[[ $stderr != *"does not describe a machine"* ]]
	done
}

@test "changed argument files, sweeps and documents find nothing wrong from outside, under the sanitizers" {
	run "$root/tests/fuzz/outside" --build "$root/build/$SANITIZED" --seed 1 --time 20
	echo "$output"
	[ "$status" -eq 0 ]
	[[ ${lines[-1]} == "outside: seed 1: "*" cases, "*" measured and judged, "*" refused, 0 faults" ]]
}

@test "every kernel runs under the sanitizers" {
	machine this
	cd "$root"
	run_kernels "$SANITIZED"
}

@test "results with a wrong figure, a bad exit status and a page that is not escaped are found from outside" {
	export FOUND=$PWD/found
	mkdir bad
	# shellcheck disable=SC2016 # what the script expands
	printf '%s\n' '#!/bin/bash' "'$AFFINITY' \"\$@\"; code=\$?; [[ -s o.csv ]] && sed -i '2s/,read,/,write,/; 3s/[.][0-9]/.x/' o.csv" \
		'[[ $1 != --compare ]] || exit 7' 'exit $code' >bad/affinity
	printf '%s\n' '#!/bin/bash' 'echo "<script>" >results/report.html' >bad/affinity-report
	chmod +x bad/*
	run "$root/tests/fuzz/outside" --build bad --seed 1 --count 1 documents
	echo "$output"
	[ "$status" -eq 1 ]
	[[ $output == *"case 0 of seed 1: exit 7"* && $output == *"a value is not escaped on the page"* ]]
	run "$root/tests/fuzz/outside" --build bad --seed 1 --count 12 sweeps
	echo "$output"
	[ "$status" -eq 1 ]
	[[ $output == *": figures that cannot be"* ]]
}

@test "more mistakes than anybody reads are cut off, and the exit status counts all of them" {
	printf 'opType: null\nnodePerThread: %s\n' "$(printf '%s ' x{a..e}{a..z})" >t.args
	answered 2 "t.args:2: nodePerThread: "
	[ "${stderr_lines[-1]}" = "affinity: 81 or more further mistakes are left out" ]
	[ "$(grep -c '^t.args:2: ' <<<"$stderr")" -eq 20 ]
	printf 'opType: null\nnodePerThread: 10-400 x\n' >t.args
	answered 2 "t.args:2: nodePerThread: node 10 does not exist, and at least 99 more of this kind"
}

@test "a log file by mistake is refused at its 4097th line" {
	seq -f 'key %.0f: value' 5000 >t.args
	answered 2 "t.args: has more than 4096 lines; this is not an argument file"
}

@test "far of far of far has an end" {
	printf 'opType: null\nnodePerThread: 0\nlet: X=%s0%s\n' "$(repeat 20000 'far(')" "$(repeat 20000 ')')" >t.args
	answered 2 "is neither a node's number nor a name of let"
}

@test "values that are matched with each other have a limit each" {
	printf 'nodePerThread: 0\nopType: null %s\n' "$(seq -f k%.0f -s ' ' 20000)" >t.args
	answered 2 "t.args:2: opType takes at most 1000 values"
	printf 'nodePerThread: 0\nopType: null\nlet: %s\n' "$(seq -f X%.0f=0 -s ' ' 20000)" >t.args
	answered 2 "t.args:3: let takes at most 256 values"
	printf 'nodePerThread: 0\nopType: null\nspeedup: %s\n' "$(seq -f a%.0f/b -s ' ' 20000)" >t.args
	answered 2 "t.args:3: speedup takes at most 1000 values"
	printf 'nodePerThread: 0\nopType: null\nsweep: d = 0..9999:1\nwhere: %s\n' "$(repeat 20000 'd>1,')" >t.args
	answered 2 "t.args:4: where: more than 100 conditions in all"
}

@test "what multiplies to more than memory holds is refused" {
	printf 'oversubscribe: yes\nnodePerThread: 0*65536\nopType: %s\n' "$(seq -f 'null+k%.0f' -s ' ' 17)" >t.args
	answered 2 "t.args:3: opType: 17 operations of 65536 threads are more than can be planned"
	given "oversubscribe: yes" "nodePerThread: 0*1024" "nodePerVector: 0*1025" \
		"vectorPerThread: 0-1023$(repeat 1024 ', 0-1023')"
	answered 2 "vectorPerThread: threads use vectors more than 1048576 times in all"
}

@test "as many threads and vectors as there is room for are planned" {
	given "opType: null" "oversubscribe: yes" "nodePerThread: 0*65536" "nodePerVector: 0*16" \
		"vectorPerThread: 0-65535$(repeat 15 ', 0-65535')"
	try patient "$PATIENCE" "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
}

@test "a value of a megabyte is read in one go" {
	printf 'opType: null\nnodePerThread: %s\n' "$(repeat 250000 '0 1 ')" >t.args
	answered 2 "t.args:2: nodePerThread: '0' makes more than 65536 values"
	printf 'opType: null\nnodePerThread: 0\nnodePerVector: 0\ntamPerVector: 4096\nvectorPerThread: %s\n' \
		"$(repeat 500000 '0 ')" >t.args
	answered 2 "t.args:5: vectorPerThread: '0' makes more than 65536 values"
	# shellcheck disable=SC2016 # the sweep's dollar
	printf 'sweep: d = 0 1\nopType: null\nnodePerThread: %s\n' "$(repeat 300000 '$d ')" >t.args
	answered 2 "t.args:3: nodePerThread: '0' makes more than 65536 values"
	printf 'opType: null\nnodePerThread: %s\n' "$(repeat 1000000 'x')" >t.args
	answered 2 "is neither a node's number nor a name of let"
}
