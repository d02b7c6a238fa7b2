#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The loops of bandwidth, chase and the patterns, as built, do what their names say, or tests/objects/bandwidth_loops notices.

bats_require_minimum_version 1.5.0 # run --separate-stderr

# shellcheck source=tests/objects/arm.bash
source "$BATS_TEST_DIRNAME/arm.bash"

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	loops=tests/objects/bandwidth_loops
	objects=${AFFINITY_BUILD:-build}/kernels
	scratch=$BATS_TEST_TMPDIR/scratch
}

# compile NAME BODY [FLAG...]: a function NAME around BODY as an object; V is a vector of 32 bytes.
compile() {
	local name=$1 body=$2
	shift 2
	cat >"$scratch.c" <<-END
		#include <stddef.h>
		#include "keep.h"
		typedef double V __attribute__((vector_size(32)));
		#define KEEP(x) __asm__ volatile("" : : "x"(x))
		double $name(V *a, const V *b, const V *c, size_t n, ptrdiff_t ahead);
		double $name(V *a, const V *b, const V *c, size_t n, ptrdiff_t ahead)
		{
			do {
				$body
				keep_memory();
				a++, b++, c++;
			} while (--n);
			return 0;
		}
	END
	"${CC:-cc}" -std=gnu11 -O2 -mavx -Isrc/contract "$@" -c "$scratch.c" -o "$scratch.o"
}

# refused PATTERN: fault is found with the scratch object, and told.
refused() {
	run --separate-stderr "$loops" "$scratch.o"
	# shellcheck disable=SC2154 # stderr is set by run
	echo "status $status, output: $output, errors: $stderr"
	[ "$status" -eq 1 ]
	[[ $stderr == *$1* ]]
}

need_x86() {
	[ "$(uname -m)" = x86_64 ] || skip "not an x86-64 machine"
}

@test "the loops of every operation, instruction set, unrolling and chain have their accesses and little else" {
	local parts=("$objects"/bandwidth_scalar.o "$objects"/chase.o "$objects"/patterns.o)
	if nm "${parts[@]}" | grep -qE '__(asan|tsan|ubsan|msan|gcov|llvm_prof)'; then
		skip "the objects are instrumented: their loops do more than they say"
	fi
	if [ "$(uname -m)" = x86_64 ]; then
		parts+=("$objects"/bandwidth_x86.o)
		expected=$((5 * 80 + 16 + 3))
	else
		parts+=("$objects"/bandwidth_arm.o)
		expected=$((8 * 8 + 2 * 80 + 16 + 3))
	fi
	run --separate-stderr "$loops" "${parts[@]}"
	echo "$output $stderr"
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq "$expected" ]
}

@test "they are right as clang makes them, too" {
	need_x86
	command -v clang >/dev/null || skip "clang is not installed (make setup installs it)"
	local file
	for file in bandwidth_scalar bandwidth_x86 chase patterns; do
		clang -std=gnu11 -O2 -D_GNU_SOURCE -Isrc/contract -c "kernels/$file.c" -o "$scratch.$file.o"
	done
	run --separate-stderr "$loops" "$scratch".*.o
	echo "$stderr"
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq $((5 * 80 + 16 + 3)) ]
}

@test "they are right for 64-bit Arm, too" {
	need_arm_library
	local file
	for file in bandwidth_scalar bandwidth_arm chase patterns; do
		"${arm[@]}" -std=gnu11 -O2 -D_GNU_SOURCE -Isrc/contract -c "kernels/$file.c" -o "$scratch.$file.o"
	done
	OBJDUMP=aarch64-linux-gnu-objdump run --separate-stderr "$loops" "$scratch".*.o
	echo "$stderr"
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq $((8 * 8 + 2 * 80 + 16 + 3)) ]
}

# What accesses memory in the function NAME of OBJECT.
accesses() {
	objdump -d --no-show-raw-insn --disassemble="$2" "$1" | awk '/^ *[0-9a-f]+:.*\(/ && !/lea|nop/ { $1 = ""; print substr($0, 2) }'
}

@test "the kernels of string instructions have one of them each and touch no other memory" {
	need_x86
	local object=$objects/string.o
	if nm "$object" | grep -qE '__(asan|tsan|ubsan|msan|gcov|llvm_prof)'; then
		skip "the objects are instrumented: their loops do more than they say"
	fi
	[ "$(accesses "$object" loop_fill)" = "rep stos %al,%es:(%rdi)" ]
	[ "$(accesses "$object" loop_fill_zero)" = "rep stos %al,%es:(%rdi)" ]
	[ "$(accesses "$object" loop_copy_string)" = "rep movsb %ds:(%rsi),%es:(%rdi)" ]
}

@test "a loop as it should be is accepted" {
	need_x86
	compile copy_avx_u1 'V x = *b; KEEP(x); *a = x;'
	run "$loops" "$scratch.o"
	[ "$status" -eq 0 ]
	[[ $output == copy_avx_u1*" 1 loads  1 stores"* ]]
}

@test "a load or store too many or too few is refused" {
	need_x86
	compile copy_avx_u1 'V x = *b; KEEP(x); V y = *c; KEEP(y); *a = x;'
	refused "copy_avx_u1: 2 loads, not 1"
	compile add_avx_u1 '*a = *b + *b;'
	refused "add_avx_u1: 1 loads, not 2"
	compile load_avx_u1 '*a = *b;'
	refused "load_avx_u1: 1 stores, not 0"
	compile copy_avx_u2 'V x = *b; KEEP(x); *a = x;'
	refused "copy_avx_u2: 1 loads, not 2"
}

@test "a narrower vector than the name's is refused" {
	need_x86
	compile load_avx512_u1 'V x = *b; KEEP(x);'
	refused "load_avx512_u1: is not as wide as avx512"
	compile load_avx_u1 'double x = *(const double *)b; KEEP(x);'
	refused "load_avx_u1: is not as wide as avx"
	compile load_scalar_u1 'V x = *b; KEEP(x);'
	refused "load_scalar_u1: is not as wide as scalar"
}

@test "a store that is not past the caches, or wrongly is, is refused" {
	need_x86
	compile copy_nt_avx_u1 'V x = *b; KEEP(x); *a = x;'
	refused "copy_nt_avx_u1: 0 of 1 stores are past the caches"
	compile copy_avx_u1 'V x = *b; __asm__ volatile("vmovntpd %1, %0" : "=m"(*a) : "x"(x));'
	refused "copy_avx_u1: 1 of 1 stores are past the caches"
}

@test "a prefetch too many or too few, needless instructions and the stack are refused" {
	need_x86
	compile load_avx_u1 'V x = *b; KEEP(x); __builtin_prefetch((const char *)b + ahead);'
	refused "load_avx_u1: 1 prefetches, not 0"
	compile load_avx_u1_ahead 'V x = *b; KEEP(x);'
	refused "load_avx_u1_ahead: 0 prefetches, not 1"
	compile load_avx_u1 'V x = *b; KEEP(x); ahead *= 3; keep(ahead); ahead ^= 5; keep(ahead); ahead *= 7; keep(ahead);
		ahead ^= 9; keep(ahead);'
	refused "instructions, more than"
	compile load_avx_u1 'V x = *b; KEEP(x); volatile int y = 1;'
	refused "load_avx_u1: uses the stack"
}

@test "a chase that does more than follow its chains is refused" {
	need_x86
	compile chase_2 'b = *(const V *const *)b; KEEP(b);' -w
	refused "chase_2: 1 loads and 0 stores, not 2 and 0"
}

@test "a loop that vanished is refused, and an object without hot loops" {
	need_x86
	printf 'double load_avx_u1(void);\ndouble load_avx_u1(void) { return 0; }\n' >"$scratch.c"
	"${CC:-cc}" -O2 -c "$scratch.c" -o "$scratch.o"
	refused "load_avx_u1: has no loop"
	compile other 'KEEP(*a);'
	refused "no function OP_ISA_uN or chase_N here"
}
