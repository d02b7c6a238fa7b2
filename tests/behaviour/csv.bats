#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The CSV file is one that every reader of CSV understands, and holds what the JSON document holds.
# shellcheck disable=SC2016 # for the driver to expand

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	skip_obstacle
	command -v /usr/bin/python3 >/dev/null || skip "there is no Python to read CSV with"
}

# agrees: out.csv, read as RFC 4180 says, has the values and the samples of out.json, in the same order.
agrees() {
	/usr/bin/python3 - <<-'PYTHON'
		import csv, json
		rows = list(csv.DictReader(open("out.csv", newline=""), strict=True))
		assert all(None not in row and None not in row.values() for row in rows), "rows differ in length"
		found = []
		for number, run in enumerate(json.load(open("out.json"))["runs"]):
		    for index, kernel in enumerate(run["operations"]):
		        samples = [t["samples"] for t in kernel["threads"]]
		        for sample in range(len(samples[0])):
		            for thread, t in enumerate(kernel["threads"]):
		                s = samples[thread][sample]
		                found.append({"run": number, **run["values"], "operation_index": index,
		                    "operation": kernel["operation"], "kernel": t["kernel"], "sample": sample,
		                    "warmup": int(s["warmup"]), "thread": thread, "units": s["units"],
		                    "late_ns": s["late_ns"], "chose": t["chose"],
		                    "cost_s": "%.9f" % s["cost_s"], "busy_s": "%.9f" % s["busy_s"]})
		assert len(rows) == len(found), (len(rows), len(found))
		for row, want in zip(rows, found):
		    for name, value in want.items():
		        assert row[name] == str(value), (name, row[name], value)
	PYTHON
}

measured() {
	given "opType: read null" "nodePerThread: first*2" "nodePerVector: first*2" "vectorPerThread: 0, 1" \
		"oversubscribe: yes" "numIter: 2" "$@"
	try "$AFFINITY" --quiet --json out.json --csv out.csv t.args out.txt
	[ "$status" -eq 0 ]
}

@test "CSV read back is what JSON has" {
	measured
	agrees
}

@test "a sweep's value with a comma is one field" {
	measured "sweep: how = 0 interleave:0,0" 'nodePerVector: $how*2'
	[ "$(grep -c ',"interleave:0,0",' out.csv)" -eq 12 ]
	agrees
}

@test "a sweep's value with a quote or the separator alone is one field" {
	measured 'sweep: repeat = a"b , "c,d" "'
	grep -q ',"a""b",' out.csv
	grep -q ',",",' out.csv
	grep -q ',"""c,d""",' out.csv
	grep -q ',"""",' out.csv
	agrees
}
