#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What programs and libraries take from the C library.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	programs=$(dirname "$AFFINITY")
	build=$programs
	[ "$AFFINITY" != "$root/affinity" ] || build=$root/build
}

# imports FILE NAME...: which of these functions it takes.
imports() {
	nm -D --undefined-only "$1" | sed 's/.* U //; s/@.*//' | grep -xF "${@:2}" || true
}

# A thread that spins with such a priority keeps every call that moves pages waiting, on all CPUs.
@test "nothing here asks for a real-time priority" {
	! nm "$AFFINITY" | grep -qE '__(asan|tsan|ubsan|msan)' || skip "a sanitizer's runtime is in the programs"
	local file binds=0
	for file in "$programs"/affinity{,-*} "$build"/*.so; do
		[ -f "$file" ] && head -c 4 "$file" | grep -q ELF || continue
		[ -z "$(imports "$file" -e sched_setscheduler -e sched_setparam -e sched_setattr -e pthread_setschedparam -e pthread_attr_setschedpolicy)" ]
		[ -z "$(imports "$file" -e sched_setaffinity)" ] || binds=$((binds + 1))
	done
	# so this would be seen
	[ "$binds" -gt 1 ]
}
