#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The runtime of page migration as a program of somebody else uses it: installed, with the example of the manual.
# long: the manual's example and others migrate pages, about a minute of CPU time

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	build=${AFFINITY_BUILD:-build}
	[[ $build == /* ]] || build=$root/$build
	cc=${CC:-gcc}
	command -v "$cc" >/dev/null || cc=gcc
	unset "${!AFFINITY_SPM_@}" MAKEFLAGS MFLAGS MAKELEVEL BUILD
	install_library
}

# What `make install` does for the libraries and their headers, unless it did.
install_library() {
	PREFIX=${AFFINITY_PREFIX:-$PWD/installed}
	[[ -z ${AFFINITY_PREFIX-} ]] || return 0
	PREFIX=$PREFIX "$root/scripts/packaging/install" "$build" runtimes
}

# The manual's program, built as the manual says.
build_example() {
	awk '/^<!-- walk: slices.c -->/ { wanted = 1; next }
		wanted && /^```/ { if (inside) exit; inside = 1; next }
		inside { print }' "$root/manual/page-migration.md" >slices.c
	grep -o '^gcc .*affinity-spm -o slices$' "$root/manual/page-migration.md" >line
	[ "$(wc -l <line)" -eq 1 ]
	sed -i "s|^gcc|$cc -Wall -Werror|" line
	PREFIX=$PREFIX sh -e line
}

# slices [NAME=VALUE]...: the counts of its four threads, without thread and time
slices() {
	run --separate-stderr env "$@" ./slices
	echo "$output" "$stderr"
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = 26843545600 ]
	counts=$(sed -n '/^thread node/,$ { /^thread/d; s/^[0-9]* //; s/ [0-9]* \([^ ]*\)$/ \1/; p }' <<<"$output")
}

four_times() {
	printf '%s\n' "$1" "$1" "$1" "$1"
}

caches=AFFINITY_SPM_CACHE_BYTES=8404992

@test "the manual's example is built and all its pages are accounted for" {
	build_example
	slices $caches AFFINITY_SPM_PIN=tree
	[ "$(wc -l <<<"$counts")" -eq 4 ]
	# asked = moved + there + pinned + refused
	awk '$2 != 1 || $6 != 1 || $7 * 4096 < 16 * 1048576 - 65536 || $7 != $8 + $9 + $10 + $11 { exit 1 }' <<<"$counts"
	grep -qx '# pin: tree' <<<"$output"
}

@test "the moving call is there without assertions too" {
	of_sources
	build_example
	mkdir ndebug
	make -C "$root" BUILD="$PWD/ndebug" CPPFLAGS='-D_GNU_SOURCE -DNDEBUG' "$PWD/ndebug/libaffinity-spm.so" >log 2>&1 ||
		{ cat log && false; }
	export LD_LIBRARY_PATH=$PWD/ndebug
	sed -i 's|-Wl,-rpath,[^ ]*||' line
	PREFIX=$PREFIX sh -e line
	slices $caches AFFINITY_SPM_SIZE_TEST=no
	awk '$6 != 1 || $7 == 0 || $7 != $8 + $9 + $10 + $11 { exit 1 }' <<<"$counts"
}

@test "the environment decides which calls move pages" {
	build_example
	slices $caches AFFINITY_SPM_REUSE_THRESHOLD=400
	same "$(four_times '-1 1 0 1 0 0 0 0 0 0 0 -')" "$counts"
	slices AFFINITY_SPM_CACHE_BYTES=64MiB AFFINITY_SPM_CACHE_FACTOR=0.25
	same "$(four_times '-1 1 1 0 0 0 0 0 0 0 0 -')" "$counts"
	slices AFFINITY_SPM_CACHE_BYTES=64MiB AFFINITY_SPM_CACHE_FACTOR=0.24
	awk '$6 != 1 { exit 1 }' <<<"$counts"
}

@test "a setting that is wrong is told, and the program runs without a runtime" {
	build_example
	run --separate-stderr env AFFINITY_SPM_MOVR=mbind AFFINITY_SPM_REUSE_THRESHOLD=-3 ./slices
	[ "$status" -eq 0 ]
	[ "$output" = 26843545600 ]
	[[ $stderr == "no page migration: "* ]]
	[[ $stderr == *"AFFINITY_SPM_MOVR: there is no such setting"* ]]
	[[ $stderr == *"AFFINITY_SPM_REUSE_THRESHOLD: '-3' is not a number of at least 0, such as 0.2"* ]]
}

@test "the header is C11 and C++ without a warning" {
	"$cc" -std=c11 -pedantic -Wall -Wextra -Werror -fsyntax-only -x c "$PREFIX/include/affinity-spm.h"
	command -v g++ >/dev/null || skip "g++ is not installed"
	echo '#include <affinity-spm.h>
		int main() { return spm_lock(nullptr); }' >lock.cc
	g++ -Wall -Wextra -pedantic -Werror -I"$PREFIX/include" lock.cc -L"$PREFIX/lib" -Wl,-rpath,"$PREFIX/lib" -laffinity-spm -o lock
	./lock
}

@test "the library offers what its header declares, and needs only the C library" {
	same "$(sed -n 's/^SPM_API .*[ *]\(spm_[a-z_]*\)(.*/\1/p' "$PREFIX/include/affinity-spm.h" | sort)" \
		"$(nm -D --defined-only "$PREFIX/lib/libaffinity-spm.so" | awk '{ print $3 }' | sort)"
	same libc.so.6 "$(readelf -d "$PREFIX/lib/libaffinity-spm.so" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')"
}

# shellcheck disable=SC2016 # sed's backquotes
@test "the manual has every setting with its values and its default" {
	of_sources
	sed -n 's/^	{"\([a-z_]*\)", \(CHOICE\|YES_NO\|NUMBER\|BYTES\), .*{\(.*\)}},$/\1 \3/p' "$root/src/runtimes/spm/config.c" |
		sed 's/NULL//; s/[",]//g; s/ *$//' >settings
	[ "$(wc -l <settings)" -eq 11 ]
	build_example
	slices $caches
	while read -r name values; do
		default=$(sed -n "s/^# $name: //p" <<<"$output")
		[ "$name" != cache_bytes ] || default=0
		echo "$name: $values, default $default"
		grep -q "^| \`$name\` | ${values:+\`$values\` }.*| \`$default\` |" "$root/manual/page-migration.md"
	done <settings
}
