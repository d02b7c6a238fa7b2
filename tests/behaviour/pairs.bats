#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# affinity-map --pairs: every pair of programs under every mapping, its figures, and what cannot be told. No test judges
# a time.

# shellcheck disable=SC2016 # programs have variables of their own
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	MAP=$AFFINITY-map
	unset LD_PRELOAD AFFINITY_MAP
}

need_jq() { command -v jq >/dev/null || skip "jq is not installed (make setup installs it)"; }

# pairs OPTION...: measures on one place for each program.
pairs() { try "$MAP" --pairs --threads 1 --oversubscribe "$@"; }

# cores CPU,...: how many of these CPUs are on each core of TWO_NODES, where CPUs 2k and 2k+1 are core k.
cores() { tr , '\n' <<<"$1" | awk '{ n[int($1 / 2)]++ } END { for (i = 0; i < 4; i++) printf "%d", n[i] }'; }

@test "of each pair every core gets a thread of both programs, whatever their mixes have most of" {
	machine "$TWO_NODES"
	printf '%s\n' program,branch,fp,int,load,store true,0.1,0.7,0.1,0.1,0 false,0.1,0,0.7,0.1,0.1 echo,0.1,0.1,0.1,0.6,0.1 >mix.csv
	try "$MAP" --plan --pairs --profile mix.csv -- true : false : echo
	[ "$status" -eq 0 ]
	local pair type rest a b
	# the type that each pair differs most in, by hand
	for pair in "true + false=fp" "true + echo=fp" "false + echo=int"; do
		type=${pair#*=}
		rest=${output#*$'\n'"pair ${pair%=*}"$'\n'}
		rest=${rest#*$'\n'mapping instruction: }
		[[ $rest == "sorted by $type, whose share differs most"* ]]
		[[ $rest =~ \ program\ 0,\ 4\ threads:\ CPU\ ([0-9,]+)$'\n'\ program\ 1,\ 4\ threads:\ CPU\ ([0-9,]+) ]]
		a=${BASH_REMATCH[1]} b=${BASH_REMATCH[2]}
		same 1111 "$(cores "$a")"
		same 1111 "$(cores "$b")"
	done
	# round-robin gives whole cores
	rest=${output#*$'\n'mapping roundrobin: }
	[[ $rest =~ \ program\ 0,\ 4\ threads:\ CPU\ ([0-9,]+) ]]
	a=${BASH_REMATCH[1]}
	same 2020 "$(cores "$a")"
	same 3 "$(grep -c '^pair ' <<<"$output")"
	same 3 "$(grep -c '^mapping os: ' <<<"$output")"
}

# three programs that last longer than what cannot be told, and write their names
programs() {
	local name
	for name in a b c; do
		printf '#!/bin/sh\necho %s >>log\nexec sleep 0.12\n' "$name" >"$name"
		chmod +x "$name"
	done
	printf '%s\n' program,fp,int,load a,0.5,0.2,0.1 b,0.1,0.6,0.2 c,0,0.1,0.8 >mix.csv
}

@test "every pair runs under every mapping in each round, in an order that the seed repeats" {
	programs
	pairs --profile mix.csv --runs 2 --seed 5 --json out.json --out report -- ./a : ./b : ./c
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	# alone, then two rounds of two pairs under three mappings
	local name
	for name in a b c; do
		same 13 "$(grep -c "$name" log)"
	done
	grep -q '^order: random, seed 5;' report
	grep -qE '^a \+ c +\| instruction +2 +[0-9.]+ +[0-9.]+' report
	grep -qE '^time of the slower +\| +roundrobin/os +instruction/os$' report
	grep -qE '^b, mean +\| +[0-9.]+ \([0-9.]+ \.\. [0-9.]+\) +[0-9.]+ \(' report
	need_jq
	jq -e '.seed == 5 and .runs == 2 and .mapping_names == ["os", "roundrobin", "instruction"]
		and [.pairs[].programs] == [[0, 1], [0, 2], [1, 2]] and [.programs[].group] == ["fp", "int", "load"]
		and all(.pairs[].mappings[]; .slowest.n == 2 and (.programs | length) == 2)
		and [.figures[].figure] == ["Figure 1b", "Figure 5", "Figure 6", "Figure 7", ""]' out.json
	mv log first
	pairs --profile mix.csv --runs 2 --seed 5 --out report -- ./a : ./b : ./c
	# the two programs of a pair may write in either order
	same "$(tail -n +4 first | paste - - | sed 's/\(.\)\t\(.\)/\1\2/; s/ba/ab/; s/ca/ac/; s/cb/bc/')" \
		"$(tail -n +4 log | paste - - | sed 's/\(.\)\t\(.\)/\1\2/; s/ba/ab/; s/ca/ac/; s/cb/bc/')"
}

@test "the document follows its schema" {
	/usr/bin/python3 -c 'import jsonschema' 2>/dev/null ||
		skip "the system's Python has no jsonschema (make setup installs it)"
	programs
	pairs --profile mix.csv --runs 1 --json out.json --out report -- ./a : ./b : ./c : true
	[ "$status" -eq 2 ]
	pairs --mapping os,roundrobin --runs 1 --json out.json --out report -- ./a : ./b : true
	[ "$status" -eq 0 ]
	/usr/bin/python3 -m jsonschema -i out.json "$root/results/schema-map-1.json"
}

@test "the page has figures 1b, 5, 6 and 7, each cell in its column" {
	command -v python3 >/dev/null || skip "no python3 here"
	mkdir -p res/pairs
	cat >res/pairs/known.json <<-'END'
		{"schema": 1, "program": "affinity-map", "affinity_version": "x", "host": "h <1>", "kernel": "k",
		 "warnings": [{"text": "affinity-map: warning: a + d is left out: it is too short", "hint": null}],
		 "figures": [
		  {"figure": "Figure 1b", "title": "mixes", "shape": "stacked", "rows": ["a", "d"], "columns": ["fp", "int"],
		   "cells": [[{"value": 0.75, "low": null, "high": null}, {"value": 0.25, "low": null, "high": null}],
		    [{"value": null, "low": null, "high": null}, {"value": null, "low": null, "high": null}]]},
		  {"figure": "Figure 5", "title": "times", "shape": "bars", "rows": ["a + b"], "columns": ["os", "roundrobin", "instruction"],
		   "cells": [[{"value": 1, "low": null, "high": null}, {"value": 0.875, "low": 0.75, "high": 1}, {"value": 0.5, "low": 0.25, "high": 0.75}]]},
		  {"figure": "Figure 6", "title": "others", "shape": "bars", "rows": [], "columns": ["os"], "cells": []}]}
	END
	try "$AFFINITY-report" res
	[ "$status" -eq 0 ]
	[[ $(<res/report.html) != *nan* ]]
	same "<tr><th scope=row>a + b</th><td data-value='1'>1.0</td><td data-value='0.875 ±0.12'>0.9 <small>±0.1</small></td><td data-value='0.5 ±0.25'>0.5 <small>±0.3</small></td></tr>" "$(grep -o '<tr><th scope=row>a + b</th>.*</tr>' res/report.html)"
	grep -q "<figure id='figure-1b'>" res/report.html
	grep -q "<th scope=row>a</th><td data-value='75'>75</td><td data-value='25'>25</td>" res/report.html
	grep -q 'Figure 6</b> no program belongs to it: others' res/report.html
	grep -q '<li>a + d is left out: it is too short</li>' res/report.html
	grep -q 'h &lt;1&gt;, k, affinity x' res/report.html
	# a figure that lacks a cell is not shown as if it were whole
	sed -i 's/, {"value": 0.5, "low": 0.25, "high": 0.75}//' res/pairs/known.json
	try "$AFFINITY-report" res
	[ "$status" -eq 1 ]
	[[ $stderr == *"res/pairs/known.json: "*"; it is left out"* ]]
}

@test "a program that ends at once, or a pair that does not fit into memory, is left out with its reason" {
	programs
	pairs --mapping os,compact --runs 1 --out report -- ./a : true : ./b
	[ "$status" -eq 0 ]
	[[ $stderr =~ "affinity-map: warning: a + true is left out: 'true' ends after "0\.0[0-9]+" s: below 0.1 s its start is more than a mapping changes" ]]
	grep -qE "^true \+ b +\| left out: 'true' ends after " report
	grep -qE '^a \+ b +\| +[0-9.]+$' report
	run grep -q '^true, mean' report
	[ "$status" -ne 0 ]
	pairs --mapping os --runs 1 -- true : echo
	[ "$status" -eq 1 ]
	[[ $stderr == *"affinity-map: no pair can be measured"* ]]
	shims=$(dirname "$AFFINITY")/${AFFINITY_BUILD:-build}/shims
	[[ ${AFFINITY_BUILD:-build} != /* ]] || shims=$AFFINITY_BUILD/shims
	mkdir -p files/proc
	sed 's/^MemAvailable:.*/MemAvailable: 3000 kB/; s/^MemFree:.*/MemFree: 3000 kB/' /proc/meminfo >files/proc/meminfo
	FILES=$PWD/files LD_PRELOAD=$shims/files.so pairs --mapping os --runs 1 -- ./a : ./b
	[ "$status" -eq 1 ]
	[[ $stderr =~ "warning: a + b is left out: together they take "[0-9.]+" "[KM]iB" of memory, the machine can give "[0-9.]+" "[KM]iB" just now" ]]
}

@test "a program that needs a terminal or fails is told before any pair runs" {
	programs
	printf '#!/bin/sh\nstty -F /dev/tty -echo\n' >needs
	printf '#!/bin/sh\nexit 3\n' >fails
	chmod +x needs fails
	pairs --mapping os -- ./a : ./fails
	[ "$status" -eq 3 ]
	same "affinity-map: 'fails' ended with status 3
  hint: 'fails' ran alone, before any pair" "$stderr"
	same a "$(<log)"
	command -v script >/dev/null || skip "no script(1) here"
	try timeout 60 script -qec "bash -c \"set -m; '$MAP' --pairs --threads 1 --oversubscribe --mapping os -- ./a : ./needs & wait %1; echo status \\\$?\"" /dev/null </dev/null
	[[ $output == *"affinity-map: 'needs' was stopped by signal 22"* ]]
	[[ $output == *"status 150"* ]]
	# a terminal is told what is left, in lines that fit
	try timeout 60 script -qec "stty cols 80; '$MAP' --pairs --threads 1 --oversubscribe --mapping os --runs 2 -- ./a : ./b" /dev/null </dev/null
	[[ $output =~ "affinity-map: run 2 of 2, a + b, os; "[0-9]+" s, about "[0-9]+" s to go" ]]
}

@test "mistakes of --pairs and its list are told" {
	printf '%s\n' '# programs' '' "  sleep   0.2" >list
	: >empty
	try "$MAP" --pairs --plan --list empty
	[ "$status" -eq 2 ]
	same "empty: names no program
  hint: a line for each program: its file and its arguments, divided by blanks" "$stderr"
	try "$MAP" --pairs --plan --list nowhere
	[ "$status" -eq 2 ]
	same "affinity-map: cannot read the list 'nowhere': No such file or directory
  hint: --list names a file with a line for each program" "$stderr"
	try "$MAP" --pairs --plan --list list
	[ "$status" -eq 2 ]
	same "affinity-map: --pairs needs at least two programs
  hint: affinity-map --pairs -- PROGRAM [ARG...] : PROGRAM [ARG...]" "$stderr"
	try "$MAP" --pairs
	[ "$status" -eq 2 ]
	same "affinity-map: there is no program to run
  hint: affinity-map [options] -- PROGRAM [ARG...] : PROGRAM [ARG...]" "$stderr"
	try "$MAP" --pairs --plan --threads 1,1 --list list -- true
	[ "$status" -eq 2 ]
	same "affinity-map: --pairs takes one value of --threads
  hint: the programs of a pair have as many threads each" "$stderr"
	try "$MAP" --pairs --plan --mapping os --oversubscribe --threads 1 --list list -- true
	[ "$status" -eq 0 ]
	[[ $output == *$'\npair true + sleep\n'* ]]
	[[ $output == *$'\nprogram 1: sleep 0.2\n'* ]]
	try "$MAP" --pairs --oversubscribe --threads 1 --mapping os,instruction --by fp --profile /dev/null -- true : sleep 0.2
	[ "$status" -eq 2 ]
	printf 'program,fp\ntrue,0.5\n' >mix.csv
	try "$MAP" --pairs --oversubscribe --threads 1 --mapping os,instruction --by int --profile mix.csv -- true : sleep 0.2
	if [ "$status" -ne 0 ]; then
		[[ $stderr == "affinity-map: --pairs: no instruction mix of 'sleep' is known: "*$'\n'"  hint: scripts/profile sleep ... >DIR/sleep.csv and --profile DIR; or --mapping os,roundrobin" ]]
	fi
	printf '%s\n' "sleep 0.2" "sleep 0.3" >list
	try "$MAP" --list list --out list -- true
	[ "$status" -eq 2 ]
	same "affinity-map: 'list' and 'list' are the same file
  hint: name another: one would replace the other, or be read twice" "$stderr"
}

@test "random mappings have their seeds as names, and the others stand among them" {
	try "$MAP" --plan --mapping 'random,random:7*2' --threads 1 -- true
	[ "$status" -eq 0 ]
	same "random:1 random:7 random:8" "$(sed -n 's/^mapping \(random:[0-9]*\): hardware threads in a random order, seed [0-9]*$/\1/p' <<<"$output" | paste -sd ' ')"
	try "$MAP" --mapping 'os,random*3' --runs 2 --threads 1 --json out.json --out report -- sleep 0.1
	[ "$status" -eq 0 ]
	grep -qE '^3 random mappings: mean times of the slowest [0-9.]+ \.\. [0-9.]+ s, median [0-9.]+ s$' report
	grep -qE '^os: [0-9.]+ s, faster than [0-3] of 3 random mappings$' report
	try "$MAP" --mapping 'random*0' -- true
	[ "$status" -eq 2 ]
	same "affinity-map: --mapping: '0' is not a number of mappings
  hint: 1 .. 1000, such as random*20" "$stderr"
	try "$MAP" --mapping 'random:2,random*2' -- true
	same "affinity-map: --mapping has random:2 twice" "$stderr"
	need_jq
	# the rank by hand, from the means
	jq -e '[.mappings[] | .slowest.mean_s] as [$os, $a, $b, $c] | (.mappings[0].faster_than_random * 3 | round) == ([$a, $b, $c | select(. > $os)] | length)' out.json
}

@test "threads of a program that do different things get places by their own rows" {
	machine "$TWO_NODES"
	printf '%s\n' program,thread,type,share true,0,fp,0.9 true,1,fp,0.8 true,2,fp,0.1 true,,fp,0.2 >mix.csv
	try "$MAP" --plan --profile mix.csv --threads 8 -- true
	[ "$status" -eq 0 ]
	# 0.9 and 0.1 on core 0, 0.8 and the last of 0.2 on core 1
	[[ $output == *$'\n program 0, 8 threads: CPU 0,2,1,'* ]]
	printf '%s\n' program,thread,fp_count,int_count true,0,100,900 true,1,900,100000 >mix.csv
	try "$MAP" --plan --profile mix.csv --threads 2 --by fp -- true
	[[ $output == *"sorted by the number of instructions of the type fp, as asked (numbers: "*"fp 100 .. 900"* ]]
	try "$MAP" --plan --profile mix.csv --threads 3 -- true
	[[ $output == *"in place of instruction: no instruction mix of 'true' is known (--profile; the profile has no row of thread 2)"* ]]
}

@test "a row of the whole command comes before one of the program's name" {
	machine "$TWO_NODES"
	printf '%s\n' program,fp echo,0.5 'echo x,0.1' false,0.3 >mix.csv
	try "$MAP" --plan --profile mix.csv --threads 1 -- echo x : false
	[[ $output == *"fp 0.100 .. 0.300"* ]]
	try "$MAP" --plan --profile mix.csv --threads 1 -- echo y : false
	[[ $output == *"fp 0.300 .. 0.500"* ]]
}

@test "scripts/npb runs the pairs of NAS programs, and says which are missing and how to build them" {
	local name
	mkdir bin mixes
	for name in bt is; do
		printf '#!/bin/sh\nexec sleep 0.12\n' >bin/$name.B.x
		chmod +x bin/$name.B.x
	done
	printf 'program,fp,int\nbt.B.x,0.5,0.1\n' >mixes/bt.B.x.csv
	printf 'program,fp,int\nis.B.x,0.1,0.5\n' >mixes/is.B.x.csv
	try "$root/scripts/npb" bin
	[ "$status" -eq 2 ]
	same "npb: 'bin' has no program cg.B.x; in NPB3.4-OMP: make cg CLASS=B" "$stderr"
	try "$root/scripts/npb" --dry-run --out r/npb bin bt is
	[ "$status" -eq 0 ]
	[[ $output == *"--pairs --list "*" --runs 30 --json r/npb.json --out r/npb.txt"* ]]
	same "$PWD/bin/bt.B.x $PWD/bin/is.B.x" "$(tail -n 2 <<<"$output" | paste -sd ' ')"
	AFFINITY=$AFFINITY try "$root/scripts/npb" --mixes mixes --runs 1 --out r/npb bin bt is -- --threads 1 --oversubscribe
	[ "$status" -eq 0 ]
	[[ $output == *$'\nbt.B.x + is.B.x'* ]]
	[ -s r/npb.json ]
	# the report of an earlier run is not that of one that fails
	printf '#!/bin/sh\nexit 3\n' >bin/bt.B.x
	AFFINITY=$AFFINITY try "$root/scripts/npb" --mixes mixes --runs 1 --out r/npb bin bt is -- --threads 1 --oversubscribe
	[ "$status" -eq 3 ]
	same "" "$output"
	[[ $stderr == *"'bt.B.x' ran alone, before any pair"* ]]
	grep -q '^bt.B.x + is.B.x' r/npb.txt
	printf '#!/bin/sh\nexec sleep 0.12\n' >bin/bt.B.x
	# without mixes those of the smallest class are counted, and it is told where that fails
	cp bin/bt.B.x bin/bt.S.x
	mkdir fakes
	printf '#!/bin/sh\nexit 7\n' >fakes/valgrind
	chmod +x fakes/valgrind
	PATH=$PWD/fakes:$PATH try "$root/scripts/npb" --runs 1 --out r/npb bin bt is
	[ "$status" -eq 1 ]
	same "profile: 'bin/bt.S.x' ended with status 7: its mix is unknown (valgrind does not support AVX-512)
npb: the instructions of 'bin/bt.S.x' cannot be counted; --mixes DIR takes mixes from elsewhere" "$stderr"
	command -v valgrind >/dev/null || skip "valgrind is not installed (make setup installs it)"
	cp /bin/true bin/bt.S.x
	cp /bin/true bin/is.S.x
	AFFINITY=$AFFINITY try "$root/scripts/npb" --runs 1 --out r/npb bin bt is -- --threads 1 --oversubscribe --by int
	[ "$status" -eq 0 ]
	[[ $output == *"all threads have the same share of int"* || $output == *"bt.B.x + is.B.x"* ]]
	try "$root/scripts/npb" --frob bin
	[ "$status" -eq 2 ]
	same "npb: unknown option '--frob'; scripts/npb --help lists the options" "$stderr"
}

@test "a profile of each thread counts what each of them executes" {
	command -v valgrind >/dev/null || skip "valgrind is not installed (make setup installs it)"
	[ "$(uname -m)" = x86_64 ] || skip "the loops of this test are for x86-64"
	cat >unlike.c <<-'END'
		#include <pthread.h>
		static void *adds(void *unused)
		{
			long n = 2000000;
			asm volatile("1: addsd %%xmm0, %%xmm1\n addsd %%xmm0, %%xmm2\n dec %0\n jne 1b" : "+r"(n) : : "xmm1", "xmm2", "cc");
			return unused;
		}
		int main(void)
		{
			long n = 1000000;
			pthread_t t;
			pthread_create(&t, 0, adds, 0);
			asm volatile("1: mov (%%rsp), %%rax\n mov (%%rsp), %%rdx\n dec %0\n jne 1b" : "+r"(n) : : "rax", "rdx", "cc");
			return pthread_join(t, 0);
		}
	END
	gcc -O1 -pthread -o unlike unlike.c
	try "$root/scripts/profile" --threads ./unlike
	[ "$status" -eq 0 ]
	same "program,thread,method,instructions,branch_count,load_count,store_count,int_count,fp_count,simd_count" "${lines[0]}"
	same 3 "${#lines[@]}"
	[[ ${lines[1]} =~ ^unlike,0,callgrind,[45][0-9]{6},1[0-9]{6},2[0-9]{6},[0-9]+,1[0-9]{6},[0-9]{1,5},[0-9]+$ ]]
	[[ ${lines[2]} =~ ^unlike,1,callgrind,[89][0-9]{6},2[0-9]{6},[0-9]{1,5},[0-9]{1,5},2[0-9]{6},4[0-9]{6},[0-9]+$ ]]
	machine "$TWO_NODES"
	echo "$output" >mix.csv
	try "$MAP" --plan --profile mix.csv --threads 2 -- ./unlike
	[[ $output == *"sorted by the number of instructions of the type fp, which differs most"* ]]
}

@test "a run alone in which affinity-map was stopped is repeated" {
	programs
	printf '#!/bin/sh\necho a >>ran\n[ -e go ] && exec sleep 0.12\necho $$ >process\nwhile [ ! -e go ]; do sleep 0.02; done\n' >a
	"$MAP" --pairs --threads 1 --oversubscribe --mapping os --runs 1 --out report -- ./a : ./b 2>err 3>&- &
	local map=$!
	for _ in {1..2400}; do
		[ ! -s process ] || break
		sleep 0.05
	done
	kill -STOP "$map"
	touch go
	for _ in {1..2400}; do
		[ -e "/proc/$(<process)" ] || break
		[[ $(<"/proc/$(<process)/stat") != *") Z "* ]] || break
		sleep 0.05
	done
	kill -CONT "$map"
	wait "$map"
	same "affinity-map: warning: affinity-map was stopped while programs ran; that run of 'a' alone does not count" "$(grep stopped err)"
	same 3 "$(wc -l <ran)" # twice alone, once with b
}
