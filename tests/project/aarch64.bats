#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# 64-bit Arm: the same sources, cross compiled, run by QEMU's user emulation. tests/numa/aarch64.t has a whole
# machine with two nodes.

bats_require_minimum_version 1.5.0

# What QEMU's user emulation does not give: a limit of memory that holds (buffer, error), prctl() of huge pages and
# mmap() that refuses at once what is too large (check), the sizes of pages (sizes), where pages are (migrate), and page
# faults (system). They run in the machine.
beyond_user_emulation=' buffer error check sizes migrate migrate_use mthp system '
# Its sizes take a minute; gemv_tokens and gemv_dots run the same loops.
[ -n "${AFFINITY_TURNS-}" ] || beyond_user_emulation+='gemv '

# In every check the tests of the folders with code for each processor, all others in turns (make check-turns).
unit_tests() { # prints the programs
	local tests=(tests/unit/{kernels,measure}/*_test.c)
	[ -z "${AFFINITY_TURNS-}" ] || tests=(tests/unit/*/*_test.c)
	tests=("${tests[@]/#/$AFFINITY_BUILD/}")
	printf '%s\n' "${tests[@]%.c}"
}

setup_file() {
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	lacking=$(scripts/cross --check 2>&1) || true
	native=./affinity
	[ "${AFFINITY_BUILD:-build}" = build ] || native=$AFFINITY_BUILD/affinity
	export lacking native AFFINITY_BUILD=build/aarch64
	# kernels have flags of their own; of the others half of the compiling is enough
	# shellcheck disable=SC2046 # a list of files
	[ -n "$lacking" ] || scripts/cross make -j "$(nproc)" BUILD=$AFFINITY_BUILD CFLAGS='-g1 -O1 -Werror' all $(unit_tests)
}

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	[ -z "$lacking" ] || skip "$lacking"
}

emulated() { # PROGRAM...
	# shellcheck disable=SC2016 # for the inner shell
	scripts/cross sh -c 'exec qemu-aarch64 -L "$SYSROOT" "$@"' sh "$@"
}

@test "the sources build without a warning, kernels included" {
	run readelf -h "$AFFINITY_BUILD/affinity" "$AFFINITY_BUILD/kernels/access/access.o"
	[ "$(grep -c 'Machine: *AArch64' <<<"$output")" -eq 2 ]
}

@test "the unit tests that need no kernel of their own pass" {
	local program name count=0 failed=0
	for program in $(unit_tests); do
		name=$(basename "$program" _test)
		[[ $beyond_user_emulation != *" $name "* ]] || continue
		count=$((count + 1))
		emulated "$program" >"$BATS_TEST_TMPDIR/told" 2>&1 </dev/null || { failed=1 && cat "$BATS_TEST_TMPDIR/told"; }
	done
	[ "$failed" -eq 0 ]
	[ "$count" -gt 15 ]
}

@test "every loop of every kernel, as built, is the one that its kernel claims" {
	run bats --filter 'as make built it' tests/objects/loops.bats
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *"1..1"* && $output != *"# skip"* ]]
}

@test "kernels for other processors say so, and are refused" {
	run --separate-stderr emulated "$AFFINITY_BUILD/affinity" --help simd_add_f32_512_lat
	[[ $output == *"It cannot run on this machine: AVX-512 is an extension of x86 processors."* ]]
	printf '%s\n' 'opType: simd_add_f32_256_lat' 'cpuPerThread: 0' >"$BATS_TEST_TMPDIR/t.args"
	run --separate-stderr emulated "$AFFINITY_BUILD/affinity" --plan "$BATS_TEST_TMPDIR/t.args"
	[ "$status" -eq 3 ]
	# shellcheck disable=SC2154 # stderr is set by run
	[[ $stderr == *":1: opType: 'simd_add_f32_256_lat' cannot run on this machine: AVX2 is "* ]]
}

@test "kernels, their help and plans are the same as here" {
	local file
	# what a machine lacks stands between a kernel's summary and its second names
	diff <("$native" --list '*' | sed -E 's/; not here: .*(   also: )/\1/; s/; not here: .*//') \
		<(emulated "$AFFINITY_BUILD/affinity" --list '*' | sed -E 's/; not here: .*(   also: )/\1/; s/; not here: .*//')
	diff <("$native" --help read) <(emulated "$AFFINITY_BUILD/affinity" --help read)
	export HWLOC_XMLFILE=tests/topologies/ring4.xml
	for file in args/pruebas_solape/*.args args/pruebas_un_hilo/matrix.args; do
		diff <("$native" --plan --set 'tamPerVector=64KiB*' "$file") \
			<(emulated "$AFFINITY_BUILD/affinity" --plan --set 'tamPerVector=64KiB*' "$file")
	done
}
