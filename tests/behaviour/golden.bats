#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What --plan and --topology say of machines that we lack, in full: tests/golden, by scripts/golden.

bats_require_minimum_version 1.5.0 # run --separate-stderr

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
	scripts/golden 'one-*'
}

@test "cores, hardware threads, policies and sizes on two nodes are planned as expected" {
	scripts/golden 'two-*'
}

@test "far and near on a ring of four nodes are planned as expected" {
	scripts/golden 'ring-*'
}

@test "eight nodes of sixteen cores of two hardware threads are planned as expected" {
	scripts/golden 'eight-*'
}

@test "two memory nodes in a package take vectors, and one of them threads" {
	scripts/golden 'dual-*'
}

@test "a node without CPUs takes vectors and no threads" {
	scripts/golden 'memory-*'
}

@test "nine nodes of which one has CPUs are planned as expected" {
	scripts/golden 'grace-*'
}

@test "holes in the numbers, and what is not ours, are planned around" {
	scripts/golden 'holes-*'
}

@test "two and three kinds of cores are named, chosen and filled as expected" {
	scripts/golden 'laptop-*' 'board-*'
}

@test "kinds of memory, memory-side caches and the memory of GPUs are planned as expected" {
	scripts/golden 'tiers-*' 'memcache-*' 'gpu-*'
}

@test "64 nodes of 1024 CPUs are planned as expected" {
	scripts/golden 'huge-*'
	local begin end
	begin=$(date +%s%N)
	HWLOC_SYNTHETIC=$(sed -n '1s/^# machine: //p' tests/golden/huge-all.args) \
		timeout 20 "$(case ${AFFINITY_BUILD:-build} in build) echo . ;; *) echo "$AFFINITY_BUILD" ;; esac)/affinity" \
		--plan tests/golden/huge-all.args >/dev/null
	end=$(date +%s%N)
	echo "# the plan took $(((end - begin) / 1000000)) ms; 1000 is the aim" >&3
}

@test "every argument file of the project is planned as expected on the machine of the thesis" {
	scripts/golden 'args/*'
}

@test "every machine is shown, and each argument file of the project is planned there or refused with its reason" {
	local begin end
	begin=$(date +%s%N)
	scripts/golden 'topologies/*'
	end=$(date +%s%N)
	echo "# all plans took $(((end - begin) / 1000000)) ms" >&3
}

@test "no argument file of the project is a bad argument on any machine" {
	run grep -HE 'exit [^03]|messages are left out' tests/golden/topologies/*.out
	[ "$status" -eq 1 ]
	[ "$(cat tests/golden/topologies/*.out | grep -c '^args, quick: .*: exit [03]$')" -eq \
		$((2 * $(find tests/topologies -type f | wc -l))) ]
}

@test "every expectation has its case, and every case its expectation" {
	scripts/golden
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
