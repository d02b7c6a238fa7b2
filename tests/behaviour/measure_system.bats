#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# A measurement among signals, terminals and what the environment tells OpenMP.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	skip_obstacle
	printf '%s\n' 'opType: null' 'nodePerThread: first*2' 'numIter: 2' >t.args
}

# started [KEY=VALUE]...: measures in the background, and waits until signals are caught and $1 seconds more. Bash
# starts what it runs in the background with SIGINT ignored, nohup with SIGHUP; a terminal with none.
started() {
	local wait=$1 word sets=()
	shift
	for word; do
		sets+=(--set "$word")
	done
	env --default-signal=INT,HUP "$AFFINITY" "${sets[@]}" --json out.json --csv out.csv t.args out.txt 2>errors 3>&- &
	driver=$!
	catching "$driver" || { kill "$driver" && return 1; }
	sleep "$wait"
}

# ended SIGNAL: the signal is sent, and `code` is what the driver ended with.
ended() {
	kill -s "$1" "$driver"
	code=0
	wait "$driver" || code=$?
	echo "exit $code"
	cat errors
}

# interrupted SIGNAL [KEY=VALUE]...: started and ended, once the first operation has a sample, interleaved ones each: later
# where this machine has other work.
interrupted() {
	local wait
	for wait in 0.3 2 10 30; do
		started $wait numIter=1000000 warmup=0 "${@:2}"
		[[ $1 != @(HUP|XCPU) ]] || kill -s "$1" "$driver" # twice
		ended "$1"
		! jq -e --arg of "$*" '.runs[0].operations[:if $of | contains("interleave") then 2 else 1 end] |
			all(.threads[0].samples | length > 0)' out.json >/dev/null 2>&1 || return 0
	done
}

# kept: results are whole, and say that they are not all that was asked for.
kept() { # SIGNAL'S-NUMBER
	[ "$code" -eq $((128 + $1)) ]
	grep -qx 'affinity: interrupted; what was measured is written' errors
	grep -q '^ - interrupted: ' out.txt
	is_whole out.txt
	jq -e '.interrupted and (.runs[0].operations[0].threads[0] | (.samples | length) > 0 and .figures.n > 0)' out.json >/dev/null
	[ "$(wc -l <out.csv)" -gt 2 ]
	no_temporary_files
}

@test "Ctrl-C keeps what was measured and says that it was interrupted" {
	interrupted INT
	kept 2
}

@test "a TERM signal keeps what was measured like Ctrl-C" {
	interrupted TERM
	kept 15
}

@test "a terminal that closes keeps what was measured, and two HUP signals do no harm" {
	interrupted HUP
	kept 1
}

@test "Ctrl-C while samples are interleaved keeps them, and accuses nobody of a wrong result" {
	# each operation overwrites what the other one's verify() would find
	interrupted INT interleave=yes "opType=write read_write" nodePerVector=first tamPerVector=64KiB nodePerThread=first vectorPerThread=0
	kept 2
	grep -q 'interrupted: the results of interleaved kernels are not verified' errors
	jq -e '.runs[0].operations | all(.threads[0].samples | length > 0)' out.json >/dev/null
	[ "$(grep -c '; interrupted' out.txt)" -eq 2 ]
}

@test "Ctrl-C keeps interleaved samples of kernels that share their vectors, beside threads alone" {
	interrupted TERM interleave=yes solo=yes "opType=gups write" nodePerVector=first tamPerVector=64KiB "vectorPerThread=0 1"
	kept 15
	[ "$(grep -c "element\|thread [01], " errors)" -eq 0 ]
}

@test "an interleaved operation that fails accuses no other one" {
	[ "$(usable_cpus | wc -l)" -gt 1 ] || skip "there is one CPU only, and every thread is on it"
	shims_setup
	try "$tools/refuse" sched_setaffinity=OK -- "$AFFINITY" --set interleave=yes --set "opType=null fp_add int_add" \
		--set nodePerThread=first t.args out.txt
	[ "$status" -ne 77 ] || skip "no seccomp filters here: $stderr"
	[ "$status" -eq 3 ]
	[ "$(grep -c 'threads were moved off their CPUs in 6 samples in a row' <<<"$stderr")" -eq 1 ]
	[ "$(grep -vc 'warning: \|^  hint: ' <<<"$stderr")" -eq 1 ]
	[ ! -e out.txt ]
}

@test "a limit of CPU time keeps what was measured like Ctrl-C, however often it is signalled" {
	interrupted XCPU
	kept 24
}

@test "Ctrl-C in a later placement keeps the earlier ones, and marks what lacks placements" {
	local order wait
	for order in no yes; do
		# long enough for a second placement, also where others keep the machine busy
		for wait in 0.6 3 15; do
			started $wait numIter=2 warmup=0 placements=100 "opType=null fp_add" "sleep=20ms*" interleave=$order
			ended INT
			! jq -e '.runs[0].operations[0].threads[0].figures.by_placement_s | length > 1' out.json >/dev/null 2>&1 || break
		done
		kept 2
		jq -e '.runs[0] | .placements < 100 and .placements > 1 and (.operations | all(.ended_by == "interrupted"))
			and (.operations[0].threads[0] | (.figures.by_placement_s | length) > 1
			and (.samples | length) == .figures.n)' out.json >/dev/null
	done
}

@test "kernels that were not reached are told as not measured" {
	interrupted INT "opType=null read" nodePerVector=first tamPerVector=64KiB "vectorPerThread=0 1"
	kept 2
	grep -q '^read .*| Thread 1: *not measured$' out.txt
	jq -e '.runs[0].operations[1] | .total_s == null and (.threads | all(.figures == null and .samples == []))' out.json >/dev/null
}

@test "Ctrl-C before anything is measured writes nothing" {
	echo earlier >out.json
	started 0.1 warmup=1000000 "sleep=0 50"
	ended INT
	[ "$code" -eq 130 ]
	grep -qx 'affinity: interrupted before anything was measured; nothing is written' errors
	[ ! -e out.txt ]
	[ "$(<out.json)" = earlier ]
	no_temporary_files
}

@test "a second Ctrl-C does not wait for the sample to end" {
	started 0.1 "sleep=0 1min"
	signalled "$driver" INT
	ended INT
	[ "$code" -eq 130 ]
	[ ! -e out.txt ]
	no_temporary_files
}

# spinners PID: of the threads of a process, those that run or want to.
spinners() {
	cat "/proc/$1"/task/*/stat 2>/dev/null | sed 's/.*) //' | grep -c '^R' || true
}

@test "threads that touched the vectors sleep while a thread alone is measured" {
	printf '%s\n' 'opType: idle_sleep' 'nodePerThread: first' 'nodePerVector: first' 'tamPerVector: 64KiB' \
		'vectorPerThread: 0' 'passes: 60000' 'numIter: 1' 'warmup: 0' >t.args
	# whatever the user says of waiting
	(export OMP_WAIT_POLICY=active GOMP_SPINCOUNT=30000000000 KMP_BLOCKTIME=infinite
		exec "$AFFINITY" t.args out.txt) 2>errors 3>&- &
	driver=$!
	local asleep=0
	for _ in {1..2400}; do
		# more than one thread: those that touched are still there
		if [ "$(find "/proc/$driver/task" -mindepth 1 -maxdepth 1 | wc -l)" -gt 1 ] && [ "$(spinners "$driver")" -eq 0 ]; then
			asleep=$((asleep + 1))
			[ "$asleep" -lt 5 ] || break
		else
			asleep=0
		fi
		sleep 0.05
	done
	ended KILL
	[ "$asleep" -eq 5 ]
}

@test "a program that cannot be started again says that idle threads spin" {
	cp "$AFFINITY" copy
	exec 8<copy
	rm copy
	try /proc/self/fd/8 t.args out.txt
	exec 8<&-
	[ "$status" -eq 0 ]
	[[ $stderr == "affinity: warning: idle threads of OpenMP spin for a while beside samples of fewer threads: the program cannot be started again: No such file or directory
  hint: export OMP_WAIT_POLICY=PASSIVE GOMP_SPINCOUNT=0 KMP_BLOCKTIME=0"* ]]
}

@test "bindings of the OpenMP runtime do not shrink what may be used" {
	"$AFFINITY" --topology | sed '/available/d' >without
	OMP_PROC_BIND=true OMP_PLACES=cores "$AFFINITY" --topology 2>/dev/null | sed '/available/d' >with
	cmp without with
	OMP_PROC_BIND=true OMP_PLACES="{$(own_cpu)}" "$AFFINITY" --topology 2>/dev/null | sed '/available/d' >with
	cmp without with
	OMP_PROC_BIND=true OMP_PLACES=cores try "$AFFINITY" --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	[[ $stderr == "affinity: warning: OMP_PROC_BIND is set; affinity places its threads itself"* ]]
	jq -e '.environment.openmp_environment | .OMP_PROC_BIND == "true" and .OMP_PLACES == "cores"' out.json >/dev/null
	jq -e '.warnings | any(.text | contains("OMP_PROC_BIND"))' out.json >/dev/null
	grep -q '^ - OMP_PROC_BIND is set' out.txt
}

@test "what OpenMP is told about numbers of threads does not matter" {
	for setting in OMP_NUM_THREADS=1 OMP_DYNAMIC=true; do
		try env "$setting" "$AFFINITY" --json out.json t.args out.txt
		[ "$status" -eq 0 ]
		jq -e '.runs[0].operations[0].threads | length == 2' out.json >/dev/null
	done
}

@test "too few threads of OpenMP are told and are exit 1" {
	OMP_THREAD_LIMIT=1 try "$AFFINITY" t.args out.txt
	[ "$status" -eq 1 ]
	[[ $stderr == *"affinity: OpenMP gave 1 thread instead of 2
  hint: unset OMP_THREAD_LIMIT, and see ulimit -u"* ]]
	[ ! -e out.txt ]
}

@test "--quiet holds back warnings, and not errors" {
	sed -i 's/first\*2/first/' t.args
	try "$AFFINITY" --set sleep=5 t.args out.txt
	[[ $stderr == "affinity: warning: sleep has one value"* ]]
	try "$AFFINITY" --quiet --set sleep=5 t.args out.txt
	[ "$status" -eq 0 ]
	[ -z "$output$stderr" ]
	grep -q '^ - sleep has one value' out.txt
	try "$AFFINITY" --quiet t.args none/out.txt
	[ "$status" -eq 1 ]
	[[ $stderr == "affinity: cannot write 'none/out.txt'"* ]]
	OMP_PROC_BIND=true OMP_THREAD_LIMIT=1 try "$AFFINITY" --quiet --set nodePerThread=first*2 t.args out.txt
	[ "$status" -eq 1 ]
	[[ $stderr == "affinity: OpenMP gave 1 thread instead of 2"* && $stderr != *warning* ]]
}

@test "it runs without a terminal and with standard input closed" {
	try setsid --wait "$AFFINITY" t.args out.txt <&-
	[ "$status" -eq 0 ]
	[ -z "$output" ]
	only_warnings
	grep -q -- '-Results-' out.txt
}

@test "progress is shown on a terminal, and not with --quiet" {
	command -v script >/dev/null || skip "there is no script(1) to make a terminal"
	local run="'$AFFINITY' --set numIter=2 --set warmup=1 --set placements=3 --set 'sleep=0 100' t.args out.txt"
	try script -qec "$run" /dev/null </dev/null
	[ "$status" -eq 0 ]
	[[ $output == *"touching vectors; 0 s"*"null, sample "[123]" of 3; "*" s, about "*" s to go"* ]]
	try script -qec "$run --quiet" /dev/null </dev/null
	[ "$status" -eq 0 ]
	[ -z "$output" ]
}

# Makes a control group of its own with a tenth of a CPU, of version 1 or 2, and says where it is.
make_quota() {
	local parent group
	for parent in /sys/fs/cgroup/cpu /sys/fs/cgroup/cpu,cpuacct /sys/fs/cgroup /sys/fs/cgroup/unified; do
		group=$parent/affinity-$$
		mkdir "$group" 2>/dev/null || continue
		# a folder of a file system that only holds those of the groups has no such files
		if [ ! -e "$group/cgroup.procs" ]; then
			:
		elif echo 2000 20000 2>/dev/null >"$group/cpu.max" ||
			{ echo 20000 >"$group/cpu.cfs_period_us" && echo 2000 >"$group/cpu.cfs_quota_us"; } 2>/dev/null; then
			echo "$group"
			return 0
		fi
		rmdir "$group"
	done
	return 1
}

@test "a CPU quota that holds the threads up is named, with its remedy" {
	local group
	group=$(make_quota) || skip "no control group with a CPU quota can be made here (no root, or no cpu controller)"
	printf '%s\n' 'opType: fp_add' 'nodePerThread: first' 'mode: time:200ms' 'numIter: 2' 'warmup: 0' >t.args
	# shellcheck disable=SC2016 # for the inner shell
	try sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' sh "$group" "$AFFINITY" --json out.json --csv out.csv t.args out.txt
	rmdir "$group"
	[ "$status" -eq 0 ]
	[[ $stderr == *"warning: a CPU quota limits this process"*"cpu_quota = 0.1 CPUs"*"hint: lift it"* ]]
	[[ $stderr == *"warning: a CPU quota of 0.1 CPUs held the threads up for "*" s during the run"* ]]
	jq -e '.environment | .cpu_quota_cpus == 0.1 and (.throttled_during_run | .seconds > 0 and .periods > 0)' out.json
	# in a tenth of 200 ms a period ends, and the thread loses what the group was stopped
	jq -e '.runs[0].operations[0] | (.samples.throttled == .samples.taken) and (.threads[0].samples
		| all(.throttled_ns > 0 and .disturbed_flags >= 32 and (.run_delay_ns < 0 or .run_delay_ns > .throttled_ns / 4)))' out.json
	grep -qE '^ - fp_add: .*, CPU quota [1-9][0-9]*, ' out.txt
	same "$(jq '[.runs[0].operations[0].threads[0].samples[].throttled_ns] | add' out.json)" \
		"$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			{ sum += $at["throttled_ns"] } END { printf "%.0f\n", sum }' out.csv)"
}

@test "without a quota no sample is marked as stopped by one" {
	try "$AFFINITY" --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	jq -e '.environment.cpu_quota_cpus != null or (.runs[0].operations[0] | .samples.throttled == 0
		and (.threads | all(.samples | all(.throttled_ns == 0))))' out.json
}
