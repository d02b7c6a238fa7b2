#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# --predict: profiles that are damaged, mixed, copied or of half the files teach nothing wrong, and say so.

bats_require_minimum_version 1.5.0
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/made_up.bash
source "$BATS_TEST_DIRNAME/../made_up.bash"

setup() {
	made_up_setup
	measured "$root/args/profile/03_alone.args"
	mv profile/03_alone.json good.json
	cp good.json profile/good.json
	printf '%s\n' "kernels: read" "nodePerThread: 0" "vectorPerThread: 0" "nodePerVector: 1" "sizePerVector: 8xLLC" \
		"typePerVector: double" "stride: 192B" "passes: 1" >t.args
}

# change FILTER: profile/bad.json, good.json changed by jq; other samples make it another measurement.
change() { jq "(.runs[].operations[].threads[].figures.cost_s | numbers) *= 1.01 | $1" good.json >profile/bad.json; }

# teaches_nothing REASON HINT: profile/bad.json is left out in a folder, and refused by itself.
teaches_nothing() {
	local known
	try "$AFFINITY" --predict good.json --set "$caches" --json out.json t.args out.txt
	known=$(jq '.runs[0].operations[0].threads[0].predicted_s.value' out.json)
	predict --json out.json t.args out.txt
	same 0 "$status"
	[[ $stderr == *"warning: profile/bad.json: $1; it is not used"* ]]
	[[ $stderr == *"hint: $2"* ]]
	same '["profile/good.json"]' "$(jq -c '.profile' out.json)"
	near "$(jq '.runs[0].operations[0].threads[0].predicted_s.value' out.json)" "$known"
	try "$AFFINITY" --predict profile/bad.json --set "$caches" t.args
	same 2 "$status"
	[[ $stderr == *$'\n'"profile/bad.json: $1"*$'\n'"  hint: $2"* ]]
}

damaged="the file was changed or damaged: measure again"
other="the file was changed, or the machine or the program was: measure it again with '"
no_measurement="cannot have been measured here by this program"

@test "a damaged figure is no measurement" {
	change '.runs[1].operations[0].threads[0].figures.cost_s = -0.5'
	teaches_nothing "run 2 $no_measurement: read, thread 0: costs -0.5 s" "$other"
	change '.runs[1].operations[0].threads[0].figures.cost_s = 0'
	teaches_nothing "run 2 $no_measurement: read, thread 0: costs 0 s" "$other"
	change '.runs[1].operations[0].threads[0].figures.cost_s = "0.5"'
	teaches_nothing "'runs[1].operations[0].threads[0].figures.cost_s' is no number" "$damaged"
	change '.runs[1].operations[1].threads[0].figures.units = "many"'
	teaches_nothing "'runs[1].operations[1].threads[0].figures.units' is no number" "$damaged"
	change '.runs[0].vectors[0].bytes = true'
	teaches_nothing "'runs[0].vectors[0].bytes' is no whole number" "$damaged"
	change 'del(.runs[3].operations[2].threads[0].unit)'
	teaches_nothing "run 4 $no_measurement: read_write, thread 0: its unit is missing, this program's access" "$other"
	change '.runs[3].operations[2].threads[0].unit = "byte"'
	teaches_nothing "run 4 $no_measurement: read_write, thread 0: its unit is 'byte', this program's access" "$other"
}

@test "runs that are not what their argument file asks for teach nothing" {
	change 'del(.runs[0].vectors[0].bytes)'
	teaches_nothing "run 1 $no_measurement: its vectors have not the sizes and nodes that its argument file gives them here" \
		"$other"
	change '.runs[0].vectors[0].bytes /= 2'
	teaches_nothing "run 1 $no_measurement: its vectors have not the sizes and nodes that its argument file gives them here" \
		"$other"
	change '.runs[0].threads[0].cpu += 1'
	teaches_nothing "run 1 $no_measurement: its threads are not where its argument file has them here" "$other"
	change '.runs[0].operations[0].threads = []'
	teaches_nothing "run 1 $no_measurement: it has 'read' of 0 threads, its argument file 'read' of 1" "$other"
	change '.runs[0].operations |= reverse'
	teaches_nothing "run 1 $no_measurement: it has 'write_read' of 1 thread, its argument file 'read' of 1" "$other"
}

@test "the same file twice teaches once" {
	cp good.json profile/copy.json
	predict --json out.json t.args out.txt
	same 0 "$status"
	[[ $stderr == *"warning: profile/good.json: is the same measurement as 'profile/copy.json', and is not used"* ]]
	[[ $stderr == *"hint: what counts twice makes intervals too narrow: remove one of them"* ]]
	same '["profile/copy.json"]' "$(jq -c '.profile' out.json)"
	try "$AFFINITY" --predict good.json,profile/copy.json --set "$caches" --json out.json t.args out.txt
	same 0 "$status"
	same 16 "$(jq .learned out.json)"
}

@test "the results of two machines are no profile, even with --force" {
	change '.environment.host = "b"'
	predict t.args
	same 2 "$status"
	[[ $stderr == *"profile/good.json: is of another machine than 'profile/bad.json': host is not recorded, and was b"* ]]
	[[ $stderr == *"  hint: a profile is of one machine: put the results of each into a folder of its own"* ]]
	predict --force t.args
	same 2 "$status"
}

@test "an interrupted measurement says that it lacks something" {
	change '.interrupted = true'
	predict t.args out.txt
	same 0 "$status"
	[[ $stderr == *"warning: profile/bad.json: was interrupted; what it lacks is not used"* ]]
}
