#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# affinity-report: the answer at the head of the page, where the weights of a language model go and how many threads, out
# of documents of machines that are made up (answers.jq).

bats_require_minimum_version 1.5.0 # run !

# shellcheck source=tests/helper.bash
. "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
}

# made FOLDER WHAT [FILTER]: a document of answers.jq, changed, as FOLDER/WHAT.json.
made() {
	mkdir -p "$1"
	jq -n -f "$BATS_TEST_DIRNAME/answers.jq" --arg of "$2" | jq "${3-.}" >"$1/$2.json"
}

# page_of FOLDER...: their page, and the answers as the terminal has them in `said`.
page_of() {
	"$(dirname "$AFFINITY")/affinity-report" -o page.html "$@" >said
	cat said
}

# of WHAT [FILTER]: the answers of one document, without its subject.
of() {
	rm -rf duo
	made duo "$1" "${2-.}"
	page_of duo >/dev/null
	sed 's/^4 [^:]*: //' said | tee answers
}

# words: the sentences in the sections.
words() {
	sed -n '/<ul class=words>/,/<.ul>/p' page.html | sed -n 's/^<li>//p' | sed 's/<[^>]*>//g; s/&nbsp;/ /g'
}

# Most samples of the runs that fulfil a condition are disturbed.
disturbed() {
	echo "(.runs[] | select(.values | $1)).operations[].samples.disturbed = 9"
}

# links WHAT [FILTER]: the sentences on the links of last-level caches.
links() {
	made duo "$1" "${2-.}"
	"$AFFINITY" --quiet --show "duo/$1.json" | sed -n 's/^ - \(load: .*\(link\|node\|spread\).*\)/\1/p'
}

@test "what last-level caches have to memory is a sentence: cores that fill a link, caches that share one, spread or not" {
	same "load: 5 cores saturate the link of L3 0 (37 GB/s); 6 last-level caches saturate the node (111 GB/s); 16 threads under 8 last-level caches move 3.0 times what they move under 2: spread." "$(links links)"
	same "load: L3 0 and L3 1 (37 GB/s), L3 2 and L3 3 (37 GB/s) share a link, as other pairs move up to 74 GB/s." "$(links pairs)"
	# rules where places begin, and pairs by how near they are, before the pairs
	made duo pairs '.tables[0] |= (. + {row_begins: [null, null, "L3 2", null], column_begins: [null, null, "L3 2", null],
		pair_classes: [{class: "same node", measured: 12, pairs: 28, fewest: {value: 37, low: 36, high: 38},
		median: {value: 74, low: 73, high: 75}, most: {value: 74, low: 73, high: 75}}]})'
	same "  pairs of CPUs   measured           fewest    median      most
  same node          12 of 28            37        74        74

  a \\ b       L3(0)       L3(1) |      L3(2)       L3(3)
  L3(0)           -  37.0 +-0.4 | 74.0 +-0.8  74.0 +-0.8
  L3(1)  37.0 +-0.4           - | 74.0 +-0.8  74.0 +-0.8
  -- L3 2
  L3(2)  74.0 +-0.8  74.0 +-0.8 |          -  37.0 +-0.4
  L3(3)  74.0 +-0.8  74.0 +-0.8 | 37.0 +-0.4           -" "$("$AFFINITY" --quiet --show duo/pairs.json | sed -n '/^  pairs of CPUs/,/^  L3(3)/p')"
	# each part by itself, and nothing where nodes have one such cache, or no interval says it
	same "load: 5 cores saturate the link of L3 0 (37 GB/s)." "$(links links '.tables[0].columns |= .[:1] | .tables[0].cells |= map(.[:1]) | .tables[0] |= (.rows |= .[:5] | .cells |= .[:5])')"
	same "" "$(links links 'del(.runs[].threads[].last_cache)')"
	# what must be measured again is left out
	[[ $(links links "$(disturbed '.n == "5"')") == "load: 6 last-level caches saturate"* ]]
	same "" "$(links links "$(disturbed true)")"
	# no link is crossed by what is no byte, or what a cache holds
	same "" "$(links links '.tables[0] |= (.quantity = "rate" | .unit = "update/s")')"
	same "" "$(links links '.runs[].operations[].threads[].held_by = "L3, 0.24 of its share"')"
	same "" "$(links pairs '.tables[0].cells |= map(map(if .value then .low = 1 | .high = 99 else . end))')"
}

@test "crossings of sizes and of threads, and what meetings take, are answers, too" {
	made duo decode
	made duo sizes
	made duo layers
	page_of duo
	diff - said <<-'END'
		4 GiB of weights of 2 bytes, gemv: placement slices, 8 threads, 60 token/s (59.4 .. 60.6). No smaller number reaches 90 % of it. With placement X (node 0) it is 20 token/s (19.8 .. 20.2) at most, with 4 threads. (decode, firm)
		4 GiB of weights of 2 bytes, gemv, by n, the number of threads: placement interleave is quicker than placement X (node 0) from n 2.5 on (2.1 .. 3.1); placement slices is quicker than placement X (node 0) from n 1 on (.. 2, perhaps everywhere). (decode, firm)
		4 GiB of weights of 2 bytes, gemv: layers 0: 60 token/s (59.4 .. 60.6) at most, with 8 threads; layers 256: 50 token/s (49.5 .. 50.5) at most, with 8 threads, of whose time waiting for the slowest takes 12 % (0 .. 14) and meeting 3.1 % (2.9 .. 3.4). (layers, firm)
		4 MiB to 1 GiB of weights of 2 bytes, gemv, 8 threads, by size: placement interleave is quicker than placement X (node 0) from size 60 MiB on (30 MiB .. 256 MiB); placement slices is quicker than placement X (node 0) from size 32 MiB on (16 MiB .. 48 MiB). (sizes, firm)
	END
	grep -q '^<p class=note>interleave: page by page on all nodes; slices: .*; layers: ' page.html
	words | grep -qx 'layers 256, 8 threads, of whose time waiting for the slowest takes 12 % (0 .. 14) and meeting 3.1 % (2.9 .. 3.4).'
	# slices are parts of one vector; a thread alone waits for nobody
	of layers '.runs[].vectors |= [.[0] | .bytes /= 2 | ., .] | .tables[0].cells[1][1] = {value: 9, low: 8.9, high: 9.1}'
	grep -q '^4 GiB of weights' said
	grep -q 'layers 256: 10 token/s (9.9 .. 10.1) at most, with 1 thread, which needs no synchronisation, and 9 token/s (8.9 .. 9.1) with 8 threads, of whose time waiting' said
	of layers '.tables[0].cells[1][1] = {value: 9, low: -8, high: 10}'
	grep -q 'at most, with 1 thread (not distinguished from 8), which needs no synchronisation, and 9 token/s (0 .. 10) with 8 threads' said
	# without intervals, of a placement that was not measured, or not up to the largest size
	of layers '.tables[].cells[][] |= . + {low: null, high: null}'
	[[ $(cat answers) == *'takes 12 % and meeting 3.1 %. The figures have no intervals: more samples tell how certain they are. (layers, firm)' ]]
	of sizes '.runs |= map(if .values.placement == "slices" then {values, skipped: "t.args:7: they do not fit"} else . end)'
	[[ $(cat answers) == *' on (30 MiB .. 256 MiB). Not measured: placement slices (they do not fit). (sizes, firm)' ]]
	of sizes '.runs |= map(if .values.placement == "slices" and .values.size == "1GiB" then {values, skipped: "t.args:7: they do not fit"} else . end)'
	[[ $(cat answers) == *' (16 MiB .. 48 MiB), measured up to 64 MiB. (sizes, firm)' ]]
}

@test "on one node no placement is quicker, and of a simulated machine nothing is said" {
	local one='.runs[].vectors[].found.pages_on_node = {"0": 100}'
	of sizes "$one"
	same "all placements are memory of node 0, so placement makes no difference here at any size. (sizes, firm)" "$(cat answers)"
	of decode "$one"
	same 1 "$(wc -l <answers)"
	of decode '.environment.simulated = "yes"'
	same '' "$(cat answers)"
	run ! grep -q 'Where do the weights' page.html
}

@test "placements that are weak are named, and the answer is one of the others" {
	of decode "$(disturbed '.placement == "interleave"')"
	[[ $(head -n 1 answers) == 'of what is not weak, placement slices, 8 threads, 60 token/s (59.4 .. 60.6).'* ]]
	[[ $(head -n 1 answers) == *' Left out as weak: placement interleave (disturbed samples: 36 of 60), which had 33 token/s at most. (decode, firm without these)' ]]
	[[ $(tail -n 1 answers) == 'placement slices is quicker than placement X (node 0) from n 1 on (.. 2, perhaps everywhere). Left out as weak: placement interleave (disturbed samples: 36 of 60). (decode, firm without these)' ]]
	# a run of the best one: fewer threads are then not known to be too few
	of decode "$(disturbed '.placement == "slices" and .n == "8"')"
	[[ $(head -n 1 answers) == 'of what is not weak, placement slices, 4 threads, 39 token/s (38.6 .. 39.4). With placement X'* ]]
	[[ $(head -n 1 answers) == *' Left out as weak: placement slices with 8 threads (disturbed samples: 9 of 15), which had 60 token/s and may be quicker. (decode, firm without that)' ]]
	# a single one that is left is not the best of anything
	of decode "$(disturbed '.placement != "slices"')"
	[[ $(head -n 1 answers) == 'placement slices, 8 threads, '*' Weak: placement X (disturbed samples: 36 of 60); placement interleave (disturbed samples: 36 of 60). (decode, weak, not for conclusions: disturbed samples: 72 of 120)' ]]
	# a baseline makes weak what is compared with it
	of sizes "$(disturbed '.placement == "X"')"
	[[ $(cat answers) == *' (16 MiB .. 48 MiB). Weak: placement X (disturbed samples: 27 of 45). (sizes, weak, not for conclusions)' ]]
	# where all are, or the conditions are those of all, none is named
	for filter in "$(disturbed true)" '.environment.others_load_during_run_percent = 40'; do
		of decode "$filter"
		run ! grep -q 'Left out\|Weak:' answers
		same 2 "$(grep -c ', weak, not for conclusions: ' answers)"
	done
	of layers "$(disturbed '.n == "8" and .layers == "256"')"
	[[ $(cat answers) == *' at most, with 8 threads. Left out as weak: layers 256 with 8 threads (disturbed samples: 9 of 15), which had 50 token/s. (layers, firm without that)' ]]
}

@test "several machines have an answer each, below their names" {
	made duo decode
	made solo decode '.runs[].vectors[].found.pages_on_node = {"0": 100}'
	made far decode '.environment.simulated = "yes"'
	made empty hot
	page_of duo solo far empty
	same 'duo:' "$(sed -n 1p said)"
	[[ $(sed -n 2p said) == *': placement slices, 8 threads, 60 token/s (59.4 .. 60.6).'*' (duo/decode, firm)' ]]
	same 'solo:' "$(sed -n 4p said)"
	[[ $(sed -n 5p said) == *': all placements are memory of node 0, '*': 4 threads, 20 token/s (19.8 .. 20.2). 2 threads reach 90 % of it. (solo/decode, firm)' ]]
	same 5 "$(wc -l <said)"
	sed -n '/^<p>Where do the weights/,/^<p class=note>/p' page.html >first
	same 'on each machine' "$(grep -o 'on each machine' first)"
	same 2 "$(grep -c '<ul class=answer>' first)"
	grep -qF '<strong>duo</strong>:</p>' first
	grep -qF '<strong>far</strong>: a simulated machine, whose times say nothing of a real one</p>' first
	grep -qF '<strong>empty</strong>: nothing that answers it was measured</p>' first
	# results of one experiment
	page_of duo/decode.json solo/decode.json
	same "duo: solo:" "$(grep -x '[a-z]*:' said | tr '\n' ' ' | sed 's/ $//')"
}

@test "the page says from which share of hot accesses on a second memory costs next to nothing" {
	made duo hot
	page_of duo
	same "chase_tiers, other 1: cold Y (node 1) has 0.4 (0.396 .. 0.404) with hot_share 0, and 0.99 (0.98 .. 1) with hot_share 99%, of the speed of cold X (node 0); at least 0.9 of it from hot_share 99% on (90% .. 99%)." "$(words)"
	made duo hot '.tables[0].cells[][1] |= {value, low: null, high: null}'
	page_of duo
	same "chase_tiers, other 1: cold Y (node 1) has 0.4 with hot_share 0, and 0.99 with hot_share 99%, of the speed of cold X (node 0); at least 0.9 of it from hot_share 99% on, without intervals: more samples tell how certain it is." "$(words)"
	made duo hot '.tables[0].cells[][1] |= (.value *= 0.5 | .low *= 0.5)'
	page_of duo
	[[ $(words) == *"; at least 0.9 of it with no measured share, but perhaps from hot_share 90% on." ]]
	made duo hot '.tables[0].cells[][1] |= (.low -= 0.2 | .high += 0.03)'
	page_of duo
	[[ $(words) == *"; at least 0.9 of it from hot_share 99% on (90% .., perhaps with none)." ]]
	# the same memory is no second one
	made duo hot '.runs[].vectors[].asked_node = "0"'
	page_of duo
	same '' "$(words)"
}
