#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# affinity-map counts the mixes that no profile gives: on processors of the shim papi, which count other programs only
# when they are attached before they begin, and with all their threads and children.

# shellcheck disable=SC2016 # jq has variables of its own, sh too

bats_require_minimum_version 1.5.0 # run !
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup() {
	driver_setup
	shims_setup
	MAP=$AFFINITY-map
	unset LD_PRELOAD AFFINITY_MAP
	ldd "$MAP" | grep -q libpapi || skip "built without PAPI"
	mapfile -t cpus < <(usable_cpus)
}

two_cpus() {
	[ "${#cpus[@]}" -ge 2 ] || skip "one CPU only: every thread is on it"
}

# events FIRST SECOND: the self-check is right, and two programs execute 1000 instructions each, so many of them
# branches; 300 and 200 loads, 0 and 100 stores.
events() {
	echo "PAPI_TOT_INS=6000000,1000 PAPI_TOT_CYC=3000000,2000 PAPI_BR_INS=1000000,$1,$2 PAPI_BR_MSP=10000,1
		PAPI_LD_INS=1000000,300,200 PAPI_SR_INS=1000000,0,100"
}

# A program that tells on its output, and counts its runs in a file.
told=(sh -c 'echo one >>ran; echo told')

# counts EVENTS [KEY=VALUE]... -- WORD...: affinity-map with these words, on a processor that counts so.
counts() {
	local events=$1 settings=()
	shift
	while [[ $1 != -- ]]; do
		settings+=("$1")
		shift
	done
	under papi "PAPI_EVENTS=$events" "${settings[@]}" "$MAP" --threads 1 --out report --json out.json "${@:2}"
}

# ran N: the program `told` did so often.
ran() {
	same "$1" "$(wc -l <ran)"
	rm ran
}

# holds FILTER: this is true of out.json.
holds() {
	command -v jq >/dev/null || skip "jq is not installed (make setup installs it)"
	jq -e "$1" out.json >/dev/null || {
		echo "not so: $1"
		return 1
	}
}

@test "mixes that are counted decide the mapping, and the report says so" {
	two_cpus
	counts "$(events 100 500)" -- -- "${told[@]}" : true
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	same told "$output"
	ran 2
	same " mix counted in 1 run: branch 0.100, fp n/a, int n/a, load 0.300, store 0.000
 mix counted in 1 run: branch 0.500, fp n/a, int n/a, load 0.200, store 0.100" "$(grep '^ mix' report)"
	grep -qx 'percent of load: 100 \* PAPI_LD_INS / PAPI_TOT_INS' report
	grep -qF 'mapping instruction: sorted by branch, whose share differs most (shares: branch 0.100 .. 0.500, ' report
	same " program 0, 1 thread: CPU ${cpus[1]}
 program 1, 1 thread: CPU ${cpus[0]}" "$(grep '^ program' report)"
	counts "$(events 500 100)" -- -- "${told[@]}" : true
	same " program 0, 1 thread: CPU ${cpus[0]}
 program 1, 1 thread: CPU ${cpus[1]}" "$(grep '^ program' report)"
	holds '.counted.runs == 1 and .counted.percent.branch == "100 * PAPI_BR_INS / PAPI_TOT_INS" and .counted.percent.fp == null
		and .programs[0].mix == {branch: 0.5, fp: null, int: null, load: 0.3, store: 0} and all(.programs[]; .mix_source == "counted")'
	/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || skip "the system's Python has no jsonschema (make setup installs it)"
	/usr/bin/python3 -m jsonschema -i out.json "$root/results/schema-map-1.json"
}

@test "events that do not fit together take a run each, those that no share needs none" {
	counts "$(events 500 500) PAPI_FP_INS=1000000,10,200" PAPI_SLOTS=2 PAPI_PMUS=icl -- -- "${told[@]}"
	[ "$status" -eq 0 ]
	same told "$output"
	ran 5
	grep -q '^ mix counted in 4 runs: branch 0.500, fp 0.200, int n/a, load 0.200, store 0.100$' report
}

@test "vector instructions stand for floating-point ones where those are not told apart" {
	counts "$(events 500 500) RETIRED_MMX_FP_INSTRUCTIONS:SSE_INSTR=1000000,150" PAPI_PMUS=amd64_fam17h_zen2 -- -- true
	grep -q '^ mix counted in 1 run: branch 0.500, fp 0.150, ' report
}

@test "a program is counted only where no profile has it, and nothing is where no mapping asks" {
	printf '%s\n' program,type,share sh,branch,0.2 >mix.csv
	counts "$(events 100 500)" -- --oversubscribe --profile mix.csv -- "${told[@]}" : true
	[ "$status" -eq 0 ]
	ran 1
	grep -qF '(shares: branch 0.100 .. 0.200, ' report
	holds '[.programs[].mix_source] == ["profile", "counted"]'
	counts "$(events 100 500)" -- --mapping compact,os -- "${told[@]}"
	ran 2
	holds '.counted == null and .programs[0].mix_source == null'
	counts "$(events 100 500)" -- --plan -- "${told[@]}"
	[ ! -e ran ]
	[[ $output == *"mapping compact, in place of instruction: no instruction mix of 'sh' is known (--profile; --plan starts nothing that could be counted)"* ]]
}

@test "where nothing can be counted the fallback has the reason, and each program runs once" {
	local fallback="mapping compact, in place of instruction: no instruction mix of 'sh' is known (--profile; "
	counts "PAPI_TOT_INS=refused" -- -- "${told[@]}"
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	grep -qF "${fallback}PAPI_TOT_INS is not counted by this machine (PAPI: Event does not exist))" report
	ran 1
	counts "" PAPI_INIT=no -- -- "${told[@]}"
	grep -qF "${fallback}PAPI does not start: " report
	ran 1
	counts "$(events 100 500)" PAPI_ATTACH=no -- -- "${told[@]}"
	[ "$status" -eq 0 ]
	grep -qF "${fallback}PAPI cannot count another process (PAPI: Permission level does not permit operation))" report
	run ! grep '^percent of' report
	ran 1
	counts "$(events 100 500)" -- --by int -- "${told[@]}"
	grep -qF "${fallback}int is not counted here: affinity knows no event of this kind of CPU for it)" report
	ran 1
	holds '.counted == null and .programs[0].mix == null'
}

@test "what counts something else or nothing is no share" {
	# twice the branches of the self-check; loads of which nobody saw one
	counts "PAPI_TOT_INS=6000000,1000 PAPI_BR_INS=2000000,100 PAPI_LD_INS=0,10 PAPI_SR_INS=1000000,100" -- -- "${told[@]}"
	grep -q '^ mix counted in 1 run: branch n/a, fp n/a, int n/a, load n/a, store 0.100$' report
	counts "PAPI_TOT_INS=6000000,1000 PAPI_BR_INS=2000000,100" -- -- true
	grep -qF "'true' is known (--profile; PAPI_BR_INS counts 2 in each round of the self-check, in which 1 happen: it means something else here)" report
	# more than all instructions
	counts "$(events 1001 500)" -- -- true
	grep -q '^ mix counted in 1 run: branch n/a, fp n/a, int n/a, load 0.300, ' report
	counts "PAPI_TOT_INS=6000000,0 PAPI_BR_INS=1000000,0" -- -- true
	[ "$status" -eq 0 ]
	grep -qF "'true' is known (--profile; its counters stayed 0 while it ran)" report
}

@test "a program that fails while it is counted is told with its status, and nothing is measured" {
	counts "$(events 100 500)" -- --oversubscribe -- sh -c 'echo one >>ran; exit 7' : sh -c 'echo two >>ran'
	[ "$status" -eq 7 ]
	same "affinity-map: 'sh' ended with status 7
  hint: this run counts its instructions, alone and unbound; --profile replaces it" "$stderr"
	ran 1
	[ ! -e report ]
	counts "$(events 100 500)" -- -- sh -c 'kill -SEGV $$'
	[ "$status" -eq $((128 + 11)) ]
	[[ $stderr == "affinity-map: 'sh' died by signal 11 (Segmentation fault)"$'\n'* ]]
	printf 'no program' >broken
	chmod +x broken
	counts "$(events 100 500)" -- -- ./broken
	[ "$status" -eq 1 ]
	[[ $stderr == "affinity-map: './broken' cannot be executed: Exec format error"$'\n'* ]]
}

@test "an interrupt while a program is counted ends it" {
	counts "$(events 100 500)" -- -- sh -c 'echo one >>ran; kill -TERM $PPID; sleep 600'
	[ "$status" -eq $((128 + 15)) ]
	[[ $stderr == *"affinity-map: interrupted by signal 15 (Terminated)"* ]]
	ran 1
}

@test "what can be refused is refused before anything is counted" {
	counts "$(events 100 500)" -- --json /nowhere/out.json -- "${told[@]}"
	[ "$status" -eq 1 ]
	counts "$(events 100 500)" -- --threads 8000 -- "${told[@]}"
	[ "$status" -eq 3 ]
	[ ! -e ran ]
}
