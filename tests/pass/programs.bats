#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The programs of the works as plain C with threads (bench/migration), compiled with the pass: they decide as the kernels
# do that make the calls by hand, and compute what they compute without it.

# shellcheck source=tests/pass/helper.bash
source "$BATS_TEST_DIRNAME/helper.bash"

sources=$BATS_TEST_DIRNAME/../../bench/migration

setup_file() {
	pass_setup
	[ -z "$lacking" ] || return 0
	local name
	for name in product matrix_add lu cholesky strsearch bucketsort knn; do
		"$cc" -O2 "$sources/$name.c" -lm -o "$BATS_FILE_TMPDIR/$name"
		"$cc" -O2 --pass=off "$sources/$name.c" -lm -o "$BATS_FILE_TMPDIR/plain_$name"
	done
}

setup() {
	pass_setup
	[ -z "$lacking" ] || skip "$lacking"
	cd "$BATS_TEST_TMPDIR" || return 1
	driver=$BATS_TEST_DIRNAME/../../affinity
	[[ ${AFFINITY_BUILD##*/} == build ]] || driver=$AFFINITY_BUILD/affinity
}

# by_hand KERNEL THREADS VECTORS KEY=VALUE...: accepted calls and their pages, of all threads.
by_hand() {
	local groups=all word
	[ "$3" = 1 ] || groups=all$(printf ', all%.0s' $(seq 2 "$3"))
	{
		printf '%s\n' "kernels: $1" "threads: $2" 'mapping: os' 'oversubscribe: yes' "nodePerVector: first*$3" \
			"vectorPerThread: $groups" 'pagesPerVector: base*' 'samples: 1' 'warmup: 0' 'placements: 1' 'policy: spm' \
			'cache_bytes: 64KiB'
		shift 3
		for word in "$@"; do echo "${word/=/: }"; done
	} >hand.args
	"$driver" --quiet --json hand.json hand.args - >said 2>&1 || { cat said && return 1; }
	jq -r '.runs[0].operations[0].kernel_figures | "\(.spm_accepted.value | floor) accepted \(.spm_pages_asked.value | floor) pages"' hand.json
}

# compiled PROGRAM ARGUMENT...: the same, of all threads but main's, which is the first.
compiled() {
	local program=$1
	shift
	rm -f counts
	AFFINITY_SPM_CACHE_BYTES=64KiB AFFINITY_PASS_COUNTS=counts "$BATS_FILE_TMPDIR/$program" "$@" >result
	"$BATS_FILE_TMPDIR/plain_$program" "$@" | diff - result
	awk '/^thread / { for (i = 1; i <= NF; i++) at[$i] = i; next }
		/^[0-9]/ { accepted += $at["accepted"]; pages += $at["pages_asked"] }
		END { print accepted + 0, "accepted", pages + 0, "pages" }' counts
}

same_decisions() { # HAND COMPILED ACCEPTED
	[ "$1" = "$2" ] || { echo "by hand: $1; compiled: $2" && return 1; }
	[ "${1%% *}" -eq "$3" ]
}

@test "product: a and b of each set are worth a move where rows are above 200" {
	same_decisions "$(by_hand product 2 3 typePerVector=double\* 'tamPerVector=196608*' matrix=256)" "$(compiled product 2 256 3)" 6
	same_decisions "$(by_hand product 2 3 typePerVector=double\* 'tamPerVector=30000*' matrix=100)" "$(compiled product 2 100 3)" 0
}

@test "matrix_add: nothing is worth a move" {
	same_decisions "$(by_hand matrix_add 2 3 typePerVector=double\* 'tamPerVector=196608*' matrix=256)" "$(compiled matrix_add 2 256 3)" 0
}

@test "lu: a is worth a move above 200 rows, b above 600, c never" {
	same_decisions "$(by_hand lu 2 3 typePerVector=double\* 'tamPerVector=131072*' matrix=256)" "$(compiled lu 2 256 2)" 2
	same_decisions "$(by_hand lu 2 3 typePerVector=double\* 'tamPerVector=640000*' matrix=800)" "$(compiled lu 2 800 1)" 2
	same_decisions "$(by_hand lu 2 3 typePerVector=double\* 'tamPerVector=30000*' matrix=100)" "$(compiled lu 2 100 3)" 0
}

@test "cholesky: b is worth a move above 600 rows" {
	same_decisions "$(by_hand cholesky 2 2 typePerVector=double\* 'tamPerVector=640000*' matrix=800)" "$(compiled cholesky 2 800 1)" 1
	same_decisions "$(by_hand cholesky 2 2 typePerVector=double\* 'tamPerVector=131072*' matrix=256)" "$(compiled cholesky 2 256 2)" 0
}

@test "strsearch: slices are worth a move from 13 queries on, for 16 letters" {
	same_decisions "$(by_hand strsearch 4 1 tamPerVector=200000 queries=16)" "$(compiled strsearch 4 200000 16 16)" 4
	same_decisions "$(by_hand strsearch 4 1 tamPerVector=200000 queries=12)" "$(compiled strsearch 4 200000 12 16)" 0
}

@test "bucketsort: every bucket is worth a move that the caches are too small for" {
	same_decisions "$(by_hand bucketsort 4 1 'typePerVector=int*' tamPerVector=200012)" "$(compiled bucketsort 4 40000)" 4
	same_decisions "$(by_hand bucketsort 4 1 'typePerVector=int*' tamPerVector=50012)" "$(compiled bucketsort 4 10000)" 0
}

# The pass also counts the lists of neighbours, which nobody calls for by hand: here they fit into the caches.
@test "knn: the pass sees all queries, as by hand where the call is hoisted" {
	same_decisions "$(by_hand knn 4 1 'typePerVector=double*' tamPerVector=131072 queries=300 neighbours=2 hoisted=yes)" "$(compiled knn 4 65536 300 2)" 4
	same_decisions "$(by_hand knn 4 1 'typePerVector=double*' tamPerVector=131072 queries=100 neighbours=2 hoisted=yes)" "$(compiled knn 4 65536 100 2)" 0
}

# traced PROGRAM ARGUMENT...: the calls of threads, as FUNCTION ARRAY FIRST LAST.
traced() {
	local program=$1
	shift
	rm -f trace
	AFFINITY_SPM_CACHE_BYTES=64KiB AFFINITY_PASS_TRACE=trace "$BATS_FILE_TMPDIR/$program" "$@" >result
	sed -nE "s/^[^ ]* (work|worker) '([^']*)' ([0-9]+) ([0-9]+) .*/\1 \2 \3 \4/p" trace
}

@test "lu: no call has a byte behind its matrix" {
	traced lu 2 256 2 >calls
	[ "$(wc -l <calls)" -ge 6 ]
	awk '$NF >= 256 * 256 * 8 { print; bad = 1 } END { exit bad }' calls
}

@test "knn: no call is made for each point" {
	traced knn 2 1000 3 2 >calls
	[ "$(grep -c ' lists ' calls)" -eq 2 ]
	[ "$(wc -l <calls)" -eq 6 ]
}

@test "scripts/pass-programs says what it does not know" {
	local script=$BATS_TEST_DIRNAME/../../scripts/pass-programs
	run "$script" nosuch
	[ "$status" -eq 2 ]
	[ "$output" = "pass-programs: unknown program 'nosuch'; there are pbzip2 xz zstd quantum fasttree product matrix_add lu cholesky strsearch bucketsort knn" ]
	run "$script" --runs none
	[ "$status" -eq 2 ]
}
