#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/report: the page shows what the driver wrote. Results of a real run with tiny vectors; their times mean nothing.

# shellcheck disable=SC2016 # programs of jq have $names of their own
bats_require_minimum_version 1.5.0 # run !

# shellcheck source=tests/helper.bash
. "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/pages.bash
. "$BATS_TEST_DIRNAME/../pages.bash"

setup_file() {
	find_obstacle
	[ -z "$OBSTACLE" ] || return 0
	export AFFINITY results=$BATS_FILE_TMPDIR/results
	mkdir own suites suites/pruebas_sleep
	printf '%s\n' '# <script>alert("1 & 2")</script>' 'sweep: p = 1 2' 'opType: read' 'nodePerThread: first' 'nodePerVector: first' \
		'vectorPerThread: 0' 'tamPerVector: 4KiB' 'passes: $p' 'plot: cost x=p by=kernel' >own/mine.args
	printf '%s\n' 'opType: read' 'nodePerThread: 63' 'nodePerVector: 63' 'vectorPerThread: 0' 'tamPerVector: 4KiB' >own/far.args
	sed 's/0..900:100/0 500/' "$root/args/pruebas_sleep/ll.args" >suites/pruebas_sleep/ll.args
	batch own suites "$root"/args/{pruebas_un_hilo,pruebas_solo_priv,pruebas_solape,pruebas_half_access}
}

batch() { # FILE|FOLDER...
	"$root/scripts/ejec.sh" -o "$results" --report --set 'tamPerVector=4KiB*' --set numIter=2 --set warmup=0 "$@" >batch.out 2>&1 3>&- ||
		{ cat batch.out && return 1; }
}

# A folder of results that the test may change; what is not its own is not copied.
setup() {
	driver_setup
	skip_obstacle
	here=$(echo "$results"/*)
	page=$here/report.html
}

changed() { # [NAME]; a copy of the results, for a test that changes them
	cp -rp "$here" "${1:-copy}"
	page=${1:-copy}/report.html
}

report() { try "$root/scripts/report" "$@"; }

# What jq finds as VALUE|LOW|HIGH is written as the text report writes it.
printed() { # EXPERIMENT FILTER
	jq -r "$2" "$here/$1.json" | while IFS=' ' read -ra cells; do
		line=
		for cell in "${cells[@]}"; do
			[[ $cell != *'|'* ]] ||
				cell=$(awk -F '|' '{ printf $2 == "" ? "%.6g" : "%.6g ±%.2g", $1, ($3 - $2) / 2 }' <<<"$cell")
			line+=" ${cell//_BLANK_/ }"
		done
		echo "${line# }"
	done
}

cost='"\(.cost_s)|\(.low_s // "")|\(.high_s // "")"'
total='"\(.total_s)|\(.total_low_s // "")|\(.total_high_s // "")"'
value='"\(.value)|\(.low // "")|\(.high // "")"'

@test "tables 5.1 to 5.4 have the costs of the JSON" {
	local number=0 op
	for op in read write read_write write_read; do
		number=$((number + 1))
		same "$(printed pruebas_un_hilo/matrix "[.runs[]] | group_by(.values.data_node | tonumber)[] | [.[0].values.data_node,
			(sort_by(.values.thread_node | tonumber)[].operations[] | select(.operation == \"$op\") | $total)] | join(\" \")")" "$(rows_of "table-5.$number")"
	done
}

@test "tables of two threads have their costs, and the digits of the text report" {
	local pair threads='. as $r | range(2) as $t | "thread \($t) " + ([$r.operations[].threads[$t].figures | '$cost'] | join(" "))'
	for pair in 5.9=pruebas_solo_priv/mc_s 5.14=pruebas_solape/ll 5.17=pruebas_half_access/ll; do
		same "$(printed "${pair#*=}" ".runs[0] | $threads")" "$(rows_of "table-${pair%=*}")"
		shown "$(rows_of "table-${pair%=*}" | sed 's/ ±[^ ]*//g' | awk -v factor="$(cost_factor "$here/${pair#*=}.txt")" '{ for (i = 3; i <= NF; i++) $i *= factor; print }')" \
			"$(sed -n '/^cost ([a-z]*)$/,/^$/ { /^  thread [0-9]/ { s/+-[^ ]*//g; s/[~?]//g; p } }' "$here/${pair#*=}.txt")"
	done
	same "$(printed pruebas_sleep/ll ".runs[] | select(.values.delay_ms == \"500\") | $threads")" "$(rows_of table-5.20)"
}

@test "table 5.11 has cost and overhead of what was measured" {
	[ "$(rows_of table-5.11 | wc -l)" -eq 6 ]
	local column
	column=$(rows_of table-5.11 | sed 's/^[a-z_]*: [^ ]* [a-z%]* //; s/ ±/±/g' | cut -d ' ' -f 5)
	same "$(printed pruebas_solo_priv/mc_s ".runs[0] as \$r | range(3) as \$i | (\$r.operations[\$i] | $total), (\$r.solo.operations[\$i].overhead_percent | $value)" |
		sed 's/ //g')" "$column"
}

@test "table 5.23 has empirical and hypothetical speedups, and the base in seconds" {
	local b='.runs[] | select(.values.delay_ms == "500") | .baseline.operations as $b'
	same "$(printed pruebas_sleep/ll "$b"' | (range(2) as $t | "thread_BLANK_\($t)_BLANK_(E) " + ([$b[].threads[$t].speedup | '"$value"'] | join(" "))),
		"thread_BLANK_1_BLANK_(H) " + ([$b[].threads[1] | "\(.hypothetical)||"] | join(" ")),
		(range(2) as $t | "thread_BLANK_\($t):_BLANK_base,_BLANK_s " + ([$b[].threads[$t] | "\(.base_s)||"] | join(" ")))')" "$(rows_of table-5.23 | sed '/base/ { s/base, [a-z]*/base, s/; s/ ±[^ ]*//g; }')"
}

@test "figures have the numbers that they draw" {
	same "$(printed pruebas_un_hilo/stride ".runs[] | .values.stride_B + \" \" + ([.operations[] | $total] | join(\" \"))")" "$(rows_of figure-5.1)"
	same "$(printed pruebas_sleep/ll ".runs[] | .values.delay_ms + \" \" + ([.operations[1].threads[].figures | $cost] | join(\" \"))")" "$(rows_of figure-5.19)"
	if command -v gnuplot >/dev/null; then
		for id in figure-5.1 figure-5.16 figure-5.19 figure-5.22; do
			sed -n "/<figure id='$id'>/,/<\/figure>/p" "$page" | grep -q "src='data:image/svg+xml;base64,"
		done
	fi
}

@test "every table and figure of the thesis is shown, or told why not" {
	for number in {1..23}; do
		((number >= 10 && number <= 13)) || grep -qE "[Ff]igures? 5\.$number\b|figures 5" "$page"
		grep -qE "[Tt]ables? (5\.[0-9]+ (and|to) )?5\.$number\b|Tables 5.1 to 5.4|'table-5\.$number'" "$page"
	done
}

@test "the page is one file that needs nothing from elsewhere" {
	[ "$(grep -oiE "(src|href)=[^ >]{0,12}|url\([^)]*|@import|<(script|link|iframe|object)" "$page" |
		grep -cvE "^(src='data:image/|href='#|url\(#|href='(own|pruebas_)|<script$)")" -eq 0 ]
	# the results beside it, which are there
	grep -o "href='[^#'][^']*'" "$page" | cut -d "'" -f 2 | sort -u >sources
	[ "$(grep -c json sources)" -gt 5 ]
	[ "$(grep -c csv sources)" -gt 5 ]
	(cd "$here" && xargs ls >/dev/null) <sources
	[ -z "$(find "$here" -name '.report*')" ]
	[ "$(tail -n 1 "$page")" = '</html>' ]
}

@test "tags that are opened are closed" {
	local tag
	for tag in section figure table div details svg ul p h2 h3; do
		[ "$(grep -oE "<${tag}[ >]" "$page" | wc -l)" -eq "$(grep -o "</${tag}>" "$page" | wc -l)" ]
	done
}

@test "what was skipped is listed with its reason" {
	grep -A 3 "id='skipped'" "$page" | grep 'own/far.*<td class=state>skipped</td>.*node 63'
}

@test "an experiment that was skipped before and is measured now is no longer listed" {
	local host=${here##*/}
	changed "$host"
	echo 'skipped: it rained' >"$host/own/mine.skipped"
	report "$host"
	grep -q 'Last attempt skipped: it rained' "$page"
	"$root/scripts/ejec.sh" -o . --report --set 'tamPerVector=4KiB*' --set numIter=2 "$BATS_FILE_TMPDIR/own/mine.args" 3>&-
	run ! grep -q 'it rained' "$page"
}

@test "an argument file of one's own has a place, and its text is no markup" {
	grep -q "<section class=experiment id='own/mine'>" "$page"
	grep -q '&lt;script&gt;alert(&quot;1 &amp; 2&quot;)' "$page"
	same '<script id=page>' "$(grep -i '<script' "$page")"
	grep -q 'p=2 Thread 0' "$page"
}

@test "the spread of placements stands beside the interval, and the widest one is named" {
	local file=$here/own/mine.json p widest
	[ "$(jq .method.placements "$file")" -eq 5 ]
	for p in 1 2; do
		spread=$(jq ".runs[$((p - 1))].operations[0].threads[0].figures.spread * 100" "$file")
		grep "p=$p Thread 0" "$page" | grep -F "$(printf ' <small>spread %.2f&nbsp;%%</small></td>' "$spread")"
	done
	widest=$(jq -r '.runs | max_by(.operations[0].threads[0].figures.spread) | "\(.operations[0].threads[0].figures.spread * 100) \(.values.p)"' "$file")
	grep -F "$(printf 'Costs of one thread in different placements differ by up to %.2f %% (read, thread 0, run p=%s). ' "${widest% *}" "${widest#* }")" "$page"
	changed
	jq '.runs[].operations[].threads[].figures.spread = null' "$file" >copy/own/mine.json
	find copy -exec touch -d 2026-01-02 {} +
	report copy
	sed -n "/id='own.mine'/,/<.section>/p" "$page" | run ! grep -q 'spread\|placements differ'
}

@test "commands to repeat it have the overrides" {
	as_in_sources <"$page" | sed "s|$root/||; s/&#39;/'/g; s/&apos;/'/g" | # versions of jq differ
		grep -qF "scripts/ejec.sh --set 'tamPerVector=4KiB*' --set numIter=2 --set warmup=0 args/pruebas_solape/ll.args"
}

@test "half of the suites missing makes no less a page" {
	changed
	rm -r copy/pruebas_un_hilo copy/pruebas_sleep copy/pruebas_solo_priv copy/topology.svg
	report copy
	[ "$status" -eq 0 ]
	# a chapter without results is absent, in others what is missing is named
	run ! grep -q "Tables 5.1 to 5.4\|id='private'" "$page"
	grep -q 'Tables 5.20 and 5.23.*not measured' "$page"
	[ -n "$(rows_of table-5.14)" ]
}

@test "a result that is cut short is told and left out" {
	changed
	head -c 300 "$here/pruebas_solape/ll.json" >copy/pruebas_solape/ll.json
	report copy
	[ "$status" -eq 0 ]
	[[ $stderr == *"copy/pruebas_solape/ll.json:"*" cannot be read as JSON: "*"; it is left out"* ]]
	grep -q 'Table 5.14.*failed: its result file is damaged' "$page"
}

@test "a simulated machine is named in every heading" {
	changed
	local file
	for file in copy/*/*.json; do
		jq '.environment.simulated = "ring of four"' "$file" >new.json
		mv new.json "$file"
	done
	report copy
	grep -E '<h[123][ >]' "$page" >headings
	[ "$(wc -l <headings)" -gt 15 ]
	run ! grep -v 'simulated machine' headings
	grep -q 'ring of four' "$page"
}

@test "a folder with quick results only has their page" {
	mkdir -p host/quick
	cp -r "$here/pruebas_solape" host/quick/
	report host
	[ "$status" -eq 0 ]
	[ -s host/quick/report.html ]
	[ ! -e host/report.html ]
	report --out elsewhere.html host
	cmp <(grep -c '<section' host/quick/report.html) <(grep -c '<section' elsewhere.html)
}

@test "no results are told, and nothing is written" {
	mkdir empty
	report empty
	[ "$status" -eq 1 ]
	same "affinity-report: no results in 'empty'; scripts/ejec.sh makes some" "$stderr"
	[ -z "$(ls -A empty)" ]
	echo 'skipped: no second node' >empty/far.skipped
	report empty
	[ "$status" -eq 1 ]
	same "affinity-report: nothing was measured in 'empty': 1 experiment skipped or failed
  hint: files that end in .skipped say why" "$stderr"
}

@test "a page above the limit of file sizes is told, and the earlier page stays" {
	changed
	echo earlier >copy/report.html
	try bash -c 'ulimit -f 1 && exec "$@"' - "$root/scripts/report" copy
	[ "$status" -eq 1 ]
	[[ $stderr == *"cannot write '"*"report.html': File too large"* ]]
	[ "$(<copy/report.html)" = earlier ]
}

@test "figure 3 has each kernel alone, beside itself, and the mean of beside kernels of other units" {
	local pairs
	mkdir -p "$BATS_TEST_TMPDIR/h/smt"
	cat >t.args <<-'END'
		sweep: a = fp_add fp_mul int_add
		sweep: b = fp_add fp_mul int_add
		opType: $a+$b
		nodePerThread: first first
		oversubscribe: yes
		mode: time:20ms
		numIter: 3
		solo: yes
		table: slowdown rows=a cols=b thread=0 mean=scenarios
	END
	"$AFFINITY" --quiet --json "$BATS_TEST_TMPDIR/h/smt/matrix.json" t.args "$BATS_TEST_TMPDIR/h/smt/matrix.txt"
	"$root/scripts/report" "$BATS_TEST_TMPDIR/h"
	page=$BATS_TEST_TMPDIR/h/report.html
	pairs=$(jq -c '[.runs[].solo.operations[0].slowdowns[0].value]' "$BATS_TEST_TMPDIR/h/smt/matrix.json")
	# fp_add beside fp_mul is in no column
	alike "$(jq -r '(.[6] * .[7] | sqrt) as $int
		| "fp_add 1 \(.[0]) \(.[2])\nfp_mul 1 \(.[4]) \(.[5])\nint_add 1 \(.[8]) \($int)\n"
		+ "geometric mean 1 \(pow(.[0] * .[4] * .[8]; 1 / 3)) \(pow(.[2] * .[5] * $int; 1 / 3))"' <<<"$pairs")" \
		"$(rows_of figure-3 | sed 's/ ±[^ ]*//g')"
	! command -v objdump >/dev/null || grep -q "<figure id='figure-1a'>" "$page"
}
