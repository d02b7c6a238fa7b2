#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of pages have in common; `page` is the page that a test looks at.
# shellcheck disable=SC2154 # page is the tests'

# The stored results as a folder of their own, made at one time: pictures are as old as their results.
stored() {
	mkdir -p tests/golden
	cp -r "$root/tests/golden/report" tests/golden/
	find tests -exec touch -d 2026-01-02 {} +
}

# stored_page HOST: makes the page of stored results with the kernels' stored mix.
stored_page() {
	printf '#!/bin/sh\nexec cat tests/golden/report/mix.csv\n' >mix
	chmod +x mix
	"$(dirname "$AFFINITY")/affinity-report" --top "$PWD/" --mix "$PWD/mix" "tests/golden/report/$1"
	page=tests/golden/report/$1/report.html
	[[ -z ${AFFINITY_PREFIX-} ]] || { as_in_sources <"$page" | sed 's|^affinity-report |scripts/report |' >as_in_sources.html && mv as_in_sources.html "$page"; }
}

# The rows of a table or of a figure's numbers: heads and cells of each, divided by single blanks. Cells are as the document
# has them, in data-value.
rows_of() { # ID
	sed -n "/<figure id='$1'>/,/<\/figure>/p" "$page" | grep '^<tr>' |
		sed -E "s/<td[^>]* data-value='([^']*)'>[^<]*(<small>[^<]*<\/small>)?/ \1 /g" | sed 's/<[^>]*>/ /g; s/  */ /g; s/^ //; s/ $//'
}

# Texts of the same words, and numbers that differ by what the 12 digits of the JSON may take away at most.
alike() { # EXPECTED FOUND
	[ -n "$1" ]
	paste -d '\n' <(tr -s ' \n' '\n' <<<"$1") <(tr -s ' \n' '\n' <<<"$2") | awk '
		{ sub("±", "") }
		NR % 2 { expected = $0; next }
		expected != $0 && (expected + 0 == 0 || (expected - $0) ^ 2 > (1e-5 * expected) ^ 2) { print expected " is " $0; exit 1 }'
}
