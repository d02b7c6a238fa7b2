#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What takes minutes, and finds little that the tests of every check do not: make check-turns.

# shellcheck source=tests/builds.bash
. "$BATS_TEST_DIRNAME/../builds.bash"

@test "nothing is misused or leaked under gcc's address and undefined behaviour sanitizers" {
	build asan SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all' CFLAGS='-g -O1' all units
	run_units asan
	run_kernels asan
}

@test "nothing is misused under clang's address and undefined behaviour sanitizers" {
	needs clang
	build clang-asan CC=clang SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=all' CFLAGS='-g -O1' all units
	run_units clang-asan
	run_kernels clang-asan
}

@test "clang builds without a warning, and its kernels run" {
	needs clang
	build clang CC=clang CFLAGS='-g -Werror' all
	run_kernels clang
}

@test "clang builds the unit tests without a warning, and they pass" {
	needs clang
	build clang CC=clang CFLAGS='-g -Werror' all units
	run_units clang
}

@test "without PAPI all unit tests pass" {
	build nopapi PAPI=no CFLAGS='-g -Werror' all units
	run_units nopapi
	run_kernels nopapi
}
