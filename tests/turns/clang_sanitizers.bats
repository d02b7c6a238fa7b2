#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What takes minutes, and finds little that the tests of every check do not: make check-turns.

# shellcheck source=tests/builds.bash
. "$BATS_TEST_DIRNAME/../builds.bash"

@test "nothing is misused under clang's address and undefined behaviour sanitizers" {
	needs clang
	build clang-asan CC=clang SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all' CFLAGS='-g -O1'
	run_units clang-asan
	run_kernels clang-asan
}
