#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# policy: compiled, the calls that the pass puts into the loops of the driver's own kernels: beside those by hand they
# decide alike in one run, and where affinity was built without the pass it is refused.

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	experiments=$root/args/migration
}

# What of a file of args/migration, with OPTION..., both policies have accepted and asked for: a line for each run, and
# none for the baseline.
measured() { # NAME OPTION...
	local name=$1
	shift
	run --separate-stderr "$AFFINITY" --quiet --set quick=yes --set cache_bytes=64KiB --set samples=1 --set warmup=0 \
		--set 'sweep=policy = baseline spm compiled' --json "$name.json" "$@" "$experiments/$name.args" -
	# shellcheck disable=SC2154 # stderr is set by run
	[[ $stderr != *"was built without clang"* ]] || skip "this affinity was built without clang and the headers of LLVM"
	[ "$status" -eq 0 ] || { echo "$stderr" && return 1; }
	jq -r '.runs[] | .values as $v | .operations[0] | .kernel_figures as $f |
		select($v.policy != "baseline") | "\($v | del(.policy) | tostring) \($v.policy) \($f.spm_accepted.value) " +
		"calls \($f.spm_pages_asked.value) pages"' "$name.json" >figures
	[ -s figures ]
}

# Both policies of each run have the same, and ACCEPTED are the calls of the runs in turn.
alike() { # ACCEPTED...
	grep ' spm ' figures | sed 's/ spm / /' >hand
	grep ' compiled ' figures | sed 's/ compiled / /' >compiled
	diff hand compiled
	[ "$(sed 's/.* \([0-9]*\) calls .*/\1/' hand | paste -s -d ' ')" = "$*" ] || { cat hand && return 1; }
}

@test "matrices of which each element is used often move, the same by hand and by the compiler" {
	measured compiled --set 'sweep=program = product matrix_add lu' --set 'sweep=n = 100 256' --set 'sizePerVector=1MiB*'
	alike 0 4 0 0 0 2
}

@test "so do those of cholesky" {
	measured compiled_cholesky --set 'sweep=n = 100 640' --set 'sizePerVector=3276800B*'
	alike 0 1
}

@test "so do slices of a text" {
	measured compiled_strsearch --set 'sweep=queries = 12 13' --set sizePerVector=1MiB
	alike 0 8
}

@test "so do buckets that the caches are too small for" {
	measured compiled_bucketsort --set 'sweep=size = 256KiB 1MiB' --set 'sweep=test = yes'
	alike 0 8
}

@test "so do points, where the call is in front of all queries" {
	measured compiled_knn --set 'sweep=queries = 100 300' --set neighbours=2 --set sizePerVector=1MiB
	alike 0 8
}

@test "loops leave calls out that would be rejected; inline_tests: no has all of them, as many as by hand" {
	measured compiled_cost --set 'sweep=program = matrix_add' --set 'sweep=n = 32' --set 'sizePerVector=64KiB*'
	jq -r '.runs[] | "\(.values.inline) \(.values.policy) \(.operations[0].kernel_figures.spm_calls.value)"' compiled_cost.json >calls
	diff calls - <<-'END'
		yes baseline 0
		yes spm 24
		yes compiled 0
		no baseline 0
		no spm 24
		no compiled 24
	END
}

@test "the report names the compiler of these loops" {
	measured compiled_strsearch --set 'sweep=queries = 8' --set sizePerVector=64KiB
	[[ $output == *$'\n - clang_of_loops: '*clang\ version\ * ]]
}

one_thread() { given "nodePerThread: first" "nodePerVector: first" "$@"; }

@test "what the compiler cannot know is refused" {
	one_thread "opType: strsearch" "tamPerVector: 1MiB" "vectorPerThread: 0" "policy: compiled" "loop_compiler: clang" "estimate: actual"
	refused 2 "t.args:1: strsearch: estimate: actual: with policy: compiled all numbers are the compiler's; static is what it has"
	one_thread "opType: strsearch" "tamPerVector: 1MiB" "vectorPerThread: 0" "policy: compiled"
	refused 2 "t.args:1: strsearch: policy: compiled has clang's loops, the other policies have the driver's; loop_compiler: clang gives clang's to all"
	one_thread "opType: fig3" "nodePerVector: first*3" "tamPerVector: 16 256 4096" "typePerVector: double*" "vectorPerThread: 0, 0, 0" "policy: compiled"
	refused 2 "t.args:1: fig3: policy: compiled and loop_compiler: clang: this kernel's loop is by the driver's compiler only; policy: spm has calls by hand"
}

hint() { echo "  hint: affinity --topology shows the nodes of this machine, --help $1 what else its parameters may be"; }

# The tables that stand in for clang's, linked with all else as it was built.
@test "an affinity without clang refuses both and says how to get it" {
	local build flags without
	build=$(cd "$root" && cd "${AFFINITY_BUILD:-build}" && pwd)
	! nm "$build/core.a" 2>/dev/null | grep -qE '__(asan|tsan|ubsan)' || skip "$build is instrumented"
	make -s -C "$root" BUILD="$PWD/without" LLVM=no "$PWD"/without/kernels/migration/works_{clang,compiled}.o >log 2>&1 || { cat log && false; }
	flags=$(pkg-config --libs numa hwloc gsl jansson && { ! nm -u "$AFFINITY" | grep -q PAPI || pkg-config --libs papi; })
	# shellcheck disable=SC2086 # words
	"${CC:-gcc}" -fopenmp -o without/affinity "$build"/src/tools/affinity/main.o without/kernels/migration/*.o "$build/core.a" $flags -lm -ldl
	AFFINITY=$PWD/without/affinity
	without="this affinity was built without clang and the headers of LLVM: scripts/setup test installs them; then make clean and make"
	one_thread "opType: strsearch" "tamPerVector: 1MiB" "vectorPerThread: 0" "policy: compiled" "loop_compiler: clang"
	refused 3 "t.args:1: strsearch: policy: compiled: $without" "$(hint strsearch)"
	one_thread "opType: lu" "nodePerVector: first*3" "tamPerVector: 1MiB*" "typePerVector: double*" "vectorPerThread: 0, 0, 0" "loop_compiler: clang"
	refused 3 "t.args:1: lu: loop_compiler: clang: $without" "$(hint lu)"
}
