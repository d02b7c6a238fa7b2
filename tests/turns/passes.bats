#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The tests of the compiler pass with every version of LLVM that has a plug-in; the usual check has one.

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	build=${AFFINITY_BUILD:-build}
	unset AFFINITY_CLANG AFFINITY_CLANGXX
}

@test "the pass does the same with each version of LLVM that is installed" {
	local plugin version tried=0
	for plugin in "$build"/affinity-pass-*.so; do
		version=${plugin##*-}
		version=${version%.so}
		command -v "clang-$version" && command -v "clang++-$version" || continue
		tried=$((tried + 1))
		AFFINITY_CLANG=clang-$version AFFINITY_CLANGXX=clang++-$version bats tests/pass
	done
	[ "$tried" -gt 1 ] || skip "one version of LLVM at most is installed; scripts/setup compilers installs others"
}

@test "real programs with threads write the same with the pass" {
	local code=0
	scripts/pass-programs --runs 1 >"$BATS_TEST_TMPDIR/tables" || code=$?
	[ "$code" -ne 77 ] || skip "no sources of programs can be fetched here, or no plug-in is built"
	[ "$code" -eq 0 ]
	[ "$(grep -cE '^\| (pbzip2|xz|zstd|quantum|fasttree) ' "$BATS_TEST_TMPDIR/tables")" -ge 2 ]
}
