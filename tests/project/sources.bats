#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# sources.txt and traps.txt: every feature of the first two works, and every trap of page migration, has an answer, and
# what shows it exists.

setup() {
	root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
}

# rows TABLE: NUMBER, FEATURE, ANSWER, FILE and TEXT of each row, divided by tabs.
rows() { grep -v '^#' "$BATS_TEST_DIRNAME/$1" | sed 's/ | /\t/g'; }

# numbered TABLE COUNT: each once, with an answer.
numbered() {
	[ "$(rows "$1" | cut -f 1 | paste -sd ' ')" = "$(seq -s ' ' "$2")" ]
	[ -z "$(rows "$1" | awk -F '\t' 'NF != 5')" ]
	[ "$(rows "$1" | cut -f 3 | grep -cE '^(yes|differs on purpose, because .+|open: .+)$')" -eq "$2" ]
}

# shown TABLE: the files are there, and have the texts.
shown() {
	local number file text missing=0
	while IFS=$'\t' read -r number file text; do
		if [ ! -e "$root/$file" ]; then
			echo "$1, $number: there is no $file"
		elif [ "$text" != - ] && ! grep -qF -e "$text" "$root/$file"; then
			echo "$1, $number: $file does not have '$text'"
		else
			continue
		fi
		missing=$((missing + 1))
	done < <(rows "$1" | cut -f 1,4,5)
	[ "$missing" -eq 0 ]
}

@test "the table has each of the 114 features once, with an answer" {
	numbered sources.txt 114
}

@test "what shows a feature is there" {
	shown sources.txt
}

@test "the table of traps has each once, with an answer, and none is open" {
	numbered traps.txt 69
	run grep open: "$BATS_TEST_DIRNAME/traps.txt"
	[ "$status" -eq 1 ]
}

@test "what shows how a trap is met is there" {
	shown traps.txt
}

@test "no code compares the title of a table, or looks for a word in it" {
	# a quantity with its unit, or along a variable, is a title; titles, captions and rests are for people
	# a quantity with its unit, or along a variable, is a title; titles of files and chapters are no tables'
	local found
	found=$(cat "$root"/src/{core/{analysis,document,machine,describe,report},tools/{compare,forecast,prediction,affinity-report{,/*}}}/*.c | grep -vE 'experiment->title|c\.title' |
		grep -E 'str(n?cmp|n?casecmp|str|chr|rchr|cspn|spn)\((.*[^a-z])?(title|caption)\b|str(n?cmp|str)\(.*"[a-z0-9_]+ (\(|along )') || true
	echo "$found"
	[ -z "$found" ]
}

@test "open features stand among the limits of the manual" {
	local limits open
	open=$(rows sources.txt | cut -f 3 | grep -c '^open') || true
	limits=$(sed -n '/^## Limits of this version/,$p' "$root/manual/method.md")
	[[ $limits == *"tests/project/sources.txt"* ]]
	[[ $limits =~ [^0-9]"$open "(is|are)" open" ]]
}

@test "what a user wrote is read where all of it is read, and results say what was asked for" {
	local keys
	# its text: the rows of documents, who fills them, who hands it to the parser, and what shows settings
	run grep -rlE 'arguments[.](text|set)\>|json_object_get\([^)]*"arguments"' "$root/src" --include='*.[ch]'
	[ "$(sort <<<"${output//"$root/src/"/}" | xargs)" = \
		"core/document/arguments.c core/document/rows_run.c core/report/text.c core/result/result.c tools/affinity-report/heading.c" ]
	# no code looks for a key in a text, such as "quick=" or "\norder:"
	keys=$("$root/affinity" --help keys | grep -oE '^  ?[a-z][A-Za-z]+' | sort -u | paste -sd '|' | tr -d ' ')
	[[ $keys == *quick* ]]
	run grep -rnE "str(n?cmp|str)\([^;)]*\"[^\"-]*\<($keys)[:=]" "$root/src" --include='*.[ch]' --exclude-dir=input
	echo "$output"
	[ "$status" -eq 1 ]
}

@test "no text of a fact is taken apart: its value has what it is made of" {
	run grep -rnE "(sscanf|strto[a-z]+|ato[a-z]+|words_split|strstr|strpbrk|text_(parse|real|count|bytes)[a-z_]*)\([^;]*(document_fact|environment_get)\(" \
		"$root/src" --include='*.[ch]'
	echo "$output"
	[ "$status" -eq 1 ]
}

@test "every file that a comment names is there" {
	# of others: numaif.h of libnuma, stat.c of fio
	local files named
	cd "$root"
	files=$(find src kernels tests -name '*.[ch]' -o -name '*.cpp' | sed 's,.*/,,')
	named=$(find src kernels -name '*.[ch]' -o -name '*.cpp' | xargs perl -0777 -ne '
		while (m{/\*.*?\*/}gs) { my $c = $&; print "$1 $ARGV\n" while $c =~ m{(?<![\w*/.])([a-z_]+\.(?:cpp|[ch]))\b}g }' |
		awk 'NR == FNR { there[$1]; next } !($1 in there) && $1 !~ /^(numaif[.]h|stat[.]c)$/' <(echo "$files") - | sort -u)
	echo "$named"
	[ -z "$named" ]
}
