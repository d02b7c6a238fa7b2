# shellcheck shell=bash disable=SC2154 # variables of bats
# SPDX-License-Identifier: GPL-3.0-or-later
# For tests of predictions from profiles of a made-up machine whose law is known (tests/behaviour/profile_parts.jq).

made_up_setup() {
	driver_setup
	export HWLOC_SYNTHETIC="numa:2 l3:1 core:2 pu:2"
	caches="caches=32K 256K 8M/2"
	facts='{"topology": {"nodes": 2, "packages": 0, "cores": 4, "cpus": 8}, "caches": [{"level": 1, "bytes": 32768, "count": 4}, {"level": 2, "bytes": 262144, "count": 4}, {"level": 3, "bytes": 8388608, "count": 2}]}'
	mkdir profile
	units=$(units_of_kernels)
}

# The same with four cores a node, of one hardware thread each.
made_up_cores() {
	made_up_setup
	export HWLOC_SYNTHETIC="numa:2 l3:1 core:4 pu:1"
	caches="caches=32K 256K 8M/4"
	facts='{"topology": {"nodes": 2, "packages": 0, "cores": 8, "cpus": 8}, "caches": [{"level": 1, "bytes": 32768, "count": 8}, {"level": 2, "bytes": 262144, "count": 8}, {"level": 3, "bytes": 8388608, "count": 2}]}'
}

# measured FILE: profile/NAME.json, what an argument file measures by the law.
measured() {
	local time=false
	! grep -q '^mode:' "$1" || time=true
	"$AFFINITY" --quiet --plan --set "$caches" --json plan.json "$1" >/dev/null
	jq --rawfile args "$1" --argjson set "[\"$caches\"]" --argjson time $time --argjson unit_of "$units" --argjson facts \
		"$facts" -f "$root/tests/behaviour/profile_parts.jq" plan.json >"profile/$(basename "$1" .args).json"
}

predict() { try "$AFFINITY" --predict profile --set "$caches" "$@"; }

# near VALUE EXPECTED: to 1 %
near() {
	echo "$1, expected $2"
	awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0.99 * b && a < 1.01 * b) }'
}

# refuses REASON: t.args. The command that is to measure what is missing runs.
refuses() {
	local set
	predict t.args
	same 1 "$status"
	[[ $stderr == *"nothing of 't.args' can be predicted: $1"* ]]
	set=$(sed -n 's|.*args/profile/03_alone.args with ||p' <<<"$stderr")
	[[ $set == *" and "* ]] || eval "\"$AFFINITY\" --quiet --plan --set '$caches' $set '$root/args/profile/03_alone.args'" >/dev/null
}

# agrees FILE: all that is predicted of it from the profile is to 1 % what the law says, which is then part of the profile;
# refusals are listed.
agrees() {
	predict --json out.json "$1" out.txt
	same 0 "$status"
	measured "$1"
	jq -r '[.runs[].operations[]? | .refused // empty] | unique[]' out.json >refused
	jq -n --slurpfile p out.json --slurpfile m "profile/$(basename "$1" .args).json" -e '
		[range($p[0].runs | length) as $i | range($p[0].runs[$i].operations // [] | length) as $k
			| $p[0].runs[$i].operations[$k] as $o | select($o.refused | not)
			| ($m[0].runs[$i].operations[$k].threads[0].figures | .cost_s) as $true
			| $o.threads[0].predicted_s.value / $true] | length >= 8 and all(.[]; . > 0.99 and . < 1.01)'
	rm "profile/$(basename "$1" .args).json"
}
