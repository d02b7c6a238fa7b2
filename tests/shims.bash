#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the .bats files about failures share, on top of helper.bash: shims of tests/shims/, tools of tests/tools/, and
# a simulated machine of two nodes.
# shellcheck disable=SC2154 # root is helper.bash's, status and stderr are bats's

# Finds the shims and tools that the Makefile built.
shims_setup() {
	local build=${AFFINITY_BUILD:-build}
	[[ $build == /* ]] || build=$root/$build
	shims=$build/shims
	# shellcheck disable=SC2034 # for the tests
	tools=$build/tools
	[ -d "$shims" ] || skip "the shims are not built: make test"
	! ldd "$AFFINITY" | grep -q 'lib.san' || skip "a sanitizer's allocator wants to be loaded before any shim"
	FILES=$PWD/files
	export FILES
}

# For setup(): an experiment of one thread and one small vector, and an earlier result that must stay as it is.
small_run() {
	driver_setup
	shims_setup
	given "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0" "tamPerVector: 64KiB" "numIter: 2"
	before
	# shellcheck disable=SC2034 # for the tests
	outputs=(--json earlier.json t.args out.txt)
}

# under SHIM[,SHIM]... [KEY=VALUE]... COMMAND...: as try(), with shims before the C library.
under() {
	local list=$1 preload=
	shift
	for name in ${list//,/ }; do
		preload+=$shims/$name.so:
	done
	try env LD_PRELOAD="${preload%:}" "$@"
}

# LLVM's OpenMP runtime allocates when it is loaded, and aborts the process if that fails.
not_with_libomp() {
	! ldd "$AFFINITY" | grep -q libomp || skip "LLVM's OpenMP runtime aborts by itself"
}

# says PATH TEXT: the shim `files` gives TEXT in place of the file PATH; an empty TEXT: there is no such file.
says() {
	mkdir -p "$FILES/${1%/*}"
	printf '%s' "$2" >"$FILES$1"
}

# two_nodes FREE0 FREE1: with the shims `files` and `nodes`, a machine of two nodes of 4 GiB and one CPU each,
# with so many MiB free. Threads really run on these CPUs; pages only seem to be on these nodes.
two_nodes() {
	local free=("$1" "$2") node=/sys/devices/system/node n
	[[ $(usable_cpus | head -n 2 | xargs) == "0 1" ]] || skip "CPUs 0 and 1 are not both ours"
	export HWLOC_SYNTHETIC="numa:2(memory=4GB) core:1 pu:1" HWLOC_THISSYSTEM=1
	says $node/online $'0-1\n'
	says $node/has_memory $'0-1\n'
	for n in 0 1; do
		says $node/node$n/cpulist "$n"$'\n'
		says $node/node$n/meminfo "Node $n MemTotal: 4194304 kB
Node $n MemFree: $((free[n] * 1024)) kB
Node $n Active(file): 0 kB
Node $n Inactive(file): 0 kB
Node $n SReclaimable: 0 kB
"
	done
	says /proc/meminfo "MemTotal: 8388608 kB
MemAvailable: $(((free[0] + free[1]) * 1024)) kB
"
	says /proc/self/status $'Mems_allowed_list:\t0-1\n'
	says /proc/sys/vm/min_free_kbytes ''
}

# on_two_nodes [KEY=VALUE]... -- [OPTION]...: t.args is measured on these two nodes, in that environment.
on_two_nodes() {
	local with=()
	two_nodes 4000 4000
	while [ "$1" != -- ]; do
		with+=("$1")
		shift
	done
	shift
	under files,nodes "${with[@]}" "$AFFINITY" --quiet --json out.json "$@" t.args out.txt
}

# failed_with EXIT TEXT...: the driver ended with that status, all these texts are among its messages, and it made or
# changed no file. `before` makes the file that must stay as it is.
before() {
	echo earlier >earlier.json
}
failed_with() {
	[ "$status" -eq "$1" ]
	local text
	for text in "${@:2}"; do
		echo "looking for: $text"
		[[ $stderr == *"$text"* ]]
	done
	[ ! -e out.txt ]
	[ "$(<earlier.json)" = earlier ]
	no_temporary_files
}

# warned TEXT...: the driver measured, and its messages, report and JSON all have these texts among the warnings.
warned() {
	[ "$status" -eq 0 ]
	local text
	for text; do
		echo "looking for: $text"
		[[ $stderr == *"warning: $text"* ]]
		grep -qF -- "- $text" out.txt
		jq -e --arg text "$text" '[.warnings | .. | strings] | any(contains($text))' out.json >/dev/null
	done
}
