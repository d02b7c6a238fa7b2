#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# What docker refuses by default, on a machine of four nodes: no policy, and no answer for single pages. The kernel's
# counts are the proof.

# shellcheck disable=SC2034 # for lib.sh
boot_options="--program ${AFFINITY_BUILD:-build}/tools/stray --program ${AFFINITY_BUILD:-build}/tools/refuse"

# shellcheck source=tests/numa/lib.sh
. "$(dirname "$0")/lib.sh"

# From now on affinity runs behind the filter, also under the witness.
behind() { # ERROR
	local rules='' call
	for call in move_pages mbind get_mempolicy set_mempolicy migrate_pages; do
		rules="$rules $call=$1"
	done
	mkdir -p bin
	printf '#!/bin/sh\nexec refuse%s -- /bin/affinity "$@"\n' "$rules" >bin/affinity
	chmod +x bin/affinity
}

# The run before said both, once, and this was its proof.
said() { # POLICIES-WORDS VECTORS
	same 'warnings about policies' 1 "$(grep -c "$1" report)"
	same 'warnings about pages' 1 "$(grep -c 'the kernel does not say where each page is' report)"
	same 'vectors proven by counts' "$2" "$(grep -c '"nodes_shown_by": "numa_maps"' json)"
}

# A run during whose sample one page of vector 1 goes to another node.
strayed() { # OPTION...
	rm -f report json
	affinity --quiet --json json --set 'nodePerThread=0 2' --set 'nodePerVector=0 2' --set 'tamPerVector=1116KiB 1136KiB' \
		--set 'sleep=1s*' --set placements=1 --set numIter=1 --set warmup=0 "$@" two.args report >messages 2>&1 &
	pid=$!
	until_asleep $pid
	kill -STOP $pid
	stray $pid 1136 1 || wrong 'no page was moved, which proves nothing'
	kill -CONT $pid
	status=0
	wait $pid || status=$?
}

PATH=$PWD/bin:$PATH
for error in EPERM ENOSYS; do
	behind $error
	words='memory policies are forbidden here'
	[ $error = EPERM ] || words='the kernel has no memory policies'
	title "$error: threads of a vector's node touch it first, whoever was to do it"
	measure two.args '0 2/local:1 local:2' '0 1' --set 'nodePerThread=0 2' --set 'nodePerVector=1 preferred:2' \
		--set 'initPerVector=owner main'
	said "$words" 2
done
behind EPERM
title 'a local vector is where it was touched first'
measure two.args '1 2/local:2 local:1' '0 1' --set 'nodePerThread=1 2' --set 'nodePerVector=local local' \
	--set 'initPerVector=thread:1 thread:0'
title 'threads of several nodes interleave a vector in turn'
measure one.args '1/dealt:0-2' 0 --set nodePerThread=1 --set nodePerVector=interleave:0,1,2
said 'memory policies are forbidden here' 1
title 'transparent huge pages are counted as the pages that they hold'
first_kib=6144 step_kib=2048 thp=1
measure one.args '0/local:1' 0 --set nodePerVector=1 --set pagesPerVector=thp
title 'they are interleaved one by one'
measure one.args '0/dealt:0-2' 0 --set nodePerVector=interleave:0,1,2 --set pagesPerVector=thp
thp=0
title 'pages of a pool are counted in their size'
echo 3 >$sys/node/node2/hugepages/hugepages-2048kB/nr_hugepages
page=2048
measure one.args '0/local:2' 0 --set nodePerVector=2 --set pagesPerVector=2M
page=4 first_kib=1116 step_kib=20
title 'a node on which no thread can run is refused, with the reason'
refused 3 'and no thread of this process may run on node 3 to touch it first' one.args --set nodePerVector=3
refused 3 'no thread of this process may run on node 3' one.args --set nodePerVector=interleave
title 'one page that leaves its node during the run is found by the counts'
strayed
same 'exit status' 3 "$status"
grep -qF 'vector 1, asked for node 2: 1 of 284 pages moved during the run' messages || wrong "$(cat messages)"
title 'with verify: warn that run is measured and marked'
strayed --set verify=warn
same 'exit status' 0 "$status"
same 'pages that moved' '0 1 ' "$(sed -n 's/.*"pages_moved_during_run": \([0-9]*\).*/\1/p' json | tr '\n' ' ')"
quickstart
finish
