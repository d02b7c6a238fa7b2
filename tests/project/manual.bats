#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What README.md, manual.md and the files of manual/ say is so: their walk and examples work, nothing is left out, links
# lead somewhere.
# The recipes of CONTRIBUTING.md have contributing.bats.

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

# For examples that need several nodes: caches and distances of none.
FOUR_NODES="numa:4(memory=64GB) core:2 pu:2"

setup() {
	driver_setup
	manual=$PWD/manual
	(cd "$root" && documents | grep '^manual' | xargs cat) >"$manual"
}

# Names of the documents, from the project's folder.
documents() {
	(cd "$root" && find README.md CONTRIBUTING.md manual.md manual -name '*.md')
}

# block MARK: the code block of the manual behind the comment <!-- walk: MARK -->
block() {
	awk -v mark="<!-- walk: $1 -->" '
		$0 == mark { wanted = 1; next }
		wanted && /^```/ { if (inside) exit; inside = 1; next }
		inside { print }' "$manual"
}

# Argument files out of the ```args blocks of all documents, named after document and line; those that say
# that they need several nodes get a name of their own.
extract_examples() {
	local document
	for document in $(documents); do
		awk -v document="${document//\//_}" '
			/^```args/ { name = document "_" NR (/ nodes$/ ? ".nodes" : "") ".args"; next }
			/^```/ { name = "" }
			name { print >name }' "$root/$document"
	done
}

# missing WORD...: those that the manual never writes as `WORD` or `WORD ...`
missing() {
	printf '%s\n' "$@" | awk -F'`' '
		FILENAME != "-" {
			for (i = 2; i <= NF; i++)
				if (split($i, word, / /) && (i < NF || $i ~ / /)) written[word[1]]
			next
		}
		!($0 in written) { print "the manual does not mention " $0 }' "$manual" -
}

# First words of the lines that a help text indents by two blanks, and second names.
names() {
	sed -n 's/^  \([^ ][^ ]*\).*/\1/p; s/.*(also: \([^)]*\))$/\1/p'
}

all_kernels() {
	"$AFFINITY" --list "*" | sed 's/ .*also: / /; t; s/ .*//' | tr -d ,
}

# Without code blocks, in which # and [...] mean something else.
prose() { # DOCUMENT
	awk '/^```/ { code = !code; next } !code { print }' "$1"
}

# As GitHub makes them from headings.
anchors() { # DOCUMENT
	prose "$1" | sed -n 's/^##* //p' | tr '[:upper:]' '[:lower:]' | tr -cd 'a-z0-9 _\n-' | tr ' ' -
}

@test "a kernel is added as the manual says" {
	mkdir tree
	tar -C "$root" -c Makefile src kernels scripts | tar -C tree -x
	cd tree
	# what is built stays so, where it was built without flags of its own
	[[ ${AFFINITY_BUILD:-build} != build ]] || take_build "$root"
	block ejemplo.c >kernels/ejemplo.c
	block map.c >line
	[ "$(wc -l <line)" -eq 1 ]
	sed -i -e '/KERNEL(null,/{' -e 'e cat line' -e '}' kernels/map.c
	block arguments >ej.args
	# the make that runs these tests must not tell the one below how and where to build
	unset MAKEFLAGS MFLAGS MAKELEVEL BUILD CFLAGS
	make -j "$(nproc)" >log 2>&1 || { cat log && false; }
	run ! grep -i "warning:" log

	try ./affinity --list
	[[ $output == *$'\n  ej  '* ]]
	try ./affinity --help ej
	[ "$status" -eq 0 ]
	[[ $output == "ej: "* ]]
	try ./affinity --quiet ej.args -
	[ "$status" -eq 0 ]
	[[ $output == *$'\nej '*" GB/s"* ]]

	block parameter >kernels/ejemplo.c
	make affinity >log 2>&1 || { cat log && false; }
	try ./affinity --help ej
	[[ $output == *"  step "* ]]
	try ./affinity --quiet --set step=64 ej.args -
	[ "$status" -eq 0 ]
	[[ $output == *$'\nej '*" Mload/s"* ]]
	try ./affinity --quiet --set step=99999999 ej.args -
	[ "$status" -eq 2 ]
	local refusal="ej.args:1: ej: step = 99999999 is more than the 16777216 bytes of a vector"
	[[ $stderr == "$refusal"* ]]
	grep -qxF "$refusal" "$manual"

	# any pair, where a kernel asks for them; elsewhere unknown ones stay refused
	block pairs >kernels/ejemplo.c
	make affinity >log 2>&1 || { cat log && false; }
	try ./affinity --quiet --plan --set argsExtra=shade:dark ej.args
	[ "$status" -eq 2 ]
	same "ej.args:1: ej: 1 pairs, but no colour" "$stderr"
	grep -qxF "$stderr" "$manual"
	try ./affinity --quiet --plan --set 'argsExtra=shade:dark colour:red' ej.args
	[ "$status" -eq 0 ]
	try ./affinity --quiet --plan --set opType=read --set argsExtra=strid:3 ej.args
	[ "$status" -eq 2 ]
	[[ $stderr == "--set: unknown key 'strid'; did you mean 'stride'?"* ]]
	try ./affinity --quiet --plan --set "argsExtra=colour:$(printf '%064d' 0)" ej.args
	[ "$status" -eq 2 ]
	[[ $stderr == "--set: colour:000"*" is longer than 63 characters"* ]]
	try ./affinity --quiet --plan --set "argsExtra=$(printf 'p%d:1 ' {1..17})" ej.args
	[ "$status" -eq 2 ]
	[[ $stderr == "--set: 'p17' is one more pair than the 16 that a kernel can have"* ]]

	# what goes wrong in a kernel of one's own is told
	block ejemplo.c | sed 's/keep(data\[i\])/(void)data[i]/' >kernels/ejemplo.c
	make affinity >log 2>&1 || { cat log && false; }
	try ./affinity --quiet ej.args -
	[ "$status" -eq 1 ]
	[[ $stderr =~ "affinity: thread 0, ej: it says that it did "[0-9]+" bytes in "[0-9]+" ns, which no core can; did the compiler remove the loop?" ]]
	block parameter | sed 's/i < bytes;/i <= bytes;/' >kernels/ejemplo.c
	make affinity >log 2>&1 || { cat log && false; }
	try ./affinity --quiet ej.args -
	[ "$status" -eq 1 ]
	[[ $stderr == *"affinity: thread 0, ej: SIGSEGV 1 byte after the end of vector 0, which has 16777216 bytes"* ]]
	block parameter | sed '/\.run = /d' >kernels/ejemplo.c
	make affinity >log 2>&1 || { cat log && false; }
	try ./affinity --list
	[ "$status" -eq 1 ]
	[[ $stderr == "affinity: kernel 'ej' has no .run"* ]]
}

# shellcheck disable=SC2016 # sed's backquotes
@test "main.c and CONTRIBUTING.md have a line for each folder of src/, in the same order" {
	local folders
	folders=$(sed -n 's/^ \*   \([a-z]*\)  .*/\1/p' "$root/src/tools/affinity/main.c")
	same "$(find "$root/src" -mindepth 2 -maxdepth 2 -printf '%f\n' | grep -v '^affinity' | sort)" "$(sort <<<"$folders")"
	same "$folders" "$(awk '/^The folders of `src\/`/ { on = 1 } on && /^`scripts/ { exit } on' "$root/CONTRIBUTING.md" |
		sed -n 's/^| `\([a-z]*\)` | .*/\1/p' | grep -vxE 'core|runtimes|tools|affinity')"
	# tests of units have the folders of what they test
	same "" "$(find "$root/tests/unit" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' |
		grep -vxE "kernels|affinity-fleet|programs|${folders//$'\n'/|}")"
	# what one folder may use is above it: the order is one of those that the includes allow
	while read -r user used; do
		user=${user/#preload\/*/preload}
		[[ $user == "$used" || $user == affinity* || $folders == *"$used"$'\n'*"$user"* ||
			"$user $used" == "placement rhp" ]] || {
			echo "$user uses $used, which stands below it"
			return 1
		}
	done < <(cd "$root/src" && grep -roE '^#include "[^"]+/[^/"]+"' . --include='*.[ch]' |
		sed -E 's|^\./[a-z]+/(.*)/[^/]+:#include "(.*)/[^/]+"$|\1 \2|' | sort -u)
}

# The fields of a struct of the contract, in its order.
members() { # STRUCT
	sed -n "/^struct $1 {/,/^};/p" "$root/src/core/contract/kernel.h" | awk '
		{ sub(/^\t/, "") }
		/^\/\*/ { comment = 1 }
		comment { if (/\*\/$/) comment = 0; next }
		/^[a-z].*;/ { sub(/;.*/, ""); if (match($0, /\(\*[a-z_]+\)/)) $0 = substr($0, RSTART + 2, RLENGTH - 3)
			sub(/.*[ *]/, ""); print }'
}

# shellcheck disable=SC2016 # sed's backquotes
@test "the manual has every field of struct kernel, in its order" {
	local fields part from='^All fields of `struct kernel`'
	[ "$(members kernel | wc -l)" -ge 21 ]
	for part in '' migration meetings accesses system; do
		fields=$(members "kernel${part:+_$part}")
		[ -z "$part" ] || from="^\`.$part\`, "
		same "$fields" "$(sed -n "/${from}/,/^Types of parameters/p" "$manual" |
			awk '/^[`T]/ && seen { exit } /^\|/ { seen = 1 } seen' |
			sed -n 's/^| \(`[^|]*`\) |.*/\1/p' | tr -d '` ' | tr , '\n')"
	done
}

@test "the manual mentions every key" {
	mapfile -t words < <("$AFFINITY" --help keys | names)
	[ "${#words[@]}" -gt 30 ]
	run missing "${words[@]}"
	same "" "$output"
}

@test "the glossary has every second name of a key, and the names of one figure in all outputs" {
	local glossary
	glossary=$(<"$root/manual/glossary.md")
	mapfile -t words < <("$AFFINITY" --help keys | sed -n 's/.*(also: \([^)]*\))$/\1/p')
	[ "${#words[@]}" -ge 4 ]
	for word in "${words[@]}" ns/unit ns_per_unit ns_per_op 'busy(s)' busy_s 'Time_Cost(s)' cost_s total_s; do
		echo "looking for $word"
		[[ $glossary == *"\`$word\`"* ]]
	done
}

@test "the manual mentions every kernel and every parameter of each" {
	local words kernel
	mapfile -t words < <(all_kernels | tr ' ' '\n' && for kernel in $(all_kernels); do
		"$AFFINITY" --help "$kernel"
	done | names)
	[ "${#words[@]}" -gt 60 ]
	run missing "${words[@]}"
	same "" "$output"
}

@test "the manual mentions every option" {
	mapfile -t words < <("$AFFINITY" --help | names | tr -d ,)
	[ "${#words[@]}" -gt 11 ]
	run missing "${words[@]}"
	same "" "$output"
}

@test "the manual shows the help texts as they are" {
	[[ $(<"$manual") == *$'```text\n'"$("$AFFINITY" --help)"$'\n```'* ]]
	[[ $(<"$manual") == *$'```text\n'"$("$AFFINITY-map" --help)"$'\n```'* ]]
	[[ $(<"$manual") == *$'```text\n'"$("$AFFINITY-frag" --help)"$'\n```'* ]]
	[[ $(<"$manual") == *$'```text\n'"$("$AFFINITY-fleet" --help)"$'\n```'* ]]
	[[ $(<"$manual") == *$'```text\n'"$("$AFFINITY-rhp" --help)"$'\n```'* ]]
	[[ $(<"$manual") == *$'```text\n'"$("$root/scripts/ejec.sh" --help)"$'\n```'* ]]
}

@test "the tables that the manual has of the program are those of this program" {
	command -v jq >/dev/null || skip "jq is not installed (make setup installs it)"
	[ "$(uname -m)" = x86_64 ] || skip "they are those of x86-64"
	# exported, for a test of another build
	AFFINITY=$AFFINITY "$root/scripts/reference" >reference || return 1
	diff "$root/manual/reference.md" reference || { echo "scripts/reference --write makes it anew" && false; }
	[ "$(grep -c '^| `' reference)" -gt 200 ]
}

@test "the manual mentions every quantity that tables and plots can show" {
	# the driver lists them when one is not known
	given "table: nothing rows=thread"
	machine "$TWO_NODES"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	mapfile -t words < <(sed -n 's/^  hint: \(cost, .*\), or what .*/\1/p' <<<"$stderr" | sed 's/, /\n/g')
	[ "${#words[@]}" -ge 8 ]
	run missing "${words[@]}"
	same "" "$output"
}

@test "the manual mentions every column of CSV and every field of JSON" {
	command -v jq >/dev/null || skip "jq is not installed (make setup installs it)"
	# d is a variable of the sweep: a column, and a field of `values`; names of libraries, of variables and of the parts of
	# sentences are no fields
	# shellcheck disable=SC2016 # for the driver to expand
	printf '%s\n' 'opType: read null' 'nodePerThread: first' 'nodePerVector: first' 'tamPerVector: 4KiB' \
		'vectorPerThread: 0' 'speedupCalc: read/null' 'numIter: 1' 'sweep: d = 0 1 x' 'baseline: d=0' 'sleep: ${d}*' \
		'solo: yes' 'where: d != x' >t.args
	try "$AFFINITY" --quiet --json out.json --csv out.csv t.args /dev/null
	[ "$status" -ne 3 ] || skip "this machine cannot place a thread and a vector: $stderr"
	[ "$status" -eq 0 ]
	mapfile -t words < <(head -n 1 out.csv | tr , '\n' && jq -r 'del((.environment | .libraries, .c_library, .openmp_environment), .findings[].parts) | paths[] | strings | select(test("^[a-z]"))' out.json |
		sort -u)
	[ "${#words[@]}" -gt 100 ]
	run missing "${words[@]}"
	same 'the manual does not mention d' "$(sort -u <<<"$output")"
}

@test "the manual mentions every field of the schema" {
	command -v jq >/dev/null || skip "jq is not installed (make setup installs it)"
	mapfile -t words < <(jq -r '.. | .properties? // empty | keys[]' "$root"/results/schema-*.json | sort -u)
	[ "${#words[@]}" -gt 80 ]
	run missing "${words[@]}"
	same "" "$output"
}

@test "outputs of the documents that any machine gives are those of this program" {
	AFFINITY=$AFFINITY "$root/scripts/documents" || { echo "scripts/documents --write makes them anew" && false; }
	[ "$(cd "$root" && grep -rhE '^(HWLOC_|<!-- prints: )' manual.md manual | wc -l)" -ge 8 ]
}

@test "the examples of all documents can be planned" {
	local example count=0
	extract_examples
	for example in *.args; do
		count=$((count + 1))
		if [[ $example == *.nodes.args ]]; then
			HWLOC_SYNTHETIC=$FOUR_NODES try "$AFFINITY" --plan "$example"
		else
			try "$AFFINITY" --plan "$example"
			# a machine may be too small for an example, but no example may be wrong
			[ "$status" -ne 3 ] || status=0
		fi
		[ "$status" -eq 0 ]
	done
	[ "$count" -ge 12 ]
	compgen -G 'README.md_*.args'
	compgen -G 'manual_thesis.md_*.nodes.args'
}

# prints ROW VALUE N FILE: the N-th column from the right of the last such row, to the digits that a reader is shown.
prints() {
	awk -v row="$1" -v value="$2" -v n="$3" '$0 ~ row { ratio = $(NF - n) / value }
		END { exit !(ratio > 0.99 && ratio < 1.01) }' "$4" || { cat "$4" && false; }
}

@test "the manual's programs for pandas and R run, and print what the report has" {
	local cost
	block sizes.args | sed 's/samples: .*/samples: 2/' >t.args
	shims_setup
	# in 200 us of each sample another has the CPU, which no figure contains
	under delays DELAYS=200000 "$AFFINITY" --quiet --summary figures.csv --csv sizes.csv --json sizes.json t.args sizes.txt
	[ "$status" -ne 3 ] || skip "this machine cannot place a thread and a vector: $stderr"
	[ "$status" -eq 0 ]
	cost=$(jq -r '.runs[3].operations[1].threads[0].figures.ns_per_unit' sizes.json)
	command -v Rscript python3 >/dev/null && /usr/bin/python3 -c 'import pandas' &&
		Rscript -e 'library(jsonlite)' >/dev/null || skip "pandas, R or its jsonlite is not installed (make setup installs them)"
	local name
	for name in table figures samples; do
		block "$name.py" >program.py
		block "$name.R" >program.R
		/usr/bin/python3 program.py >"$name.py.out"
		Rscript program.R >"$name.R.out"
	done
	for name in py R; do
		prints "4MiB +write" "$cost" 0 figures.$name.out
		prints "4MiB +write" "$cost" 3 table.$name.out
	done
	[ "$(grep -c -E '^ *(65536|262144|1048576|4194304) ' table.py.out)" -eq 4 ]
	[ "$(grep -c -E '^ *(65536|262144|1048576|4194304|6[.]5536e.04|2[.]62144e.05) ' table.R.out)" -eq 4 ]
	[ "$(grep -c -E '^(64KiB|256KiB|1MiB|4MiB| +write)' samples.py.out)" -eq 8 ]
	cost=$(jq -r '[.runs[0].operations[0].threads[0].figures | .ns_per_unit / .cost_s * .by_placement_s[]] | add / length' sizes.json)
	for name in py R; do
		prints "64KiB +read" "$cost" 2 samples.$name.out
	done
	[ "$(grep -c -E '^[1-8] +(64|256|1|4)[KM]iB ' samples.R.out)" -eq 8 ]
}

@test "the gate of the manual lets equal results pass, and stops a slower one" {
	block gate.sh >script
	# shellcheck disable=SC2016 # for the script
	printf '%s\n' '#!/bin/sh' 'case $* in' '*--compare*) echo "$@" >compared; exit "$(cat answer)" ;;' \
		'*) printf "%s\n" "$*" >>measured ;;' 'esac' >affinity
	chmod +x affinity
	echo 0 >answer
	sh script good mine.args
	same "--quiet --json new1.json mine.args new1.txt
--quiet --json new2.json mine.args new2.txt
--quiet --json new3.json mine.args new3.txt" "$(<measured)"
	same "--tolerance 3% --compare good/1.json,good/2.json,good/3.json new1.json,new2.json,new3.json" "$(<compared)"
	echo 1 >answer
	run sh script good mine.args
	[ "$status" -eq 1 ]
}

@test "the thesis's own example is in the manual, as it is there" {
	extract_examples
	cat >thesis <<-'END'
		opType: write read
		nodePerThread: 0 1 2 3
		nodePerVector: 0 0
		tamPerVector: 209715200 209715200
		vectorPerThread: 0 1, 2 3
		summaryType: max
		speedupCalc: write/read
		numIter: 10
		argsExtra: sleep:100 stride:16
	END
	local example found=0
	for example in *.nodes.args; do
		! cmp -s thesis "$example" || found=1
	done
	[ "$found" -eq 1 ]
}

# Of a row without a head, as behind an empty line, a reader sees the bars.
@test "every table of the documents has a head, and rows of its width" {
	# shellcheck disable=SC2016 # the fields of awk
	(cd "$root" && documents | xargs awk '
		FNR == 1 { fence = rows = 0 }
		/^```/ { fence = !fence }
		fence || !/^\|/ { rows = 0; next }
		{ line = $0; gsub(/\\\|/, "", line); columns = gsub(/\|/, "", line) }
		++rows == 1 { width = columns; next }
		rows == 2 && !/^\|( :?-+:? \|)+$/ { print FILENAME ":" FNR - 1 ": a table without a head" }
		columns != width { print FILENAME ":" FNR ": " columns - 1 " columns, not " width - 1 }') >faults
	same "" "$(<faults)"
}

@test "links between the documents and to files of the project lead somewhere" {
	local document link target count=0
	declare -A known
	for document in $(documents); do
		known[$root/$document]=$'\n'$(anchors "$root/$document")$'\n'
	done
	for document in "${!known[@]}"; do
		while read -r link; do
			count=$((count + 1))
			echo "$document: $link"
			target=${link%%#*}
			target=$(realpath -e "${target:+${document%/*}/}${target:-$document}")
			[[ $link != *#* || ${known[$target]} == *$'\n'"${link#*#}"$'\n'* ]]
		done < <(prose "$document" | grep -o '\](\([^)]*\))' | sed 's/^](//; s/)$//' | grep -v '^https*:')
	done
	[ "$count" -gt 120 ]
}

# Every text of the programs and scripts, with ... for what they put into it; texts in several pieces are joined. In
# perl, which prove needs too: awk takes minutes.
texts_of_sources() {
	(cd "$root" && find src kernels -name '*.[ch]' -exec cat {} + |
		perl -0777 -pe 's/%[-+ #0-9.*]*" PRI\w+ "/.../g; s/" [A-Z_]+\s+"/.../g; s/"\s+"//g; s/\\"/"/g; s/%%/\001/g;
			s/%[-+ #0-9.*]*(?:l|h|j|z)*[a-zA-Z]/.../g; s/\001/%/g'
		cat Makefile scripts/{setup,ejec.sh} scripts/*.bash scripts/packaging/{install,dist} |
			perl -pe 's/\$\{[^}]*\}|\$\w+/.../g')
}

@test "every message of troubleshooting is one that a program prints" {
	texts_of_sources >texts
	awk -F'|' '/^\| `/ { print $2 }' "$root/manual/troubleshooting.md" | tr -d '\n' | tr '`' '\n' | sed -n 'n; p' >messages
	[ "$(wc -l <messages)" -gt 60 ]
	same "" "$(sort messages | uniq -d)"
	# what begins or ends with a value is looked for without it
	sed -E 's/^\.\.\.|\.\.\.$//g' messages | while read -r message; do
		grep -qF -e "$message" texts || echo "no program says: $message"
	done >unknown
	same "" "$(cat unknown)"
}

@test "every file of the manual is two links from its beginning, which has twelve" {
	local document
	[ "$(prose "$root/manual.md" | grep -E '^\| \[' | grep -o '](manual/' | wc -l)" -eq 12 ]
	for document in $(documents | grep '^manual/'); do
		echo "$document"
		grep -qF "](${document#manual/}" "$root/manual/index.md" || grep -qF "]($document" "$root/manual.md"
	done
}

@test "the manual's tables of coverage, of comparisons and of the model's worth are those that the tests compute" {
	local name row rows build=${AFFINITY_BUILD:-build}
	[[ $build == /* ]] || build=$root/$build
	for name in analysis/coverage_of_intervals_test statistics/verdict_test statistics/race_test model/worth_test; do
		[ -x "$build/tests/unit/$name" ] || skip "the unit tests are not built: make units"
		mapfile -t rows < <(cd "$root" && "$build/tests/unit/$name" table)
		[ "${#rows[@]}" -ge 8 ]
		for row in "${rows[@]}"; do
			echo "$row"
			grep -qxF -e "$row" "$manual"
		done
	done
}
