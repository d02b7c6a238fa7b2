# SPDX-License-Identifier: GPL-3.0-or-later
# A result document as affinity writes it, as far as --export-memattrs looks at it: chase by one thread, load and
# store by two, on each pair of the machine of the thesis.

# Its tables 3.2 and 3.3: ns and MB/s, rows are taken for the CPUs, columns for the memory.
def latency: [[87.7, 254.2, 271.2, 255.4], [254.9, 86.0, 253.2, 271.5], [271.4, 252.7, 86.0, 254.7],
	[255.1, 271.9, 254.3, 85.7]];
def bandwidth: [[61255, 12709, 12002, 12368], [12153, 61176, 12210, 12007], [12028, 12395, 61288, 12689],
	[12371, 11992, 12704, 61261]];

def samples: {taken: 3, disturbed: 0, preempted: 0, moved: 0, blocked: 0, page_faults: 0, repeated: 0};

def vector($node): {asked_node: "\($node)", elements: 268435456, bytes: 268435456, type: "char",
	found: {pages_on_node: {"\($node)": 65536}, pages_absent: 0, pages_moved_during_run: 0}};

def thread($node; $k): {node: $node, core: (10 * $node + $k), cpu: (10 * $node + $k), shares_core: false, vectors: [$k]};

def job: {times_caches: 8, shares_lines: false, latency: false, sleep_s: 0};

# Two threads: what they do together is what counts, not the sum of their rates.
def by_two($kernel; $MBs): {operation: $kernel, samples: samples,
	together: {bytes_per_s: {value: ($MBs * 1e6)}}, threads: [
	job + {thread: 0, kernel: $kernel, figures: {busy_s: 1, ns_per_unit: 1, bytes_per_s: ($MBs * 1e6)}},
	job + {thread: 1, kernel: $kernel, figures: {busy_s: 2, ns_per_unit: 2, bytes_per_s: ($MBs * 0.5e6)}}]};

def runs: [range(4) as $i | range(4) as $k |
	{values: {t: "\($i)", v: "\($k)"}, vectors: [vector($k)], threads: [thread($i; 0)], speedups: [],
		operations: [{operation: "chase", samples: samples, threads: [job + {thread: 0, kernel: "chase", latency: true,
			figures: {busy_s: 1, ns_per_unit: latency[$i][$k], bytes_per_s: null}}]}]},
	{values: {t: "\($i)", v: "\($k)"}, vectors: [vector($k), vector($k)], threads: [thread($i; 0), thread($i; 1)],
		speedups: [], operations: [by_two("load"; bandwidth[$i][$k]), by_two("store"; bandwidth[$i][$k] / 2)]}];

{schema: 3, program: "affinity", simulated: false, quick: false, interrupted: false, elapsed_s: 1,
	environment: {date: "2026-01-02T03:04:05Z", host: "ring", kernel: "Linux", cpu_model: "Xeon", architecture: "x86_64",
		topology: {"nodes": 4, "packages": 0, "cores": 40, "cpus": 40}, caches: [{"level": 1, "bytes": 32768, "count": 40}, {"level": 2, "bytes": 262144, "count": 40}, {"level": 3, "bytes": 26214400, "count": 4}], clock_source: "tsc",
		numa_balancing: 0, affinity_version: "1.2", compiler: "gcc", compiler_flags: "-O2", simulated: null},
	arguments: {path: "matrix.args", text: "opType: chase\n", set: []},
	warnings: [], method: {}, runs: runs}
