#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# --compare: what differs between results, and what is slower.
# shellcheck disable=SC2016 # jq's variables, not the shell's

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

# What most tests compare is measured once.
setup_file() {
	driver_setup
	delays_and_kernels
	"$AFFINITY" --quiet --json usual.json t.args o.txt
}

setup() {
	driver_setup
	delays_and_kernels
}

# No sample of o.json was disturbed, whatever else runs on this machine.
quiet() {
	jq '.runs[].operations[].samples.measure_again = false' o.json >quiet.json
	mv quiet.json o.json
}

measure() { # [LINE]: besides those of t.args
	if (($#)); then
		echo "$1" >>t.args
		"$AFFINITY" --quiet --json o.json t.args o.txt
	else
		cp "$BATS_FILE_TMPDIR/usual.json" o.json
	fi
	quiet
}

# compare A N B M [OPTION]: A1.json to AN.json with B1.json to BM.json.
compare() {
	local before after
	before=$(seq -s, -f "$1%g.json" "$2")
	after=$(seq -s, -f "$3%g.json" "$4")
	try "$AFFINITY" "${@:5}" --compare "$before" "$after"
}

# series NAME FACTOR: NAME1.json to NAME3.json, results of o.json that differ by 0.1 % from run to run, FACTOR as slow in
# the run d=0 k=write.
series() {
	local i
	for i in 1 2 3; do
		jq --argjson i "$i" --argjson factor "$2" '(.runs[].operations[] | (.threads[].figures.cost_s, .total_s)) *= 1 + $i / 1000
			| (.runs[1].operations[] | (.threads[].figures.cost_s, .total_s)) *= $factor
			| .environment.date = "2026-01-01T00:00:0\($i)Z"' o.json >"$1$i.json"
	done
}

@test "one result a side is not judged: what differs by more than 3 % is marked, and the exit status is 0" {
	measure
	jq '(.runs[1].operations[0] | (.threads[].figures.cost_s, .total_s)) *= 2 | .environment.kernel = "Linux 99"' o.json >after.json
	try "$AFFINITY" --compare o.json after.json
	[ "$status" -eq 0 ]
	[[ $output == *'d=0 k=write '*' 2.000  differs'* ]]
	# both costs in seconds, each under its own word
	[[ $output == *' before(s) '*' after(s) '* ]]
	local cost
	cost=$(jq '.runs[1].operations[0].threads[0].figures.cost_s' o.json)
	[[ $output == *"$(printf '%.9f' "$cost") "*"$(jq -n "$cost * 2 * 1e9 | round / 1e9" | xargs printf '%.9f') "*' 2.000  differs'* ]]
	# each figure once: the total of one thread is its own
	[[ $output == *'6 compared, not judged: the change from run to run is unknown; 1 differs by more than 3 %, 0 in one file only'* ]]
	[[ $output == *'kernel: was Linux '*', is Linux 99'* ]]
	try "$AFFINITY" --compare o.json o.json
	[ "$status" -eq 0 ]
	[[ $output == *'nothing changed'*'nothing changed'*'; 0 differ'* ]]
}

@test "several results a side are judged: what became slower is named, and the exit status is 1" {
	measure
	series before 1
	series after 1.1
	try "$AFFINITY" --compare before1.json,before2.json,before3.json after1.json,after2.json,after3.json
	[ "$status" -eq 1 ]
	[ "$(grep -c SLOWER <<< "$output")" -eq 1 ]
	[[ $output == *'d=0 k=write'*SLOWER* ]]
	[[ $output == *'6 compared, 1 slower and 0 faster by more than 1 %'* ]]
	[[ $stderr == *'1 of 6 costs became slower by more than 1 %'* ]]
	try "$AFFINITY" --compare after1.json,after2.json,after3.json before1.json,before2.json,before3.json
	[ "$status" -eq 0 ]
	[[ $output == *'0 slower and 1 faster'* ]]
	try "$AFFINITY" --tolerance 12 --compare before1.json,before2.json,before3.json after1.json,after2.json,after3.json
	[ "$status" -eq 0 ]
	[[ $output == *'0 slower and 0 faster by more than 12 %'* ]]
}

@test "verdicts come with an interval of each ratio, their error rate, and what these runs would find" {
	measure
	series before 1
	series after 1.1
	compare before 3 after 3
	row=$(grep 'd=0 k=write' <<<"$output")
	read -r _ _ _ _ _ _ ratio low high word <<<"$row"
	[ "$ratio $word" = "1.100 SLOWER" ]
	awk -v low="$low" -v high="$high" 'BEGIN { exit !(low > 1.09 && low < 1.1 && high > 1.1 && high < 1.11) }'
	[[ $output == *$'\nfalse alarms: at most 5 in 100 comparisons in which nothing changed\n'* ]]
	# t(4) at 0.025 / 6 is 4.74, at 80 % it is 0.94; 0.1 % from run to run
	[[ $output == *'smallest slowdown found with 80 % power: 1.5 % (median cost), 1.5 % (all)'* ]]
	[[ $output != *'one side was measured after the other'* ]]
	# so noisy that only an absurd change would be found
	jq '(.runs[].operations[] | (.threads[].figures.cost_s, .total_s)) *= 9' after2.json >wild.json
	mv wild.json after2.json
	compare before 3 after 3
	[ "$status" -eq 0 ]
	[[ $output == *'power: more than 200 % (median cost), more than 200 % (all)'* ]]
}

@test "sides that were not measured in turn are told" {
	measure
	series before 1
	series after 1
	for i in 1 2 3; do
		jq '.environment.date = "2026-01-02T00:00:00Z"' "after$i.json" >later.json
		mv later.json "after$i.json"
	done
	for sides in "before 3 after 3" "after 3 before 3"; do
		# shellcheck disable=SC2086 # words
		compare $sides
		[ "$status" -eq 0 ]
		[[ $output == *'one side was measured after the other: a change of the machine meanwhile counts as a change'* ]]
	done
}

@test "two results a side are enough for thirty costs, and too few for less" {
	measure
	series before 1
	series after 1.2
	compare before 2 after 2
	[ "$status" -eq 2 ]
	[[ $output == *'6 compared, not judged: 2 results a side are too few for 6 costs, it takes 3; 1 differs by more than 3 %, 0 not in all files'* ]]
	same "affinity: 2 results a side are too few to judge 6 costs
  hint: compare 3 or more results a side" "$stderr"
	# 30 costs: the runs five times under other names
	jq '.runs = [range(5) as $i | .runs[] | .values.copy = "\($i)"]' o.json >many.json
	mv many.json o.json
	series before 1
	series after 1.2
	compare before 2 after 2
	[ "$status" -eq 1 ]
	[[ $output == *'30 compared, 1 slower and 0 faster by more than 1 %'* ]]
	# two that differ much are too few all the same
	jq '(.runs[].operations[] | (.threads[].figures.cost_s, .total_s)) *= 1.1' after2.json >far.json
	mv far.json after2.json
	compare before 2 after 2
	[ "$status" -eq 2 ]
	[[ $output == *'30 compared, not judged: 2 results a side are too few for 30 costs that vary so much, it takes 3; '* ]]
	compare before 3 after 3
	[ "$status" -eq 1 ]
	series after 1.2
	# sides of different numbers are judged; one result on a side never is
	compare before 2 after 3
	[ "$status" -eq 1 ]
	compare before 1 after 3
	[ "$status" -eq 0 ]
	[[ $output == *'30 compared, not judged: the change from run to run is unknown; 1 differ'* ]]
}

@test "a result that is given twice is no second run" {
	measure
	series before 1
	series after 1.1
	cp after2.json copy.json
	for twice in after1.json,after2.json,after2.json after1.json,after2.json,copy.json; do
		try "$AFFINITY" --compare before1.json,before2.json,before3.json "$twice"
		[ "$status" -eq 2 ]
		same "affinity: 'after2.json' and '${twice##*,}' of one side are the same result
  hint: every result of a side is a run of its own" "$stderr"
	done
	# also where a total is missing, as that of units of unlike kernels
	jq '.runs[0].operations[0] |= (.total_s = null | .total_low_s = null | .total_high_s = null)' after2.json >total.json
	cp total.json copy.json
	try "$AFFINITY" --compare before1.json,before2.json,before3.json after1.json,total.json,copy.json
	[ "$status" -eq 2 ]
	[[ $stderr == "affinity: 'total.json' and 'copy.json' of one side are the same result"* ]]
}

@test "a cost with too many disturbed samples is not judged, unless forced" {
	measure
	series before 1
	series after 1.1
	jq '.runs[1].operations[0].samples.measure_again = true' after2.json >disturbed.json
	mv disturbed.json after2.json
	compare before 3 after 3
	[ "$status" -eq 0 ]
	grep -q 'd=0 k=write .* 1\.100 *disturbed$' <<<"$output"
	[[ $output == *'6 compared, 0 slower and 0 faster by more than 1 %, 1 disturbed, 0 not in all files'* ]]
	compare before 3 after 3 --force
	[ "$status" -eq 1 ]
	jq '.runs[].operations[].samples.measure_again = true' after2.json >all.json
	mv all.json after2.json
	compare before 3 after 3
	[ "$status" -eq 1 ]
	[[ $output == *'6 compared, not judged: all are disturbed; 1 differs by more than 3 %, 6 disturbed, 0 not in all files'* ]]
	[[ $output == *' 1.100  differs, disturbed'* ]]
	same "affinity: every cost was disturbed in some result
  hint: measure again when nothing else runs; --force judges disturbed costs too" "$stderr"
}

@test "what differs is offered as commands that measure only that again, and they work" {
	sed -i 's/^opType: .*/opType: read write/; /^sweep: k/d' t.args
	mv t.args "it's.args"
	"$AFFINITY" --quiet --set numIter=2 --json o.json "it's.args" o.txt
	quiet
	jq '(.runs[1].operations[1] | (.threads[].figures.cost_s, .total_s)) *= 2' o.json >new.json
	try "$AFFINITY" --compare o.json new.json
	[ "$status" -eq 0 ]
	offered="    affinity --set numIter=2 --set 'sweep=d = 10' --set kernels=write --json STEM-again\$i.json 'it'\\''s.args' /dev/null"
	[[ $output == *"  for i in 1 2 3; do
${offered/STEM/o}   # as o.json was measured
${offered/STEM/new}   # as new.json was measured
  done
  affinity --compare o-again1.json,o-again2.json,o-again3.json new-again1.json,new-again2.json,new-again3.json"* ]]
	sed -n '/^  for/,$p' <<<"$output" >again.sh
	affinity() { "$AFFINITY" --quiet "$@"; }
	# shellcheck source=/dev/null
	source again.sh >found || [ $? -eq 1 ] # whatever these six runs say
	grep -q '^d=10 .*write' found
	grep -q '^1 compared' found
}

@test "what cannot be left out stays in the commands: speedups, a baseline, runs chosen by chance" {
	sed -i 's/^opType: .*/opType: read write/; /^sweep: k/d' t.args
	measure 'speedupCalc: read/write'
	jq '(.runs[1].operations[1] | (.threads[].figures.cost_s, .total_s)) *= 2' o.json >new.json
	try "$AFFINITY" --compare o.json new.json
	[[ $output == *"affinity --set 'sweep=d = 10' --json o-again"* ]]
	sed -i '/^speedupCalc/d' t.args
	measure 'baseline: d=20'
	jq '(.runs[1].operations[] | (.threads[].figures.cost_s, .total_s)) *= 2' o.json >new.json
	try "$AFFINITY" --compare o.json new.json
	[[ $output == *"affinity --set 'sweep=d = 10 20' --json o-again"* ]]
	sed -i '/^baseline/d' t.args
	measure 'runs: 2'
	jq '(.runs[1].operations[] | (.threads[].figures.cost_s, .total_s)) *= 2' o.json >new.json
	try "$AFFINITY" --compare o.json new.json
	[[ $output == *"affinity --json o-again\$i.json t.args /dev/null"* ]]
}

@test "results of other work are refused with what differs, unless forced; other places are told" {
	measure
	"$AFFINITY" --quiet --set tamPerVector=128KiB --json large.json t.args o.txt
	try "$AFFINITY" --compare o.json large.json
	[ "$status" -eq 2 ]
	[[ $output == *' - vector 0 of d=0 k=read: bytes: was 65536, is 131072; not the same work'* ]]
	same "affinity: 'o.json' and 'large.json' did not do the same work: vector 0 of d=0 k=read: bytes, and more
  hint: --force compares them anyway" "$stderr"
	try "$AFFINITY" --compare o.json,large.json o.json
	[ "$status" -eq 2 ]
	same "affinity: 'o.json' and 'large.json' of one side did not do the same work: vector 0 of d=0 k=read: bytes
  hint: the results of a side are repetitions of one run" "$stderr"
	try "$AFFINITY" --force --compare o.json large.json
	[ "$status" -eq 0 ]
	[[ $output == *'6 compared, not judged'* ]]
	# a parameter of a kernel stands in the arguments only; where threads run is no other work
	jq '.arguments.set += ["stride=1"] | .arguments.text += "seed: 5\n"' o.json >stride.json
	try "$AFFINITY" --compare stride.json o.json
	[ "$status" -eq 2 ]
	[[ $output == *' - argument stride: was 1, is not given; not the same work'* ]]
	[[ $output == *$' - argument seed: was 5, is not given\n'* ]]
	jq '.runs[].operations[].threads[].chose = "isa avx2"' o.json >chose.json
	try "$AFFINITY" --compare o.json chose.json
	[ "$status" -eq 0 ]
	[[ $output == *'read, thread 0 of d=0 k=read: chose: was "", is "isa avx2"'* ]]
	jq '.runs[].operations[].threads[].unit = "add"' o.json >unit.json
	try "$AFFINITY" --compare o.json unit.json
	[ "$status" -eq 2 ]
	jq '.runs[].threads += [.runs[0].threads[0]]' o.json >threads.json
	try "$AFFINITY" --compare o.json threads.json
	[ "$status" -eq 2 ]
	[[ $stderr == *'did not do the same work: run d=0 k=read: threads, and more'* ]]
}

@test "comparing refuses another schema, a file cut short and something else" {
	measure
	jq '.schema = 2' o.json >two.json
	jq 'del(.quick)' o.json >trial.json
	head -c 500 o.json > cut.json
	echo '{"a": 1}' > else.json
	for case in 'two.json has schema 2, this program reads schema 3' 'trial.json does not say whether it is a quick trial' 'cut.json cannot be read as JSON' 'else.json is not a result document' \
		'none.json cannot be read'; do
		run "$AFFINITY" --compare o.json "${case%% *}"
		[ "$status" -eq 2 ]
		[[ $output == *"${case%% *}:"*"${case#* }"* ]]
	done
}

@test "--compare wants two sides, --tolerance a percentage" {
	run "$AFFINITY" --compare o.json
	[ "$status" -eq 2 ]
	[[ $output == *'--compare needs two result documents'* ]]
	run "$AFFINITY" --compare , o.json
	[ "$status" -eq 2 ]
	[[ $output == *"--compare: ',' names no file"* ]]
	local case
	for case in "much is not a percentage" "5x is not a percentage" "0.05 could be 0.05 % or 5 %" \
		"1001 is not within 0% .. 1000%" "1001% is not within 0% .. 1000%" "-1% is not within 0% .. 1000%"; do
		run "$AFFINITY" "--tolerance=${case%% *}" --compare a b
		echo "$output"
		[ "$status" -eq 2 ]
		[[ $output == *"--tolerance '${case%% *}' ${case#* }"* || $case == -* ]]
	done
}

# history N: h1.json to hN.json, results of o.json that differ by 0.1 % from run to run.
history() { # N
	local i
	for ((i = 1; i <= $1; i++)); do
		jq --argjson i "$i" '(.runs[].operations[] | (.threads[].figures.cost_s, .total_s)) *= 1 + ($i % 3) / 1000
			| .elapsed_s = $i' o.json >"h$i.json"
	done
	seq -s, -f 'h%g.json' "$1" >names
}

@test "a history of equal builds makes intervals narrower, and the output says what was used" {
	measure
	series before 1
	series after 1.02
	compare before 3 after 3
	local found=${output##*found in 80}
	history 10
	compare before 3 after 3 --history "$(<names)"
	[ "$status" -eq 1 ]
	[[ $output == *$'\n+ History\n - 10 of 10 results are used\n'* ]]
	[[ $output == *$'\nthe change from run to run is that within the sides and of 10 earlier results\n'* ]]
	[ "${output##*found in 80}" != "$found" ]
	# the same from a folder, in which other files may be
	mkdir earlier
	mv h*.json earlier/
	echo '{}' >earlier/other.json
	echo text >earlier/notes.txt
	local of_files=$output
	compare before 3 after 3 --history earlier
	[[ $output == *$'\n+ History\n - left out: earlier/other.json: no complete result\n - 10 of 11 results are used\n'* ]]
	same "$(sed -n '/^run /,$p' <<<"$of_files")" "$(sed -n '/^run /,$p' <<<"$output")"
}

@test "with one result a side a long history lists what it does not explain, and nothing is judged" {
	measure
	jq '(.runs[1].operations[0] | (.threads[].figures.cost_s, .total_s)) *= 1.025' o.json >after.json
	try "$AFFINITY" --compare o.json after.json
	[[ $output == *'; 0 differ by more than 3 %, '* ]]
	history 20
	try "$AFFINITY" --history "$(<names)" --compare o.json after.json
	[ "$status" -eq 0 ]
	[[ $output == *'d=0 k=write '*' 1.025  differs'* ]]
	[[ $output == *'6 compared, not judged: one result a side may be slow as a whole; 1 differs by more than 1 % beyond the change in the history, 0 in one file only'* ]]
	[[ $output == *'to judge what differs, measure only that'* ]]
	history 19
	try "$AFFINITY" --history "$(<names)" --compare o.json after.json
	[ "$status" -eq 0 ]
	[[ $output == *'6 compared, not judged: the change from run to run is unknown; to list costs, a history takes 20 results; 0 differ by more than 3 %, '* ]]
}

@test "a cost that no result has does not spoil the history" {
	measure
	series before 1
	series after 1
	history 3
	for f in before?.json after?.json h?.json; do
		jq '.runs[0].operations[0] |= (.total_s = null | .total_low_s = null | .total_high_s = null)' "$f" >new.json && mv new.json "$f"
	done
	compare before 3 after 3 --history h1.json,h2.json,h3.json
	[[ $output == *$'\n - 3 of 3 results are used\n'* ]]
}

@test "results that are no history of these runs are left out with the reason" {
	measure
	series before 1
	series after 1
	history 5
	jq '.environment.host = "elsewhere"' h2.json >new.json && mv new.json h2.json
	jq '.environment.compiler_flags = "-O1"' h3.json >new.json && mv new.json h3.json
	jq '.arguments.text += "numIter: 30\n"' h4.json >new.json && mv new.json h4.json
	jq '.runs[2].operations[0].samples.measure_again = true' h5.json >new.json && mv new.json h5.json
	cp before2.json h6.json
	compare before 3 after 3 --history h1.json,h2.json,h3.json,h4.json,h5.json,h6.json,h1.json
	[ "$status" -eq 0 ]
	[[ $output == *$'\n+ History
 - left out: h2.json: another machine: host is elsewhere
 - left out: h3.json: another build than h1.json: compiler_flags is -O1
 - left out: h4.json: other arguments: argument samples
 - left out: h5.json: disturbed or missing: read, run d=10 k=read
 - left out: h6.json: the same result is there already
 - left out: h1.json: the same result is there already
 - 1 of 7 results are used\n'* ]]
	compare before 3 after 3 --history h2.json
	[ "$status" -eq 2 ]
	same "affinity: --history: no result of 'h2.json' can be used
  hint: it takes results of equal builds, of the same arguments, measured on this machine; + History says what each lacks" "$stderr"
	compare before 3 after 3 --history none.json
	[ "$status" -eq 2 ]
	[[ $stderr == *'none.json'*' cannot be read'* ]]
}

@test "a pipe in the folder of a history is left out" {
	measure
	series before 1
	series after 1
	mkdir earlier
	cp o.json earlier/a.json
	mkfifo earlier/b.json
	try patient 60 "$AFFINITY" --history earlier --compare before1.json,before2.json,before3.json after1.json,after2.json,after3.json
	[ "$status" -eq 0 ]
	[[ $output == *" - 1 of 1 result is used"* ]]
}

# It takes minutes if every cost is looked for from the first one on.
@test "results of two hundred thousand costs are compared" {
	measure
	jq -c '.tables = [] | .runs |= [.[0] | .operations[0].threads |= [range(200000) as $i | .[0] | {kernel, unit, figures: {cost_s: ($i + 1)}}]]' \
		o.json >large.json
	patient 60 "$AFFINITY" --compare large.json large.json >compared
	grep -q '^200001 compared, not judged: .*, 0 in one file only$' compared
	grep -qE '^d=0 k=read +read +199999 +200000\.0+ +200000\.0+ +1\.000$' compared
}

@test "--history goes with --compare, once" {
	run "$AFFINITY" --history h.json --plan t.args
	[ "$status" -eq 2 ]
	[[ $output == *"--history has no effect with --plan"* ]]
	run "$AFFINITY" --history h.json --history g.json --compare a.json b.json
	[ "$status" -eq 2 ]
	[[ $output == *"--history is given twice"* ]]
}
