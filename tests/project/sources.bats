#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# sources.txt: every feature of the first two works has an answer, and what shows it exists.

setup() {
	root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	table=$BATS_TEST_DIRNAME/sources.txt
}

# rows: NUMBER, FEATURE, ANSWER, FILE and TEXT of each row, divided by tabs.
rows() { grep -v '^#' "$table" | sed 's/ | /\t/g'; }

@test "the table has each of the 114 features once, with an answer" {
	[ "$(rows | cut -f 1 | paste -sd ' ')" = "$(echo {1..114})" ]
	[ -z "$(rows | awk -F '\t' 'NF != 5')" ]
	[ "$(rows | cut -f 3 | grep -cE '^(yes|differs on purpose, because .+|open: .+)$')" -eq 114 ]
}

@test "what shows a feature is there" {
	local number file text missing=0
	while IFS=$'\t' read -r number file text; do
		if [ ! -e "$root/$file" ]; then
			echo "$number: there is no $file"
		elif [ "$text" != - ] && ! grep -qF -e "$text" "$root/$file"; then
			echo "$number: $file does not have '$text'"
		else
			continue
		fi
		missing=$((missing + 1))
	done < <(rows | cut -f 1,4,5)
	[ "$missing" -eq 0 ]
}

@test "open features stand among the limits of the manual" {
	local limits open
	open=$(rows | cut -f 3 | grep -c '^open') || true
	limits=$(sed -n '/^## Limits of this version/,$p' "$root/manual/method.md")
	[[ $limits == *"tests/project/sources.txt"* ]]
	[[ $limits =~ [^0-9]"$open "(is|are)" open" ]]
}
