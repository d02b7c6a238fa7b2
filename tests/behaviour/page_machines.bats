#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# affinity-report: one page of several machines, and of single files.

# shellcheck disable=SC2016 # programs of jq have $names of their own

bats_require_minimum_version 1.5.0 # run !

# shellcheck source=tests/helper.bash
. "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/pages.bash
. "$BATS_TEST_DIRNAME/../pages.bash"

setup() {
	driver_setup
	stored
	cd tests/golden/report || return 1
}

page_of() {
	"$(dirname "$AFFINITY")/affinity-report" "$@"
	page=report.html
}

# cell DOCUMENT: its first figure, as the page keeps it
cell() {
	jq -r '.tables[0].cells[0][0] | "\(.value) \((.high - .low) / 2)"' "$1" | awk '{ printf "%.6g ±%.2g", $1, $2 }'
}

@test "what several machines measured is side by side, a column for each" {
	page_of one ring4/
	sed -n "/id='machines'/,/<h2 id='group/p" "$page" >section
	grep -q '<h1>2 machines' "$page"
	# the head has a column for each, with its own conditions
	sed -n '/<table class=.facts machines/,/<.table>/p' "$page" >columns
	grep -qF '<th scope=col>one</th><th scope=col>ring4</th>' columns
	grep -qF '<th scope=row>machine</th><td>1 node, 1 package, 2 cores, 2 CPUs</td><td>4 nodes, ' columns
	grep -qF '<th scope=row>CPU</th><td>AMD EPYC' columns
	same 1 "$(grep -c 'simulated machine' columns)"
	grep -A 2 'scope=row>conditions' columns | grep -qF 'not quiet: other programs used up to 98&nbsp;%'
	grep -qF '<th scope=row>experiments</th><td>11: 0 firm, 0 fair, 11 weak</td>' columns
	sed -n '/<header>/,/<.header>/p' "$page" | sed '/<table class=.facts machines/,/<.table>/d' | run ! grep 'other programs'
	grep -q "<th scope=row>1, read</th><td[^>]* data-value='$(cell one/own/holes.json)'>" section
	[[ $(grep -o "<th scope=row>1, read</th>.*" section | head -n 1) == *"<td"*" data-value='$(cell ring4/own/holes.json)'>"* ]]
	grep -qF '<thead><tr><th>p, operation</th><th scope=col>one</th><th scope=col>ring4</th></tr></thead>' section
	# each weak one is called weak, also here, and what one machine alone has measured is not
	grep -q '<li>one: weak: not for conclusions</li>' section
	run ! grep -q 'solape/rr' section
	# each has its own sections, with links to its files
	grep -q "<section class=experiment id='one/own/holes'>" "$page"
	grep -qF "<a href='ring4/own/holes.json'>" "$page"
	[ ! -e one/report.html ]
}

@test "figures of different work side by side are told" {
	page_of one ring4
	sed -n "/<code>own.holes<.code>/,/<.section>/p" "$page" | run ! grep 'not the same'
	jq '.arguments.text += "# another\n"' one/own/holes.json >new.json
	mv new.json one/own/holes.json
	page_of one ring4
	sed -n "/<p class=path><code>own.holes<.code>/,/<.section>/p" "$page" | grep 'Their arguments are not the same'
	jq '.arguments.text |= sub("# another\n"; "") | .arguments.set += ["rounds=3"]' one/own/holes.json >new.json
	mv new.json one/own/holes.json
	page_of one ring4
	sed -n "/<p class=path><code>own.holes<.code>/,/<.section>/p" "$page" | grep 'Their arguments are not the same'
	jq '.arguments.set = [] | .runs[].vectors[]?.bytes *= 2' one/own/holes.json >new.json
	mv new.json one/own/holes.json
	page_of one ring4
	sed -n "/<p class=path><code>own.holes<.code>/,/<.section>/p" "$page" >section
	grep 'Their vectors are not of the same sizes' section
}

@test "folders of the same name are told apart" {
	mkdir -p a/vm b/vm
	cp -r one/own a/vm
	cp -r one/own b/vm
	page_of a/vm b/vm
	grep -qF '<th scope=col>vm</th><th scope=col>b/vm</th>' "$page"
}

@test "single files make a page, in the file that -o names" {
	page_of -o mine.html one/smt/matrix.json here/own/mine.json
	[ ! -e report.html ]
	grep -q "<section class=experiment id='one/smt/matrix'>" mine.html
	grep -q "<section class=experiment id='here/own/mine'>" mine.html
	run ! grep -q "id='machines'" mine.html
	page_of -o folder.html one
	[ ! -e one/report.html ]
	grep -q "<a href='one/own/holes.json'>" folder.html
	# a page elsewhere leads to the same files
	mkdir away
	page_of -o away/folder.html one
	grep -qF "<a href='$PWD/one/own/holes.json'>" away/folder.html
}

@test "what is no result, and what is there twice, is refused and nothing is written" {
	local wrong
	for wrong in "one one" "one.html" "nowhere one" "one ./one" "one/own/holes.json one/./own/holes.json" "one one/own/holes.json" \
		"one/own/holes.json here one"; do
		# shellcheck disable=SC2086 # words on purpose
		try "$(dirname "$AFFINITY")/affinity-report" $wrong
		[ "$status" -eq 2 ]
	done
	same "affinity-report: 'one/own/holes.json' is there twice
  hint: name each folder and file once" "$(sed "/warning/,+1d" <<<"$stderr")"
	[ ! -e report.html ]
	try "$(dirname "$AFFINITY")/affinity-report" one/smt/matrix.json here/cut/short.json
	[ "$status" -eq 2 ]
	[[ $stderr == *"here/cut/short.json"* ]]
	[ ! -e report.html ]
}

@test "experiments without a table have their costs side by side" {
	jq '.tables = []' one/own/holes.json >new.json
	mv new.json one/own/holes.json
	page_of one ring4
	sed -n "/<p class=path><code>own.holes<.code>/,/<.section>/p" "$page" >section
	grep -q '<thead><tr><th>operation</th><th scope=col>one</th><th scope=col>ring4</th></tr></thead>' section
	local operation value
	IFS='|' read -r operation value < <(jq -r '[.runs[] | select(.skipped == null)][0] as $r | "\($r.operations[0].operation)|\($r.operations[0].total_s)"' one/own/holes.json)
	grep -q "$operation</th><td[^>]* data-value='$(printf '%.6g' "$value")" section
}

# scaled FILE BY: the first table's figures are so many times larger, on a machine of hardware
scaled() {
	jq --argjson by "$2" '.environment.simulated = null | .simulated = false | .arguments.set = []
		| .tables |= map(select(.shown == "table"))[:1] | .tables[0].cells[][] |= (.value *= $by | .low = .value * 0.9 | .high = .value * 1.1)' "$1" >new.json
	mv new.json "$1"
}

# means: the rows of the table of geometric means
means() { sed -n '/geometric means<.figcaption>/,/<.figure>/p' report.html | grep '^<tr>' | sed "s/<td[^>]* data-value='\([^' ]*\)[^>]*>/ \1 </g; s/<[^>]*>//g; s/<//g"; }

@test "geometric means say how many times the first machine's costs those of the others are" {
	rm -r one/{pruebas_*,smt,own/mine*} ring4/{pruebas_*,smt}
	cp one/own/holes.json ring4/own/holes.json
	scaled one/own/holes.json 1
	scaled ring4/own/holes.json 3
	page_of one ring4
	grep 'Cost over that of one, geometric means' "$page"
	means | grep -q '^own/holes: cost (s), node=0 1  *[^ ]* 3 '
	compared() { sed -n 's/^<p class=compared>//p' "$page" | sed 's/<[^>]*>//g; s/&nbsp;/ /g'; }
	compared
	[[ $(compared) =~ ^'ring4 takes 3.0 ±0.'[0-9]+' (own/holes: cost (s), node=0) times as long as one.'$ ]]
	# further tables of the same samples tell nothing new: the interval of the mean is that of a row
	cp one/own/holes.json one.kept
	cp ring4/own/holes.json ring4.kept
	for one in one ring4; do
		jq '.tables = [.tables, .tables, .tables, .tables | .[]]' "$one.kept" >"$one/own/holes.json"
	done
	page_of one ring4
	compared
	[[ $(compared) =~ ^'ring4 takes '(3.0 ±0.[0-9]+)' times as long as one in the mean: '(.*)' (own/holes: cost (s), node=0).'$ ]]
	[ "${BASH_REMATCH[1]}" = "${BASH_REMATCH[2]}" ]
	mv one.kept one/own/holes.json
	mv ring4.kept ring4/own/holes.json
	# of rates less is dearer
	sed -i 's|"unit": "s"|"unit": "GB/s"|; s|"quantity": "cost"|"quantity": "bandwidth"|' {one,ring4}/own/holes.json
	page_of one ring4
	means | grep -q '^own/holes: bandwidth (GB/s), node=0 1  *[^ ]* 0.333333 '
	# figures have the words that the tables have
	sed -i 's|"unit": "GB/s"|"unit": "ns"|; s|"quantity": "bandwidth"|"quantity": "ns_per_unit"|' {one,ring4}/own/holes.json
	page_of one ring4
	means | grep -q '^own/holes: time (ns per access), node=0 1 '
	sed -i 's|"unit": "ns"|"unit": "GB/s"|; s|"quantity": "ns_per_unit"|"quantity": "bandwidth"|' {one,ring4}/own/holes.json
	# two experiments have a mean together
	cp one/own/holes.json one/own/other.json
	cp ring4/own/holes.json ring4/own/other.json
	page_of one ring4
	means | grep -q '^geometric mean of 2 rows 1  *[^ ]* 0.333333 '
	# the farthest rows are named
	scaled ring4/own/other.json 2
	page_of one ring4
	compared
	[[ $(compared) == 'ring4 takes 0.2'*' times as long as one in the mean: 0.17 '*' (own/other: bandwidth (GB/s), node=0) to 0.3'*' (own/holes: bandwidth (GB/s), node=0).' ]]
}

@test "other work and simulated machines have no geometric means" {
	rm -r one/{pruebas_*,smt,own/mine*} ring4/{pruebas_*,smt}
	cp one/own/holes.json ring4/own/holes.json
	scaled one/own/holes.json 1
	scaled ring4/own/holes.json 3
	local change
	for change in '.arguments.text += "# another"' '.environment.simulated = "a ring" | .simulated = true' '.runs[].vectors[]?.bytes *= 2' '.tables[0].unit = ""'; do
		cp ring4/own/holes.json kept.json
		jq "$change" kept.json >ring4/own/holes.json
		page_of one ring4
		run ! grep -q 'Cost over that of' "$page"
		grep -q 'No geometric means' "$page"
		cp kept.json ring4/own/holes.json
	done
}

# two_machines: a folder of hardware and one whose figures are three times larger; their page is to be made
two_machines() {
	rm -r one/{pruebas_*,smt,own/mine*} ring4/{pruebas_*,smt}
	cp one/own/holes.json ring4/own/holes.json
	scaled one/own/holes.json 1
	scaled ring4/own/holes.json 3
}

# side_by_side: the section of the experiment, one tag a line
side_by_side() {
	page_of one ring4
	sed -n "/<p class=path><code>own.holes<.code>/,/<.section>/p" report.html | sed 's/></>\n</g'
}

@test "a picture compares machines by dots with their intervals, a shape for each, beside the reference" {
	two_machines
	local both='.tables[0] |= (.row_axis = "operation" | .rows_are = .row_axis | .rows = ["load", "<b>"] | .column_axis = "" | .columns_are = "" | .columns = [""] | .unit = "ns" | .quantity = "ns_per_unit"
		| .cells = [[{value: (2 * $by), low: $by, high: (3 * $by)}], [{value: (8 * $by)}]])'
	jq --argjson by 1 "$both" one/own/holes.json >new.json && mv new.json one/own/holes.json
	jq --argjson by 2 "$both" ring4/own/holes.json >new.json && mv new.json ring4/own/holes.json
	side_by_side >tags
	[ "$(grep -c '^<svg class=panel role=img' tags)" -eq 1 ]
	same 'one, the reference ring4' "$(sed -n '/<p class=legend>/,/<.p>/p' tags | sed 's/<[^>]*>//g' | xargs)"
	grep -qF '<text class=title x=2 y=13>time (ns per' tags
	# 0 to 20 ns over 378 units: the interval of 1 to 3 and its dot, those of the other machine below it, and a line at the reference
	grep -qF "<path d='M28.9 47.5H66.7' style='stroke:var(--local)' />" tags
	grep -qF "<path d='M47.8 47.5m-3 0a3" tags
	grep -qF "<path d='M47.8 58.5H123.4' style='stroke:var(--remote)' />" tags
	grep -qF "<path d='M85.6 58.5m-2.7-2.7h5.4" tags
	grep -qF "<path class=one d='M47.8 42.0v22.0' />" tags
	grep -qF '&lt;b&gt;</text>' tags
	# the table behind it has the same figures, and figures that span much have a logarithmic axis
	grep -q '<th scope=row>load</th>' tags
	run ! grep -q 'log scale' tags
	sed -i 's/"value": 8/"value": 80/' one/own/holes.json
	side_by_side >tags
	grep -q ', log scale</text>' tags
}

@test "machines over a sweep of numbers are curves on the same axes" {
	two_machines
	local both='.tables[0] |= (.row_axis = "stride" | .rows_are = "variable" | .rows = ["1", "2", "3"] | .column_axis = "kind" | .columns_are = "variable" | .columns = ["a", "b"] | .unit = "ns" | .quantity = "ns_per_unit"
		| .cells = [[1, 2], [2, 3], [3, 20]] | .cells[][] |= {value: (. * $by)})'
	jq --argjson by 1 "$both" one/own/holes.json >new.json && mv new.json one/own/holes.json
	jq --argjson by 2 "$both | .tables[0].shown = \"plot\"" ring4/own/holes.json >new.json && mv new.json ring4/own/holes.json
	side_by_side >tags
	grep -q 'No picture' tags # one has a table, the other a plot
	jq '.tables[0].shown = "table"' ring4/own/holes.json >new.json && mv new.json ring4/own/holes.json
	side_by_side >tags
	[ "$(grep -c '^<svg class=panel role=img' tags)" -eq 2 ]
	[ "$(grep -c '<path class=curve' tags)" -eq 4 ]
	[ "$(grep -c '>40</text>' tags)" -eq 2 ]
	grep -q ', kind=a</text>' tags
	# a column that nobody measured has no picture, and rows whose names have commas are told apart
	for host in one ring4; do
		jq '.tables[0].cells[][1].value = null' $host/own/holes.json >new.json && mv new.json $host/own/holes.json
	done
	side_by_side >tags
	[ "$(grep -c '^<svg class=panel role=img' tags)" -eq 1 ]
	grep -q 'Not measured: rows 1, b; 2, b; 3, b.' tags
}

@test "single files of one experiment are side by side, under the names that tell them apart" {
	two_machines
	page_of one/own/holes.json ring4/own/holes.json here/own/mine.json
	grep -q '<h1>2 results' report.html
	grep -qF ">Results side by side" report.html
	sed -n '/<table class=.facts machines/,/<.table>/p' report.html >columns
	grep -qF '<th scope=col>one</th><th scope=col>ring4</th>' columns
	grep -qE '<th scope=row>measured</th><td>20[0-9-]*&nbsp;[0-9:]*&nbsp;UTC</td>' columns
	grep -qF '<p class=path><code>own/holes</code></p>' report.html
	means | grep -q '^own/holes: cost (s), node=0 1  *[^ ]* 3 '
	# names that have nothing in common are labels, and the argument file is the experiment's name
	cp one/own/holes.json before.json
	cp ring4/own/holes.json after.json
	page_of before.json after.json
	grep -qF '<th scope=col>before</th><th scope=col>after</th>' report.html
	means | grep -q "^$(jq -r '.arguments.path | rtrimstr(".args")' before.json): cost"
	# files of other experiments have no such part
	page_of before.json here/own/mine.json
	run ! grep -q "id='machines'" report.html
}

@test "no picture compares other work or a simulated machine, and it says why" {
	two_machines
	local change
	while IFS=';' read -r change why; do
		cp ring4/own/holes.json kept.json
		jq "$change" kept.json >ring4/own/holes.json
		side_by_side >tags
		run ! grep -q '<svg class=panel' tags
		grep -F "No picture: the same work was not measured on two machines: ring4 $why." tags
		cp kept.json ring4/own/holes.json
	done <<'END'
.arguments.text += "# another";had other arguments
.environment.simulated = "a ring" | .simulated = true;is a simulated machine
.runs[].vectors[]?.bytes *= 2;had vectors of other sizes
END
	jq '.tables[0].cells[][] = {value: null}' ring4/own/holes.json >new.json && mv new.json ring4/own/holes.json
	side_by_side >tags
	grep -q 'No picture: no figure was measured by more than one machine.' tags
	# a third one that did other work is named below the picture of the others
	scaled one/own/holes.json 1
	cp -r one three
	cp one/own/holes.json ring4/own/holes.json
	jq '.arguments.text += "# another"' one/own/holes.json >three/own/holes.json
	page_of one ring4 three
	grep -q 'Not drawn: three had other arguments.' report.html
}
