#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What --plan and --topology say of machines that we lack, in full: tests/golden, by scripts/golden.

bats_require_minimum_version 1.5.0 # run --separate-stderr

# All cases run once; the tests look at what differed.
setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	unset HWLOC_SYNTHETIC HWLOC_XMLFILE
	local begin end
	begin=$(date +%s%N)
	! scripts/golden >"$BATS_FILE_TMPDIR/told" 2>&1 || echo as expected >>"$BATS_FILE_TMPDIR/told"
	end=$(date +%s%N)
	echo "# all plans took $(((end - begin) / 1000000)) ms" >&3
}

# expected PATTERN...: there are cases of these names, and none of them differed.
expected() {
	local pattern case
	for pattern in "$@"; do
		for case in tests/golden/$pattern.out; do
			[ -e "$case" ]
			run sed -n "\\|^--- $case\$|,/^golden: /p" "$BATS_FILE_TMPDIR/told"
			echo "$output"
			[ -z "$output" ]
		done
	done
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	unset HWLOC_SYNTHETIC HWLOC_XMLFILE
}

# A copy of the script beside a single case, to see what it makes of changes.
scratch_golden() {
	cp -r --parents scripts/golden tests/golden/one-all.* "$BATS_TEST_TMPDIR"
	case ${AFFINITY_BUILD:-build} in
	build) AFFINITY_BUILD=$PWD ;;
	/*) ;;
	*) AFFINITY_BUILD=$PWD/$AFFINITY_BUILD ;;
	esac
	export AFFINITY_BUILD
	cd "$BATS_TEST_TMPDIR" || return 1
	mkdir args tests/topologies
}

@test "a machine of one node is planned as expected, and what it lacks is refused" {
	expected 'one-*'
}

@test "cores, hardware threads, policies and sizes on two nodes are planned as expected" {
	expected 'two-*'
}

@test "far and near on a ring of four nodes are planned as expected" {
	expected 'ring-*'
}

@test "eight nodes of sixteen cores of two hardware threads are planned as expected" {
	expected 'eight-*'
}

@test "two memory nodes in a package take vectors, and one of them threads" {
	expected 'dual-*'
}

@test "a node without CPUs takes vectors and no threads" {
	expected 'memory-*'
}

@test "nine nodes of which one has CPUs are planned as expected" {
	expected 'grace-*'
}

@test "holes in the numbers, and what is not ours, are planned around" {
	expected 'holes-*'
}

@test "two and three kinds of cores are named, chosen and filled as expected" {
	expected 'laptop-*' 'board-*'
}

@test "kinds of memory, memory-side caches and the memory of GPUs are planned as expected" {
	expected 'tiers-*' 'memcache-*' 'gpu-*'
}

@test "64 nodes of 1024 CPUs are planned as expected" {
	expected 'huge-*'
	local begin end
	begin=$(date +%s%N)
	HWLOC_SYNTHETIC=$(sed -n '1s/^# machine: //p' tests/golden/huge-all.args) \
		timeout 120 "$(case ${AFFINITY_BUILD:-build} in build) echo . ;; *) echo "$AFFINITY_BUILD" ;; esac)/affinity" \
		--plan tests/golden/huge-all.args >/dev/null
	end=$(date +%s%N)
	echo "# the plan took $(((end - begin) / 1000000)) ms; 1000 is the aim" >&3
}

@test "every argument file of the project is planned as expected on the machine of the thesis" {
	expected 'args/*/*'
}

@test "every machine is shown, and each argument file of the project is planned there or refused with its reason" {
	expected 'topologies/*'
}

@test "no argument file of the project is a bad argument on any machine" {
	run grep -HE 'exit [^03]|messages are left out' tests/golden/topologies/*.out
	[ "$status" -eq 1 ]
	[ "$(cat tests/golden/topologies/*.out | grep -c '^args, quick: .*: exit [03]$')" -eq \
		$((2 * $(find tests/topologies -type f | wc -l))) ]
}

@test "every expectation has its case, and every case its expectation" {
	[ "$(tail -n 1 "$BATS_FILE_TMPDIR/told")" = "as expected" ]
}

@test "another plan than expected is shown and fails, and --write makes it the expected one" {
	scratch_golden
	scripts/golden
	sed -i 's/X\*4/X*3/' tests/golden/one-all.args
	run --separate-stderr scripts/golden
	[ "$status" -eq 1 ]
	# shellcheck disable=SC2154 # stderr is set by run
	[[ $stderr == *"-thread 3: CPU 3, core 1, node 0, vectors 0 2, shares its core"* ]]
	[[ $stderr == *"1 of 1 cases differ"* ]]
	scripts/golden --write
	scripts/golden
}

@test "a plan that takes too long is not written as the expected one" {
	scratch_golden
	printf '#!/bin/sh\nexit 124\n' >affinity
	chmod +x affinity
	cp tests/golden/one-all.out before
	AFFINITY_BUILD=$PWD run scripts/golden --write
	[ "$status" -eq 1 ]
	[[ $output == *"golden: one-all took longer than 60 s: nothing is compared or written"* ]]
	cmp before tests/golden/one-all.out
}

@test "an expectation without a case fails, and --write removes it" {
	scratch_golden
	echo 'exit 0' >tests/golden/gone.out
	run scripts/golden
	[ "$status" -eq 1 ]
	[[ $output == *"tests/golden/gone.out: there is no such case"* ]]
	scripts/golden --write
	[ ! -e tests/golden/gone.out ]
}

@test "a case that matches no pattern and an unknown option are wrong usage" {
	run scripts/golden 'none-*'
	[ "$status" -eq 2 ]
	[[ $output == *"no case matches none-*" ]]
	run scripts/golden --frob
	[ "$status" -eq 2 ]
	[[ $output == usage:* ]]
}
