#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# affinity-report: pictures that it draws itself, where gnuplot left none beside the results.

bats_require_minimum_version 1.5.0 # run !

# shellcheck source=tests/helper.bash
. "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	# of 16 KiB to 4 MiB, with the caches between them
	jq '.environment.caches = [{"level": 1, "bytes": 32768, "count": 2}, {"level": 2, "bytes": 1048576, "count": 2}, {"level": 3, "bytes": 33554432, "count": 1}] | .runs = [.runs[0] | .skipped = null |
		.values = {"size": ("16KiB", "128KiB", "4MiB")} | .vectors = [.vectors[0]] |
		.vectors[0].bytes = ({"16KiB": 16384, "128KiB": 131072, "4MiB": 4194304}[.values.size])] |
		.runs[].operations[].threads[].unit = "access" |
		.tables = [{shown: "plot", title: "ns_per_unit (ns), read", quantity: "ns_per_unit", kind: "quantity", along: null, unit: "ns", operation: "read", thread: null, values: {},
			row_axis: "size", rows_are: "variable", column_axis: "pages", columns_are: "variable", rows: ["16KiB", "128KiB", "4MiB"], columns: ["small", "huge"], mean: null, against: null,
			cells: [[{value: 1, low: 0.5, high: 2}, {value: 1}], [{value: 4}, {value: null}], [{value: 64}, {value: 16}]]}]' \
		"$root/tests/golden/report/one/own/holes.json" >one.json
}

# page_of FILTER: the page of the document, changed, given as a single file; one tag a line
page_of() {
	jq "$1" one.json >mine.json
	"$(dirname "$AFFINITY")/affinity-report" mine.json
	sed 's/></>\n</g; s/<svg class=panel/\n&/g' report.html >tags
}

@test "a result that is given as a file has the picture that it asks for, from its own figures" {
	page_of .
	[ "$(grep -c '^<svg class=panel role=img' tags)" -eq 1 ]
	# times over sizes: both axes are logarithmic, and a curve is broken where nothing was measured
	grep -qF '<text class=title x=2 y=13>time (ns per access), log scale</text>' tags
	grep -qF '>size, log scale</text>' tags
	grep -qF "<path class=curve d='M52.0 195.7L178.8 139.1L390.0 26.0' " tags
	grep -qF "<path class=curve d='M52.0 195.7M390.0 82.6' " tags
	# the interval of the first, and dots of different shapes
	grep -qF "<path d='M52.0 224.0V167.4' " tags
	[ "$(grep -o "<path d='M15 5[^']*'" tags | sort -u | wc -l)" -eq 2 ]
	# its numbers are behind it
	grep -q '<summary>Numbers (ns)</summary>' tags
	grep -q '<th scope=row>128&nbsp;KiB</th>' tags
}

@test "places on an axis of sizes are sizes, and the caches of the machine are behind the curve" {
	page_of .
	grep -qF '>16&nbsp;KiB</text>' tags
	grep -qF '>4&nbsp;MiB</text>' tags
	grep -qF ' x=56.0 y=38>L1</text>' tags
	grep -qF '>L2 1 MiB</text>' tags
	grep -q '>L3' tags
	# rows that are no sizes of vectors have none
	page_of '.runs[].vectors[0].bytes = 7'
	run ! grep -q '>L2' tags
	grep -qF '<text class=title x=2 y=13>time (ns per access)</text>' tags
}

@test "the name of a cache is where no curve is" {
	page_of '.environment.caches = [{"level": 1, "bytes": 32768, "count": 2}, {"level": 2, "bytes": 2097152, "count": 2}, {"level": 3, "bytes": 33554432, "count": 1}]'
	grep -qF ' y=38>L2 2 MiB<' tags
	page_of '.environment.caches = [{"level": 1, "bytes": 32768, "count": 2}, {"level": 2, "bytes": 2097152, "count": 2}, {"level": 3, "bytes": 33554432, "count": 1}] | .tables[0].cells = [[{value: 60}, {value: 60}], [{value: 62, low: 40, high: 64}, {value: 8}], [{value: 2}, {value: 1}]]'
	# the upper curve goes from 29 to 27 there, the lower one from 29 to 125
	grep -qF 'M52.0 29.1L178.8 27.5L' tags
	grep -qF 'M52.0 29.1L178.8 125.0L' tags
	grep -qF ' x=98.2 y=44>L2 2 MiB<' tags
	grep -qF ' y=62>L1<' tags
}

@test "a curve against a quantity without a name is drawn over its rows" {
	page_of '.tables[0] |= (.against = {places: [.cells[] | map(1)]})'
	grep -q 'class=curve' tags
}

@test "names have bars with their figures, ratios a line at 1" {
	page_of '.tables[0] |= (.row_axis = "operation" | .rows_are = .row_axis | .rows = ["load", "store", "<b>"])'
	run ! grep -q 'class=curve' tags
	[ "$(grep -c '^<rect .*height=13 ' tags)" -eq 5 ]
	grep -qF '>&lt;b&gt;</text>' tags
	grep -qF '>64</text>' tags
	run ! grep -q 'class=one' tags
	# no time is below 0, whatever its interval
	page_of '.tables[0] |= (.row_axis = "operation" | .rows_are = .row_axis | .rows = ["load", "store", "<b>"] | .cells[0][0] = {value: 30, low: -70, high: 130})'
	run ! grep -q '<text[^>]*>-' tags
	grep -qE "<path d='M8.0 [0-9.]*H[0-9.]*' />" tags
	page_of '.tables[0] |= (.row_axis = "operation" | .rows_are = .row_axis | .rows = ["load", "store", "copy"] | .quantity = "speedup" | .unit = "")'
	[ "$(grep -c 'class=one' tags)" -eq 1 ]
}

@test "a plot that cannot be drawn says why, and its numbers stay" {
	page_of '.tables[0] |= (.rows = ["16KiB", "4MiB"] | .columns = ["small"] | .cells = [[{value: 3}], [{value: null}]])'
	run ! grep -q '<svg class=panel' tags
	grep -qF 'No picture: it would have a single dot.' tags
	grep -q '<th scope=row>16&nbsp;KiB</th>' tags
	page_of '.tables[0] |= (.row_axis = "operation" | .rows_are = .row_axis | .rows = [range(97) | "o\(.)"] | .columns = ["x"] | .cells = [range(97) | [{value: (1 + .)}]])'
	run ! grep -q '<svg class=panel' tags
	grep -qF 'No picture: 97 bars are too many to read.' tags
}

@test "a curve without a dot is named as not measured, and not in the legend" {
	page_of '.tables[0] |= (.columns += ["none"] | .cells |= map(. + [{value: null}]))'
	[ "$(sed -n '/<p class=legend>/,/<.p>/p' tags | sed 's/<[^>]*>//g' | xargs)" = 'small huge' ]
	grep -qF '<p class=note>Not measured: column none.</p>' tags
}
