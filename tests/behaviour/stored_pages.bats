#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# affinity-report: the pages of stored results of machines that need not be here.

# shellcheck disable=SC2016,SC2030,SC2031 # programs of jq have $names of their own
bats_require_minimum_version 1.5.0 # run !

# shellcheck source=tests/helper.bash
. "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/pages.bash
. "$BATS_TEST_DIRNAME/../pages.bash"

setup() {
	driver_setup
}

@test "the pages of stored results are what they were, byte by byte" {
	stored
	for host in here one ring4; do
		stored_page $host
		cmp "tests/golden/report/$host.html" "$page"
	done
}

@test "swapping two placements in stored results changes the page" {
	stored
	local pair
	for pair in pruebas_solape/lr=pruebas_solape/rr pruebas_solo_priv/s=pruebas_solo_priv/bq pruebas_sleep/lr=pruebas_sleep/ll; do
		cd tests/golden/report/ring4
		mv "${pair%=*}.json" other.json
		mv "${pair#*=}.json" "${pair%=*}.json"
		mv other.json "${pair#*=}.json"
		cd "$OLDPWD"
		stored_page ring4
		run ! cmp -s tests/golden/report/ring4.html "$page"
		cp "$page" last.html
		rm -r tests
		stored
	done
}

@test "a picture of an earlier run is left out" {
	stored
	touch -d 2026-01-01 tests/golden/report/here/pruebas_un_hilo/stride.svg
	stored_page here
	[ "$(grep -c 'class=plot' "$page")" -eq $(($(grep -c 'class=plot' tests/golden/report/here.html) - 1)) ]
	run ! grep -q "alt='Cost by stride'" "$page"
}

@test "text of documents is no markup, wherever it comes from" {
	stored
	jq -c '.environment.host = "<b>h" | .environment["<i>f"] = "<b>v" | .arguments.path = "<b>p" | .arguments.text = "# <b>t\n<b>k" |
		.arguments.set = ["<b>s"] | .warnings = [{text: "<b>w", hint: "<b>h"}] | .method.statistic = "<b>m" |
		.runs[].values = {"<b>x": "<b>y"} | .runs[].operations[].operation = "<b>o"' tests/golden/report/here/own/mine.json >new.json
	rm -r tests/golden/report/here/*
	mkdir "tests/golden/report/here/<b>n"
	mv new.json "tests/golden/report/here/<b>n/a.json"
	echo '<b>state: <b>why' >tests/golden/report/here/b.skipped
	stored_page here
	grep -v '^<p class=\(legend\|missing\)><b>' "$page" | sed 's/<p class=missing><b>//g; s/<figcaption><b>//g' >marked
	run ! grep -n '<b>\|<i>' marked
	[ "$(grep -c '&lt;b&gt;' "$page")" -gt 10 ]
}

# planted FILE VALUE: copies of the document with VALUE (JSON) in place of each of its values, one to a copy and a line. Of
# lists only the first member is taken.
planted() {
	jq -c --argjson value "$2" '. as $d | [paths(scalars)] | unique_by(map(if type == "number" then 0 else . end))[] as $p |
		$d | setpath($p; $value)' "$1"
}

# planted_files FOLDER NAME FILE VALUE: the same in files FOLDER/1/NAME, FOLDER/2/NAME, ...; prints how many. (The shell
# would read such long lines a byte at a time.)
planted_files() {
	local count
	planted "$3" "$4" >documents
	count=$(wc -l <documents)
	seq -f "$1/%g/$2" "$count" | sed 's|/[^/]*$||' | xargs mkdir -p
	awk -v folder="$1" -v name="$2" '{ file = folder "/" NR "/" name; print >file; close(file) }' documents
	echo "$count"
}

# harmless FOLDER: its page is made, whole, and has no markup of a document.
harmless() {
	"${AFFINITY%/*}/affinity-report" "$1" >/dev/null 2>told || { cat told && return 1; }
	[[ $(grep -i '<script' "$1/report.html") == '<script id=page>' ]] || return 1
	[[ $(tail -n 1 "$1/report.html") == *'</html>' ]]
}

# no_nan: neither the page nor a text report of many/*/a.json prints a figure that is missing as a number.
no_nan() {
	local document
	for document in many/*/a.json; do
		"$AFFINITY" --show "$document" || [ $? -eq 2 ]
	done >shown 2>refused
	run ! grep -nw nan shown
	run ! grep -ow '.\{0,60\}nan' many/report.html
}

values=('"<script>alert(1)</script>"' null '[]' '{"a": "<script>"}' -1e300 9007199254740993 true)

@test "no value of a document is markup, and none keeps the page from being made" {
	local value number
	for value in "${values[@]}"; do
		rm -rf many
		number=$(planted_files many a.json "$root/tests/golden/report/here/own/mine.json" "$value")
		[ "$number" -gt 60 ]
		echo "$value in $number places"
		harmless many
		# each is a section of the page, or named as left out
		[ "$number" -eq $(($(grep -c '<section class=experiment' many/report.html) + $(grep -c 'its result file is damaged' many/report.html))) ]
		[ "$value" != null ] || no_nan
	done
}

@test "no value of a suite's document is markup, and none keeps the page from being made" {
	local value name folder number names=(pruebas_sleep/ll pruebas_half_access/ll pruebas_solo_priv/mc_s)
	for value in "${values[@]:0:2}"; do
		rm -rf pages
		# a page has a changed document of each suite
		for name in "${names[@]}"; do
			number=$(planted_files pages "$name.json" "$root/tests/golden/report/here/$name.json" "$value")
			[ "$number" -gt 60 ]
		done
		for folder in pages/*/; do
			cp "$root/tests/golden/report/here/own/mine.json" "$folder/other.json"
			harmless "$folder"
		done
	done
}

@test "no value of a document of pairs is markup, and none keeps the page from being made" {
	local value document number
	printf '%s\n' '{"schema": 1, "program": "affinity-map", "affinity_version": "x", "host": "h", "kernel": "k", "warnings": [{"text": "w"}],
		"figures": [{"figure": "Figure 5", "title": "times", "shape": "bars", "rows": ["a + b"], "columns": ["os"],
		"cells": [[{"value": 1, "low": 0.5, "high": 2}]]}]}' >pairs.json
	for value in "${values[@]}"; do
		number=0
		rm -rf many
		mkdir many
		cp pairs.json many
		while read -r document; do
			number=$((number + 1))
			printf '%s\n' "$document" >many/$number.json
		done < <(planted pairs.json "$value")
		[ "$number" -gt 10 ]
		harmless many
	done
}

@test "samples whose method a sweep changes are described as such" {
	stored
	jq '.runs[0].method = .method | .runs[1].method = .method' tests/golden/report/here/own/mine.json >same.json
	jq '.runs[1].method |= (.statistic = "min" | .iterations = 77 | .confidence = 0.5 | .warmup = 9)' same.json >other.json
	cp same.json tests/golden/report/here/own/mine.json
	touch -d 2026-01-02 tests/golden/report/here/own/mine.json
	stored_page here
	cmp "$page" "$root/tests/golden/report/here.html"
	cp other.json tests/golden/report/here/own/mine.json
	stored_page here
	sed -n "/id='own.mine'/,/<.section>/p" "$page" | tr '\n' ' ' >section
	grep -qF '10 or 77 samples of each operation after 1 or 9 warm-up' section
	grep -qF 'cost is their mean or min in seconds, ± 95 or 50 % confidence' section
}

# The cells of a table as the page writes them, after the labels of its rows.
cells_of() { # FILE FILTER
	jq -r ".tables[] | select($2)"' | . as $t | range(.rows | length) as $i | [$t.rows[$i]] + [$t.cells[$i][] |
		[.value, .low, .high] | join("|")] | join(" ")' "$1" | while IFS=' ' read -ra cells; do
		for cell in "${cells[@]:1}"; do
			cells[0]+=" $(awk -F '|' '{ printf $2 == "" ? "%.6g" : "%.6g ±%.2g", $1, ($3 - $2) / 2 }' <<<"$cell")"
		done
		echo "${cells[0]}"
	done
}

# Applies it to every stored document of the ring.
changed_documents() { # FILTER
	local file
	for file in tests/golden/report/ring4/*/*.json; do
		jq "$1" "$file" >new.json
		mv new.json "$file"
	done
	find tests -exec touch -d 2026-01-02 {} +
	stored_page ring4
}

@test "a table of the page has the cells of the document's table, in its order" {
	stored
	local file=tests/golden/report/ring4/pruebas_un_hilo/matrix.json number=0 op
	stored_page ring4
	for op in read write read_write write_read; do
		number=$((number + 1))
		alike "$(cells_of $file ".shown == \"table\" and .operation == \"$op\"")" "$(rows_of "table-5.$number")"
	done
	rows_of table-5.1 >before
	jq '(.tables[0].cells[][0:2]) |= reverse' $file >new.json
	mv new.json $file
	stored_page ring4
	rows_of table-5.1 >after
	run ! cmp before after
	alike "$(sed 's/ ±[^ ]*//g' before | awk '{ print $1, $3, $2, $4, $5 }')" "$(sed 's/ ±[^ ]*//g' after)"
}

# The chapters of the thesis, and the numbers of figure 3: its bars have more digits than a document. How far figures can be
# trusted comes from the runs.
chapters() {
	sed -n "/<h2 id='one/,/<h2 id='skipped/p; /id=.figure-3/,/<.figure>/p" "$page" | grep -v '<svg class=chart' |
		sed '/<ul class=quality>/,/<.ul>/d; s/ <strong>Not for conclusions.*//'
}

@test "the page takes no figure of its tables from the runs" {
	stored
	stored_page ring4
	chapters >before.html
	changed_documents '.runs[] |= (.operations[]? |= (.total_s = 7 | .together.ns_per_unit = {} |
		.threads[].figures |= (.cost_s = 7 | .ns_per_unit = 7)) | del(.solo) | del(.baseline.operations))'
	chapters | cmp before.html -
	changed_documents '.tables = []'
	[ -z "$(rows_of table-5.12)" ]
	grep -q '<b>Table 5.12</b> no such table in these results: their file asks for none of cost by thread and operation' "$page"
}

@test "clock rates are drawn over the time of an experiment, a line for each thread, broken between runs" {
	stored
	stored_page here
	run ! grep -q 'Clock rates over time' "$page"
	# two runs of two samples, a second each: 2 GHz before and 1 GHz after; the second thread 3 GHz
	jq '.runs = [.runs[0, 0]] | .runs[0].threads = [.runs[0].threads[0] * {cpu: 4}, .runs[0].threads[0] * {cpu: 5}] | .runs[1].threads = .runs[0].threads |
		.runs[].operations |= ([.[0]] | .[0].threads = [.[0].threads[0], .[0].threads[0]]) |
		.runs |= [range(2) as $r | .[$r] | .operations[0].threads |= [range(2) as $k | .[$k] | .sleep_s = 0 | .samples |= [range(2) as $i | .[$i] |
			.start_ns = 7e9 + (2 * $r + $i) * 1e9 | .late_ns = 0 | .cost_s = 0.5 | .busy_s = 0.5 |
			.clock_before_hz = (if $k == 1 then 3e9 else 2e9 end) | .clock_after_hz = (if $k == 1 then 3e9 else 1e9 end)]]]' \
		tests/golden/report/here/own/mine.json >new.json
	mv new.json tests/golden/report/here/own/mine.json
	find tests -exec touch -d 2026-01-02 {} +
	stored_page here
	grep -q '<summary>Clock rates over time: 1 to 3 GHz</summary>' "$page"
	grep -q 'thread 0 (CPU 4)' "$page"
	grep -qF "<path d='M60.0 70.0L142.9 130.0L225.7 70.0L308.6 130.0M391.4 70.0L474.3 130.0L557.1 70.0L640.0 130.0' style='fill:none;stroke:var(--local)' />" "$page"
	grep -qF "<path d='M60.0 10.0L142.9 10.0L225.7 10.0L308.6 10.0M391.4 10.0" "$page"
}

# changed_mine FILTER [no]: of the document that belongs to no suite, with or without its picture.
changed_mine() {
	stored
	[[ ${2-} != no ]] || rm tests/golden/report/here/own/mine.svg
	jq "$1" tests/golden/report/here/own/mine.json >new.json
	mv new.json tests/golden/report/here/own/mine.json
	find tests -exec touch -d 2026-01-02 {} +
	stored_page here
	sed -n "/id='own.mine'/,/<.section>/p" "$page" >section
}

# THREADS threads of SAMPLES samples, a millisecond each, at 2 GHz; sample 777 ends at 0.5 GHz.
rates_of() { # THREADS SAMPLES
	echo '.runs = [.runs[0]] | .runs[0].threads = [range('"$1"') as $k | .runs[0].threads[0] * {cpu: $k}] |
		.runs[0].operations = [.runs[0].operations[0]] | .runs[0].operations[0].threads = [range('"$1"') as $k | .runs[0].operations[0].threads[0] |
			.sleep_s = 0 | .samples = [.samples[0] as $s | range('"$2"') as $i | $s | .start_ns = 7e9 + $i * 1e6 | .late_ns = 0 |
			.cost_s = 0.0005 | .busy_s = 0.0005 | .clock_before_hz = 2e9 | .clock_after_hz = (if $i == 777 then 5e8 else 2e9 end)]]'
}

@test "clock rates of many samples are drawn with few points, and the least is among them" {
	local line
	changed_mine "$(rates_of 1 5000)"
	line=$(grep -o "<path d='[^']*' style='fill:none;stroke:var(--local)' />" section | tail -n 1)
	[ "$(grep -o '[ML]' <<<"$line" | wc -l)" -gt 500 ]
	[ "$(grep -o '[ML]' <<<"$line" | wc -l)" -lt 1200 ]
	[[ $line == *" 145.0"* ]]
}

@test "the legend of clock rates shows each line as it is drawn, with its dashes" {
	changed_mine "$(rates_of 20 2)"
	same "$(grep -o "style='fill:none;stroke:[^']*'" section | head -n 20)" "$(grep -o "style='fill:none;stroke:[^']*'" section | tail -n 20)"
	[ "$(grep -o "style='fill:none;stroke:[^']*'" section | sort -u | wc -l)" -eq 20 ]
	[[ $(grep -o '<span>.*thread 0 ' section) != *dasharray* ]]
}

@test "a plot of clock rates over time is drawn where there is no picture of it" {
	local plot='{shown: "plot", title: "clock_rate (GHz)", quantity: "clock_rate", kind: "quantity", along: null, unit: "GHz", operation: null, thread: null, values: {},
		row_axis: "time", rows_are: "time", column_axis: "thread", columns_are: "thread", rows: ["r 0 before", "r 0 after", "r 1 before", "r 1 after"], columns: ["thread 0", "thread <1>"],
		mean: null, cells: [[{value: 3}, {value: 2}], [{value: 1.5}, {value: null}], [{value: 3}, {value: 2}], [{value: 3}, {value: 2}]],
		against: {quantity: "time", unit: "s", places: [[0, 0], [1, 1], [2, 2], [4, 4]]}}'
	changed_mine ".tables = [$plot]"
	grep -q "<img class=plot alt='clock rate (GHz)'" section
	run ! grep -q '<svg class=chart' section
	changed_mine ".tables = [$plot]" no
	tr -d '\n' <section | grep -o '<figcaption>.*</figure>' >figure
	grep -qF "<path d='M60.0 10.0L205.0 100.0L350.0 10.0L640.0 10.0' style=" figure
	grep -qF "<path d='M60.0 70.0h1M350.0 70.0L640.0 70.0' style=" figure
	grep -qF "thread &lt;1&gt;</span>" figure
	grep -q "</svg></div><details><summary>Numbers</summary>.*r 1 after.*</details></figure>" figure
	# what else is drawn against a quantity has dots at its places
	changed_mine ".tables = [$plot | .quantity = \"cost\"]" no
	run ! grep -q '<svg class=chart' section
	grep -q '<svg class=panel' section
	grep -qF "<path class=curve d='M52.0 26.0L136.5 125.0L221.0 26.0L390.0 26.0' " section
	grep -q 'r 1 after' section
}

# Three samples of two threads, which are not bound; they last 9, 2 and 3 seconds, because of thread 1, which sleeps for half a second and
# wakes up half a second late, and goes from CPU 2 to CPU 1 in each.
unbound_pair() {
	jq '.environment.node_cpus = [{"node": 0, "cpus": "0-1"}, {"node": 3, "cpus": "2-3"}] | .runs = [.runs[0]] | .runs[0].threads = [.runs[0].threads[0] * {cpu: null, node: null} | ., .] |
		.runs[0].operations = [.runs[0].operations[0]] | .runs[0].operations[0].threads = [.runs[0].operations[0].threads[0] | ., .] |
		.runs[0].operations[0].threads |= [range(2) as $k | .[$k] | .sleep_s = $k / 2 | .samples = [range(3) as $i | {
			start_ns: (1e9 + $i * 10e9), warmup: false, late_ns: 0, busy_s: (if $k == 0 then 1 else [8, 1, 2][$i] end),
			lost_before_s: ($k / 2), cpu_before: ($k * 2), cpu_after: $k} | .cost_s = .busy_s + $k]]' tests/golden/report/here/own/mine.json >new.json
	mv new.json tests/golden/report/here/own/mine.json
	find tests -exec touch -d 2026-01-02 {} +
}

@test "when each thread worked is drawn for the middle sample, in the colour of its node" {
	stored
	unbound_pair
	stored_page here
	sed -n '/<summary>When each thread worked/,/<.details>/p' "$page" >figure
	grep -q ', the sample of middle length of 3:' figure
	[ "$(grep -o '<rect' figure | wc -l)" -eq 2 ]
	grep -qF "t0, CPU 0</text><rect x=150.0 y=3.0 width=163.3 height=12.0 fill='var(--local)'><title>0 to 1 s</title>" figure
	grep -qF "t1, CPU 2</text><rect x=313.3 y=21.0 width=326.7 height=12.0 fill='var(--fourth)'><title>1 to 3 s, from CPU 2 to CPU 1</title>" figure
	[[ $(sed -n 's/<[^>]*>/ /g; /node 0/p' figure) == *"node 0"*"node 3"* ]]
}

@test "where threads ran that were not bound is drawn by node, and their jumps between nodes are counted" {
	stored
	unbound_pair
	stored_page here
	grep -qF '<summary>Where threads ran that were not bound: 5 jumps between nodes, from one end of a sample to the next, in all operations, warm-up included' "$page"
	grep -qF 't0, 0 jumps</span>' "$page"
	grep -qF 't1, 5 jumps</span>' "$page"
	# on CPU 0, at the top, all the time; and from the third to the second of four CPUs and back
	grep -qF "<path d='M80.0 15.2H640' style='fill:none;stroke:var(--local)' />" "$page"
	grep -qF "<path d='M104.3 49.8H299.1V34.8H347.8V49.8H372.2V34.8H591.3V49.8H640.0V34.8H640' style='fill:none;stroke:var(--remote)' />" "$page"
	# bound threads stay where they are, and a document that does not know its nodes has no such picture
	stored_page ring4
	run ! grep -q 'not bound: ' "$page"
	jq 'del(.environment.node_cpus)' tests/golden/report/here/own/mine.json >new.json
	mv new.json tests/golden/report/here/own/mine.json
	find tests -exec touch -d 2026-01-02 {} +
	stored_page here
	run ! grep -q 'not bound: ' "$page"
}

@test "a missing program is told with what builds it" {
	of_sources
	mkdir top
	cp -r "$root/scripts" top/
	AFFINITY='' try top/scripts/report .
	[ "$status" -eq 1 ]
	same "report: affinity-report is not built; make builds it" "$stderr"
}

@test "wrong usage is told before anything is read" {
	local wrong
	while IFS='|' read -r wrong message; do
		# shellcheck disable=SC2086 # words on purpose
		try "$root/scripts/report" $wrong
		[ "$status" -eq 2 ]
		[[ $stderr == "affinity-report: $message"* ]]
	done <<-'END'
		--hlep|unknown option '--hlep'; did you mean '--help'?
		--frob .|unknown option '--frob'
		. nowhere|'nowhere' is neither a folder nor a result (.json)
		. ./|'.' is there twice
		--out|--out needs a value: --out FILE
		--help=no|--help takes no value
	END
}

# The value that the page's table of facts about the machine has.
fact_of() { # NAME
	sed -n "/<h2 id='machine'>/,/<h2 id='warnings'>/p" "$page" | sed -n "s|^<tr><th scope=row>$1</th><td>\(.*\)</td></tr>|\1|p"
}

@test "the page has the processor of table 3.1 and the distances of figure 3.1, as the newest document has them" {
	stored
	changed_documents '.environment += {cpu_model: "Xeon E7-4850", frequency_nominal_hz: 2.1e9, frequency_min_hz: 1.2e9, frequency_max_hz: 2.8e9,
		caches: [{"level": 1, "bytes": 32768, "count": 64}, {"level": 2, "bytes": 262144, "count": 64}, {"level": 3, "bytes": 41943040, "count": 4}], topology: {"nodes": 4, "packages": 4, "cores": 64, "cpus": 128},
		node_distances: [[10, 21, 31, 21], [21, 10, 21, 31], [31, 21, 10, 21], [21, 31, 21, 10]]}'
	same 'Xeon E7-4850' "$(fact_of 'cpu model')"
	same '2.1 GHz' "$(fact_of 'frequency nominal')"
	same '1.2 GHz' "$(fact_of 'frequency min')"
	same '2.8 GHz' "$(fact_of 'frequency max')"
	same 'L1 32 KiB x 64, L2 256 KiB x 64, L3 40 MiB x 4' "$(fact_of caches)"
	same '4 nodes, 4 packages, 64 cores, 128 CPUs' "$(fact_of topology)"
	same '10 21 31 21; 21 10 21 31; 31 21 10 21; 21 31 21 10' "$(fact_of 'node distances')"
	# an older document of the same page does not say what the machine is
	jq '.environment += {date: "2000-01-01T00:00:00Z", frequency_nominal_hz: 9e9, node_distances: [[10]]}' \
		tests/golden/report/ring4/pruebas_un_hilo/stride.json >new.json
	mv new.json tests/golden/report/ring4/pruebas_un_hilo/stride.json
	find tests -exec touch -d 2026-01-02 {} +
	stored_page ring4
	same '2.1 GHz' "$(fact_of 'frequency nominal')"
	same '10 21 31 21; 21 10 21 31; 31 21 10 21; 21 31 21 10' "$(fact_of 'node distances')"
}
