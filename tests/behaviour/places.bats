#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Places where people run it: as a plain user with a user namespace, and on a kernel without NUMA.

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup() { small_run; }

# placed PROOF: measured, every vector whole on one node, which PROOF showed.
placed() {
	[ "$status" -eq 0 ]
	jq -e --arg by "$1" 'all(.runs[].vectors[].found; .nodes_shown_by == $by and .pages_absent == 0 and
		([.pages_on_node[]] | length == 1))' out.json >/dev/null
}

@test "a plain user in a user namespace of his own has every proof" {
	need_move_pages
	need_nobody
	try "${nobody[@]}" unshare -r true
	[ "$status" -eq 0 ] || skip "a plain user may make no user namespace here: $stderr"
	try "${nobody[@]}" unshare -r "$AFFINITY" --json out.json t.args out.txt
	placed move_pages
}

# without_numa COMMAND...: /sys has no nodes, and the kernel no calls for them.
without_numa() {
	# shellcheck disable=SC2016 # for the shell of the namespace
	try unshare -m sh -c 'mount -t tmpfs none hidden && for f in /sys/devices/system/*; do
			[ ! -d "$f" ] || [ "${f##*/}" = node ] || { mkdir "hidden/${f##*/}" && mount --bind "$f" "hidden/${f##*/}"; }
		done && mount --bind hidden /sys/devices/system && ! [ -e /sys/devices/system/node ] && exec "$@"' - \
		"$tools/refuse" move_pages=ENOSYS mbind=ENOSYS get_mempolicy=ENOSYS set_mempolicy=ENOSYS -- "$@"
}

@test "a machine without NUMA is one node, and measured" {
	[ "$(id -u)" -eq 0 ] || skip "only root can hide /sys"
	[ "$("$AFFINITY" --topology | grep -c '^node ')" -eq 1 ] || skip "there is more than one node"
	mkdir hidden
	without_numa true
	[ "$status" -eq 0 ] || skip "/sys cannot be hidden, or there are no seccomp filters here: $stderr"
	says /proc/self/numa_maps ''
	without_numa env LD_PRELOAD="$shims/files.so" "$AFFINITY" --json out.json t.args out.txt
	placed "one node"
	[[ $stderr == *"warning: the kernel has no memory policies; left to the kernel's default"* ]]
	without_numa "$AFFINITY" --topology
	[ "$status" -eq 0 ]
	[[ $output == *$'\nnodes that can hold vectors: 0\n'* ]]
}
