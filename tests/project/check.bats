#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/check: what it tells of tests that fail, that are skipped, and that are run twice.

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
