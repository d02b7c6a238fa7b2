#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/health: is this node as quick as it was? Times are the driver's own, or far beyond what any machine differs by.

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	skip_obstacle
	health=$root/scripts/health
	export AFFINITY SLURMD_NODENAME=n1
	printf '%s\n' 'kernels: read write' 'nodePerThread: first' 'nodePerVector: first' 'sizePerVector: 64KiB' \
		'vectorPerThread: 0' 'samples: 3' >small.args
}

# The driver, in whose results nothing is disturbed: what else runs here is of no interest.
calm_driver() {
	cat >driver <<-'END'
		#!/usr/bin/env bash
		"$real" "$@" || exit
		while (($#)); do
			[[ $1 != --json ]] || json=$2
			shift
		done
		[[ -n ${json-} ]] || exit 0
		jq -c '.runs[].operations[].samples.measure_again = false' "$json" >"$json.new" && mv "$json.new" "$json"
	END
	chmod 755 driver
	export real=$AFFINITY AFFINITY=$PWD/driver
}

# The recorded costs, by another factor.
remember() { # FACTOR
	local file
	for file in ref/n1/*.json; do
		jq -c --argjson by "$1" '(.runs[].operations[].threads[].figures | .cost_s, .low_s, .high_s) *= $by' "$file" >other
		mv other "$file"
	done
}

# said STATUS PATTERN -- WORD...: one line.
said() {
	run --separate-stderr "$health" "${@:4}"
	printf '%s\n' "$output" "$stderr"
	[ "$status" -eq "$1" ]
	[ "${#lines[@]}" -eq 1 ]
	# shellcheck disable=SC2053 # a pattern
	[[ $output == $2 ]]
	[ -z "$stderr" ]
}

@test "a node that is as it was passes, one that is slower does not, in one line that says what" {
	calm_driver
	said 0 "health: n1: recorded in ref/n1" -- --record ref small.args
	remember 100
	said 0 "health: n1: as before: 2 compared, 0 slower and 2 faster by more than 5 %, 0 not in all files" -- ref small.args
	remember 0.0001
	said 1 "health: n1: SLOW: @(read|write), thread 0 takes *[0-9] times what it took, and 1 more rose" -- ref small.args
	said 1 "health: n1: SLOW: *" -- --tolerance 900% ref small.args
}

@test "what cannot be told is no verdict" {
	calm_driver
	said 3 "health: n1: cannot tell: no results in 'ref/n1'; health --record writes them" -- ref small.args
	"$health" --record ref small.args
	sed 's/64KiB/32KiB/' small.args >other.args
	said 3 "health: n1: cannot tell: *did not do the same work*" -- ref other.args
	echo 'kernels: nothing' >bad.args
	said 3 "health: n1: cannot tell: bad.args: missing key *" -- ref bad.args
	printf '#!/bin/sh\nsleep 9\n' >driver
	AFFINITY=$PWD/driver said 3 "health: n1: cannot tell: not done within 1 s" -- --within 1 ref small.args
	touch file
	said 3 "health: n1: not recorded: *file*" -- --record file small.args
}

@test "a disturbed run is not recorded" {
	cat >driver <<-'END'
		#!/bin/sh
		case "$*" in
		*--compare*) echo 'affinity: every cost was disturbed in some result' >&2 && exit 1 ;;
		esac
	END
	chmod 755 driver
	AFFINITY=$PWD/driver said 3 "health: n1: not recorded: every cost was disturbed in some result" -- --record ref small.args
	[ ! -e ref ]
}

@test "wrong words are told, with what to write" {
	for words in '' 'a b c' '--tolerance 5 a' '--within 0 a' '--slow a' 'a --within'; do
		# shellcheck disable=SC2086 # words
		run --separate-stderr "$health" $words
		[ "$status" -eq 2 ]
		[ "${stderr_lines[1]}" = "  hint: health --help lists the options" ]
	done
}

# A driver that says that it runs, and goes on for a minute.
endless_driver() {
	printf '%s\n' '#!/bin/sh' 'echo $$ >running.new && mv running.new running' 'exec sleep 60' >driver
	chmod 755 driver
	export AFFINITY=$PWD/driver
}

@test "whatever signal ends it, its measurement ends, too" {
	setpriv --pdeathsig INT true 2>/dev/null || skip "setpriv (util-linux) cannot do it here"
	endless_driver
	local signal health_pid running
	for signal in TERM HUP PIPE KILL; do
		rm -f running
		TMPDIR=$PWD "$health" --record ref small.args >said 2>&1 3>&- &
		health_pid=$!
		until [ -s running ]; do sleep 0.02; done
		running=$(<running)
		kill -s $signal "$health_pid"
		wait "$health_pid" || true
		for _ in {1..6000}; do
			[ -e "/proc/$running" ] || break
			sleep 0.02
		done
		echo "$signal: $(cat said)"
		[ ! -e "/proc/$running" ]
		[[ $signal == KILL ]] || [ -z "$(find . -maxdepth 1 -name 'tmp.*')" ]
	done
}
