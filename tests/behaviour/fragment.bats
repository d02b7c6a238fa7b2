#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck disable=SC2030,SC2031 # each test is a process
# affinity-frag: what it refuses, and a few blocks of this machine. tests/numa/fragment.t breaks whole nodes.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup() {
	driver_setup
	fragmenter_setup
	FRAG=$AFFINITY-frag
	zoneinfo="Node 0, zone   Normal
  pages free     1000000
        min      10
        low      12
        high     14
        protection: (0, 0, 0, 0)
"
}

# told EXIT LINE... -- WORD...: affinity-frag with these words ends so, with exactly these lines.
told() {
	ends "$FRAG" "$@"
	[ -z "$output" ]
}

# shimmed [SIZE [--ranges K] [COMMAND...]]: affinity-frag in a machine of one node.
shimmed() {
	local words=(--leave "${1-100MiB}")
	shift $(($# > 0))
	[[ ${1-} != --ranges ]] || { words+=("$1" "$2"); shift 2; }
	says /sys/devices/system/node/has_memory $'0\n'
	says /proc/zoneinfo "$zoneinfo"
	under files "$FRAG" "${words[@]}" -- "${@-true}"
}

@test "a wrong command line is refused" {
	told 2 "affinity-frag: unknown option '--leaf'; did you mean '--leave'?" \
		"  hint: affinity-frag --help lists the options" -- --leaf 3
	told 2 "affinity-frag: --leave: '4' is not a size" "  hint: 0, or a number and a unit, such as 512MiB or 4G" -- --leave 4
	told 2 "affinity-frag: --leave needs a value: --leave SIZE" -- --leave
	told 2 "affinity-frag: --node: '4000' is not the number of a node" "  hint: affinity --topology lists the nodes" \
		-- --node 4000 --leave 0
	told 2 "affinity-frag: --ranges: '0' is not a number of ranges" "  hint: 1 or more" -- --leave 4G --ranges 0
	told 2 "affinity-frag: --undo and --ranges exclude each other" -- --undo --ranges 3
	told 2 "affinity-frag: how much is to be left?" \
		"  hint: affinity-frag --leave SIZE [--node N] [-- COMMAND]" -- --node 0
	told 2 "affinity-frag: --undo and --leave exclude each other" -- --undo --leave 0
	told 2 "affinity-frag: --undo takes no command" -- --undo -- true
	told 2 "affinity-frag: --undo takes no value" -- --undo=1
}

@test "a command that cannot be found is refused before anything is broken" {
	try "$FRAG" --leave 0 -- ./nothing
	[ "$status" -eq 2 ]
	[[ $stderr == "affinity-frag: cannot start './nothing': "* ]]
}

@test "a command that cannot be executed gives the node back" {
	shims_setup
	printf '#!%s\n' "$PWD/nothing" >script
	chmod +x script
	says /proc/buddyinfo $'Node 0, zone Normal 9 0 0 0 0 0 0 0 0 4 28\n'
	shimmed 120MiB ./script
	[ "$status" -eq 1 ]
	[[ $stderr == *"affinity-frag: cannot execute './script': No such file or directory" ]]
	[ ! -e "/dev/shm/affinity-frag-$(id -u)-node0" ]
}

# For a test that breaks real blocks: what this machine, or a container, refuses is told.
skip_unbreakable() {
	[[ $stderr != *"no huge pages"* && $stderr != *"cannot pin more pages in pipes: Operation not permitted"* ]] ||
		skip "${stderr_lines[-2]}"
}

# refusing CALL=ERROR SIZE: shimmed, in a sandbox that refuses the call.
refusing() {
	says /sys/devices/system/node/has_memory $'0\n'
	says /proc/zoneinfo "$zoneinfo"
	says /proc/buddyinfo $'Node 0, zone Normal 9 0 0 0 0 0 0 0 0 4 28\n'
	under files "$tools/refuse" "$1" -- "$FRAG" --leave "$2" -- touch ran
	[ "$status" -ne 77 ] || skip "no system call can be refused here"
}

@test "no pipe and no process: the command does not run, and the node is given back" {
	shims_setup
	refusing clone=EAGAIN 120MiB
	[ "$status" -eq 1 ]
	[[ $stderr == *"affinity-frag: cannot start 'touch': Resource temporarily unavailable
  hint: too many processes or files are open: ulimit -u, ulimit -n" ]]
	refusing pipe2=EPERM 120MiB
	[ "$status" -eq 1 ]
	[[ $stderr == *"affinity-frag: cannot start 'touch': Operation not permitted
  hint: too many processes or files are open: ulimit -u, ulimit -n" ]]
	# the keeper starts, and cannot start the command
	under files,nth FAIL=fork:2 "$FRAG" --leave 120MiB -- touch ran
	[ "$status" -eq 1 ]
	[[ $stderr == *"affinity-frag: cannot start 'touch': Resource temporarily unavailable
  hint: too many processes or files are open: ulimit -u, ulimit -n" ]]
	refusing pipe2=EPERM 100MiB
	[ "$status" -eq 1 ]
	[[ $stderr == *"affinity-frag: cannot pin more pages in pipes: Operation not permitted
  hint: limits of pipes and files: "* ]]
	[ ! -e ran ]
	[ ! -e "/dev/shm/affinity-frag-$(id -u)-node0" ]
}

@test "blocks that come back while the command runs are warned of once, and the most is told" {
	shims_setup
	says /proc/buddyinfo $'Node 0, zone Normal 9 0 0 0 0 0 0 0 0 4 28\n'
	says /proc/buddyinfo.later $'Node 0, zone Normal 9 0 0 0 0 0 0 0 0 4 48\n'
	# the command goes on until that is told, in the file that try() has for errors
	FILES_LATER=/proc/buddyinfo FILES_AFTER=6 shimmed 120MiB timeout 120 sh -c 'until grep -q warning .told; do sleep 0.1; done'
	[ "$status" -eq 0 ]
	same "node 0: 122916 KiB free, 120 MiB of it in blocks of 2 MiB and more before
node 0: 122916 KiB free, 120 MiB of it in blocks of 2 MiB and more left
node 0: 0 blocks broken; /proc/buddyinfo: 4 of order 9, 28 of order 10
affinity-frag: warning: node 0 has 200 MiB free in large blocks now, 120 MiB were left
  hint: other programs freed memory, or the kernel compacted it
node 0: at most 200 MiB in blocks of 2 MiB and more meanwhile" "$stderr"
}

@test "without /proc/kpageflags as many ranges are proven as there are blocks" {
	shims_setup
	says /proc/kpageflags ''
	says /proc/buddyinfo $'Node 0, zone Normal 9 0 0 0 0 0 0 0 0 1 2\n'
	shimmed 10MiB --ranges 3 true
	[ "$status" -eq 0 ]
	[[ $stderr == *"node 0: in at most 3 physical ranges, as it is so many blocks"* ]]
	shimmed 10MiB --ranges 2 true
	[ "$status" -eq 3 ]
	[[ $stderr == *"affinity-frag: node 0: 3 blocks are left, and whether they lie in at most 2 physical ranges shows only \
/proc/kpageflags: No such file or directory
  hint: run affinity-frag as root; or --ranges 3" ]]
}

# flags WORD...: /proc/kpageflags of so many blocks of 512 pages, free or taken.
flags() {
	local word
	says /proc/kpageflags x
	for word in "$@"; do
		[[ $word == free ]] && word='\0\4\0\0\0\0\0\0' || word='\0\0\0\0\0\0\0\0'
		# shellcheck disable=SC2059 # the bytes are the format
		printf "$word%.0s" {1..512}
	done >"$FILES/proc/kpageflags"
}

@test "root: more than the longest ranges have cannot be left in so few" {
	[ "$(id -u)" -eq 0 ] || skip "only root may read where pages lie"
	shims_setup
	flags free taken free free
	says /proc/buddyinfo $'Node 0, zone Normal 9 0 0 0 0 0 0 0 0 1 2\n'
	zoneinfo+=$'        spanned  2048\n  start_pfn:           0\n'
	shimmed 6MiB --ranges 1 true
	skip_unbreakable
	[[ $stderr != *", as it is so many blocks"* ]] || skip "this root may not see where pages lie, as in a container"
	[ "$status" -eq 3 ]
	[[ $stderr == *"affinity-frag: node 0 has 4 MiB free in its 1 longest physical range, not 6 MiB
  hint: leave less, or allow more ranges" ]]
	zoneinfo+=$'Node 1, zone   Normal\n  pages free 7\n        spanned  512\n  start_pfn:           1024\n'
	shimmed 4MiB --ranges 1 true
	[ "$status" -eq 3 ]
	[[ $stderr == *"affinity-frag: pages of nodes 0 and 1 lie between each other: physical ranges of node 0 cannot be distinguished
  hint: leave --ranges out" ]]
}

@test "root: what is left in too many ranges is not accepted" {
	[ "$(id -u)" -eq 0 ] || skip "only root may read where pages lie"
	shims_setup
	flags free taken free free
	says /proc/buddyinfo $'Node 0, zone Normal 9 0 0 0 0 0 0 0 0 0 1\n'
	zoneinfo+=$'        spanned  2048\n  start_pfn:           0\n'
	shimmed 4MiB --ranges 1 true
	skip_unbreakable
	[[ $stderr != *", as it is so many blocks"* ]] || skip "this root may not see where pages lie, as in a container"
	[ "$status" -eq 3 ]
	[[ $stderr == *"affinity-frag: node 0: what is left lies in 2 physical ranges, not in at most 1
  hint: other programs take or free memory of the node meanwhile" ]]
}

@test "a node that is not there is refused" {
	try "$FRAG" --leave 0 --node 1000 -- true
	[ "$status" -eq 3 ]
	[[ ${stderr_lines[0]} == "affinity-frag: there is no node 1000 with memory" ]]
	[[ ${stderr_lines[1]} == "  hint: nodes with memory: "* ]]
}


@test "files of the kernel that cannot be read are named" {
	shims_setup
	says /proc/buddyinfo ''
	shimmed
	[ "$status" -eq 1 ]
	same "affinity-frag: cannot read /proc/buddyinfo: No such file or directory
  hint: without it nothing shows what is free in large blocks" "$stderr"
	says /proc/buddyinfo $'Node 0, zone Normal 1 2 3\nNode 0 zone Movable 1 2 3\n'
	shimmed
	[ "$status" -eq 1 ]
	same "/proc/buddyinfo:2: is not \"Node N, zone NAME COUNT...\"
  hint: this kernel writes it in a way that affinity-frag does not know" "$stderr"
	says /proc/buddyinfo $'Node 0, zone Normal 1 2 3\n'
	zoneinfo=$'Node 0, zone Normal\n'
	shimmed
	[ "$status" -eq 1 ]
	same "affinity-frag: /proc/zoneinfo has no watermarks
  hint: without them nothing shows how much memory must stay free" "$stderr"
}

@test "more than is free in large blocks cannot be left" {
	shims_setup
	says /proc/buddyinfo $'Node 0, zone Normal 9 0 0 0 0 0 0 0 0 3 10\n'
	shimmed
	[ "$status" -eq 3 ]
	[[ $stderr == *"affinity-frag: node 0 has 46 MiB free in large blocks, less than the 100 MiB to be left
  hint: affinity-frag --undo --node 0 may drive blocks together" ]]
}

@test "a node whose free memory is the kernel's reserve is left alone" {
	shims_setup
	says /proc/buddyinfo $'Node 0, zone Normal 9 0 0 0 0 0 0 0 0 3 100\n'
	zoneinfo=${zoneinfo/high     14/high     51900}
	shimmed
	[ "$status" -eq 3 ]
	[[ $stderr == *"affinity-frag: node 0 has only 415780 KiB free, and 416224 KiB must stay for the kernel
  hint: end programs that use it, or choose another node" ]]
}

@test "blocks that do not become fewer are not broken for ever" {
	shims_setup
	says /proc/buddyinfo $'Node 0, zone Normal 9 0 0 0 0 0 0 0 0 3 0\n'
	shimmed 0
	skip_unbreakable
	[ "$status" -eq 3 ]
	[[ $stderr == *"affinity-frag: node 0: 19 blocks were broken, as many as it has, and 6 MiB are left in large blocks
  hint: /proc/buddyinfo does not show what happens to its blocks here; choose another node or machine"* ]]
	# the kernel makes blocks of smaller ones, here as many as 8
	says /proc/buddyinfo $'Node 0, zone Normal 4105 0 0 0 0 0 0 0 0 3 0\n'
	shimmed 0
	[ "$status" -eq 3 ]
	[[ $stderr == *"affinity-frag: node 0: 27 blocks were broken, as many as it has, and 6 MiB"* ]]
	# and of memory that is used now, which other programs free
	says /proc/buddyinfo $'Node 0, zone Normal 9 0 0 0 0 0 0 0 0 3 0\n'
	zoneinfo+=$'        present  9216\n        managed  9200\n'
	shimmed 0
	[ "$status" -eq 3 ]
	[[ $stderr == *"affinity-frag: node 0: 34 blocks were broken, as many as it has, and 6 MiB"* ]]
	[[ $stderr != *"have not been given"* ]]
}

@test "memory that the kernel has not given to its allocator yet is called in before anything is broken" {
	shims_setup
	says /proc/buddyinfo $'Node 0, zone Normal 9 0 0 0 0 0 0 0 0 4 28\n'
	zoneinfo+=$'        present  4096\n        managed  3000\n'
	shimmed 120MiB true
	[ "$status" -eq 0 ]
	[[ $stderr == "node 0: 122916 KiB free, 120 MiB of it in blocks of 2 MiB and more before
node 0: 4384 KiB have not been given to the kernel's allocator yet (/proc/zoneinfo): all huge pages are taken for a \
moment, so that it gets them
node 0: 122916 KiB free, 120 MiB of it in blocks of 2 MiB and more left"* ]]
	# the file does not change
	[[ $stderr == *"affinity-frag: warning: node 0: 4384 KiB are still not with the kernel's allocator, and may become large \
blocks when those that are left are taken
  hint: a larger memory.max of the control group"* ]]
}

@test "memory that is late is called in within the limit of a control group, which keeps room for others" {
	shims_setup
	says /proc/buddyinfo $'Node 0, zone Normal 9 0 0 0 0 0 0 0 0 4 28\n'
	zoneinfo+=$'        present  102400\n        managed  3000\n'
	says /sys/devices/system/node/has_memory $'0\n'
	says /proc/zoneinfo "$zoneinfo"
	limited 128
	# shellcheck disable=SC2016 # for the inner shell
	under files sh -c 'echo $$ >"$1/cgroup.procs" && exec "$2" --leave 120MiB -- true' - "$group" "$FRAG"
	local most
	most=$(cat "$group/memory.peak" "$group/memory.max_usage_in_bytes" 2>/dev/null | head -n 1)
	rmdir "$group"
	[ "$status" -eq 0 ]
	[[ $stderr == *"are still not with the kernel's allocator"* ]]
	[ -n "$most" ] || skip "the kernel does not tell the most that a control group had"
	# of its 128 MiB half is left to others of the group
	[ "$most" -lt $((80 << 20)) ]
	[ "$most" -gt $((40 << 20)) ]
}

# The kernel's numbers fall after the first five real blocks, half of what is too much, which are broken at once: this
# machine is not to be broken.
@test "a few blocks are broken while a command runs, whose exit status is passed on" {
	shims_setup
	says /sys/devices/system/node/has_memory $'0\n'
	says /proc/zoneinfo "$zoneinfo    cpu: 0
              count: 5000
"
	says /proc/buddyinfo $'Node 0, zone Normal 9 0 0 0 0 0 0 0 0 4 28\n'
	says /proc/buddyinfo.later $'Node 0, zone Normal 9 0 0 0 0 0 0 0 0 2 24\n'
	under files FILES_LATER=/proc/buddyinfo FILES_AFTER=4 "$FRAG" --leave 100MiB -- \
		sh -c 'cat /proc/self/oom_score_adj; ulimit -n; exit 7'
	skip_unbreakable
	[ "$status" -eq 7 ]
	same "$(cat /proc/self/oom_score_adj; ulimit -n)" "$output"
	same "node 0: 122916 KiB free, 120 MiB of it in blocks of 2 MiB and more before
node 0: 102436 KiB free, 100 MiB of it in blocks of 2 MiB and more left
node 0: 5 blocks broken; /proc/buddyinfo: 2 of order 9, 24 of order 10
node 0: at most 100 MiB in blocks of 2 MiB and more meanwhile
node 0: 102436 KiB free, 100 MiB of it in blocks of 2 MiB and more now" "$stderr"
	[ ! -e "/dev/shm/affinity-frag-$(id -u)-node0" ]
}

# started WORD...: affinity-frag, begun by these words, holds the node for a command with a child and a daemon, which
# begins with $first; `frag` is its process, `below` are theirs.
started() {
	says /sys/devices/system/node/has_memory $'0\n'
	says /proc/zoneinfo "$zoneinfo"
	says /proc/buddyinfo $'Node 0, zone Normal 9 0 0 0 0 0 0 0 0 4 28\n'
	printf '%s\n' '#!/bin/sh' "${first:-:}" 'setsid -f sh -c "echo \$\$ >daemon.new; mv daemon.new daemon; exec sleep 600"' \
		'sleep 600 & echo $! >child' 'echo $$ >first.new; mv first.new first; wait' >run
	chmod +x run
	rm -f daemon first
	env LD_PRELOAD="$shims/files.so" "$@" "$FRAG" --leave 120MiB -- ./run >told 2>&1 3>&- &
	frag=$!
	until [ -s daemon ] && [ -s first ] || ! kill -0 $frag; do sleep 0.05; done
	below=$(cat first child daemon)
}

# gone PROCESS...: within a minute they have ended.
gone() {
	local process times=0
	for process; do
		while [ -e "/proc/$process" ]; do
			((times++ < 1200)) || { ps -f -p "$process" && return 1; }
			sleep 0.05
		done
	done
}

@test "after SIGKILL neither the command nor what it started goes on, and the node may be taken again" {
	shims_setup
	started
	kill -KILL "$frag"
	# shellcheck disable=SC2086 # several
	gone $below
	started setsid
	kill -KILL -- "-$frag" # all of its process group
	# shellcheck disable=SC2086
	gone $below
	shimmed 120MiB true
	rm -f "/dev/shm/affinity-frag-$(id -u)-node0" # the note of a node that was not mended
	[ "$status" -eq 0 ]
}

@test "what a command leaves when it ends goes on, and a signal reaches the command alone" {
	shims_setup
	local status=0
	started
	kill -TERM "$frag"
	wait "$frag" || status=$?
	[ "$status" -eq 143 ]
	gone "$(<first)"
	kill "$(<child)" "$(<daemon)" # they are there
	started bash -c 'trap "" CHLD; exec "$@"' -
	kill "$(<child)"
	wait "$frag"
	kill "$(<daemon)"
}

@test "a command that ignores a signal is killed by the second" {
	shims_setup
	local status=0 first='trap "" TERM'
	started
	kill -TERM "$frag"
	sleep 0.2 # one that is still held back is not sent twice
	kill -TERM "$frag"
	wait "$frag" || status=$?
	[ "$status" -eq 137 ]
	gone "$(<first)"
	kill -KILL "$(<child)" "$(<daemon)"
}

@test "blocks that stay apart are told with what was in large ones: what is left, and all that were broken" {
	shims_setup
	says /proc/buddyinfo $'Node 0, zone Normal 9 0 0 0 0 0 0 0 0 4 28\n'
	says /proc/buddyinfo.later $'Node 0, zone Normal 9 0 0 0 0 0 0 0 0 2 24\n'
	FILES_LATER=/proc/buddyinfo FILES_AFTER=4 shimmed 100MiB true
	skip_unbreakable
	[ "$status" -eq 0 ]
	[[ $stderr == *"node 0: 5 blocks broken; "* ]]
	[[ $stderr == *"affinity-frag: warning: node 0: 100 MiB are in large blocks, of 110 MiB that were: the others stay apart
  hint: affinity-frag --undo --node 0 drives them together, "* ]]
}
