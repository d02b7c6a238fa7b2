#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Pages that come and go: those of files, which are in memory, dropped and read in, where they come to lie, and what stays
# of files; page faults, and what calls on memory cost others.

# shellcheck disable=SC2030,SC2031 # each test is a process of its own
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup() {
	in_memory=
	small_run
	given "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "tamPerVector: 256KiB" "numIter: 1" "warmup: 0"
	head -c 262144 /dev/urandom >model
	sync model
}

teardown() {
	[ -z "$in_memory" ] || rm -f "$in_memory"
}

# kept_by_disk: drops what is in memory of `model`; a file system without a disk drops nothing.
kept_by_disk() {
	dd if=model iflag=nocache count=0 status=none
	[[ $(stat -f -c %T .) != @(tmpfs|ramfs) ]] || skip "the tests' folder is in memory"
}

read_in() { # BACKING CACHE
	try "$AFFINITY" --quiet --json out.json --set "backing=$1" --set "cache=$2" "${@:3}" t.args out.txt
}

vector() { # FILTER
	jq -e ".runs[0].vectors[0] | $1" out.json
}

@test "a user's file is taken as its pages lie, read in anew, or cold, and never changes" {
	kept_by_disk
	local before
	before=$(stat -c '%Y %Z' model && sha256sum model)
	cat model >/dev/null
	read_in file:model asis
	[ "$status" -eq 0 ]
	vector '.backing == "file" and .file == "model" and .cache == "asis"'
	vector '.found | .pages_absent == 0 and .page_cache.resident_before == 64 and .page_cache.major_faults == 0'
	read_in file:model warm
	[ "$status" -eq 0 ]
	vector '.found | .pages_absent == 0 and .page_cache.left == 0 and .page_cache.major_faults > 0'
	# the rest of a larger file stays, which is more than is read ahead
	head -c 33554432 /dev/urandom >large
	sync large
	read_in file:large warm
	[ "$status" -eq 0 ]
	read_in file:large asis --set tamPerVector=32MiB
	[ "$status" -eq 0 ]
	read_in file:model cold --set nodePerVector=local
	[ "$status" -eq 0 ]
	vector '.found | .page_cache.left == 0 and ([.pages_on_node[]] | add) == 64'
	grep -qF 'file model, cold: not in memory before each sample, its nodes are those after it' out.txt
	dd if=model iflag=nocache count=0 status=none
	read_in file:model asis
	[ "$status" -eq 3 ]
	[[ $stderr == *"vector 0, 'model': 64 of 64 pages are not in memory ("*"
  hint: reading them would place them: cache: warm reads all of it in on the node asked for"* ]]
	[ "$(stat -c '%Y %Z' model && sha256sum model)" = "$before" ]
}

@test "a user's file in memory does not grow, and is taken as it lies" {
	[[ $(stat -f -c %T /dev/shm) == tmpfs && -w /dev/shm ]] || skip "no file system in memory"
	local cache
	in_memory=$(mktemp /dev/shm/affinity-test-XXXXXX)
	truncate -s 256K "$in_memory"
	for cache in warm cold; do
		read_in "file:$in_memory" $cache --set nodePerVector=local
		[ "$status" -eq 3 ]
		[[ $stderr == *"vector 0, '$in_memory': its file system is in memory and drops no pages
  hint: cache: asis takes them as they lie"* ]]
	done
	read_in "file:$in_memory" asis
	[ "$status" -eq 3 ]
	[[ $stderr == *"64 of 64 pages are not in memory ("*"hint: reading them would store them: who makes the file writes all of it"* ]]
	same 0 "$(stat -c %b "$in_memory")"
}

@test "pages that another process maps are not dropped, and the run ends" {
	kept_by_disk
	coproc MAPPER { python3 -c 'import mmap, sys
f = open("model", "rb")
m = mmap.mmap(f.fileno(), 0, prot=mmap.PROT_READ)
sum(m[i] for i in range(0, len(m), 4096))
print("mapped", flush=True)
sys.stdin.read()'; }
	read -r _ <&"${MAPPER[0]}"
	read_in file:model warm
	eval "exec ${MAPPER[1]}>&-"
	[ "$status" -eq 3 ]
	[[ $stderr == *"vector 0, 'model': 64 of its pages stay in memory when they are dropped ("*"
  hint: another process maps or writes the file (fuser -v shows it), or it was just written (sync FILE), or its file system is in memory; "* ]]
}

@test "a file of the run's own has no name, also when the run is killed, and must fit beforehand" {
	local case
	for case in memfd=memfd file:.=folder; do
		read_in "${case%=*}" asis --set opType=write
		[ "$status" -eq 0 ]
		vector ".backing == \"${case#*=}\" and .found.pages_absent == 0"
	done
	local before
	before=$(find . | sort)
	"$AFFINITY" --quiet --set backing=file:. --set opType=idle_sleep --set "sleep=30s*" t.args - >/dev/null 2>&1 &
	local pid=$! tries=0
	until grep -qs "(deleted)" "/proc/$pid/maps" || ((++tries > 100)); do sleep 0.05; done
	((tries <= 100))
	kill -KILL $pid
	wait $pid || true
	[ "$(find . | sort)" = "$before" ]
	(
		ulimit -f 128
		read_in file:. asis
		[ "$status" -eq 3 ]
		[[ $stderr == *"vector 0: cannot have 256 KiB in '.': File too large
  hint: df and ulimit -f show the room there, ls -l who may read and write it"* ]]
	)
}

@test "a file whose pages lie on another node ends the run, and a command reads them in" {
	need_move_pages
	given "nodePerThread: 0" "nodePerVector: 1" "vectorPerThread: 0" "tamPerVector: 256KiB" "numIter: 1" "backing: file:model"
	cat model >/dev/null
	on_two_nodes --
	[ "$status" -eq 0 ]
	vector '.found.pages_on_node == {"1": 64}'
	on_two_nodes NODES_STRAY=0 --
	[ "$status" -eq 3 ]
	[[ $stderr == *"vector 0, asked for node 1: 1 of 64 pages is elsewhere (node 0: 1, node 1: 63)
  hint: they lie where the file was read in first; affinity --set cache=warm t.args reads them in on node 1"* ]]
	kept_by_disk
	on_two_nodes -- --set "cache=warm(0)"
	[ "$status" -eq 3 ]
	[[ $stderr == *"vector 0, asked for node 1: 64 of 64 pages are elsewhere (node 0: 64)"* ]]
	on_two_nodes -- --set cache=warm
	[ "$status" -eq 0 ]
	vector '.found.pages_on_node == {"1": 64}'
}

@test "page faults are proven by their count, one for each page in a sample" {
	given "opType: fault" "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "tamPerVector: 4MiB" \
		"pagesPerVector: base" "numIter: 1" "sweep: b = write read over_zero cow populate" "by: \$b"
	try "$AFFINITY" --quiet --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	jq -e '[.runs[].operations[0].threads[0].event_proof] == ["proven", "proven", "proven", "proven", "proven"]' out.json
	jq -e '[.runs[].vectors[0].found.pages_moved_during_run] | add == 0' out.json
	# a second round would find all pages there: there is none
	given "opType: fault" "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "tamPerVector: 4MiB" \
		"pagesPerVector: base" "numIter: 1" "warmup: 0" "passes: 2"
	try "$AFFINITY" --quiet --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	jq -e '.runs[0].operations[0].threads[0].event_proof_by | test("page faults for 1024 first writes")' out.json
	given "opType: fault" "by: cow" "pagesPerVector: thp"
	try "$AFFINITY" --plan --set nodePerThread=first --set nodePerVector=first --set vectorPerThread=0 --set tamPerVector=2MiB t.args
	[ "$status" -ne 0 ]
	[[ $stderr == *"by: cow splits transparent huge pages: pagesPerVector: base"* || $stderr == *"transparent huge pages"* ]]
	machine "$TWO_NODES"
	given "opType: fault" "nodePerThread: 0 1" "nodePerVector: 0" "vectorPerThread: all" "tamPerVector: 4MiB" \
		"pagesPerVector: 2M" "by: over_zero"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"fault: by: over_zero needs the page of zeros, which is a small one: pagesPerVector: base"* ]]
	given "opType: fault" "nodePerThread: 0 1" "nodePerVector: 0" "vectorPerThread: all" "tamPerVector: 4KiB" "pagesPerVector: base"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"fault: its part of a vector has no page: 1 pages for 2 threads; a larger tamPerVector, or vectorPerThread: own"* ]]
}

@test "where interrupts are hidden, what bystanders lose is told without a proof" {
	find_obstacle
	skip_obstacle
	given "opType: unmap+bystander" "nodePerThread: first*2" "nodePerVector: first" "vectorPerThread: 0" "tamPerVector: 1MiB" \
		"pages: 4" "numIter: 1"
	says /proc/interrupts ''
	under files "$AFFINITY" --quiet --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	jq -e '.runs[0].operations[0].threads | .[0].event_proof == "proven" and (.[0].event_proof_by | test("calls of unmap succeeded"))' out.json
	jq -e '.runs[0].operations[0].threads[1] | .event_proof == "not countable" and
		(.event_proof_by | test("^(/proc/interrupts has no row TLB here: a container hides it|it was beside 0 of )"))' out.json
}
