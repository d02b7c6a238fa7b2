#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The chapter of page migration of scripts/report: figures of both works have the numbers of the results. Tiny runs of
# the project's own files on one node, whose times mean nothing.

# shellcheck disable=SC2030,SC2031 # each test is a process of its own
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/pages.bash
. "$BATS_TEST_DIRNAME/../pages.bash"

# experiment NAME [SET]...: its results, two threads.
experiment() {
	local name=$1 sets=() set
	shift
	for set in threads=2 numIter=2 warmup=0 "$@"; do
		sets+=(--set "$set")
	done
	"$AFFINITY" --quiet "${sets[@]}" --json "$results/migration/$name.json" "$root/args/migration/$name.args" \
		"$results/migration/$name.txt" 2>messages || { cat messages && return 1; }
}

setup_file() {
	find_obstacle
	[ -z "$OBSTACLE" ] || return 0
	shows_each_page || OBSTACLE="move_pages is refused here, as in a container"
	[ -z "$OBSTACLE" ] || return 0
	local name
	export AFFINITY results=$BATS_FILE_TMPDIR/results
	mkdir -p "$results/migration"
	# whole huge pages are rare on a busy machine; which pages there are does not matter here
	experiment product_thp "sweep=n = 8 16" "tamPerVector=16KiB*" "pagesPerVector=base*"
	for name in product lu cholesky add; do
		experiment $name "sweep=n = 8 16" "tamPerVector=16KiB*"
	done
	experiment strsearch "sweep=queries = 1 2" tamPerVector=16KiB
	experiment bucketsort "sweep=size = 4KiB 8KiB"
	experiment knn "sweep=queries = 1 2" tamPerVector=16KiB
	experiment fig3 "sweep=side = 8 16" "tamPerVector=16 256 4096" overlap=1
	"$root/scripts/report" "$results" >/dev/null
}

setup() {
	driver_setup
	skip_obstacle
	command -v jq >/dev/null || skip "jq is not installed (make setup installs it)"
	page=$results/report.html
}

# shown ID NAME [FILTER]: the figure has the speedups of that file, of its table that jq's FILTER chooses.
shown() {
	local expected
	expected=$(jq -r "[.tables[] | select(.quantity == \"speedup\" and (${3:-true}))] | if length == 1 then .[0] else error end
		| . as \$t | [range(.columns | length) as \$k | select(any(.cells[]; .[\$k].value)) | \$k] as \$measured
		| range(.rows | length) as \$i | select(any(.cells[\$i][]; .value))
		| .rows[\$i] + \" \" + ([\$measured[] as \$k | \$t.cells[\$i][\$k].value // \"n/m\" | tostring] | join(\" \"))" "$results/migration/$2.json")
	alike "$expected" "$(rows_of "$1" | sed 's/ ±[^ ]*//g')"
}

@test "figures 4.9 to 4.18 of the dissertation have the speedups of their files" {
	shown figure-4.9 product_thp
	shown figure-4.10 product
	shown figure-4.11 lu
	shown figure-4.14 cholesky
	shown figure-4.15 add
	shown figure-4.16 strsearch
	shown figure-4.17 bucketsort '.values.test == "yes"'
	shown figure-4.18 bucketsort '.values.test == "no"'
}

@test "figures of the paper have the speedups of their files" {
	shown figure-12-of-the-paper knn '.values.hoisted == "no"'
	shown beside-figure-12 knn '.values.hoisted == "yes"'
	shown figure-3-of-the-paper fig3 '.values.pin == "none"'
	shown figure-11-of-the-paper fig3 '.values.pin == "tree"'
	[ "$(grep -c "<figcaption>.*(and figure 12 of the paper)" "$page")" -eq 5 ]
}

# lacking ID CURVES: what the page says below that figure.
lacking() {
	same "$2" "$(sed -n "/<figure id='$1'>/,/<\/figure>/p" "$page" | sed -n "s/.*<p class=missing>Curves of the work's figure that were not measured: \(.*\)<.p>/\1/p")"
}

@test "a figure names the curves of the works' figures that the results lack" {
	local dissertation="numactl (policy=interleave), AutoNUMA (policy=autonuma)"
	for id in 4.9 4.16; do
		lacking figure-$id "$dissertation"
	done
	for id in 4.10 4.11 4.14 4.15 4.18; do
		lacking figure-$id "$dissertation, Minas (policy=minas)"
	done
	lacking figure-12-of-the-paper "Minas (policy=minas)"
	lacking beside-figure-12 ""
	cp -rp "$results" copy
	jq '.tables |= map(if .quantity == "speedup" then .columns |= map(if . == "spm" then "autonuma" else . end) | .cells |= map(.[3].value = null)
		else . end)' copy/migration/lu.json >lu.json
	mv lu.json copy/migration/lu.json
	"$root/scripts/report" copy
	page=copy/report.html
	lacking figure-4.11 "SPM (policy=spm), numactl (policy=interleave), Eager (policy=eager), Minas (policy=minas)"
}

# The last run with that policy, of the largest matrices: how long the drawn operation took.
drawn_until() { # ID
	sed -n "/<figure id='$1'>/,/<\/figure>/p" "$page" | grep -o '<title>[0-9.e-]* to [0-9.e-]* s' | sed 's/.* to //; s/ s//' |
		sort -g | tail -n 1
}

# last_end NAME POLICY: seconds after which the last thread ends, in each sample of that run.
last_end() {
	jq -r --arg policy "$2" '[.runs[] | select(.values.policy == $policy)][-1].operations[0].threads
		| [.[].samples | map(.cost_s)] | transpose[] | max' "$results/migration/$1.json"
}

@test "figures 4.13, 3.7 and 3.8 are of the runs of their policies" {
	local figure found
	for figure in beside-figure-4.12=lu=baseline figure-4.13=lu=spm+lock figure-3.7=cholesky=spm figure-3.8=cholesky=spm+lock; do
		IFS='=' read -r id name policy <<<"$figure"
		found=$(drawn_until "$id")
		[ -n "$found" ]
		last_end "$name" "$policy" | awk -v found="$found" '{ near = ($1 - found) ^ 2 < (1e-3 * found) ^ 2; any = any || near }
			END { exit !any }'
	done
}

# opened ID: the summary of what the figure shows without a click.
opened() {
	sed -n "/<figure id='$1'>/,/<\/figure>/p" "$page" | sed -n 's/.*<details open><summary>\([^:<]*\).*/\1/p'
}

@test "figures are curves with their numbers folded, and pictures in time are open" {
	same "When each thread worked" "$(opened figure-4.13)"
	[ -z "$(opened figure-3.8)" ] || same "Where threads ran that were not bound" "$(opened figure-3.8)"
	command -v gnuplot >/dev/null || skip "gnuplot is not installed (make setup installs it)"
	local id
	for id in figure-4.9 figure-4.11 figure-4.18 figure-12-of-the-paper figure-11-of-the-paper; do
		sed -n "/<figure id='$id'>/,/<\/figure>/p" "$page" >figure
		grep -q "<img class=plot alt='Speedup over the baseline" figure
		grep -q '<details><summary>Numbers' figure
		grep -q "<th scope=col>spm</th>" figure
	done
}

@test "a figure whose file asks for no such table is named as missing, and other tables are shown once" {
	[ "$(grep -c '<figcaption>speedup' "$page")" -eq 0 ] # each is in its figure
	[ "$(grep -c '<figcaption>crossing along n, lu' "$page")" -eq 1 ]
	cp -rp "$results" copy
	jq '.tables |= map(select(.quantity != "speedup"))' copy/migration/lu.json >lu.json
	mv lu.json copy/migration/lu.json
	rm copy/migration/knn.json
	"$root/scripts/report" copy
	page=copy/report.html
	grep -q '<b>Figure 4.11</b> no such table in these results: their file asks for none of speedup by n and policy' "$page"
	grep -q '<b>Figure 12 of the paper, Nearest neighbours,</b> not measured; <code>scripts/ejec.sh args/migration/knn.args</code>' <(as_in_sources <"$page")
}

@test "the chapter is on pages with results of migration only" {
	grep -q "<a href='#migration'>Page migration</a>" "$page"
	cp -rp "$results" copy
	mv copy/migration copy/own
	"$root/scripts/report" copy
	[ "$(grep -c "'#\?migration'" copy/report.html)" -eq 0 ]
}
