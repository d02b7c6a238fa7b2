#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Sweeps, baselines, threads alone, tables and pictures, as a user sees them.
# shellcheck disable=SC2016 # the driver's variables, not the shell's

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	delays_and_kernels
}

measure() { # further lines on standard input
	{
		cat
		echo 'placements: 1'
	} >> t.args
	"$AFFINITY" --quiet --set warmup=1 --json o.json --csv o.csv t.args o.txt
}

# Ends with exit status 2 and the message, and leaves no result.
refuses() { # MESSAGE; further lines on standard input
	cat >> t.args
	run "$AFFINITY" --json o.json t.args o.txt
	echo "$output"
	[ "$status" -eq 2 ]
	[[ $output == *"$1"* ]]
	[ ! -e o.txt ]
	[ ! -e o.json ]
}

@test "sweeps multiply and every run has its values in the text, the JSON and the CSV" {
	measure <<< ''
	[ "$(grep -c '^==== run' o.txt)" -eq 6 ]
	[ "$(jq -c '[.runs[].values | [.d, .k]]' o.json)" = '[["0","read"],["0","write"],["10","read"],["10","write"],["20","read"],["20","write"]]' ]
	[ "$(head -n 1 o.csv | cut -d, -f3,4)" = d,k ]
	[ "$(tail -n 1 o.csv | cut -d, -f3,4)" = 20,write ]
	# 6 runs of one operation and thread, 1 + 3 samples each
	[ "$(wc -l < o.csv)" -eq 25 ]
}

@test "an axis of operations has those of all runs, each under its own name" {
	sed -i '/^sleep/d; /^sweep: d/d' t.args
	measure <<< 'table: cost rows=k cols=kernel'
	[ "$(jq -c '.tables[0] | [.columns, [.cells[] | map(.value != null)]]' o.json)" = \
		'[["read","write"],[[true,false],[false,true]]]' ]
	sed -i 's/^opType.*/opType: read_write $k/' t.args
	"$AFFINITY" --quiet --json o.json t.args o.txt
	[ "$(jq -c '.tables[0] | [.columns, [.cells[] | map(.value != null)]]' o.json)" = \
		'[["read_write","read","write"],[[true,true,false],[true,false,true]]]' ]
}

@test "values that are not UTF-8 stay apart, and the document is valid" {
	sed -i '/^sleep/d; /^sweep: d/d' t.args
	printf 'sweep: repeat = \377 \376 \303\274\303\nbaseline: repeat=\377\n' >>t.args
	"$AFFINITY" --quiet --json o.json t.args o.txt
	[ "$(jq -c '[.runs[].values.repeat] | unique' o.json)" = '["\\xfe","\\xff","ü\\xc3"]' ]
	jq -e '.arguments.text | contains("sweep: repeat = \\xff")' o.json
	[ "$(jq -r '.runs[1].baseline.run' o.json)" = 'k=read repeat=\xff' ]
}

@test "a condition drops runs" {
	measure <<< 'where: d != 10, k == read'
	[ "$(jq -c '[.runs[].values.d]' o.json)" = '["0","20"]' ]
}

@test "of conditions with 'or' between them one has to hold, beside those after commas" {
	measure <<< 'where: k == write or d == 20 or d == 0, d < 20'
	[ "$(jq -c '[.runs[].values | .k + .d]' o.json)" = '["read0","write0","write10"]' ]
}

@test "--plan shows every run, their number and a guess of the time, and touches nothing" {
	run "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	[[ $output == *'run 4 of 6: d=10 k=write'* ]]
	[[ $output == *'6 runs, 0 of them skipped'* ]]
	[[ $output == *'about '*' s, guessing'* ]]
}

# guess KEY=VALUE...: the seconds that a plan of one operation, without a warm-up, expects.
guess() {
	local set settings=()
	for set in nodePerThread=0 nodePerVector=0 vectorPerThread=0 numIter=1 warmup=0 placements=1 typePerVector=long "$@"; do
		settings+=(--set "$set")
	done
	"$AFFINITY" --plan "${settings[@]}" plain.args | sed -n 's/^about \([^ ]*\) s.*/\1/p'
}

@test "the guess of the time knows touching, loads, and the links of chains" {
	machine "numa:1(memory=64GB) l3:1(size=32MB) core:4 pu:1"
	printf '%s\n' 'opType: read' 'nodePerThread: 0' >plain.args
	# 2^27 elements at 5 ns and a GiB touched; a load of a chain waits for memory, its link must be stored
	[ "$(guess tamPerVector=1GiB)" = 0.971 ]
	[ "$(guess opType=chase tamPerVector=1GiB loads=1000000)" = 3.76 ]
	[ "$(guess opType=chase tamPerVector=1GiB loads=11000000)" = 4.76 ]
	[ "$(guess opType=chase tamPerVector=1GiB)" = 5.33 ]
	[ "$(guess opType=chase tamPerVector=1GiB chains=4 loads=1000000)" = 3.76 ]
	[ "$(guess opType=chase tamPerVector=16KiB loads=1000000)" = 0.00506 ]
	[ "$(guess opType=load_dep tamPerVector=1GiB passes=1000)" = 2.39 ]
	"$AFFINITY" --plan --set opType=chase --set nodePerVector=0 --set tamPerVector=1GiB --set vectorPerThread=0 plain.args |
		grep -qE '^about [0-9.]+ s, guessing 5 ns an access, 100 ns where each waits for the last$'
}

@test "a run that this machine cannot place is skipped with its reason and what to do, and the others go on" {
	sed -i 's/^nodePerVector: first/nodePerVector: $n/' t.args
	measure <<< 'sweep: n = first 777'
	[ "$(jq '[.runs[] | select(.skipped)] | length' o.json)" -eq 6 ]
	[ "$(jq '[.runs[] | select(.operations)] | length' o.json)" -eq 6 ]
	grep -q 'not measured: t.args:5: nodePerVector: node 777 does not exist' o.txt
	run "$AFFINITY" t.args o.txt
	[ "$status" -eq 0 ]
	[[ $output == *'run d=0 k=read n=777 and 5 more are skipped: t.args:5: nodePerVector: node 777 does not exist'$'\n  hint: nodes that can hold vectors here: '* ]]
	[ "$(grep -c skipped <<<"$output")" -eq 1 ]
	sed -i 's/^sweep: n = .*/sweep: n = first 777 778/' t.args
	run "$AFFINITY" t.args o.txt
	[ "$(grep -c skipped <<<"$output")" -eq 2 ] # a warning for each reason
}

@test "when no run can be placed nothing is measured and the exit status is 3" {
	sed -i 's/^nodePerVector: first/nodePerVector: $n/' t.args
	echo 'sweep: n = 776 777' >> t.args
	run "$AFFINITY" t.args o.txt
	[ "$status" -eq 3 ]
	[ ! -e o.txt ]
}

@test "beside a mistake of one run it is not told that others would be skipped" {
	machine "$TWO_NODES"
	given 'opType: traffic' 'nodePerVector: 0 $n' 'writes: $w' 'sweep: n = 1 777'
	echo 'sweep: w = 0 0.3' >>t.args
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"writes = 0.3"* ]]
	[[ $stderr != *777* ]]
	# without a sweep nothing is skipped, and all is told
	given 'opType: traffic nul' 'nodePerVector: 0 777'
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"unknown kernel 'nul'"*777* ]]
}

@test "a mistake that not all runs have names the first of them, and how many more" {
	machine "$TWO_NODES"
	given 'opType: traffic' 'writes: $w' 'gap: $g' 'sweep: w = 0 0.3 0.5 0.4'
	echo 'sweep: g = 1 2 x' >>t.args
	options=(--set 'where=w != 0.4, w == 0.3, g != x')
	try "$AFFINITY" --plan "${options[@]}" t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"writes = 0.3 is not a multiple of 1/16"* && $stderr != *"(run"* ]]
	try "$AFFINITY" --plan --set 'where=g != 2' t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *": gap = 'x' is not a whole number, such as 10 (run w=0 g=x and 3 more)"* ]]
	[[ $stderr == *"writes = 0.3 is not a multiple of 1/16"*" (run w=0.3 g=1)"* ]]
	[[ $stderr == *"writes = 0.4 is not a multiple of 1/16"*" (run w=0.4 g=1)"* ]]
	[ "$(wc -l <<<"$stderr")" -eq 3 ]
}

@test "the messages of thousands of runs with mistakes come at once" {
	machine "$TWO_NODES"
	given 'opType: traffic' 'writes: $w' 'sweep: w = 1..10000:1'
	try patient 20 "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"writes = 2 is out of range (run w=2), and at least 99 more of this kind"*"affinity: further messages are left out" ]]
}

@test "keys of the file as a whole take no variable, and their mistakes show beside all others" {
	given 'runs: $d' 'seed: x' 'baseline: d=$d' 'bogus: 1' 'sweep: d = 0 10'
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *": runs = '\$d' is not a whole number"*": seed = 'x' is not a whole number"* ]]
	[[ $stderr == *": baseline: 'd=\$d' matches no run of the sweep"* ]]
	[[ $stderr == *": unknown key 'bogus'"* ]]
	[ "$(grep -c '^t.args' <<<"$stderr")" -eq 4 ]
}

@test "--set can sweep a variable anew" {
	"$AFFINITY" --quiet --set 'sweep=d = 5' --json o.json t.args o.txt
	[ "$(jq -c '[.runs[].values.d]' o.json)" = '["5","5"]' ]
}

@test "a baseline gives every run its speedups, with the base in seconds" {
	measure <<< 'baseline: d=0'
	[ "$(jq -r '.runs[4].baseline.run' o.json)" = 'd=0 k=read' ]
	jq -e '.runs[4] as $r | .runs[0].operations[0].threads[0].figures.cost_s as $base
		| ($r.baseline.operations[0].threads[0].speedup.value
			- $base / $r.operations[0].threads[0].figures.cost_s) | fabs < 1e-9' o.json
	# the baseline against itself is certain
	jq -e '.runs[0].baseline.operations[0].threads[0].speedup == {value: 1, low: null, high: null, mark: {word: "firm", why: ""}}' o.json
	grep -q 'Speedups against the run d=0 k=read' o.txt
	grep -q 'hypothetical t/(t+delay)' o.txt
}

@test "each run of a sweep says by which method its figures were made" {
	printf '%s\n' "sweep: s = mean min" "sweep: n = 2 4" "opType: null" "nodePerThread: first" 'statistic: $s' 'numIter: $n' >t.args
	measure <<< ''
	[ "$(jq -r '.runs[] | "\(.values.s) \(.values.n) \(.method.statistic) \(.method.iterations)"' o.json)" = "mean 2 mean 2
mean 4 mean 4
min 2 min 2
min 4 min 4" ]
}

@test "solo runs every thread alone and gives overhead and slowdown" {
	sed -i '/^sweep\|^sleep/d; s/^opType.*/opType: read/; s/^nodePerThread.*/nodePerThread: first first/
		s/^vectorPerThread.*/vectorPerThread: 0 1/' t.args
	[ "$(nproc)" -gt 1 ] || echo 'oversubscribe: yes' >> t.args
	measure <<< 'solo: yes'
	jq -e '.runs[0] | ([.solo.runs[].operations[0].threads[0].figures.cost_s] | add) as $b
		| ([.operations[0].threads[].figures.cost_s] | add) as $n
		| (.solo.operations[0].overhead_percent.value - (1 - $b / $n) * 100) | fabs < 1e-6' o.json
	jq -e '.runs[0] | (.solo.operations[0].slowdowns[1].value - .operations[0].threads[1].figures.cost_s
		/ .solo.runs[1].operations[0].threads[0].figures.cost_s) | fabs < 1e-9' o.json
	grep -q 'overhead:' o.txt
	[ "$(awk -F, '$3 == 1' o.csv | wc -l)" -eq 8 ] # two threads, 1 + 3 samples
}

@test "a table has a row and a column for every value, with the JSON's numbers" {
	measure <<< 'table: cost rows=d cols=k'
	grep -A 4 '^cost ([a-z]*)' o.txt | tr -d '~?' > table
	[[ $(sed -n 2p table) == *'d \ k'*read*write ]]
	cell=$(awk '$1 == 10 {print $2}' table)
	shown "$(jq -r ".runs[2].operations[0].total_s * $(cost_factor table)" o.json)" "$cell"
}

@test "the old name of a quantity is still read" {
	measure <<< 'table: ns_per_op rows=d cols=k'
	grep -q '^ns_per_unit (ns)' o.txt
}

@test "a table can show one thread, and geometric means of its rows and columns" {
	measure <<< 'table: cost rows=d cols=k thread=0 mean=geometric'
	grep -A 6 '^cost ([a-z]*), thread 0' o.txt | tr -d '~?' > table
	[[ $(sed -n 2p table) == *'geometric mean' ]]
	shown "$(jq -r ".runs[2].operations[0].threads[0].figures.cost_s * $(cost_factor table)" o.json)" "$(awk '$1 == 10 {print $2}' table)"
	shown "$(jq -r '[.runs[] | select(.values.k == "read").operations[0].threads[0].figures.cost_s | log]
		| add / length | exp * $factor' --argjson factor "$(cost_factor table)" o.json)" "$(awk '/^  geometric/ {print $3}' table)"
	shown "$(jq -r '[.runs[].operations[0].threads[0].figures.cost_s | log] | add / length | exp * $factor' --argjson factor "$(cost_factor table)" o.json)" \
		"$(awk '/^  geometric/ {print $NF ~ /^[+]-/ ? $(NF - 1) : $NF}' table)"
}

@test "the mean of a baseline's speedups knows their common cost, and that of threads their placements" {
	printf '%s\n' "sweep: n = 5000 10000" 'passes: $n' "opType: fp_add" "nodePerThread: first first" "oversubscribe: yes" \
		"baseline: n=5000" "statistic: median" "numIter: 3" "placements: 3" "disturbedAbove: 100%" "table: speedup rows=n thread=0 mean=geometric" \
		"table: cost rows=thread mean=geometric" >t.args
	"$AFFINITY" --quiet --json o.json t.args o.txt
	# the root of 1 and a speedup has half the interval of its logarithm
	jq -e '.tables[0].cells | map(.[0]) | .[0].low == null and if .[1].low == null then true else
		((.[2].low / (.[1].low | sqrt) - 1 | fabs) < 1e-9) and ((.[2].high / (.[1].high | sqrt) - 1 | fabs) < 1e-9) end' o.json
	# at least Student's t over the means of both threads in each placement; 4.302653 with two degrees of freedom
	jq -e '[.runs[] | select(.values.n == "5000").operations[0].threads | [.[].figures.by_placement_s] | transpose[] |
			map(log) | add / 2] as $logs | ($logs | add / 3) as $mean |
		($logs | map(. - $mean | . * .) | add / 2 / 3 | sqrt * 4.302653) as $half |
		[.tables[] | select(.title | contains("cost") and contains("n=5000")).cells[-1][0]][0] |
		.high > (($mean + $half) | exp) * 0.99999 and .low < (($mean - $half) | exp) * 1.00001' o.json
}

@test "a thread or a mean of a table that makes no sense is refused" {
	refuses "table: 'x' is not the number of a thread" <<< 'table: cost rows=d thread=x'
	refuses "table: unknown mean 'harmonic'; there are geometric and scenarios" <<< 'table: cost rows=d mean=harmonic'
	refuses 'table: mean=scenarios is of slowdowns by two variables, the kernels of a pair' <<< 'table: cost rows=d cols=k mean=scenarios'
	refuses "table: thread= names one thread, and an axis shows all of them" <<< 'table: cost rows=d cols=thread thread=0'
}

@test "scenarios need two variables" {
	echo 'solo: yes' >>t.args
	refuses 't.args:11: table: mean=scenarios is of slowdowns by two variables, the kernels of a pair' <<< 'table: slowdown rows=d mean=scenarios'
}

@test "scenarios are the diagonal, and the mean of pairs of different units" {
	cat >t.args <<-'END'
		sweep: a = fp_add fp_mul int_add
		sweep: b = fp_add fp_mul int_add
		opType: $a+$b
		nodePerThread: first first
		oversubscribe: yes
		numIter: 3
		solo: yes
	END
	measure <<< 'table: slowdown rows=a cols=b thread=0 mean=scenarios'
	same 'a \ scenario A: alone B: beside itself C: beside other units' "$(grep -A 1 '^slowdown, thread 0' o.txt | sed -n '2{s/^  //;s/  */ /gp}')"
	shown "$(jq -r '[.runs[].solo.operations[0].slowdowns[0].value] | (.[6] * .[7] | sqrt) as $int
		| ["fp_add", 1, .[0], .[2]], ["fp_mul", 1, .[4], .[5]], ["int_add", 1, .[8], $int],
		["geometric mean", 1, pow(.[0] * .[4] * .[8]; 1 / 3), pow(.[2] * .[5] * $int; 1 / 3)] | join(" ")' o.json)" \
		"$(grep -A 5 '^slowdown, thread 0' o.txt | tail -n 4 | sed 's/+-[^ ]*//g; s/[~?]//g')"
	[ "$(jq -c '.tables[0] | [.mean, .rows, (.columns | length)]' o.json)" = '["scenarios",["fp_add","fp_mul","int_add","geometric mean"],3]' ]
}

@test "a hypothetical speedup is that of the thread's own sleep" {
	echo 'baseline: d=0' >>t.args
	measure <<< 'table: hypothetical rows=d cols=k thread=0'
	grep -A 4 '^hypothetical, thread 0' o.txt | tail -n 3 | sed 's/^ *//; s/  */ /g' >found
	same '0 - -' "$(head -n 1 found)"
	shown "$(jq -r '[.runs[].baseline.operations[0].threads[0].hypothetical] | "20 \(.[4]) \(.[5])"' o.json)" "$(sed -n 3p found)"
}

@test "kernel is the old name of the axis operation" {
	printf '%s\n' 'opType: read write' 'nodePerThread: first' 'nodePerVector: first' 'vectorPerThread: 0' 'tamPerVector: 4KiB' >t.args
	measure <<< 'table: cost rows=kernel'
	[ "$(jq -r '.tables[0].row_axis' o.json)" = operation ]
	grep -q '^  operation ' o.txt
}

@test "what is on no axis makes a table of its own for each of its values" {
	measure <<< 'table: ns_per_unit rows=d cols=thread'
	[ "$(grep -c '^ns_per_unit (ns)' o.txt)" -eq 2 ]
	grep -q '^ns_per_unit (ns), k=write' o.txt
}

@test "plots are drawn beside the report: curves and heat maps" {
	command -v gnuplot > /dev/null || skip 'gnuplot is not installed (make setup installs it)'
	measure <<-'END'
		plot: cost x=d by=k
		plot: cost rows=d cols=k
	END
	for picture in o-1.svg o-2.svg; do
		head -c 200 "$picture" | grep -q '<?xml'
		tail -n 2 "$picture" | grep -q '</svg>'
	done
	grep -q 'cost (s)' o-1.svg
}

@test "a plot says what its unit of work is, if all that it shows have the same" {
	command -v gnuplot > /dev/null || skip 'gnuplot is not installed (make setup installs it)'
	measure <<< 'plot: ns_per_unit x=d by=k'
	grep -q '>time (ns per access)<' o.svg
	sed -i 's/^sweep: k.*/sweep: k = read load/' t.args
	"$AFFINITY" --quiet t.args o.txt
	grep -q '>time (ns per unit)<' o.svg
	printf '%s\n' 'sweep: n = 1 2' 'opType: chase+read' 'nodePerThread: first*2' 'nodePerVector: first' 'vectorPerThread: 0 1' \
		'tamPerVector: 64KiB' 'oversubscribe: yes' 'passes: $n' 'samples: 2' 'placements: 1' \
		'plot: ns_per_unit x=n thread=0' >t.args
	"$AFFINITY" --quiet t.args o.txt
	grep -q '>time (ns per load)<' o.svg
}

@test "without gnuplot there is one warning and no picture" {
	mkdir bin
	ln -s "$(command -v sh)" bin/
	echo 'plot: cost x=d by=k' >> t.args
	PATH=$PWD/bin run "$AFFINITY" t.args o.txt
	[ "$status" -eq 0 ]
	[[ $output == *'gnuplot is not installed: no pictures'* ]]
	[ -s o.txt ]
	[ ! -e o.svg ]
}

@test "interleaved samples come in random order, the same for the same seed" {
	sed -i 's/^sweep: d.*/sweep: d = 0 1/' t.args
	measure <<-'END'
		interleave: yes
		seed: 7
	END
	[ "$(jq .method.seed o.json)" -eq 7 ]
	[ "$(jq '[.runs[].operations[0].samples.taken] | unique | .[]' o.json)" = 3 ]
	grep -q 'seed of the random order: 7' o.txt
}

@test "runs of a sweep are chosen at random, the same for the same seed, and told" {
	measure <<-'END'
		sweep: repeat = 1..50:1
		runs: 4
		seed: 11
	END
	[ "$(jq '.runs | length' o.json)" -eq 4 ]
	[ "$(jq -c '[.method.seed, .method.runs_to_choose_from]' o.json)" = '[11,300]' ]
	grep -q '4 of 300 runs, chosen at random with seed: 11' o.txt
	"$AFFINITY" --plan t.args >plan
	grep -q '^chosen at random from 300 runs, with seed: 11$' plan
	same "$(jq -r '.runs[].values | to_entries | map("\(.key)=\(.value)") | join(" ")' o.json)" \
		"$(sed -n 's/^run [0-9]* of 4: //p' plan)"
	"$AFFINITY" --plan --set seed=12 t.args >other
	[ "$(<plan)" != "$(<other)" ]
}

@test "runs are chosen for each nearest place that two CPUs share, and that of two sizes is taken which is asked for" {
	machine "pack:2 l3:2(size=16MiB) core:2 pu:2"
	printf '%s\n' 'sweep: a = cpus' 'sweep: b = cpus' 'where: a < b' 'runs: 2' 'runsEach: a b' 'seed: 3' 'kernels: null' \
		'cpuPerThread: $a $b' >t.args
	"$AFFINITY" --quiet --plan --json plan.json t.args >/dev/null
	# by core, L3, package and none: two CPUs of 2, 4, 8 and 16
	same '2 2 2 2' "$(jq -r '.plans[0].runs[].values | [(.a | tonumber), (.b | tonumber)] as [$a, $b]
		| first([2, 4, 8, 16][] as $n | select(($a / $n | floor) == ($b / $n | floor)) | $n)' plan.json | sort -n | uniq -c |
		awk '{ print $1 }' | paste -sd ' ')"
	try "$AFFINITY" --plan --set 'runsEach=a c' t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"runsEach: 'c' is no variable whose values are CPUs"* ]]
	printf '%s\n' 'kernels: read' 'nodePerThread: first' 'nodePerVector: first*3' 'vectorPerThread: 0, 0, 0' \
		'sizePerVector: min(1MiB,2xL3) min(1GiB,2xL3) max(1MiB,2xL3)' >t.args
	same '1048576 33554432 33554432' "$("$AFFINITY" --quiet --plan --json - t.args | jq -r '.plans[0].runs[0].vectors[].bytes' | paste -sd ' ')"
}

@test "a random choice of runs, which may lack it, has no baseline" {
	refuses 't.args:11: baseline cannot be used with runs: their random choice may leave it out' <<-'END'
		runs: 2
		baseline: d=0
	END
}

@test "interleaving goes on without the runs that cannot be placed" {
	sed -i 's/^nodePerVector: first/nodePerVector: $n/' t.args
	measure <<-'END'
		sweep: n = first 777
		interleave: yes
	END
	[ "$(jq -c '[.runs[] | has("skipped")] | group_by(.) | map(length)' o.json)" = '[6,6]' ]
}

@test "targetError repeats until the interval is narrow enough or the time is up, and says which" {
	sed -i '/^sweep\|^sleep/d; s/^opType.*/opType: null/' t.args
	measure <<-'END'
		sleep: 2ms*
		targetError: 50%
		timeLimit: 20s
	END
	[ "$(jq -r '.runs[0].operations[0].ended_by' o.json)" = targetError ]
	grep -q 'target reached' o.txt
	"$AFFINITY" --quiet --set targetError=0.0000001 --set timeLimit=100ms --json o.json t.args o.txt
	[ "$(jq -r '.runs[0].operations[0].ended_by' o.json)" = timeLimit ]
	grep -q 'target missed in timeLimit' o.txt
	jq -e '.runs[0].operations[0].samples.taken > 3' o.json
}

@test "a variable that no key uses is refused with the line to write" {
	refuses "t.args:10: sweep: no key uses \$stride; did you mean 'stride: \$stride'?" <<< 'sweep: stride = 1 64'
	[[ $output == *"hint: its runs would be alike; sweep: repeat = 1..5:1 repeats them on purpose"* ]]
	refuses "t.args:10: sweep: no key uses \$stride" <<< ''
	sed -i '/stride/d; s/^tamPerVector: .*/tamPerVector: size/' t.args
	refuses "sweep: no key uses \$size; did you mean 'tamPerVector: \$size'?" <<< 'sweep: size = 4KiB 8KiB'
	# what begins like it is another variable, and a condition or an axis changes no run
	sed -i '/size/d' t.args
	refuses "sweep: no key uses \$de" <<-'END'
		sweep: de = 1 2
		tamPerVector: 64KiB
		where: de != 3
		table: cost rows=de cols=k
	END
	[[ $output == *"a line such as 'tamPerVector: \$de' uses it"* ]]
}

@test "the variable repeat repeats runs, and nothing has to use it" {
	machine "$TWO_NODES"
	echo 'sweep: repeat = 1..3:1' >>t.args
	"$AFFINITY" --plan t.args >plan
	[ "$(grep -c '^run .* of 18: .* repeat=' plan)" -eq 18 ]
}

# Prints the blocks of a plan that several of its runs have.
alike='/^run [0-9]+ of/ {if (block != "" && seen[block]++) print block; block = ""; runs++; next}
	/^[0-9]+ runs, / {if (block != "" && seen[block]++) print block; block = ""; exit}
	{block = block "\n" $0}
	END {if (!runs) print "no runs"}'

@test "every value of every sweep of the shipped files changes the plan" {
	machine "numa:4(memory=64GB) l3:2(size=32MB) core:4 l2:1(size=1MB) l1:1(size=32KB) pu:2"
	local again file
	for file in "$root"/args/*/*.args; do
		grep -q '^sweep:' "$file" || continue
		# each column of their tables has the end at which all is on X
		again=nothing
		[[ $file != */tiers/4_weighted.args ]] || again=' placement=X'
		[[ $file != */tiers/6_hot.args ]] || again=' cold=X'
		[[ $file != */load/[23]_*.args ]] || again=' load=0' # no load has no place and no kind
		"$AFFINITY" --quiet --plan=full "$file" | awk -v again="$again" '
			/^run [0-9]+ of/ {left_out = $0 ~ again && $0 !~ /other=1 /}
			/^[0-9]+ runs, / {left_out = 0}
			!left_out' >plan
		echo "$file"
		awk "$alike" plan >found
		cat found
		[ ! -s found ]
	done
}

@test "an endless range is refused" { refuses "t.args:10: sweep: '1..9:0' never ends" <<< 'sweep: e = 1..9:0'; }

@test "an empty range is refused" { refuses "t.args:10: sweep: '9..1:1' is empty" <<< 'sweep: e = 9..1:1'; }

@test "too many runs are refused" { refuses 't.args:10: the sweeps make more than 10000 runs' <<< 'sweep: e = 1..9000:1'; }

@test "runs that are no number are refused" { refuses "t.args:10: runs = 'few' is not a whole number" <<< 'runs: few'; }

@test "pairs of CPUs where there is only one are a lack of the machine" {
	machine "numa:1(memory=8GB) core:1 pu:1"
	printf '%s\n' 'sweep: a = cpus' 'sweep: b = cpus' 'where: a < b' 'opType: null' 'cpuPerThread: $a $b' >t.args
	run "$AFFINITY" --plan t.args
	[ "$status" -eq 3 ]
	[ "${lines[0]}" = "t.args:3: where: the only run does not fulfil it" ]
	[ "${lines[1]}" = "  hint: this machine has too few nodes, cores or CPUs for it" ]
}

@test "an undefined variable is refused" { refuses "t.args:10: stride: no sweep defines '\$x'" <<< 'stride: $x'; }

@test "a condition without a variable is refused" { refuses "where: neither side of 'x != y'" <<< 'where: x != y'; }

@test "a condition with another word between two is refused, since no value has blanks" {
	refuses "where: 'd == 0 and k == read' is not a condition such as a != b" <<< 'where: d == 0 and k == read'
	refuses "where: 'd == 0 || k == read' is not a condition such as a != b" <<< 'where: d == 0 || k == read'
	refuses "where: 'read' is not a condition such as a != b" <<< 'where: k == write or read'
	refuses "where: 'k == write or' is not a condition such as a != b" <<< 'where: k == write or'
}

@test "values are compared whatever else holds: a mistake shows in the first run" {
	refuses "where: 'k < 5' compares 'read', a name, with '5', a number" <<< 'where: d >= 0 or k < 5'
}

@test "a table by an unknown variable is refused with the nearest name" {
	refuses "t.args:10: table: 'operatin' is not a variable of a sweep; did you mean 'operation'?" <<< 'table: cost rows=operatin'
	[[ $output == *"hint: an axis is a variable of sweep, thread, operation or time"* ]]
	refuses "t.args:11: both axes of 'cost rows=d cols=d' are the same" <<< 'table: cost rows=d cols=d'
	[[ $output == *"hint: an axis is a variable of sweep, thread, operation or time"*"hint: an axis is a variable of sweep, thread, operation or time"* ]]
}

@test "a table of an unknown quantity is refused with the nearest name" {
	refuses "t.args:10: table: unknown quantity 'cots'; did you mean 'cost'?" <<< 'table: cots rows=d'
	refuses "t.args:11: table: unknown quantity 'latency'; did you mean 'ns_per_unit'?" <<< 'table: latency rows=d'
	refuses "t.args:12: plot: unknown quantity 'GB/s'; did you mean 'bandwidth'?" <<< 'plot: GB/s x=d'
}

@test "a table without an axis is refused" { refuses "t.args:10: table: 'cost' has no axis" <<< 'table: cost'; }

@test "a table of speedups without a baseline is refused" {
	refuses 'table: speedup needs a baseline' <<< 'table: speedup rows=d'
	refuses 'table: hypothetical needs a baseline' <<< 'table: hypothetical rows=d cols=thread'
}

@test "a plot of overheads without solo is refused" {
	refuses 'plot: overhead needs runs of each thread alone' <<< 'plot: overhead x=d'
}

@test "a baseline that matches no run is refused" {
	refuses "t.args:10: baseline: 'd=3' matches no run of the sweep" <<< 'baseline: d=3'
}

@test "--check names the machine's state and, for what spoils measurements, the remedy" {
	run "$AFFINITY" --check
	[ "$status" -eq 0 ]
	[[ $output == *'clock_source: '* ]]
	[[ $output == *'numa_balancing: '* ]]
	[[ $output == *'spoils measurements'* ]]
	# what other programs do meanwhile
	grep -qE '^others_load_during_check: [0-9.]+ %$' <<<"$output"
}
