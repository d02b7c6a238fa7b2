# SPDX-License-Identifier: GPL-3.0-or-later
# A result of a file of args/first on a made-up machine, out of what --plan --json tells of it. --rawfile args FILE: the
# argument file; --arg date; --argjson times NUMBER: all costs times it; --argjson facts OBJECT: more of the environment;
# --slurpfile state FILE: what --check --json tells of the machine; --slurpfile topo FILE: what --topology does.
# Where a figure is from can be seen: a cache of level n has 4^n ns, memory 90 ns and 50 more for each node between; n
# threads have 20 n GB/s up to 100, of a node farther away 30 less; pairs of CPUs 10 ns, and a tenth of what their numbers
# differ; percentiles are three times as much; intervals are a fiftieth.

def level: {L1: 1, L2: 2, L3: 3}[.] // 0;
def far($run): (($run.vectors[0].asked_node | tonumber? // 0) - $run.threads[0].node) | fabs;
def ns($run; $o): $run.threads as $t
	| (if $o.operation == "pingpong" then 10 + ($t[0].cpu - $t[1].cpu | fabs) / 10
		elif $run.values.in then pow(4; $run.values.in | level)
		elif $run.values.pages then if $run.values.pages == "thp" then 95 else 120 end
		elif $o.operation == "fp_add" then 1.9 elif $o.operation == "int_add" then 1.6 elif $o.operation == "load_dep" then 1.1
		elif $o.operation == "chase" then 90 + 50 * far($run)
		else 1 end) * $times * (if $args | test("\ntable: +p99.9") then 3 else 1 end);
def rate($run): ([20 * ($run.threads | length), 100] | min) - 30 * ([far($run), 1] | min);

def amount: {value: ., low: (. * 0.98), high: (. * 1.02), mark: {word: "firm", why: ""}};
def none: {value: null, low: null, high: null};
def figure($table; $run; $o): if $table == "bandwidth" then rate($run) / $times else ns($run; $o) end | amount;

# Pairs of CPUs by the innermost place of both.
def levels: [$topo[0].levels[] | select(.in_order and .same_as == null)];
def level_name: . as $name | [$topo[0].levels | reverse[] | select(.level == $name or .same_as == $name).level | select(. != "LLC")]
	| if index("core") then "core" else join(" = ") end;
def in_places: map([.places[].cpus | length * (length - 1) / 2] | add) + [0];
def pair_classes: levels as $levels | ($levels | in_places) as $pairs | ($topo[0].cpus | length) as $n
	| [.[] | [.threads[].cpu] as $t | . + {near: ([range($levels | length) | select(any($levels[.].places[].cpus; contains($t)))] | max // -1)}]
	| group_by(-.near)[] | .[0].near as $near | [.[] | ns(.; .operations[0])] | sort
	| {class: (if $near < 0 then "other " + $levels[0].level else "same " + ($levels[$near].level | level_name) end), measured: length,
		pairs: ((if $near < 0 then $n * ($n - 1) / 2 else $pairs[$near] end) - $pairs[$near + 1]), fewest: (.[0] | amount | del(.mark)),
		median: ((.[(length - 1) / 2 | floor] + .[length / 2 | floor]) / 2 | amount | del(.mark)), most: (.[-1] | amount | del(.mark)), mark: {word: "firm", why: ""}};

# "bandwidth rows=n cols=operation thread=1"
def table: ($args | capture("\ntable: +(?<of>[a-z_0-9.]+) rows=(?<rows>[a-z]+)( cols=(?<cols>[a-z]+))?")) as $t
	| .plans[0].runs as $all | ($all | map(select(.skipped | not))) as $runs
	| def values($axis): if $axis == "operation" then [$runs[0].operations[].operation] else [$runs[].values[$axis]] | unique_by(tonumber? // .)
		end;
	def of($run; $axis; $value): $axis == null or $axis == "operation" or $run.values[$axis] == $value;
	values($t.rows) as $rows | (if $t.cols then values($t.cols) else ["all threads"] end) as $columns
	| {shown: "table", title: $t.of, quantity: $t.of, kind: "quantity", along: null,
		unit: ({bandwidth: "GB/s", slowdown: ""}[$t.of] // "ns"), operation: null, thread: null, values: {}, row_axis: $t.rows,
		rows_are: (if $t.rows == "operation" then "operation" else "variable" end), column_axis: $t.cols,
		columns_are: (if $t.cols == null then "" elif $t.cols == "operation" then "operation" else "variable" end), rows: $rows,
		columns: $columns, mean: null, against: null,
		pair_classes: [if $t.rows == "a" and $t.cols == "b" then $runs | pair_classes else empty end],
		cells: [$rows[] as $r | [$columns[] as $c
			| [$runs[] | select(of(.; $t.rows; $r) and of(.; $t.cols; $c))][0] as $run
			| if $run == null then none else
				[$run.operations[] | select(if $t.cols == "operation" then .operation == $c elif $t.rows == "operation" then .operation == $r
					else true end)][0] as $o | figure($t.of; $run; $o) end]]};

{schema: 3, program: "affinity", simulated: false, quick: false, interrupted: false, elapsed_s: .plans[0].guess_s,
	environment: (($state[0].facts | {topology, caches, architecture, cpu_model,
		host: (if .topology_source == "this machine" then .host else "made-up" end)}) + {date: $date} + $facts), arguments: {path: .plans[0].path, text: $args, set: []}, warnings: [],
	method: {confidence: 0.95, mode: (if $args | test("\nmode:") then "time" else "work" end)},
	runs: [.plans[0].runs[] as $run | if $run.skipped then {values: $run.values, skipped: $run.skipped} else
		{values: $run.values, vectors: [$run.vectors[] | . + {found: {pages_on_node: {(if .asked_node | test("^[0-9]+$") then .asked_node else "0" end): 10}}}], threads: $run.threads,
			operations: [$run.operations[] as $o | {operation: $o.operation, total_s: 1,
				samples: {taken: 9, disturbed: 0, moved: 0, measure_again: false},
				threads: [$o.threads[] | . + {unit: "load", calibrated: false, shares_lines: false, latency: false, figures: {
					cost_s: (ns($run; $o) * 1e-9), low_s: (ns($run; $o) * 0.98e-9), high_s: (ns($run; $o) * 1.02e-9)}}]}]} end],
	tables: [table]}
