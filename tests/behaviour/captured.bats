#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Every file of args on machines that we lack: tests/captured.

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	command -v xz >/dev/null || skip "there is no xz to unpack the machines with"
	command -v /usr/bin/python3 >/dev/null || skip "there is no Python to read plans with"
}

# planned MACHINE...: each file of args ends with 0, or with 3 and a reason, and has vectors for memory where it says so.
planned() {
	local name status
	for name; do
		xz -dc "$root/tests/captured/$name.xml.xz" >"$name.xml"
		machine "$PWD/$name.xml"
		status=0
		(cd "$root" && "$AFFINITY" --quiet --plan --json "$OLDPWD/plans.json" args/*/*.args) >/dev/null 2>told || status=$?
		echo "$name: exit $status"
		cat told
		[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
		/usr/bin/python3 "$root/tests/captured/sizes.py" "$name.xml" plans.json "$root" >wrong
		cat wrong
		[ ! -s wrong ]
	done
}

@test "files of args on machines with caches above several nodes, and of other shapes than their nodes" {
	planned linux-fakecpuid1f-64intel64-2p4d2n2c2t syssage-skylake x86-AMD-K10-Istanbul-8xOpteron-8439SE mpibind-knl-snc4-flat-hwloc1
}

@test "files of args on machines whose CPUs show unlike levels of caches, or few" {
	planned linux-8em64t-2s4c-asymcaches x86-Intel-ArrowLake-CoreUltra5-225U guest-half-l3 'h3-40intel64-4n10c+pci-conflicts'
}

@test "files of args on machines with kinds of memory and caches before it" {
	planned linux-fakeheteromemtiers xml-64intel64-heteromem xml-memorysidecaches
}

@test "files of args on machines without a node 0, a CPU 0, or memory" {
	planned opteron-half-empty epyc-node0-empty linux-offline-cpu0-node0 linux-2arm-2c xml-fakecpukinds
}

@test "files of args begin at the first node that can hold threads and vectors" {
	xz -dc "$root/tests/captured/epyc-node0-empty.xml.xz" >m.xml
	machine "$PWD/m.xml"
	for file in 4_weighted 5_both 6_hot; do
		try "$AFFINITY" --plan "$root/args/tiers/$file.args"
		[ "$status" -eq 0 ]
		grep -q '^thread 0: CPU [0-9]*, core [0-9]*, node 1,' <<<"$output"
		run ! grep -q 'other=1 ' <<<"$output"
	done
}

@test "a level that some CPUs do not show counts as the largest, and is told" {
	xz -dc "$root/tests/captured/guest-half-l3.xml.xz" >m.xml
	machine "$PWD/m.xml"
	given "opType: load" "nodePerThread: 0 1" "nodePerVector: 0 1" "vectorPerThread: own" "tamPerVector: 4xcaches*"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	# 4 x (32 KiB + 2 MiB + 16 MiB)
	[ "$(grep -c '^vector [01]: .*, 73856 KiB, ' <<<"$output")" -eq 2 ]
	[[ $stderr == *"the machine shows an L3 cache for some CPUs and none for CPU 4 of thread 1: sizes count the largest, 16 MiB"* ]]
	[ "$(grep -c 'shows an L3 cache' <<<"$stderr")" -eq 1 ]
	"$AFFINITY" --topology | grep -qx 'L3 cache: not shown for CPUs 4-7,12-15; sizes count the largest that is shown'
	# half of a cache that may not be there is no size
	given "opType: load" "nodePerThread: 1" "nodePerVector: 1" "vectorPerThread: 0" "tamPerVector: 0.5xL3"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 3 ]
	[[ $stderr == *"'0.5xL3', but no thread of the vector has an L3 cache"* ]]
}
