#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/lint finds what it looks for: each fault is made in a copy of the sources.

# Each fault is in a file of its own; lint looks for all of them at once.
setup_file() {
	mkdir "$BATS_FILE_TMPDIR/tree"
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	tar -c src kernels scripts/lint tests/unit bench | tar -C "$BATS_FILE_TMPDIR/tree" -x
	cd "$BATS_FILE_TMPDIR/tree" || return 1
	sed -i 's|^#include "memory/mem.h"|&\n#include "plan/plan.h"|' src/core/memory/mem.c
	sed -i 's|^#include "memory/mthp.h"|#include "mthp.h"|' src/core/memory/mthp.c
	sed -i '0,/^#include </s||#include <jansson.h>\n&|' src/core/report/csv.c
	sed -i '0,/^\tint failed = 0;/s||\tint failed = first(e) \| second(e);|' src/core/plan/use.c
	# one that is no program here, and one that is none in git
	mkdir tests/behaviour
	touch tests/behaviour/{here,stored}.bats
	git init -q && git add tests/behaviour/stored.bats
	chmod +x tests/behaviour/stored.bats
	printf '%s\n' 'x, of which' '```text' 'told' '```' >README.md
	sed -i '0,/ARGS is missing/s//ARGS is "\n\t\t"missing behind it/' src/tools/affinity/*.c
	scripts/lint rooms libraries order lengths words modes >"$BATS_FILE_TMPDIR/told" 2>&1 || true
}

# complains TEXT: of the eight faults that there are.
complains() {
	cat "$BATS_FILE_TMPDIR/told"
	grep -F "lint: $1" "$BATS_FILE_TMPDIR/told" >line
	grep -x "lint: 8 faults" "$BATS_FILE_TMPDIR/told"
}

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
}

@test "folders of src/ that include each other in a circle are a fault" {
	complains "folders of src/ include each other in a circle: "
	grep 'memory.*plan' line
}

@test "words that are read twice are a fault, in documents and in messages" {
	complains "README.md:1: x, of which: say it without "
	grep -F "ARGS is missing behind it" "$BATS_FILE_TMPDIR/told"
}

@test "an include that does not name its folder is a fault" {
	complains 'src/core/memory/mthp.c:3:#include "mthp.h": an include names its folder'
}

@test "a library in another folder than its own is a fault" {
	complains "src/core/report/csv.c: only src/core/document may include <jansson>"
}

@test "two calls as operands of |, whose order C leaves open, are a fault" {
	complains "src/core/plan/use.c:"
	grep -F "two calls as operands of |" line
}

@test "a test that prove cannot run is a fault, here or in git" {
	complains "tests/behaviour/here.bats: prove cannot run it"
	complains "tests/behaviour/stored.bats: prove cannot run it"
}

@test "the sources themselves have no fault" {
	"$BATS_TEST_DIRNAME/../../scripts/lint" rooms libraries order lengths modes
}

# Each release breaks some lines otherwise.
@test "the sources are formatted" {
	clang-format --version 2>/dev/null | grep -q ' version 14\.' || skip "clang-format 14 is not installed"
	"$BATS_TEST_DIRNAME/../../scripts/lint" format
}

# Each release of shellcheck finds something else.
with_shellcheck() {
	shellcheck --version | grep -q '^version: 0\.9\.' || skip "shellcheck 0.9 is not installed"
}

@test "the scripts themselves have no fault" {
	with_shellcheck
	"$BATS_TEST_DIRNAME/../../scripts/lint" scripts
}

@test "the tests themselves have no fault" {
	[ -n "${AFFINITY_TURNS-}" ] || skip "takes minutes: make check-turns"
	with_shellcheck
	"$BATS_TEST_DIRNAME/../../scripts/lint" tests
}
