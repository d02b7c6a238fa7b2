#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The same sources with clang, and without PAPI: no warning, and the loops that kernels claim. What takes longer is in
# tests/turns; clang builds all sources under the sanitizers for tests/project/fuzz.bats.

# shellcheck source=tests/builds.bash
. "$BATS_TEST_DIRNAME/../builds.bash"

@test "clang's kernels build without a warning, and their loops hold the loads and stores that they claim" {
	needs clang
	build clang CC=clang CFLAGS='-g -Werror' build/clang/loops.c
	AFFINITY_BUILD=build/clang bats --filter 'as make built it' tests/objects/loops.bats
}

@test "with -flto, as distributions build, loops are those of the objects, and checked" {
	local object objects=(build/lto/kernels/{access/access,access/access_O0,bandwidth/bandwidth_scalar}.o)
	mkdir -p build/lto
	if [ -e build/core.a ]; then
		# what takes the samples is made anew, and joined with the rest at the link
		cp -au build/kernels build/src build/lto/
		rm -f "${objects[@]}" "${objects[@]/%.o/.loops}" build/lto/src/{core/{measure,placement,analysis},tools/affinity}/*.o
	fi
	build lto CFLAGS='-O2 -g -flto=auto -ffat-lto-objects' build/lto/affinity "${objects[@]/%.o/.loops}"
	shaped double 'read load fp_add' >"$BATS_TEST_TMPDIR/one.args"
	build/lto/affinity --quiet --json "$BATS_TEST_TMPDIR/o.json" "$BATS_TEST_TMPDIR/one.args" "$BATS_TEST_TMPDIR/o.txt"
	jq -e '[.runs[0].operations[].threads[].loop] | length == 3 and all(. == "as claimed")' "$BATS_TEST_TMPDIR/o.json"
	[ "$(cut -f 3 "${objects[@]/%.o/.loops}" | sort -u)" = 'as claimed' ]
	for object in "${objects[@]}"; do
		! readelf -SW "$object" | grep -F .gnu.lto || return 1
	done
}

@test "make run and make report use the build that they make" {
	local target
	for target in run report; do
		run make -n --no-print-directory $target BUILD=/elsewhere/b LLVM=no
		grep -E "^AFFINITY='/elsewhere/b/affinity' AFFINITY_BUILD='/elsewhere/b' scripts/(ejec.sh|report)" <<<"$output"
		run make -n --no-print-directory $target BUILD=build LLVM=no
		grep -F "AFFINITY='$PWD/affinity' AFFINITY_BUILD='build' scripts/" <<<"$output"
	done
}

@test "gcc builds without PAPI, without a warning, and says so in its report" {
	local units
	mapfile -t units < <(units_of nopapi counters)
	# one file knows of PAPI; the others are here already
	mkdir -p build/nopapi
	if [ -e build/core.a ]; then
		cp -au build/kernels build/src build/nopapi/
		rm -f build/nopapi/src/core/counters/counters.o
	fi
	# tools too, which have flags of their own beside those of the command line
	build nopapi PAPI=no CFLAGS='-g -Werror' all build/nopapi/tools/{spawner,migrate} "${units[@]}"
	run_units nopapi
	shaped double read >"$BATS_TEST_TMPDIR/one.args"
	build/nopapi/affinity --quiet "$BATS_TEST_TMPDIR/one.args" "$BATS_TEST_TMPDIR/o.txt"
	grep -q 'hardware_counters: none: built without PAPI' "$BATS_TEST_TMPDIR/o.txt"
	build/nopapi/affinity-map --out "$BATS_TEST_TMPDIR/report" -- true
	grep -qF "'true' is known (--profile; built without PAPI)" "$BATS_TEST_TMPDIR/report"
}
