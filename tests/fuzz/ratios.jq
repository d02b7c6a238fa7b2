# SPDX-License-Identifier: GPL-3.0-or-later
# What must hold of ratios, of runs and of tables: each is made of other figures of the same document.

def scale: if .mode == "time" then 1e9 else 1 end;
def op_cost($method; $op; $k): .[$op] | if . == null then null else .threads[$k] | thread_cost($method) end;

# A ratio of a figure with itself is 1 and has no interval. method.kin: what such ratios know from each other.
def ratio_faults($what; $found; $a; $b; $paired; $method):
	if $found.value == 1 and $found.low == null and $found.high == null and $a != null and $b != null
	then equal($what; $a.value / $b.value; 1) else equal_amount($what; $found; ratio($a; $b; $paired; $method.kin; $method.confidence)) end;
def run_name: .values | to_entries | map("\(.key)=\(.value)") | join(" ");
def measured: .skipped == null;

# ---- ratios within a run

# affinity takes the first operation of a name.
def named($name): [.operations[] | select(.operation == $name)];

def speedup_faults($at): . as $run | .method as $method | .speedups[] as $s | ($s.speedup | split("/")) as $names |
	($run | named($names[0])) as $over | ($run | named($names[1])) as $under |
	select(($over | length) == 1 and ($under | length) == 1) |
	ratio_faults("\($at) speedup \($s.speedup)"; $s.total; $over[0] | total_cost($method); $under[0] | total_cost($method);
		true; $method | kind("speedup_total") | unless_nothing($over[0].threads) | unless_nothing($under[0].threads)),
	equal("\($at) speedup \($s.speedup) base_s"; $s.base_s; $under[0].total_s),
	(range(0; $s.threads | length) as $k | ratio_faults("\($at) speedup \($s.speedup) thread \($k)";
		$s.threads[$k]; $over | op_cost($method; 0; $k); $under | op_cost($method; 0; $k); true; $method | kind("speedup") |
			unless_nothing([$over[0].threads[$k]]) | unless_nothing([$under[0].threads[$k]])));

def overhead_faults($at; $found; $alone; $together; $threads; $method): select($found.value != null) |
	if ($alone == null or $together == null) then "\($at) has an overhead without costs"
	else equal_amount("\($at) overhead, taken from 100,";
		{value: (100 - $found.value), low: (if $found.high == null then null else 100 - $found.high end),
			high: (if $found.low == null then null else 100 - $found.low end)};
		ratio($alone; $together; true; ($method | kind("overhead") | unless_nothing($threads)).kin; $method.confidence) |
			map_values(if . == null then null else . * 100 end)) end;

def solo_faults($at): . as $run | select(.solo != null) | .method as $method | .operations as $ops | .solo.runs as $alone |
	range(0; $ops | length) as $o | $run.solo.operations[$o] as $s |
	same("\($at) solo \($o)"; $s.operation; $ops[$o].operation),
	([range(0; $alone | length) as $k | $alone[$k].operations | op_cost($method; $o; 0)] as $b |
	[range(0; $alone | length) as $k | $ops | op_cost($method; $o; $k)] as $n |
	(range(0; $b | length) as $k |
		ratio_faults("\($at) solo \($o) slowdown \($k)"; $s.slowdowns[$k]; $n[$k]; $b[$k]; true;
			$method | kind("slowdown") | unless_nothing([$ops[$o].threads[$k]]))),
	overhead_faults("\($at) solo \($o)"; $s.overhead_percent; $b | sum_of(false); $n | sum_of(true); $ops[$o].threads; $method));

def baseline_faults($at; $runs): . as $run | select(.baseline != null) | .method as $method |
	[$runs[] | select(measured and run_name == $run.baseline.run)] as $base |
	if ($base | length) != 1 then "\($at): \($base | length) runs are called \($run.baseline.run)"
	else range(0; .operations | length) as $o | range(0; .operations[$o].threads | length) as $k |
		.baseline.operations[$o].threads[$k] as $gain | ($base[0].operations | op_cost($base[0].method; $o; $k)) as $before |
		equal("\($at) baseline \($o) \($k) base_s"; $gain.base_s; $before.value),
		ratio_faults("\($at) baseline \($o) \($k)"; $gain.speedup; $before; $run.operations | op_cost($method; $o; $k);
			false; $method)
	end;

# Pages of vectors lie in ranges, and more of these hold more.
def physical_faults($at): . as $run | (.physical_ranges // empty) | .coverage_percent as $c | ["32", "64", "128", "256"] as $n |
	if .ranges == null then select(.pages != null or ($c | map(.) | any(. != null))) | "\($at): pages or coverage of no ranges"
	else (.ranges as $ranges | .pages as $pages |
		(select($ranges > $pages) | "\($at): \($ranges) ranges of \($pages) pages"),
		([$run.vectors[] | if (.found_again | length) > 0 then .found_again[-1] else .found end | .pages_on_node | add] |
			if any(. == null) then empty else same("\($at): pages in ranges"; $pages; add) end),
		(range(0; 4) as $i | $c[$n[$i]] as $part |
			select($part == null or $part <= 0 or $part > 100 or ($i > 0 and $part < $c[$n[$i - 1]]) or
				($ranges <= ($n[$i] | tonumber) and $part != 100)) |
			"\($at): the longest \($n[$i]) of \($ranges) ranges hold \($part) %")) end;

# What affinity-frag left of each node: of the free memory, at most the most, and at most a twentieth or 8 MiB beside what
# was asked for, with huge pages of 2 MiB.
def left_faults($at): .method.placements as $placements | (.left_huge // [])[] | .asked_bytes as $asked |
	"\($at) left on node \(.node)" as $where |
	(select($placements != null and (.left | length) > $placements) | "\($where): \(.left | length) times, of \($placements) placements"),
	(.left[] |
		(select(.huge_bytes > .free_bytes) | "\($where): \(.huge_bytes) bytes in large blocks of \(.free_bytes) free"),
		(select(.huge_bytes > .most_huge_bytes) | "\($where): \(.huge_bytes) bytes, at most \(.most_huge_bytes)"),
		(select((.huge_bytes - $asked | fabs) > ([$asked / 20, 8388608] | max)) |
			"\($where): \(.huge_bytes) bytes, asked for \($asked)"),
		(select(.blocks_broken < 0) | "\($where): \(.blocks_broken) blocks broken"));

# ---- names of runs: each has a name of its own, and did what its name says

# Of keys with two names.
def first_name: {opType: "kernels", tamPerVector: "sizePerVector", speedupCalc: "speedup", numIter: "samples",
	argsExtra: "params"}[.] // .;

# key -> value of the lines of the file; --set replaces lines.
def lines: (.arguments.text | split("\n") | map(sub("#.*"; "") | capture("^\\s*(?<key>[A-Za-z]+)\\s*:\\s*(?<value>.*?)\\s*$"))) +
	(.arguments.set | map(capture("^(?<key>[^=]+)=(?<value>.*)$"))) | map({key: (.key | first_name), value}) | from_entries;

def number: if test("^[0-9]+([.][0-9]+)?([eE][+]?[0-9]+)?$") then tonumber else null end;

# The value of a line that is `$name` alone, or `$name*`, in this run; null: the line is something else.
def given($lines; $key): ($lines[$key] // "") as $text | .values as $values |
	($text | capture("^[$][{]?(?<name>[A-Za-z_0-9]+)[}]?[*]?$") // null) as $name |
	if $name == null then null else $values[$name.name] end;

def name_faults($at; $lines): . as $run | ($lines.quick // "no") as $quick |
	((given($lines; "statistic") | select(. != null)) as $v | same("\($at) statistic"; $run.method.statistic; $v)),
	((given($lines; "summaryType") | select(. != null)) as $v | same("\($at) summary"; $run.method.summary; $v)),
	((given($lines; "samples") | select(. != null and $quick == "no") | number | select(. != null)) as $v |
		same("\($at) iterations"; $run.method.iterations; $v)),
	((given($lines; "typePerVector") | select(. != null)) as $v | .vectors[] | same("\($at) type of vectors"; .type; $v)),
	((given($lines; "sizePerVector") | select(. != null) | number | select(. != null)) as $v |
		.vectors[] | same("\($at) elements"; .elements; $v)),
	((given($lines; "nodePerThread") | select(. != null) | number | select(. != null)) as $v |
		.threads[] | same("\($at) node of threads"; .node; $v)),
	((given($lines; "cpuPerThread") | select(. != null) | number | select(. != null)) as $v |
		.threads[] | same("\($at) CPU of threads"; .cpu; $v)),
	((given($lines; "passes") | select(. != null) | number | select(. != null and $run.method.mode == "work")) as $v |
		.operations[].threads[] | same("\($at) passes"; .passes; $v)),
	((given($lines; "kernels") | select(. != null)) as $v | .operations | same("\($at) operations"; map(.operation); [$v]));

def vector_faults($at): ({char: 1, short: 2, int: 4, long: 8, float: 4, double: 8}[.type] // 0) as $size |
	same("\($at) bytes"; .bytes; .elements * $size),
	(([.found.pages_on_node[]] | add // 0) as $there | select($there > 0) |
		select(($there + .found.pages_absent) * .found.base_page_bytes < .bytes) |
		"\($at) has \($there) pages, too few for \(.bytes) bytes");

def run_faults($at; $runs; $lines; $interrupted): (.method + {made: .placements, $interrupted}) as $method |
	(select((.placements < $method.placements and ($interrupted | not)) or .placements > $method.placements_most) |
		"\($at) has \(.placements) placements, and its method \($method.placements) to \($method.placements_most)"),
	(range(0; .vectors | length) as $i | .vectors[$i] | vector_faults("\($at) vector \($i)")),
	(range(0; .operations | length) as $o | .threads as $threads |
		.operations[$o] | operation_faults("\($at) \(.operation)"; $method; $threads)),
	(select(.solo != null) | .threads as $threads | range(0; .solo.runs | length) as $k |
		.solo.runs[$k].operations[] | operation_faults("\($at) thread \($k) alone \(.operation)"; $method; [$threads[$k]])),
	physical_faults($at), left_faults($at), speedup_faults($at), solo_faults($at), baseline_faults($at; $runs), name_faults($at; $lines);

# ---- tables

def amount_of($quantity; $op; $k; $of): $of.operations[$op] as $o | ($of.method | scale) as $scale |
	if $k == null then
		if $quantity == "cost" then $o.total_s | if . == null then null else . * $scale end
		elif $quantity == "busy" then $o.together.busy_s
		elif $quantity == "ns_per_unit" then $o.together.ns_per_unit.value
		elif $quantity == "rate" then $o.together.units_per_s.value
		elif $quantity == "bandwidth" then $o.together.bytes_per_s.value | if . == null then null else . / 1e9 end
		elif $quantity == "traffic" then $o.together.traffic_bytes_per_s.value | if . == null then null else . / 1e9 end
		elif $quantity == "overhead" then $of.solo.operations[$op].overhead_percent.value
		else null end
	else $o.threads[$k].figures as $f |
		if $quantity == "cost" then $f.cost_s | if . == null then null else . * $scale end
		elif $quantity == "busy" then $f.busy_s
		elif $quantity == "ns_per_unit" then $f.ns_per_unit
		elif $quantity == "rate" then $f.units_per_s
		elif $quantity == "bandwidth" then $f.bytes_per_s | if . == null then null else . / 1e9 end
		elif $quantity == "traffic" then $f.traffic_bytes_per_s | if . == null then null else . / 1e9 end
		elif $quantity == "speedup" then $of.baseline.operations[$op].threads[$k].speedup.value
		elif $quantity == "slowdown" then $of.solo.operations[$op].slowdowns[$k].value
		elif $quantity == "overhead" then $of.solo.operations[$op].overhead_percent.value
		else null end
	end;

def mentions($title; $text): ($title + ",") | contains(", " + $text + ",");

# The runs and operations that a cell may be about: by its row, its column and the table's title. A title names no
# operation where runs differ in it.
def of_cell($t; $i; $j; $runs): ({($t.row_axis): $t.rows[$i]} + {($t.column_axis): $t.columns[$j]}) as $axes |
	($axes.thread // null) as $thread |
	(if $thread then $thread | ltrimstr("thread ") | (tonumber? // 1000000)
	else [$t.title | scan(", thread ([0-9]+)")] | if length > 0 then .[-1][0] | tonumber else null end end) as $k |
	$runs[] | select(measured) | . as $run |
	select(.values | to_entries | all(. as $v | if $axes[$v.key] != null then $axes[$v.key] == $v.value
		else mentions($t.title; "\($v.key)=\($v.value)") end)) |
	range(0; .operations | length) as $o |
	select(if $t.row_axis == "kernel" or $t.row_axis == "operation" then $run.operations[$o].operation == $t.rows[$i]
		elif $t.column_axis == "kernel" or $t.column_axis == "operation" then $run.operations[$o].operation == $t.columns[$j]
		else mentions($t.title; $run.operations[$o].operation) or
			([$runs[] | select(measured) | .operations[].operation] | any(mentions($t.title; .)) | not) end) |
	{run: $run, op: $o, thread: $k};

# Overheads of far memory, from counts for each unit of this run and of its baseline; of a thread, or the only one.
def counted_at($op; $k): .operations[$op].threads | if $k != null then .[$k].counters elif length == 1 then .[0].counters else null end;
def cycles: if .ideal_cycles.per_unit == null or .walk_cycles.per_unit == null then null
	else .ideal_cycles.per_unit + .walk_cycles.per_unit end;
def stalled: if .memory_stalls.per_unit == null or cycles == null then null else .memory_stalls.per_unit / cycles end;
def of_counts: . as $q | ["numa_overhead", "stall_cost", "cap_overhead", "rcm_overhead", "coverage_32"] | index($q) != null;
# What ranges leave of the misses, in cycles for a unit: each as long as a walk of the baseline.
def residual($far; $near; $covered): if $covered == null or ([$far.page_walks.per_unit, $near.page_walks.per_unit,
		$near.walk_cycles.per_unit] | any(. == null)) then null
	else (1 - $covered / 100) * $far.page_walks.per_unit * $near.walk_cycles.per_unit / $near.page_walks.per_unit end;
def range_overhead($quantity; $far; $near; $covered): residual($far; $near; $covered) as $left |
	if $left == null or $near.ideal_cycles.per_unit == null then null
	elif $quantity == "cap_overhead" then 100 * $left / $near.ideal_cycles.per_unit
	elif $far.memory_stalls.per_unit == null or $near.memory_stalls.per_unit == null then null
	else 100 * ($left + $far.memory_stalls.per_unit - $near.memory_stalls.per_unit) / $near.ideal_cycles.per_unit end;
def far_overhead($quantity; $op; $k; $of; $runs): if $quantity == "coverage_32" then $of.physical_ranges.coverage_percent["32"]
	elif $of.baseline == null or ($quantity != "cap_overhead" and $of.baseline.run == ($of | run_name)) then null
	else ($of | counted_at($op; $k)) as $far | first($runs[] | select(run_name == $of.baseline.run)) as $base |
		($base | counted_at($op; $k)) as $near |
		if $quantity == "cap_overhead" or $quantity == "rcm_overhead"
		then range_overhead($quantity; $far; $near; $of.physical_ranges.coverage_percent["32"])
		elif $quantity == "numa_overhead" then if ($far | cycles) == null or ($near | cycles) == null then null
			else 100 * (($far | cycles) - ($near | cycles)) / $near.ideal_cycles.per_unit end
		elif ($far | stalled) == null or ($near | stalled) == null then null
		else 100 * (($far | stalled) - ($near | stalled)) end
	end;

# What far huge pages save (RM * S): the part of its vectors that a run has in far huge pages, in all placements, times what
# the run of smallPages costs more than the baseline. Of a vector that is partly in small pages only so many are far and
# huge as must be.
def far_huge($node): (([.pages_on_node[]] | add // 0) + .pages_absent) as $pages |
	(if .kernel_page_bytes > .base_page_bytes then $pages
		else [$pages, .transparent_huge_bytes / .base_page_bytes] | min end) as $huge |
	{pages: $pages, far: ([0, $huge - .pages_absent - (.pages_on_node["\($node)"] // 0)] | max)};
def far_part($k): . as $run | [.threads | if $k == null then .[] else .[$k] end | .node as $node | .vectors[] |
		$run.vectors[.] | [.found] + .found_again | .[] |
		if .sizes_shown_by == null or $node == null then null else far_huge($node) end] |
	if length == 0 or any(. == null) then null else (map(.far) | add) / (map(.pages) | add) end;
def small_run($lines; $runs): . as $run | ($lines.smallPages // "" | [scan("[^ ]+")] |
		map(capture("^(?<key>[^=]+)=(?<value>.*)$")) | from_entries) as $small |
	if $small == {} then null else first($runs[] | select(.values == $run.values + $small)) // null end;
def op_costs($op; $k; $of): if $k == null then $of.operations[$op] | total_cost($of.method)
	else $of.operations | op_cost($of.method; $op; $k) end;
def huge_gain($op; $k; $of; $lines; $runs): ($of | small_run($lines; $runs)) as $small | ($of | far_part($k)) as $far |
	if $small == null or $far == null or $small.baseline == null or $of.baseline.run != $small.baseline.run or
		($small.baseline.operations[$op].threads | if $k == null then any(.speedup.value == null) else .[$k].speedup.value == null end)
	then null else first($runs[] | select(run_name == $of.baseline.run)) as $base |
		op_costs($op; $k; $small) as $a | op_costs($op; $k; $base) as $b |
		if $a == null or $b == null then null else 100 * $far * ($a.value / $b.value - 1) end end;

# What judged a run of rhp_frag_profiler, and what followed.
def profiler_cost($of; $k; $by; $runs): if $of == "stalls" then far_overhead("stall_cost"; 0; $k; $by; $runs)
	else op_costs(0; $k; $by) as $a | op_costs(0; $k; first($runs[] | select(run_name == $by.baseline.run))) as $b |
		100 * ($a.value / $b.value - 1) end;
def profiler_faults($at; $runs; $lines): select(.profiler != null) | .profiler as $p |
	(if (.threads | length) == 1 then 0 else null end) as $k | ([$runs[] | select(run_name == $p.judged_by)] | first) as $by |
	if $by == null then "\($at) is judged by '\($p.judged_by)', which is no run"
	else equal("\($at) profiler's gain"; $p.gain_percent.value; huge_gain(0; $k; $by; $lines; $runs)),
		equal("\($at) profiler's cost"; $p.cost_percent.value; profiler_cost($p.cost_of; $k; $by; $runs)),
		same("\($at) moves back"; $p.moves_back; $p.cost_percent.value > $p.gain_percent.value),
		(.vectors[] | select(.placement.name == "rhp_frag_profiler") | .found, .found_again[]? |
			same("\($at) moved back"; .moved_back != null; $p.moves_back),
			(select(.moved_back != null) | (([.pages_on_node[]] | add) * .base_page_bytes) as $found |
				select(.moved_back.bytes > $found) | "\($at): \(.moved_back.bytes) bytes moved back of \($found)")) end;

def known: . as $q | ["cost", "busy", "ns_per_unit", "rate", "bandwidth", "traffic", "speedup", "slowdown", "overhead"] | index($q) != null;

# The columns of scenarios: alone, beside itself (the run of both in the table without means), beside other units.
def cell_amounts($t; $i; $j; $quantity; $runs; $lines): if $quantity == "huge_gain"
	then of_cell($t; $i; $j; $runs) | huge_gain(.op; .thread; .run; $lines; $runs)
	elif $quantity | of_counts
	then of_cell($t; $i; $j; $runs) | if .thread == null and (.run.operations[.op].threads | length) > 1
		then $t.cells[$i][$j].value else far_overhead($quantity; .op; .thread; .run; $runs) end
	elif $t.mean != "scenarios"
	then of_cell($t; $i; $j; $runs) | amount_of($quantity; .op; .thread; .run)
	elif $j == 0 then 1
	elif $j == 1 then ([$runs[] | .values | keys_unsorted[]] | unique[] | select(. != $t.row_axis)) as $other |
		of_cell($t | .column_axis = $other | .columns = [$t.rows[$i]]; $i; 0; $runs) | amount_of($quantity; .op; .thread; .run)
	else $t.cells[$i][$j].value end;

def table_faults($number; $runs; $lines): . as $t | "table \($number) (\($t.title))" as $at |
	$t.quantity as $quantity | select($quantity | known or of_counts or . == "huge_gain") |
	(if $t.mean == null then 0 else 1 end) as $means |
	(select(($t.cells | length) != ($t.rows | length) or ($t.cells | any(length != ($t.columns | length)))) |
		"\($at) has other rows or columns than labels"),
	(range(0; ($t.rows | length) - $means) as $i |
	range(0; ($t.columns | length) - (if ($t.columns | length) > 1 then $means else 0 end)) as $j |
	$t.cells[$i][$j] as $cell |
	[cell_amounts($t; $i; $j; $quantity; $runs; $lines)] as $may |
	amount_faults("\($at) \($i) \($j)"; $cell),
	(select(($quantity == "speedup" or $quantity == "huge_gain") and ($may | all(. == null)) | not) |
	select(if $cell.value == null then ($may | length) > 0 and ($may | all(. != null))
		else ($may | any(near(.; $cell.value)) | not) end) |
		"\($at): the cell of \($t.rows[$i]) and \($t.columns[$j]) is \($cell.value), not \($may)")),
	(select($means == 1) | range(0; if ($t.columns | length) > 1 then ($t.columns | length) - 1 else 1 end) as $j |
		[$t.cells[:-1][] | .[$j].value | select(. != null and . > 0)] as $all |
		equal("\($at): the mean of \($t.columns[$j])"; $t.cells[-1][$j].value;
			if ($all | length) == 0 then null else ($all | map(log) | add / length | exp) end));

# What a side of a claim has in its run; of counters, that of a thread, or of the only one.
def claimed($runs; $lines): . as $side | .quantity as $quantity |
	run_called($runs; .run) as $run | ($run | operation_called($side.operation)) as $op |
	if $quantity | known then amount_of($quantity; $op; $side.thread; $run)
	elif $quantity == "huge_gain" then huge_gain($op; $side.thread; $run; $lines; $runs)
	elif $quantity | of_counts then select($side.thread != null or ($run.operations[$op].threads | length) == 1) |
		far_overhead($quantity; $op; $side.thread; $run; $runs)
	else $run.operations[$op].threads | select($side.thread != null or length == 1) |
		.[$side.thread // 0].counters[$quantity]? // empty | .per_unit // .value end;

def document_faults: .runs as $runs | lines as $lines | .interrupted as $interrupted |
	([$runs[] | select(measured)][0] as $first | select($first != null) |
		same("method"; .method | del(.runs_to_choose_from); $first.method | del(.runs_to_choose_from))),
	([$runs[] | run_name] | group_by(.) | map(select(length > 1) | .[0])[] |
		select(. != "") | "two runs are called '\(.)'"),
	(range(0; $runs | length) as $i | $runs[$i] | select(measured) | run_faults("run \($i)"; $runs; $lines; $interrupted),
		profiler_faults("run \($i)"; $runs; $lines)),
	(.tables // [] | range(0; length) as $i | .[$i] | table_faults($i; $runs; $lines)),
	claims_faults($runs; claimed($runs; $lines));
