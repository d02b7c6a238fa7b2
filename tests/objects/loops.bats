#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The hot loops of the kernels, as built, are those that they claim, and scripts/loops would notice if they were not.

# shellcheck disable=SC2030,SC2031 # each test is a process of its own
# shellcheck disable=SC2016 # code of C and assembly, not the shell's

bats_require_minimum_version 1.5.0 # run --separate-stderr

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	objects=${AFFINITY_BUILD:-build}/kernels
	scratch=$BATS_TEST_TMPDIR/scratch
	unset OBJDUMP
}

need_x86() {
	[ "$(uname -m)" = x86_64 ] || skip "not an x86-64 machine"
}

# How many loops the kernels of each architecture have: of access, its twin, bandwidth, gemv with f32 and its tiles, with int8 and its tiles, chase,
# patterns, tiers, translation, contended, pingpong, barrier, string, traffic, moves, and of execution units.
x86_loops=$((72 + 72 + 5 * 80 + 4 * 19 + 23 + 4 * 10 + 12 + 16 + 3 + 2 + 2 + 3 + 4 + 3 + 1 + 1 + 1 + 146))
arm_loops=$((72 + 72 + 8 * 8 + 2 * 80 + 2 * 19 + 12 + 3 * 10 + 12 + 16 + 3 + 2 + 2 + 3 + 4 + 1 + 1 + 1 + 1 + 96))

# all_as_claimed LOOPS LIST...: the lists have so many loops, and nothing else.
all_as_claimed() {
	cat "${@:2}" >"$scratch.all"
	awk -F '\t' '$3 != "as claimed"' "$scratch.all" >"$scratch.others"
	cat "$scratch.others"
	[ ! -s "$scratch.others" ]
	echo "$(wc -l <"$scratch.all") loops, not $1"
	[ "$(wc -l <"$scratch.all")" -eq "$1" ]
}

@test "every loop of every kernel, as make built it, is the one that its kernel claims" {
	! grep -q "sanitizer or profiler" "$objects"/access/access.loops || skip "$objects is instrumented: its loops do more than they say"
	# another build may be for another machine
	if readelf -h "$objects/access/access.o" | grep 'Machine: *AArch64' >/dev/null; then
		all_as_claimed "$arm_loops" "$objects"/{,*/}*.loops
	else
		all_as_claimed "$x86_loops" "$objects"/{,*/}*.loops
	fi
}

@test "every kernel of the function map has a claim" {
	local name
	scripts/loops --table "$objects"/{,*/}*.loops >"$scratch.c"
	sed -n '/^#define KERNELS/,/clang-format on/s/^\tKERNEL(\([a-z][A-Za-z0-9_]*\), \1_kernel).*/\1/p' kernels/map.c >"$scratch.names"
	[ "$(wc -l <"$scratch.names")" -gt 50 ]
	while read -r name; do
		grep -q "{\"$name\", " "$scratch.c" || { echo "$name has no claim" && return 1; }
	done <"$scratch.names"
}

# compile TYPE NAME BODY [FLAG...]: a function NAME around a loop's BODY as an object. The body may use p, q, r, s (of
# TYPE *), n, step, keep(x), KEEP(x) and keep_memory(). V is a vector of 32 bytes.
compile() {
	local type=$1 name=$2 body=$3
	shift 3
	cat >"$scratch.c" <<-END
		#include <stddef.h>
		#include <stdint.h>
		#include "keep.h"
		typedef double V __attribute__((vector_size(32)));
		#define KEEP(x) __asm__ volatile("" : : "x"(x))
		void $name($type *p, const $type *q, const $type *r, size_t n, ptrdiff_t step, ptrdiff_t ahead);
		void $name($type *p, const $type *q, const $type *r, size_t n, ptrdiff_t step, ptrdiff_t ahead)
		{
			do {
				$body
				q += step, r += step;
			} while (--n);
		}
	END
	"${CC:-cc}" -std=gnu11 -O2 -fno-unroll-loops -Isrc/core/contract "$@" -c "$scratch.c" -o "$scratch.o"
}

# judged VERDICT TEXT: what scripts/loops says of the only loop of the scratch object.
judged() {
	run --separate-stderr scripts/loops "$scratch.o"
	# shellcheck disable=SC2154 # stderr is set by run
	echo "status $status, output: $output, errors: $stderr, expected: $1: $2"
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 1 ]
	[ "$(cut -f 3 <<<"$output")" = "$1" ]
	[[ $(cut -f 4 <<<"$output") == *"$2"* ]]
}

refused() { judged another "$1"; }

@test "a list names the kernel, the loop, the verdict and what the loop does" {
	need_x86
	compile int loop_read_int 'keep(*p); p += step;'
	run --separate-stderr scripts/loops "$scratch.o"
	[[ $output == $'read\tloop_read_int\tas claimed\t1 loads 0 stores '[1-9]' instructions' ]]
}

@test "a load or store too many or too few is another loop" {
	compile int loop_read_int 'keep(p[0]); keep(p[1]); p += step;'
	refused "2 loads, not 1"
	compile int loop_write_read_int '*p = 88; keep(*p); p += step;'
	refused "0 loads, not 1"
	compile int loop_write_int '*p = 88; keep_memory(); *p = 88; keep_memory(); p += step;'
	refused "2 stores, not 1"
	compile int loop_read_int 'keep(*p); p += step; keep(*p); p += step; n--;'
	refused "2 loads, not 1"
}

@test "a load and a store in one instruction count as both" {
	compile char loop_read_write_char '*p += 1; keep_memory(); p += step;'
	judged "as claimed" "1 loads 1 stores"
	compile char loop_write_char '*p += 1; keep_memory(); p += step;'
	refused "1 loads, not 0"
}

@test "an increment in memory is a load and a store" {
	need_x86
	compile uint64_t loop_false_sharing '__asm__ volatile("incq %0" : "+m"(*p));'
	judged "as claimed" "1 loads 1 stores"
}

@test "a constant that is read in each turn is a load" {
	need_x86
	compile double update_scalar_u1 '__asm__ volatile("movsd %0,%%xmm3; xorpd mask(%%rip),%%xmm3; movsd %%xmm3,%0; .section .rodata; .balign 16; mask: .quad 0,0; .text" : "+m"(*p) : : "xmm3"); p++;'
	refused "2 loads, not 1"
}

@test "an instruction that the checker does not know is named, never counted as nothing" {
	need_x86
	compile int loop_read_int 'keep(*p); p += step; __asm__ volatile("xsave %0" : "=m"(*(char *)q));'
	refused "unknown instruction xsave"
	compile int loop_read_int 'keep(*p); p += step; __asm__ volatile("rdrand %%rax" : : : "rax");'
	refused "unknown instruction rdrand"
	compile uint64_t loop_int_add '__asm__ volatile(".rept 90\nadd $1,%%rax\n.endr\nrdrand %%rax" : : : "rax");'
	refused "unknown instruction rdrand"
}

@test "an atomic or repeated access is no plain one" {
	need_x86
	compile uint64_t loop_write_long '__asm__ volatile("xchg %%rax,%0" : "+m"(*p) : : "rax"); p += step;'
	refused "is no plain access: xchg"
	compile char loop_write_char '__asm__ volatile("stosb" : "+D"(p) : "a"(1) : "memory");'
	refused "is no plain access: stos"
}

@test "vectors, the stack, and instructions without need are another loop" {
	compile float loop_read_write_float 'for (size_t i = 0; i < 4096; i++) p[i] += 1; keep_memory();' -O3
	refused "works on vectors"
	compile int loop_read_int 'keep(*p); p += step;' -O0
	refused "uses the stack"
	compile int random_read_int \
		'keep(*p); n *= 3; keep(n); n ^= n >> 3; keep(n); n *= 5; keep(n); n ^= n >> 7;
		keep(n); n *= 7; keep(n); n ^= n >> 9; keep(n); n *= 11; keep(n); n ^= n >> 11; keep(n);
		n *= 13; keep(n); n ^= n >> 13; keep(n); n *= 17; p += step;'
	refused "instructions, "
	[[ $output == *"more than its work needs"* ]]
}

@test "with -O0 on purpose, the stack and constants do not count" {
	compile int loop_read_int 'keep(*p); p += step;' -O0
	mv "$scratch.o" "${scratch}_O0.o"
	run --separate-stderr scripts/loops "${scratch}_O0.o"
	[[ $output == $'read_O0\tloop_read_int\tas claimed\t1 loads'* ]]
	compile int loop_read_int 'keep(p[0]); keep(p[1]); p += step;' -O0
	mv "$scratch.o" "${scratch}_O0.o"
	run --separate-stderr scripts/loops "${scratch}_O0.o"
	[[ $output == *"2 loads, not 1"* ]]
}

@test "a loop that became a call of memset, or vanished, is another one" {
	compile char loop_write_char 'void fill(char *); fill(p); *p = 88; keep_memory(); p += 4096;'
	refused "uses the stack"
	printf 'void loop_read_char(void);\nvoid loop_read_char(void) { }\n' >"$scratch.c"
	"${CC:-cc}" -O2 -c "$scratch.c" -o "$scratch.o"
	refused "has no loop"
}

@test "on 64-bit Arm, too, a load too many, vectors and the stack are found" {
	command -v aarch64-linux-gnu-gcc >/dev/null || skip "aarch64-linux-gnu-gcc is not installed (make setup installs it)"
	export CC=aarch64-linux-gnu-gcc OBJDUMP=aarch64-linux-gnu-objdump
	printf '#include <stddef.h>\nvoid loop_read_int(volatile int *p, size_t n);\nvoid loop_read_int(volatile int *p, size_t n) %s\n' \
		'{ do { (void)p[0]; (void)p[1]; p += 48; } while (--n); }' >"$scratch.c"
	$CC -O2 -c "$scratch.c" -o "$scratch.o"
	refused "2 loads, not 1"
	$CC -O0 -c "$scratch.c" -o "$scratch.o"
	refused "uses the stack"
	printf 'void loop_read_write_float(float *p);\nvoid loop_read_write_float(float *p) { for (int i = 0; i < 4096; i++) p[i] += 1; }\n' >"$scratch.c"
	$CC -O3 -c "$scratch.c" -o "$scratch.o"
	refused "works on vectors"
	printf 'void loop_read_int(void);\nvoid loop_read_int(void) { for (int i = 0; i < 9; i++) __asm__ volatile("ldr w1, [x0]; pacda x1, x2" : : : "x1"); }\n' >"$scratch.c"
	$CC -march=armv8.3-a -O2 -c "$scratch.c" -o "$scratch.o"
	refused "unknown instruction pacda"
}

@test "accesses of bandwidth have the width of their instruction set" {
	need_x86
	compile V copy_avx_u1 'V x = *q; KEEP(x); *p = x; keep_memory(); p += step;' -mavx
	judged "as claimed" "1 loads 1 stores"
	compile V load_avx512_u1 'V x = *p; KEEP(x); p += step;' -mavx
	refused "is not as wide as avx512"
	compile V load_avx_u1 'double x = *(const double *)p; KEEP(x); p += step;' -mavx
	refused "is not as wide as avx"
	compile V load_scalar_u1 'V x = *p; KEEP(x); p += step;' -mavx
	refused "is not as wide as scalar"
	compile V copy_avx_u2 'V x = *q; KEEP(x); *p = x; keep_memory(); p += step;' -mavx
	refused "1 loads, not 2"
}

@test "of a loop in one of rounds the inner one counts, and nothing is accessed between rounds" {
	local inner='size_t k = n; const V *a = q; do { V x = *a; KEEP(x); a += step; keep_memory(); } while (--k);'
	need_x86
	compile V load_avx_u1 "$inner" -mavx
	judged "as claimed" "1 loads 0 stores"
	compile V load_avx_u1 "$inner V y = *r; KEEP(y);" -mavx
	refused "between rounds: vmov"
	compile V load_avx_u1 "${inner/KEEP(x);/KEEP(x); x = a[9]; KEEP(x);}" -mavx
	refused "2 loads, not 1"
}

@test "a store that is not past the caches, or wrongly is, and prefetches too many or too few are found" {
	need_x86
	compile V copy_nt_avx_u1 'V x = *q; KEEP(x); *p = x; keep_memory(); p += step;' -mavx
	refused "0 of 1 stores are past the caches"
	compile V copy_avx_u1 'V x = *q; KEEP(x); __asm__ volatile("vmovntpd %1, %0" : "=m"(*p) : "x"(x)); p += step;' -mavx
	refused "1 of 1 stores are past the caches"
	compile V load_avx_u1 'V x = *p; KEEP(x); __builtin_prefetch((const char *)p + ahead); p += step;' -mavx
	refused "1 prefetches, not 0"
	compile V load_avx_u1_ahead 'V x = *p; KEEP(x); p += step;' -mavx
	refused "0 prefetches, not 1"
}

@test "a chase that does more than follow its chains is another loop" {
	need_x86
	compile char chase_2 'p = *(char **)p; keep((long)p);'
	refused "1 loads, not 2"
}

@test "an addition that is not atomic, is done twice, or beside a store, is another loop" {
	compile uint64_t loop_atomic_add 'n -= __atomic_fetch_add(p, 1, 5) & 1;'
	judged "as claimed" "0 loads 0 stores"
	compile uint64_t loop_atomic_add 'keep_memory(); *p += 1; keep_memory();'
	refused "0 atomic additions, not 1"
	compile uint64_t loop_atomic_add 'n -= __atomic_fetch_add(p, 1, 5) & 1; n -= __atomic_fetch_add(p, 1, 5) & 1;'
	refused "2 atomic additions, not 1"
	compile uint64_t loop_atomic_add 'n -= __atomic_fetch_add(p, 1, 0) & 1; p[8] = n; keep_memory();'
	refused "1 stores, not 0"
}

@test "a kernel of execution units that does something else is another loop" {
	need_x86
	compile uint64_t loop_fp_add '__asm__ volatile(".rept 90\naddsd %%xmm1,%%xmm0\n.endr" : : : "xmm0");'
	judged "as claimed" "fp"
	compile uint64_t loop_fp_add '__asm__ volatile(".rept 90\nmulsd %%xmm1,%%xmm0\n.endr" : : : "xmm0");'
	refused "instructions only 0 are ^(v?addsd)"
	compile uint64_t loop_fp_add '__asm__ volatile(".rept 70\naddsd %%xmm1,%%xmm0\n.endr\n.rept 30\nmov %0,%%rax\n.endr" : : "m"(*p) : "rax", "xmm0");'
	refused "are of kind fp"
	compile uint64_t loop_branch '__asm__ volatile(".rept 9\njne 1f\n1:\n.endr");'
	refused "are of kind branch, too many"
}

@test "what cannot be checked is said, with its reason" {
	compile int loop_read_int 'keep(*p); p += step;'
	OBJDUMP=no-objdump run scripts/loops "$scratch.o"
	[ "$output" = $'-\t-\tnot checked\tno-objdump, which shows machine code, is not installed' ]
	compile int loop_read_int 'keep(*p); p += step;' -fsanitize=address
	run scripts/loops "$scratch.o"
	[ "$output" = $'-\t-\tnot checked\tthe compiler added instructions of a sanitizer or profiler to every loop' ]
	cat >"$BATS_TEST_TMPDIR/objdump" <<-'END'
		#!/bin/sh
		echo "x: file format elf64-littleriscv"
	END
	chmod +x "$BATS_TEST_TMPDIR/objdump"
	OBJDUMP=$BATS_TEST_TMPDIR/objdump run scripts/loops "$scratch.o"
	[ "$output" = $'-\t-\tnot checked\tmachine code of the format elf64-littleriscv is not known here' ]
	run --separate-stderr scripts/loops "$BATS_TEST_TMPDIR/none.o"
	[ "$status" -eq 2 ]
	[ "$stderr" = "loops: $BATS_TEST_TMPDIR/none.o cannot be read; make builds the objects" ]
	run --separate-stderr scripts/loops --frob
	[ "$status" -eq 2 ]
	[ "$stderr" = "loops: unknown option '--frob'; scripts/loops --help lists the options" ]
	run --separate-stderr scripts/loops a.o b.o
	[ "$status" -eq 2 ]
	[ "$stderr" = "loops: which object? scripts/loops --help says more" ]
}

@test "a table has the verdict of each kernel, and of those without a loop" {
	printf '%s\t%s\t%s\t%s\n' read loop_read_int another '2 loads, not 1' read loop_read_char another '3 loads, not 1' \
		write loop_write_int 'as claimed' '1 stores' gemv gemv_f32_neon_u1 another '0 loads' ucomis_dirty loop_ucomis_dirty another 'x "y"' >"$scratch"
	scripts/loops --table "$scratch" >"$scratch.c"
	[ "$(grep -A 2 -F '{"read", "loop_read_int", LOOP_ANOTHER, "2 loads, not 1"},' "$scratch.c" | tail -n 2)" = \
		$'\t{"read", "loop_read_char", LOOP_ANOTHER, "3 loads, not 1"},\n\t{"read", NULL, LOOP_AS_CLAIMED, ""},' ]
	grep -F '{"write", NULL, LOOP_AS_CLAIMED, ""},' "$scratch.c"
	grep -F '{"null", NULL, LOOP_AS_CLAIMED, ""},' "$scratch.c"
	grep -F '{"ucomis_dirty", "loop_ucomis_dirty", LOOP_ANOTHER, "x \"y\""},' "$scratch.c"
	grep -F '{"moe", "gemv_f32_neon_u1", LOOP_ANOTHER, "0 loads"},' "$scratch.c"
	grep -F '{"moe", NULL, LOOP_AS_CLAIMED, ""},' "$scratch.c"
	grep -F '{"chase", NULL, LOOP_NOT_CHECKED, "no object of this build has its loop"},' "$scratch.c"
	grep -F 'const char loops_all[] = "5 of another loop (read gemv moe kvread ucomis_dirty), ' "$scratch.c"
	printf '%s\t%s\t%s\t%s\n' - - 'not checked' 'objdump is away' >"$scratch"
	scripts/loops --table "$scratch" >"$scratch.c"
	grep -F '{"read", NULL, LOOP_NOT_CHECKED, "objdump is away"},' "$scratch.c"
	grep -F 'const char loops_all[] = "not checked: objdump is away";' "$scratch.c"
}
