#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# A build for another processor says so, in place of ending in the middle of a batch.

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	grep -q '^flags' /proc/cpuinfo || skip "no processor of x86"
}

# missing FLAG...: what a build with these is said to need.
missing() {
	cat >"$BATS_TEST_TMPDIR/main.c" <<-'END'
		#include <stdio.h>
		#include "system/instructions.h"
		int main(void)
		{
			const char *missing = instructions_missing();
			puts(missing ? missing : "none");
			return 0;
		}
	END
	"${CC:-cc}" "$@" -Isrc/core "$BATS_TEST_TMPDIR/main.c" src/core/system/instructions.c -o "$BATS_TEST_TMPDIR/main" && "$BATS_TEST_TMPDIR/main"
}

lacks() { ! grep -m 1 '^flags' /proc/cpuinfo | grep -qw -- "$1"; }

@test "a build for this processor, or for all of its architecture, lacks nothing" {
	[ "$(missing)" = none ]
	[ "$(missing -march=native)" = none ]
}

@test "a build that may use an instruction set which this processor lacks names it" {
	local tried=0
	while read -r flag option name; do
		lacks "$flag" || continue
		[ "$(missing "$option")" = "$name" ]
		tried=$((tried + 1))
	done <<-'END'
		fma4 -mfma4 FMA4
		avx2 -mavx2 AVX2
		avx512f -mavx512f AVX-512F
	END
	((tried)) || skip "this processor has all of them"
}
