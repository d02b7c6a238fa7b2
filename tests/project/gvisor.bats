#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# gVisor: a kernel in user space, whose /sys has no CPUs, with the machine's own files.

setup_file() {
	LACKING=''
	if ! command -v runsc >/dev/null; then
		LACKING="there is no gVisor: apt-get install runsc"
	else
		why=$(timeout 60 runsc --network=none 'do' true 2>&1) ||
			LACKING="runsc makes no sandbox here (exit $?): $(tail -n 1 <<<"$why")"
	fi
	export LACKING
}

setup() {
	[ -z "$LACKING" ] || skip "$LACKING"
	root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	[[ ${AFFINITY_BUILD:-build} == build ]] || skip "only the usual build is tried under gVisor"
	cd "$BATS_TEST_TMPDIR" || return 1
}

# sandbox COMMAND...: what it prints goes through a pipe, because in a file it writes over what is there. The first line
# says that the sandbox has begun.
sandbox() {
	set -o pipefail
	# shellcheck disable=SC2016 # for the shell in the sandbox
	timeout 240 runsc --network=none 'do' --cwd="$root" sh -c 'echo begun; exec "$@"' sh "$@" 2>&1 | cat
}

# inside COMMAND...: its output; it ends well. A sandbox that does not begin is no fault of the command: once more.
inside() {
	local status try
	for try in 1 2; do
		status=0
		output=$(sandbox "$@") || status=$?
		[[ $output != *begun* ]] || break
		echo "gVisor began no sandbox, try $try, exit $status: ${output:-nothing printed}"
	done
	[ "$status" -ne 124 ] || echo "not ended in time"
	[ "$status" -eq 0 ] || { echo "exit $status of: $*"$'\n'"${output:-nothing printed}" && return 1; }
}

has() { # TEXT: in what was printed
	[[ $output == *"$1"* ]] || { echo "no '$1' in: $output" && return 1; }
}

@test "the CPUs are found where /sys shows none, and that their cores are not known is told" {
	inside ./affinity --topology
	has "this machine: 1 node, 0 packages, $(nproc) cores, $(nproc) CPUs"
	has "warning: the system does not show hwloc its cores and caches"
	has "caches: the machine shows none"
	[[ $output != *"[hwloc"* ]] || { echo "hwloc's own lines: $output" && return 1; }
}

@test "a file of one node is measured, with the proof that there was and measured caches" {
	inside ./affinity args/quickstart/1_one_thread.args -
	has "(shown by one node, "
	has "- CPU of thread 0: shown by "
	has "the machine shows no sizes of caches; measured: L1 "
	has "read           | Thread 0: "
}
