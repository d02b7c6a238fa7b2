#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# gVisor: a kernel in user space, whose /sys has no CPUs, with the machine's own files.

setup_file() {
	LACKING=''
	if ! command -v runsc >/dev/null; then
		LACKING="there is no gVisor: apt-get install runsc"
	elif ! why=$(timeout 60 runsc --network=none 'do' true 2>&1); then
		LACKING="runsc makes no sandbox here: $(tail -n 1 <<<"$why")"
	fi
	export LACKING
}

setup() {
	[ -z "$LACKING" ] || skip "$LACKING"
	root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	[[ ${AFFINITY_BUILD:-build} == build ]] || skip "only the usual build is tried under gVisor"
	cd "$BATS_TEST_TMPDIR" || return 1
}

# The sandbox's output is a pipe: in a file it writes over what is there.
inside() { # COMMAND...
	timeout 120 runsc --network=none 'do' --cwd="$root" "$@" 2>&1 | cat
}

has() { # TEXT: in what was printed
	[[ $output == *"$1"* ]] || { echo "no '$1' in: $output" && return 1; }
}

@test "the CPUs are found where /sys shows none, and that their cores are not known is told" {
	output=$(inside ./affinity --topology)
	has "this machine: 1 node, 0 packages, $(nproc) cores, $(nproc) CPUs"
	has "warning: the system does not show hwloc its cores and caches"
	has "caches: the machine shows none"
	[[ $output != *"[hwloc"* ]] || { echo "hwloc's own lines: $output" && return 1; }
}

@test "a file of one node is measured, with the proof that there was and measured caches" {
	output=$(inside ./affinity args/quickstart/1_one_thread.args -)
	has "(shown by one node, "
	has "- CPUs of threads 0: shown by "
	has "the machine shows no sizes of caches; measured: L1 "
	has "read           | Thread 0: "
}
