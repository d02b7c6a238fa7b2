#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Figures of result documents have one door, src/core/document/figure.h: whoever takes one gets its mark with it.

# What stands behind the door: fields of run.h that only their rows, what fills them in and the door may name.
behind='figures\.(cost|ns_per_unit|units_per_s|bytes_per_s|traffic_bytes_per_s)\b|[>.](together\.|cost_of_all\b|measure_again\b)'

setup() {
	root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	cd "$root"
}

# around FOLDER...: what goes around the door, the reader and the door left out.
around() {
	grep -rnE "$behind" "$@" --include='*.[ch]' |
		grep -vE '^src/core/(document/(run\.h|rows_operations\.c|programs\.c|figure\.[ch])|result/operations\.c):'
}

@test "nothing reads a figure of a document without its mark" {
	run around src
	echo "$output"
	[ "$status" -eq 1 ]
}

@test "nothing computes with a cell of a document's table without its mark" {
	local files
	mapfile -t files < <(grep -rlE 'document_(table|cell)\b' src/core/machine/translations.c src/tools/compare src/tools/forecast src/tools/prediction src/tools/affinity src/tools/affinity-fleet --include='*.c')
	[ "${#files[@]}" -gt 0 ]
	run grep -nE '(->|[.])cells\[' "${files[@]}"
	echo "$output"
	[ "$status" -eq 1 ]
}

@test "the search finds what goes around" {
	local line
	mkdir "$BATS_TEST_TMPDIR/src"
	for line in 'o->jobs[t].figures.cost.value' 'r->operations.list[op].together.bytes_per_s' 'f = o->cost_of_all;' \
		'j->figures.ns_per_unit' 'if (o->samples.measure_again)'; do
		echo "$line" >"$BATS_TEST_TMPDIR/src/user.c"
		around "$BATS_TEST_TMPDIR/src"
	done
	for line in 'j->figures.units' 'o->jobs[t].figures.spread' 'x->figure.cost' 'struct document_figures figures;'; do
		echo "$line" >"$BATS_TEST_TMPDIR/src/user.c"
		run around "$BATS_TEST_TMPDIR/src"
		[ "$status" -eq 1 ]
	done
}
