#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# counters: on the machine at hand, whatever it counts, and on processors of the shim papi, whose counts are known.

# shellcheck disable=SC2016 # jq has variables of its own

bats_require_minimum_version 1.5.0 # run !
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

base=(
	"opType: read"
	"nodePerThread: first*2"
	"nodePerVector: first*2"
	"tamPerVector: 1000*"
	"stride: 1"
	"vectorPerThread: 0, 1"
	"numIter: 2"
	"warmup: 1"
	"counters: mix"
)

# What the self-check finds right: a million rounds.
GOOD="PAPI_TOT_INS=6000000 PAPI_TOT_CYC=3000000 PAPI_BR_INS=1000000 PAPI_BR_MSP=10000 PAPI_LD_INS=1000000
	PAPI_SR_INS=1000000 perf::INSTRUCTIONS=6000000 perf::CYCLES=3000000"

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	[[ $BATS_TEST_DESCRIPTION == *"refused"* ]] || skip_obstacle
	ldd "$AFFINITY" | grep -q libpapi || skip "built without PAPI"
}

# on EVENTS [KEY=VALUE]... -- COMMAND...: on a processor that counts so.
on() {
	local events=$1 settings=()
	shift
	while [[ $1 != -- ]]; do
		settings+=("$1")
		shift
	done
	under papi "PAPI_EVENTS=$events" "${settings[@]}" "${@:2}"
}

# shellcheck disable=SC2016,SC2034 # for holds; value("ipc") is thread 0's
terms='def value($m): .runs[0].operations[0].threads[0].counters[$m].value;
	def metric($m): .counting.metrics[] | select(.name == $m);'
measure=("--json" out.json "--csv" out.csv t.args out.txt)

@test "counters are figures of each thread, with the formula that made them" {
	shims_setup
	given
	on "$GOOD" -- "$AFFINITY" --quiet "${measure[@]}"
	[ "$status" -eq 0 ]
	holds 'value("instructions") == 6000000 and value("ipc") == 2 and value("cycles") == 3000000'
	holds '(value("branches") * 6 - 100 | fabs < 1e-6) and value("branches_missed") == 1'
	holds '.runs[0].operations[0].threads | length == 2 and all(.counters.instructions.per_unit == 6000)'
	holds 'metric("ipc") | .formula == "PAPI_TOT_INS / PAPI_TOT_CYC" and .missing == null and .pass == 1'
	grep -qE '^  instructions +6000000 \(6000\) +6000000 \(6000\)$' out.txt
	grep -qE '^  ipc +2.0000 +2.0000$' out.txt
	grep -qE '^  branches +16.667 % +16.667 %$' out.txt
	grep -qxF ' - ipc, instructions a cycle = PAPI_TOT_INS / PAPI_TOT_CYC' out.txt
	grep -qxF '   PAPI_TOT_INS is NATIVE_TOT_INS' out.txt
}

@test "what cannot be counted is n/a with its reason, and never 0" {
	shims_setup
	given "counters: mix numa"
	on "$GOOD" -- "$AFFINITY" --quiet "${measure[@]}"
	[ "$status" -eq 0 ]
	holds '[.runs[0].operations[0].threads[].counters | .floating_point, .remote | .value] | all(. == null)'
	grep -qE '^  floating_point +n/a +n/a$' out.txt
	grep -q '^ - floating_point, .*: n/a: affinity knows no event of this kind of CPU for it$' out.txt
	holds 'metric("remote") | .formula == null and .missing != null'
}

@test "a counter that starts and stays 0 is not counting, and not 0" {
	shims_setup
	given "counters: mix PAPI_LD_INS"
	on "${GOOD/PAPI_LD_INS=1000000/PAPI_LD_INS=0}" -- "$AFFINITY" "${measure[@]}"
	[ "$status" -eq 0 ]
	holds 'value("loads") == null and value("PAPI_LD_INS") == null and value("stores") != null'
	grep -q '^ - PAPI_LD_INS: n/a: PAPI_LD_INS starts, but does not count' out.txt
	[[ $stderr == *"t.args:9: warning: counters: 'PAPI_LD_INS' exists, but cannot be counted here: "* ]]
	run ! grep -q ',PAPI_LD_INS' out.csv
}

@test "where one way does not count, the next is taken" {
	shims_setup
	given
	on "${GOOD/PAPI_TOT_INS=6000000/PAPI_TOT_INS=0}" -- "$AFFINITY" --quiet "${measure[@]}"
	[ "$status" -eq 0 ]
	holds 'metric("instructions").formula == "perf::INSTRUCTIONS" and value("instructions") == 6000000'
	holds 'metric("ipc").formula == "perf::INSTRUCTIONS / perf::CYCLES" and value("ipc") == 2'
}

@test "formulas are those of the processor's family" {
	shims_setup
	local amd="LS_DISPATCH:LD_DISPATCH=900000 LS_DISPATCH:LD_ST_DISPATCH=300000 LS_DISPATCH:STORE_DISPATCH=1000000"
	given
	on "$GOOD $amd" PAPI_PMUS="perf amd64_fam19h_zen3" -- "$AFFINITY" --quiet "${measure[@]}"
	[ "$status" -eq 0 ]
	holds 'value("loads") == 20'
	# 2 a round where one happens would be said; less, as of loads here, too
	grep -q '^   LS_DISPATCH:LD_DISPATCH: counts 0.9 in each round of the self-check, in which 1 happen' out.txt
	on "$GOOD $amd" PAPI_PMUS="perf skx" -- "$AFFINITY" --quiet "${measure[@]}"
	holds 'metric("loads").formula == "100 * PAPI_LD_INS / PAPI_TOT_INS"'
}

@test "what does not fit together is counted in several passes, and never multiplexed" {
	shims_setup
	given
	on "$GOOD" PAPI_SLOTS=2 -- "$AFFINITY" --quiet "${measure[@]}"
	[ "$status" -eq 0 ]
	holds '.counting.passes | length > 2 and all(.events | length <= 2)'
	holds 'metric("ipc").pass == 1 and (metric("branches_missed").pass != null)'
	holds 'value("ipc") == 2 and value("branches_missed") == 1'
	on "$GOOD" PAPI_SLOTS=1 -- "$AFFINITY" --quiet "${measure[@]}"
	holds 'metric("ipc").pass == null and value("ipc") == 2'
	grep -qxF ' - ipc, instructions a cycle = PAPI_TOT_INS / PAPI_TOT_CYC, from several passes' out.txt
}

@test "counted samples are apart from timed ones, and have no times" {
	shims_setup
	given
	on "$GOOD" PAPI_SLOTS=2 -- "$AFFINITY" --quiet "${measure[@]}"
	[ "$status" -eq 0 ]
	local passes
	passes=$(jq '.counting.passes | length' out.json)
	holds '[.runs[0].operations[0].threads[] | (.samples | length) == 3 and .figures.n == 2] | all'
	# of two threads: 3 timed samples, and 3 in each pass
	same "$((2 * 3)) $((2 * 3 * passes))" "$(awk -F , '
		{ gsub(/"[^"]*"/, "") } # a reason may have commas
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["pass"] == 0 { timed++; if ($at["cost_s"] == "" || $at["PAPI_TOT_INS"] != "") exit 1 }
		$at["pass"] > 0 { counted++; if ($at["cost_s"] $at["busy_s"] $at["late_ns"] $at["skew_ns"] != "") exit 1 }
		$at["pass"] == 1 && $at["PAPI_TOT_INS"] != 6000000 { exit 1 }
		END { print timed, counted }' out.csv)"
}

@test "counts in a time are for each unit of all that was worked meanwhile" {
	shims_setup
	given "mode: time:10ms"
	on "$GOOD" -- "$AFFINITY" --quiet "${measure[@]}"
	[ "$status" -eq 0 ]
	holds 'value("ipc") == 2'
	same "$(jq '.runs[0].operations[0].threads[0].counters.instructions.per_unit' out.json | xargs printf '%.9g')" \
		"$(awk -F , '{ gsub(/"[^"]*"/, "") } NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			$at["pass"] == 1 && $at["thread"] == 0 { c += $at["PAPI_TOT_INS"]; u += $at["units"] }
			END { printf "%.9g", c / u }' out.csv)"
}

@test "each thread alone is counted too" {
	shims_setup
	given "solo: yes"
	on "$GOOD" -- "$AFFINITY" --quiet "${measure[@]}"
	[ "$status" -eq 0 ]
	holds '[.runs[0].solo.runs[].operations[0].threads[0].counters.ipc.value] == [2, 2]'
}

@test "tables show counters" {
	shims_setup
	given "counters: mix PAPI_BR_INS" "table: ipc rows=thread"
	echo "table: instructions rows=kernel" >>t.args
	on "$GOOD" -- "$AFFINITY" --quiet "${measure[@]}"
	[ "$status" -eq 0 ]
	same $'ipc, read\n thread all threads\n thread 0 2\n thread 1 2\n data in: L1' \
		"$(sed -n '/^ipc, read/,/^$/p' out.txt | sed '/^$/d; s/  */ /g')"
	grep -qx 'instructions (per unit)' out.txt
	given "counters: software" "table: ipc rows=thread"
	on "$GOOD" -- "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"t.args:10: table: unknown quantity 'ipc'"* ]]
}

@test "tables show the overheads of far memory, which counts of walks tell" {
	shims_setup
	local walks="DTLB_LOAD_MISSES:WALK_ACTIVE=600000 DTLB_STORE_MISSES:WALK_ACTIVE=300000"
	# shellcheck disable=SC2016 # the driver's
	given "counters: tlb" 'tamPerVector: ${n}*' "sweep: n = 1000 3000" "baseline: n=3000" "passes: 1"
	printf '%s\n' "table: numa_overhead rows=n" "table: stall_cost rows=n" "table: numa_overhead rows=n thread=1" \
		"claim: numa_overhead n=1000 > translation_overhead n=3000 by=100%" >>t.args
	on "$GOOD $walks CYCLE_ACTIVITY:STALLS_L2_MISS=3000000" PAPI_PMUS="perf skx" -- "$AFFINITY" --quiet "${measure[@]}"
	[ "$status" -eq 0 ]
	# each sample counts as much: 3 and 1 thousand a unit, of which 0.7 are no walks
	holds '.tables[0].cells | map(.[0].value) | (.[0] - 2 / 0.7 * 100 | fabs < 1e-6) and .[1] == null'
	holds '.tables[1].cells | map(.[0].value) | (.[0] | fabs < 1e-9) and .[1] == null'
	jq '.tables[2].cells[0][0].value += 1' out.json >bad.json
	run "$root/tests/fuzz/judge" bad.json
	[[ $output == *"table 2 "*" is 286.71428571"*", not [285.7"* ]]
	holds '.claims.tests[0] | .verdict == "holds" and (.figure.value - (2 / 0.7 - 0.9 / 2.1) * 100 | fabs < 1e-6)'
	run "$root/tests/fuzz/judge" out.json
	same '' "$output"
	given "counters: software" 'sweep: n = 1 2' 'passes: $n' "table: numa_overhead rows=n"
	on "$GOOD" -- "$AFFINITY" --plan t.args
	[[ $stderr == *"table: numa_overhead needs a baseline"* ]]
	echo "baseline: n=1" >>t.args
	on "$GOOD" -- "$AFFINITY" --plan t.args
	[[ $stderr == *"table: numa_overhead needs counts of walk_cycles"*"hint: counters: tlb has them, where the processor can"* ]]
}

@test "a document with counters follows the schema" {
	/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || skip "there is no jsonschema for /usr/bin/python3"
	shims_setup
	given "counters: mix software" "solo: yes"
	on "$GOOD" -- "$AFFINITY" --quiet "${measure[@]}"
	[ "$status" -eq 0 ]
	/usr/bin/python3 -m jsonschema -i out.json "$root/results/schema-3.json"
}

@test "an unknown event is refused, with a near name" {
	shims_setup
	machine "$TWO_NODES"
	base[1]="nodePerThread: 0 1" base[2]="nodePerVector: 0 1"
	given "counters: mixx PAPI_TOT_INX nothinglikeit"
	on "$GOOD" -- "$AFFINITY" t.args out.txt
	[ "$status" -eq 2 ]
	local hint="  hint: mix, cache, tlb, numa, software, or an event as papi_avail and papi_native_avail name it"
	same "t.args:9: counters: unknown event 'mixx'; did you mean 'mix'?
$hint
t.args:9: counters: unknown event 'PAPI_TOT_INX'; did you mean 'PAPI_TOT_INS'?
$hint
t.args:9: counters: unknown event 'nothinglikeit'
$hint" "$stderr"
}

@test "an event of the whole machine is refused" {
	shims_setup
	machine "$TWO_NODES"
	base[1]="nodePerThread: 0 1" base[2]="nodePerVector: 0 1"
	given "counters: uncore::X"
	on "uncore::X=1" -- "$AFFINITY" t.args out.txt
	[ "$status" -eq 2 ]
	[[ $stderr == "t.args:9: counters: 'uncore::X' is counted for the whole machine, not for threads"* ]]
}

@test "an event that exists and is not counted is told, and the rest is measured" {
	shims_setup
	given "counters: PAPI_TOT_INS PAPI_FP_INS"
	on "$GOOD PAPI_FP_INS=refused" -- "$AFFINITY" "${measure[@]}"
	[ "$status" -eq 0 ]
	[[ $stderr == *"t.args:9: warning: counters: 'PAPI_FP_INS' exists, but cannot be counted here: PAPI_FP_INS is not counted by this machine (PAPI: Event does not exist)"* ]]
	holds 'value("PAPI_TOT_INS") == 6000000 and value("PAPI_FP_INS") == null'
}

@test "without hardware counters there is one note, and what is measured is measured" {
	shims_setup
	given "counters: mix cache tlb numa"
	on "perf::CYCLES=refused" -- "$AFFINITY" "${measure[@]}"
	[ "$status" -eq 0 ]
	[ "$(grep -c 'no hardware events can be counted here' <<<"$stderr")" -eq 1 ]
	[ "$(grep -c counted <<<"$stderr")" -eq 1 ]
	holds '[.runs[0].operations[0].threads[].counters[] | .value] | all(. == null)'
	holds '[.runs[0].operations[0].threads[].figures.cost_s > 0] | all'
}

@test "requireCounters ends with 4 where nothing of a group or an event can be counted" {
	shims_setup
	given "counters: mix PAPI_FP_INS" "requireCounters: yes"
	on "$GOOD PAPI_FP_INS=refused" -- "$AFFINITY" t.args out.txt
	[ "$status" -eq 4 ]
	[[ $stderr == *"t.args:9: requireCounters: no event of 'PAPI_FP_INS' can be counted: PAPI_FP_INS is not counted by this machine"* ]]
	[[ $stderr != *"no event of 'mix'"* ]]
	[ ! -e out.txt ]
	given "counters: mix" "requireCounters: yes"
	on "$GOOD" -- "$AFFINITY" --quiet t.args out.txt
	[ "$status" -eq 0 ]
	on "perf::CYCLES=refused" -- "$AFFINITY" t.args out.txt
	[ "$status" -eq 4 ]
}

@test "PAPI that does not start is told" {
	shims_setup
	given
	on "" PAPI_INIT=no -- "$AFFINITY" "${measure[@]}"
	[ "$status" -eq 0 ]
	[[ $stderr == *"nothing can be counted: PAPI does not start"* ]]
	[[ $stderr == *"  hint: build affinity where PAPI is installed"* ]]
	given "requireCounters: yes"
	on "" PAPI_INIT=no -- "$AFFINITY" t.args out.txt
	[ "$status" -eq 4 ]
}

@test "a sweep cannot change what is counted: refused" {
	shims_setup
	machine "$TWO_NODES"
	base[1]="nodePerThread: 0 1" base[2]="nodePerVector: 0 1"
	given 'sweep: c = mix tlb' 'counters: $c'
	on "$GOOD" -- "$AFFINITY" t.args out.txt
	[ "$status" -eq 2 ]
	same "t.args:9: counters: a sweep cannot change what is counted
  hint: list all events, or write a file for each choice" "$stderr"
}

@test "the plan says what will be counted" {
	shims_setup
	given
	on "$GOOD" PAPI_SLOTS=4 -- "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	[[ $output == *$'\ncounter ipc = PAPI_TOT_INS / PAPI_TOT_CYC\n'* ]]
	[[ $output == *$'\ncounter integer: n/a: affinity knows no event of this kind of CPU for it\n'* ]]
	[[ $output == *$'\ncounted in 2 passes of 3 samples\n'* ]]
}

# The machine at hand

# Skips where PAPI knows no counters of this processor: it then counts no events of the system either.
need_papi() {
	local off
	off=$("$AFFINITY" --plan --set "counters=software" t.args 2>&1 >/dev/null |
		sed -n 's/^  hint: PAPI knows no counters of this processor.*: //p')
	[ -z "$off" ] || skip "PAPI counts nothing on this machine: $off"
}

# counts_system METRIC: skips where out.json has no such figure, with the reason.
counts_system() {
	need_papi
	holds "metric(\"$1\").missing == null" || skip "not permitted here: $(jq -r '.counting.metrics[0].missing' out.json)"
}

@test "where PAPI knows no counters of the processor, that is the reason, not the permission" {
	shims_setup
	given "counters: software"
	on "$GOOD" PAPI_OFF="no default PMU found" -- "$AFFINITY" "${measure[@]}"
	[ "$status" -eq 0 ]
	[[ $stderr == *"  hint: PAPI knows no counters of this processor and then counts no events of the system either: no default PMU found"* ]]
	[[ $stderr != *perf_event_paranoid* ]]
	on "$GOOD" -- "$AFFINITY" "${measure[@]}"
	[[ $stderr == *"sysctl kernel.perf_event_paranoid=1 permits them"* ]]
	[[ $stderr != *"PAPI knows no counters"* ]]
}

@test "the system's own events are counted on this machine" {
	given "counters: software" "tamPerVector: 64KiB*"
	try "$AFFINITY" --quiet "${measure[@]}"
	[ "$status" -eq 0 ]
	counts_system task_clock_ns
	holds '[.runs[0].operations[0].threads[].counters | .task_clock_ns.value > 0 and .page_fault_events.value != null] | all'
}

@test "page faults that are known are counted" {
	[ "$(id -u)" -eq 0 ] || skip "the system's events are for root, or need perf_event_paranoid 1"
	# null touches nothing; what it counts is that nothing happens while nothing is done
	printf '%s\n' 'opType: null' 'nodePerThread: first' 'counters: software' >t.args
	try "$AFFINITY" --quiet "${measure[@]}"
	[ "$status" -eq 0 ]
	counts_system page_fault_events
	holds 'value("page_fault_events") == 0 and value("cpu_migrations") == 0'
}

@test "who may not look into the system is told, once and with the remedy" {
	need_nobody
	[ "${#nobody[@]}" -gt 0 ] || skip "only root can become somebody else"
	[ "$(</proc/sys/kernel/perf_event_paranoid)" -ge 2 ] || skip "perf_event_paranoid permits it here"
	given "counters: software"
	need_papi
	try "${nobody[@]}" "$AFFINITY" "${measure[@]}"
	[ "$status" -eq 0 ]
	[ "$(grep -c 'events of the system cannot be counted' <<<"$stderr")" -eq 1 ]
	[[ $stderr == *"sysctl kernel.perf_event_paranoid=1"* ]]
	holds 'value("context_switches") == null and value("cpu_migrations") == null'
}

@test "on this machine every figure is a number or has a reason" {
	given "counters: mix cache tlb numa software"
	try "$AFFINITY" --quiet "${measure[@]}"
	[ "$status" -eq 0 ]
	holds '. as $d | [.counting.metrics[] | . as $m | $d.runs[0].operations[0].threads[].counters[$m.name].value
		| if $m.missing == null then . != null or $m.kind != "count" else . == null end] | all and length > 40'
}

# unknown PMU EVENT...: how many of these libpfm4 does not know for that PMU.
unknown() {
	LIBPFM_FORCE_PMU=$1 "$AFFINITY" --plan --set "counters=${*:2}" t.args 2>&1 >/dev/null | tee told | grep -c "unknown event" || true
}

@test "the native events of the table exist on the processors that it names" {
	of_sources
	machine "$TWO_NODES"
	base[1]="nodePerThread: 0 1" base[2]="nodePerVector: 0 1"
	given
	[[ $(uname -m) == x86_64 ]] || skip "libpfm4 knows the processors of its own architecture"
	local pmu events n tried=0
	for pmu in amd64_fam17h_zen2 amd64_fam19h_zen3 amd64_fam19h_zen4 snb ivb hsw_ep bdw_ep skl skx clx icx spr; do
		mapfile -t events < <(awk -v pmu="$pmu" '
			/^\t[a-z]/ {
				split($0, side, ": ")
				n = split(side[1], beginnings, /[, \t]+/)
				for (i = 1; i <= n; i++)
					if (beginnings[i] != "" && index(pmu, beginnings[i]) == 1) { print substr($0, index($0, ": ") + 2); break }
			}' "$root/src/core/counters/events.txt" | tr ' ' '\n' | grep -E '^[A-Z]' | grep -v '^PAPI_' | sort -u)
		[ "${#events[@]}" -gt 0 ]
		n=$(unknown "$pmu" "${events[@]}")
		echo "$pmu: $n of ${#events[@]} unknown: $(<told)"
		# an old libpfm4 does not know new processors, and then none of their events
		[ "$n" -ne "${#events[@]}" ] || continue
		[ "$n" -eq 0 ]
		tried=$((tried + 1))
	done
	[ "$tried" -gt 5 ]
}

@test "with several placements events are counted in the last one" {
	shims_setup
	given "placements: 2"
	on "$GOOD" -- "$AFFINITY" --quiet "${measure[@]}"
	[ "$status" -eq 0 ]
	holds 'value("instructions") == 6000000'
	same "1" "$(awk -F, '{ gsub(/"[^"]*"/, "") } NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["pass"] > 0 { print $at["placement"] }' out.csv | sort -u)"
}

# The mix of each thread

@test "--mix writes the counted mix of each thread, which mapping: instruction goes by" {
	shims_setup
	given "opType: read+write" "passes: 1"
	on "$GOOD" -- "$AFFINITY" --quiet --mix mix.csv t.args out.txt
	[ "$status" -eq 0 ]
	same "kernel,thread,method,instructions,branch,fp,int,load,store
read,0,counted,6000000,0.1667,,,0.1667,0.1667
write,1,counted,6000000,0.1667,,,0.1667,0.1667" "$(<mix.csv)"
	# as a profile: the type that differs most is the one to sort by
	sed -i 's/^write,1.*/write,1,counted,6000000,0.0100,,,0.1667,0.1667/' mix.csv
	given "opType: read+write" "profile: mix.csv" "mapping: instruction"
	sed -i 's/^nodePerThread:.*/threads: 2/; /^counters/d' t.args
	machine "$TWO_NODES"
	on "" -- "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	[[ $output == *"mapping instruction: sorted by branch, whose share differs most (shares: branch 0.010 .. 0.167, fp not known, "* ]]
}

@test "what --mix cannot know is empty, and no share is above all instructions" {
	shims_setup
	# branches count twice in the self-check, and of loads there are more than instructions
	given
	on "${GOOD/PAPI_BR_INS=1000000/PAPI_BR_INS=2000000} PAPI_FP_INS=refused" -- "$AFFINITY" --quiet --mix mix.csv t.args out.txt
	[ "$status" -eq 0 ]
	same "read,0,counted,6000000,,,,0.1667,0.1667" "$(sed -n 2p mix.csv)"
}

@test "--mix is refused with its reason where the file or the machine has no mix of each thread" {
	shims_setup
	skip_obstacle
	given
	on "perf::CYCLES=refused" -- "$AFFINITY" --quiet --mix mix.csv t.args out.txt
	[ "$status" -eq 4 ]
	[[ $stderr == "affinity: --mix: no instruction mix can be counted here: "*"
  hint: scripts/mix has the mixes of the kernels' loops as built, without counters" ]]
	[ ! -e out.txt ]
	[ ! -e mix.csv ]
	on "PAPI_TOT_INS=6000000 PAPI_BR_INS=2000000" -- "$AFFINITY" --quiet --mix mix.csv t.args out.txt
	[ "$status" -eq 4 ]
	[[ $stderr == *"counted here: PAPI_BR_INS counts 2 in each round of the self-check, in which 1 happen: it means something else here"* ]]
	given "counters: tlb"
	on "$GOOD" -- "$AFFINITY" --quiet --mix mix.csv t.args out.txt
	[ "$status" -eq 2 ]
	same "affinity: --mix needs counters: mix
  hint: --set counters=mix counts the instructions of each thread" "$stderr"
	given "sweep: n = 1000 2000" 'tamPerVector: $n*'
	on "$GOOD" -- "$AFFINITY" --quiet --mix mix.csv t.args out.txt
	[ "$status" -eq 2 ]
	same "affinity: --mix writes the mixes of one run, and the sweep has 2
  hint: a profile has one row for each kernel and thread: measure one value at a time" "$stderr"
	given "opType: read read+write"
	on "$GOOD" -- "$AFFINITY" --quiet --mix mix.csv t.args out.txt
	[ "$status" -eq 2 ]
	same "t.args:1: --mix: thread 0 runs 'read' in 'read' and in 'read+write'
  hint: measure one of them at a time: --set opType=read+write" "$stderr"
	[ ! -e out.txt ]
}
