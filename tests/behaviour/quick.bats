#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# quick: yes, and what every file of the project plans with and without it.

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

# Guests show their host's last-level cache as their own.
HUGE_CACHE="numa:1(memory=64GB) l3:1(size=540000000) core:2 l2:1(size=2097152) l1:1(size=49152) pu:1"

setup() {
	driver_setup
	machine "$HUGE_CACHE"
}

plan() { # LINE...; of a trial
	printf '%s\n' "$@" >t.args
	"$AFFINITY" --quiet --plan --set quick=yes t.args
}

has() { # LINE: of what the last run printed
	grep -qxF -- "$1" <<<"$output" || { echo "$output" && return 1; }
}

# Sets lines: what ejec.sh --quick measures a file with.
quick_lines() { # ARGS-FILE
	local line
	lines=(--set quick=yes)
	while IFS= read -r line; do
		lines+=(--set "$line")
	done < <(sed -n 's/^# quick: *//p' "$1")
}

# One line for each vector of a plan whose size is not what the name of its run says, where the file has
# `sizePerVector: $NAME`: bytes such as 16384B, times a cache such as 0.5xL1, or a part of a node such as 5%.
contradictions() { # ARGS-FILE L1 L2 L3 NODE; the plan on standard input
	local name
	# shellcheck disable=SC2016 # a dollar sign of the file
	name=$(sed -n 's/^\(size\|tam\)PerVector: *\$\([a-z_]*\)\**$/\2/p' "$1")
	[[ -n $name ]] || return 0
	awk -v name="$name" -v file="$1" -v l1="$2" -v l2="$3" -v l3="$4" -v node="${5-0}" '
		BEGIN {
			split("char 1 short 2 int 4 long 8 float 4 double 8", types, " ")
			for (i = 1; i in types; i += 2)
				bytes[types[i]] = types[i + 1]
			cache["L1"] = l1; cache["L2"] = l2; cache["L3"] = l3; cache["caches"] = l1 + l2 + l3
		}
		function size_of(text,   part) {
			if (text ~ /^[0-9]+[KMG]?i?B$/)
				return text * 1024 ^ index("KMG", substr(text, length(text) - 2, 1))
			if (text ~ /%$/)
				return node * (text + 0) / 100
			if (split(text, part, "x") == 2 && part[2] in cache)
				return int((part[1] * cache[part[2]] + 63) / 64) * 64
			return -1
		}
		/^run / {
			run = $0
			for (i = 5; i <= NF; i++)
				if (index($i, name "=") == 1) {
					asked = substr($i, length(name) + 2)
					sub(/:$/, "", asked)
				}
		}
		/^vector / {
			sub(/,/, "", $6)
			found += $5 # slices together have the size
			if (/, slice [0-9]+ of [0-9]+ of vector / && $(NF - 5) != $(NF - 3))
				next
			if (int(size_of(asked) / bytes[$6]) != found)
				print file ": " run " has " $0
			found = 0
			checked++
		}
		END { if (!checked) print file ": no run was checked" }'
}

@test "the check of names against sizes finds a vector of another size" {
	# shellcheck disable=SC2016 # a dollar sign of the file
	echo 'tamPerVector: $size' >t.args
	printf '%s\n' 'run 1 of 3: size=16384B' 'vector 0: node 0, 2048 long, 16 KiB' 'run 2 of 3: size=0.5xL1 k=2' \
		'vector 0: node 0, 512 char, 512 B' >plan
	run contradictions t.args 1024 4096 8192 <plan
	[ -z "$output" ]
	printf '%s\n' 'run 3 of 3: size=4xcaches' 'vector 0: node 0, 13312 char, 13 KiB' >>plan
	run contradictions t.args 1024 4096 8192 <plan
	[ "$output" = "t.args: run 3 of 3: size=4xcaches has vector 0: node 0, 13312 char 13 KiB" ]
	run contradictions t.args 1024 4096 8192 <<<'run 1 of 1: size=1B'
	[ "$output" = "t.args: no run was checked" ]
}

# planned_on MACHINE FILE OPTION...: a plan of the file; nothing where the machine cannot place it.
planned_on() {
	local status=0
	machine "$1"
	"$AFFINITY" --quiet --plan=full "${@:3}" "$2" >plan 2>told || status=$?
	((status == 0)) && return
	((status == 3)) || cat told >>wrong
	: >plan
}

@test "every file of the project, quick and in full, has the vectors that the names of its runs say" {
	local file lines how
	: >wrong
	for file in "$root"/args/*/*.args; do
		quick_lines "$file"
		for how in full quick; do
			[[ $how == quick ]] || options=()
			[[ $how == full ]] || options=("${lines[@]}")
			planned_on "$HUGE_CACHE" "$file" "${options[@]}"
			[[ ! -s plan ]] || contradictions "$file" 49152 2097152 540000000 64000000000 <plan >>wrong
			planned_on "$root/tests/topologies/thesis.xml" "$file" "${options[@]}"
			[[ ! -s plan ]] || contradictions "$file" 32768 262144 26214400 32000000000 <plan >>wrong
		done
	done
	cat wrong
	[ ! -s wrong ]
}

@test "every file that a machine can place has a trial of a few seconds, however large the caches are" {
	local file lines seconds
	: >wrong
	for file in "$root"/args/*/*.args; do
		quick_lines "$file"
		for shown in "$HUGE_CACHE" "$root/tests/topologies/thesis.xml"; do
			planned_on "$shown" "$file"
			[[ -s plan ]] || continue
			planned_on "$shown" "$file" "${lines[@]}"
			seconds=$(sed -n 's/^about \([^ ]*\) s.*/\1/p' plan)
			awk -v s="$seconds" 'BEGIN { exit !(s > 0 && s <= 20) }' || echo "$file: '$seconds' s on $shown" >>wrong
		done
	done
	cat wrong
	[ ! -s wrong ]
}

@test "a trial makes large vectors smaller and leaves small ones as they are" {
	run plan 'opType: read' 'nodePerThread: 0' 'nodePerVector: 0 0 0' 'tamPerVector: 4xcaches 16KiB 1GiB' \
		'typePerVector: long char char' 'vectorPerThread: own'
	has "vector 0: node 0, 5592405 long, 42.7 MiB, pages system, init node"
	has "vector 1: node 0, 16384 char, 16 KiB, pages system, init node"
	has "vector 2: node 0, 8388608 char, 8 MiB, pages system, init node"
}

@test "a trial takes fewer and shorter samples, but never more or longer ones" {
	local few=('opType: load' 'nodePerThread: 0' 'nodePerVector: 0' 'tamPerVector: 16KiB' 'vectorPerThread: 0')
	run plan "${few[@]}"
	has "samples: 3 of each operation after 1 warm-up, 1 operation"
	run plan "${few[@]}" 'numIter: 2' 'warmup: 0' 'mode: time:5ms'
	has "samples: 2 of each operation after 0 warm-up, 1 operation, of 0.005 s each"
	run plan "${few[@]}" 'numIter: 50' 'warmup: 9' 'mode: time:2s'
	has "samples: 3 of each operation after 1 warm-up, 1 operation, of 0.02 s each"
}

@test "what --set says a trial leaves alone" {
	# shellcheck disable=SC2016 # a dollar sign of the file
	printf '%s\n' 'sweep: d = 1..100:1' 'opType: read' 'nodePerThread: 0' 'nodePerVector: 0' 'tamPerVector: 16KiB' \
		'vectorPerThread: 0' 'stride: ${d}B' >t.args
	run "$AFFINITY" --quiet --plan --set quick=yes --set numIter=20 --set warmup=4 --set mode=time:1s \
		--set tamPerVector=1GiB --set 'sweep=d = 1..40:1' t.args
	has "40 runs, 0 of them skipped"
	has "vector 0: node 0, 1073741824 char, 1 GiB, pages system, init node"
	has "samples: 20 of each operation after 4 warm-up, 1 operation, of 1 s each"
}

@test "a trial takes the first and the last value of a sweep, some between, and that of the baseline" {
	# shellcheck disable=SC2016 # a dollar sign of the file
	run plan 'sweep: d = 0..900:10' 'baseline: d=20' 'opType: read' 'nodePerThread: 0' 'nodePerVector: 0' \
		'tamPerVector: 16KiB' 'vectorPerThread: 0' 'sleep: $d*'
	has "run 1 of 17: d=0"
	has "run 2 of 17: d=20"
	has "run 17 of 17: d=900"
}

@test "sweeps that multiply are thinned until few runs are left" {
	# shellcheck disable=SC2016 # a dollar sign of the file
	run plan 'sweep: d = 1..100:1' 'sweep: s = 64B 128B' 'sweep: k = read write' 'opType: $k' 'nodePerThread: 0' \
		'nodePerVector: 0' 'tamPerVector: 16KiB' 'vectorPerThread: 0' 'sleep: $d*' 'stride: $s'
	has "16 runs, 0 of them skipped"
	has "run 16 of 16: d=100 s=128B k=write"
}

@test "what a kernel refuses of vectors that a trial made smaller is left out, and is no mistake of the file" {
	given "opType: kvread" "nodePerThread: first*2" "nodePerVector: slices" "tamPerVector: 8GiB" "vectorPerThread: all" \
		"context: 65536" "quick: yes"
	refused 3 "t.args:1: kvread: a sequence of 54883 tokens has 3431 blocks, and the thread 32 of a vector; a larger tamPerVector, or a shorter context (a quick trial has smaller vectors)" \
		"  hint: quick: no measures it"
	given "opType: kvread" "nodePerThread: first*2" "nodePerVector: slices" "tamPerVector: 512KiB" "vectorPerThread: all" \
		"context: 65536" "quick: yes"
	refused 2 "t.args:1: kvread: a sequence of 54883 tokens has 3431 blocks, and the thread 1 of a vector; a larger tamPerVector, or a shorter context"
	given "opType: kvread" "nodePerThread: first*2" "nodePerVector: slices" "tamPerVector: 512MiB" "vectorPerThread: all" \
		"context: 1048576" "quick: yes"
	refused 2 "t.args:1: kvread: a sequence of 577813 tokens has 36114 blocks, and the thread 1024 of a vector; a larger tamPerVector, or a shorter context"
	given "opType: kvread" "nodePerThread: first*2" "nodePerVector: slices" "tamPerVector: 8GiB" "vectorPerThread: all" \
		"columns: 200" "quick: yes"
	refused 2 "t.args:1: kvread: columns = 200 is no multiple of 128"
}

@test "a trial leaves out a run whose size would take too long, and never shrinks it" {
	# shellcheck disable=SC2016 # a dollar sign of the file
	local file=('sweep: size = 16KiB 4GiB' 'opType: chase' 'nodePerThread: 0' 'nodePerVector: 0' 'tamPerVector: $size'
		'vectorPerThread: 0')
	run plan "${file[@]}"
	has "vector 0: node 0, 16384 char, 16 KiB, pages system, init node"
	has "run 2 of 2: size=4GiB: skipped: t.args:5: sizePerVector: '4GiB' is too large for a quick trial, 128 MiB"
	run plan "${file[@]/16KiB 4GiB/4GiB}"
	[ "$status" -eq 3 ]
	has "t.args:5: tamPerVector: '4GiB' is too large for a quick trial, 128 MiB"
	has "  hint: quick: no measures it"
}

@test "a trial says what it is, in its results too" {
	machine this
	find_obstacle
	skip_obstacle
	printf '%s\n' 'opType: read' 'nodePerThread: first' 'nodePerVector: first' 'tamPerVector: 16KiB' \
		'vectorPerThread: 0' 'quick: yes' >t.args
	run --separate-stderr "$AFFINITY" t.args -
	[ "$status" -eq 0 ]
	# shellcheck disable=SC2154 # set by run --separate-stderr
	[[ $stderr == *"quick: yes: fewer samples, fewer values of sweeps and smaller vectors than the file asks for"* ]]
	[[ $output == *"quick: yes: fewer samples"* ]]
}

@test "a trial has its badge however the file or the command line asks for it" {
	machine this
	mkdir trials results
	local n=0 text set file
	for text in 'quick: yes\n%s' '%squick: yes' '%squick : yes\n' '%s\tquick:true # a trial\n' '%squick: on\r\n' \
		'%squick: 1\n'; do
		n=$((n + 1))
		# shellcheck disable=SC2059 # the formats above
		printf "$text" $'kernels: null\nnodePerThread: first\nnumIter: 1\n' >$n.args
		"$AFFINITY" --quiet --json trials/$n.json $n.args /dev/null
	done
	for set in quick=yes quick=true quick=on quick=1 'quick = yes'; do
		n=$((n + 1))
		printf '%s\n' 'kernels: null' 'nodePerThread: first' 'numIter: 1' 'quick: no' >$n.args
		"$AFFINITY" --quiet --set "$set" --json trials/$n.json $n.args /dev/null
	done
	"$AFFINITY" --quiet --set quick=no --json results/1.json 1.args /dev/null
	printf '%s\n' '# quick: yes' 'kernels: null # quick: yes' 'nodePerThread: first' 'numIter: 1' 'quick: off' >plain.args
	"$AFFINITY" --quiet --json results/2.json plain.args /dev/null
	for file in trials/*.json; do
		jq -e '.quick == true' "$file" >/dev/null || { echo "$file" && return 1; }
	done
	same "false false" "$(jq .quick results/*.json | xargs)"
	"${AFFINITY%/*}/affinity-report" trials results
	same 11 "$(grep -c '<span class=badge>quick trial, not for conclusions</span>' report.html)"
	grep -q '<span class=badge>11 of 13 are quick trials: not for conclusions</span>' report.html
}

@test "a trial stops after a sample when an operation takes long" {
	machine this
	find_obstacle
	skip_obstacle
	printf '%s\n' 'opType: read' 'nodePerThread: first' 'nodePerVector: first' 'tamPerVector: 16KiB' \
		'vectorPerThread: 0' 'sleep: 200*' >t.args
	"$AFFINITY" --quiet --set quick=yes t.args out
	grep -q '^ - read: 1 taken.*; cut short by quick$' out
	"$AFFINITY" --quiet --set quick=yes --set timeLimit=10s t.args out
	grep -q '^ - read: 3 taken' out
}
