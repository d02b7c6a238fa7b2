# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# What the scripts of this folder share. On the host, sourcing it boots the machine that the script is named
# after and runs the same script there; in the guest it goes on and has these functions. TAP throughout.
#
# The kernel is asked, not affinity: witness.c looks at the running program through /proc, judge.awk holds
# that against what was asked and against affinity's reports. No test judges a time.

boot() { # SCRIPT, which may set $boot_options before
	local script=$1 machine build=${AFFINITY_BUILD:-build} program=./affinity reason status out
	machine=$(basename "$script" .t)
	cd "$(dirname "$script")/../.." || exit 1
	[ "$build" = build ] || program=$build/affinity
	if ! reason=$(scripts/testmachine --check "$machine" 2>&1); then
		echo "1..0 # SKIP ${reason#testmachine: }"
		exit 0
	fi
	out=$(mktemp)
	# A machine that breaks or hangs says nothing about affinity. And a host that gives the machine no CPU for seconds
	# takes them from those who look, since the clock goes on. Once more, and then it is a failure.
	for _ in 1 2; do
		[ ! -s "$out" ] || tell_first "$out"
		status=0
		# shellcheck disable=SC2086 # words
		scripts/testmachine --timeout 900 ${boot_options-} --get "$build/numa/$machine" --program "$program" \
			--program "$build/tests/numa/witness" --put args --put "tests/numa/$machine.t=machine.t" \
			--put tests/numa/lib.sh --put tests/numa/migrate.sh --put tests/numa/judge.awk \
			"$machine" env AFFINITY_GUEST=yes AFFINITY_TURNS="${AFFINITY_TURNS-}" sh machine.t >"$out" || status=$?
		[ $status -ne 0 ] || break
	done
	cat "$out"
	rm -f "$out"
	exit $status
}

# What failed in the first of two runs, as comments; scripts/check prints them, too.
tell_first() { # OUTPUT
	sed -n '/^not ok/ s/^/# first run: /p; /^#   / s/^/# first run: /p' "$1"
	[ -z "${AFFINITY_SAID-}" ] || cp "$1" "$AFFINITY_SAID/first/$(echo "$0" | tr / _)"
}

[ "${AFFINITY_GUEST-}" = yes ] || boot "$(realpath "$0")"

# ---- TAP

tests=0 test='' faults='' failed=0

# Ends the test before and begins one; a test passes unless wrong() is called.
title() { # TEXT
	tell
	tests=$((tests + 1)) test=$1 faults=''
}

wrong() { # TEXT
	[ -z "$1" ] || faults="$faults$1
"
}

tell() {
	[ -n "$test" ] || return 0
	if [ -z "$faults" ]; then
		echo "ok $tests - $test"
		return
	fi
	failed=1
	echo "not ok $tests - $test"
	printf '%s' "$faults" | sed 's/^/#   /'
	mkdir -p "/out/$tests"
	cp seen json report messages "/out/$tests" 2>/dev/null
}

finish() {
	tell
	echo "1..$tests"
	exit $failed
}

same() { # WHAT EXPECTED FOUND
	[ "$2" = "$3" ] || wrong "$1: expected '$2', found '$3'"
}

# ---- the machine as the kernel shows it

sys=/sys/devices/system

echo 0 >/proc/sys/kernel/numa_balancing
# OpenMP's idle threads would spin, and all CPUs share one of the host's.
export OMP_WAIT_POLICY=passive

list() { # FILE with ranges such as 0-1,3: one number after another
	tr ',' '\n' <"$1" | while IFS=- read -r first last; do
		[ -z "$first" ] || seq "$first" "${last:-$first}"
	done | tr '\n' ' '
}

cpu_nodes() {
	local cpu node
	for cpu in $(list $sys/cpu/online); do
		for node in "$sys/cpu/cpu$cpu"/node*; do
			echo "$cpu ${node##*node}"
		done
	done >cpus
}

cpu_nodes

# ---- running affinity under the witness

# Sizes that hardly anything else in the process has: 1116 KiB, 1136 KiB, ...
sizes_of() { # COUNT FIRST STEP
	seq "$2" "$3" $(($2 + $3 * ($1 - 1))) | tr '\n' ' '
}

word_count() { # TEXT
	# shellcheck disable=SC2086 # words
	set -- $1
	echo $#
}

# One thread with one vector, two threads with a vector each: what a test does not --set does not matter.
cat >one.args <<'END'
opType: read
nodePerThread: 0
nodePerVector: 0
vectorPerThread: 0
END
cat >two.args <<'END'
opType: write
nodePerThread: 0 2
nodePerVector: 0 2
vectorPerThread: 0, 1
END
grep -v nodePerThread two.args >unplaced.args

# What the judge is told besides where things should be. One sample of each operation is enough: in each the
# threads are looked at while they wait, for longer where the host was too busy to let the witness see it.
delays='80 400 2000 4000' sleeper='' solo='' thp=0
base=$(awk '/^KernelPageSize/ { print $2; exit }' /proc/self/smaps) # KiB
page=$base first_kib=1116 step_kib=20
[ "$base" = 4 ] || first_kib=$(((1116 / base + 1) * base)) step_kib=$((2 * base)) # whole pages
sets='--set placements=1 --set numIter=1 --set warmup=0'

measure() { # FILE 'NODE OF EACH THREAD/PLACE OF EACH VECTOR[;...]' 'VECTORS OF EACH THREAD' [OPTION...]
	local file=$1 expect=$2 uses=$3 places sizes sweep verdict
	shift 3
	places=${expect#*/} sweep=''
	! grep -q '^sweep:' "$file" || sweep=1
	sizes=$(sizes_of "$(word_count "${places%%;*}")" "$first_kib" "$step_kib")
	set -- --set "tamPerVector=$(echo "$sizes" | sed 's/ /KiB /g')" "$@" "$file"
	for delay in $delays; do
		watch "$@"
		verdict=0
		judge || verdict=$?
		[ $verdict = 3 ] || break
		echo "# $delay ms were too short: $(cat verdict)"
	done
	wrong "$(cat verdict)"
}

# One thread that waits alone does so in the runs of a sweep that its file has.
watch() { # OPTION... FILE
	if [ -n "$sleeper" ]; then
		set -- --set "sweep=delay_ms = 0 $delay $((delay * 3))" "$@"
	else
		set -- --set "sleep=$delay*" "$@"
	fi
	rm -f seen json report messages
	status=0
	# shellcheck disable=SC2086 # words
	witness seen "$(echo "${sizes% }" | tr ' ' ',')" affinity --quiet --json json $sets "$@" report \
		>messages 2>&1 || status=$?
}

judge() { # writes what is wrong to verdict; exit status 3: too little was seen
	if [ "$status" != 0 ]; then
		echo "exit status $status: $(grep -v 'warning:' messages | head -n 3)" >verdict
		return 0
	fi
	awk -v expect="$expect" -v uses="$uses" -v sizes="$sizes" -v base="$base" -v page="$page" -v thp="$thp" \
		-v solo="$solo" -v sweep="$sweep" -v sleeper="$sleeper" -f judge.awk cpus seen json report >verdict
}

# affinity must refuse, before anything runs, with these words.
refused() { # EXIT-STATUS WORDS FILE OPTION...
	local expected=$1 words=$2 status=0
	shift 2
	rm -f report
	affinity --set 'tamPerVector=1MiB*' "$@" report >messages 2>&1 || status=$?
	same 'exit status' "$expected" "$status"
	grep -qF -- "$words" messages || wrong "no '$words' in: $(cat messages)"
	[ ! -e report ] || wrong 'there is a report'
}

# A hundredth of a second without a process for it: nothing comes out of this pipe.
mkfifo nothing
pause() {
	# shellcheck disable=SC3045 # busybox has it
	! read -r -t 0.01 _ <>nothing
}

# Until a thread of a program sleeps: it waits in a sample of the kernel sleep. No process is started meanwhile, whose page
# tables would come and go while the program counts those of the machine.
until_asleep() { # PID
	local times=0 task where
	while [ $times -lt 10000 ] && [ -d /proc/"$1" ]; do
		for task in /proc/"$1"/task/*; do
			where=''
			{ read -r where <"$task/wchan"; } 2>/dev/null
			case $where in *nanosleep*) return 0 ;; esac
		done
		times=$((times + 1))
		pause
	done
	wrong 'nothing was measured'
}

# move.args: the kernel that moves the pages of a vector to node 2, and a thread that sleeps behind the move, so that the
# vector can be looked at.
move_file() { # LINE...
	printf '%s\n' 'opType: migrate+idle_sleep' 'targetPerVector: 2' 'vectorPerThread: 0' 'passes: 1 4000' 'placements: 1' \
		'numIter: 1' 'warmup: 0' "$@" >move.args
}

figure() { # NAME: of all threads, in the JSON
	awk -v name="\"$1\": {" 'index($0, name) { getline; print $2 + 0; exit }' json
}

# The nodes of the only mapping of so many base pages, while a program sleeps in its sample: the last that was seen of it.
nodes_of_vector() { # PID PAGES
	local seen
	while kill -0 "$1" 2>/dev/null; do
		seen=$(awk -v pages=" dirty=$2 " 'index($0, pages) { for (i = 1; i <= NF; i++) if ($i ~ /^N[0-9]/) printf "%s ", $i; print ""; exit }' "/proc/$1/numa_maps" 2>/dev/null)
		[ -z "$seen" ] || echo "$seen"
		sleep 0.2
	done | uniq
}

# The cells of the tables of a quantity, a row a line without its head: "0 4096 4096 4096".
cells() { # QUANTITY [WORDS of the table's title]
	awk -v quantity="$1" -v words="${2-}" '
		/^[a-z]/ { of = $1 == quantity && (words == "" || index($0, words)) ? 2 : 0; next }
		/^$/ { of = 0 }
		of == 2 { of = 1; next }
		of == 1 { $1 = ""; print substr($0, 2) }' report
}

# The first thing that people run, in short.
quickstart() {
	local file status
	title 'args/quickstart is measured, or refused with a reason before memory runs out'
	for file in args/quickstart/*.args; do
		rm -f report
		status=0
		affinity --set placements=1 --set numIter=1 --set warmup=0 --set "tamPerVector=1xcaches*" \
			"$file" report >messages 2>&1 || status=$?
		case $status in
		0) grep -q '^ - Thread 0 ' report || wrong "$file: nothing in the report" ;;
		3) grep -q '^  hint: ' messages && echo "# $file: $(grep -v warning: messages | grep -v '^  hint:' | head -n 1)" ;;
		*) wrong "$file: exit status $status: $(cat messages)" ;;
		esac || wrong "$file: refused without a reason: $(cat messages)"
	done
	wrong "$(dmesg | grep -i -E 'out of memory|oom-kill|bus error')"
}

# ---- affinity's view of the machine against the kernel's

pool() { # NODE KIB NAME: as --topology writes it
	local folder=$sys/node/node$1/hugepages/hugepages-$2kB
	[ ! -d "$folder" ] || echo ", $3 pool $(cat "$folder/free_hugepages") of $(cat "$folder/nr_hugepages") free"
}

pools() { # NODE
	pool "$1" 64 '64 KiB'
	pool "$1" 2048 '2 MiB'
	pool "$1" 32768 '32 MiB'
	pool "$1" 524288 '512 MiB'
	pool "$1" 1048576 '1 GiB'
	pool "$1" 16777216 '16 GiB'
}

# What --topology must say, one fact a line, of /sys; amounts of memory apart, which it rounds.
kernel_topology() {
	local node text cpu
	echo "CPUs $(cat $sys/cpu/online)"
	echo "threads $(cat $sys/node/has_cpu)"
	echo "vectors $(cat $sys/node/has_memory)"
	for node in $(list $sys/node/online); do
		text=$(cat $sys/node/node"$node"/cpulist)
		echo "node $node CPUs ${text:-none}"
		case " $(list $sys/node/has_memory)" in
		*" $node "*) echo "node $node memory$(pools "$node" | tr -d '\n')" ;;
		*) echo "node $node memory none" ;;
		esac
		echo "distances $node $(cat $sys/node/node"$node"/distance)"
	done
	for cpu in $(list $sys/cpu/online); do
		echo "core of node $(grep "^$cpu " cpus | cut -d ' ' -f 2):" \
			"$(list $sys/cpu/cpu"$cpu"/topology/thread_siblings_list)"
	done | sort -u
}

affinity_topology() {
	awk '
		/^CPUs that may be used: / { print "CPUs " $6 }
		/^nodes that can run threads: / { print "threads " $6 }
		/^nodes that can hold vectors: / { print "vectors " $6 }
		/^node / {
			sub(":", "", $2)
			cpus = $0; sub(/, memory .*/, "", cpus); print cpus
			pools = $0; sub(/.*, memory /, "", pools); sub(/.* available/, "", pools)
			print "node " $2 " memory" (pools == "none" ? " none" : pools)
		}
		/^distances/ { rows = 1; getline; next }
		/^[A-Za-z]/ { rows = 0 }
		rows { $1 = $1; print "distances " $0 }
		/^core / {
			node = $4; sub(",", "", node); sub(/.*CPUs /, "")
			print "core of node " node ": " $0 " "
		}' topology
}

# "158040 KiB" of node 0, to the three digits that it is printed with.
memory_agrees() {
	local node kib text
	for node in $(list $sys/node/has_memory); do
		kib=$(awk '/MemTotal/ { print $4 }' $sys/node/node"$node"/meminfo)
		text=$(sed -n "s/^node $node: .*, memory \([0-9.]* [KMG]iB\),.*/\1/p" topology)
		echo "$text" | awk -v kib="$kib" '{
			kib /= $2 == "GiB" ? 1048576 : $2 == "MiB" ? 1024 : 1
			exit !($1 > kib * 0.99 && $1 < kib * 1.01)
		}' || wrong "node $node has $kib KiB, --topology says '$text'"
	done
}

topology_agrees() {
	title '--topology says what the kernel says of nodes, CPUs, distances, cores and page pools'
	affinity --topology >topology 2>messages || wrong "exit status $?: $(cat messages)"
	kernel_topology | sort >expected
	affinity_topology | sort >found
	cmp -s expected found || wrong "$(diff expected found | sed -n 's/^[+<-]\([^+-]\)/kernel or affinity only: \1/p')"
	memory_agrees
}

# A thread on every node that can have one, a vector on every node that can: the plan's CPUs and nodes are
# the kernel's, and the run's.
plan_agrees() {
	local threads vectors count
	threads=$(list $sys/node/has_cpu) vectors=$(list $sys/node/has_memory)
	count=$(word_count "$threads")
	title "--plan puts threads and vectors where the run has them: threads on ${threads}and vectors on $vectors"
	{
		echo "opType: read"
		echo "nodePerThread: $threads"
		echo "nodePerVector: $vectors"
		echo "vectorPerThread: $(users "$threads" "$vectors")"
	} >all.args
	measure all.args "$threads/$vectors" "$(uses "$threads" "$vectors")"
	affinity --plan all.args --set "tamPerVector=1MiB*" >plan 2>messages || wrong "$(cat messages)"
	sed -n 's/^thread [0-9]*: CPU \([0-9]*\), .* node \([0-9]*\),.*/\1 \2/p' plan >planned
	same 'threads planned' "$count" "$(wc -l <planned)"
	! grep -vxF -f cpus planned >misplaced || wrong "not so in /sys: CPU and node $(cat misplaced)"
	same "the plan's CPUs" "$(sed 's/ .*//' planned | tr '\n' ' ')" "$(awk '/^ *"cpu":/ { printf "%d ", $2 }' json)"
	same "the plan's nodes for vectors" "$vectors" "$(awk '/^vector/ { sub(",", "", $4); printf "%s ", $4 }' plan)"
}

# Thread k uses vector k, from the first again when there are fewer; vectors beyond are thread 0's.
users() { # THREADS VECTORS: the threads of each vector
	awk -v threads="$(word_count "$1")" -v vectors="$(word_count "$2")" 'BEGIN {
		for (v = 0; v < vectors; v++) {
			text = ""
			for (k = v; k < threads; k += vectors) text = text (text == "" ? "" : " ") k
			printf "%s%s", v ? ", " : "", text == "" ? 0 : text
		}
	}'
}

uses() { # THREADS VECTORS: the vectors of each thread
	awk -v threads="$(word_count "$1")" -v vectors="$(word_count "$2")" 'BEGIN {
		for (k = 0; k < threads; k++) {
			text = k % vectors
			for (v = threads; !k && v < vectors; v++) text = text "," v
			printf "%s%s", k ? " " : "", text
		}
	}'
}
