#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# ejec.sh --slurm with real daemons of Slurm: three nodes on this machine. The drivers of most tests only say what they
# were asked for.

bats_require_minimum_version 1.5.0 # run !
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
}

teardown() {
	! mountpoint -q out/n2 || umount out/n2
}

nothing_runs() { [[ -z $(squeue -h -t R -o %A) ]]; }

@test "each node of the cluster writes its own results, which say so, and affinity-fleet takes them for three nodes" {
	given "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "numIter: 2"
	mv t.args suite/a.args
	try "$ejec" --slurm -o out --report suite
	[ "$status" -eq 0 ]
	same "n1                done
n2                done
n3                done
results: $PWD/out/NODE/; affinity-fleet $PWD/out compares the nodes" "$output"
	[[ $stderr == *"ejec.sh: 3 nodes: 3 done, 0 running, 0 waiting, 0 failed, 0 skipped"* ]]
	for node in n1 n2 n3; do
		same "$node" "$(jq -r .environment.slurm_node "out/$node/suite/a.json")"
	done
	[ ! -e out/.slurm/batch ]
	grep -q '<html' out/report.html
	try "$AFFINITY-fleet" out
	grep -q '^ - 3 results of 3 nodes' <<<"$output"
}

@test "--dry-run submits nothing and shows what it would" {
	slurm_waiting_driver
	try "$ejec" --slurm --nodes 'n[2-3]' --sbatch --time=60 --dry-run -o out suite
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 2 ]
	[[ ${lines[0]} == "run     n2: sbatch "*" --nodelist=n2 "*" --time=60" ]]
	[[ ${lines[0]} == *" --exclusive "* ]]
	# newer versions of Slurm refuse both
	try "$ejec" --slurm --nodes n2 --sbatch --oversubscribe --dry-run -o out suite
	[[ ${lines[0]} == "run     n2: sbatch "*" --oversubscribe" && ${lines[0]} != *--exclusive* ]]
	[ ! -e out ]
}

@test "killed, the same command goes on with the jobs that run, and submits none again" {
	slurm_waiting_driver
	"$ejec" --slurm -o out suite >told 2>&1 &
	local batch=$!
	until_so test -e started-n1 -a -e started-n2 -a -e started-n3
	kill -KILL "$batch"
	wait "$batch" || true
	cp out/.slurm/batch before
	try "$ejec" --slurm -o out --set samples=9 suite
	[ "$status" -eq 1 ]
	[[ $stderr == *"is of another batch, whose jobs may still run"* ]]
	touch go
	try "$ejec" --slurm -o out suite
	[ "$status" -eq 0 ]
	[[ $stderr == *"goes on with the jobs of 3 nodes that were submitted before"* ]]
	[ "$(squeue -h -t all -n affinity-ejec -o '%k' | grep -cx "$PWD/out")" -eq 3 ]
	[ ! -e out/.slurm/batch ]
}

@test "a second ejec.sh into the same folder is refused while the first one is at work" {
	slurm_waiting_driver
	"$ejec" --slurm -o out suite >told 2>&1 &
	local batch=$! code=0
	until_so test -s out/.slurm/batch
	try "$ejec" --slurm -o out suite
	[ "$status" -eq 1 ]
	same "ejec.sh: another ejec.sh --slurm is at work in 'out'; nothing was submitted
ejec.sh:   hint: wait for it, or name another folder: --results DIR" "$stderr"
	touch go
	wait "$batch" || code=$?
	[ "$code" -eq 0 ]
	[ "$(squeue -h -t all -n affinity-ejec -o '%k' | grep -cxF "$PWD/out")" -eq 3 ]
}

@test "results go to the folder that was named, whatever Slurm would make of its name" {
	slurm_waiting_driver
	touch go
	local name each
	for name in 'r%j %x %%n' $'two\nlines'; do
		try "$ejec" --slurm --nodes 'n[1-2]' -o "$name" suite
		[ "$status" -eq 0 ]
		same "n1                done
n2                done" "$(head -n 2 <<<"$output")"
		try "$ejec" --slurm --one-job --nodes 'n[1-2]' -o "$name" suite
		cat "$name"/.slurm/*.out
		[ "$status" -eq 0 ]
		for each in n1 n2; do
			[ -s "$name/$each/suite/a.json" ]
			[ -e "$name/.slurm/$each.out" ]
		done
	done
	same "go r%j %x %%n suite two?lines" "$(ls -dq go r* suite two* | xargs)"
	try "$ejec" --slurm -o 'back\slash' suite
	[ "$status" -eq 1 ]
	[[ $stderr == *"Slurm does not write to a folder with a backslash in its name"* ]]
}

@test "Ctrl-C leaves the jobs, a second one cancels them" {
	slurm_waiting_driver
	(trap - INT && exec "$ejec" --slurm --nodes n1 -o out suite) >told 2>&1 &
	local batch=$! code=0
	until_so test -e started-n1
	kill -INT "$batch"
	until_so grep -q 'Ctrl-C within 5 seconds cancels' told
	kill -INT "$batch"
	wait "$batch" || code=$?
	[ "$code" -eq 130 ]
	grep -q 'the jobs are cancelled' told
	until_so nothing_runs
	[ ! -e out/.slurm/batch ]
}

@test "a node that is drained is skipped, one that cannot write its results fails, the rest is measured" {
	slurm_waiting_driver
	touch go
	mkdir out
	touch out/n2 # no folder
	scontrol update nodename=n3 state=drain reason=test
	try "$ejec" --slurm -o out suite
	scontrol update nodename=n3 state=resume
	[ "$status" -eq 1 ]
	same "n1                done
n2                failed   something failed there: out/.slurm/n2.out
n3                skipped  is drain" "$(head -n 3 <<<"$output")"
	[ -s out/n1/suite/a.json ]
}

@test "a node whose disk is full fails with the reason, leaves no half result, and the rest is measured" {
	mkdir -p out/n2
	mount -t tmpfs -o size=64k tmpfs out/n2 || skip "nothing can be mounted here"
	given "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "numIter: 2"
	mv t.args suite/a.args
	cat /dev/zero >out/n2/full 2>/dev/null || true
	try "$ejec" --slurm -o out suite
	find out/n2 -type f >left
	cat out/.slurm/n2.out
	umount out/n2
	same out/n2/full "$(cat left)"
	[ "$status" -eq 1 ]
	same "n1                done
n2                failed   something failed there: out/.slurm/n2.out
n3                done" "$(head -n 3 <<<"$output")"
	grep -qE "^suite/a +failed .*cannot write '.*/a.txt': No space left on device$" out/.slurm/n2.out
	[ -s out/n3/suite/a.json ]
}

@test "a node on which the driver does not run says why, once, and measures nothing" {
	slurm_waiting_driver
	touch go
	cp suite/a.args suite/b.args
	# shellcheck disable=SC2016 # the driver's
	sed -i '2i [[ $SLURMD_NODENAME != n2 ]] || { echo "affinity: this build uses AVX2, which this CPU lacks" >\&2 \&\& exit 1; }' driver
	# shellcheck disable=SC2016
	sed -i '3i [[ $SLURMD_NODENAME != n3 ]] || kill -ILL $$' driver
	try "$ejec" --slurm -o out suite
	[ "$status" -eq 1 ]
	same "n1                done
n2                failed   something failed there: out/.slurm/n2.out
n3                failed   something failed there: out/.slurm/n3.out" "$(head -n 3 <<<"$output")"
	grep -qx 'ejec.sh: the driver does not run on this node: this build uses AVX2, which this CPU lacks' out/.slurm/n2.out
	grep -q 'the driver does not run on this node: exit status 132: this CPU lacks an instruction of the build' out/.slurm/n3.out
	[ ! -e out/n2 ]
}

@test "without Slurm, and with options that need it, nothing is run" {
	slurm_waiting_driver
	try "$ejec" --nodes n1 suite
	[ "$status" -eq 2 ]
	[[ $stderr == *"--nodes, --sbatch and --one-job need --slurm"* ]]
	try "$ejec" --slurm --beside suite
	[ "$status" -eq 2 ]
	try "$ejec" --confirm --nodes n1 suite
	[ "$status" -eq 2 ]
	[[ $stderr == *"leave out --nodes"* ]]
	mkdir bin
	ln -s /usr/bin/* bin/
	rm bin/{sbatch,squeue}
	PATH=$PWD/bin try "$ejec" --slurm -o out suite
	[ "$status" -eq 1 ]
	[[ $stderr == *"no Slurm here: sbatch and squeue are not in PATH"* ]]
	[ ! -e out ]
}

@test "--one-job measures on all nodes in one job, and one that fails does not stop the others" {
	slurm_waiting_driver
	try "$ejec" --slurm --one-job --dry-run -o out suite
	[[ ${#lines[@]} -eq 1 && ${lines[0]} == "run     n1 n2 n3: sbatch "*" --nodes=3 --ntasks=3 --nodelist=n1,n2,n3 "* ]]
	mkdir out
	touch out/n1 # no folder
	touch go
	try "$ejec" --slurm --one-job -o out suite
	[ "$status" -eq 1 ]
	same "n1                failed   something failed there: out/.slurm/n1.out
n2                done
n3                done" "$(head -n 3 <<<"$output")"
	[ -s out/n2/suite/a.json ]
	[ -s out/n3/suite/a.json ]
	[ "$(squeue -h -t all -n affinity-ejec -o '%k|%D' | grep -cF "$PWD/out|3")" -eq 1 ]
	try "$ejec" --one-job suite
	[ "$status" -eq 2 ]
}

@test "--one-job: nodes that are done are told while others run, and the same command goes on" {
	slurm_waiting_driver
	touch go-n1
	"$ejec" --slurm --one-job -o out suite >told 2>&1 &
	local batch=$!
	until_so test -e started-n2 -a -e started-n3
	until_so grep -q '3 nodes: 1 done, 2 running, 0 waiting, 0 failed, 0 skipped' told
	kill -KILL "$batch"
	wait "$batch" || true
	touch go
	try "$ejec" --slurm --one-job -o out suite
	[ "$status" -eq 0 ]
	[[ $stderr == *"goes on with the jobs of 3 nodes that were submitted before"* ]]
	[ "$(squeue -h -t all -n affinity-ejec -o '%k' | grep -cxF "$PWD/out")" -eq 1 ]
	[ -s out/n3/suite/a.json ]
}

@test "what Slurm refuses is told in its own words" {
	slurm_waiting_driver
	try "$ejec" --slurm --nodes n1 --sbatch --partition=none -o out suite
	[ "$status" -eq 1 ]
	[[ $output == *"n1                failed   not submitted: sbatch: error: "*"invalid partition"* ]]
	try "$ejec" --slurm --sbatch --partition=none -o out suite
	[ "$status" -eq 1 ]
	[[ $stderr == *"Slurm has no nodes in partition 'none'; sinfo lists what there is"* ]]
}

@test "who may not use a partition is told so by Slurm, and nothing is measured" {
	slurm_waiting_driver
	mkdir out
	chmod 711 "$BATS_RUN_TMPDIR" "$BATS_FILE_TMPDIR" # the socket and the configuration of Slurm are there
	chown -R 65534:65534 .
	scontrol update partitionname=debug rootonly=yes
	try setpriv --reuid=65534 --regid=65534 --clear-groups "$ejec" --slurm --nodes n1 -o out suite
	scontrol update partitionname=debug rootonly=no
	[ "$status" -eq 1 ]
	[[ $output == *"n1                failed   not submitted: sbatch: error: "*"ermission"* ]]
	[ ! -e out/n1 ]
}

@test "--confirm measures the suspects three times, into folders of their own" {
	slurm_waiting_driver
	touch go
	printf '%s\n' '#!/usr/bin/env bash' 'echo n2' >affinity-fleet
	chmod 755 affinity-fleet
	try "$ejec" --confirm -o out suite
	[ "$status" -eq 0 ]
	same "n2                done" "${lines[0]}"
	for run in 1 2 3; do
		[ -s "out-fresh/$run/n2/suite/a.json" ]
	done
}
