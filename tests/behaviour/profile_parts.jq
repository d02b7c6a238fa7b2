# SPDX-License-Identifier: GPL-3.0-or-later
# A result document of a made-up machine, by a law that is known, out of what --plan --json tells of an argument file.
# --rawfile args FILE: the argument file; --argjson set LIST: --set of it; --argjson facts OBJECT: of the environment; --argjson unit_of OBJECT: of kernels.
#
# The law, ns a unit of a thread: 1 in L1 (32 KiB), 1 more for what misses it, 3 more for what misses L2 (256 KiB), and
# what memory adds for what misses L3 (8 MiB): 15 on the node of the thread, 55 on the other. A cache replaces at random:
# of what is visited in order, t times its size, h = exp(-(1 - h) t) is found. Pages on both nodes: the mean. Beside a
# thread on the same core: times 1.6, beside one with another kernel 1.3. Threads that share lines: 5 + 1.2 s times the mean
# way of a line, which is 40 ns within a node and 110 ns between nodes; s is one less than the threads, their logarithm
# where they meet in rounds, and one less than those whose words are on a line where they are so far apart; such a thread by
# itself costs 3. A weight of gemv, in memory: a hundredth of
# what a miss costs there. On pages that a file asks for, visits are
# in random order: they find a cache's part of what is visited, and 10 more is what misses a TLB that reaches 2 MiB of base
# pages and 64 MiB of huge ones. By strides that a sweep names: below a line its part of what memory adds; elements of a
# byte take a tenth longer. A line of traffic: 5, a tenth of what memory adds, a half for each turn of its gap, and 4 for the
# part w that is stored to; where such threads use B bytes per ns, counting what they store twice, a chase beside them costs
# 1 + (1 + w) (B / 20)^2 times as much, and each of their lines waits a tenth of what it waits. A load (a chase ten times as
# much, a store twice) of a line that a CPU has: 5, 8 if that is another core, 30 a hop to it, 20 a hop from there to the
# home and 7 a hop from here to the home, times what the state says; of one that no cache has: 60 and 40 a hop to the home.

def missed($bytes; $reach): ($bytes / $reach) as $t
	| if $t <= 1 then 0 elif $t > 100 then 1
		else 1 - reduce range(400) as $i (0; (-(1 - .) * $t) | exp) end;

def memory($thread; $v): if $v.asked_node == "local" or $v.asked_node == ($thread.node | tostring) then 15
	elif ($v.asked_node | startswith("interleave")) then 35 else 55 end;

def missed_at_random($bytes; $reach): [0, 1 - $reach / $bytes] | max;

# of one cache to itself
def alone($thread; $v): $v.bytes as $b
	| if $v.asked_pages == "system"
		then 1 + missed($b; 32768) + 3 * missed($b; 262144) + memory($thread; $v) * missed($b; 8388608)
		else 1 + missed_at_random($b; 32768) + 3 * missed_at_random($b; 262144)
			+ memory($thread; $v) * missed_at_random($b; 8388608)
			+ 10 * missed_at_random($b; if $v.asked_pages == "base" then 2097152 else 67108864 end) end;

def size_of($v): {"char": 1, "int": 4, "float": 4}[$v.type] // 8;
def stride_of($run; $v): $run.values.stride | if endswith("B") then rtrimstr("B") | tonumber else tonumber * size_of($v) end;
def by_stride($run; $thread; $v): (5 + memory($thread; $v) * ([1, stride_of($run; $v) / 64] | min))
	* (if size_of($v) == 1 then 1.1 else 1 end);

def way($a; $b): if $a.node == $b.node then 40 else 110 end;
def mean_way($threads): [range($threads | length) as $i | range($threads | length) as $k | select($i != $k)
	| way($threads[$i]; $threads[$k])] | add / length;

def rounds($n): [limit(20; range(20)) | select(pow(2; .) >= $n)] | first;
def bytes_of: if endswith("KiB") then (rtrimstr("KiB") | tonumber) * 1024 else rtrimstr("B") | tonumber end;
def steps($run; $o): ($run.threads | length) as $n
	| if $o.operation == "false_sharing"
		then ($run.values.d // "8B" | bytes_of) as $d | (if $d < 64 then [$n, 64 / $d] | min elif $d < 128 then [$n, 2] | min else 1 end) - 1
	elif $run.values.by == "dissemination" then rounds($n)
	elif $run.values.by == "doubling" then rounds($n) + (if pow(2; rounds($n)) == $n then 0 else 1 end)
	elif $run.values.by == "tree" then ([$n - 1, 4] | min) + ([[$n - 5, 4] | min, 0] | max) + ([[$n - 21, 4] | min, 0] | max)
	elif $run.values.by == "none" then 0
	else $n - 1 end;
def shares_lines: IN("barrier", "reduce", "false_sharing") or startswith("atomic");

def beside($run; $o; $i): [range($run.threads | length) | select(. != $i and $run.threads[.].core == $run.threads[$i].core)
	| if $o.threads[.].kernel == $o.threads[$i].kernel then 0.6 else 0.3 end] | 1 + (add // 0);

def writes_of($run): $run.values.writes // "0" | tonumber;
def traffic_alone($run; $thread; $v): 5 + memory($thread; $v) / 10 + ($run.values.gap // "0" | tonumber) / 2 + 4 * writes_of($run);
def loaded($idle; $used; $w): $idle * (1 + (1 + $w) * ($used / 20 | . * .));

# What all use, by halving: the more they use, the more they wait.
def used($idle; $each; $w; $n): ($n * 64 * (1 + $w) / $each) as $most
	| reduce range(60) as $i ([0, $most]; ((.[0] + .[1]) / 2) as $b
		| if $n * 64 * (1 + $w) / ($each + (1 + $w) * (loaded($idle; $b; $w) - $idle) / 10) > $b then [$b, .[1]] else [.[0], $b] end)
	| .[0];

def of_load($run; $o; $i): ($o.threads | map(.kernel == "traffic")) as $moves
	| $run.threads[0] as $first | $run.vectors[$first.vectors[0]] as $v
	| writes_of($run) as $w
	| traffic_alone($run; $first; $v) as $each
	| if $moves[0] then $each
		else alone($first; $v) as $idle
			| loaded($idle; used($idle; $each; $w; $moves | map(select(.)) | length); $w) as $latency
			| if $moves[$i] then $each + (1 + $w) * ($latency - $idle) / 10 else $latency end end;

def hops($a; $b): ($a - $b | fabs) as $n | [$n, 4 - $n] | min;
def owner($run): $args | if test("ownerPerVector: *thread:0") then 0 elif test("ownerPerVector: *thread:1") then 1
	else $run.values.owner | ltrimstr("thread:") | tonumber end;
def in_state($run; $o; $i): $run.threads[0] as $own | $run.threads[owner($run)] as $owner
	| ($run.vectors[0].asked_node | tonumber) as $home
	| if $o.threads[$i].kernel == "null" then 50
		else {chase: 10, load: 1, store: 2}[$o.threads[$i].kernel] * (if $run.values.s == "I" then 60 + 40 * hops($own.node; $home)
			else {M: 3, E: 2, S: 1.5, F: 1.5, O: 2.5}[$run.values.s] * (5 + (if $own.core == $owner.core then 0 else 8 end)
				+ 30 * hops($own.node; $owner.node) + 20 * hops($owner.node; $home) + 7 * hops($own.node; $home)) end) end;

def unit_ns($run; $o; $i): $run.threads[$i] as $t | $run.vectors[$t.vectors[0] // 0] as $v
	| if $run.values.s then in_state($run; $o; $i)
	elif $o.operation == "pingpong" then mean_way($run.threads)
	elif $o.operation == "gemv" then memory($t; $v) / 100
	elif any($o.threads[]; .kernel == "traffic") then of_load($run; $o; $i)
	elif $run.values.stride then by_stride($run; $t; $v)
	elif $o.operation | shares_lines
		then if ($run.threads | length) == 1 then 3 else 5 + 1.2 * steps($run; $o) * mean_way($run.threads) end
	else alone($t; $v) * beside($run; $o; $i) end;

def operation($run; $o): {operation: $o.operation, total_s: 1,
	together: (if $o.operation == "load"
		then {bytes_per_s: {value: (if ($run.vectors[0].asked_node | tonumber) == $run.threads[0].node then 6e10 else 2e10 end)}}
		else {} end),
	samples: {taken: 3, disturbed: 0, moved: 0, measure_again: false},
	threads: [range($run.threads | length) as $i | unit_ns($run; $o; $i) as $ns
		| (if $time or $o.threads[$i].kernel == "null" then 1 elif $run.values.s then $run.vectors[0].bytes / 256
			elif $o.operation == "gemv" then $run.vectors[$run.threads[$i].vectors[0]].bytes / 2
			elif $o.operation | shares_lines then 1000
			elif $run.values.stride then $run.vectors[$run.threads[$i].vectors[0]] | .bytes / size_of(.)
			else ($run.vectors[$run.threads[$i].vectors[0]].bytes / 192 | floor) end) as $units
		| {thread: $i, kernel: $o.threads[$i].kernel, unit: $unit_of[$o.threads[$i].kernel], times_caches: 8, passes: 1, calibrated: false,
			shares_lines: false, latency: ($o.operation == "chase"), sleep_s: 0,
			figures: ({cost_s: ($ns * $units * 1e-9), units: $units}
				+ (if $o.operation == "chase" then {ns_per_unit: $ns} else {} end))}]};

{schema: 3, program: "affinity", simulated: false, quick: false, interrupted: false, elapsed_s: 1, environment: $facts,
	arguments: {path: .plans[0].path, text: $args, set: $set}, warnings: [],
	method: {mode: (if $time then "time" else "work" end)},
	runs: [.plans[0].runs[] as $run | if $run.skipped then {values: $run.values, skipped: $run.skipped} else
		{values: $run.values, vectors: [$run.vectors[] | . + {found: {pages_on_node: {(if .asked_node | test("^[0-9]+$") then .asked_node else "0" end): 10}}}],
			threads: $run.threads, operations: [$run.operations[] as $o | operation($run; $o)]} end], tables: []}
