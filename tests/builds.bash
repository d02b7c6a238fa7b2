#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds of the same sources with other compilers and flags, for the .bats files that try them.

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return
	# make's own flags (-j of the make that runs these tests) would reach the make below
	unset MAKEFLAGS MFLAGS
	export LSAN_OPTIONS=suppressions=$PWD/tests/tools/lsan.supp:print_suppressions=0
}

# A build of its own below build/, kept between runs so that only what changed is built again. Locked: the fuzzers'
# tests, which may run at the same time, need one of them too.
build() { # NAME TARGET|VARIABLE=VALUE...
	local name=$1
	shift
	mkdir -p build
	flock "build/$name.lock" make -j "$(nproc)" "BUILD=build/$name" "$@"
}

# The unit tests of a room.
units_of() { # NAME ROOM
	local test
	for test in tests/unit/"$2"/*_test.c; do
		echo "build/$1/${test%.c}"
	done
}

run_units() { # NAME
	local program failed=0
	for program in "build/$1"/tests/unit/*/*_test; do
		"$program" > "$BATS_TEST_TMPDIR/out" 2>&1 || { failed=1 && cat "$BATS_TEST_TMPDIR/out"; }
	done
	return "$failed"
}

# What kernels can be given, the first that suits: two vectors, one of floating point; one; two or three alike; one of
# ints, one of bytes.
shapes=('char double' 'double' 'double double' 'double double double' 'int' 'char')

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
		placements: 1
	END
}

# Every kernel that can run here alone, each on vectors that it takes; those that take two threads; migrate and
# migrate_use, whose pages stay where they are; and kvread, with contexts that are small enough.
run_kernels() { # NAME
	local kernel shape all=0 ran=0
	local -A fitting
	for kernel in $("build/$1/affinity" --list "*" | awk '$1 !~ /^(pingpong|wake|queue|bystander)$/ && $1 !~ /^migrate/ && $1 != "kvread" && !/; not here: / { print $1 }'); do
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
	for kernel in pingpong wake queue unmap+bystander; do
		printf '%s\n' "opType: $kernel" 'nodePerThread: first*2' 'oversubscribe: yes' 'nodePerVector: first' \
			'tamPerVector: 64KiB' 'vectorPerThread: 0 1' 'numIter: 2' > "$BATS_TEST_TMPDIR/two.args"
		"build/$1/affinity" --quiet "$BATS_TEST_TMPDIR/two.args" /dev/null
	done
	{ shaped double migrate && echo 'there: yes'; } >"$BATS_TEST_TMPDIR/one.args"
	"build/$1/affinity" --quiet "$BATS_TEST_TMPDIR/one.args" /dev/null
	{ shaped double migrate_use && echo 'mover: none'; } >"$BATS_TEST_TMPDIR/one.args"
	"build/$1/affinity" --quiet "$BATS_TEST_TMPDIR/one.args" /dev/null
	{ shaped double kvread && printf '%s\n' 'context: 16' 'columns: 128'; } >"$BATS_TEST_TMPDIR/one.args"
	"build/$1/affinity" --quiet "$BATS_TEST_TMPDIR/one.args" /dev/null
}

needs() { # COMPILER
	command -v "$1" > /dev/null || skip "$1 is not installed (make setup installs it)"
}
