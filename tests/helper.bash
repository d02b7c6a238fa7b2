#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the .bats files about the driver share: source it, and call driver_setup in setup().

# Two nodes of two cores of two hardware threads, for tests that do not depend on this machine.
# shellcheck disable=SC2034 # for the tests
TWO_NODES="numa:2(memory=8GB) core:2 pu:2"

# A small argument file that runs there; its lines are numbered in the messages.
base=(
	"opType: read"
	"nodePerThread: 0 1"
	"nodePerVector: 0 1"
	"tamPerVector: 4KiB*"
	"vectorPerThread: 0, 1"
)

# Finds the driver, unsets the environment variables that change its behaviour, and goes to the test's own folder.
driver_setup() {
	root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	[[ -z ${AFFINITY_PREFIX-} ]] || unset AFFINITY_BUILD # scripts/check-installed: that of an installed program is its own
	case ${AFFINITY_BUILD:-build} in
	build) AFFINITY=$root/affinity ;;
	/*) AFFINITY=$AFFINITY_BUILD/affinity ;;
	*) AFFINITY=$root/$AFFINITY_BUILD/affinity ;;
	esac
	unset OMP_NUM_THREADS OMP_PROC_BIND OMP_PLACES OMP_THREAD_LIMIT GOMP_CPU_AFFINITY
	locale_setup
	machine this
	options=()
	cd "${BATS_TEST_TMPDIR:-$BATS_FILE_TMPDIR}" || return 1
}

# The CPUs that this process may use, as a list, or the first of them.
own_cpus() {
	sed -n 's/^Cpus_allowed_list:[[:blank:]]*//p' /proc/self/status
}
own_cpu() {
	own_cpus | sed 's/[^0-9].*//'
}

# take_build ROOT: into build/ here, what of ROOT's usual build a copy of the sources need not build again. The compiler
# pass takes a minute of CPU time for each LLVM.
take_build() {
	mkdir -p build
	cp -a "$1"/build/{src,kernels,libraries,version.*} build/
	find "$1/build" -maxdepth 1 '(' -name 'pass-*' -o -name 'affinity-pass-*.so' -o -name libaffinity-inserted.so ')' \
		-exec cp -a -t build/ {} +
}

# One affinity-frag of a user holds a node: tests that call it take turns, also with those of another file.
fragmenter_setup() {
	exec {fragmenter}>"${TMPDIR:-/tmp}/affinity-frag-tests-$(id -u)"
	flock "$fragmenter"
}

# make check-locales names a locale: the programs and scripts run in it, the tools of the tests do not. In Turkish no
# [a-z] has an i.
locale_setup() {
	[[ -n ${AFFINITY_LOCALE-} ]] || return 0
	export LC_ALL=$AFFINITY_LOCALE
	awk() { LC_ALL=C command awk "$@"; }
	grep() { LC_ALL=C command grep "$@"; }
	sed() { LC_ALL=C command sed "$@"; }
	sort() { LC_ALL=C command sort "$@"; }
	xargs() { LC_ALL=C command xargs "$@"; }
	# shellcheck disable=SC2059 # the format is the caller's
	printf() { LC_ALL=C builtin printf "$@"; }
}

# For setup_file(): sets OBSTACLE to the reason why this machine cannot measure two threads and a vector, or to nothing.
# Failures of the driver itself are no obstacle.
find_obstacle() {
	driver_setup
	printf '%s\n' 'opType: read' 'nodePerThread: first*2' 'nodePerVector: first' 'tamPerVector: 4KiB' \
		'vectorPerThread: 0 1' 'numIter: 1' >probe.args
	local told
	told=$("$AFFINITY" --quiet probe.args /dev/null 2>&1) || true
	case $told in
	*"more threads than usable"*) OBSTACLE="the first node has one CPU only that may be used" ;;
	*move_pages* | *"memory policy"* | *sched_setaffinity*) OBSTACLE="not allowed here: ${told%%$'\n'*}" ;;
	*) OBSTACLE= ;;
	esac
	export OBSTACLE
}

# For setup(), after that.
skip_obstacle() {
	[ -z "$OBSTACLE" ] || skip "$OBSTACLE"
}

# For a test of what only the kernel's answer for each page shows; before it makes up a machine.
need_move_pages() {
	shows_each_page || skip "move_pages is refused here, as in a container"
}

shows_each_page() {
	printf '%s\n' 'opType: null' 'nodePerThread: first' 'nodePerVector: first' 'tamPerVector: 4KiB' 'vectorPerThread: 0' \
		'numIter: 1' 'placements: 1' >probe.args
	"$AFFINITY" --quiet probe.args - 2>/dev/null | grep -F '(shown by move_pages' >/dev/null
}

# machine MACHINE: shows the driver a synthetic machine, that of a FILE.xml, or `this` one.
machine() {
	unset HWLOC_SYNTHETIC HWLOC_XMLFILE
	case $1 in
	this) ;;
	*.xml) export HWLOC_XMLFILE=$1 ;;
	*) export HWLOC_SYNTHETIC=$1 ;;
	esac
}

# Two threads with a vector of their own each.
# shellcheck disable=SC2034 # for base
two_threads=(
	"opType: write read"
	"nodePerThread: first*2"
	"nodePerVector: first*2"
	"tamPerVector: 64KiB*"
	"vectorPerThread: 0, 1"
)

# given [KEY: VALUE]...: writes t.args: the base, in which these lines replace those of the same key; others follow. The
# last line asks for one placement, where no other says how many: three take three times as long.
given() {
	local lines=("${base[@]}") line i
	for line; do
		for i in "${!lines[@]}"; do
			if [[ ${lines[i]%%:*} == "${line%%:*}" ]]; then
				lines[i]=$line
				continue 2
			fi
		done
		lines+=("$line")
	done
	[[ " ${lines[*]}" == *" placements: "* ]] || lines+=("placements: 1")
	printf '%s\n' "${lines[@]}" >t.args
}

# A sweep of six runs of one thread and one small vector, in t.args: three delays, two kernels.
delays_and_kernels() {
	cat >t.args <<-'END'
		sweep: d = 0 10 20
		sweep: k = read write
		opType: $k
		nodePerThread: first
		nodePerVector: first
		tamPerVector: 64KiB
		vectorPerThread: 0
		sleep: $d*
		numIter: 3
	END
}

# Runs with standard output and error apart, and shows both when the test fails. bats's own `run` does the same in
# three times the time.
try() {
	local told=$BATS_TEST_TMPDIR/.told
	status=0
	output=$("$@" 2>"$told") || status=$?
	stderr=$(<"$told")
	[[ -z ${AFFINITY_PREFIX-} ]] || output=$(as_in_sources <<<"$output") stderr=$(as_in_sources <<<"$stderr")
	mapfile -t lines <<<"$output"
	mapfile -t stderr_lines <<<"$stderr"
	[[ -n $stderr ]] || stderr_lines=()
	printf 'exit %s, output:\n%s\nerrors:\n%s\n' "$status" "$output" "$stderr"
}

# Under scripts/check-installed: a text in which files and scripts have the names of the sources, as tests expect them.
# tests/project/install.bats is about the installed names.
as_in_sources() {
	[[ -n ${AFFINITY_PREFIX-} ]] || { cat && return; }
	sed -E "s#$AFFINITY_PREFIX/share/affinity/args/#args/#g; s#(^|[^-a-z/])affinity-(ejec|mix|profile|health)\\b#\\1scripts/\\2#g
		s#scripts/ejec([^.a-z]|\$)#scripts/ejec.sh\\1#g"
}

# For a test of what is not installed.
of_sources() {
	[[ -z ${AFFINITY_PREFIX-} ]] || skip "of the sources, not of what is installed"
}

# is_whole TEXT-REPORT: it ends with its verdict.
is_whole() {
	grep -q '^ - elapsed: ' "$1" && grep -qx '+ Verdict' "$1" && [[ $(tail -n 1 "$1") == " - "* ]]
}

# same EXPECTED FOUND: the texts are equal; if not, shows the difference.
same() {
	[[ $1 == "$2" ]] || diff <(echo "$1") <(echo "$2")
}

# shown EXPECTED FOUND: the same words; a number of FOUND is that of EXPECTED, rounded to its last digit, and not to 0.
shown() {
	awk '
		function size(x) { return x < 0 ? -x : x }
		NR == FNR { lines[NR] = $0; n = NR; next }
		{
			if (split(lines[FNR], expected) != NF)
				wrong = 1
			for (i = 1; i <= NF; i++) {
				number = $i ~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/ && expected[i] ~ /^-?[0-9.]+(e[-+]?[0-9]+)?$/
				one = 10 ^ -(match($i, /[.]/) ? length($i) - RSTART : 0)
				if (number ? size($i - expected[i]) > 0.51 * one + 1e-9 * size($i) || !$i != !expected[i] : $i != expected[i])
					wrong = 1
			}
			last = FNR
		}
		END { exit wrong || !n || last != n }' <(echo "$1") <(echo "$2") ||
		{ printf 'expected:\n%s\nfound:\n%s\n' "$1" "$2" && false; }
}

# Of the unit in the title of the first table of costs, which depends on the machine: in seconds.
cost_factor() { # TEXT-REPORT
	case $(sed -n 's/^cost (\([a-z]*\)).*/\1/p' "$1" | head -n 1) in
	ns) echo 1e9 ;;
	us) echo 1e6 ;;
	ms) echo 1e3 ;;
	s) echo 1 ;;
	esac
}

# ends PROGRAM EXIT LINE... -- WORD...: the program with these words ends so, with exactly these lines as messages.
ends() {
	local program=$1 wanted=$2 expected=()
	shift 2
	while [[ $1 != -- ]]; do
		expected+=("$1")
		shift
	done
	try "$program" "${@:2}"
	[ "$status" -eq "$wanted" ]
	same "$(printf '%s\n' "${expected[@]}")" "$stderr"
}

# refused EXIT LINE...: the driver refuses t.args with exactly these lines, and makes or changes no file.
refused() {
	echo earlier >earlier.json
	try "$AFFINITY" --json earlier.json "${options[@]}" t.args out.txt
	[ "$status" -eq "$1" ]
	same "$(printf '%s\n' "${@:2}")" "$stderr"
	[ -z "$output" ]
	[ ! -e out.txt ]
	[ "$(<earlier.json)" = earlier ]
	no_temporary_files
}

# planned LINE...: the driver accepts t.args without a message, and the plan has these lines.
planned() {
	local line
	try "$AFFINITY" --plan "${options[@]}" t.args
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	for line; do
		echo "looking for: $line"
		[[ $'\n'$output$'\n' == *$'\n'"$line"$'\n'* ]]
	done
}

# whole_plans [OPTION]... FILE...: of the short plan an awk script makes what --plan=full prints.
whole_plans() {
	"$AFFINITY" --quiet --plan "$@" >short || [ $? -eq 3 ]
	"$AFFINITY" --quiet --plan=full "$@" >full || [ $? -eq 3 ]
	awk -f "$root/tests/behaviour/whole_plan.awk" short >whole
	cmp full whole || { diff full whole | head -n 20 && false; }
}

# Standard error has only warnings, which depend on this machine.
only_warnings() {
	local line
	for line in "${stderr_lines[@]}"; do
		[[ $line == "affinity: warning: "* || $line == "  hint: "* ]]
	done
}

# measured [OPTION]...: t.args is measured without complaint, into out.txt, out.json and out.csv: with one sample of
# warm-up and three placements, where neither it nor an option says how many, so that samples can be counted.
measured() {
	local fixed=()
	grep -q '^warmup' t.args || fixed+=(--set warmup=1)
	grep -q '^placements' t.args || fixed+=(--set placements=3)
	try "$AFFINITY" --json out.json --csv out.csv "${fixed[@]}" "$@" t.args out.txt
	[ "$status" -eq 0 ]
	[ -z "$output" ]
	only_warnings
	no_temporary_files
}

# holds FILTER: this is true of out.json; `run`, `ops`, `threads` and `samples` lead to its parts. A file may define
# more of jq in `terms`.
holds() {
	jq -e "def run: .runs[0]; def ops: run.operations[]; def threads: ops.threads[];
		def samples: threads.samples[]; ${terms-} $1" out.json >/dev/null || {
		echo "not so: $1"
		return 1
	}
}

no_temporary_files() {
	local left=(.affinity-*)
	[ ! -e "${left[0]}" ]
}

# Sets `nobody`, a command that runs another command as a user who is bound by permissions; root reads and writes
# everything.
need_nobody() {
	nobody=()
	[ "$(id -u)" -eq 0 ] || return 0
	command -v setpriv >/dev/null || skip "root may do everything, and there is no setpriv here"
	nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	local folder
	for folder in "$BATS_RUN_TMPDIR" "$BATS_RUN_TMPDIR/test" "$BATS_TEST_TMPDIR"; do
		chmod o+x "$folder"
	done
	chmod o+w .
	"${nobody[@]}" test -x "$AFFINITY" -a -w . || skip "another user than root cannot reach the driver or $PWD"
}

# The CPUs that this process may use, one a line.
usable_cpus() {
	local part parts
	IFS=, read -ra parts < <(sed -n 's/^Cpus_allowed_list:[[:space:]]*//p' /proc/self/status)
	for part in "${parts[@]}"; do
		seq "${part%-*}" "${part#*-}"
	done
}

# The kernels of --list, one a line, without their aliases.
kernels() {
	"$AFFINITY" --list '*' | sed 's/ .*//'
}

# Makes a control group of its own with so many MiB of memory, of version 1 or 2, and says where it is.
make_limit() { # MIB
	local parent group
	for parent in /sys/fs/cgroup/memory /sys/fs/cgroup /sys/fs/cgroup/unified; do
		group=$parent/affinity-$$
		mkdir "$group" 2>/dev/null || continue
		if [ -e "$group/cgroup.procs" ] && { echo $(($1 << 20)) >"$group/memory.max" ||
			echo $(($1 << 20)) >"$group/memory.limit_in_bytes"; } 2>/dev/null; then
			echo "$group"
			return 0
		fi
		rmdir "$group"
	done
	return 1
}

# limited MIB: makes `group`, which the test removes, or skips it.
limited() {
	group=$(make_limit "$1") || skip "no control group with a limit of memory can be made here (no root, or no memory controller)"
}

# in_group COMMAND...: a process of that group becomes the command.
in_group() {
	# shellcheck disable=SC2016 # for the inner shell
	sh -c 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' sh "$group" "$@"
}

# Units of kernels as a JSON object: {"read": "access", ...}
units_of_kernels() { "$AFFINITY" --list --json - | jq -c '[.kernels[] | {(.name, .aliases[]): .unit}] | add'; }

# patient SECONDS COMMAND...: ends it when it has used so much CPU time, however busy the machine is; what hangs without
# using any ends after twenty minutes.
patient() {
	bash -c 'ulimit -t "$1" && exec timeout 1200 "${@:2}"' - "$@"
}

# catching PID: waits until the driver in this process has begun, and catches Ctrl-C.
catching() {
	local caught _
	for _ in {1..3000}; do
		caught=$(sed -n '1s/^Name:[[:space:]]*affinity$/1/p; s/^SigCgt:[[:space:]]*/0x/p' "/proc/$1/status")
		[[ $caught != 1* ]] || ! ((${caught#*$'\n'} & 2)) || return 0
		sleep 0.02
	done
	return 1
}

# signalled PID SIGNAL: sends it, and waits until the process has taken it: of two that wait the lower number comes first.
signalled() {
	local _
	kill -s "$2" "$1"
	for _ in {1..3000}; do
		grep -q '^ShdPnd:[[:space:]]*[0-9a-f]*[1-9a-f]' "/proc/$1/status" || return 0
		sleep 0.02
	done
	return 1
}
