#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# affinity-rhp --profile: what it refuses. That pages are moved back is seen in a guest (tests/numa/fragment.t).

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	RHP=$AFFINITY-rhp
}

# told EXIT LINE... -- WORD...: affinity-rhp with these words ends so, with exactly these lines.
told() {
	ends "$RHP" "$@"
}

@test "wrong options of a profile are refused" {
	told 2 "affinity-rhp: --node: 'one' is not a node" "  hint: a number from 0 to 1023; affinity --topology shows them" \
		-- --profile --node one true
	told 2 "affinity-rhp: --interval: '5ms' is not a time of 100 ms or more" "  hint: a number and a unit, such as 10s or 500ms" \
		-- --profile --interval 5ms true
	told 2 "affinity-rhp: --weigh: 'all' is not gain or walks" -- --profile --weigh all true
	told 2 "affinity-rhp: --again: '-1%' is not a margin" \
		"  hint: a share from 0% to 100%, such as 5%: so much more changes a verdict" -- --profile --again -1% true
	told 2 "affinity-rhp: which command?" "  hint: affinity-rhp [OPTION...] -- COMMAND [ARG...]" -- --profile
}

@test "an option of a profile without one has no effect, and is refused" {
	for option in '--node=0' '--interval=2s' '--weigh=gain' '--again=5%'; do
		told 2 "affinity-rhp: ${option%=*} has no effect without --profile" "  hint: add --profile, or leave it out" -- "$option" true
		told 2 "affinity-rhp: ${option%=*} has no effect with --simulate" "  hint: leave out one of the two" \
			-- "$option" --simulate t.ranges
	done
	told 2 "affinity-rhp: --profile has no effect with --simulate" "  hint: leave out one of the two" \
		-- --profile --simulate t.ranges
	told 2 "affinity-rhp: --least has no effect without --simulate" \
		"  hint: a command gets what the allocator's own rule gives" -- --profile --least 50% true
}

@test "where one node has memory, nothing can be moved back, and nothing is run" {
	[ "$(grep -l 'MemTotal: *[1-9]' /sys/devices/system/node/node*/meminfo 2>/dev/null | wc -l)" -le 1 ] ||
		skip "more than one node has memory here"
	told 1 "affinity-rhp: --profile: only one node has memory for this process: nothing can be moved back" \
		"  hint: without --profile the command runs with its large blocks in huge pages; affinity --topology shows the nodes" \
		-- --profile -- touch ran
	[ ! -e ran ]
}
