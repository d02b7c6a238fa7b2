#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# ejec.sh --slurm where nodes fail in the middle: it takes as long as Slurm needs to notice.

bats_require_minimum_version 1.5.0
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/slurm.bash
source "$BATS_TEST_DIRNAME/../slurm.bash"

setup_file() {
	slurm_setup "$BATS_FILE_TMPDIR/slurm"
}

teardown_file() {
	slurm_stop "$BATS_FILE_TMPDIR/slurm"
}

setup() {
	driver_setup
	skip_obstacle
	ejec=$root/scripts/ejec.sh
	mkdir suite
	slurm_waiting_driver
}

@test "a node that dies in the middle is told, and the others' results are whole" {
	touch go-n1 go-n2
	"$ejec" --slurm -o out suite >told 2>errors &
	local batch=$! code=0
	until_so test -e started-n3
	kill -KILL "$(<"$BATS_FILE_TMPDIR/slurm/slurmd-n3.pid")"
	scontrol update nodename=n3 state=down reason=test
	wait "$batch" || code=$?
	touch go-n3
	cat told errors
	[ "$code" -eq 1 ]
	grep -qE '^n3 +failed +job [0-9]+ ended early: NODE_FAIL; out/.slurm/n3.out$' told
	[ -s out/n1/suite/a.json ]
	[ -s out/n2/suite/a.json ]
	slurmd -c -N n3 -f "$SLURM_CONF" 3>&-
	scontrol update nodename=n3 state=resume || true # it may be idle again by itself
}

@test "a job that runs out of time is told, and the others' results are whole" {
	touch go-n1
	try timeout 200 "$ejec" --slurm --nodes 'n[1-2]' --sbatch --time=1 -o out suite
	touch go-n2
	[ "$status" -eq 1 ]
	grep -qE '^n2 +failed +job [0-9]+ ended early: TIMEOUT; out/.slurm/n2.out$' <<<"$output"
	[ -s out/n1/suite/a.json ]
}
