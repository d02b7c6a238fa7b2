#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# affinity-fleet with 10,000 results of 100 figures each, in 2 GB of memory.

bats_require_minimum_version 1.5.0 # run !
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	mkdir first
}

# 1250 nodes ran four experiments twice: 25 operations of 4 threads each.
@test "10,000 results of 100 figures are judged in 2 GB, and the slow node is named" {
	[ "$(df --output=avail -k . | tail -n 1)" -gt 600000 ] || skip "600 MB of room are missing for the results"
	awk -v nodes=1250 -v runs=2 -v into=first -v operations=25 -v threads=4 -v experiments='bandwidth caches latency width' -v slow=17 \
		-v what=latency -v by=1.08 -f "$BATS_TEST_DIRNAME/../behaviour/fleet.awk"
	(ulimit -v 2000000 && exec "$AFFINITY-fleet" first --json out.json >told)
	head -n 20 told
	jq -e '.results == 10000 and .groups[0].figures == 400' out.json
	grep -q '^ - n017: suspect: memory/latency: slower by 8' told
}
