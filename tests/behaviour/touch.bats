#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Policies by which pages move when threads touch them: what they need, what they switch and put back.

# shellcheck disable=SC2030,SC2031 # each test is a process of its own
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

base=(
	"opType: strsearch"
	"nodePerThread: 0 1"
	"nodePerVector: 0"
	"tamPerVector: 256KiB"
	"vectorPerThread: 0 1"
	"pagesPerVector: base"
	"queries: 2"
	"numIter: 2" "warmup: 1"
)

setting=/proc/sys/kernel/numa_balancing

teardown() {
	[ -z "$pid" ] || kill -KILL "$pid" 2>/dev/null || true
}

setup() {
	pid=
	driver_setup
	shims_setup
	given
}

# policy NAME [KEY=VALUE]... -- [OPTION]...: on the shim's two nodes.
policy() {
	on_two_nodes "${@:2}" --set "policy=$1"
}

# lacking TEXT: what the last run said.
lacking() {
	[ "$status" -eq 3 ]
	[ ! -e out.txt ]
	echo "$stderr"
	[[ $stderr == *"t.args:1: strsearch: policy: $1"*"
  hint: affinity --topology shows the nodes of this machine, --help strsearch what else its parameters may be" ]]
}

figure() {
	jq -c "(.runs[0].operations[0].kernel_figures.$1.value | numbers + 0) // null" out.json # 64, not 64.0
}

@test "on one node they are refused, in a sweep as runs that are skipped" {
	[ ! -d /sys/devices/system/node/node1 ] || skip "this machine has several nodes"
	given "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "policy: autonuma"
	try "$AFFINITY" --quiet t.args out.txt
	lacking "autonuma: pages move between nodes, and this process may use memory of one only"
	given "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "sweep: p = baseline next_touch_kernel" "policy: \$p"
	try "$AFFINITY" --quiet --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	jq -e '[.runs[] | has("operations")] == [true, false]' out.json
	jq -e '.runs[1].skipped | tostring | contains("may use memory of one only")' out.json
}

@test "pages lie on nodes by a rule, and are home in the next sample; full nodes end the run" {
	need_move_pages
	local case
	for case in interleave=32 weighted=16 minas=32 first_touch=32; do
		policy ${case%=*} NODES_ALLOWED=3 --
		[ "$status" -eq 0 ]
		[ "$(figure pages_away)" = "${case#*=}" ]
		jq -e '.runs[0].vectors[0].found | .pages_moved_during_run == 0 and .pages_on_node == {"0": 64}' out.json
	done
	policy first_touch NODES_ALLOWED=3 NODES_ROOM=10 --
	[ "$status" -eq 1 ]
	[[ $stderr == *"strsearch: 22 of 64 pages do not go to the nodes of its policy: is one full (numactl -H)?"* ]]
	policy weighted NODES_ALLOWED=3 -- --set home_weight=1
	[ "$(figure pages_away)" = 32 ]
	policy minas NODES_ALLOWED=3 -- --set home_pages=60
	[ "$(figure pages_away)" = 4 ]
	policy interleave NODES_ALLOWED=3 NODES_ROOM=10 --
	[ "$status" -eq 1 ]
	[[ $stderr == *"strsearch: 22 of 64 pages do not go to the nodes of its policy: is one full (numactl -H)?"* ]]
	rm -f out.txt
	policy minas NODES_ALLOWED=1 --
	lacking "minas: its pages lie on several nodes, and this process may use memory of one only"
}

# page_says TEXT: the page of out.json.
page_says() {
	"$AFFINITY-report" --out page.html out.json
	grep -qF "$1" page.html
}

@test "a run of a sweep that fails is lost with its reason, and the others are kept, also where they take turns" {
	need_move_pages
	local way why="strsearch: 22 of 64 pages do not go to the nodes of its policy: is one full (numactl -H)?"
	for way in no yes; do
		given "sweep: p = baseline first_touch" "policy: \$p" "interleave: $way"
		on_two_nodes NODES_ALLOWED=3 NODES_ROOM=10 --
		same 1 "$status"
		[[ $stderr == *"affinity: run p=first_touch is lost: thread "[01]", $why"* ]]
		same '[["baseline",null,true],["first_touch",true,false]]' \
			"$(jq -c '[.runs[] | [.values.p, .lost, has("operations")]]' out.json)"
		grep -q "^ - run p=first_touch is lost: thread [01], $why" out.txt
		grep -q "^lost: thread [01], $why" out.txt
		tail -n 1 out.txt | grep -q '; 1 of 2 runs lost$'
		page_says '1 of 2 runs lost.'
		try "$AFFINITY" --force --compare out.json out.json
		[[ $output == *" - out.json lost run p=first_touch: "* ]]
	done
	# one that is all of a file
	given "policy: first_touch"
	rm out.txt out.json
	on_two_nodes NODES_ALLOWED=3 NODES_ROOM=10 --
	same 1 "$status"
	[ ! -e out.json ]
	given "sweep: p = weighted first_touch" "policy: \$p"
	on_two_nodes NODES_ALLOWED=3 NODES_ROOM=1 --
	same 1 "$status"
	[ ! -e out.json ]
	same 2 "$(grep -c ' is lost: ' <<<"$stderr")"
}

@test "pages that NUMA balancing hides are found on their nodes, not moved by that, and go home" {
	need_move_pages
	local way plain kernel_61=(NODES_ALLOWED=3 "LD_PRELOAD=$shims/files.so:$shims/hidden.so:$shims/nodes.so" HIDDEN_EVERY=5)
	for way in interleave weighted first_touch eager copy_on_thread; do
		policy $way NODES_ALLOWED=3 --
		plain="$(figure pages_away) $(figure touch_missed) $(figure copy_missed)"
		policy $way "${kernel_61[@]}" --
		[ "$status" -eq 0 ]
		same "$way: $plain" "$way: $(figure pages_away) $(figure touch_missed) $(figure copy_missed)"
		jq -e '.runs[0].vectors[0].found | .pages_moved_during_run == 0 and .pages_on_node == {"0": 64}' out.json
	done
	# without a policy of the thread the kernel's read could move a page
	two_nodes 4000 4000
	try "$tools/refuse" set_mempolicy=EPERM -- env "${kernel_61[@]}" "$AFFINITY" --quiet --set policy=interleave t.args out.txt
	[ "$status" -ne 77 ] || skip "no system call can be refused here"
	[ "$status" -eq 1 ]
	[[ $stderr == *"strsearch: the nodes of its pages are unknown: Operation not permitted"* ]]
}

@test "round_robin has threads and their parts on nodes in turn" {
	need_move_pages
	policy round_robin NODES_ALLOWED=3 --
	[ "$status" -eq 2 ]
	[[ $stderr == *"strsearch: policy: round_robin binds threads to nodes while they run; mapping: os leaves them free"* ]]
	sed -i 's/^nodePerThread.*/threads: 2/; $a mapping: os' t.args
	policy round_robin NODES_ALLOWED=3 -- --set numIter=3
	[ "$status" -eq 0 ]
	[ "$(figure pages_away)" = 32 ]
	jq -e '.runs[0].vectors[0].found | .pages_moved_during_run == 0 and .pages_on_node == {"0": 64}' out.json
}

@test "what the kernel lacks for them, or has switched off, is told" {
	says $setting ''
	policy autonuma --
	lacking "autonuma: this kernel has no NUMA balancing"
	says $setting $'0\n'
	policy next_touch_kernel --
	lacking "next_touch_kernel: kernel.numa_balancing is 0: switch_balancing: yes has it switched on for the samples, sudo sysctl kernel.numa_balancing=1 for good"
	says $setting $'2\n'
	policy autonuma --
	lacking "autonuma: kernel.numa_balancing is 2: switch_balancing"
	policy autonuma FILES_KEPT=$setting FILES_KEPT_FROM=access -- --set switch_balancing=yes
	lacking "autonuma: kernel.numa_balancing is 2, and this process may not switch it: run it as root, or sudo sysctl kernel.numa_balancing=1 before"
	says $setting $'1\n'
	policy next_touch_kernel NODES_REFUSES=mbind --
	lacking "next_touch_kernel: mbind with MPOL_F_NUMA_BALANCING is refused (Linux 5.12 has it): Operation not permitted"
	policy autonuma NODES_POLICY=3 --
	lacking "autonuma: this process was started with a memory policy, and NUMA balancing leaves its pages alone: start it without numactl"
}

@test "pages that the kernel has moved are counted, and are home in the next sample" {
	need_move_pages
	says $setting $'1\n'
	policy next_touch_kernel NODES_BALANCED=1 --
	[ "$status" -eq 0 ]
	[ "$(figure pages_away)" = 64 ]
	jq -e '.runs[0].operations[0].pages_by_node == [{vector: 0, before: {"0": 64}, after: {"1": 64}, absent_before: 0, absent_after: 0}]' out.json
	[ "$(figure huge_split)" = 0 ]
	[ "$(figure spm_calls)" = 0 ]
	jq -e '.runs[0].vectors[0].found | .pages_moved_during_run == 0 and .pages_on_node == {"0": 64}' out.json
	policy next_touch_kernel --
	[ "$(figure pages_away)" = 0 ]
	jq -e '.runs[0].operations[0].pages_by_node == [{vector: 0, before: {"0": 64}, after: {"0": 64}, absent_before: 0, absent_after: 0}]' out.json
	policy baseline NODES_BALANCED=1 --
	[ "$(figure pages_away)" = null ]
	jq -e '.runs[0].operations[0].pages_by_node == [{vector: 0, before: {"0": 64}, after: {"0": 64}, absent_before: 0, absent_after: 0}]' out.json
	says /proc/vmstat $'numa_pages_migrated 7\n'
	says /proc/vmstat.later $'numa_pages_migrated 12\n'
	given "warmup: 0" "numIter: 1"
	# opened by the driver, then before and after the sample
	policy autonuma FILES_LATER=/proc/vmstat FILES_AFTER=2 --
	[ "$(figure kernel_pages_moved)" = 5 ]
	says /proc/vmstat $'pgmigrate_success 7\n'
	policy autonuma --
	[ "$(figure kernel_pages_moved)" = null ]
}

# migrated NEXT_TOUCH: what touched units of a vector of 8 MiB show, four or five of them, and what they show where node 1
# has room for ten pages.
migrated() {
	jq -e '.runs[0].operations[0].kernel_figures | .touch_units.value >= 4 and .touch_units.value <= 5 and .touch_missed.value == 0' out.json
	jq -e '.runs[0].operations[0].kernel_figures.pages_away.value | . >= 512 and . <= 1536' out.json
	jq -e '.runs[0].vectors[0].found | .pages_moved_during_run == 0 and .pages_on_node == {"0": 2048}' out.json
	policy "$1" NODES_ROOM=10 --
	[ "$status" -eq 0 ]
	jq -e '.runs[0].operations[0].kernel_figures | .touch_missed.value > 0 and .pages_away.value == 10' out.json
	grep -A 1 -- "strsearch: touch_missed is " out.txt | grep -q "hint: touched memory stayed: its node is full"
}

@test "protected pages move to the node of the thread that touches them, and are home in the next sample" {
	need_move_pages
	given "tamPerVector: 8MiB" "policy: next_touch_protect"
	policy next_touch_protect --
	[ "$status" -eq 0 ]
	migrated next_touch_protect
}

@test "threads that copy leave pages where they are, and their copies are with them" {
	need_move_pages
	policy copy_on_thread --
	[ "$status" -eq 0 ]
	jq -e '.runs[0].operations[0].kernel_figures | .copied_in.value == 262144 and .copied_out.value == 0 and .copy_time.value > 0' out.json
	jq -e '.runs[0].operations[0].kernel_figures | .copy_missed.value == 0 and .pages_away.value == 0 and .spm_calls.value == 0' out.json
	jq -e '[.runs[0].operations[0].threads[].samples[0].kernel_figures.copied_in] == [131072, 131072]' out.json
	policy baseline --
	[ "$(figure copied_in)" = null ]
	# before the first sample: nothing is left for copies
	says /proc/meminfo.later $'MemAvailable: 0 kB\n'
	policy copy_on_thread FILES_LATER=/proc/meminfo FILES_AFTER=2 --
	jq -e '.runs[0].operations[0].kernel_figures | .copied_in.value == 0 and .copy_missed.value == 64' out.json
	grep -A 1 -- "strsearch: copy_missed is " out.txt | grep -q "hint: copies are not where their threads were: memory is full"
}

@test "waits are disturbances unless pages move in the samples" {
	need_move_pages
	local name
	given "opType: strsearch+idle_sleep" "vectorPerThread: 0" # idle_sleep waits in each sample
	for name in baseline interleave weighted minas; do
		policy $name --
		[ "$status" -eq 0 ]
		jq -e '[.runs[0].operations[0].threads[0].samples[].disturbed_flags / 4 | floor % 2] | all(. == 1)' out.json
	done
	for name in eager copy_on_thread; do
		policy $name --
		jq -e '[.runs[0].operations[0].threads[0].samples[].disturbed_flags / 4 | floor % 2] | all(. == 0)' out.json
	done
}

# userfaultfd_here: the next test needs it.
userfaultfd_here() {
	policy next_touch_userfault --
	[[ $stderr != *"userfaultfd is forbidden"* && $stderr != *"no userfaultfd that"* && $stderr != *"MREMAP_DONTUNMAP is refused"* ]] || skip "${stderr#*: }"
	[ "$status" -eq 0 ]
}

@test "taken pages are copied to the node of the thread that touches them, and are home in the next sample" {
	given "tamPerVector: 8MiB"
	userfaultfd_here
	migrated next_touch_userfault
}

@test "what userfaultfd lacks is told" {
	need_move_pages
	local case
	two_nodes 4000 4000
	for case in \
		"userfaultfd=EPERM|userfaultfd is forbidden: by a container, whose seccomp profile must allow it, or before Linux 5.11: sudo sysctl vm.unprivileged_userfaultfd=1" \
		"userfaultfd=ENOSYS|this kernel has no userfaultfd that raises SIGBUS (Linux 4.14 has it): Function not implemented" \
		"mremap=EINVAL|mremap with MREMAP_DONTUNMAP is refused (Linux 5.7 has it): Invalid argument"; do
		under files,nodes "$tools/refuse" "${case%%|*}" -- "$AFFINITY" --quiet --set policy=next_touch_userfault t.args out.txt
		[ "$status" -ne 77 ] || skip "no seccomp filters here"
		lacking "next_touch_userfault: ${case#*|}"
	done
}

@test "a reader that comes first in a vector changes nothing: pages move and go home" {
	need_move_pages
	given "opType: load+strsearch" "tamPerVector: 8MiB"
	policy next_touch_protect --
	[ "$status" -eq 0 ]
	jq -e '.runs[0].vectors[0].found.pages_moved_during_run == 0' out.json
	jq -e '[.runs[0].operations[0].threads[1].samples[].kernel_figures.touch_units] | length == 3 and all(. > 0)' out.json
	userfaultfd_here
	jq -e '.runs[0].vectors[0].found.pages_moved_during_run == 0' out.json
	jq -e '[.runs[0].operations[0].threads[1].samples[].kernel_figures.touch_units] | length == 3 and all(. > 0)' out.json
}

@test "the setting stays as it is unless the file asks, and is put back" {
	need_move_pages
	says $setting $'1\n'
	policy autonuma --
	[ "$status" -eq 0 ]
	says $setting $'2\n'
	policy autonuma -- --set switch_balancing=yes
	[ "$status" -eq 0 ]
	[ "$(<"$FILES$setting")" = 2 ]
	policy baseline -- --set switch_balancing=yes
	[ "$status" -eq 0 ]
	[ "$(<"$FILES$setting")" = 2 ]
}

@test "a setting that cannot be put back, or set, ends the run" {
	need_move_pages
	says $setting $'0\n'
	policy autonuma FILES_KEPT=$setting FILES_KEPT_FROM=open -- --set switch_balancing=yes
	[ "$status" -eq 1 ]
	[[ $stderr == *"strsearch: switch_balancing: nothing would put kernel.numa_balancing back: Operation not permitted"* ]]
	policy autonuma FILES_KEPT=$setting FILES_KEPT_FROM=fopen -- --set switch_balancing=yes
	[ "$status" -eq 1 ]
	[[ $stderr == *"strsearch: switch_balancing: kernel.numa_balancing does not let itself be set: Operation not permitted"* ]]
	[ "$(<"$FILES$setting")" = 0 ]
}

holds_setting() {
	local i
	for i in $(seq 2400); do
		[ "$(<"$FILES$setting")" != "$1" ] || return 0
		sleep 0.05
	done
	return 1
}

@test "it is put back after Ctrl-C, after a crash and after SIGKILL" {
	need_move_pages
	local signal
	for signal in INT SEGV KILL; do
		says $setting $'0\n'
		given "numIter: 100000" "queries: 2000" "switch_balancing: yes" "policy: autonuma"
		two_nodes 4000 4000
		env --default-signal=INT LD_PRELOAD="$shims/files.so:$shims/nodes.so" "$AFFINITY" --quiet t.args out.txt >/dev/null 2>&1 3>&- &
		pid=$!
		holds_setting 1
		# the first SIGSEGV that no kernel caused only removes the driver's handler
		while kill -$signal $pid 2>/dev/null; do sleep 0.1; done
		wait $pid || true
		pid=
		holds_setting 0
	done
}

@test "pages of a pool are refused where the kernel does not balance them" {
	skip_without_pool 2048
	says $setting $'1\n'
	policy autonuma -- --set pagesPerVector=2M --set tamPerVector=2MiB
	[ "$status" -eq 1 ]
	[[ $stderr == *"strsearch: NUMA balancing moves no pages of a pool: pagesPerVector: base, or thp"* ]]
	policy copy_on_thread -- --set pagesPerVector=2M --set tamPerVector=2MiB
	[ "$status" -eq 1 ]
	[[ $stderr == *"strsearch: copies have no pages of a pool: pagesPerVector: base, or thp"* ]]
	policy next_touch_userfault -- --set pagesPerVector=2M --set tamPerVector=2MiB
	[ "$status" -eq 1 ]
	[[ $stderr == *"strsearch: userfaultfd copies no pages of a pool here: pagesPerVector: base, or thp"* ]]
}

# skip_without_pool KIB
skip_without_pool() {
	local pool=/sys/kernel/mm/hugepages/hugepages-$1kB/free_hugepages
	[[ -e $pool && $(<"$pool") -gt 0 ]] || skip "no free page of $1 KiB in a pool"
}

# copies_within MIB: two threads copy their halves of 32 MiB in a control group that has this.
copies_within() {
	limited "$1"
	given "nodePerThread: first" "threads: 2" "mapping: os" "nodePerVector: first" "vectorPerThread: all" "tamPerVector: 32MiB"
	sed -i '/^nodePerThread/d' t.args
	try in_group "$AFFINITY" --quiet --set policy=copy_on_thread \
		--set placements=1 --set warmup=0 --json out.json t.args out.txt
	rmdir "$group"
	[ "$status" -eq 0 ]
}

@test "copies that the limit of a control group has no room for are not made, and nobody is killed" {
	copies_within 44
	jq -e '.runs[0].operations[0].kernel_figures | .copied_in.value == 0 and .copy_missed.value > 0' out.json
	grep -A 1 -- "strsearch: copy_missed is " out.txt | grep -q "hint: copies are not where their threads were: memory is full"
	copies_within 256
	jq -e '.runs[0].operations[0].kernel_figures | .copied_in.value > 0 and .copy_missed.value == 0' out.json
}
