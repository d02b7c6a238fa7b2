#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/check: what it tells of tests that fail, that are skipped, and that are run twice or alone. The Makefile: which tests make
# check, make check-all and its parts run.

bats_require_minimum_version 1.5.0

setup() {
	root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	cd "$BATS_TEST_TMPDIR" || return 1
}

# A test program FILE that says that it runs and whose first TIMES runs fail.
program() { # FILE TIMES [LINE]
	cat >"$1" <<-END
		#!/usr/bin/env bash
		${3-}
		echo x >>$PWD/runs
		echo 1..2
		echo 'ok 1 easy # skip for want of time'
		[ "\$(wc -l <$PWD/runs)" -gt $2 ] && echo ok 2 hard && exit
		echo not ok 2 hard
		echo "# the run \$(wc -l <$PWD/runs) failed"
		exit 1
	END
	chmod +x "$1"
}

check() {
	run env -u AFFINITY_SAID PROVE_FLAGS=-Q "$root/scripts/check" "$@"
	echo "$output"
}

same_list() { # WANTED FOUND
	diff <(echo "$1") <(echo "$2")
}

@test "a test that fails is told with its messages, and what was skipped with its reason" {
	program one.t 1
	check "$PWD/one.t"
	[ "$status" -ne 0 ]
	[[ $output == *"not ok 2 hard"*"# the run 1 failed"*"1 skipped: for want of time"*Skipped=1* ]]
	[[ $output != *"run twice"* ]]
	[ "$(wc -l <runs)" -eq 1 ]
}

@test "a file that says so is run again where it fails, and both are told" {
	program two.t 1 '# twice: it is a test'
	check "$PWD/two.t"
	[ "$status" -eq 0 ]
	[[ $output == *"run twice: "*two.t*"not ok 2 hard"*"# the run 1 failed"*Skipped=1* ]]
	[ "$(wc -l <runs)" -eq 2 ]
}

@test "a second failure counts" {
	program three.t 2 '# twice: it is a test'
	check "$PWD/three.t"
	[ "$status" -ne 0 ]
	[[ $output == *"run twice: "*"# the run 1 failed"*"# the run 2 failed"*Skipped=1* ]]
	[ "$(wc -l <runs)" -eq 2 ]
}

@test "a file that passes is not run again" {
	program four.t 0 '# twice: it is a test'
	check "$PWD/four.t"
	[ "$status" -eq 0 ]
	[[ $output != *"run twice"* && $output == *Skipped=1* ]]
	[ "$(wc -l <runs)" -eq 1 ]
}

@test "a file that says so is first, with nothing beside it" {
	local name
	for name in a b c; do
		printf '%s\n' '#!/bin/sh' "$([ $name != c ] || echo '# alone: it is a test')" "echo begin $name >>$PWD/log" \
			'sleep 0.1' "echo end $name >>$PWD/log" 'echo 1..1' 'echo ok 1' >$name.t
		chmod +x $name.t
	done
	check "$PWD"/{a,b,c}.t
	[ "$status" -eq 0 ]
	same_list $'begin c\nend c' "$(head -n 2 log)"
	[ "$(wc -l <log)" -eq 6 ]
}

# tests_of TARGET...: the tests that make would run, a line each.
tests_of() {
	(cd "$root" && unset MAKEFLAGS MFLAGS MAKELEVEL && make -n BUILD=none LLVM=no "$@" | grep -E '(^| )scripts/check ' |
		tr ' ' '\n' | grep -E '[.](bats|t)$|_test$' | sed 's,^none/,,' | sort)
}

@test "make check-all and make check-turns run every test, make check-all each once" {
	tests_of check-all >all
	same_list "" "$(uniq -d all)"
	tests_of check-turns | cat all - | sort -u >ran
	same_list "$(cd "$root" && find tests -name '*.bats' -o -name '*.t' -o -path '*/unit/*_test.c' | sed 's/[.]c$//' | sort)" "$(<ran)"
}

@test "make check and the parts of the other tests are make check-all" {
	# shellcheck disable=SC2046 # words
	tests_of check $(sed -n 's/^PARTS := //p' "$root/Makefile" | sed -E 's/[a-z]+/check-&/g') >parts
	same_list "$(tests_of check-all)" "$(<parts)"
	tests_of check >day
	grep -qx tests/behaviour/golden.bats day
	grep -qx tests/project/lint.bats day
}

@test "the public checks run make check and each part" {
	same_list "$({ echo check && sed -n 's/^PARTS := //p' "$root/Makefile" | tr ' ' '\n' | sed 's/^/check-/'; } | sort)" \
		"$(sed -nE 's/.*part: \[?([a-z-]+).*/\1/p' "$root/.github/workflows/check.yml" | sort -u)"
}

@test "a file of behaviour that make check leaves out says why" {
	same_list "" "$(grep -hE '^# long:' "$root"/tests/behaviour/*.bats | grep -vE '^# long: .{20}')"
	tests_of check >day
	grep -l '^# long:' "$root"/tests/behaviour/*.bats | sed "s,^$root/,," >long
	[ "$(wc -l <long)" -gt 2 ]
	run ! grep -xFf long day
}

@test "nothing in make check-all needs a machine without other work, which only times do" {
	tests_of check-all | grep -v _test >all
	cd "$root"
	same_list "" "$(xargs grep -lE '^# (alone|twice): ' <"$BATS_TEST_TMPDIR/all")"
}
