#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck disable=SC2016 # the driver's variables, not the shell's
# --export-memattrs: measured figures as hwloc's memory attributes, and the documents that it refuses.

# shellcheck disable=SC2030,SC2031 # each test is a process of its own
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	command -v jq >/dev/null || skip "jq is not installed (make setup installs it)"
	machine "$root/tests/topologies/thesis.xml"
	document
}

# document [CHANGE]: four.json, the whole matrix of the machine of the thesis, as jq's CHANGE leaves it.
document() {
	jq -n -f "$root/tests/behaviour/memattrs.jq" | jq "${1:-.}" >four.json
}

# Documents of made-up figures have no intervals.
exported() {
	try "$AFFINITY" --export-memattrs out.xml "${@:-four.json}"
	[ "$status" -eq 0 ]
	same '' "$output$(grep -v "^affinity: warning: .* weak, such as: ${weak:-no interval}\|^  hint: measure them with more" <<<"$stderr")"
	no_temporary_files
}

# refused_export EXIT LINE...
refused_export() {
	echo earlier >out.xml
	try "$AFFINITY" --export-memattrs out.xml four.json
	[ "$status" -eq "$1" ]
	same "$(printf '%s\n' "${@:2}")" "$stderr"
	[ "$(<out.xml)" = earlier ]
	no_temporary_files
}

# attributes NAME: what lstopo says of one, as CPUS>NODE=VALUE, sorted.
attributes() {
	unset HWLOC_XMLFILE
	lstopo-no-graphics --memattrs -i out.xml | awk -v name="\`$1'" '
		/^Memory attribute/ { wanted = $5 == name; next }
		wanted && / from cpuset / { sub("L#", "", $2); print $7 ">" $2 "=" $4 }' | sort
}

# measured FILE [SET]...: one of the project's argument files, as short as it may be, as FILE.json.
measured() {
	local file=$1 sets=()
	shift
	for set; do
		sets+=(--set "$set")
	done
	try "$AFFINITY" --quiet --set numIter=1 --set warmup=0 "${sets[@]}" --json "$file.json" \
		"$root/args/matrix/$file.args" /dev/null
	[ "$status" -eq 0 ]
}

@test "lstopo finds every figure with the CPUs it is of, in its units" {
	command -v lstopo-no-graphics >/dev/null || skip "lstopo is not installed (make setup installs it)"
	exported
	[ "$(attributes Latency | wc -l)" -eq 16 ]
	same "$(attributes Latency)" "$(attributes ReadLatency)"
	attributes Latency | grep -x '0x000003ff>0=88' # 87.7 ns, rounded
	attributes Latency | grep -x '0x000003ff>3=255'
	attributes Latency | grep -x '0x000000ff,0xc0000000>2=254'
	# 61255 and 30627.5 MB/s, what the threads move together
	attributes ReadBandwidth | grep -x '0x000003ff>0=58417'
	attributes WriteBandwidth | grep -x '0x000003ff>0=29209'
	attributes Bandwidth | grep -x '0x000003ff>0=43813'
	attributes ReadBandwidth | grep -x '0x3ff00000>1=11821'
	[ -z "$(attributes WriteLatency)" ]
}

@test "figures that are weak are counted, with the reason of the first" {
	document '.runs[].operations[].threads[].figures |= (.cost_s = 1 | .low_s = 0.99 | .high_s = 1.01)
		| .runs[].operations[].together.bytes_per_s |= (if . then .low = .value * 0.98 | .high = .value * 1.02 else . end)'
	try "$AFFINITY" --export-memattrs out.xml four.json
	same "0 " "$status $stderr"
	document '.runs[].operations[].threads[].figures |= (.cost_s = 1 | .low_s = 0.99 | .high_s = 1.01)
		| .runs[].operations[].together.bytes_per_s |= (if . then .low = .value * 0.8 | .high = .value * 1.2 else . end)'
	try "$AFFINITY" --export-memattrs out.xml four.json
	same "0 affinity: warning: 32 of 48 figures of nodes are weak, such as: interval +-20 %
  hint: measure them with more samples and placements" "$status $stderr"
}

@test "what is measured on this machine is what hwloc has of it" {
	command -v lstopo-no-graphics >/dev/null || skip "lstopo is not installed (make setup installs it)"
	machine this
	skip_obstacle
	# small caches of one's own: what the times are of does not matter here, and the real ones may have half a gigabyte
	measured latency "caches=32K 256K 1M" placements=1 tamPerVector=4xcaches loads=1000 mode=time:10ms
	measured bandwidth_one "caches=32K 256K 1M" placements=1 'opType=load store'
	local caches file
	caches=$("$AFFINITY" --check --json - 2>/dev/null | jq -c .facts.caches)
	for file in latency.json bandwidth_one.json; do
		jq --argjson caches "$caches" '.environment.caches = $caches' $file >new.json
		mv new.json $file
	done
	weak=. exported --force latency.json bandwidth_one.json
	local name count
	count=$(jq '.runs | length' latency.json)
	for name in Latency ReadBandwidth WriteBandwidth Bandwidth; do
		[ "$(attributes $name | wc -l)" -eq "$count" ]
	done
	# run 0 is the first node with CPUs and the first with memory
	same "$(jq '.runs[0].operations[0].threads[0].figures.ns_per_unit | round' latency.json)" \
		"$(attributes ReadLatency | head -n 1 | sed 's/.*=//')"
	same "$(jq '.runs[0].operations[0].threads[0].figures.bytes_per_s / 1048576 | round' bandwidth_one.json)" \
		"$(attributes ReadBandwidth | head -n 1 | sed 's/.*=//')"
}

@test "the file says where its figures are from, and a simulated machine that it is one" {
	exported
	grep -q '<info name="MemoryAttributesFrom" value="measured by affinity 1.2 on ring, 2026-01-02T03:04:05Z"/>' out.xml
	[ "$(grep -c Simulated out.xml)" -eq 0 ]
	document '.simulated = true | .environment.simulated = "QEMU"'
	exported
	grep -q '<info name="MemoryAttributesFrom" value=".*; a simulated machine, so no measurement of hardware"/>' out.xml
	grep -q '<info name="MemoryAttributesSimulated" value="QEMU"/>' out.xml
}

@test "the file is a machine for affinity too, the same one" {
	exported
	HWLOC_XMLFILE=out.xml "$AFFINITY" --topology >with.txt
	[ "$(grep -c ', measured, from the CPUs of a node to the memory of another:$' with.txt)" -eq 2 ]
	same "$("$AFFINITY" --topology | sed 1d)" "$(sed '1d; /, measured, from the CPUs/,+5d' with.txt)"
}

@test "two documents make one matrix" {
	jq '.runs |= map(select(.operations[0].operation == "chase"))' four.json >latency.json
	jq '.runs |= map(select(.operations[0].operation == "load"))' four.json >bandwidth.json
	exported
	mv out.xml one.xml
	exported latency.json bandwidth.json
	cmp one.xml out.xml
	exported latency.json
	[ "$(grep -c Bandwidth out.xml)" -eq 0 ]
}

@test "of several figures of a pair the best counts, and what caches had a part in does not" {
	command -v lstopo-no-graphics >/dev/null || skip "lstopo is not installed (make setup installs it)"
	document '.runs += [.runs[0] | .operations[0].threads[0].figures.ns_per_unit = 80]
		| .runs += [.runs[0] | .operations[0].threads[0].figures.ns_per_unit = 90]
		| .runs += [.runs[0] | .operations[0].threads[0].figures.ns_per_unit = 4 | .operations[0].threads[0].times_caches = 3.99]'
	exported
	attributes Latency | grep -x '0x000003ff>0=80'
}

@test "figures that must be measured again are refused, but with --force, and where others of the pair are not disturbed" {
	command -v lstopo-no-graphics >/dev/null || skip "lstopo is not installed (make setup installs it)"
	local again='.operations[0].samples.disturbed = 3' hint='  hint: measure again when nothing else runs; affinity --force takes them all the same'
	document ".runs[2] |= ($again)"
	refused_export 2 "affinity: 1 figure of nodes must be measured again: too many samples are disturbed" "$hint"
	document ".runs[] |= ($again)"
	refused_export 2 "affinity: 32 figures of nodes must be measured again: too many samples are disturbed" "$hint"
	exported four.json --force
	attributes Latency | grep -x '0x000003ff>0=88'
	grep -q '<info name="MemoryAttributesFrom" value=".*; with figures of disturbed samples"/>' out.xml
	# the quicker one is the disturbed one
	document ".runs += [.runs[0] | $again | .operations[0].threads[0].figures.ns_per_unit = 20]"
	exported
	attributes Latency | grep -x '0x000003ff>0=88'
	[ "$(grep -c 'disturbed samples' out.xml)" -eq 0 ]
	# a share below the limit is no reason, and what a later program says of it counts
	document '.runs[].operations[].samples |= (.taken = 10 | .disturbed = 2)'
	exported
	document '.runs[0].operations[0].samples.measure_again = true'
	refused_export 2 "affinity: 1 figure of nodes must be measured again: too many samples are disturbed" "$hint"
}

@test "far() and weights go by no figures that must be measured again, but with --force" {
	given "let: X=0 Y=far(X)" "nodePerThread: X Y" "nodePerVector: X X"
	local option of
	for option in '--matrix chase' '--bandwidths load'; do
		read -r option of <<<"$option"
		# those of others are not taken
		document ".runs[].operations[] |= if .operation == \"$of\" then . else .samples.disturbed = 3 end"
		try "$AFFINITY" --plan "$option" four.json t.args
		[ "$status" -eq 0 ]
		document '.runs[].operations[].samples.disturbed = 3'
		try "$AFFINITY" --plan "$option" four.json t.args
		[ "$status" -eq 2 ]
		[[ $stderr == "affinity: 16 figures of nodes must be measured again: too many samples are disturbed"*"hint: measure again when"* ]]
		try "$AFFINITY" --plan --force "$option" four.json t.args
		[ "$status" -eq 0 ]
	done
	try "$AFFINITY" --plan --force t.args
	[ "$status" -eq 2 ]
}

@test "runs over several nodes, and other kernels, are passed over" {
	document '.runs += [.runs[0] | .vectors[0].asked_node = "interleave:0-3" | .operations[0].threads[0].figures.ns_per_unit = 1]
		| .runs += [.runs[1] | .threads[1].node = 2 | .operations[0].threads[0].figures.bytes_per_s = 1e15]
		| .runs += [.runs[0] | .vectors[0].state = {} | .operations[0].threads[0].figures.ns_per_unit = 1]
		| .runs += [.runs[0] | .operations[0].threads[0] |= (.kernel = "read" | .figures.ns_per_unit = 1)]
		| .runs += [.runs[0] | .operations[0].threads[0] |= (.latency = false | .figures.ns_per_unit = 1)]
		| .runs += [.runs[0] | .threads[0].node = null | .operations[0].threads[0].figures.ns_per_unit = 1]
		| .runs += [.runs[1] | .operations[0] |= (.threads[1].shares_lines = true | .together.bytes_per_s.value = 1e15)]
		| .runs += [.runs[1] | .operations[0] |= (.threads[1].sleep_s = 0.1 | .together.bytes_per_s.value = 1e15)]
		| .runs += [.runs[1] | .operations[0] |= (.threads[1].times_caches = null | .together.bytes_per_s.value = 1e15)]
		| .runs += [{values: {}, skipped: "no such node"}]'
	"$AFFINITY" --export-memattrs other.xml four.json
	document
	exported
	cmp other.xml out.xml
}

@test "a document of another machine is refused" {
	document '.environment.topology = {"nodes": 2, "packages": 2, "cores": 8, "cpus": 16}'
	refused_export 2 \
		"four.json: was measured on another machine: topology was 2 nodes, 2 packages, 8 cores, 16 CPUs, is 4 nodes, 0 packages, 40 cores, 40 CPUs" \
		"  hint: HWLOC_XMLFILE=FILE gives the topology of the machine that was measured (lstopo-no-graphics FILE.xml there)"
	document '.environment.caches = [{"level": 1, "bytes": 1024, "count": 1}]'
	try "$AFFINITY" --export-memattrs out.xml four.json
	[ "$status" -eq 2 ]
	[[ $stderr == "four.json: was measured on another machine: caches was L1 1 KiB x 1, is "* ]]
	# its file says so, and bandwidths do not depend on it
	document '.environment.caches = [{"level": 1, "bytes": 1024, "count": 1}] | .arguments.set += ["caches=1K 2K 3K"]'
	exported
	document '.environment.caches = [{"level": 1, "bytes": 1024, "count": 1}] | .arguments.text += "\ncaches: 1K 2K 3K\n"'
	exported
	machine this
	document '.environment.host = "elsewhere"'
	try "$AFFINITY" --export-memattrs out.xml four.json
	[ "$status" -eq 2 ]
	[[ $stderr == *"four.json: was measured on another machine: host was elsewhere, is "* ]]
}

measure_hint="  hint: measure args/matrix/latency.args and args/matrix/bandwidth.args on the whole machine; runs with a misplaced thread or page, with chains or with a state do not count"

@test "a matrix with holes is refused" {
	document 'del(.runs[6], .runs[20])'
	refused_export 2 \
		"affinity: latency (chase) is missing for 2 of 16 pairs of nodes, such as CPUs of node 0 and memory of node 3" \
		"$measure_hint"
	document '.runs[1].operations[1].together = null'
	refused_export 2 \
		"affinity: write bandwidth (store, store_nt) is missing for 1 of 16 pairs of nodes, such as CPUs of node 0 and memory of node 0" \
		"$measure_hint"
}

@test "a document without such figures is refused, and figures of caches" {
	document '.runs |= map(.operations[].threads[].kernel = "null")'
	refused_export 2 \
		"affinity: there is no figure of node x node: no run of chase, load, store or store_nt with all threads on one node and all vectors on one" \
		"  hint: args/matrix/latency.args and args/matrix/bandwidth.args measure them"
	document '.runs[].operations[].threads[].times_caches = 1'
	refused_export 2 "affinity: no figure shows memory alone: vectors are below 4 times the caches, shared by threads, or used after a sleep" \
		"  hint: sizePerVector: 4xcaches*, and a vector for each thread; results of ejec.sh --quick are too small"
}

@test "several loads at a time are no latency" {
	document '.runs |= map(select(.operations[0].operation == "chase") | .operations[0].threads[0].latency = false)'
	refused_export 2 \
		"affinity: there is no figure of node x node: no run of chase, load, store or store_nt with all threads on one node and all vectors on one" \
		"  hint: args/matrix/latency.args and args/matrix/bandwidth.args measure them"
}

@test "a chase says itself whether its time is a latency" {
	local given
	machine this
	skip_obstacle
	for given in chains=1:true chains=2:false stride=64B:true stride=8B:false stride=256B:true; do
		measured latency tamPerVector=64KiB pages=random loads=100 mode=work "${given%:*}"
		[ "$(jq '.runs[0].operations[0].threads[0].latency' latency.json)" = "${given#*:}" ]
	done
}

@test "a run whose pages or threads were elsewhere is refused" {
	local change
	for change in '.runs[2].vectors[0].found.pages_moved_during_run = 1' \
		'.runs[2].vectors[0].found.pages_on_node = {"0": 1, "1": 65535}' \
		'.runs[2].vectors[0].found.pages_on_node = {"2": 65536}' '.runs[2].operations[0].samples.moved = 1' \
		'.runs[2].vectors[0].found.pages_absent = 1'; do
		document "$change"
		refused_export 2 "four.json: run 3: its pages or threads left the places that the file asks for" \
			"  hint: measure again with verify: strict, which refuses such runs"
	done
}

@test "what is not a result document, a missing one and the same file twice are refused" {
	echo '{}' >four.json
	refused_export 2 "four.json: is not a result document of affinity" "  hint: affinity --json FILE ARGS OUT writes one"
	try "$AFFINITY" --export-memattrs out.xml
	[ "$status" -eq 2 ]
	[[ $stderr == *"--export-memattrs: a result document is missing"* ]]
	try "$AFFINITY" --export-memattrs four.json four.json
	[ "$status" -eq 2 ]
	[[ $stderr == *"'four.json' and 'four.json' are the same file"* ]]
	[ "$(<four.json)" = '{}' ]
}

@test "a file that cannot be written is told before anything is read" {
	try "$AFFINITY" --export-memattrs nowhere/out.xml four.json
	[ "$status" -eq 1 ]
	[[ $stderr == *"nowhere"* ]]
}

# far: the node of thread 1 in the plan, and what the plan says of far().
far() { # [OPTION]...
	given "let: X=0 Y=far(X)" "nodePerThread: X Y" "nodePerVector: X X"
	try "$AFFINITY" --plan "$@" t.args >&2
	[ "$status" -eq 0 ]
	sed -n 's/^thread 1: .*, node \([0-9]*\),.*/\1/p; s/^far and near: //p' <<<"$output" | paste -sd ' '
}

@test "far() goes by the measured matrix where it is given, else by distance, and the plan says so" {
	same 2 "$(far)"
	same "by the accesses measured in four.json 2" "$(far --matrix four.json)"
	# node 3 is the dearest one, in the mean of both directions
	document '.runs |= map(if .values == {t: "3", v: "0"} then .operations[].threads[] |= (if .kernel == "chase" then
		.figures.ns_per_unit = 400 else . end) else . end)'
	same "by the accesses measured in four.json 3" "$(far --matrix four.json)"
	same 2 "$(far)"
}

@test "a matrix that is not whole, or of another machine, or of no latency is refused" {
	given
	document '.runs |= map(select(.values != {t: "3", v: "0"}))'
	try "$AFFINITY" --plan --matrix four.json t.args
	[ "$status" -eq 2 ]
	[[ $stderr == "affinity: latency (chase) is missing for 1 of 16 pairs of nodes, such as CPUs of node 3 and memory of node 0"* ]]
	document '.runs |= map(select(.operations | length == 2))'
	try "$AFFINITY" --plan --matrix four.json t.args
	[ "$status" -eq 2 ]
	document '.runs |= map(.operations |= map(select(.operation != "chase")))'
	try "$AFFINITY" --plan --matrix four.json t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"four.json: has no latency between nodes"* || $stderr == *"is missing for"* ]]
	document
	machine "$TWO_NODES"
	try "$AFFINITY" --plan --matrix four.json t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"four.json: was measured on another machine: "* ]]
	try "$AFFINITY" --matrix four.json --matrix four.json --list
	[ "$status" -eq 2 ]
	[[ $stderr == *"--matrix is given twice"* ]]
	[[ $stderr == *"--matrix has no effect with --list"* ]]
}
