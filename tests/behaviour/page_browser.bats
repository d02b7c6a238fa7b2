#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# affinity-report: the page in a browser. What is asked of it is done by a script that the test adds at the page's end.

# shellcheck disable=SC2030,SC2031 # each test has a page of its own
bats_require_minimum_version 1.5.0 # run !

# shellcheck source=tests/helper.bash
. "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/pages.bash
. "$BATS_TEST_DIRNAME/../pages.bash"

setup() {
	driver_setup
	BROWSER=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
	[ -n "$BROWSER" ] || skip "no Chromium is installed"
	stored
}

# opened WIDTH [SCRIPT]: the page as the browser has it when all scripts have run, in `dom`; what it complains of is told.
opened() {
	cp "$page" opened.html
	[[ -z ${2-} ]] || printf '<script>%s</script>\n' "$2" >>opened.html
	timeout 120 "$BROWSER" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$PWD/browser" --window-size="$1,900" \
		--enable-logging=stderr --dump-dom "file://$PWD/opened.html" >dom 2>log 3>&- || skip "Chromium does not run here: $(tail -n 1 log)"
	[ -s dom ] || skip "Chromium shows nothing here: $(tail -n 1 log)"
	run ! grep -i 'console' log
}

# found: what the script wrote into the page's title
found() { sed -n 's|.*<title>\(.*\)</title>.*|\1|p' dom | head -n 1; }

@test "the browser has the tables that the JSON has, and nothing to complain of" {
	local host
	for host in here one ring4; do
		stored_page $host
		opened 1280
	done
	local number=0 op file=tests/golden/report/ring4/pruebas_un_hilo/matrix.json
	sed -i 's/data-value="\([^"]*\)"/data-value='"'\1'/g; s/<figure id=\"\([^\"]*\)\">/<figure id='\1'>/" dom
	page=dom
	for op in read write read_write write_read; do
		number=$((number + 1))
		alike "$(jq -r --arg op "$op" '.tables[] | select(.shown == "table" and .operation == $op) | . as $t | range(.rows | length) as $i |
			"\($t.rows[$i]) " + ([$t.cells[$i][] | if .low then "\(.value) ±\((.high - .low) / 2)" else "\(.value)" end] | join(" "))' $file |
			awk '{ for (i = 1; i <= NF; i++) $i = i % 2 ? $i : sprintf("%.6g", $i); print }' | sed 's/ ±[^ ]*//g')" "$(rows_of "table-5.$number" | sed 's/ ±[^ ]*//g')"
	done
}

@test "a click on the head of a column sorts the table by its figures, another one the other way round" {
	jq '.tables = [.tables[0] | .mean = null | .rows = ["a", "b", "c", "d"] | .columns = ["x"] |
		.cells = [[{value: 3e-6}], [{value: 1e-5}], [{value: null}], [{value: 2e-6}]]]' tests/golden/report/one/own/holes.json >new.json
	mv new.json tests/golden/report/one/own/holes.json
	stored_page one
	local table='const t = document.querySelector("section[id=\"own/holes\"] table.sortable"), click = () => t.tHead.rows[0].cells[1].querySelector("button").click(),
		rows = () => Array.from(t.tBodies[0].rows, r => r.cells[0].textContent).join("");'
	opened 1280 "$table document.title = rows(); click(); document.title += ' ' + rows() + ' ' + t.tHead.rows[0].cells[1].ariaSort; click(); document.title += ' ' + rows();"
	same "abcd dabc ascending cbad" "$(found)"
}

@test "the page is not wider than a phone, its index is folded there and open beside wide pages" {
	local width='document.title = (document.documentElement.scrollWidth <= window.innerWidth) + " " + document.querySelector("nav details").open;'
	local host
	for host in here one ring4; do
		stored_page $host
		# the narrowest window of some versions is 500 wide: a frame can be 400
		{
			echo '<title>none</title><iframe style="width:400px;height:800px;border:0" srcdoc="'
			sed 's/&/\&amp;/g; s/"/\&quot;/g' "$page"
			printf '<script>%s parent.document.title = document.title</script>"></iframe>' "${width//\"/\'}"
		} >framed.html
		page=framed.html
		opened 1280
		same "true false" "$(found)"
	done
	stored_page one
	opened 1280 "$width"
	same "true true" "$(found)"
}

@test "what scrolls can be focused and has a name, pictures have a text, and no id is there twice" {
	stored_page one
	opened 1280 'const bad = [], all = selector => Array.from(document.querySelectorAll(selector));
		for (const box of all("main div.scroll")) if (box.querySelector("table.sortable") && (box.tabIndex !== 0 || !box.ariaLabel)) bad.push("box");
		for (const image of all("img")) if (!image.alt) bad.push("image");
		for (const chart of all("svg[role=img]")) if (!chart.querySelector("title")) bad.push("chart");
		const ids = all("[id]").map(e => e.id); if (new Set(ids).size !== ids.length) bad.push("id");
		document.title = bad.join(" ") || "nothing";'
	same nothing "$(found)"
}

@test "a table of a thousand rows is shown whole" {
	jq '.tables = [.tables[0] | .mean = null | .rows = [range(1000) | tostring] | .columns = ["x"] | .cells = [range(1000) | [{value: (. + 1), low: null, high: null}]]]' \
		tests/golden/report/one/own/holes.json >new.json
	mv new.json tests/golden/report/one/own/holes.json
	stored_page one
	opened 1280 'document.title = document.querySelector("section[id=\"own/holes\"] table.sortable").tBodies[0].rows.length'
	same 1000 "$(found)"
}

@test "a table of many rows scrolls by itself below its heads, and is whole on paper" {
	jq '.tables = [.tables[0] | .mean = null | .rows = [range(1000) | "r\(.)"] | .columns = ["x"] | .cells = [range(1000) | [{value: (1 + .)}]]]' \
		tests/golden/report/one/own/holes.json >new.json
	mv new.json tests/golden/report/one/own/holes.json
	stored_page one
	opened 1280 'const box = document.querySelector("section[id=\"own/holes\"] .tall"), head = box.querySelector("th");
		box.scrollTop = 5000; document.title = (box.clientHeight < innerHeight) + " " + (box.scrollTop == 5000) + " " +
		Math.round(head.getBoundingClientRect().top - box.getBoundingClientRect().top);'
	same "true true 0" "$(found)"
	sed -n '/@media print/,$p' "$page" | grep -q '\.scroll { overflow: visible; max-height: none; }'
}

@test "on paper, what was folded is open and has its heading, and a long table has its heads on each sheet" {
	command -v pdftotext >/dev/null || skip "pdftotext is not installed"
	jq '.tables = [.tables[0] | .mean = null | .rows = [range(200) | "r\(.)"] | .columns = ["headx"] | .cells = [range(200) | [{value: (1 + .)}]]]' \
		tests/golden/report/one/own/holes.json >mine.json
	"${AFFINITY%/*}/affinity-report" mine.json
	timeout 120 "$BROWSER" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$PWD/browser" --no-pdf-header-footer \
		--print-to-pdf=page.pdf "file://$PWD/report.html" 2>log 3>&- || skip "Chromium does not run here: $(tail -n 1 log)"
	pdftotext page.pdf words
	grep -q 'How it was measured' words
	grep -q 'Measured with:' words
	[ "$(grep -c headx words)" -gt 3 ]
}
