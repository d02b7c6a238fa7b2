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
	slurm_stage
	AFFINITY_REAL=$AFFINITY
	slurm_waiting_driver
}

teardown() {
	[ -z "${group-}" ] || rmdir "$group"
}

# The driver, on node n2 within a control group that has a twentieth of a CPU.
throttled_driver() {
	local group=$1
	cat >driver <<-END
		#!/usr/bin/env bash
		# before all that runs here besides
		echo -20 >/proc/self/autogroup
		[[ \$SLURMD_NODENAME != n2 || \$* == *--plan* ]] || echo \$\$ >$group/cgroup.procs
		exec nice -n -20 "$AFFINITY_REAL" "\$@"
	END
	ln -s "$AFFINITY_REAL-fleet" affinity-fleet
}

# A control group that may use so much of a CPU; nothing where none can be made.
quota_group() {
	local version1=/sys/fs/cgroup/cpu version2=/sys/fs/cgroup name=affinity-test-$$
	if mkdir "$version1/$name" 2>/dev/null; then
		echo 100000 >"$version1/$name/cpu.cfs_period_us"
		echo 88761 >"$version1/$name/cpu.shares"
		echo 5000 >"$version1/$name/cpu.cfs_quota_us" && echo "$version1/$name"
	elif mkdir "$version2/$name" 2>/dev/null; then
		echo '5000 100000' >"$version2/$name/cpu.max" 2>/dev/null && echo "$version2/$name"
	fi
}

@test "a node whose kernel throttles it is named as slow, and no other is" {
	group=$(quota_group)
	[ -n "$group" ] || skip "no control group with a quota can be made here"
	throttled_driver "$group"
	for size in 8 16 32; do
		printf '%s\n' 'opType: read write' 'nodePerThread: first' 'nodePerVector: first' "sizePerVector: ${size}KiB" \
			'vectorPerThread: 0' 'passes: 500' 'samples: 9' >suite/$size.args
	done
	rm suite/a.args
	# one after another, because these nodes share a machine
	local run code=0
	for run in 1 2; do
		"$ejec" --slurm --sbatch --dependency=singleton -o "all/$run" suite
	done
	"$AFFINITY_REAL-fleet" all || code=$?
	((!code)) || skip "this machine is busy: what its healthy nodes cost is not known"
	same n2 "$("$AFFINITY_REAL-fleet" --suspects all)"
	"$ejec" --confirm --sbatch --dependency=singleton -o all suite
	try "$AFFINITY_REAL-fleet" all --fresh all-fresh
	[ "$status" -eq 1 ]
	same ' - n2: SLOW: time taken away' "$(grep SLOW <<<"$output" | cut -d: -f1-3)"
	grep -qx "     cpu_quota is '0.05 CPUs', of most 'no limit'" <<<"$output"
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

# What runs in jobs of this test on a node.
kill_processes_of() { # NODE
	local process
	for process in /proc/[0-9]*; do
		grep -szqxF "here=$here" "$process/environ" || continue
		! grep -szqx "SLURMD_NODENAME=$1" "$process/environ" || kill -KILL "${process#/proc/}" || true
	done
}

@test "a node that dies in the middle of one job for all is told, and the others' results are whole" {
	"$ejec" --slurm --one-job -o out suite >told 2>errors &
	local batch=$! code=0
	until_so test -e started-n1 -a -e started-n2 -a -e started-n3
	kill -KILL "$(<"$BATS_FILE_TMPDIR/slurm/slurmd-n3.pid")"
	scontrol update nodename=n3 state=down reason=test
	touch go-n1 go-n2
	until_so grep -q ' 2 done, ' errors
	kill_processes_of n3
	wait "$batch" || code=$?
	cat told errors
	slurmd -c -N n3 -f "$SLURM_CONF" 3>&-
	scontrol update nodename=n3 state=resume || true
	[ "$code" -eq 1 ]
	grep -qE '^n3 +failed +job [0-9]+ ended early: ' told
	[ -s out/n1/suite/a.json ]
	[ -s out/n2/suite/a.json ]
}

@test "a job that runs out of time is told, and the others' results are whole" {
	touch go-n1
	try timeout 200 "$ejec" --slurm --nodes 'n[1-2]' --sbatch --time=1 -o out suite
	touch go-n2
	[ "$status" -eq 1 ]
	grep -qE '^n2 +failed +job [0-9]+ ended early: TIMEOUT; out/.slurm/n2.out$' <<<"$output"
	[ -s out/n1/suite/a.json ]
}
