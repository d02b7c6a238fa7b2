#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Results are whole or not there: disks that are full, folders that go away, two runs into one file, signals at any
# time. (tests/behaviour/cli.bats has what is known before anything is measured; /dev/full and pipes too.)

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	printf '%s\n' "opType: null" "nodePerThread: first*2" "oversubscribe: yes" "numIter: 20" >t.args
}

teardown() {
	[[ ! -d disk ]] || umount disk || :
}

# start SLEEP: a run of 20 samples, each so long, in the background, as `driver`. Bash starts what it runs in the
# background with SIGINT ignored; a terminal does not.
start() {
	(trap - INT && exec "$AFFINITY" --set "sleep=0 $1" --json out/o.json --csv out/o.csv t.args out/o.txt) 2>errors 3>&- &
	driver=$!
}

# measuring: a run of half a second has begun, and catches signals.
measuring() {
	local caught
	start 20ms
	for _ in {1..500}; do
		caught=$(sed -n '1s/^Name:[[:space:]]*affinity$/1/p; s/^SigCgt:[[:space:]]*/0x/p' "/proc/$driver/status")
		if [[ $caught == 1* ]] && ((${caught#*$'\n'} & 2)); then
			sleep 0.1
			return 0
		fi
		sleep 0.01
	done
	return 1
}

# whole FOLDER: its three results are each all of one.
whole() {
	[ "$(head -n 1 "$1/o.txt")" = "          --Execution data--" ]
	[[ $(tail -n 1 "$1/o.txt") == " - elapsed: "* ]]
	jq -e '.elapsed_s > 0' "$1/o.json" >/dev/null
	[ "$(awk -F, 'NR == 1 { n = NF } NF != n { bad = 1 } END { print (NR > 1 && !bad) }' "$1/o.csv")" -eq 1 ]
}

# untouched FOLDER: nothing but the earlier results are there.
untouched() {
	[ "$(ls -A "$1")" = "$(printf 'o.csv\no.json\no.txt')" ]
	[ "$(cat "$1"/o.*)" = "$(printf 'earlier\nearlier\nearlier')" ]
}

earlier() {
	mkdir -p "$1"
	echo earlier | tee "$1"/o.{txt,json,csv} >/dev/null
}

@test "a full disk is told, earlier results stay as they are and no temporary file is left" {
	mkdir disk
	mount -t tmpfs -o size=64k,nr_inodes=20 none disk 2>/dev/null || skip "no file system of our own can be mounted here"
	earlier disk
	dd if=/dev/zero of=disk/filler bs=4k 2>/dev/null || :
	try "$AFFINITY" --json disk/o.json --csv disk/o.csv t.args disk/o.txt
	[ "$status" -eq 1 ]
	for name in txt json csv; do
		[[ $stderr == *"affinity: cannot write 'disk/o.$name': No space left on device"* ]]
	done
	[[ $stderr == *"hint: "* ]]
	rm disk/filler
	untouched disk
}

@test "a folder that goes away during the run is told" {
	mkdir out
	measuring
	rm -r out
	code=0
	wait "$driver" || code=$?
	cat errors
	[ "$code" -eq 1 ]
	grep -q "^affinity: cannot write 'out/o.txt': No such file or directory" errors
	[ ! -e out ]
}

@test "an OUT that is removed during the run is there again at its end" {
	earlier out
	measuring
	rm out/o.txt
	wait "$driver"
	whole out
	[ "$(ls -A out)" = "$(printf 'o.csv\no.json\no.txt')" ]
}

@test "a folder that may no longer be written to keeps earlier results" {
	need_nobody
	earlier out
	if [[ ${#nobody[@]} -gt 0 ]]; then
		chown -R 65534 out
	fi
	AFFINITY_PLAIN=$AFFINITY
	printf '%s\n' '#!/bin/sh' "exec ${nobody[*]} $AFFINITY_PLAIN \"\$@\"" >driver
	chmod +x driver
	AFFINITY=./driver measuring
	chmod a-w out
	code=0
	wait "$driver" || code=$?
	cat errors
	[ "$code" -eq 1 ]
	grep -q "^affinity: cannot write 'out/o.txt': Permission denied" errors
	untouched out
}

@test "runs into the same files at the same time end as one whole result" {
	mkdir out
	local pids=() n failed=0
	for n in 2 3 4; do
		"$AFFINITY" --set "numIter=$n" --json out/o.json --csv out/o.csv t.args out/o.txt 2>/dev/null 3>&- &
		pids+=($!)
	done
	for n in "${pids[@]}"; do
		wait "$n" || failed=1
	done
	[ "$failed" -eq 0 ]
	whole out
	[ "$(ls -A out)" = "$(printf 'o.csv\no.json\no.txt')" ]
}

# A signal that comes before the driver can catch it ends the process as signals do; nothing is written then.
@test "signals at any time leave results whole or as they were, and no temporary file" {
	local code i delay signal messages=0
	for ((i = 0; i < 20; i++)); do
		signal=INT
		((i % 2)) || signal=TERM
		earlier out
		delay=$(printf '0.%03d' $((i * i)))
		start 10ms
		sleep "$delay"
		kill -s "$signal" "$driver" 2>/dev/null || :
		code=0
		wait "$driver" || code=$?
		echo "$signal after $delay s: exit $code"
		[ "$(ls -A out)" = "$(printf 'o.csv\no.json\no.txt')" ]
		case $code in
		0) whole out ;;
		1)
			messages=$((messages + 1))
			if grep -q '^affinity: interrupted; what was measured is written$' errors; then
				whole out
				grep -q '^ - interrupted: ' out/o.txt
			else
				grep -q '^affinity: interrupted before anything was measured; nothing is written$' errors
				untouched out
			fi
			;;
		130 | 143) untouched out ;;
		*) false ;;
		esac
	done
	[ "$messages" -gt 0 ]
}

@test "a second signal at any time leaves each result whole or as it was" {
	local code i
	for ((i = 0; i < 12; i++)); do
		earlier out
		start 5ms
		sleep "$(printf '0.%03d' $((30 + 12 * i)))"
		kill -s INT "$driver" 2>/dev/null || :
		sleep "0.00$((i / 2))"
		kill -s INT "$driver" 2>/dev/null || :
		code=0
		wait "$driver" || code=$?
		echo "exit $code"
		[[ $code -le 1 || $code -eq 130 ]]
		[ "$(ls -A out)" = "$(printf 'o.csv\no.json\no.txt')" ]
		each_whole_or_earlier
	done
}

each_whole_or_earlier() {
	[[ $(<out/o.txt) == earlier || $(tail -n 1 out/o.txt) == " - elapsed: "* ]]
	[[ $(<out/o.json) == earlier ]] || jq -e '.elapsed_s > 0' out/o.json >/dev/null
	[[ $(<out/o.csv) == earlier || $(wc -l <out/o.csv) -gt 1 ]]
}

@test "a driver that is killed leaves earlier results as they were" {
	earlier out
	measuring
	kill -s KILL "$driver"
	code=0
	wait "$driver" || code=$?
	[ "$code" -eq 137 ]
	untouched out
}
