#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/lint finds what it looks for: each fault is made in a copy of the sources.

setup() {
	mkdir "$BATS_TEST_TMPDIR/tree"
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	tar -c src kernels scripts/lint tests/unit bench | tar -C "$BATS_TEST_TMPDIR/tree" -x
	cd "$BATS_TEST_TMPDIR/tree" || return 1
}

# complains TEXT: about these sources, and about nothing else.
complains() {
	run scripts/lint rooms libraries order lengths
	echo "$output"
	[ "$status" -eq 1 ]
	[[ $output == *"lint: $1"* && $output == *"lint: 1 faults" ]]
}

@test "folders of src/ that include each other in a circle are a fault" {
	sed -i 's|^#include "memory/mem.h"|&\n#include "plan/plan.h"|' src/memory/mem.c
	complains "folders of src/ include each other in a circle: "
	[[ $output == *memory*plan* ]]
}

@test "an include that does not name its folder is a fault" {
	sed -i 's|^#include "memory/mem.h"|#include "mem.h"|' src/memory/mem.c
	complains 'src/memory/mem.c:3:#include "mem.h": an include names its folder'
}

@test "a library in another folder than its own is a fault" {
	sed -i '0,/^#include </s||#include <jansson.h>\n&|' src/report/csv.c
	complains "src/report/csv.c: only src/document may include <jansson>"
}

@test "two calls as operands of |, whose order C leaves open, are a fault" {
	sed -i '0,/^\tint failed = 0;/s||\tint failed = first(e) \| second(e);|' src/plan/use.c
	complains "src/plan/use.c:"
	[[ $output == *"two calls as operands of |"* ]]
}
