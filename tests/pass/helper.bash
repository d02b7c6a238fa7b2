#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of the compiler pass share.
# shellcheck disable=SC2034 # variables are for the tests

# Sets cc, the wrapper, and lacking: why this machine cannot compile with the pass; empty if it can.
pass_setup() {
	local root build
	root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	build=${AFFINITY_BUILD:-build}
	[[ $build == /* ]] || build=$root/$build
	export AFFINITY_BUILD=$build
	unset AFFINITY_PASS "${!AFFINITY_SPM_@}" "${!AFFINITY_PASS_@}"
	cc=$root/scripts/affinity-cc cxx=$root/scripts/affinity-c++ lacking=''
	"$cc" --affinity-show x.c >"$BATS_FILE_TMPDIR/shown" 2>&1 || lacking=$(cat "$BATS_FILE_TMPDIR/shown")
}
