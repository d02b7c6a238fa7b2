#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# A kernel whose loop the compiler spoiled: make notices, affinity refuses it, and marks it where it is forced.

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

# This build with one object built anew, its loops unrolled by a flag.
setup_file() {
	driver_setup
	local build
	build=$(dirname "$AFFINITY")
	[ "$AFFINITY" != "$root/affinity" ] || build=$root/build
	export spoiled=$BATS_FILE_TMPDIR/build built=1
	grep -q "as claimed" "$build/kernels/access/access.loops" || { built= && return 0; }
	mkdir "$spoiled"
	cp -a "$build"/{src,kernels,core.a,libraries,version.c,version.o,loops.c,loops.o} "$spoiled"
	rm "$spoiled/kernels/access/access.o"
	find "$spoiled" -name '*.d' -delete
	make_again "$spoiled" "$spoiled/affinity"
}

# make_again BUILD WORD...: makes what is left of a build.
make_again() {
	# make's own flags (-j of the make that runs these tests) would reach the make below
	env -u MAKEFLAGS -u MFLAGS -u OBJDUMP make -C "$root" "BUILD=$1" KERNEL_FLAGS='-O2 -funroll-all-loops' "${@:2}" \
		>"$BATS_FILE_TMPDIR/told" 2>&1 || { cat "$BATS_FILE_TMPDIR/told" && return 1; }
}

setup() {
	driver_setup
	[ -n "$built" ] || skip "this build's loops are not checked: it is instrumented"
	AFFINITY=$spoiled/affinity
	printf '%s\n' 'opType: read store' 'nodePerThread: first' 'nodePerVector: first' 'tamPerVector: 64KiB' \
		'typePerVector: double' 'vectorPerThread: 0' 'numIter: 2' >t.args
}

@test "make writes what it found beside the object" {
	grep -P '^read\tloop_read_int\tanother\t[0-9]+ loads, not 1' "$spoiled/kernels/access/access.loops"
	[ "$(cut -f 3 "$spoiled/kernels/bandwidth/bandwidth_scalar.loops" | sort -u)" = "as claimed" ]
}

@test "a kernel with another loop is refused, with the loop and what to do" {
	run --separate-stderr "$AFFINITY" t.args out.txt
	# shellcheck disable=SC2154 # stderr is set by run
	echo "$status: $stderr"
	[ "$status" -eq 1 ]
	[[ $stderr == *"t.args:1: opType: 'read' was built with another loop than it claims: loop_read_double: "*" loads, not 1"* ]]
	[[ $stderr == *"  hint: build with another compiler or other flags, or take other parameters; spoiledLoops: yes measures that loop"* ]]
	[[ $stderr != *"'store' was built"* ]]
	[ ! -e out.txt ]
	run --separate-stderr "$AFFINITY" --set opType=store --plan t.args
	[ "$status" -eq 0 ]
}

@test "it is marked in --list and in --help, the others are not" {
	"$AFFINITY" --list '*' >list
	grep -E '^read +loads each element, a stride of 192 B apart; built with another loop: loop_read_char: [0-9]+ loads, not 1' list
	[ "$(grep -c 'built with another loop' list)" -eq 6 ]
	! grep 'loop not checked' list || return 1
	"$AFFINITY" --help read | grep -E '^Its loop, as built: another: loop_read_char: [0-9]+ loads, not 1'
	"$AFFINITY" --help store | grep -Fx 'Its loop, as built: as claimed.'
}

@test "forced, it is measured and marked in every result" {
	run --separate-stderr "$AFFINITY" --quiet --set spoiledLoops=yes --json o.json t.args out.txt
	[ "$status" -eq 0 ]
	grep -E '^ - read: loop of read, as built: another: loop_read_double: [0-9]+ loads, not 1' out.txt
	! grep -E 'loop of store' out.txt || return 1
	[ "$(jq -r '.runs[0].operations[] | .operation + " " + .threads[0].loop[0:10]' o.json)" = $'read another: l\nstore as claimed' ]
	jq -e '.environment.loops | startswith("6 of another loop (read write ")' o.json
	jq -e '.environment.compiler_flags | contains("-funroll-all-loops")' o.json
	jq -e '[.warnings[].text | select(contains("read was built with another loop than it claims: loop_read_double: "))] | length == 1' o.json
}

@test "--compare names the other loop, the other flags and the other key" {
	"$AFFINITY" --quiet --set spoiledLoops=yes --json b.json t.args out.txt
	jq '.environment.loops = "as claimed" | .runs[0].operations[0].threads[0].loop = "as claimed"' b.json >a.json
	run --separate-stderr "$AFFINITY" --compare a.json b.json
	echo "$output"
	[[ $output == *" - read, thread 0 of run"*"loop: was \"as claimed\", is \"another: loop_read_double: "* ||
		$output == *" - read, thread 0: loop: was \"as claimed\", is \"another: loop_read_double: "* ]]
	[[ $output == *" - loops: was as claimed, is 6 of another loop (read "* ]]
	# a result of a program that did not know its loops is comparable
	jq 'del(.runs[].operations[].threads[].loop)' b.json >a.json
	run --separate-stderr "$AFFINITY" --compare a.json b.json
	[[ $output != *" loop: "* ]]
}

# with_verdicts NAME FILE: another build, $spoiled.NAME, with this loops.c.
with_verdicts() {
	mkdir "$spoiled.$1"
	cp -a "$spoiled"/. "$spoiled.$1"
	cp "$2" "$spoiled.$1/loops.c"
	make_again "$spoiled.$1" -o "$spoiled.$1/loops.c" -W "$spoiled.$1/loops.c" "$spoiled.$1/affinity"
}

# weights VERDICT [OPTION]...: what --plan of gemv says, whose vector has 4-bit weights and int8 activations.
weights() {
	run --separate-stderr "$AFFINITY" --plan --set opType=gemv --set typePerVector=char --set tamPerVector=64MiB --set weights=q4 \
		--set activations=int8 "${@:2}" t.args
	echo "${*:2}: $status: $stderr"
	[ "$status" -eq "$1" ]
}

@test "where a compiler spoiled one loop, jobs that take others go on, and those that take it are refused by its name" {
	sed -E -e 's/\tgemv_dots_q4_scalar_u4\t.*/\tgemv_dots_q4_scalar_u4\tanother\tuses the stack/' \
		-e '/\tload_(sse2|neon)_u2\t/!s/^load\t(load_[a-z0-9]+_u[0-9])\t.*/load\t\1\tanother\tplanted/' \
		"$spoiled"/kernels/{,*/}*.loops >one.loops
	"$root/scripts/loops" --table one.loops >one.c
	with_verdicts one one.c
	AFFINITY=$spoiled.one/affinity
	weights 0 --set isa=scalar --set batch=1
	weights 0 --set isa=scalar --set batch=3
	weights 0 --set isa=scalar --set batch=5 --set rows=1 # 3 and 2 tokens
	weights 0 --set isa=scalar --set batch=4 --set activations=f32 --set weights=f32
	weights 1 --set isa=scalar --set batch=4
	[[ $stderr == *"opType: 'gemv' was built with another loop than it claims: gemv_dots_q4_scalar_u4: uses the stack"* ]]
	weights 1 --set isa=scalar --set batch=7 # 4 and 3 tokens
	weights 1 --set opType=kvread --set isa=scalar --set queries=4
	weights 0 --set opType=kvread --set isa=scalar --set queries=2
	weights 0 --set opType=moe --set isa=scalar
	# of what is left open a spoiled one is left out, and that is said
	run --separate-stderr "$AFFINITY" --quiet --set opType=load --set samples=1 --json auto.json t.args auto.txt
	echo "$stderr"
	[ "$status" -eq 0 ]
	[[ $(jq -r '.runs[0].operations[0].threads[0].chose' auto.json) =~ ^"isa "(sse2|neon)" unroll 2, without load_"[a-z0-9]+"_u"[248]": spoiled"$ ]]
	grep 'without load_' auto.txt
	run --separate-stderr "$AFFINITY" --plan --set opType=load --set unroll=8 t.args
	[ "$status" -eq 1 ]
	[[ $stderr == *"'load' was built with another loop than it claims: load_"*"_u8: planted"* ]]
	grep -q 'avx2\|asimd' /proc/cpuinfo || return 0
	weights 0 --set isa=auto --set batch=4
	# of a sweep the other runs are left
	weights 0 --set 'sweep=i = auto scalar' --set 'isa=$i' --set batch=4
	[[ $stderr == *"i=scalar is skipped: "*"gemv_dots_q4_scalar_u4: uses the stack"* ]]
}

@test "whatever the parameters, a job takes one of the loops of its kernel by name" {
	local kernel isa type
	# every loop is another one, and no other line speaks for a kernel that has loops
	scripts=$root/scripts
	sed -E 's/\t(as claimed|another)\t.*/\tanother\tplanted/' "$spoiled"/kernels/{,*/}*.loops >every.loops
	"$scripts/loops" --table every.loops >every.c
	with_verdicts every every.c
	AFFINITY=$spoiled.every/affinity
	: >told
	for kernel in $("$AFFINITY" --list '*' | awk '/built with another loop: /{ print $1 }'); do
		for type in char double; do
			try "$AFFINITY" --plan --set "opType=$kernel" --set "typePerVector=$type*" t.args
			[[ $status != 0 ]] || echo "$kernel $type: $stderr" >>told
		done
	done
	for isa in scalar sse2 avx2 avx512 auto; do
		taken 'load triad store_nt' "$isa" 'unroll=auto' 'unroll=1' 'unroll=8' 'unroll=2' 'prefetch=4KiB'
		taken gemv "$isa" 'batch=1' 'batch=2 rows=4' 'batch=3 rows=4' 'batch=4 rows=4 weights=q4' 'weights=int8 rows=4' 'weights=f32' \
			'activations=int8 weights=int8 rows=4' 'activations=int8 weights=q4 batch=7'
	done
	taken read '' order=random order=reverse typePerVector=short typePerVector=float
	taken 'chase' '' chains={1..16}
	taken 'pingpong' '' by=store by=cas
	cat told
	[ ! -s told ]
}

# taken KERNELS ISA SETTINGS...: a job with each of these is refused by the loop that it takes, or this CPU lacks the set.
taken() {
	local kernel settings words
	for kernel in $1; do
		for settings in "${@:3}"; do
			words=(--set "opType=$kernel" --set typePerVector=double)
			[ -z "$2" ] || words+=(--set "isa=$2")
			for setting in $settings; do words+=(--set "$setting"); done
			[[ $kernel != pingpong ]] || words+=(--set 'nodePerThread=first first' --set 'vectorPerThread=0 1')
			try "$AFFINITY" --plan "${words[@]}" t.args
			[[ $stderr == *": planted"* || $stderr == *"is not available here"* || $stderr == *"is for activations = "* || $stderr == *prefetch:* ]] ||
				echo "${words[*]}: $status: $stderr" >>told
		done
	done
}

@test "a loop that could not be checked is measured, and that is said" {
	sed 's/"[^"]*", LOOP_ANOTHER, "[^"]*"/NULL, LOOP_NOT_CHECKED, "objdump is away"/' "$spoiled/loops.c" >told.c
	with_verdicts unchecked told.c
	"$spoiled.unchecked/affinity" --list '*' | grep -E '^read +loads each element, a stride of 192 B apart; loop not checked'
	"$spoiled.unchecked/affinity" --quiet --json o.json t.args out.txt
	grep -Fx ' - read: loop of read, as built: not checked: objdump is away' out.txt
	[ "$(jq -r '.runs[0].operations[0].threads[0].loop' o.json)" = "not checked: objdump is away" ]
}
