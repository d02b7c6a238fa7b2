#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# affinity-map: where the threads of unchanged programs run, seen from outside, and what becomes of bad ones.

# shellcheck disable=SC2030,SC2031 # each test is a process
# shellcheck disable=SC2016 # programs have variables of their own
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	MAP=$AFFINITY-map
	tools=$root/${AFFINITY_BUILD:-build}/tools
	[[ ${AFFINITY_BUILD:-build} != /* ]] || tools=$AFFINITY_BUILD/tools
	spawner=$tools/spawner
	unset LD_PRELOAD AFFINITY_MAP
	mapfile -t cpus < <(usable_cpus)
	started=
}

teardown() {
	rm -f ./*.gate
	[ -z "$started" ] || kill "$started" 2>/dev/null || true
}

two_cpus() {
	[ "${#cpus[@]}" -ge 2 ] || skip "one CPU only: every thread is on it"
}

# start [OPTION]... -- PROGRAM...: affinity-map in the background, on the first two CPUs of this machine.
start() {
	# a shell without job control lets a command in the background ignore SIGINT and SIGQUIT
	taskset -c "${cpus[0]},${cpus[1]}" env --default-signal=INT,QUIT "$MAP" "$@" >out 2>err 3>&- &
	started=$!
}

# group GATE: waits until the spawner behind it is complete; prints its process group.
group() {
	for _ in {1..2400}; do
		[ ! -e "$1" ] || break
		sleep 0.05
	done
	cat "$1"
}

# allowed GROUP: the CPUs that each thread of a process group may use, one a line, sorted.
allowed() {
	local process stat
	for process in /proc/[0-9]*; do
		read -r stat 2>/dev/null <"$process/stat" || continue
		[[ ${stat##*) } =~ ^[^Z]\ [0-9]+\ $1\  ]] || continue
		sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "$process"/task/*/status
	done | sort -n
}

# allowed_in PROCESS: the CPUs that each of its threads may use.
allowed_in() {
	sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' "/proc/$1"/task/*/status
}

# finish STATUS: opens the gates, and affinity-map ends with that.
finish() {
	rm -f ./*.gate
	ends "$1"
}

# ends STATUS: affinity-map does, with that.
ends() {
	status=0
	wait "$started" || status=$?
	started=
	stderr=$(<err)
	printf 'exit %s, errors:\n%s\n' "$status" "$stderr"
	[ "$status" -eq "$1" ]
}

# counted MAPPING N: the report has so many threads of the spawner.
counted() {
	grep -qE "^$1 +\\| spawner .* $2\$" err
}

interrupt() { # SIGNAL
	kill -s "$1" "$started"
}

gone() { # GROUP
	local left
	for _ in {1..2400}; do
		left=$(allowed "$1")
		[ -n "$left" ] || return 0
		sleep 0.05
	done
	echo "still there: $left"
	return 1
}

@test "threads and processes of every kind are bound as they begin, each program to its own CPUs" {
	two_cpus
	local kind a b
	for kind in pthread c11 fork exec spawn; do
		echo "$kind"
		start --mapping compact --threads 1 -- "$spawner" "$kind" 3 a.gate : "$spawner" "$kind" 2 b.gate
		a=$(group a.gate) b=$(group b.gate)
		same "$(printf '%s\n' "${cpus[0]}" "${cpus[0]}" "${cpus[0]}")" "$(allowed "$a")"
		same "$(printf '%s\n' "${cpus[1]}" "${cpus[1]}")" "$(allowed "$b")"
		finish 0
	done
}

@test "threads of one program take its CPUs in turn" {
	two_cpus
	local kind
	for kind in pthread c11 openmp fork exec spawn; do
		echo "$kind"
		OMP_NUM_THREADS=4 start --mapping compact --threads 2 -- "$spawner" "$kind" 4 a.gate
		same "$(printf '%s\n' "${cpus[0]}" "${cpus[0]}" "${cpus[1]}" "${cpus[1]}")" "$(allowed "$(group a.gate)")"
		finish 0
		counted compact 4
	done
}

@test "a place is free again when its thread ends, however that happens" {
	two_cpus
	local kind
	for kind in vfork killed; do
		echo "$kind"
		start --mapping compact --threads 2 -- "$spawner" "$kind" 2 a.gate
		same "$(printf '%s\n' "${cpus[0]}" "${cpus[1]}")" "$(allowed "$(group a.gate)")"
		finish 0
		counted compact 2
	done
}

# lost COMMAND...: a program that COMMAND executes without the library has both CPUs, and a warning says so.
lost() {
	echo "$*"
	start --mapping compact --threads 2 --json out.json -- "$@"
	same "$both"$'\n'"$both" "$(allowed_in "$(group a.gate)")"
	finish 0
	[[ $stderr == *"warning: '${1##*/}' executed 1 program that did not load the library"$'\n'* ]]
	grep -qx 'compact, program 0: 1 program without the library, on all its CPUs' err
	grep -q '"without_library": 1' out.json
}

@test "a program that loses the library by an exec has all CPUs of its program, and is reported" {
	two_cpus
	both=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' <(taskset -c "${cpus[0]},${cpus[1]}" cat /proc/self/status))
	lost env -i "$spawner" pthread 2 a.gate
	lost env -u LD_PRELOAD "$spawner" pthread 2 a.gate
	lost sh -c "LD_PRELOAD= '$spawner' pthread 2 a.gate; exit \$?"
	lost python3 -c "import subprocess as s; s.run(['$spawner', 'pthread', '2', 'a.gate'], env={}, check=True)"
	# system() and popen() start a shell, which has the library
	lost awk "BEGIN { system(\"exec env -i '$spawner' pthread 2 a.gate\") }"
	try "$MAP" --mapping compact --json out.json --out report -- bash -c 'for i in 1 2 3; do true | cat | /bin/true; done; exec true'
	[ -z "$stderr" ]
	grep -q '"without_library": 0' out.json
}

@test "an exec that fails leaves the thread bound" {
	two_cpus
	try "$MAP" --mapping compact --threads 2 --out report -- bash -c \
		'/nowhere/program; shopt -s execfail; exec /nowhere/program; while read -r a b; do [[ $a != Cpus_allowed_list: ]] || echo $b; done </proc/$$/status'
	[ "$status" -eq 0 ]
	same "${cpus[0]}" "$output"
}

@test "OpenMP has as many threads as the program has places, bound one each" {
	two_cpus
	start --mapping compact -- "$spawner" openmp 0 a.gate
	same "$(printf '%s\n' "${cpus[0]}" "${cpus[1]}")" "$(allowed "$(group a.gate)")"
	finish 0
}

@test "a bound program is told of all its CPUs, not of its thread's own" {
	two_cpus
	try "$MAP" --mapping compact --threads 2 --out report -- "$spawner" mask 0 no.gate
	[ "$status" -eq 0 ]
	same "2 2 2" "$output"
	try "$MAP" --mapping compact --threads 1 --out report -- "$spawner" mask 0 no.gate
	same "1 1 1" "$output"
}

@test "threads of mapping os are left alone, but counted" {
	two_cpus
	start --mapping os -- "$spawner" pthread 3 a.gate
	local list
	list=$(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' <(taskset -c "${cpus[0]},${cpus[1]}" cat /proc/self/status))
	same "$(printf '%s\n' "$list" "$list" "$list")" "$(allowed "$(group a.gate)")"
	finish 0
	[[ $stderr == *"program 0, 2 threads: not bound"* ]]
	counted os 3
}

@test "the plan gives each core a thread of both programs, by their mixes" {
	machine "$TWO_NODES"
	printf '%s\n' program,type,share true,fp,0.6 false,fp,0.1 >mix.csv
	try "$MAP" --plan --profile mix.csv -- true : false -x
	[ "$status" -eq 0 ]
	same "machine: HWLOC_SYNTHETIC=$TWO_NODES, 2 nodes, 4 cores, 8 CPUs
program 0: true
program 1: false -x
mapping instruction: sorted by fp, whose share differs most (shares: branch not known, fp 0.100 .. 0.600, int not known, load not known, store not known)
 program 0, 4 threads: CPU 0,2,4,6
 program 1, 4 threads: CPU 7,5,3,1" "$output"
	mkdir mixes
	sed -n '1p;2p' mix.csv >mixes/true.csv
	sed -n '1p;3p' mix.csv >mixes/false.csv
	try "$MAP" --plan --profile mixes --mapping instruction,roundrobin,os --threads 1 -- /bin/true : false
	[[ $output == *$'\nmapping instruction: sorted by fp, '*$'\nmapping roundrobin: '*$'\n program 1, 1 thread: CPU 2\nmapping os: '*$'\n program 1, 1 thread: not bound' ]]
}

@test "without a mix of every program instruction becomes compact and says so" {
	machine "$TWO_NODES"
	try "$MAP" --plan --threads 2 -- true : false
	[ "$status" -eq 0 ]
	[[ $output == *"mapping compact, in place of instruction: no instruction mix of 'true' is known (--profile; --plan starts nothing that could be counted)
 program 0, 2 threads: CPU 0,1
 program 1, 2 threads: CPU 2,3" ]]
	try "$MAP" --plan --threads 2 --mapping instruction,compact,os -- true : false
	[[ $output != *"in place of"* ]]
	same "affinity-map: warning: mapping instruction is left out: it would be the same as compact
  hint: no instruction mix of 'true' is known (--profile; --plan starts nothing that could be counted)" "$stderr"
}

@test "rows have the name of the mapping that was done" {
	printf '%s\n' program,type,share nonesuch,fp,0.6 >mix.csv
	# a mapping by a type that no counter has falls back before anything is counted
	try "$MAP" --mapping instruction,os --by int --profile mix.csv --runs 2 --json out.json --out report -- true
	[ "$status" -eq 0 ]
	if grep -q '^mapping instruction: ' report; then skip "this machine counts integer instructions"; fi
	grep -q '^mapping compact, in place of instruction: ' report
	grep -qE '^compact +\| true +2 ' report
	grep -qE '^os/compact: ' report
	run grep -E '^instruction' report
	[ "$status" -ne 0 ]
	jq -e '.mappings[0] | .mapping == "compact" and .asked == "instruction"' out.json
}

@test "mappings are compared in random order that the seed repeats" {
	try "$MAP" --mapping os,compact --runs 3 --seed 7 --json out.json --out report -- true
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	grep -q '^order: random, seed 7$' report
	grep -qE '^os +\| true +3 +[0-9.]+ +[0-9.]+ +[0-9.]+ ' report
	grep -qE '^compact/os: [0-9.]+, 95 % interval [0-9.]+ \.\. [0-9.]+$' report
	command -v jq >/dev/null || skip "jq is not installed (make setup installs it)"
	jq -e '.seed == 7 and .runs == 3 and (.mappings | map(.mapping) == ["os", "compact"]) and
		.mappings[0].programs[0].cpus == null and .mappings[1].programs[0].cpus != null and
		all(.mappings[].programs[]; (.samples | length) == 3 and all(.samples[]; .processes == 1 and .threads_begun == 1))
		and .mappings[1].ratio_to_first.low > 0 and .mappings[0].ratio_to_first == {value: 1, low: null, high: null} and .mappings[0].slowest.n == 3' out.json
	try "$MAP" --mapping os,compact --runs 3 --json out.json --out report -- true
	[[ $(<report) =~ $'\n'"order: random, seed "[1-9][0-9]*$'\n' ]]
}

@test "the document follows its schema, with and without a mix" {
	/usr/bin/python3 -c 'import jsonschema' 2>/dev/null ||
		skip "the system's Python has no jsonschema (make setup installs it)"
	printf '%s\n' program,type,share true,fp,0.6 >mix.csv
	local options
	for options in "--runs 1" "--runs 2 --mapping instruction,os --profile mix.csv"; do
		# shellcheck disable=SC2086 # words on purpose
		try "$MAP" $options --json out.json --out report -- true
		[ "$status" -eq 0 ]
		/usr/bin/python3 -m jsonschema -i out.json "$root/results/schema-map-1.json"
	done
	sed 's/"wall_s"/"wall"/' out.json >wrong.json
	run /usr/bin/python3 -m jsonschema -i wrong.json "$root/results/schema-map-1.json"
	[ "$status" -ne 0 ]
}

@test "installed, the program finds its library" {
	of_sources
	unset MAKEFLAGS MFLAGS MAKELEVEL
	case ${AFFINITY_BUILD:-build} in /*) skip "installed from a build folder of the tree only" ;; esac
	[ -w "$root/${AFFINITY_BUILD:-build}" ] || skip "the build folder cannot be written here, as in a container"
	make -C "$root" "BUILD=${AFFINITY_BUILD:-build}" install "DESTDIR=$PWD/into" PREFIX=/opt >log 2>&1 || { cat log && false; }
	try into/opt/bin/affinity-map --mapping compact --json out.json --out report -- true
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	grep -q '"processes": 1' out.json
	rm into/opt/lib/affinity/affinity-map.so
	try into/opt/bin/affinity-map -- true
	[ "$status" -eq 1 ]
	same "affinity-map: the library affinity-map.so is not beside the program
  hint: make builds it, make install puts it into PREFIX/lib/affinity" "$stderr"
}

@test "a program that ends with a status passes it on, and nothing of that run is reported" {
	touch f.gate
	try "$MAP" --runs 3 --mapping compact,os -- "$spawner" fail 0 f.gate
	[ "$status" -eq 7 ]
	same "affinity-map: 'spawner' ended with status 7" "$stderr"
}

@test "when a program dies by a signal the others are ended, and its status is passed on" {
	two_cpus
	local other
	start --mapping compact -- "$spawner" fork 2 a.gate : "$spawner" die 0 b.gate
	other=$(group a.gate)
	touch b.gate
	ends $((128 + 11))
	grep -qx "affinity-map: warning: 'spawner' was ended" err
	grep -qx "affinity-map: 'spawner' died by signal 11 (Segmentation fault)" err
	gone "$other"
}

@test "Ctrl-C ends all programs and their children" {
	two_cpus
	local one other number
	for number in INT TERM; do
		start --mapping compact -- "$spawner" fork 2 a.gate : bash -c "trap '' INT TERM; '$spawner' fork 2 b.gate"
		one=$(group a.gate)
		other=$(sed 's/.*) //' "/proc/$(group b.gate)/stat" | cut -d ' ' -f 3)
		interrupt "$number"
		ends $((128 + $(kill -l "$number")))
		grep -q "^affinity-map: interrupted by signal " err
		gone "$one"
		gone "$other"
		rm -f ./*.gate
	done
}

@test "processes that a program leaves behind are ended and told" {
	try "$MAP" --out report -- bash -c 'sleep 600 & echo $$ >left'
	[ "$status" -eq 0 ]
	same "affinity-map: warning: 'bash' left processes behind; they were ended" "$stderr"
	gone "$(<left)"
}

@test "programs that no library can be preloaded into are told, and kept on their CPUs" {
	two_cpus
	echo 'int main(int c, char **v) { while (c > 1 && !fopen(v[1], "r")); return 0; }' >still.c
	sed -i '1i #include <stdio.h>' still.c
	gcc -static -o still still.c 2>/dev/null || skip "no static C library here"
	start --mapping compact --threads 1 -- true : ./still end.gate
	local process _ found=
	for _ in {1..2400}; do
		for process in /proc/[0-9]*; do
			[[ ! $process/exe -ef still ]] || found=${process#/proc/}
		done
		[ -z "$found" ] || break
		sleep 0.05
	done
	same "${cpus[1]}" "$(allowed "$found")"
	touch end.gate
	ends 0
	grep -qx "affinity-map: warning: 'still' is statically linked: no library can be preloaded into it" err
	# a script is as good as its interpreter
	printf '#!%s\n' "$PWD/still" >script
	chmod +x script
	try "$MAP" --plan --threads 1 -- ./script
	[[ $stderr == *"'script' is statically linked"* ]]
}

@test "a setuid program is told" {
	local program
	[ "$(id -u)" -ne 0 ] || {
		need_nobody
		cp /bin/true ./suid
		chmod 4755 suid
		try "${nobody[@]}" "$MAP" --plan --threads 1 -- ./suid
		[[ $stderr == *"'suid' is setuid or setgid: no library can be preloaded into it"* ]]
		return
	}
	program=$(command -v su) || skip "no setuid program here"
	[ -u "$program" ] || skip "su is not setuid here"
	try "$MAP" --plan --threads 1 -- su
	[[ $stderr == *"'su' is setuid or setgid"* ]]
}

@test "a program that binds itself is told" {
	two_cpus
	try "$MAP" --mapping compact --threads 2 --out report -- "$spawner" own 0 no.gate
	[ "$status" -eq 0 ]
	[[ $stderr == "affinity-map: warning: 'spawner' bound threads itself 1 time: not all ran where mapped"* ]]
}

@test "one file for two purposes is refused" {
	printf '%s\n' program,type,share true,fp,0.6 >p.csv
	try "$MAP" --out x --json ./x -- true
	[ "$status" -eq 2 ]
	same "affinity-map: 'x' and './x' are the same file
  hint: name another: one would replace the other, or be read twice" "$stderr"
	try "$MAP" --profile p.csv --out p.csv -- true
	[ "$status" -eq 2 ]
	same "affinity-map: 'p.csv' and 'p.csv' are the same file
  hint: name another: one would replace the other, or be read twice" "$stderr"
	grep -q true p.csv
	[ ! -e x ]
}

@test "what cannot be written is told before anything runs, and a full disk leaves all files as they were" {
	try "$MAP" --json none/o.json --out none/o.txt -- touch ran
	[ "$status" -eq 1 ]
	[[ $stderr == *"cannot write 'none/o.json': "*"cannot write 'none/o.txt': "* ]]
	[ ! -e ran ]
	mkdir disk
	mount -t tmpfs -o size=16k,nr_inodes=9 none disk 2>/dev/null || skip "no file system of our own can be mounted here"
	echo earlier | tee disk/o.json >o.txt
	dd if=/dev/zero of=disk/filler bs=4k 2>/dev/null || :
	try "$MAP" --json disk/o.json --out o.txt -- true
	cat disk/o.json >o.json
	umount disk
	[ "$status" -eq 1 ]
	[[ $stderr == *"affinity-map: cannot write 'disk/o.json': No space left on device"*"affinity-map: no file of this run is written"* ]]
	[ "$(cat o.txt o.json)" = $'earlier\nearlier' ]
	no_temporary_files
}

# stopped: the program of `start` is behind its gate, which affinity-map is stopped for.
@test "a run in which affinity-map was stopped is repeated" {
	start --mapping compact --threads 1 -- sh -c "echo run >>ran; '$spawner' pthread 1 a.gate"
	group a.gate >process
	kill -STOP "$started"
	rm a.gate
	local state
	for _ in {1..2400}; do
		state=$(cat "/proc/$(<process)/stat" 2>/dev/null) || break
		[[ $state != *") Z "* ]] || break
		sleep 0.05
	done
	rm -f process
	kill -CONT "$started"
	group a.gate >process
	finish 0
	same "affinity-map: warning: affinity-map was stopped while programs ran; that run of compact does not count" "$(grep warning err)"
	same 2 "$(wc -l <ran)"
	grep -qE '^compact +\| sh +1 ' err
}

@test "a program that stays stopped is ended with a message, one that is continued is measured" {
	try "$MAP" --mapping compact --oversubscribe --threads 1 -- sh -c 'kill -STOP $$' : sleep 600
	[ "$status" -eq $((128 + 19)) ]
	same "affinity-map: 'sh' was stopped by signal 19 (Stopped (signal))
  hint: no process continued it for 2 seconds, so it was ended
affinity-map: warning: 'sleep' was ended" "$stderr"
	# again and again until it goes on: on a busy machine the first may come before it has stopped
	try "$MAP" --mapping compact --threads 1 --out report -- \
		sh -c '{ for i in $(seq 99); do sleep .2; kill -CONT $$; [ ! -e on ] || exit; done; } & kill -STOP $$; >on; sleep 1; wait'
	[ "$status" -eq 0 ]
	same "affinity-map: warning: 'sh' was stopped and continued: its wall-clock time includes that" "$stderr"
}

# on_terminal COMMAND: runs it in an interactive shell's place, on a terminal of its own.
on_terminal() {
	command -v script >/dev/null || skip "no script(1) here"
	try timeout 60 script -qec "$1" /dev/null </dev/null
}

@test "a program in the foreground gets the terminal when it needs it, one in the background is refused" {
	on_terminal "'$MAP' --mapping compact --oversubscribe --threads 1 --out report -- sh -c 'stty -F /dev/tty -echo; echo one' : sh -c 'stty -F /dev/tty echo; echo two'"
	[ "$status" -eq 0 ]
	[[ $output == *one* ]]
	[[ $output == *two* ]]
	on_terminal "bash -c \"set -m; '$MAP' --mapping compact --threads 1 -- sh -c 'stty -F /dev/tty -echo; echo one' & wait %1; echo status \\\$?\""
	[[ $output == *"affinity-map: 'sh' was stopped by signal 22 (Stopped (tty output))"* ]]
	[[ $output == *"hint: it needs the terminal, which only a command in the foreground has"* ]]
	[[ $output == *"status 150"* ]]
}

@test "Ctrl-Z stops the programs too, and that run is repeated" {
	command -v script >/dev/null || skip "no script(1) here"
	cat >job <<-END
		set -m
		'$MAP' --mapping compact --threads 1 --out report -- sh -c "echo run >>ran; '$spawner' pthread 1 a.gate" 2>err &
		echo \$! >map
		while ! [ -e a.gate ]; do sleep .05; done
		kill -TSTP %1
		while ! jobs %1 | grep -q Stopped; do sleep .05; done
		read -r _ _ state _ </proc/\$(<a.gate)/stat
		echo "state \$state"
		rm a.gate
		bg %1
		while ! [ -e a.gate ]; do sleep .05; done
		rm a.gate
		wait %1
		echo "status \$?"
	END
	on_terminal "bash job"
	[[ $output == *"state T"* ]]
	[[ $output == *"status 0"* ]]
	same 2 "$(wc -l <ran)"
	grep -q 'that run of compact does not count' err
}

@test "a signal that was ignored before stays ignored, as under nohup" {
	two_cpus
	local number
	for number in HUP INT; do
		(trap '' "$number"; exec env taskset -c "${cpus[0]},${cpus[1]}" "$MAP" --mapping compact --threads 1 -- "$spawner" pthread 1 a.gate >out 2>err 3>&-) &
		started=$!
		group a.gate >process
		kill -s "$number" "$started" "$(<process)"
		finish 0
		rm process
	done
}

@test "daemons that a program leaves behind are ended and told" {
	command -v setsid >/dev/null || skip "no setsid here"
	try "$MAP" --mapping compact --threads 1 --out report -- sh -c 'setsid -f sh -c "echo \$\$ >daemon; exec sleep 600"; while ! [ -s daemon ]; do sleep .01; done'
	[ "$status" -eq 0 ]
	same "affinity-map: warning: 'sh' left processes behind; they were ended" "$stderr"
	[ ! -e "/proc/$(<daemon)" ]
	# who was a child before is none of the programs'
	try bash -c "sleep 600 >/dev/null 2>&1 3>&- & echo \$! >before; exec '$MAP' --mapping compact --threads 1 --out report -- true"
	kill "$(<before)"
	[ -z "$stderr" ]
}

@test "programs find the signals as a shell leaves them" {
	try "$MAP" --mapping compact --threads 1 --out report -- grep -E '^Sig(Blk|Ign):' /proc/self/status
	same "$(grep -E '^Sig(Blk|Ign):' /proc/self/status)" "$output"
}

@test "all mistakes of a command line are told, and nothing is started" {
	try "$MAP" --mapping scater,os,os --runs 0 --by flot --frob --thread=2 -- touch made
	[ "$status" -eq 2 ]
	same "affinity-map: unknown --mapping 'scater'; did you mean 'scatter'?
  hint: --mapping is one of compact, scatter, roundrobin, os, instruction, random, gomp
affinity-map: --mapping has os twice
affinity-map: --runs = 0 is out of range
  hint: --runs takes 1 .. 10000
affinity-map: unknown --by 'flot'
  hint: --by is one of branch, fp, int, load, store, spread
affinity-map: unknown option '--frob'
  hint: affinity-map --help lists the options
affinity-map: unknown option '--thread'; did you mean '--threads'?
  hint: affinity-map --help lists the options" "$stderr"
	try "$MAP" --threads 1,x,1 -- touch made : nonesuch : /tmp
	[ "$status" -eq 2 ]
	same "affinity-map: there is no program 'nonesuch': no folder of PATH has it
  hint: a program that is in no folder of PATH needs its path, such as ./program
affinity-map: there is no program '/tmp': it is a folder
  hint: is the path right, and is it a program?
affinity-map: --threads 'x' is not a number of threads
  hint: 1 .. 8192" "$stderr"
	try "$MAP" --threads 1,2,3 -- touch made : true
	same "affinity-map: --threads has 3 values, but there are 2 programs
  hint: give one value, or one for each program" "$stderr"
	try "$MAP" --profile /nowhere -- touch made
	same "affinity-map: cannot read the profile '/nowhere': No such file or directory
  hint: scripts/profile PROGRAM writes one of a program, affinity --mix FILE one of kernels" "$stderr"
	local words
	for words in "" "--" ": true" "true :" "true : true : : true" "true : : true : : true"; do
		# shellcheck disable=SC2086 # words on purpose
		try "$MAP" $words
		[ "$status" -eq 2 ]
	done
	try "$MAP" --json /nowhere/out.json -- touch made
	[ "$status" -eq 1 ]
	[ ! -e made ]
}

@test "a mapping that cannot be met is refused unless threads may take turns" {
	machine "$TWO_NODES"
	try "$MAP" --plan --mapping compact --threads 5 -- true : true
	[ "$status" -eq 3 ]
	same "affinity-map: mapping compact: 10 threads, but only 8 hardware threads that may be used
  hint: --threads sets how many threads each program has; --oversubscribe lets them take turns" "$stderr"
	try "$MAP" --plan --mapping compact --threads 5 --oversubscribe -- true : true
	[ "$status" -eq 0 ]
	try "$MAP" -- true
	[ "$status" -eq 3 ]
	same "affinity-map: cannot run programs on a topology that is not this machine: HWLOC_SYNTHETIC=$TWO_NODES" "$stderr"
}

@test "a file that cannot be executed is told" {
	printf 'no program' >broken
	chmod +x broken
	try "$MAP" -- ./broken
	[ "$status" -eq 1 ]
	same "affinity-map: './broken' cannot be executed: Exec format error" "$stderr"
	printf '#!/nowhere/sh\n' >broken
	try "$MAP" -- ./broken
	same "affinity-map: './broken' cannot be executed: No such file or directory" "$stderr"
}

@test "a profile counts what a program and its children execute, and affinity-map takes it" {
	command -v valgrind >/dev/null || skip "valgrind is not installed (make setup installs it)"
	[ "$(uname -m)" = x86_64 ] || skip "the loop of this test is for x86-64"
	cat >loop.c <<-'END'
		#include <stdlib.h>
		int main(int argc, char **argv)
		{
			long n = atol(argv[argc - 1]);
			asm volatile("1: addsd %%xmm0, %%xmm1\n addsd %%xmm0, %%xmm2\n addsd %%xmm0, %%xmm3\n mov (%%rsp), %%rax\n"
				     "add $1, %%rdx\n mov %%rax, -256(%%rsp)\n dec %0\n jne 1b"
				     : "+r"(n) : : "rax", "rdx", "xmm1", "xmm2", "xmm3", "memory", "cc");
			return 0;
		}
	END
	gcc -O1 -o loop loop.c
	try "$root/scripts/profile" ./loop 2000000
	[ "$status" -eq 0 ]
	same "program,method,instructions,branch,load,store,int,fp,simd" "${lines[0]}"
	# 16 million of the loop, and some hundred thousand of what starts a program
	[[ ${lines[1]} =~ ^loop,callgrind,16[0-9]{6},0\.1[23][0-9]*,0\.1[23][0-9]*,0\.12[0-9]*,0\.2[45][0-9]*,0\.3[67][0-9]*,0\.00[0-9]*$ ]]
	mkdir mixes
	echo "$output" >mixes/loop.csv
	cp loop 'a,"b'
	"$root/scripts/profile" './a,"b' 1000 | grep -E '^"a,""b",callgrind(,[0-9.]+){7}$' >told
	"$root/scripts/profile" bash -c './loop 2000000; exit 0' 2>/dev/null | grep -E '^bash,callgrind,[12][0-9]{7},' >told
	machine "$TWO_NODES"
	sed 's/^loop,/true,/; s/,0\.3[67][0-9]*,/,0.0001,/' mixes/loop.csv >mixes/true.csv
	try "$MAP" --plan --profile mixes -- ./loop 1 : true
	[[ $output == *"mapping instruction: sorted by fp, whose share differs most "* ]]
	try "$root/scripts/profile" false
	[ "$status" -eq 1 ]
	same "profile: 'false' ended with status 1: its mix is unknown (valgrind does not support AVX-512)" "$stderr"
	[ -z "$output" ]
	try "$root/scripts/profile" nonesuch
	[ "$status" -eq 2 ]
}

# real NAME THREADS PROGRAM...: a program of the distribution runs bound, with that many threads, and ends well.
real() {
	command -v "$1" >/dev/null || skip "$1 is not installed (make setup installs it)"
	two_cpus
	try "$MAP" --mapping compact,os --threads 1 --json out.json --out report -- "${@:3}" : true
	[ "$status" -eq 0 ]
	# a thread that began is a thread that was bound
	jq -e --argjson n "$2" 'all(.mappings[].programs[0].samples[]; .processes >= 1 and .threads_at_once >= $n and .not_bound == 0)' out.json
}

@test "pigz runs bound" {
	head -c 4000000 /dev/urandom >data
	real pigz 3 pigz -p 3 -k -f data
	gzip -dc data.gz | cmp - data
}

@test "openssl speed runs bound, in several processes" {
	real openssl 3 openssl speed -seconds 1 -multi 2 sha256
	same 1 "$(jq '[.mappings[0].programs[0].cpus[]] | length' out.json)"
}

@test "a process that runs already is shown by node: threads, memory, files, as the kernel has it" {
	[ -r /proc/self/numa_maps ] || skip "this kernel has no numa_maps"
	taskset -c "${cpus[0]}" sleep 300 3>&- &
	started=$!
	until grep -q sleep "/proc/$started/comm"; do sleep 0.05; done
	"$MAP" --show "$started" --out shown --json shown.json
	# bytes of mappings that files back, and of the others
	awk '{ kib = 0; pages = 0; file = 0
		for (i = 2; i <= NF; i++) { if ($i ~ /^file=/) file = 1; if ($i ~ /^N[0-9]+=/) { sub(/.*=/, "", $i); pages += $i }
			if ($i ~ /^kernelpagesize_kB=/) { sub(/.*=/, "", $i); kib = $i } }
		sum[file] += pages * kib * 1024 } END { print sum[0] + 0, sum[1] + 0 }' "/proc/$started/numa_maps" >expected
	jq -r '.memory | "\(.anonymous.bytes) \(.files.bytes)"' shown.json | diff expected -
	jq -e '([.files[].bytes] | add) == .memory.files.bytes and ([.policies[].bytes] | add) == ([.memory[].bytes] | add)
		and ([.memory[] | select(.bytes != ([.on_node[]] | add // 0))] == [])' shown.json
	jq -e --arg cpu "${cpus[0]}" '.name == "sleep" and (.threads | length == 1 and .[0].cpus_allowed == $cpu and .[0].cpu == ($cpu | tonumber))' shown.json
	grep -qx "process $started, sleep: 1 thread" shown
	grep -qx "  may use CPUs ${cpus[0]} (1 thread)" shown
	grep -qE "^  all +.* $(jq -r '[.memory[].bytes] | add / 1048576 * 10 | round / 10' shown.json)$" shown
	kill "$started"
	wait "$started" || true
	# a name that is not UTF-8 is in JSON, too
	cp "$(command -v sleep)" $'\xff sleep'
	$'./\xff sleep' 300 3>&- &
	started=$!
	until grep -q ' sleep' "/proc/$started/comm"; do sleep 0.05; done
	"$MAP" --show "$started" --json shown.json 2>/dev/null
	jq -e '([.files[].bytes] | add) == .memory.files.bytes and .name == "\\xff sleep"' shown.json
	kill "$started"
	wait "$started" || true
	try "$MAP" --show "$started"
	started=
	[ "$status" -eq 2 ]
	[[ $stderr == *"there is no process "*"hint: pgrep NAME "* ]]
	try "$MAP" --show 1 --watch 1s --json x.json --try -- true
	[ "$status" -eq 2 ]
	[[ $stderr == *"--try has no effect with --show"*"--watch writes to standard output only"*"--show starts no program, such as 'true'"* ]]
}
