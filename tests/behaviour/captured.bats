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
	# caches that are known to be unlike
	xz -dc "$root/tests/captured/h3-nvidia-dgx-gb10.xml.xz" >m.xml
	given "opType: load" "placePerThread: L3(0) L3(1)" "nodePerVector: first*2" "vectorPerThread: own" "tamPerVector: 4xLLC*"
	sed -i /^nodePerThread/d t.args
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	[[ $stderr == *"tamPerVector: '4xLLC' is 32 MiB for vector 0 and 64 MiB for vector 1: the caches of their threads are unlike"* ]]
}

# levels MACHINE...: each place that --topology names, or that a thread is put on by its name, has the CPUs that an
# independent reader of the XML finds.
levels() {
	local name
	for name; do
		xz -dc "$root/tests/captured/$name.xml.xz" >"$name.xml"
		machine "$PWD/$name.xml"
		"$AFFINITY" --topology --json said.json
		/usr/bin/python3 "$root/tests/captured/places.py" "$name.xml" said.json >wrong
		/usr/bin/python3 "$root/tests/captured/places.py" "$name.xml" said.json each.args
		"$AFFINITY" --quiet --plan --json each.json each.args >/dev/null 2>&1
		/usr/bin/python3 "$root/tests/captured/places.py" "$name.xml" said.json each.args each.json >>wrong
		sed "s/^/$name: /" wrong
		[ ! -s wrong ]
	done
}

@test "places of all levels have the CPUs that an independent reader of the machine finds" {
	levels linux-fakecpuid1f-64intel64-2p4d2n2c2t linux-8em64t-2s4c-asymcaches x86-Intel-ArrowLake-CoreUltra5-225U guest-half-l3 \
		h3-20s390-2g6s4c h3-256ppc-8n8s4t x86-AMD-15h-Piledriver-4xOpteron-6348 x86-AMD-19h-Zen4-2xEpyc-9654 \
		mpibind-knl-snc4-flat-hwloc1 opteron-half-empty kunpeng-920
}

# picture: what --topology draws.
picture() {
	"$AFFINITY" --topology 2>/dev/null | sed '1,/^levels of places/d; /^node [0-9]*: CPUs/,$d'
}

@test "the picture draws places that are alike once, unlike ones unlike, and fits into 80 columns" {
	xz -dc "$root/tests/captured/kunpeng-920.xml.xz" >m.xml
	machine "$PWD/m.xml"
	picture >drawn
	[[ $(<drawn) == "package 0: 64 cores, CPUs 0-63 ================================================="$'\n'"\
  node 0 = L3 0: 32 cores, CPUs 0-31 ==========================================="$'\n'"\
    +-cluster 0----+ +-cluster 1-6 alike-+ +-cluster 7--------+"$'\n'"\
    | [0][1][2][3] | | CPUs 4-27         | | [28][29][30][31] |"$'\n'"\
    +--------------+ +-------------------+ +------------------+"$'\n'"\
  node 1 = L3 1: "* ]]
	xz -dc "$root/tests/captured/x86-Intel-ArrowLake-CoreUltra5-225U.xml.xz" >m.xml
	picture | grep -A9 '^L3 not known: 2 cores, CPUs 12-13 =*$' | grep -qxF '  | (12)(13) |'
	picture | grep -qxF 'kinds of cores: [performance] (efficiency)'
	xz -dc "$root/tests/captured/h3-nvidia-dgx-gb10.xml.xz" >m.xml
	picture | grep -qxF '+-L3 0 of 8 MiB------------------+ +-L3 1 of 16 MiB---------------------------+'
	unset HWLOC_XMLFILE
	HWLOC_SYNTHETIC="numa:2 core:43 pu:2" picture >drawn
	grep -qx '+-node 1: 43 cores-*+' drawn
	HWLOC_SYNTHETIC="numa:2(indexes=0,200) core:1 pu:1" picture | grep -qF 'node 200'
	grep -q '^| \[ 87\]\[ 89\].* \.\.\. .*\[169\]\[171\] |$' drawn
	for m in "$root"/tests/captured/*.xml.xz; do
		xz -dc "$m" >m.xml
		HWLOC_XMLFILE=$PWD/m.xml picture >drawn
		[ -s drawn ]
		[ "$(wc -L <drawn)" -le 80 ]
	done
}

# seated MACHINE SCATTER COMPACT: the CPUs of 8 threads; in a node as many threads as in the whole machine are scattered, too.
seated() {
	local name=$1 given expected=("${@:2}") found
	xz -dc "$root/tests/captured/$name.xml.xz" >"$name.xml"
	machine "$PWD/$name.xml"
	for given in scatter compact; do
		printf '%s\n' "kernels: null" "threads: 8" "mapping: $given" >t.args
		found=$("$AFFINITY" --plan t.args 2>/dev/null | sed -n 's/^thread [0-9]*: CPU \([0-9]*\),.*/\1/p' | paste -sd ' ')
		same "$name, $given: ${expected[0]}" "$name, $given: $found"
		expected=("${expected[@]:1}")
	done
}

@test "threads spread over drawers, dies, caches, clusters and modules as over nodes, and fill them one by one" {
	seated x86-AMD-19h-Zen4-2xEpyc-9654 "0 96 8 104 16 112 24 120" "0 192 1 193 2 194 3 195"
	seated x86-Intel-ArrowLake-CoreUltra5-225U "0 2 4 8 5 9 6 10" "0 1 2 3 4 5 6 7"
	seated h3-nvidia-dgx-gb10 "5 15 6 16 7 17 8 18" "5 6 7 8 9 15 16 17"
	seated kunpeng-920 "0 64 32 96 4 68 36 100" "0 1 2 3 4 5 6 7"
	seated x86-AMD-15h-Piledriver-4xOpteron-6348 "0 12 24 36 6 18 30 42" "0 1 2 3 4 5 6 7"
	seated h3-256ppc-8n8s4t "0 32 64 96 128 160 192 224" "0 1 2 3 4 5 6 7"
	seated h3-20s390-2g6s4c "0 13 3 16 10 15 7 17" "0 1 2 10 11 12 3 4"
}

@test "each says which CPUs have no such place" {
	xz -dc "$root/tests/captured/guest-half-l3.xml.xz" >m.xml
	machine "$PWD/m.xml"
	printf '%s\n' "kernels: null" "placePerThread: L3(each)" >t.args
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	[[ $stderr == *"placePerThread: 'L3(each)' leaves CPUs 4-7,12-15 out, for which the machine shows no L3: it is not known which of them share one"* ]]
	xz -dc "$root/tests/captured/x86-Intel-ArrowLake-CoreUltra5-225U.xml.xz" >m.xml
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	[[ $stderr == *"'L3(each)' leaves CPUs 12-13 out, for which the machine shows no L3"* ]]
}

# domains MACHINE STATUS: what planning the files of args/domains ends with, one after another.
domains() {
	local file expected
	xz -dc "$root/tests/captured/$1.xml.xz" >m.xml
	machine "$PWD/m.xml"
	for expected in "${@:2}"; do
		file=("$root"/args/domains/"$expected"_*.args)
		try "$AFFINITY" --plan "${file[0]}"
		[ "$status" -eq 0 ]
	done
	for file in "$root"/args/domains/*.args; do
		[[ " ${*:2} " == *" $(basename "$file" | cut -c1) "* ]] && continue
		try "$AFFINITY" --plan "$file"
		[ "$status" -eq 3 ]
	done
}

@test "what last-level caches share is planned where a node has several, and refused with a true reason elsewhere" {
	domains opteron-half-empty 1 2 4 5
	[[ $stderr == *"where: the only run does not fulfil it"* ]] # one cache in the node: no pairs
	domains x86-AMD-15h-Piledriver-4xOpteron-6348 1 2 3 4 5
	domains syssage-skylake 2 4 # a cache above two nodes
	[[ $stderr == *"'node(X):LLC(each)': an LLC is not inside a node here"* ]]
}
