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
	grep -q "as claimed" "$build/kernels/access.loops" || { built= && return 0; }
	mkdir "$spoiled"
	cp -a "$build"/{src,kernels,core.a,libraries,version.c,version.o,loops.c,loops.o} "$spoiled"
	rm "$spoiled/kernels/access.o"
	find "$spoiled" -name '*.d' -delete
	# make's own flags (-j of the make that runs these tests) would reach the make below
	env -u MAKEFLAGS -u MFLAGS -u OBJDUMP make -C "$root" "BUILD=$spoiled" KERNEL_FLAGS='-O2 -funroll-all-loops' \
		"$spoiled/affinity" >"$BATS_FILE_TMPDIR/told" 2>&1 || { cat "$BATS_FILE_TMPDIR/told" && return 1; }
}

setup() {
	driver_setup
	[ -n "$built" ] || skip "this build's loops are not checked: it is instrumented"
	AFFINITY=$spoiled/affinity
	printf '%s\n' 'opType: read store' 'nodePerThread: first' 'nodePerVector: first' 'tamPerVector: 64KiB' \
		'typePerVector: double' 'vectorPerThread: 0' 'numIter: 2' >t.args
}

@test "make writes what it found beside the object" {
	grep -P '^read\tloop_read_int\tanother\t[0-9]+ loads, not 1' "$spoiled/kernels/access.loops"
	[ "$(cut -f 3 "$spoiled/kernels/bandwidth_scalar.loops" | sort -u)" = "as claimed" ]
}

@test "a kernel with another loop is refused, with the loop and what to do" {
	run --separate-stderr "$AFFINITY" t.args out.txt
	# shellcheck disable=SC2154 # stderr is set by run
	echo "$status: $stderr"
	[ "$status" -eq 1 ]
	[[ $stderr == *"t.args:1: opType: 'read' was built with another loop than it claims: loop_read_char: "*" loads, not 1"* ]]
	[[ $stderr == *"  hint: build with another compiler or other flags; spoiledLoops: yes measures that loop"* ]]
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
	grep -E '^ - read: loop of read, as built: another: loop_read_char: [0-9]+ loads, not 1' out.txt
	! grep -E 'loop of store' out.txt || return 1
	[ "$(jq -r '.runs[0].operations[] | .operation + " " + .threads[0].loop[0:10]' o.json)" = $'read another: l\nstore as claimed' ]
	jq -e '.environment.loops | startswith("6 of another loop (read write ")' o.json
	jq -e '.environment.compiler_flags | contains("-funroll-all-loops")' o.json
	jq -e '[.warnings[].text | select(contains("read was built with another loop than it claims: loop_read_char: "))] | length == 1' o.json
}

@test "--compare names the other loop, the other flags and the other key" {
	"$AFFINITY" --quiet --set spoiledLoops=yes --json b.json t.args out.txt
	jq '.environment.loops = "as claimed" | .runs[0].operations[0].threads[0].loop = "as claimed"' b.json >a.json
	run --separate-stderr "$AFFINITY" --compare a.json b.json
	echo "$output"
	[[ $output == *" - read, thread 0 of run"*"loop: was \"as claimed\", is \"another: loop_read_char: "* ||
		$output == *" - read, thread 0: loop: was \"as claimed\", is \"another: loop_read_char: "* ]]
	[[ $output == *" - loops: was as claimed, is 6 of another loop (read "* ]]
	# a result of a program that did not know its loops is comparable
	jq 'del(.runs[].operations[].threads[].loop)' b.json >a.json
	run --separate-stderr "$AFFINITY" --compare a.json b.json
	[[ $output != *" loop: "* ]]
}

@test "a loop that could not be checked is measured, and that is said" {
	sed 's/LOOP_ANOTHER, "[^"]*"/LOOP_NOT_CHECKED, "objdump is away"/' "$spoiled/loops.c" >"$spoiled/told.c"
	mkdir "$spoiled.unchecked"
	cp -a "$spoiled"/. "$spoiled.unchecked"
	cp "$spoiled/told.c" "$spoiled.unchecked/loops.c"
	env -u MAKEFLAGS -u MFLAGS -u OBJDUMP make -C "$root" "BUILD=$spoiled.unchecked" -o "$spoiled.unchecked/loops.c" \
		-W "$spoiled.unchecked/loops.c" KERNEL_FLAGS='-O2 -funroll-all-loops' "$spoiled.unchecked/affinity" >told 2>&1 ||
		{ cat told && return 1; }
	"$spoiled.unchecked/affinity" --list '*' | grep -E '^read +loads each element, a stride of 192 B apart; loop not checked'
	"$spoiled.unchecked/affinity" --quiet --json o.json t.args out.txt
	grep -Fx ' - read: loop of read, as built: not checked: objdump is away' out.txt
	[ "$(jq -r '.runs[0].operations[0].threads[0].loop' o.json)" = "not checked: objdump is away" ]
}
