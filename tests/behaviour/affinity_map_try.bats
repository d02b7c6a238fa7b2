#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# affinity-map --try: which command lines race, what becomes of bad ones, and what is told. The program prints its figure,
# so that no test depends on a time.

# shellcheck disable=SC2016,SC2030,SC2031 # programs have variables of their own; each test is a process
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup() {
	driver_setup
	MAP=$AFFINITY-map
	unset LD_PRELOAD OMP_NUM_THREADS OMP_PLACES OMP_PROC_BIND GLIBC_TUNABLES
	cat >program <<-'END'
		#!/bin/sh
		echo run >>runs
		map=$PPID
		read -r name <"/proc/$map/comm"
		[ "$name" != affinity-rhp ] || map=$(cut -d ' ' -f 4 "/proc/$map/stat")
		[ "$(wc -l <runs)" != "$STOP_AT" ] || kill -TERM "$map"
		[ -z "$OMP_PLACES" ] || { echo "cost: 1 units" && exit "${BOUND_STATUS:-0}"; }
		echo "cost: 9 units"
		echo "cost: 2 units"
	END
	chmod +x program
	race=(--try --mapping compact --threads 1 --figure 'cost: ([0-9.]+)' --smaller --out report --json out.json)
}

# A numactl in a folder of its own, with this option.
numactl() { # FOLDER [OPTION]
	mkdir "$1"
	echo "#!/bin/sh $2" >"$1/numactl"
	chmod +x "$1/numactl"
}

@test "candidates are every mapping, policy and number of threads that differ, as lines to paste" {
	machine "$TWO_NODES"
	try "$MAP" --try --plan --threads 2,4 -- sort "it's" -n
	[ "$status" -eq 0 ]
	[[ $output == "candidate 0, as it is: sort 'it'\\''s' -n"$'\n'* ]]
	local line
	for line in "as it is, interleave=0,1: numactl --interleave=0,1 -- sort 'it'\\''s' -n" \
		"os of 2: env OMP_NUM_THREADS=2 sort 'it'\\''s' -n" \
		"compact of 2: env OMP_NUM_THREADS=2 'OMP_PLACES={0},{1}' OMP_PROC_BIND=close taskset -c 0,1 sort 'it'\\''s' -n" \
		"compact of 2, membind=0: env OMP_NUM_THREADS=2 'OMP_PLACES={0},{1}' OMP_PROC_BIND=close numactl --membind=0 --physcpubind=0,1 -- sort 'it'\\''s' -n" \
		"scatter of 4, interleave=0,1: env OMP_NUM_THREADS=4 'OMP_PLACES={0},{4},{2},{6}' OMP_PROC_BIND=close numactl --interleave=0,1 --physcpubind=0,4,2,6 -- sort 'it'\\''s' -n"; do
		echo "looking for: $line"
		[[ $output == *", $line"$'\n'* ]]
	done
	[[ $output != *"scatter of 4, membind"* ]]
	# where nodes have several L3, threads are spread over them or packed in one; without --threads as many as one has cores
	machine "pack:1 [numa(memory=8GB)] l3:2(size=16MiB) core:3 pu:2"
	try "$MAP" --try --plan -- sort
	same "compact of 3 over 1 L3: 0,1,2
scatter of 3 over 2 L3: 0,6,2
packed of 3 over 1 L3: 0,2,4
compact of 12 over 2 L3: 0,1,2,3,4,5,6,7,8,9,10,11
scatter of 12 over 2 L3: 0,6,2,8,4,10,1,7,3,9,5,11" \
		"$(sed -n 's/^candidate [0-9]*, \([^,]* L3\): env OMP_NUM_THREADS=.* taskset -c \([0-9,]*\) sort$/\1: \2/p' <<<"$output")"
}

@test "a binding that the user asks OpenMP for does not bind affinity-map, and with it all candidates" {
	[ "$(nproc)" -ge 2 ] || skip "needs two CPUs"
	local own
	own=$(own_cpu)
	"$MAP" --try --plan -- true >without
	OMP_PROC_BIND=true OMP_PLACES="{$own}" "$MAP" --try --plan -- true >with
	cmp without with
	OMP_PROC_BIND=true OMP_PLACES="{$own}" try "$MAP" --try --budget 1s --figure '(1)' --smaller --out report -- sh -c '[ -n "$OMP_NUM_THREADS" ] ||
		sed -n "s/^Cpus_allowed_list:[[:blank:]]*//p" /proc/self/status >>seen; echo 1'
	same "$(own_cpus)" "$(sort -u seen)"
}

@test "a line can be pasted when the program's name has a =, and needs numactl where it has a policy" {
	machine "$TWO_NODES"
	printf '%s\n' '#!/bin/sh' 'printf "%s\n" "$0" "$OMP_NUM_THREADS" "$@"' >a=b
	chmod +x a=b
	"$MAP" --try --plan --mapping os --threads 2 -- ./a=b "c d" >plan
	bash -c "$(sed -n 's/^candidate [0-9]*, os of 2: //p' plan)" >out
	same "./a=b 2 c d" "$(paste -sd' ' out)"
	mkdir none
	PATH=$PWD/none try "$MAP" --try --plan -- ./a=b
	[ "$status" -eq 0 ]
	[[ $stderr == *"warning: numactl is not installed: command lines with a memory policy need it"* ]]
}

@test "what is the same on this machine is tried once, and what is left out has its reason" {
	machine "numa:1(memory=8GB) core:2 pu:1"
	try "$MAP" --try --plan -- true
	[ "$status" -eq 0 ]
	[[ $'\n'$output$'\n' == *$'\n'"left out: memory policies: there is one node with memory"$'\n'* ]]
	[[ $'\n'$output$'\n' == *$'\n'"left out: scatter of 2: the same CPUs as compact"$'\n'* ]]
	[[ $output != *"interleave"* ]]
	try env OMP_NUM_THREADS=1 "$MAP" --try --plan --mapping compact -- true
	[[ $output == *", compact of 1: env OMP_NUM_THREADS=1 'OMP_PLACES={0}' OMP_PROC_BIND=close taskset -c 0 true"* ]]
}

@test "nodes are weighed by measured bandwidths, and by the kernel's own weights where it has any" {
	command -v jq >/dev/null || skip "jq is not installed (make setup installs it)"
	machine "$root/tests/topologies/thesis.xml"
	jq -n -f "$root/tests/behaviour/memattrs.jq" >bw.json
	try "$MAP" --try --plan --mapping compact --bandwidths bw.json --threads 8,32 -- true
	[ "$status" -eq 0 ]
	local line
	# of one node, whose own memory is quick; of all, the slowest of which decides
	for line in "compact of 8, affinity-rhp 0=5,1=1,2=1,3=1: env OMP_NUM_THREADS=8 "*" taskset -c 0,1,2,3,4,5,6,7 "*"/affinity-rhp --weights 0=5,1=1,2=1,3=1 --from 32MiB --report /dev/null -- true"; do
		echo "looking for: $line"
		# shellcheck disable=SC2053 # a pattern
		[[ $output == *", "$line* ]]
	done
	[[ $output == *"left out: weights by bandwidth: they are equal, as those of interleave"* ]]
	# a quarter, a half and three quarters of what the other nodes have, too; threads on all nodes have no others
	same "0=5,1=1,2=1,3=1 0=15,1=2,2=2,3=2 0=13,1=1,2=1,3=1 0=26,1=1,2=1,3=1" \
		"$(grep -o 'compact of [0-9]*, affinity-rhp [0-9=,]*:' <<<"$output" | grep -o '[0-9=,]*:' | tr -d : | paste -sd' ')"
	[[ $output == *"left out: weighted interleave of the kernel: this one has none (Linux 6.9)"* ]]
	try "$MAP" --try --plan -- true
	[[ $output == *"left out: weights by bandwidth: --bandwidths names no results of args/matrix/bandwidth.args"* ]]
	jq '.runs |= map(select(.operations[0].operation == "chase"))' bw.json >less.json
	ends "$MAP" 2 "less.json: has no read bandwidth between nodes" "  hint: args/matrix/bandwidth.args measures it" \
		-- --try --plan --bandwidths less.json -- true

	machine this
	shims_setup
	two_nodes 4000 4000
	says /sys/kernel/mm/mempolicy/weighted_interleave/node0 $'2\n'
	says /sys/kernel/mm/mempolicy/weighted_interleave/node1 $'2\n'
	under files "$MAP" --try --plan --mapping compact -- true
	[[ $output == *"left out: weighted interleave of the kernel: the system's weights are equal, as those of interleave"* ]]
	says /sys/kernel/mm/mempolicy/weighted_interleave/node0 $'3\n'
	numactl old
	PATH=$PWD/old:$PATH under files "$MAP" --try --plan --mapping compact -- true
	[[ $output == *"left out: weighted interleave of the kernel: this numactl has no --weighted-interleave (numactl 2.0.19)"* ]]
	[[ $output != *", weighted-interleave="* ]]
	numactl new --weighted-interleave
	PATH=$PWD/new:$PATH under files "$MAP" --try --plan --mapping compact -- true
	[[ $output == *", as it is, weighted-interleave=0,1: numactl --weighted-interleave=0,1 -- true"$'\n'* ]]
}

@test "of unlike cores the quickest alone race, too, and names say which kinds a line has" {
	machine "$root/tests/topologies/laptop.xml"
	try "$MAP" --try --plan -- true
	[ "$status" -eq 0 ]
	local line
	for line in "compact of 8 (performance: 8): env OMP_NUM_THREADS=8 'OMP_PLACES={0},{1},{2},{3},{4},{5},{6},{7}' OMP_PROC_BIND=close taskset -c 0,1,2,3,4,5,6,7 true" \
		"scatter of 8 (performance: 4, efficiency: 4): env OMP_NUM_THREADS=8 'OMP_PLACES={0},{2},{4},{6},{8},{12},{9},{13}' OMP_PROC_BIND=close taskset -c 0,2,4,6,8,12,9,13 true" \
		"compact of 16 (performance: 8, efficiency: 8): env OMP_NUM_THREADS=16 "; do
		echo "looking for: $line"
		[[ $output == *", $line"* ]]
	done
	# whoever asks for a number of threads gets no other
	try env OMP_NUM_THREADS=6 "$MAP" --try --plan -- true
	[[ $output == *"compact of 6 (performance: 6)"* && $output != *"of 8"* && $output != *"of 16"* ]]
	try "$MAP" --try --plan --threads 10 -- true
	[[ $output == *"compact of 10 (performance: 8, efficiency: 2)"* && $output != *"of 8"* && $output != *"of 16"* ]]
}

@test "where nothing differs nothing races" {
	shims_setup
	says /sys/kernel/mm/transparent_hugepage/enabled $'always madvise [never]\n'
	says /sys/devices/system/node/has_memory $'0\n'
	[ ! -e /sys/devices/system/node/node1 ] || skip "this machine has memory policies"
	under files "$MAP" --try --mapping os -- ./program
	[ "$status" -eq 3 ]
	[[ $stderr == *"affinity-map: --try: on this machine nothing differs from the program as it is
  hint: --mapping compact,scatter or --threads N,M; --plan shows what is left out, and why"* ]]
	[ ! -e runs ]
}

@test "who is left because all others failed is no winner" {
	BOUND_STATUS=1 try "$MAP" --try --mapping compact --threads 1 --budget 5s --out report -- sh -c '[ -z "$OMP_PLACES$GLIBC_TUNABLES$LD_PRELOAD" ]'
	[ "$status" -eq 0 ]
	grep -qx 'all others failed: nothing was compared' report
	run grep -E '^run:|among the best' report
	[ "$status" -eq 1 ]
}

@test "the best is named with its command, which gives the same without affinity" {
	try "$MAP" "${race[@]}" -- ./program
	[ "$status" -eq 0 ]
	jq -e '.program == "affinity-map --try" and .rounds == 3 and (.candidates[0] | (.name | startswith("compact of 1"))
		and .result == "left" and .mean == 1 and .values == [1, 1, 1])
		and (.candidates[-1] | .result == "dropped" and .rounds == 3 and .mean == 2 and .ratio_to_leader.value == 2)' out.json
	local command
	command=$(sed -n 's/^run: //p' report)
	[ "$(bash -c "$command")" = "cost: 1 units" ]
	[[ $(<report) == *"as it is "*" 3 "*" 2.0000 "*"dropped after round 3"* ]]
}

@test "the runtime of huge pages races, too, and its line starts the program with it" {
	grep -q '\[madvise\]' /sys/kernel/mm/transparent_hugepage/enabled || skip "transparent huge pages are not for those who ask"
	try "$MAP" "${race[@]}" -- sh -c 'case $LD_PRELOAD in *affinity-rhp*) echo "cost: 1" ;; *) echo "cost: 2" ;; esac'
	[ "$status" -eq 0 ]
	jq -e '[.candidates[] | select(.result == "left").name] | sort == ["as it is, affinity-rhp", "compact of 1, affinity-rhp"]' out.json
	local command
	command=$(sed -n 's/^run: //p' report)
	[[ $command == *"affinity-rhp --from 32MiB --report /dev/null -- sh -c "* ]]
	[ "$(bash -c "$command")" = "cost: 1" ]
}

@test "with --larger the largest figure is the best" {
	try "$MAP" "${race[@]/--smaller/--larger}" -- ./program
	[ "$status" -eq 0 ]
	jq -e '.larger and (.candidates[0] | (.name | startswith("as it is")) and .mean == 2)' out.json
	[[ $(<report) == *"the unchanged command is among the best"* ]]
	[[ $(<report) != *"run: "*OMP_PLACES* ]]
}

@test "the unit of a figure says which way is better; where it does not, nothing races" {
	race=(--try --mapping compact --threads 1 --figure '([0-9.]+)' --out report --json out.json)
	try "$MAP" "${race[@]}" -- sh -c '[ -z "$OMP_PLACES" ] && echo "1 tokens/s" || echo "2 tokens/s"'
	[ "$status" -eq 0 ]
	grep -qx 'figure in tokens/s: larger is better' report
	jq -e '.larger and .candidates[0].mean == 2' out.json
	try "$MAP" "${race[@]}" -- sh -c '[ -z "$OMP_PLACES" ] && echo "1 ms" || echo "2 ms"'
	grep -qx 'figure in ms: smaller is better' report
	jq -e '(.larger | not) and .candidates[0].mean == 1' out.json
	ends "$MAP" 2 "affinity-map: --figure: is it better when it is larger, or smaller? its unit 'points' says neither
  hint: --larger or --smaller" -- "${race[@]}" -- echo 1 points
	ends "$MAP" 2 "affinity-map: --figure: is it better when it is larger, or smaller? that it has no unit says neither
  hint: --larger or --smaller" -- "${race[@]}" -- echo 1
}

# measured: a program whose figure varies a little from run to run, times $SLOW.
measured() {
	cat >measured <<-'END'
		#!/bin/sh
		echo >>turns
		n=$(wc -l <turns)
		echo "cost: $(((1000 + n * 7919 % 13) * ${SLOW:-1})) ms"
	END
	chmod +x measured
}

@test "two results of a race are compared as others are, run by run" {
	measured
	"$MAP" "${race[@]}" --json old.json -- ./measured
	"$MAP" "${race[@]}" --json new.json -- ./measured
	SLOW=2 "$MAP" "${race[@]}" --json slow.json -- ./measured
	try "$AFFINITY" --compare old.json new.json
	[ "$status" -eq 0 ]
	grep -qx "costs are the figures of --figure 'cost: (\[0-9.\]+)'" <<<"$output"
	grep -qE '^as it is +program +0 .* (0\.9[89]|1\.0[01])[0-9]( |$)' <<<"$output"
	grep -q ' compared, 0 slower and 0 faster by more than 1 %, ' <<<"$output"
	try "$AFFINITY" --compare old.json slow.json
	[ "$status" -eq 1 ]
	grep -q '^as it is .*  SLOWER$' <<<"$output"
	[[ $stderr == *" costs became slower by more than 1 %"* ]]
	# the same work: what the figure is, which arguments the program gets
	try "$AFFINITY" --compare old.json <("$MAP" "${race[@]}" --json - -- ./measured -n 2>/dev/null)
	[ "$status" -eq 2 ]
	[[ $stderr == *"did not do the same work: program 0: arguments"* ]]
	# nothing else takes it for a result of kernels
	ends "$AFFINITY" 2 "old.json: is a result of affinity-map: it has times of programs, not costs of kernels
  hint: affinity --compare, --history and affinity-report take it" -- --worth old.json
	ends "$AFFINITY-report" 2 "old.json: has figures that the program prints ('cost: ([0-9.]+)'), and no times
  hint: affinity --compare and --history take it" -- --out page.html old.json
}

@test "runs of programs are judged from three rounds on, with a history by results, and shown on a page" {
	local i
	for i in 1 2 3 4; do
		"$MAP" --runs $((i < 4 ? 3 : 1)) --mapping os,compact --json "$i.json" --out report -- true : true
	done
	try "$AFFINITY" --compare --tolerance 99% 1.json 2.json
	[ "$status" -eq 0 ]
	grep -q '^6 compared, 0 slower and 0 faster by more than 99 %' <<<"$output"
	try "$AFFINITY" --compare --tolerance 99% 1.json 4.json
	[ "$status" -eq 2 ]
	[[ $stderr == *"a side has fewer than 3 rounds
  hint: affinity-map --runs 3 or more, or --try with more --budget"* ]]
	try "$AFFINITY" --compare 1.json 2.json --history 3.json
	[ "$status" -eq 0 ]
	grep -qx ' - 1 of 1 result is used' <<<"$output"
	"$AFFINITY-report" --out page.html 1.json
	grep -q '>compact<' page.html
	# one that failed in most rounds is not judged, and said to be so
	for i in 1 2; do
		jq '.mappings[1].programs[].samples |= .[:1]' "$i.json" >"few$i.json"
	done
	try "$AFFINITY" --compare --tolerance 99% few1.json few2.json
	grep -qE '^6 compared, .*, 3 with too few runs to be judged, ' <<<"$output"
	[ "$(grep -c 'too few runs$' <<<"$output")" -eq 3 ]
	# damaged ones
	local damage
	for damage in 'del(.environment)' '.programs = []' 'del(.mappings)' '.mappings[0].programs += .mappings[1].programs'; do
		jq "$damage" 1.json >bad.json
		try "$AFFINITY" --compare bad.json 2.json
		[ "$status" -eq 2 ]
		[[ $stderr == *"bad.json: "*"hint: it is of an earlier version or damaged: measure again"* ]]
	done
	for damage in 'del(.mappings[0].programs)' '.mappings[0].programs[0].samples = 1' '.mappings = [1]' '.programs = [1]'; do
		jq "$damage" 1.json >bad.json
		try "$AFFINITY" --compare bad.json 2.json
		[ "$status" -le 2 ]
	done
}

@test "two programs are compared in turns, and a result against an earlier one" {
	measured
	cp measured other
	try "$MAP" --figure 'cost: ([0-9.]+)' --out report --json out.json -- ./measured : : env SLOW=2 ./other
	[ "$status" -eq 1 ]
	grep -qE "^'env SLOW=2 ./other' is 0\.[45][0-9]* times as good as './measured' \(95 %: 0\.4[0-9]* to 0\.5[0-9]*\)$" report
	[[ $stderr == *"'env SLOW=2 ./other' is slower than './measured' by more than 3 %"* ]]
	jq -e '[.programs[].name] == ["measured", "env"] and ([.candidates[].rounds] | min >= 3)' out.json
	try "$MAP" --figure 'cost: ([0-9.]+)' --out report -- ./measured : : ./other
	[ "$status" -eq 0 ]
	grep -qE "^'./other' is (0\.9[89][0-9]*|1(\.0[01][0-9]*)?) times as good as './measured'" report
	try "$MAP" --mapping compact -- true : : true
	[ "$status" -eq 2 ]
	[[ $stderr == *"two programs are compared as they are: without --mapping, --threads and --bandwidths"* ]]
	"$MAP" "${race[@]}" --json old.json -- ./measured
	SLOW=2 try "$MAP" "${race[@]}" --json new.json --against old.json -- ./measured
	[ "$status" -eq 1 ]
	grep -q '^as it is .*  SLOWER$' <<<"$stderr"
}

@test "of a progress that is written over the last figure counts" {
	try "$MAP" "${race[@]}" -- printf 'cost: 9\rcost: 5\rcost: 3\n'
	[ "$status" -eq 0 ]
	jq -e 'all(.candidates[]; .values | all(. == 3))' out.json
}

@test "candidates that fail are dropped, with the reason" {
	export BOUND_STATUS=3
	try "$MAP" "${race[@]}" -- ./program
	[ "$status" -eq 0 ]
	[[ $stderr == *"dropped 'compact of 1': it ended with status 3"* ]]
	jq -e '.candidates[-1] | .result == "failed" and .failure == "it ended with status 3" and .rounds == 0' out.json
	[[ $(<report) == *"compact of 1 "*"failed: it ended with status 3"* ]]
	try "$MAP" "${race[@]}" -- sh -c '[ -z "$OMP_PLACES" ] || exit 0; echo cost: 1' # prints nothing
	[[ $stderr == *"dropped 'compact of 1': its output has no figure above 0"* ]]
}

# hangs NAME...: the program, which goes on for ever where such variables are set, and is ended by a signal only.
hangs() { echo "[ -z \"$1\" ] || exec sleep 60; echo cost: 1"; }

@test "a candidate in which the program does not end is ended, and dropped" {
	grep -q '\[madvise\]' /sys/kernel/mm/transparent_hugepage/enabled || skip "transparent huge pages are not for those who ask"
	try "$MAP" --try --mapping compact --threads 1 --out report --json out.json --tolerance 50% -- \
		sh -c "$(hangs '${OMP_PLACES:+$GLIBC_TUNABLES}')"
	[ "$status" -eq 0 ]
	jq -e '[.candidates[] | select(.result == "failed")] | length == 1 and (.[0].name == "compact of 1, malloc in huge pages")
		and (.[0].failure | test("^it still ran after [.0-9]+ s, and was ended$"))' out.json
}

@test "a run that the budget does not reach is ended, and named" {
	# many times what sh takes
	try "$MAP" "${race[@]}" --budget 10s -- sh -c "$(hangs '$OMP_PLACES')"
	[[ $stderr == *"warning: 'compact of 1"*"' was ended after "*" s, because the budget was over
  hint: 'sh' took "*" s in its first run"* ]]
}

@test "a program that cannot be tried at all ends it" {
	ends "$MAP" 1 "affinity-map: 'sh' cannot be tried: it ended with status 7" -- --try --figure '(1)' -- sh -c 'exit 7'
	ends "$MAP" 1 "affinity-map: 'true' cannot be tried: its output has no figure above 0
  hint: --figure reads the standard output; for errors, too: -- sh -c 'exec PROGRAM ARG... 2>&1'" -- --try --figure '(1)' -- true
	ends "$MAP" 2 "affinity-map: there is no program './none': No such file or directory
  hint: is the path right, and is it a program?" -- --try -- ./none
	try "$MAP" --try --budget 1s -- sleep 30
	[ "$status" -eq 1 ]
	[[ $stderr == *"'sleep' took more than "*" s, and the budget is 1 s"*"hint: give it a smaller input, or --budget more"* ]]
}

@test "a figure that may be another number, or is in another unit than before, is refused" {
	try "$MAP" "${race[@]}" -- printf 'cost: 1,234.5\n'
	[ "$status" -eq 1 ]
	[[ $stderr == *"'printf' cannot be tried: its output has '1,234.5', and --figure takes only '1'"* ]]
	try "$MAP" "${race[@]}" --figure 'cost: ([0-9.,]+)' -- printf 'cost: 1,234.5\n'
	[ "$status" -eq 0 ]
	jq -e 'all(.candidates[]; .values | all(. == 1234.5))' out.json
	try "$MAP" "${race[@]}" -- sh -c '[ -z "$OMP_PLACES" ] && echo cost: 900 MB/s || echo cost: 1.1 GB/s'
	[[ $stderr == *"dropped 'compact of 1': its figure is in 'GB/s', and in the first run in 'MB/s'"* ]]
}

@test "a failure of the program's own is told from one of a candidate" {
	# each third run
	try "$MAP" "${race[@]}" -- sh -c './program; [ $(($(wc -l <runs) % 3)) -gt 0 ]'
	[ "$status" -eq 0 ]
	[[ $stderr == *"warning: 'sh' failed in "*" runs, and worked when it was run again
  hint: a candidate is dropped when it fails twice in a row"* ]]
	jq -e '.rounds == 3 and all(.candidates[]; .result != "failed")' out.json
	# as it is, from its third run on
	rm runs
	try "$MAP" "${race[@]}" --tolerance 0.1% -- sh -c 'echo "cost: $(date +%N)0"; [ -z "$OMP_PLACES$GLIBC_TUNABLES$LD_PRELOAD" ] || exit 0
		echo >>own; [ "$(wc -l <own)" -le 2 ]'
	[ "$status" -eq 1 ]
	[[ $stderr == *"'sh' as it is worked in its first run, and then failed twice in a row: it ended with status 1
  hint: with failures of its own the candidates cannot be compared"* ]]
	grep -qx 'the program fails as it is: nothing is advised' report
	run grep '^run:' report
	[ "$status" -eq 1 ]
}

@test "an input that the program would not get, and a file that the system cannot start, are refused" {
	printf 'sleep 0.01\n' >script
	chmod +x script
	try "$MAP" --try -- sort <script
	[ "$status" -eq 2 ]
	[[ $stderr == *"affinity-map: --try: 'sort' would not get what comes on the standard input: it runs many times
  hint: -- sh -c 'exec sort ARG... <FILE', or affinity-map </dev/null if it reads nothing"* ]]
	try "$MAP" --try -- sort < <(cat script)
	[ "$status" -eq 2 ]
	ends "$MAP" 1 "affinity-map: 'script' cannot be tried: it could not be started: Exec format error
  hint: a script begins with a line such as #!/bin/sh; or -- sh ./script" -- --try -- ./script
}

@test "the runtime is no candidate where it cannot be loaded" {
	echo 'int main(void) { return 0; }' | "${CC:-gcc}" -static -x c -o still - 2>why || skip "nothing can be linked statically: $(head -n 1 why)"
	try "$MAP" --try --plan --mapping compact -- ./still
	[[ $output == *"left out: affinity-rhp: 'still' is statically linked: no library can be preloaded into it"* ]]
	[[ $output != *"affinity-rhp --from"* ]]
	mkdir bin
	cp "$MAP" "$AFFINITY-rhp" bin
	try bin/affinity-map --try --plan --mapping compact -- true
	[[ $output == *"left out: affinity-rhp: its library is not beside affinity-map"* ]]
	[[ $output != *"affinity-rhp --from"* ]]
}

@test "a signal keeps the complete rounds" {
	export STOP_AT=12 # 1 before the race, at least 2 a round
	try "$MAP" "${race[@]}" --mapping random*9 --tolerance 0.1% -- ./program
	[ "$status" -eq 143 ]
	[[ $stderr == *"interrupted by signal 15"* ]]
	[ "$(wc -l <runs)" -eq 12 ]
	jq -e '.rounds >= 1 and .ending == "interrupted: the remaining candidates are tied"
		and all(.candidates[]; .result == "left")' out.json
	[[ $(<report) == *"nothing is shown to be better than the program as it is"* ]]
	export STOP_AT=1
	rm runs out.json
	try "$MAP" "${race[@]}" -- ./program
	[ "$status" -eq 143 ]
	[ ! -e out.json ]
}

@test "a program that writes files is warned of" {
	[[ $(stat -f -c %T .) != tmpfs ]] || skip "files on tmpfs are in memory"
	try "$MAP" "${race[@]}" -- sh -c './program; head -c 3000000 /dev/zero >f; sync f'
	[[ $stderr == *"'sh' wrote 3."*" MB to files in its first run, and it runs many times"* ]]
}

@test "it is looked where the best is, and a line that a program does not follow is named" {
	[ "$(nproc)" -ge 2 ] || skip "needs two CPUs"
	local cpu
	cpu=$(taskset -pc $$ | sed 's/.*[^0-9]//')
	try "$MAP" "${race[@]}" -- sh -c '[ -z "$OMP_PLACES" ] && echo "cost: 2" || { echo "cost: 1"; sleep 0.5; }'
	[ "$status" -eq 0 ]
	grep -qE "^compact of 1[^:]*: [12] threads?, seen on CPU [0-9,-]+; [0-9.]+ MiB, on node " report
	jq -e '.candidates[0] | (.place | contains("seen on CPU ")) and .not_as_asked == null' out.json
	# a thread that gives itself another CPU
	try "$MAP" "${race[@]}" -- sh -c '[ -z "$OMP_PLACES" ] && echo "cost: 2" || { echo "cost: 1"; taskset -pc '"$cpu"' $$ >taken; sleep 0.5; }'
	[ "$status" -eq 0 ]
	[[ $stderr == *"warning: 'compact of 1"*"' is not followed: "*" of its threads may use other CPUs"* ]]
	grep -q '^compact of 1.*; NOT AS ASKED: ' report
	jq -e '.candidates[0].not_as_asked | endswith("of its threads may use other CPUs")' out.json
}

@test "options that contradict --try are refused" {
	local options message
	while IFS=$'\t' read -r options message; do
		# shellcheck disable=SC2086 # words on purpose
		try "$MAP" $options -- true
		[ "$status" -eq 2 ]
		[[ $stderr == *"affinity-map: $message"* ]]
	done <<-'END'
		--figure (1)	--tolerance, --budget, --figure, --larger, --smaller and --bandwidths belong to --try
		--bandwidths bw.json	--tolerance, --budget, --figure, --larger, --smaller and --bandwidths belong to --try
		--try --runs 3	--try takes none of --pairs, --runs, --profile, --list
		--try --larger	--larger needs a --figure
		--try --figure (1) --larger --smaller	--larger and --smaller: choose one
		--against old.json	--against needs --json FILE
		--try --mapping instruction	--try takes no mapping instruction
		--try --figure 1	--figure '1' has no group around the number
		--try --figure (1	--figure '(1' is no extended regular expression
		--try --threads 0	--threads '0' is not a number of threads
		--try --tolerance 3	--tolerance = 3 is out of range
		--try --budget 10	--budget = 10 is out of range
	END
	try "$MAP" --try -- true : true
	[[ $stderr == *"--try takes one program"* ]]
}

@test "the document of a race follows its schema" {
	/usr/bin/python3 -c 'import jsonschema' 2>/dev/null ||
		skip "the system's Python has no jsonschema (make setup installs it)"
	BOUND_STATUS=3 try "$MAP" "${race[@]}" -- ./program
	/usr/bin/python3 -m jsonschema -i out.json "$root/results/schema-try-1.json"
	jq -r 'del(.environment[]) | [paths | map(select(type == "string"))] | flatten | unique[]' out.json | while read -r word; do
		grep -q "\`$word\`" "$root/manual/affinity-map.md" || { echo "the manual lacks $word" && false; }
	done
}
