#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What the kernels of execution units execute is what kernels/units.claims says; loops.bats has their loops as built.

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	build=$(dirname "$AFFINITY")
	[ "$AFFINITY" != "$root/affinity" ] || build=$root/build
	arch=x86
	[ "$(uname -m)" != aarch64 ] || arch=aarch64
}

# claims MIX [UNITS]
claims() {
	awk -v arch="$arch" -f "$root/scripts/units.awk" -f "$root/tests/objects/claims.awk" "$root/kernels/units.claims" "$@"
}

skip_instrumented() {
	! nm "$build/kernels/units/fp.o" | grep -qE '__(asan|tsan|ubsan|msan|gcov|llvm_prof)' ||
		skip "$build is instrumented: its loops do more than they say"
}

# What one thread runs here, and valgrind's processor has.
executable_kernels() {
	valgrind -q --tool=none "$AFFINITY" --list '*' 2>told | sed '/; not here: /d; s/ .*//' |
		grep -E '^(fp_|int_|dep_chain|load_|store_|branch|ctl_|simd_|ucomis_)'
}

@test "without objdump that is the reason, not the kernel" {
	OBJDUMP=no-objdump try "$root/scripts/mix" fp_add
	[ "$status" -eq 1 ]
	same "mix: no-objdump, which shows machine code, is not installed; it is in the package binutils" "$stderr"
}

@test "what is executed is what each kernel claims, and every unit is one" {
	skip_instrumented
	command -v valgrind >/dev/null || skip "valgrind is not installed (make setup installs it)"
	find_obstacle
	skip_obstacle
	local kernel count
	printf '%s\n' "opType: $(executable_kernels | tr '\n' ' ')" 'nodePerThread: first' 'nodePerVector: first' \
		'tamPerVector: 16KiB' 'vectorPerThread: 0' 'passes: 2' 'numIter: 1' 'placements: 1' 'warmup: 0' 'verify: warn' >t.args
	# valgrind does not follow a program that starts itself again, as it does where idle threads of OpenMP spin
	export OMP_WAIT_POLICY=PASSIVE GOMP_SPINCOUNT=0 KMP_BLOCKTIME=0
	# vector shifts by counts are many instructions in valgrind's own language: fewer of them at a time
	valgrind -q --tool=callgrind --vex-guest-max-insns=20 --dump-instr=yes --compress-pos=no --compress-strings=no \
		--callgrind-out-file=profile "$AFFINITY" --quiet --csv out.csv t.args /dev/null
	"$root/tests/objects/executed" profile "$AFFINITY" >mix
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
		{ print $column["kernel"], $column["units"] }' out.csv >ran
	while read -r kernel count; do
		"$AFFINITY" --help "$kernel" | sed -n "s/^One .*: \(.*\) loads\{0,1\}, \(.*\) stores\{0,1\}\..*/$kernel $count \1 \2/p"
	done <ran >units
	[ "$(wc -l <units)" -gt 24 ]
	run --separate-stderr claims mix units
	echo "$output $stderr"
	[ "$status" -eq 0 ]
}

@test "a kernel that does something else is found out" {
	local line
	arch=x86
	for line in "addsd 80 fp;mov 20 load" "mulsd 98 fp;sub 1 int;jne 1 branch" "addsd 98 int;sub 1 int;jne 1 branch"; do
		tr ';' '\n' <<<"$line" | sed 's/^/fp_add - /' >mix
		run --separate-stderr claims mix
		echo "$line: $stderr"
		[[ $'\n'$stderr == *$'\nfp_add: of 100 instructions only '* ]]
	done
	printf 'branch - %s\n' "jmp 55 branch" "add 45 int" >mix
	run --separate-stderr claims mix
	[[ $'\n'$stderr == *$'\nbranch: 55 of 100 instructions are of kind branch, too many'* ]]
	printf 'fp_add - %s\n' "addsd 98 fp" "sub 1 int" "jne 1 branch" >mix
	run --separate-stderr claims mix
	[[ $'\n'$stderr != *$'\nfp_add: '* ]]
}

@test "an operation too many, a load too few and a store too many are found out" {
	arch=x86
	printf '%s\n' "fp_add - addsd 1030 fp" "load_ind - mov 990 load" "load_dep - mov 1000 load" "load_dep - mov 200 store" \
		>mix
	printf '%s\n' "fp_add 1000 0 0" "load_ind 1000 1 0" "load_dep 1000 1 0" "fp_mul 1000 0 0" >units
	run --separate-stderr claims mix units
	echo "$stderr"
	[ "$status" -eq 1 ]
	[[ $stderr == *"fp_add: 1030 ^(v?addsd)$ for 1000 units"* ]]
	[[ $stderr == *"load_ind: 990 loads executed, not 1000"* ]]
	[[ $stderr == *"load_dep: 200 stores executed, not 0"* ]]
	[[ $stderr == *"fp_mul: ran, but nothing of it was executed"* ]]
}

@test "scripts/mix writes a row of shares for each loop" {
	run --separate-stderr "$root/scripts/mix" fp-add read
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 14 ] # read: 6 types, strided and random
	[ "${lines[0]}" = kernel,variant,method,instructions,branch,load,store,int,fp,simd ]
	[[ $output == *$'\n'"fp_add,,static,"* && $output == *$'\n'"read,double random,static,"* ]]
	awk -F, 'NR > 1 { sum = 0; for (i = 5; i <= 10; i++) sum += $i; if (sum < 0.999 || sum > 1.001) exit 1 }' <<<"$output"
}

@test "scripts/mix names an instruction that it does not know, and fails" {
	[ "$(uname -m)" = x86_64 ] || skip "not an x86-64 machine"
	mkdir -p build/kernels
	printf 'void loop_new(int n);\nvoid loop_new(int n) { do __asm__ volatile("rdrand %%%%rax" : : : "rax"); while (--n); }\n' >new.c
	cc -O2 -fno-unroll-loops -c new.c -o build/kernels/new.o
	AFFINITY_BUILD=$PWD/build run --separate-stderr "$root/scripts/mix"
	[ "$status" -eq 1 ]
	[ "$stderr" = "mix: loop_new: unknown instruction rdrand" ]
}

@test "scripts/mix refuses a kernel and an option that it does not know, and a build that is not there" {
	run --separate-stderr "$root/scripts/mix" frobnicate
	[ "$status" -eq 2 ]
	[ "$stderr" = "mix: this build has no loop of a kernel frobnicate" ]
	run --separate-stderr "$root/scripts/mix" --frob
	[ "$status" -eq 2 ]
	AFFINITY_BUILD=$PWD/nowhere run --separate-stderr "$root/scripts/mix"
	[ "$status" -eq 1 ]
	[ "$stderr" = "mix: there are no kernels in $PWD/nowhere; make builds them" ]
}

@test "tables of mixes are the same in languages that write a comma in numbers" {
	"$root/scripts/mix" fp_add >expected
	local why
	for name in de_DE.UTF-8 tr_TR.UTF-8; do
		why=$("$root/scripts/locale" "$name" "$PWD/locales") || skip "$why"
		export LOCPATH=$PWD/locales
		[ "$(LC_ALL=$name bash -c 'printf %.1f 1,5')" = 1,5 ]
		LC_ALL=$name "$root/scripts/mix" fp_add >found
		diff expected found
	done
}
