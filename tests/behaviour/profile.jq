# SPDX-License-Identifier: GPL-3.0-or-later
# A result document out of what --plan --json tells of an argument file, with given figures.
# --rawfile args FILE: the argument file; --argjson set LIST: --set of it; --argjson facts OBJECT: of the environment;
# --argjson costs OBJECT: seconds of the threads by "KERNEL NODE-MEMORY..." of all threads;
# --argjson unit_of OBJECT: of kernels;
# --slurpfile pairs FILE: latency (ns, of chase) and bandwidth (GB/s, of load), rows of nodes.

def places($run): [$run.threads[] | "\(.node)-\($run.vectors[.vectors[0]].asked_node)"] | join(" ");

def figures($run; $o; $i):
	($run.threads[$i].node) as $from | ($run.vectors[$run.threads[$i].vectors[0]]) as $v
	| ($v.asked_node | tonumber) as $to
	| {cost_s: $costs["\($o.operation) \(places($run))"][$i], units: $v.elements}
	+ (if $o.operation == "chase" then {ns_per_unit: $pairs[0].latency[$from][$to]} else {} end);

def operation($run; $o):
	($run.threads[0].node) as $from | ($run.vectors[0].asked_node | tonumber) as $to
	| {operation: $o.operation, total_s: 1,
		together: (if $o.operation == "load" then {bytes_per_s: {value: ($pairs[0].bandwidth[$from][$to] * 1e9)}} else {} end),
		samples: {taken: 3, disturbed: 0, moved: 0, measure_again: false},
		threads: [range($run.threads | length) as $i | {thread: $i, kernel: $o.threads[$i].kernel, unit: $unit_of[$o.threads[$i].kernel],
			times_caches: 8, passes: 1, calibrated: false, shares_lines: false,
			latency: ($o.operation == "chase"), sleep_s: 0, figures: figures($run; $o; $i)}]};

def result($run):
	{values: $run.values,
		vectors: [$run.vectors[] | . + {found: {pages_on_node: {(.asked_node): 10}}}],
		threads: $run.threads,
		operations: [$run.operations[] as $o | operation($run; $o)]};

{schema: 3, program: "affinity", simulated: false, quick: false, interrupted: false, elapsed_s: 1, environment: $facts,
	arguments: {path: .plans[0].path, text: $args, set: $set}, warnings: [], method: {mode: "work"},
	runs: [.plans[0].runs[] | result(.)], tables: []}
