#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Placement broken on purpose, in copies of the sources: every such driver must be found out every time, by itself or
# by the tests. Otherwise placement would be proven by tests that cannot fail.

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

# NAME|FILE|what sed does to it; a driver that is broken in several places has several lines. Those called blind_ do
# not look where threads and pages are either, so that only a witness can tell.
breaks='whole|src/core/placement/team.c|1s/^/\n/
wrong_cpu|src/core/topology/topo.c|s/hwloc_bitmap_only(one, (unsigned)cpu)/hwloc_bitmap_only(one, (unsigned)cpu ^ 1)/
not_pinned|src/core/placement/team.c|s/if (topo_bind(t, cpus\[i\]))/if (!t)/
one_not_pinned|src/core/placement/team.c|s/if (topo_bind(t, cpus\[i\]))/if (i == 0 \&\& topo_bind(t, cpus[i]))/
not_touched|src/core/placement/touch.c|s/^\(\t*\)\*c = 0;/\1;/
only_read|src/core/placement/touch.c|s/^\(\t*\)\*c = 0;/\1(void)*c;/
one_not_touched|src/core/placement/touch.c|s/for (char \*c = from; c < to/for (char *c = from + page; c < to/
wrong_node|src/core/memory/mem.c|s/if (r->nodes\[i\])/if (r->nodes[i ^ 1])/
not_bound|src/core/memory/mem.c|s/return mbind(m->base, m->bytes, mode, mask.*/return 0;/
not_interleaved|src/core/memory/mem.c|s/= MPOL_INTERLEAVE |/= MPOL_BIND |/
wrong_toucher|src/core/placement/touch.c|s/p->threads\[v->toucher\]\.cpu/p->threads[0].cpu/
not_proven|src/core/placement/placement.c|s/found->pages\.pages ? wrong_node(.*) : NULL/NULL/
not_proven_again|src/core/placement/recheck.c|s/int failed = moved ? /int failed = 0 ? /
not_watched|src/core/measure/disturbed.c|s/flags |= DISTURBED_MOVED/flags |= 0/
not_watched|src/core/measure/workers.c|s/strays ? DISTURBED_MOVED : 0/0/
blind_wrong_node|src/core/memory/mem.c|s/if (r->nodes\[i\])/if (r->nodes[i ^ 1])/
blind_wrong_node|src/core/placement/placement.c|s/found->pages\.pages ? wrong_node(.*) : NULL/NULL/
blind_not_touched|src/core/placement/touch.c|s/^\(\t*\)\*c = 0;/\1;/
blind_not_touched|src/core/placement/placement.c|s/found->pages\.pages ? wrong_node(.*) : NULL/NULL/
blind_not_touched|src/core/placement/recheck.c|s/int failed = moved ? /int failed = 0 ? /
blind_not_pinned|src/core/placement/team.c|s/if (topo_bind(t, cpus\[i\]))/if (!t)/
blind_not_pinned|src/core/placement/touch.c|s/w->vector ? strayed(p, e) : 0/0/
blind_not_pinned|src/core/measure/disturbed.c|s/flags |= DISTURBED_MOVED/flags |= 0/
blind_not_pinned|src/core/measure/workers.c|s/strays ? DISTURBED_MOVED : 0/0/'

# Everything is built once; of a copy only the files that changed, and the program.
setup_file() {
	local root build name file edit
	root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	build=${AFFINITY_BUILD:-build}
	# make's own flags (-j of the make that runs these tests) would reach the make below
	unset MAKEFLAGS MFLAGS
	# what was built with other flags cannot be linked with what is built here
	[[ $build == build ]] || return 0
	while IFS='|' read -r name file edit; do
		# only a guest's test has these
		[[ $name != blind_* || -n ${AFFINITY_TURNS-} ]] || continue
		[[ -d $BATS_FILE_TMPDIR/$name ]] || copy "$BATS_FILE_TMPDIR/$name"
		cd "$BATS_FILE_TMPDIR/$name" || return
		sed -i "$edit" "$file"
		! cmp -s "$file" "$root/$file" || echo "$edit changes nothing in $file" >failed
	done <<<"$breaks"
	for name in "$BATS_FILE_TMPDIR"/*/; do
		cd "$name" || return
		make LLVM=no CFLAGS=-w affinity >make.log 2>&1 || echo "does not build: $(tail -n 5 make.log)" >failed
	done
}

copy() { # FOLDER: of the sources and of what is built of them
	mkdir -p "$1/build"
	cp -a "$root"/{src,kernels,scripts,Makefile} "$1"
	cp -a "$root"/build/{src,kernels,libraries,version.*} "$1/build/"
	ln -s "$root/build/shims" "$root/build/tools" "$1/build/"
}

setup() {
	driver_setup
	shims_setup
	[[ ${AFFINITY_BUILD:-build} == build ]] || skip "only where the build has no flags of its own"
}

# with NAME: AFFINITY is the driver that is broken so.
with() {
	local folder=$BATS_FILE_TMPDIR/$1
	[ ! -e "$folder/failed" ] || {
		cat "$folder/failed"
		return 1
	}
	AFFINITY=$folder/affinity
}

# found_out NAME SHIMS TEXT: measuring t.args with this driver ends with exit 3 and that message, five times of five.
found_out() {
	with "$1"
	for _ in {1..5}; do
		under "$2" "$AFFINITY" t.args out.txt
		[ "$status" -eq 3 ]
		[[ $stderr == *"$3"* ]]
		[ ! -e out.txt ]
	done
}

# noticed NAME FILE TITLE: the test of that title fails with this driver, and passes with the one that is whole.
noticed() {
	local folder
	with "$1"
	for folder in "$BATS_FILE_TMPDIR"/{whole,"$1"}; do
		# the files of tests/ look for the driver beside themselves
		[[ -e $folder/tests ]] || cp -a "$root/tests" "$root/args" "$folder/"
		run env -u HWLOC_SYNTHETIC -u HWLOC_THISSYSTEM -u FILES bats --filter "^$3\$" "$folder/tests/behaviour/$2"
		echo "$output"
		[[ $output == *"1..1"* && $output != *"# skip"* ]]
		[[ $status -eq 0 ]] || [[ $folder != */whole ]]
	done
	[ "$status" -ne 0 ]
}

two_cpus() {
	mapfile -t cpus < <(usable_cpus)
	[[ ${#cpus[@]} -gt 1 && $((cpus[0] ^ 1)) -eq ${cpus[1]} ]] || skip "the two CPUs that would be taken for each other are not there"
	given "nodePerThread: first" "cpuPerThread: ${cpus[0]} ${cpus[1]}" "nodePerVector: first*2" "tamPerVector: 64KiB*" "numIter: 2"
	sed -i /nodePerThread/d t.args
}

# One vector a node, touched by the other's thread, so that a page without its policy is elsewhere.
two_vectors() {
	two_nodes 4000 4000
	given "initPerVector: thread:1 thread:0" "tamPerVector: 64KiB*" "numIter: 2"
}

@test "the same copy with nothing broken measures" {
	two_cpus
	with whole
	try "$AFFINITY" t.args out.txt
	[ "$status" -eq 0 ]
	two_vectors
	for nodes in "0 1" "interleave:0,1 interleave:0,1"; do
		under files,nodes "$AFFINITY" --set "nodePerVector=$nodes" t.args out.txt
		[ "$status" -eq 0 ]
	done
}

@test "a thread on another CPU than its own is found out every time" {
	two_cpus
	found_out wrong_cpu files "threads that touch vectors do not stay on their CPUs"
	printf '%s\n' "opType: null" "cpuPerThread: ${cpus[0]} ${cpus[1]}" >t.args
	found_out wrong_cpu files "null: threads were moved off their CPUs in 6 samples in a row"
}

@test "threads that are not bound are found out every time, one as well as all" {
	two_cpus
	found_out not_pinned files "threads that touch vectors do not stay on their CPUs"
	found_out one_not_pinned files "threads that touch vectors do not stay on their CPUs"
	printf '%s\n' "opType: null" "cpuPerThread: ${cpus[0]} ${cpus[1]}" >t.args
	found_out not_pinned files "null: threads were moved off their CPUs in 6 samples in a row"
	found_out one_not_pinned files "null: threads were moved off their CPUs in 6 samples in a row"
}

@test "pages that are not touched are found out every time, one as well as all" {
	two_cpus
	found_out not_touched files "vector 0, asked for node $(first_node): 16 of 16 pages are not in memory"
	found_out one_not_touched files "of 16 pages are not in memory"
}

@test "pages that are only read are found out every time" {
	two_cpus
	"$tools/zeropage" || skip "this kernel gives pages of their own to memory that is only read"
	found_out only_read files "vector 0, asked for node $(first_node): 16 of 16 pages are not in memory"
}

first_node() {
	"$AFFINITY" --plan t.args | sed -n 's/^vector 0: node \([0-9]*\),.*/\1/p'
}

@test "memory on the wrong node, or without its policy, is found out every time" {
	two_vectors
	found_out wrong_node files,nodes "vector 0, asked for node 0: 16 of 16 pages are elsewhere (node 1: 16)"
	found_out not_bound files,nodes "vector 0, asked for node 0: 16 of 16 pages are elsewhere (node 1: 16)"
	given "nodePerVector: interleave:0,1 interleave:0,1" "initPerVector: thread:1 thread:0" "tamPerVector: 64KiB*"
	found_out not_interleaved files,nodes "vector 0, asked for node interleave:0-1: pages are not distributed evenly (node 0: 16)"
	found_out not_bound files,nodes "vector 0, asked for node interleave:0-1: pages are not distributed evenly (node 1: 16)"
}

@test "the wrong thread touching first is noticed by the tests" {
	noticed wrong_toucher measure.bats "the thread that is to touch a vector first does"
}

@test "a driver that does not look where its pages and threads are is noticed by the tests" {
	noticed not_proven refused.bats "one page elsewhere is found, and nothing is measured"
	noticed not_proven_again refused.bats "pages that move during the run are found at its end"
	noticed not_watched refused.bats "another program that moves threads all along is told"
}

# guest SCRIPT NAME...: runs it on ring4, with these drivers in /bin.
guest() {
	local reason machine=$root/scripts/testmachine script=$1 name drivers=()
	[ -n "${AFFINITY_TURNS-}" ] || skip "takes minutes: make check-turns"
	[ -x "$machine" ] || skip "there are no test machines here"
	reason=$("$machine" --check 2>&1) || skip "${reason#testmachine: }"
	for name in "${@:2}"; do
		with "$name"
		drivers+=(--program "$AFFINITY=/bin/$name")
	done
	try "$machine" --timeout 900 "${drivers[@]}" "${puts[@]}" --put "$script" ring4 sh "$script" "${@:2}"
}

@test "on a real kernel with four nodes each of these is found out every time" {
	given "nodePerThread: 0 2" "nodePerVector: 0 2" "initPerVector: thread:1 thread:0" "tamPerVector: 64KiB*" "numIter: 2"
	cat >all.sh <<'END'
		echo 0 >/proc/sys/kernel/numa_balancing
		for name; do
			for time in 1 2; do
				$name --quiet t.args out.txt >/dev/null 2>errors
				echo "$name $? $(grep -c '^  hint: ' errors)"
			done
		done
END
	puts=(--put t.args)
	guest all.sh whole wrong_cpu not_pinned one_not_pinned not_touched only_read one_not_touched wrong_node not_bound
	[ "$(grep -c '^whole 0 0' <<<"$output")" -eq 2 ]
	[ "$(grep -c ' 3 [1-9]' <<<"$output")" -eq 16 ]
}

@test "a driver that does not look itself fails the tests on emulated machines every time" {
	local name
	cat >blind.t <<'END'
		export AFFINITY_GUEST=yes
		. ./lib.sh
		path=$PATH
		for name; do
			mkdir /tmp/"$name"
			ln -s /bin/"$name" /tmp/"$name"/affinity
			PATH=/tmp/$name:$path
			for time in 1 2 3; do
				title "$name"
				measure args/pruebas_solape/lr.args '0 2/0' '0 0' --set opType=write
			done
		done
		finish
END
	puts=(--program "$root/build/tests/numa/witness" --put "$root/args" --put "$root/tests/numa/lib.sh"
		--put "$root/tests/numa/judge.awk")
	guest blind.t whole blind_wrong_node blind_not_touched blind_not_pinned
	[ "$(grep -c '^ok [0-9]* - whole$' <<<"$output")" -eq 3 ]
	for name in wrong_node not_touched not_pinned; do
		[ "$(grep -c "^not ok [0-9]* - blind_$name\$" <<<"$output")" -eq 3 ]
	done
}
