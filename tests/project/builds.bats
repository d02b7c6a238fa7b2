#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The same sources with the other compiler, without PAPI, and under the sanitizers: no warning, the unit tests
# pass, and every kernel runs.

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	# make's own flags (-j of the make that runs these tests) would reach the make below
	unset MAKEFLAGS MFLAGS
	export LSAN_OPTIONS=suppressions=$PWD/tests/tools/lsan.supp:print_suppressions=0
}

# A build of its own below build/, kept between runs so that only what changed is built again. Locked: the fuzzers'
# tests, which may run at the same time, need one of them too.
build() { # NAME VARIABLE=VALUE...
	local name=$1
	shift
	mkdir -p build
	flock "build/$name.lock" make -j "$(nproc)" "BUILD=build/$name" "$@" all units
}

run_units() { # NAME
	local program failed=0
	for program in "build/$1"/tests/unit/*/*_test; do
		"$program" > "$BATS_TEST_TMPDIR/out" 2>&1 || { failed=1 && cat "$BATS_TEST_TMPDIR/out"; }
	done
	return "$failed"
}

# What kernels can be given, the first that suits: two vectors, one of floating point; one; two or three alike; one of
# ints.
shapes=('char double' 'double' 'double double' 'double double double' 'int')

# A file of one thread with these vectors, for kernels that the caller names.
shaped() { # TYPES KERNELS
	local vectors
	read -ra vectors <<<"$1"
	cat <<-END
		opType: $2
		nodePerThread: first
		nodePerVector: first*${#vectors[@]}
		tamPerVector: 64KiB*
		typePerVector: $1
		vectorPerThread: own
		numIter: 2
	END
}

# Every kernel that can run here alone, each on vectors that it takes, and pingpong, which takes two threads.
run_kernels() { # NAME
	local kernel shape all=0 ran=0
	local -A fitting
	for kernel in $("build/$1/affinity" --list | awk '$1 != "pingpong" && !/; not here: / { print $1 }'); do
		all=$((all + 1))
		for shape in "${shapes[@]}"; do
			shaped "$shape" "$kernel" >"$BATS_TEST_TMPDIR/one.args"
			! ./affinity --plan "$BATS_TEST_TMPDIR/one.args" >"$BATS_TEST_TMPDIR/plan" 2>&1 || break
		done
		fitting[$shape]+=" $kernel"
	done
	for shape in "${!fitting[@]}"; do
		shaped "$shape" "${fitting[$shape]}" >"$BATS_TEST_TMPDIR/all.args"
		"build/$1/affinity" --quiet --json "$BATS_TEST_TMPDIR/o.json" --csv "$BATS_TEST_TMPDIR/o.csv" \
			"$BATS_TEST_TMPDIR/all.args" "$BATS_TEST_TMPDIR/o.txt"
		ran=$((ran + $(jq '.runs[0].operations | length' "$BATS_TEST_TMPDIR/o.json")))
	done
	[ "$ran" -eq "$all" ]
	printf '%s\n' 'opType: pingpong' 'nodePerThread: first*2' 'oversubscribe: yes' 'nodePerVector: first' \
		'tamPerVector: 64B' 'vectorPerThread: 0 1' 'numIter: 2' 'rounds: 10' > "$BATS_TEST_TMPDIR/two.args"
	"build/$1/affinity" --quiet "$BATS_TEST_TMPDIR/two.args" /dev/null
}

needs() { # COMPILER
	command -v "$1" > /dev/null || skip "$1 is not installed (make setup installs it)"
}

@test "clang builds without a warning, its unit tests pass and its kernels run" {
	needs clang
	build clang CC=clang CFLAGS='-g -Werror'
	run_units clang
	run_kernels clang
}

@test "clang's hot loops hold the loads and stores that they claim" {
	needs clang
	AFFINITY_BUILD=build/clang bats --filter 'as make built it' tests/objects/loops.bats
}

@test "gcc builds without PAPI, without a warning, and says so in its report" {
	build nopapi PAPI=no CFLAGS='-g -Werror'
	run_units nopapi
	run_kernels nopapi
	grep -q 'hardware_counters: none: built without PAPI' "$BATS_TEST_TMPDIR/o.txt"
	build/nopapi/affinity-map --out "$BATS_TEST_TMPDIR/report" -- true
	grep -qF "'true' is known (--profile; built without PAPI)" "$BATS_TEST_TMPDIR/report"
}

@test "nothing is misused or leaked under gcc's address and undefined behaviour sanitizers" {
	build asan SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all' CFLAGS='-g -O1'
	run_units asan
	run_kernels asan
}

@test "nothing is misused under clang's address and undefined behaviour sanitizers" {
	needs clang
	build clang-asan CC=clang SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all' CFLAGS='-g -O1'
	run_units clang-asan
	run_kernels clang-asan
}
