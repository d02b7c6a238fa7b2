#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# Node 1 has 64 MiB.

# shellcheck source=tests/numa/lib.sh
. "$(dirname "$0")/lib.sh"

no_oom() {
	! dmesg | grep -i -E 'out of memory|oom-kill|bus error' >oom || wrong "$(cat oom)"
}

free_kib() { awk '/MemFree/ { print $4 }' $sys/node/node1/meminfo; }

topology_agrees
plan_agrees

title 'a vector that fits is there'
measure one.args '0/1' 0 --set nodePerVector=1
title 'a vector larger than its node is refused in the plan'
refused 3 'the vectors of node 1 take 80 MiB' one.args --set nodePerVector=1 --set tamPerVector=80MiB
title 'two vectors that only together are too large are refused in the plan'
refused 3 'the vectors of node 1 take 80 MiB' two.args --set 'nodePerVector=1 1' --set 'tamPerVector=40MiB*'
title 'a vector larger than what is free is refused before it is touched'
refused 3 'vector 0' one.args --set nodePerVector=1 --set tamPerVector=58MiB
title 'shares of memory are of the node asked'
affinity --plan one.args --set nodePerVector=1 --set tamPerVector=50% >plan 2>messages || wrong "$(cat messages)"
kib=$(awk '/MemTotal/ { print $4 }' $sys/node/node1/meminfo)
same 'bytes of half of it' $((kib * 512)) "$(sed -n 's/^vector 0: node 1, \([0-9]*\) char.*/\1/p' plan)"
title 'a vector on a node that others have filled up to its reserve is refused'
cpu=$(sed -n 's/ 1$//p' cpus | head -n 1)
for _ in $(seq 60); do
	[ "$(free_kib)" -gt 4800 ] || break
	taskset -c "$cpu" dd if=/dev/zero bs=256k count=4 2>/dev/null >>/tmp/full
done
refused 3 'vector 0' one.args --set nodePerVector=1
title 'nobody was killed for want of memory'
no_oom
quickstart
finish
