#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What a measurement writes, on the machine at hand and with small vectors. Figures are held against each other
# and against what was asked for, never against a speed.

# shellcheck disable=SC2016 # jq has variables of its own

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

base=("${two_threads[@]}" "numIter: 3")

# shellcheck disable=SC2034 # for holds
terms='def near($x): (. - $x | fabs) <= 1e-9 * $x;'

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	skip_obstacle
	mapfile -t cpus < <(usable_cpus)
}

# in_order TEXT...: these stand in out.txt, one after the other.
in_order() {
	local rest part
	rest=$(<out.txt)
	for part; do
		echo "looking for: $part"
		[[ $rest == *"$part"* ]]
		rest=${rest#*"$part"}
	done
}

# columns NAME...: these columns of out.csv, times in whole nanoseconds.
columns() {
	awk -F , -v names="$*" '
		BEGIN { n = split(names, name, " ") }
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{
			for (i = 1; i <= n; i++) {
				value = $at[name[i]]
				printf "%s%s", name[i] ~ /_s$/ ? sprintf("%.0f", value * 1e9) : value, i < n ? "," : "\n"
			}
		}' out.csv
}

# The report

@test "the report has the blocks of the thesis in its order" { # thesis, Code A.6
	given "speedupCalc: write/read"
	measured
	in_order "--Execution data--" "+ Vectors data" " - Vector 0     node: " "size: 65536" \
		" - Vector 1     node: " "+ Threads data" " - Thread 0     node: " "vector: 0" \
		" - Thread 1     node: " "vector: 1" "+ Operation data" \
		" - Operations to be performed: write, read" " - type of summary: max" "-Results-" \
		"Time_Cost(s)" "| Thread 0: " "write " "| Thread 1: " "| Total: " "| Thread 0: " "read " \
		"| Thread 1: " "| Total: " "-Speedups-" "write/read " "| Thread 0: " "| Thread 1: " \
		"| Total: " "+ Samples" "+ Warnings" "+ Machine" " - arguments: t.args" " - elapsed: "
}

@test "the costs of the text are those of the JSON" {
	given "opType: read load" "speedupCalc: load/read" "summaryType: sum"
	measured
	same "$(jq -r '.runs[0].operations[] | .threads[].figures.cost_s, .total_s' out.json | xargs printf '%.9f\n')" \
		"$(sed -n '/-Results-/,/-Speedups-/s/.*| \(Thread [0-9]*\|Total\): *\([0-9.]*\).*/\2/p' out.txt)"
	same "$(jq -r '.runs[0].speedups[] | .threads[], .total | .value' out.json | xargs printf '%.3f\n')" \
		"$(sed -n '/-Speedups-/,/+ Samples/s/.*| \(Thread [0-9]*\|Total\): *\([0-9.]*\).*/\2/p' out.txt)"
	# in the units that stand there; digits are as few as intervals allow
	paste <(jq -r '.runs[0].operations[].threads[].figures | "\(.ns_per_unit) \(if .bytes_per_s then "\(.bytes_per_s / 1e9) GB/s"
			else "\(.units_per_s / 1e6) Maccess/s" end)"' out.json) \
		<(sed -En '/-Results-/,/-Speedups-/s,.*Thread .* ([0-9.]+) +([0-9.]+) (Maccess/s|GB/s).*,\1 \2 \3,p' out.txt) |
		awk '{ print; for (i = 1; i < 3; i++) bad += $i > 2 * $(i + 3) || $(i + 3) > 2 * $i; bad += $3 != $6 } END { exit bad || NR != 4 }'
}

@test "the samples of the CSV are those of the JSON" {
	given "warmup: 2"
	measured
	[ "$(wc -l <out.csv)" -eq 21 ] # a head; 2 kernels, 5 samples, 2 threads
	same "$(jq -r '.runs[0] as $run | $run.operations | to_entries[] | .key as $i | .value as $op
			| range($op.threads[0].samples | length) as $s | range(2) as $t
			| $op.threads[$t] as $thread | $thread.samples[$s]
			| [$i, $op.operation, $thread.kernel, $s, (if .warmup then 1 else 0 end), $t,
			$run.threads[$t].node, $run.threads[$t].cpu, .cpu_after, $t,
			(.cost_s * 1e9 | round), (.busy_s * 1e9 | round), .units, .late_ns, .skew_ns,
			.disturbed_flags, .preempted, .blocked, .page_faults, .migrations] | @csv' out.json | tr -d '"')" \
		"$(columns operation_index operation kernel sample warmup thread node cpu_asked cpu_found vectors \
			cost_s busy_s units late_ns skew_ns disturbed_flags preempted blocked page_faults migrations)"
}

@test "the JSON has every sample, and which of them warmed up" {
	given "warmup: 2" "numIter: 4"
	measured
	holds '[threads.samples | map(.warmup)] | length == 4 and all(. == [true, true, false, false, false, false])'
	holds '[threads.figures.n] | all(. == 4)'
}

@test "figures follow from the samples that are no warm-up" {
	given "speedupCalc: write/read" "numIter: 5"
	measured
	holds '[threads | [.samples[] | select(.warmup | not) | .cost_s - .lost_s - .lost_before_s] as $c | .figures
		| (.cost_s | near($c | add / 5)) and (.min_s | near($c | min)) and (.max_s | near($c | max))
		and (.median_s | near($c | sort[2])) and (.low_s == null or .low_s <= .cost_s and .cost_s <= .high_s)] | all'
	holds 'run.speedups[0].threads[1].value as $s | run.operations | ($s * .[1].threads[1].figures.cost_s
		/ .[0].threads[1].figures.cost_s - 1 | fabs) < 1e-9'
}

@test "the summary is taken in each sample, then the statistic, and both are those asked for" {
	local samples='[.threads | map([.samples[] | select(.warmup | not) | .cost_s - .lost_s - .lost_before_s]) | transpose[]'
	given "summaryType: min" "statistic: median"
	measured
	holds "[ops | ($samples | min] | sort[1]) as \$cost | .total_s | near(\$cost)] | all"
	given "summaryType: max" "statistic: min"
	measured
	# of the samples whose loss is known
	samples=${samples/select(.warmup | not)/select((.warmup or (.disturbed_flags | . % 2 == 1 or . % 32 >= 16)) | not)}
	holds "[ops | ($samples | max] | min) as \$cost | if \$cost == null then .total_s == null else .total_s | near(\$cost) end] | all"
}

@test "a figure that does not exist is n/a in the text and null in the JSON" {
	given "numIter: 1"
	measured
	grep -q '| Thread 0: .* n/a ' out.txt
	holds '[threads.figures | .low_s == null and .high_s == null] | all'
}

@test "the argument file is in the JSON byte for byte, and --set beside it" {
	given "# señal: 100 %" "warmup: 1"
	sed -i 's/$/ \r/; 2s/^/\n\t/' t.args
	truncate -s -1 t.args
	measured --set numIter=2 --set "passes=1 2"
	jq -j .arguments.text out.json | cmp - t.args
	holds '.arguments.path == "t.args" and .arguments.set == ["numIter=2", "passes=1 2"]'
	grep -qx ' - --set: passes=1 2' out.txt
}

@test "the JSON says what it was measured with" {
	given
	measured
	holds '.schema == 3 and .elapsed_s > 0 and .interrupted == false'
	holds '.environment | .compiler, .compiler_flags, .kernel, .cpu_model, .clock_source, .transparent_huge_pages,
		.numa_balancing, .cpus_allowed, .openmp_environment, .affinity_version | type == "string" and . != ""'
}

# Placement

@test "every page and every thread is found where the plan has it" {
	given "tamPerVector: 1MiB*"
	measured
	holds 'run.vectors | length == 2 and all(.found.pages_absent == 0 and .found.pages_moved_during_run == 0 and
		.found.pages_on_node == {(.asked_node): (.bytes / .found.base_page_bytes)})'
	holds '[run.threads[].cpu] as $cpu | $cpu[0] != $cpu[1] and
		([ops | .threads | to_entries[] | $cpu[.key] as $c | .value.samples[] | .cpu_before == $c and .cpu_after == $c] | all)'
}

@test "cpuPerThread binds to these CPUs" {
	given "cpuPerThread: ${cpus[1]} ${cpus[0]}"
	sed -i /^nodePerThread/d t.args
	measured
	holds "[run.threads[].cpu] == [${cpus[1]}, ${cpus[0]}]"
}

@test "the affinity mask is respected" {
	given "nodePerThread: first" "vectorPerThread: 0, 0"
	try taskset -c "${cpus[1]}" "$AFFINITY" --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	holds "run.threads[0].cpu == ${cpus[1]} and .environment.cpus_allowed == \"${cpus[1]}\""
}

@test "vectors that are interleaved, preferred or local are in memory whole" {
	given "nodePerVector: interleave preferred:first local" "tamPerVector: 1MiB*" "vectorPerThread: 0, 0, 1"
	measured
	holds 'run.vectors | map(.asked_node | sub(":.*"; "")) == ["interleave", "preferred", "local"]'
	holds 'run.vectors | all(.found.pages_absent == 0 and ([.found.pages_on_node[]] | add) * .found.base_page_bytes == .bytes)'
	holds 'run as $run | run.vectors[2].found.pages_on_node | keys == ["\($run.threads[1].node)"]'
}

@test "the thread that is to touch a vector first does" {
	given "nodePerVector: first*4" "vectorPerThread: 0, 1, 0, 0" "initPerVector: thread:1 owner main node"
	measured
	holds 'run as $run | run.vectors | .[0].found == (.[0].found | .touched_by_cpu = $run.threads[1].cpu | .touching_threads = 1)
		and .[1].found.touched_by_cpu == $run.threads[1].cpu and .[2].found.touching_threads == 1'
	grep -q "^ - Vector 0 .*; touched by CPU $(jq '.runs[0].threads[1].cpu' out.json); mapping took " out.txt
}

@test "what mapping and touching took is told for each vector, in the text as in JSON" {
	given "nodePerVector: first*2" "tamPerVector: 4KiB 4MiB" "vectorPerThread: 0, 1"
	measured
	holds 'run.vectors | all(.found.map_ns > 0 and .found.touch_ns > 0)'
	same "$(jq -r '.runs[0].vectors[].found | "\(.map_ns) \(.touch_ns)"' out.json |
		awk '{ printf "mapping took %.3f ms, touching %.3f ms\n", $1 * 1e-6, $2 * 1e-6 }')" \
		"$(sed -n 's/^ - Vector .*; \(mapping took .*\)/\1/p' out.txt)"
}

@test "the confidence is printed as it is asked for" {
	given "confidence: 99.99%"
	measured
	grep -q ' +-99\.99 % ' out.txt
}

@test "pages of 4K are proven to be small" {
	[ "$(getconf PAGESIZE)" -eq 4096 ] || skip "the smallest page of this kernel is not 4K"
	given "tamPerVector: 4MiB*" "pagesPerVector: 4K*" "stride: 4096"
	measured
	holds 'run.vectors | all(.asked_pages == "4K" and .found.transparent_huge_bytes == 0 and .found.kernel_page_bytes == 4096)'
}

@test "base pages are proven to be the kernel's, of whatever size" {
	given "tamPerVector: 4MiB*" "pagesPerVector: base*" "stride: 4096"
	measured
	holds "run.vectors | all(.asked_pages == \"base\" and .found.transparent_huge_bytes == 0 and .found.kernel_page_bytes == $(getconf PAGESIZE))"
}

# switch_on KIB: transparent huge pages of that size, until the test ends.
switch_on() {
	local file=/sys/kernel/mm/transparent_hugepage/hugepages-$1kB/enabled
	[ -e "$file" ] || skip "this kernel has no transparent huge pages of $1 KiB"
	exec 8</sys/kernel/mm/transparent_hugepage/enabled
	flock 8 # other tests that change these settings wait
	setting=$(sed 's/.*\[\(.*\)\].*/\1/' "$file")
	setting_of=$file
	{ echo madvise >"$file"; } 2>/dev/null || skip "may not change $file"
}

teardown() {
	[ ! -v setting ] || { echo "$setting" >"$setting_of"; } 2>/dev/null || true
}

@test "transparent huge pages of a chosen size are proven while they are touched" {
	local allocated=/sys/kernel/mm/transparent_hugepage/hugepages-128kB/stats/anon_fault_alloc before=0
	switch_on 128
	given "tamPerVector: 4MiB*" "pagesPerVector: thp:128K*" "stride: 4096" "placements: 1"
	[ ! -e $allocated ] || before=$(<$allocated)
	# other programs may have taken the node's blocks of this size, for a moment
	for _ in {1..5}; do
		try "$AFFINITY" --json out.json t.args out.txt
		[[ $status -eq 3 && $stderr == *" are shown to be in transparent huge pages of 128 KiB"* ]] || break
		sleep 0.2
	done
	[ "$status" -eq 0 ]
	holds 'run.vectors | all(.asked_pages == "thp:128K" and .found.sizes_shown_by == "touch" and
		.found.transparent_huge_bytes >= .bytes and .found.transparent_page_bytes == 131072)'
	grep -q '^ - Vector 0 .*, 4 MiB in transparent huge pages of 128 KiB (shown by .*, touch); touched by' out.txt
	# the kernel's own count, of the whole machine
	[ ! -e $allocated ] || [ $(($(<$allocated) - before)) -ge 32 ]
}

@test "transparent huge pages are proven to be huge" {
	local file=/sys/kernel/mm/transparent_hugepage/enabled
	grep -qE '\[(madvise|always)\]' "$file" || skip "transparent huge pages are off: $file"
	given "tamPerVector: 4MiB*" "pagesPerVector: thp*" "stride: 4096"
	measured
	holds 'run.vectors | all(.asked_pages == "thp" and .found.transparent_huge_bytes >= .bytes and .found.transparent_page_bytes > 65536)'
	grep -q '^ - Vector 0 .*B in transparent huge pages' out.txt
}

@test "half a vector in huge pages is the half that is touched first, and its share is told" {
	local file=/sys/kernel/mm/transparent_hugepage/enabled order
	grep -qE '\[(madvise|always)\]' "$file" || skip "transparent huge pages are off: $file"
	[ "$(cat /sys/kernel/mm/transparent_hugepage/hpage_pmd_size)" = 2097152 ] || skip "huge pages are not of 2 MiB"
	for order in null hot_first hot_last; do
		given "nodePerVector: local_2m_4k local_4k" "tamPerVector: 9MiB*" "initOrderPerVector: ${order/null/any}*" "stride: 4096"
		measured
		[[ $order == null ]] || order=\"$order\"
		holds 'run.vectors[0] | .asked_pages == "thp+base" and .found.transparent_huge_bytes == 6291456 and
			.placement == {"name": "local_2m_4k", "thread": 0} and .touch_order == '"$order"
		holds 'run.vectors[1] | .asked_pages == "4K" and .found.transparent_huge_bytes == 0 and .found.touching_threads >= 1'
		grep -q '^ - Vector 0 .*, 6 MiB in transparent huge pages, 60 % of it (shown by .*; local_2m_4k of thread 0' out.txt
	done
}

# Of the vector of a program that waits in a sample: its mappings that are huge or never huge, in the order of
# addresses, each with the KiB that are huge.
halves() { # PID
	awk '/^Size:/ { size = $2 } /^AnonHugePages:/ { huge = $2 }
		/^VmFlags:/ && / hg| nh/ && size >= 4096 && size <= 6144 { printf "%d/%d ", huge, size }' "/proc/$1/smaps"
}

@test "the huge half of a vector is at its beginning, or at its end where that is touched first" {
	local file=/sys/kernel/mm/transparent_hugepage/enabled order pid found
	grep -qE '\[(madvise|always)\]' "$file" || skip "transparent huge pages are off: $file"
	[ "$(cat /sys/kernel/mm/transparent_hugepage/hpage_pmd_size)" = 2097152 ] || skip "huge pages are not of 2 MiB"
	for order in hot_first hot_last; do
		given "opType: read" "nodePerThread: first" "nodePerVector: local_2m_4k" "vectorPerThread: 0" "tamPerVector: 10MiB" \
			"initOrderPerVector: $order" "sleep: 600s*"
		"$AFFINITY" --quiet t.args out.txt 2>/dev/null 3>&- &
		pid=$!
		found=
		for _ in {1..1200}; do
			found=$(halves $pid)
			[[ $found != *6144/6144* || $found != *0/4096* ]] || break
			sleep 0.1
		done
		kill -KILL $pid
		wait $pid || true
		if [ $order = hot_first ]; then
			[[ $found == *"6144/6144 0/4096"* ]]
		else
			[[ $found == *"0/4096 6144/6144"* ]]
		fi
	done
}

@test "a pool with too few huge pages is refused with the command that enlarges it" {
	[ -d /sys/kernel/mm/hugepages/hugepages-2048kB ] || skip "this kernel has no pool of 2 MiB pages"
	given "nodePerVector: first" "pagesPerVector: 2M" "vectorPerThread: 0 1" \
		"tamPerVector: $(($(cat /sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages) * 2 + 2))MiB"
	try "$AFFINITY" t.args out.txt
	[ "$status" -eq 3 ]
	[[ $stderr == *"t.args:3: vector 0: "*" free page"*" of 2 MiB "*" needed in the pool of node "*"hint: echo "*"nr_hugepages" ]]
	[ ! -e out.txt ]
}

@test "a vector that memory has no room for just now is refused before it is touched" {
	[ "$("$AFFINITY" --topology | grep -c '^node .*available')" -eq 1 ] || skip "there is more than one node with memory"
	[ "$(</proc/sys/vm/overcommit_memory)" -ne 2 ] || skip "the kernel hands out no more memory than it has"
	given "nodePerVector: first" "tamPerVector: $(awk '/^MemTotal/ { print $2 - 1024 }' /proc/meminfo)K" "vectorPerThread: 0 1"
	try "$AFFINITY" t.args out.txt
	[ "$status" -eq 3 ]
	[[ $stderr == *"t.args:4: vector 0 takes "*", node "*" can give "*" just now"*"hint: make it smaller"* ]]
	[ ! -e out.txt ]
}

# Work

@test "the time of a thread that sleeps counts in its cost and not as busy" {
	given "sleep: 0 50ms" "numIter: 2"
	measured
	holds '[threads | select(.thread == 1).samples[] | .cost_s >= 0.05 and .cost_s - .busy_s > 0.0499999] | length == 6 and all'
	holds '[threads.sleep_s] == [0, 0.05, 0, 0.05]'
	holds '[samples | .busy_s <= .cost_s] | all'
}

@test "a single sleep is thread 1's alone" {
	given "argsExtra: sleep:50" "opType: read_s" "numIter: 1"
	measured
	holds '[threads.sleep_s] == [0, 0.05]'
}

@test "passes multiply the work, for all or for each thread" {
	given "passes: 3"
	measured
	holds '[samples.units] | unique == [3 * 65536]'
	given "passes: 1 4"
	measured
	holds '[threads.figures.units] == [65536, 262144, 65536, 262144]'
}

@test "units are elements, whatever their type" {
	given "typePerVector: double char" "tamPerVector: 64KiB*"
	measured
	holds '[run.vectors[].elements] == [8192, 65536] and [run.vectors[].bytes] == [65536, 65536]'
	holds '[threads.figures.units] == [8192, 65536, 8192, 65536]'
}

@test "a thread with several vectors works on all of them" {
	given "nodePerVector: first*3" "tamPerVector: 1000 3000 5000" "vectorPerThread: 0, 0 1, 0"
	measured
	holds '[threads.figures.units] == [9000, 3000, 9000, 3000]'
	grep -q '^ - Thread 0 .*vector: 0,1,2 ' out.txt
}

@test "a+b runs different kernels at the same time" {
	given "opType: write+read"
	measured
	holds '[threads.kernel] == ["write", "read"] and [ops.operation] == ["write+read"]'
	in_order "Operations to be performed: write+read" "| Thread 0: " "write+read " "| Thread 1: "
}

@test "threads with different kernels may share a vector" {
	given "opType: write+read_write" "nodePerVector: first" "vectorPerThread: 0 1"
	measured
}

@test "null runs without vectors" {
	printf 'opType: null\nnodePerThread: first*2\nnumIter: 2\npasses: 5\n' >t.args
	measured
	holds 'run.vectors == [] and ([samples.units] | unique == [5])'
	in_order "+ Vectors data" "+ Threads data" " - Thread 0     node: " "vector: -" "null " "Mcall/s"
}

@test "every access kernel runs on every element type, and its result is right" {
	local alone
	alone=$(kernels | grep -E '^(read|write)(_|$)' | grep -v '_s$')
	[ "$(wc -l <<<"$alone")" -eq 12 ] # six, and their twins
	given "nodePerVector: first*6" "typePerVector: char short int long float double" "tamPerVector: 6000*" \
		"vectorPerThread: 0, 1, 0, 1, 0, 1" "numIter: 1" "opType: $(paste -sd ' ' <<<"$alone")"
	measured
	holds "[ops] | length == $(wc -l <<<"$alone") and all(.threads | all(.figures.units > 0))"
}

@test "four threads that oversubscribe one CPU are measured" {
	given "nodePerThread: first*4" "vectorPerThread: 0-3, 0" "oversubscribe: yes" "opType: read" "warmup: 1"
	try taskset -c "${cpus[0]}" "$AFFINITY" --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	holds "[run.threads[].cpu] | length == 4 and all(. == ${cpus[0]})"
	holds '[run.threads[].shares_core] | all'
	holds '[threads.samples | length] | all(. == 4)'
}
