#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The programs at work, and what is done to them; part of tests/torture/torture.
# shellcheck disable=SC2154 # variables of torture
# shellcheck disable=SC2034 # for outcome.bash
# shellcheck disable=SC2016 # what other shells expand
# shellcheck disable=SC2054 # a comma of affinity-map

# ---- work

# Each takes some tenths of a second.
write_args() { # NAME
	local lines=('nodePerThread: first*2' 'oversubscribe: yes' 'nodePerVector: first*2' 'vectorPerThread: 0, 1' 'tamPerVector: 64KiB*' 'timeLimit: 1s')
	case $1 in
	one_thread) lines=('opType: read' 'nodePerThread: first' 'nodePerVector: first' 'vectorPerThread: 0' 'tamPerVector: 64KiB' 'numIter: 3') ;;
	plain) lines+=('opType: read write' 'numIter: 60' 'passes: 20') ;;
	interleaved) lines+=('opType: write read_write' 'numIter: 40' 'passes: 20' 'interleave: yes') ;;
	swept) lines+=('opType: load' 'sweep: s = 1..6:1' 'passes: $s' 'numIter: 20' 'baseline: s=1' 'table: speedup rows=s cols=thread') ;;
	drawn) lines+=('opType: load' 'sweep: s = 1 2' 'passes: $s' 'numIter: 10' 'plot: cost x=s by=thread') ;;
	timed) lines+=('opType: load store' 'mode: time:5ms' 'numIter: 20') ;;
	alone) lines+=('opType: read write' 'numIter: 20' 'passes: 20' 'solo: yes') ;;
	esac
	printf '%s\n' "${lines[@]}" >t.args
}

any() { # WORD...; sets chosen (a subshell would not move RANDOM on)
	local words=("$@")
	chosen=${words[$((RANDOM % $#))]}
}

# Sets command, and writes what it needs.
work_affinity() {
	any plain interleaved swept drawn timed alone
	write_args "$chosen"
	earlier o.json o.csv o.txt
	what="affinity ($chosen)"
	command=("$bin/affinity" --json o.json --csv o.csv t.args o.txt)
}

work_map() {
	earlier o.json o.txt
	what=affinity-map
	command=("$bin/affinity-map" --mapping compact,os --runs 2 --json o.json --out o.txt --
		sh -c 'sleep 20 & sleep 0.0$((RANDOM % 9 + 1)); kill $!' : sh -c 'sleep 0.05')
}

work_report() {
	rm -rf results
	cp -r "$scratch/stored" results
	earlier results/report.html
	what=affinity-report
	command=("$bin/affinity-report" results)
}

work_ejec() {
	mkdir -p batch out
	local name
	for name in plain swept one_thread; do
		write_args "$name"
		mv t.args "batch/$name.args"
	done
	what=ejec.sh
	command=("$root/scripts/ejec.sh" -o out batch)
}

judge_affinity() { measured_or_not; }

judge_map() {
	whole_or_earlier o.json '}'
	says_why
	nothing_left
}

judge_report() {
	whole_or_earlier results/report.html '</html>'
	says_why
	nothing_left
}

judge_ejec() {
	local name
	nothing_left
	for name in plain swept one_thread; do
		together "out/$(uname -n | cut -d. -f1)/batch/$name"
	done
	! grep -qs 'exit status 1[0-9][0-9]' out/*/batch/*.skipped || fault "a signal is recorded as a failure"
}

# ---- signals

declare -A number=([HUP]=1 [INT]=2 [QUIT]=3 [TERM]=15)

# Up to half a second, more often soon.
random_pause() {
	local ms=$((RANDOM % 500 * (RANDOM % 1000) / 1000))
	sleep "$(printf '0.%03d' "$ms")"
}

blow_signals() {
	local program first second=
	any affinity affinity map report ejec
	program=$chosen
	"work_$program"
	any INT TERM INT TERM HUP QUIT
	first=$chosen
	if ((RANDOM % 3 == 0)); then
		any INT TERM HUP QUIT
		second=$chosen
	fi
	start "${command[@]}"
	random_pause
	kill -s "$first" "$pid" 2>/dev/null || true
	if [[ -n $second ]]; then
		random_pause
		kill -s "$second" "$pid" 2>/dev/null || true
	fi
	finish
	what+=", SIG$first${second:+ and SIG$second}"
	exit_is 0 1 $((128 + ${number[$first]})) ${second:+$((128 + ${number[$second]}))}
	"judge_$program"
	count_in "signals to ${what%%[, ]*}"
}

count_in() { did[$1]=$((${did[$1]:-0} + 1)); }
skip_it() { skipped[$1]=$((${skipped[$1]:-0} + 1)); }

# ---- calls that fail

# name, errors that it can have (Linux, x86-64 and Arm alike)
calls=(
	'write 28 5 4 27' 'close 5' 'fsync 5 28 22 30' 'fchmod 1 95' 'rename 13 18 28' 'renameat2 22 38 13'
	'mkstemp 13 28 24' 'fork 11 12' 'execv 2 13 12' 'pipe2 24 23' 'dup2 9 24' 'fopen 24 13 2' 'open 24 13 2'
	'realpath 13 2' 'munmap 12' 'madvise 22 12' 'mbind 12 1 22' 'move_pages 1 38 12' 'set_mempolicy 1 22'
	'sched_setaffinity 22 1' 'sched_getaffinity 22' 'sched_getcpu 38' 'pthread_create 11'
	'malloc 12' 'calloc 12' 'realloc 12' 'mmap 12'
)

# Sets fail, the environment in which the N-th call of a kind fails; N+: and all later ones.
failing() { # CALL ERROR N
	case $1 in
	malloc | calloc | realloc | mmap) fail=("LD_PRELOAD=$shims/memory.so" "MEMORY_OF=$1" "MEMORY_FAILS=$3" "MEMORY_COUNT=$PWD/calls") ;;
	*) fail=("LD_PRELOAD=$shims/nth.so" "FAIL=$1:$3:$2" "FAIL_COUNT=$PWD/calls") ;;
	esac
}

# How often the program makes a call; once for each program and call.
declare -A made=()
count_calls() { # PROGRAM CALL
	[[ -z ${made[$1 $2]-} ]] || return 0
	failing "$2" 0 0
	made[$1 $2]=0
	start env "${fail[@]}" "${command[@]}"
	finish
	[[ ! -s calls ]] || made[$1 $2]=$(<calls)
	rm -f calls
}

blow_calls() {
	local program call errors n error times more=
	any affinity affinity affinity map report
	program=$chosen
	any "${calls[@]}"
	read -r call errors <<<"$chosen"
	# shellcheck disable=SC2086 # words
	any $errors
	error=$chosen
	"work_$program"
	count_calls "$program" "$call"
	times=${made[$program $call]}
	RANDOM=$((seed + 1000003 * case + 1)) # as if it had been counted before
	"work_$program"
	((times > 0)) || { count_in "calls that are not made" && return; }
	n=$((RANDOM % times + 1))
	((RANDOM % 2)) || more=+
	((error != 4)) || more= # a call that is interrupted for ever is tried again for ever
	failing "$call" "$error" "$n$more"
	start env "${fail[@]}" "${command[@]}"
	finish
	what+=", $call number $n$more fails with $error"
	if [[ $program == map ]]; then
		exit_is {0..127} # its programs fail too, and it passes their status on
	else
		exit_is 0 1 2 3 4
	fi
	rm -f calls
	"judge_$program"
	count_in "calls of ${what%%[, ]*} that fail"
}

# ---- resources that are missing

find_rights() {
	may_mount=no
	if unshare -m sh -c 'mount -t tmpfs none /mnt' 2>/dev/null; then
		may_mount=(unshare -m)
	elif unshare -rm sh -c 'mount -t tmpfs none /mnt' 2>/dev/null; then
		may_mount=(unshare -rm)
	fi
}

limits=(disk disk files memory descriptors processes closed full empty_environment no_sys no_proc time)

blow_limits() {
	local program limit amount
	any affinity affinity map report ejec
	program=$chosen
	any "${limits[@]}"
	limit=$chosen
	"work_$program"
	amount=$RANDOM
	case $limit in
	disk)
		[[ ${may_mount[0]} != no ]] || { skip_it "no right to mount a small file system" && return; }
		small_disk "$program" $((amount % 60 * 4 + 4))
		return
		;;
	files) around=(bash -c 'ulimit -f "$0"; exec "$@"' $((amount % 100))) ;;
	memory) around=(bash -c 'ulimit -v "$0"; exec "$@"' $((amount % 300 * 1000 + 8000))) ;;
	descriptors) around=(bash -c 'ulimit -n "$0"; exec "$@"' $((amount % 30 + 4))) ;;
	processes)
		(($(id -u))) || { skip_it "root has no limit of processes" && return; }
		around=(bash -c 'ulimit -u "$0"; exec "$@"' $((amount % 60 + 1)))
		;;
	closed)
		any '<&-' '>&-' '2>&-' '<&- >&-' '<&- >&- 2>&-' '>&- 2>&-'
		around=(bash -c "exec \"\$@\" $chosen" -)
		limit="closed $chosen"
		;;
	full)
		any '>/dev/full' '2>/dev/full' '>/dev/full 2>&1'
		around=(bash -c "exec \"\$@\" $chosen" -)
		limit="$chosen"
		;;
	empty_environment) around=(env -i "TMPDIR=$tmp" "AFFINITY=$AFFINITY" "PATH=$PATH") ;;
	no_sys | no_proc)
		[[ ${may_mount[0]} != no ]] || { skip_it "no right to hide /${limit#no_}" && return; }
		around=("${may_mount[@]}" sh -c 'mount -t tmpfs none "$0" && exec "$@"' "/${limit#no_}")
		;;
	time) around=(bash -c 'ulimit -t 1; exec "$@"' -) ;;
	esac
	start "${around[@]}" "${command[@]}"
	finish
	what+=", $limit $amount"
	judge_limit "$program"
	count_in "limits (${limit%% *})"
}

# The shells around, and the loader, have statuses of their own where they get no memory or descriptor; SIGXCPU and
# SIGKILL are those of ulimit -t.
judge_limit() { # PROGRAM
	if [[ $1 == ejec ]] || grep -qE 'error while loading shared libraries|bash: |cannot (fork|allocate)|libgomp: |: line [0-9]+: ' "$complaints"; then
		exit_is 0 1 2 3 4 126 127 130 134 137 152 254 255
		nothing_left
		[[ $1 != affinity ]] || together o
		return
	fi
	case $limit in
	time) exit_is 0 1 2 3 4 152 137 ;;
	*) exit_is 0 1 2 3 4 ;;
	esac
	[[ $limit != *'2>'* ]] || echo 'nowhere to say it' >"$complaints"
	"judge_$1"
}

# The work is done in a small file system, and its files are copied out before it goes. It has so much room beside what
# the program reads; where that did not fit, half of it would be copied in.
small_disk() { # PROGRAM KILOBYTES
	local limit=disk
	mkdir -p "$scratch/case/small"
	start "${may_mount[@]}" bash -c 'mount -t tmpfs -o "size=$(($(du -sk . | cut -f 1) + $0))k" none "$1" && cp -r ./* "$1"; cd "$1" || exit 99
		export PWD; "${@:2}"; code=$?; cd - >/dev/null; cp -r "$1"/. . ; ls -A "$1"; exit $code' "$2" "$scratch/case/small" "${command[@]}"
	finish
	what+=", a file system of $2 KiB"
	exit_is 0 1 2 3 4
	"judge_$1"
	count_in "limits (disk)"
}
