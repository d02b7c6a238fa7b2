#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# affinity-rhp --simulate: which free ranges areas would get, and what a wrong file is told.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	RHP=$AFFINITY-rhp
}

# wrong LINE MESSAGE HINT: a file with this line is refused.
wrong() {
	printf '%s\n' 'range 0 64MiB' 'area 64MiB' "$1" >t.ranges
	try "$RHP" --simulate t.ranges
	[ "$status" -eq 2 ]
	same "t.ranges:3: $2"$'\n'"  hint: $3" "$stderr"
	[ -z "$output" ]
}

# refused EXIT MESSAGE HINT -- WORD...
refused() {
	try "$RHP" "${@:5}"
	[ "$status" -eq "$1" ]
	same "$2"$'\n'"  hint: $3" "$stderr"
}

@test "an area goes to the nearest node with a range that holds half of it" {
	cat >t.ranges <<-'END'
		# six pieces on the own node, one on the other
		range 0 64MiB 6
		range 1 513MiB
		area 383MiB
		misses 1e9
		walk_cycles 40
		ideal_cycles 1e11
		far_stalls 5e9
		hits 1e9
		far_accesses 5e8
		far_ns 130
		local_ns 80
		hertz 2e9
	END
	try "$RHP" --simulate t.ranges
	[ "$status" -eq 0 ]
	same "area 1, 384 MiB
  node 1: 384 MiB of 384 MiB

                                   own node  all nodes
ranges                                    6          1
in ranges                           100.0 %    100.0 %
in the 32 largest ranges            100.0 %    100.0 %
on far nodes                          0.0 %    100.0 %
overhead, of ideal_cycles             0.0 %      5.0 %
gain of far ranges: 4e+10 cycles, cost: 5e+10 cycles: they are moved back" "$output"
	# where the program runs, how far others are, and the shares of both kinds of nodes
	printf '%s\n' 'local 1' 'distance 0 31' 'range 2 64MiB 9' 'area 128MiB' 'area 384MiB' >>t.ranges
	try "$RHP" --simulate t.ranges --least 100%,10%
	same "area 2, 128 MiB
  node 1: 128 MiB of 128 MiB
area 3, 384 MiB
  node 2: 64 MiB of 384 MiB" "$(sed -n '/^area 2/,$p' <<<"$output" | head -n 4)"
}

@test "what happens when no range holds enough is an option" {
	printf '%s\n' 'range 0 4MiB 100' 'range 1 40MiB' 'area 200MiB' >t.ranges
	try "$RHP" --simulate t.ranges --otherwise nearest
	same "  node 0: 4 MiB of 200 MiB, though no range holds enough" "$(sed -n 2p <<<"$output")"
	try "$RHP" --simulate t.ranges --otherwise largest
	same "  node 1: 40 MiB of 200 MiB, though no range holds enough" "$(sed -n 2p <<<"$output")"
	try "$RHP" --simulate t.ranges --otherwise none
	same "  no range: 200 MiB of 200 MiB" "$(sed -n 2p <<<"$output")"
	grep -qE '^in ranges +100.0 % +0.0 %$' <<<"$output"
	grep -qE '^in the 32 largest ranges +64.0 % +0.0 %$' <<<"$output"
	grep -qE '^overhead, of ideal_cycles +n/a +n/a$' <<<"$output"
	grep -qx 'gain and cost of far ranges: n/a' <<<"$output"
}

@test "a wrong file is refused with the place" {
	local size="a number and a unit, such as 64MiB or 1G"
	wrong "rnage 0 1G" "unknown word 'rnage'; did you mean 'range'?" "range, area, distance, local, block, or a count"
	wrong "range 0" "range: 1 value is too few" "range NODE SIZE [COUNT]"
	wrong "area 1G 2" "area: 2 values are too many" "area SIZE"
	wrong "range -1 1G" "range: '-1' is not a node" "a number from 0 to 1023"
	wrong "local 1024" "local: '1024' is not a node" "a number from 0 to 1023"
	wrong "range 0 64" "range: '64' is not a size" "$size"
	wrong "block 0MiB" "block: '0MiB' is not a size" "$size"
	wrong "range 0 1G 1000000" "range: '1000000' is not a number of ranges" "all together at most 1000000"
	wrong "distance 1 9" "distance: '9' is not a distance" "10 is the node's own, 255 the largest"
	wrong "hertz -3" "hertz: '-3' is not a count" "a number from 0 on, such as 1.5e9"
	echo 'area 1G' >t.ranges
	refused 2 "t.ranges: has no line 'range'" "range NODE SIZE [COUNT]: what is free" -- --simulate t.ranges
	echo 'range 0 1G' >t.ranges
	refused 2 "t.ranges: has no line 'area'" "area SIZE: what the program maps" -- --simulate t.ranges
	refused 2 "affinity-rhp: cannot read 'nothing': No such file or directory" "the manual has the form of the file" -- \
		--simulate nothing
	printf '%s\n' 'x' 'range 0 1' >t.ranges
	try "$RHP" --simulate t.ranges
	[ "$(grep -c '^t.ranges:[12]: ' <<<"$stderr")" -eq 2 ]
}

@test "options that do not belong together are refused" {
	refused 2 "affinity-rhp: --simulate runs no command: 'true'" "leave out one of the two" -- --simulate t -- true
	refused 2 "affinity-rhp: --rest has no effect with --simulate" "leave out one of the two" -- --simulate t --rest local
	refused 2 "affinity-rhp: --least has no effect without --simulate" "a command gets what the allocator's own rule gives" -- \
		--least 30% -- true
	refused 2 "affinity-rhp: --least: '50%,120%' is not a share" "50%, or 10%,30% for the own node and for the others" -- \
		--simulate t --least 50%,120%
	try "$RHP" --simulate t --otherwise far
	[ "$status" -eq 2 ]
	same "affinity-rhp: --otherwise: 'far' is not nearest, largest or none" "$stderr"
}
