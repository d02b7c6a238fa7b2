# SPDX-License-Identifier: GPL-3.0-or-later
# Documents as the files of args/inference and args/tiers leave them on a machine with two nodes and 8 CPUs, of figures
# that are made up: `jq -n -f answers.jq --arg of decode`, sizes, layers, hot; links and pairs are of one node. Intervals are 2 % wide; cells are [figure,
# low, high].
def amount: if type == "array" then {value: .[0], low: .[1], high: .[2]} elif . == null then {value: null, low: null, high: null}
	else {value: ., low: (. * 0.99), high: (. * 1.01)} end;
def pages($place): if $place == "X" then {"0": 100} elif $place == "Y" then {"1": 100} else {"0": 50, "1": 50} end;
def asked($place): {X: "0", Y: "1", interleave: "interleave:0,1", slices: "slices:0", replicate: "replicate:0"}[$place];
def vector($place; $bytes): {asked_node: asked($place), bytes: $bytes, found: {pages_on_node: pages($place), pages_absent: 0, pages_moved_during_run: 0}};
def named: to_entries | map("\(.key)=\(.value)") | join(" ");
# A run of these values: its operations cost a second over `rate`, and the baseline has the values `base`.
def run($values; $base; $operation; $threads; $rate; $vectors): ($rate | amount) as $r | {values: $values, vectors: $vectors,
	threads: [range($threads) | {node: 0, core: ., cpu: ., vectors: [0]}],
	operations: [{operation: $operation, total_s: (1 / $r.value), total_low_s: (1 / $r.high), total_high_s: (1 / $r.low),
		together: {bytes_per_s: {value: 2e9}, units_per_s: {value: 1e9}}, samples: {taken: 15, disturbed: 0},
		threads: [range($threads) | {kernel: $operation, held_by: "memory", figures: {cost_s: (1 / $r.value), low_s: (1 / $r.high), high_s: (1 / $r.low)}}]}],
	baseline: {run: (($values + $base) | named), operations: []}};
def table($quantity; $unit; $operation; $rows; $columns; $values; $cells): ($quantity | split(" along ")) as [$name, $along] |
	def axis: if . == "" then "" else "variable" end; {shown: "table", title: "\($quantity), \($operation)",
	quantity: $name, kind: (if $name | IN("crossing", "speedup", "bandwidth") then "quantity" else "figure" end), along: $along, unit: $unit,
	operation: $operation, thread: null, values: $values, row_axis: $rows[0], rows_are: ($rows[0] | axis), column_axis: $columns[0],
	columns_are: ($columns[0] | axis), rows: $rows[1:], columns: $columns[1:], mean: null, ranges: ($quantity | startswith("crossing")), against: null,
	cells: [$cells[] | map(if type == "object" then {value: null, low: null, high: null} + . else amount end)]};
def document($comment; $runs; $tables): {program: "affinity", schema: 3, simulated: false, quick: false, interrupted: false,
	environment: {host: "duo", topology: {"nodes": 2, "packages": 2, "cores": 8, "cpus": 8}, cpu_model: "CPU", caches: [{"level": 3, "bytes": 33554432, "count": 2}],
		date: "2026-01-02T03:04:05Z", others_load_during_run_percent: 1, steal_during_run_percent: 0},
	arguments: {path: "args/\($of).args", text: "# \($comment)\nkernels: gemv\n", set: []}, warnings: [],
	method: {mode: "work", cost: "seconds", statistic: "median", iterations: 5, placements: 3, confidence: 95},
	runs: $runs, tables: $tables};

# Threads under L3 of these numbers, and what they move.
def under($caches): .threads |= [range(length) as $i | .[$i] + {last_cache: "L3 \($caches[$i])"}];
def rate: [group_by(. / 2 | floor)[] | [length * 8, 37] | min] | [add, 111] | min;

{
	decode: (
		["X", "interleave", "slices"] as $places | ["1", "2", "4", "8"] as $n
		| [[10, 8, 10], [18, 16, 20], [20, 30, 39], [19, 33, 60]] as $rates
		| document("Where do they go?";
			[range(4) as $i | range(3) as $k | run({n: $n[$i], placement: $places[$k]}; {placement: "X"}; "gemv"; ($n[$i] | tonumber);
				$rates[$i][$k]; [vector($places[$k]; 4294967296)])];
			[table("tokens_per_s"; "token/s"; "gemv"; ["n"] + $n; ["placement"] + $places; {}; $rates),
			table("crossing along n"; ""; "gemv"; ["placement"] + $places; [""] + ["all threads"]; {};
				[[null], [[2.5, 2.1, 3.1]], [[1, null, 2]]])])),
	sizes: (
		["X", "interleave", "slices"] as $places | ["4MiB", "64MiB", "1GiB"] as $sizes | [4194304, 67108864, 1073741824] as $bytes
		| [[100, 50, 80], [40, 41, 60], [20, 39, 40]] as $rates
		| document("From which size on?";
			[range(3) as $i | range(3) as $k | run({size: $sizes[$i], n: "8", placement: $places[$k]}; {placement: "X"}; "gemv"; 8;
				$rates[$i][$k]; [vector($places[$k]; $bytes[$i])])];
			[table("crossing along size"; "B"; "gemv"; ["placement"] + $places; [""] + ["all threads"]; {n: "8"};
				[[null], [[62914560, 31457280, 268435456]], [[33554432, 16777216, 50331648]]])])),
	layers: (
		["0", "256"] as $layers | ["1", "8"] as $n | [[10, 10], [60, 50]] as $rates
		| document("What do meetings cost?";
			[range(2) as $i | range(2) as $k | run({n: $n[$i], layers: $layers[$k]}; {}; "gemv"; ($n[$i] | tonumber); $rates[$i][$k];
				[vector("slices"; 4294967296)])];
			[table("tokens_per_s"; "token/s"; "gemv"; ["n"] + $n; ["layers"] + $layers; {}; $rates),
			table("waiting"; "%"; "gemv"; ["n"] + $n; ["layers"] + $layers; {}; [[null, 0], [null, [12, -1, 14]]]),
			table("meeting"; "%"; "gemv"; ["n"] + $n; ["layers"] + $layers; {}; [[null, 0.1], [null, [3.1, 2.9, 3.4]]])])),
	hot: (
		["0", "50%", "90%", "99%"] as $shares | [0.4, 0.6, [0.88, 0.86, 0.91], 0.99] as $speeds
		| document("What does a second tier cost?";
			[range(4) as $i | ["X", "Y"][] as $cold | run({other: "1", hot_share: $shares[$i], cold: $cold}; {cold: "X"}; "chase_tiers"; 1;
				(if $cold == "X" then 1 else 0.5 end); [vector("X"; 67108864), vector($cold; 67108864)])];
			[table("speedup"; ""; "chase_tiers"; ["hot_share"] + $shares; ["cold", "X", "Y"]; {other: "1"}; [$speeds[] | [1, .]])])),
	# 8 L3 of 8 cores; two L3 share a link of 37 GB/s, the node has 111, a core 8
	links: (
		[1, 2, 4, 5, 8, 16, 32, 48, 64] as $n | ["packed(node(0))", "node(0)"] as $how
		| [$n[] as $i | [[range($i) | . / 8 | floor], [range($i) | . % 8]]] as $caches
		| document("Links";
			[range(9) as $i | range(2) as $k | run({n: "\($n[$i])", how: $how[$k]}; {}; "load"; $n[$i]; 1; [vector("X"; 4294967296)])
				| under($caches[$i][$k])];
			[table("bandwidth"; "GB/s"; "load"; ["n"] + ($n | map(tostring)); ["how"] + $how; {}; [$caches[] | map(rate)])])),
	pairs: (
		[range(4) | "L3(\(.))"] as $l3
		| document("Pairs";
			[range(4) as $a | range(4) as $b | select($a != $b) | run({a: $l3[$a], b: $l3[$b]}; {}; "load"; 16; 1; [vector("X"; 4294967296)])
				| under([range(8) | $a] + [range(8) | $b])];
			[table("bandwidth"; "GB/s"; "load"; ["a"] + $l3; ["b"] + $l3; {};
				[range(4) as $a | [range(4) as $b | if $a == $b then null else [range(8) | $a, $b] | rate end]])]))
}[$of]
