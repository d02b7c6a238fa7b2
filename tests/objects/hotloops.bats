#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The loops of the access kernels, as built, do what their names say, or tests/objects/hotloops would notice.

bats_require_minimum_version 1.5.0 # run --separate-stderr

# shellcheck source=tests/objects/arm.bash
source "$BATS_TEST_DIRNAME/arm.bash"

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	hotloops=tests/objects/hotloops
	object=${AFFINITY_BUILD:-build}/kernels/access.o
	scratch=$BATS_TEST_TMPDIR/scratch
}

# compile TYPE NAME BODY [FLAG...]: a function NAME around BODY, which may use p, n, step, keep(x)
# and keep_memory(), as an object.
compile() {
	local type=$1 name=$2 body=$3
	shift 3
	cat >"$scratch.c" <<-END
		#include <stddef.h>
		#include "keep.h"
		void $name($type *p, size_t n, ptrdiff_t step);
		void $name($type *p, size_t n, ptrdiff_t step)
		{
			$body
		}
	END
	"${CC:-cc}" -std=gnu11 -O2 -Isrc/contract "$@" -c "$scratch.c" -o "$scratch.o"
}

# refused PATTERN: hotloops finds fault with the scratch object, and says so.
refused() {
	run --separate-stderr "$hotloops" "$scratch.o"
	# shellcheck disable=SC2154 # stderr is set by run
	echo "status $status, output: $output, errors: $stderr"
	[ "$status" -eq 1 ]
	[[ $stderr == *$1* ]]
}

@test "the loop of every kernel and type does the accesses of its name and little else" {
	if nm "$object" | grep -qE '__(asan|tsan|ubsan|msan|gcov|llvm_prof)'; then
		skip "$object is instrumented: its loops do more than they say"
	fi
	run --separate-stderr "$hotloops" "$object"
	echo "$output $stderr"
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 72 ] # 6 kernels, 6 types, strided and random
}

@test "the object of AFFINITY_BUILD is the one that is checked" {
	mkdir -p "$BATS_TEST_TMPDIR/other/kernels"
	compile int loop_read_int 'do { keep(*p); p += step; } while (--n);'
	mv "$scratch.o" "$BATS_TEST_TMPDIR/other/kernels/access.o"
	AFFINITY_BUILD=$BATS_TEST_TMPDIR/other run "$hotloops"
	[ "$status" -eq 0 ]
	[[ $output == loop_read_int*"1 loads 0 stores"* ]]
}

@test "the loops are right for 64-bit Arm too" {
	need_arm_library
	"${arm[@]}" -std=gnu11 -O2 -Isrc/contract -c kernels/access.c -o "$scratch.o"
	OBJDUMP=aarch64-linux-gnu-objdump run --separate-stderr "$hotloops" "$scratch.o"
	echo "$output $stderr"
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 72 ]
}

@test "on 64-bit Arm, too, a load too many, vectors and the stack are refused" {
	need_arm
	export CC=aarch64-linux-gnu-gcc OBJDUMP=aarch64-linux-gnu-objdump
	compile int loop_read_int 'do { keep(p[0]); keep(p[1]); p += step; } while (--n);'
	refused "2 loads, not 1"
	compile float loop_read_write_float 'for (size_t i = 0; i < n; i++) p[i] += step;' -O3
	refused "works on vectors"
	compile int loop_read_int 'do { keep(*p); p += step; } while (--n);' -O0
	refused "uses the stack"
}

@test "a load too many is refused" {
	compile int loop_read_int 'do { keep(p[0]); keep(p[1]); p += step; } while (--n);'
	refused "loop_read_int: 2 loads, not 1"
}

@test "a load that the compiler dropped is refused" {
	compile int loop_write_read_int 'do { *p = 88; keep(*p); p += step; } while (--n);'
	refused "loop_write_read_int: 0 loads, not 1"
}

@test "a store too many is refused" {
	compile int loop_write_int \
		'do { *p = 88; keep_memory(); *p = 88; keep_memory(); p += step; } while (--n);'
	refused "loop_write_int: 2 stores, not 1"
}

@test "a load and a store in one instruction count as both" {
	compile char loop_read_write_char 'do { *p += 1; keep_memory(); p += step; } while (--n);'
	run "$hotloops" "$scratch.o"
	[ "$status" -eq 0 ]
	[[ $output == *"1 loads 1 stores"* ]]
	compile char loop_write_char 'do { *p += 1; keep_memory(); p += step; } while (--n);'
	refused "loop_write_char: 1 loads, not 0"
}

@test "a vectorised loop is refused" {
	compile float loop_read_write_float 'for (size_t i = 0; i < n; i++) p[i] += 1;' -O3
	refused "loop_read_write_float: works on vectors"
}

@test "an unrolled loop is refused" {
	compile int loop_read_int \
		'do { keep(*p); p += step; keep(*p); p += step; } while (n -= 2);'
	refused "loop_read_int: 2 loads, not 1"
}

@test "a loop that keeps its variables on the stack is refused" {
	compile int loop_read_int 'do { keep(*p); p += step; } while (--n);' -O0
	refused "loop_read_int: uses the stack"
}

@test "a loop with needless instructions is refused" {
	compile int random_read_int \
		'do { keep(*p); n *= 3; keep(n); n ^= n >> 3; keep(n); n *= 5; keep(n); n ^= n >> 7;
		keep(n); n *= 7; keep(n); n ^= n >> 9; keep(n); n *= 11; keep(n); n ^= n >> 11; keep(n);
		n *= 13; keep(n); n ^= n >> 13; keep(n); n *= 17; p += step; } while (--n);'
	refused "random_read_int: "
	[[ $stderr == *"instructions, more than 18"* ]]
}

@test "a loop that became a call of memset, or vanished, is refused" {
	compile char loop_write_char 'for (size_t i = 0; i < n; i++) p[i] = 88;' -O3
	refused "loop_write_char: "
	compile char loop_read_char 'for (size_t i = 0; i < n; i++) (void)p[i];'
	refused "loop_read_char: has no loop"
}

@test "an object without hot loops is refused, and one that is not there" {
	compile int other 'keep(*p);'
	refused "no function loop_* or random_* here"
	run "$hotloops" "$BATS_TEST_TMPDIR/none.o"
	[ "$status" -ne 0 ]
}
