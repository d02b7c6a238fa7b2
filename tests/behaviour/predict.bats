#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# --predict: costs from a profile. The profiles are documents with the figures of the thesis's tables, on its machine.
# long: nearly every test makes a profile up and predicts by it, over a minute of CPU time

# shellcheck disable=SC2030,SC2031 # each test is a process of its own
bats_require_minimum_version 1.5.0
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

caches="32K 256K 25M/2"

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	export HWLOC_XMLFILE=$root/tests/topologies/ring4.xml
	units=$(units_of_kernels)
	options=(--set "caches=$caches" --set placements=1)
}

# document EXPERIMENT [FACT=VALUE]: profile/NAME.json, what args/EXPERIMENT.args measures by the tables.
document() {
	local args=$root/args/$1.args figures facts costs
	mkdir -p profile
	facts=$(jq -n --arg other "${2:-}" '{topology: {"nodes": 4, "packages": 0, "cores": 8, "cpus": 8},
		caches: [{"level": 1, "bytes": 32768, "count": 8}, {"level": 2, "bytes": 262144, "count": 8}, {"level": 3, "bytes": 26214400, "count": 4}]}
		+ ($other | if . == "" then {} else split("=") | {(.[0]): .[1]} end)')
	figures=$(awk -F, '!/^#/ && ($2 == "alone" || $2 == "private") {
		printf "%s{\"%s %s-%s%s\": [%s%s]}", n++ ? "," : "[", $4, $5, $6, (NF > 10 ? " " $11 "-" $12 : ""), $10,
			(NF > 10 ? ", " $16 : "") } END { print "]" }' "$root/tests/unit/model/thesis.csv")
	costs=$(jq -c add <<<"$figures")
	"$AFFINITY" --quiet --plan "${options[@]}" --json - "$args" >plan.json
	jq --rawfile args "$args" --argjson set "[\"caches=$caches\", \"placements=1\"]" --argjson facts "$facts" \
		--argjson costs "$costs" --slurpfile pairs "$root/tests/behaviour/profile_pairs.json" \
		--argjson unit_of "$units" -f "$root/tests/behaviour/profile.jq" plan.json >"profile/${1//\//_}.json"
}

# All of the thesis's experiments with vectors of their own but one, and both matrices.
profile() {
	local name
	for name in pruebas_un_hilo/matrix pruebas_solo_priv/{none,s,bq,mc,mc_bq_s} matrix/latency matrix/bandwidth; do
		document "$name"
	done
}

predict() { try "$AFFINITY" --predict profile "${options[@]}" "$@"; }

# alone LINE...: t.args, a thread that reads.
alone() { printf '%s\n' "opType: read" "nodePerThread: 0" "nodePerVector: 0" "vectorPerThread: 0" "$@" >t.args; }

# refuses REASON: t.args.
refuses() {
	predict t.args
	same 1 "$status"
	[[ $stderr == *"nothing of 't.args' can be predicted: $1"* ]]
}

@test "a placement that was not measured is predicted from others" {
	profile
	predict --set confidence=90% --json out.json --csv out.csv "$root/args/pruebas_solo_priv/mc_s.args" out.txt
	same 0 "$status"
	same "" "$stderr"
	# of five placements with three kernels, the figures of whose threads are no knowledge of their own
	predict --json out95.json "$root/args/pruebas_solo_priv/mc_s.args" out.txt
	jq -e 'all(.runs[0].operations[].threads[].predicted_s; .value > 0 and .low == null)' out95.json
	# table 5.9
	jq -e '[[2.1509, 2.1705], [19.2046, 19.6006], [3.4267, 3.4447]] as $measured
		| [.runs[0].operations[].threads | map(.predicted_s)] as $predicted
		| all(range(3) as $o | range(2) as $t | $predicted[$o][$t].value / $measured[$o][$t];
			. > 0.95 and . < 1.05) and all($predicted[][]; .low < .value and .value < .high)' out.json
	jq -e '[.parameters[] | select(.parameter == "queue") | .value > 0.5 and .value < 1 and .relative_error < 0.1] == [true]' out.json
	same 6 "$(grep -c '^predicted,' out.csv)"
	same "" "$(sed 1d out.csv | grep -v '^predicted,' || true)"
	[[ $(head -n 1 out.txt) == "PREDICTED, not measured: "* ]]
	! /usr/bin/python3 -c 'import jsonschema' 2>/dev/null ||
		/usr/bin/python3 -m jsonschema -i out.json "$root/results/schema-predict-1.json"
}

# at_random STRIDE: what the profile predicts of mc_s if all of it was visited at random.
at_random() {
	local file order="stride: $1"$'\n'"order: random"
	mkdir -p "$1"
	for file in profile/pruebas*.json; do
		jq --arg order "$order" '.arguments.text |= sub("stride:[^\n]*"; $order)' "$file" >"$1/${file##*/}"
	done
	cp profile/matrix*.json "$1"
	sed "s/^stride:.*/stride: $1\norder: random/" "$root/args/pruebas_solo_priv/mc_s.args" >t.args
	"$AFFINITY" --predict "$1" "${options[@]}" --json random.json t.args /dev/null
	jq -c '[.runs[0].operations[].threads[].predicted_s.value | . * 1e6 | round]' random.json
}

@test "a stride that random order does not have changes no prediction" {
	profile
	same "$(at_random 192B)" "$(at_random 1B)"
	same 6 "$(at_random 1B | jq length)"
}

@test "a prediction is not taken for a result" {
	profile
	predict --json out.json "$root/args/pruebas_solo_priv/none.args" out.txt
	same 0 "$status"
	unset HWLOC_XMLFILE
	try "$AFFINITY" --compare out.json out.json
	same 2 "$status"
	[[ $stderr == *"out.json: is not a result document of affinity"* ]]
	export HWLOC_XMLFILE=$root/tests/topologies/ring4.xml
	try "$AFFINITY" --predict out.json "${options[@]}" "$root/args/pruebas_solo_priv/none.args"
	same 2 "$status"
	[[ $stderr == *"out.json: is not a result document of affinity"* ]]
}

@test "what the profile does not cover is refused with its reason" {
	profile
	predict "$root/args/pruebas_solape/lr.args"
	same 1 "$status"
	[[ ${stderr_lines[0]} == *"the profile has no run of several threads that share a vector: args/profile/06_shared.args" ]]
	[[ ${stderr_lines[1]} == "  hint: add results to 'profile' that have it, or measure: "* ]]
	alone "tamPerVector: 1MiB"
	refuses "the profile has no run of threads whose vectors caches hold"
	alone "tamPerVector: 8xLLC" "stride: 64B"
	refuses "the profile has no read with stride: 64B (not 192B): args/profile/03_alone.args with --set opType=read --set typePerVector=char --set stride=64B"
	sed -i 's/^nodePerVector: 0/nodePerVector: interleave/; s/64B/192B/' t.args
	refuses "the profile has no run of threads with a vector on several nodes"
	rm profile/matrix_bandwidth.json
	predict "$root/args/pruebas_solo_priv/mc_s.args"
	[[ $stderr == *"or the latency or bandwidth of a pair of their nodes"* ]]
}

@test "what was measured on one kind of cores predicts nothing of another" {
	sed 's|</topology>|<cpukind cpuset="0xfe" forced_efficiency="1"/><cpukind cpuset="0x1" forced_efficiency="0"/></topology>|' \
		"$HWLOC_XMLFILE" >kinds.xml
	export HWLOC_XMLFILE=$PWD/kinds.xml
	document pruebas_un_hilo/matrix # on CPU 1, of the quicker kind
	alone "tamPerVector: 8xLLC" "stride: 192B"
	predict t.args out.txt
	same 0 "$status"
	grep -q '^  read on char, .*, cores performance, distance 10, ns a unit = ' out.txt
	sed -i 's/^nodePerThread: 0/cpuPerThread: 0/' t.args
	refuses "the profile has no read, on cores of the kind efficiency: args/profile/03_alone.args with --set opType=read"
}

@test "the profile of another machine is refused, and marked with --force" {
	document pruebas_un_hilo/matrix "topology=2 nodes"
	predict "$root/args/pruebas_un_hilo/matrix.args"
	same 2 "$status"
	[[ $stderr == *"was measured on another machine: topology was 2 nodes, is 4 nodes"* ]]
	predict --force --json out.json "$root/args/pruebas_un_hilo/matrix.args" out.txt
	same 0 "$status"
	[[ $stderr == *"warning: the profile is of another machine; every output says so"* ]]
	same "the profile is of another machine" "$(sed -n 2p out.txt)"
	same true "$(jq .other_machine out.json)"
}

@test "another schema, missing figures and an empty folder are refused" {
	document pruebas_un_hilo/matrix
	mv profile/pruebas_un_hilo_matrix.json good.json
	jq '.schema = 1' good.json >profile/old.json
	predict "$root/args/pruebas_un_hilo/matrix.args"
	same 2 "$status"
	[[ $stderr == *"old.json: has schema 1, this program reads schema 3"* ]]
	rm profile/old.json
	jq '(.. | .cost_s? // empty) |= null' good.json >profile/none.json
	predict "$root/args/pruebas_un_hilo/matrix.args"
	same 2 "$status"
	[[ $stderr == *"'profile' has no run of a single thread that a model can learn from (read: a cost is missing)"* ]]
	rm profile/none.json
	predict "$root/args/pruebas_un_hilo/matrix.args"
	same 2 "$status"
	[[ $stderr == *"'profile' has no run of a single thread that a model can learn from"* ]]
	jq '(.. | objects | select(has("measure_again")) | .measure_again) |= true' good.json >profile/busy.json
	predict "$root/args/pruebas_un_hilo/matrix.args"
	same 2 "$status"
	[[ $stderr == *"(read: its samples are disturbed)"* ]]
	predict --force "$root/args/pruebas_un_hilo/matrix.args"
	same 0 "$status"
	same "the profile is disturbed" "${lines[1]}"
	jq 'del(.arguments)' good.json >profile/busy.json
	predict "$root/args/pruebas_un_hilo/matrix.args"
	same 2 "$status"
	[[ $stderr == *"warning: profile/busy.json: has no argument file, and is not used"* ]]
	jq '.arguments.text = "opType: nothing"' good.json >profile/busy.json
	predict "$root/args/pruebas_un_hilo/matrix.args"
	same 2 "$status"
	[[ $stderr == *"warning: profile/busy.json: its argument file cannot be planned again, and is not used"* ]]
	rm profile/busy.json
	sed '0,/"cost_s": [0-9.]*/s//"cost_s": NaN/' good.json >profile/nan.json
	cp good.json profile/
	predict "$root/args/pruebas_un_hilo/matrix.args"
	same 0 "$status"
	[[ $stderr == *"warning: profile/nan.json:"*": cannot be read as JSON: invalid token near 'NaN'; it is not used"* ]]
	try "$AFFINITY" --predict profile/nan.json "${options[@]}" "$root/args/pruebas_un_hilo/matrix.args"
	same 2 "$status"
	[[ $stderr == *"profile/nan.json:"*": cannot be read as JSON: invalid token near 'NaN'"* ]]
	rm profile/*
	cp good.json profile/missing.json
	predict --mix mix.csv "$root/args/pruebas_un_hilo/matrix.args"
	same 2 "$status"
	[[ $stderr == *"--mix has no effect with --predict"* ]]
}

# open LINE...: t.args, two threads with a vector each.
open() {
	printf '%s\n' "opType: read write" "vectorPerThread: 0, 1" "tamPerVector: 8xLLC*" "summaryType: sum" "$@" \
		"confidence: 90%" >t.args
}

advise() { try "$AFFINITY" --advise profile "${options[@]}" "$@"; }

@test "the placements of an open file are ranked, near memory first" {
	profile
	open "nodePerThread: ? ?" "nodePerVector: ? 0"
	advise t.args
	same 0 "$status"
	same "ADVICE by prediction, nothing was measured: t.args" "${lines[0]}"
	same "64 of 64 placements are predicted; the cost of a sample, sum of the threads:" "${lines[1]}"
	same "     --set 'nodePerThread=1 0' --set 'nodePerVector=1 0'" "${lines[4]}"
	[[ ${lines[3]} == "  1.   0.0 %"*" s, 90 %: "* ]]
	[[ $output == *", not distinguished from the best"* ]]
	# also of those that were measured, once
	[[ $output != *"no interval"* ]]
	same 10 "$(grep -cE '^ *[0-9]+\.' <<<"$output")"
	# the best is what --predict says of it
	try "$AFFINITY" --quiet --predict profile "${options[@]}" --set "nodePerThread=1 0" --set "nodePerVector=1 0" --json - -o text t.args
	local sum
	sum=$(jq '[.runs[0].operations[].threads[].predicted_s.value] | add' <<<"$output")
	advise t.args
	[ "$(awk -v a="$sum" '$1 == "1." { print ($4 - a < 0.001 && a - $4 < 0.001) }' <<<"$output")" = 1 ]
	# the lines to paste measure what they name
	[[ ${lines[-4]} == "  affinity --set 'caches=$caches' --set placements=1 --set 'nodePerThread=1 0' --set 'nodePerVector=1 0' t.args" ]]
}

@test "open values are repeated as others are" {
	profile
	open "nodePerThread: ?*2" "nodePerVector: ? 0"
	advise t.args
	same 0 "$status"
	same "64 of 64 placements are predicted; the cost of a sample, sum of the threads:" "${lines[1]}"
	same "     --set 'nodePerThread=1 0' --set 'nodePerVector=1 0'" "${lines[4]}"
	open "nodePerThread: 0 1" "nodePerVector: ?*"
	advise t.args
	same 0 "$status"
	same "4 of 4 placements are predicted; the cost of a sample, sum of the threads:" "${lines[1]}"
	[[ ${lines[4]} == "     --set 'nodePerVector="[01]"*'" ]]
	open "nodePerThread: 0 1" "nodePerVector: ?x"
	advise t.args
	same 2 "$status"
	open "nodePerThread: 0 1" "nodePerVector: ?*999999999999"
	advise t.args
	same 2 "$status"
	[[ $stderr == *"leaves more than 1024 values open"* ]]
}

@test "what is open is refused where nothing chooses it, and --set closes it" {
	profile
	open "nodePerThread: ? ?" "nodePerVector: ? 0"
	for what in --plan "--predict profile"; do
		# shellcheck disable=SC2086 # words
		try "$AFFINITY" $what "${options[@]}" t.args
		same 2 "$status"
		same "t.args:5: 'nodePerThread: ? ?' leaves a value open
t.args:6: 'nodePerVector: ? 0' leaves a value open
  hint: affinity --advise PROFILE ARGS chooses it by a profile of the machine (scripts/ejec.sh args/profile); else write a value" "$stderr"
	done
	advise --set "nodePerThread=1 0" t.args
	same 0 "$status"
	same "4 of 4 placements are predicted; the cost of a sample, sum of the threads:" "${lines[1]}"
}

@test "what cannot be searched is refused" {
	profile
	open "nodePerThread: 0 0" "nodePerVector: 0 0"
	advise t.args
	same 2 "$status"
	[[ ${stderr_lines[0]} == "t.args: leaves no value open" ]]
	open "nodePerThread: ? 0" "nodePerVector: 0 0" "samples: ?"
	advise t.args
	same 2 "$status"
	same "t.args:7: 'samples: ?' cannot be searched" "${stderr_lines[0]}"
	open "nodePerThread: ? 0" "nodePerVector: 0 \$v" "sweep: v = 0 1"
	advise t.args
	same 2 "$status"
	same "t.args:7: --advise searches one experiment, and a sweep makes several" "${stderr_lines[0]}"
	open "nodePerThread: $(printf '? %.0s' {1..13})" "nodePerVector: $(printf '? %.0s' {1..13})"
	advise t.args
	same 2 "$status"
	same "t.args: leaves 4.5e+15 placements open, and --advise searches 1e+15 at most" "${stderr_lines[0]}"
	open "nodePerThread: ? 0" "nodePerVector: 0 0"
	advise --mix out.csv t.args
	same 2 "$status"
	[[ $stderr == *"--mix has no effect with --advise"* ]]
}

# four THREADS VECTORS: t.args, four threads with a vector each.
four() {
	printf '%s\n' "opType: read write" "vectorPerThread: 0, 1, 2, 3" "tamPerVector: 8xLLC*" "summaryType: max" \
		"nodePerThread: $1" "nodePerVector: $2" >t.args
}

@test "very many placements are searched by branch and bound, which finds what predicting all finds" {
	profile
	four "? ? ? ?" "? ? ? ?"
	advise --json out.json t.args out.txt
	same 0 "$status"
	grep -q '^[0-9]* of 65536 placements are predicted, and no other one that the profile covers is better (branch and bound); ' out.txt
	jq -e '.open == 65536 and .open_predicted < 20000 and .search == {"whole": true, "left_s": null}' out.json
	conforms
	local best threads vectors
	best=$(jq '.placements[0].predicted_s.value' out.json)
	threads=$(jq -r '.placements[0].set[0] | ltrimstr("nodePerThread=")' out.json)
	vectors=$(jq -r '.placements[0].set[1] | ltrimstr("nodePerVector=")' out.json)
	# each half of it, of which all placements are predicted
	four "$threads" "? ? ? ?"
	advise --json out.json t.args out.txt
	jq -e --argjson best "$best" '.search == null and (.placements[0].predicted_s.value - $best | fabs < 1e-6)' out.json
	four "? ? ? ?" "$vectors"
	advise --json out.json t.args out.txt
	jq -e --argjson best "$best" '.placements[0].predicted_s.value - $best | fabs < 1e-6' out.json
}

@test "advice as JSON and CSV says what the text says" {
	profile
	open "nodePerThread: ? ?" "nodePerVector: ? 0"
	advise --json out.json --csv out.csv t.args out.txt
	same 0 "$status"
	same '[64,64,0,10,null,"sum","sample"]' \
		"$(jq -c '[.open, .open_predicted, .verify, (.placements | length), .verdict, .summary, .per]' out.json)"
	same '["nodePerThread=1 0","nodePerVector=1 0"]' "$(jq -c '.placements[0].set' out.json)"
	same '["caches=32K 256K 25M/2","placements=1"]' "$(jq -c .set out.json)"
	jq -e 'all(.placements[]; (.verified or .disturbed | not) and .measured_s == null)
		and ([.placements[].rank] == [range(1; 11)]) and ([.placements[].predicted_s.value] | . == sort)' out.json
	same "$(jq -r '.placements[] | "advised,\(.rank),sample,\(.predicted_s.value * 1e4 | round)"' out.json)" \
		"$(sed 1d out.csv | awk -F, '{ printf "%s,%s,%s,%.0f\n", $1, $2, $3, $4 * 1e4 }')"
	same "--set 'nodePerThread=1 0' --set 'nodePerVector=1 0'" "$(sed -n 2p out.csv | cut -d, -f12)"
	conforms
}

# out.json is of its schema.
conforms() {
	! /usr/bin/python3 -c 'import jsonschema' 2>/dev/null ||
		/usr/bin/python3 -m jsonschema -i out.json "$root/results/schema-advise-1.json"
}

@test "--verify measures the best and the baseline" {
	skip_obstacle
	unset HWLOC_XMLFILE
	local caches="caches=32K 256K 1M"
	local same=("opType: read" "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "sizePerVector: 8MiB"
		"numIter: 3" "passes: 1" "placements: 1")
	# shellcheck disable=SC2016 # text that is printed
	printf '%s\n' "${same[@]}" "sweep: p = 4K thp" 'pagesPerVector: $p' >profile.args
	"$AFFINITY" --quiet --set "$caches" --json profile.json profile.args profile.txt
	printf '%s\n' "${same[@]}" "pagesPerVector: ?" >t.args
	try "$AFFINITY" --force --set "$caches" --json out.json --csv out.csv --advise profile.json t.args
	same 0 "$status"
	same "ADVICE by prediction, the best were measured: t.args" "${lines[0]}"
	# two are predicted; the baseline, of pages that the profile lacks, is not
	same '[[1,true,true,false],[2,true,true,false],[null,false,true,true]]' "$(jq -c \
		'[.placements[] | [.rank, .predicted_s != null, .measured_s != null, .baseline]]' out.json)"
	same '["pagesPerVector=system"]' "$(jq -c '.placements[2].set' out.json)"
	jq -e '.placements as $p | .verdict | .cheapest as $c | all($p[]; .measured_s.value >= $p[$c].measured_s.value)' out.json
	[[ $output == *"The advice $(jq -r '.verdict | "\(.advice): \(.why)."' out.json)"* ]]
	same "  affinity --set '$caches' --set $(jq -r '.placements[.verdict.cheapest].set[0]' out.json) t.args" "${lines[-1]}"
	same "$(jq -r '.placements[].measured_s.value * 1e7 | round' out.json)" \
		"$(sed 1d out.csv | awk -F, '{ printf "%.0f\n", $7 * 1e7 }')"
	conforms
	# one that is predicted, and the baseline
	try "$AFFINITY" --force --set "$caches" --json out.json --verify 1 --advise profile.json t.args out.txt
	same 0 "$status"
	same '[true,false,true]' "$(jq -c '[.placements[].verified]' out.json)"
	try "$AFFINITY" --force --set "$caches" --verify 0 --advise profile.json t.args
	same "ADVICE by prediction, nothing was measured: t.args" "${lines[0]}"
	[[ $stderr != *"transparent huge pages"* ]]
	# pages of the system are others now
	jq '.environment.transparent_huge_pages |= if . == "always" then "never" else "always" end' profile.json >other.json
	try "$AFFINITY" --force --set "$caches" --verify 0 --advise other.json t.args
	[[ $stderr == *"warning: other.json: was measured with transparent huge pages '"*"', which are '"*"' now: vectors on pages 'system' cost what they cost then"* ]]
}

@test "an interrupted verification keeps what it knows, and promises nothing" {
	skip_obstacle
	unset HWLOC_XMLFILE
	local caches="caches=32K 256K 1M" lines=("opType: read" "nodePerThread: first" "nodePerVector: first"
		"vectorPerThread: 0" "sizePerVector: 8MiB" "passes: 1" "placements: 1")
	# shellcheck disable=SC2016 # text that is printed
	printf '%s\n' "${lines[@]}" "numIter: 3" "sweep: p = 4K thp" 'pagesPerVector: $p' >profile.args
	"$AFFINITY" --quiet --set "$caches" --json profile.json profile.args profile.txt
	printf '%s\n' "${lines[@]}" "numIter: 100000" "pagesPerVector: ?" >t.args
	# nothing is measured for a report that cannot be written
	try timeout 120 "$AFFINITY" --force --set "$caches" --advise profile.json t.args nowhere/out.txt
	same 1 "$status"
	[[ $stderr == *"cannot write 'nowhere/out.txt': No such file or directory"* ]]
	local seconds
	for seconds in 3 10 30; do # on a busy machine nothing may be measured after some seconds
		try timeout --preserve-status -s INT "$seconds" "$AFFINITY" --force --set "$caches" --advise profile.json t.args out.txt
		same 130 "$status"
		[[ $stderr != *"interrupted; what was measured is written"* ]] || break
	done
	[[ $stderr == *"interrupted; what was measured is written"* ]]
	grep -q '^The advice is not shown to hold: .*was not measured\.$' out.txt
}

@test "what cannot be verified is refused" {
	profile
	open "nodePerThread: ? 0" "nodePerVector: 0 0"
	advise --verify 2 t.args
	same 3 "$status"
	same "affinity: cannot measure on a topology that is not this machine: HWLOC_XMLFILE=$HWLOC_XMLFILE" \
		"${stderr_lines[-2]}"
	same "  hint: --verify 0 advises without measuring" "${stderr_lines[-1]}"
	advise --verify 11 t.args
	same 2 "$status"
	same "affinity: --verify '11' is not a number of placements, 0 .. 10" "${stderr_lines[0]}"
	advise --verify 1 --verify 2 t.args
	same "affinity: --verify is given twice" "${stderr_lines[0]}"
	predict --verify 1 t.args
	same 2 "$status"
	same "affinity: --verify has no effect with --predict" "${stderr_lines[0]}"
}

# row NAME: of the worth, its figures with single blanks.
row() { grep -m 1 "^$1 " worth.txt | sed "s/^$1 *//; s/  */ /g"; }

@test "--worth: each result is predicted by the others, beside rules that know a thread alone" {
	profile
	# the caches of the files' own --set are the machine's
	try "$AFFINITY" --worth profile --output worth.txt --json worth.json
	same 0 "$status"
	run ! grep -q '^the profile is' worth.txt
	cat worth.txt
	grep -q '^30 figures of threads together, of 8 files; .* intervals of 90 %$' worth.txt
	# the tables are predicted to some per cent without the run itself; by a rule of thumb they are not
	local median p90 local_median
	read -r _ median p90 _ < <(row 'a run left out')
	read -r _ local_median _ < <(row 'naive: all as local')
	awk -v m="$median" -v p="$p90" -v l="$local_median" 'BEGIN { exit !(m > 0 && m < 2 && p > 3 && p < 6 && l > 10 * m) }'
	# each file is a placement, and each kernel a choice among five
	same "$(row 'a run left out')" "$(row 'a file left out')"
	[[ $(row 'a run left out') == *" 3 of 3 0.0" ]]
	[[ $(row 'naive: each thread alone') == "30 "*" - "*" of 3 "* ]]
	same "[30,8,false,false,$median,$p90,3,3,0]" "$(jq -c '[.figures, .files, .other_machine, .simulated] + (.rows[0]
		| [(.all | .median, .p90 | . * 1000 | round / 10), .decisions, .best, .most_lost + 0])' worth.json)"
	! /usr/bin/python3 -c 'import jsonschema' 2>/dev/null ||
		/usr/bin/python3 -m jsonschema -i worth.json "$root/results/schema-worth-1.json"
}

@test "--worth: what was measured again predicts neither itself nor the file that it is in" {
	profile
	local once again file
	try "$AFFINITY" --worth profile --output worth.txt
	once=$(row 'a file left out' | cut -d ' ' -f 2,3)
	grep -qx 'measured again: no figure: no run of several threads was measured again in another file: .* --worth A,B' worth.txt
	mkdir again
	for file in profile/pruebas_solo_priv_*.json; do
		jq '.runs[].operations[].threads[].figures.cost_s *= 1.002' "$file" >"again/${file##*/}"
	done
	touch again/notes.json # of a folder, others may be left out
	try "$AFFINITY" --worth profile,again --output worth.txt
	same 0 "$status"
	[[ $stderr == *"again/notes.json"*"it is not used"* ]]
	cat worth.txt
	[[ $(row 'measured again') == "60 0.2 0.2 "*" - 0 of 0 -" ]]
	[[ $(row 'naive: each thread alone') == *" of 3 "* ]]
	again=$(row 'a file left out' | cut -d ' ' -f 2,3)
	[ "$(row 'a run left out')" = "$(row 'a file left out')" ]
	awk -v once="$once" -v again="$again" 'BEGIN {
		split(once, a, " ")
		split(again, b, " ")
		for (i = 1; i <= 2; i++) if (!(a[i] > 0) || (b[i] < a[i] * 0.8 || b[i] > a[i] * 1.25)) exit 1
	}'
	# a place that was measured twice is no choice
	rm profile/pruebas_solo_priv_[!n]*
	try "$AFFINITY" --worth profile,again/pruebas_solo_priv_none.json --output worth.txt
	same 0 "$status"
	cat worth.txt
	[[ $(row 'measured again') == "12 0.2 "* && $(row 'naive: each thread alone') == *" 0 of 0 -" ]]
}

@test "--worth says below the table why a row has no figure or no interval, and what to do" {
	local name few="are too few to predict one from the others"
	document pruebas_un_hilo/matrix
	document pruebas_solo_priv/none
	try "$AFFINITY" --worth profile --output worth.txt --json worth.json
	same 0 "$status"
	grep -qx "a run left out: no figure: 3 runs of several threads, of 2 files, $few: scripts/ejec.sh args/profile measures more" \
		worth.txt
	same "$(sed -n 's/^a run left out: //p' worth.txt)" "$(jq -r '.rows[0].lacks' worth.json)"
	same null "$(jq '.rows[2].lacks' worth.json)"
	for name in matrix/latency matrix/bandwidth pruebas_solo_priv/{s,bq}; do document "$name"; done
	try "$AFFINITY" --worth profile --output worth.txt
	grep -qx 'a run left out: no interval: one of 90 % needs the residuals of 9 other runs' worth.txt
	# disturbed ones teach nothing
	local busy='(.. | objects | select(has("measure_again")) | .measure_again) |= true'
	for name in profile/pruebas_solo_priv_*.json; do jq "$busy" "$name" >busy.json && mv busy.json "$name"; done
	try "$AFFINITY" --worth profile
	same 1 "$status"
	[[ $stderr == *"no run of several threads that the model covers; 9 of 153 operations of the profile are disturbed and teach nothing: --force takes them, or measure again while nothing else runs"* ]]
	rm profile/matrix_*.json
	document pruebas_solo_priv/none
	try "$AFFINITY" --worth profile --output worth.txt
	cat worth.txt
	grep -qx "a run left out: no figure: 3 runs of several threads, of 4 files, $few; 6 of 73 operations of the profile are disturbed .*" \
		worth.txt
}

@test "--worth takes the machine's caches by --set, and no other key" {
	profile
	try "$AFFINITY" --worth profile --set "caches=$caches" --output worth.txt
	same 0 "$status"
	try "$AFFINITY" --worth profile --output of_file.txt
	cmp worth.txt of_file.txt
	try "$AFFINITY" --worth profile --set "caches=32K 256K 50M/2"
	same 2 "$status"
	[[ $stderr == *"was measured on another machine: caches was "* ]]
	try "$AFFINITY" --worth profile --set samples=3
	same 2 "$status"
	same "affinity: --set samples=3 has no effect with --worth" "${stderr_lines[0]}"
	same "  hint: it judges results as they were measured; --set 'caches=...' says the machine's caches" "${stderr_lines[1]}"
}

@test "--worth needs runs of several threads, and no argument file" {
	document pruebas_un_hilo/matrix
	export HWLOC_XMLFILE=$root/tests/topologies/thesis.xml
	try "$AFFINITY" --force --worth profile
	same 1 "$status"
	[[ $stderr == *"'profile' has no run of several threads that the model covers"* ]]
	try "$AFFINITY" --worth profile t.args
	same 2 "$status"
	[[ $stderr == *"'t.args' is one operand too many; --worth takes none"* ]]
	try "$AFFINITY" --worth profile --csv out.csv
	same 2 "$status"
	[[ $stderr == *"--csv has no effect with --worth"* ]]
	try "$AFFINITY" --force --worth profile --output out --json out
	same 2 "$status"
	same "affinity: 'out' and 'out' are the same file" "${stderr_lines[0]}"
}

@test "args/profile: below ten minutes by the plan on four nodes, and one node skips what needs two" {
	# cores of one hardware thread have no siblings
	run -3 --separate-stderr "$AFFINITY" --quiet --plan "${options[@]}" --json plan.json "$root"/args/profile/*.args
	run -0 jq -r '[.plans[].guess_s | values] | length == 25 and all(. > 0) and add < 600' plan.json
	same true "$output"
	export HWLOC_SYNTHETIC='numa:1 l3:1 core:2 pu:1'
	unset HWLOC_XMLFILE
	run -3 --separate-stderr "$AFFINITY" --quiet --plan --json plan.json "$root"/args/profile/*.args
	run -0 jq -c '[.plans[].runs // [] | map(select(.skipped | not)) | length]' plan.json
	same '[1,1,1,1,1,2,2,2,1,4,16,64,8,2,7,16,3,14,14,20,16,24,2,6,6]' "$output"
}
