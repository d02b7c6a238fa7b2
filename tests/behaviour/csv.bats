#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The CSV file is one that every reader of CSV understands, and holds what the JSON document holds.
# shellcheck disable=SC2016 # for the driver to expand

bats_require_minimum_version 1.5.0 # run !

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

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
		rows = [row for row in rows if row["solo"] == "0"]
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
		                    **{time: "%.9f" % s[time] for time in ("cost_s", "busy_s", "lost_s", "lost_before_s")}})
		assert len(rows) == len(found), (len(rows), len(found))
		for row, want in zip(rows, found):
		    for name, value in want.items():
		        assert row[name] == str(value), (name, row[name], value)
	PYTHON
}

measured() {
	given "opType: read null" "nodePerThread: first*2" "nodePerVector: first*2" "vectorPerThread: 0, 1" \
		"oversubscribe: yes" "numIter: 2" "warmup: 1" "$@"
	try "$AFFINITY" --quiet --json out.json --csv out.csv t.args out.txt
	[ "$status" -eq 0 ]
}

@test "CSV read back is what JSON has" {
	measured
	agrees
}

@test "the time that another had the CPU is each thread's own, in CSV and JSON" {
	shims_setup
	given "opType: load" "nodePerThread: first*2" "nodePerVector: first*2" "tamPerVector: 16KiB*" "samples: 4"
	under delays DELAYS=200000 "$AFFINITY" --quiet --json out.json --csv out.csv t.args out.txt
	[ "$status" -eq 0 ]
	agrees
	holds '[samples | (.lost_s * 1e9 | round) == .off_cpu_ns or .blocked > 0] | all'
	holds '[run.operations[0].threads | map([.samples[].lost_s])[]] | .[0] != .[1] and (.[0] | max > 0)'
	# all threads together are judged from what each of them lost
	"$BATS_TEST_DIRNAME/../fuzz/judge" out.json out.csv out.txt
}

@test "reasons for a mark and conditions need no quotes" {
	shims_setup
	given "opType: load" "nodePerThread: first*2" "nodePerVector: first*2" "tamPerVector: 16KiB*" "samples: 1" "quick: yes"
	under delays DELAYS=200000 "$AFFINITY" --quiet --csv out.csv --summary figures.csv t.args /dev/null
	[ "$status" -eq 0 ]
	grep -q ',weak,no interval; disturbed samples: ' out.csv
	run ! grep '"' out.csv figures.csv
}

@test "a late wake-up after a sleep is lost time, and no cost" {
	shims_setup
	given "opType: load" "nodePerThread: first*2" "nodePerVector: first*2" "tamPerVector: 16KiB*" "samples: 2" "sleep: 0 20ms"
	under clock WAKE_LATE=5000000 "$AFFINITY" --quiet --json out.json --csv out.csv t.args out.txt
	[ "$status" -eq 0 ]
	agrees
	# one that came to the start line after the end of its sleep does not sleep any more
	holds '[ops.threads[1].samples[] | (.lost_before_s >= 0.004 or .late_ns > 19000000) and .disturbed_flags >= 2
		and (.cost_s - .lost_before_s - .busy_s - 0.02 | fabs < 1e-8)] | all'
	"$BATS_TEST_DIRNAME/../fuzz/judge" out.json out.csv out.txt
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

@test "each row tells of its thread's vectors, the unit, and when, and sizes of a sweep are numbers, too" {
	measured $'sweep: size = 64KiB 1MiB\nsweep: repeat = 4KiB many' 'tamPerVector: $size*2' "typePerVector: long int"
	/usr/bin/python3 - <<-'PYTHON'
		import csv, json
		document = json.load(open("out.json"))
		rows = list(csv.DictReader(open("out.csv", newline="")))
		assert "repeat_bytes" not in rows[0], rows[0]
		assert {row["size_bytes"] for row in rows} == {"65536", "1048576"}
		for row in rows:
		    run, thread = document["runs"][int(row["run"])], int(row["thread"])
		    vector = run["vectors"][thread]
		    assert row["vector_bytes"] == str(vector["bytes"]) == row["size_bytes"]
		    assert row["vector_types"] == vector["type"] == ["long", "int"][thread]
		    assert row["vector_nodes"] in ("+".join(vector["found"]["pages_on_node"]), "NA"), row
		    assert row["unit"] == run["operations"][int(row["operation_index"])]["threads"][thread]["unit"]
		    assert row["date"] == document["environment"]["date"]
		    assert row["vector_page_bytes"] == "NA" or int(row["vector_page_bytes"].split("+")[0]) >= 4096
	PYTHON
	agrees
}

@test "a variable with the name of another column has a column of its own" {
	measured $'sweep: node = 0\nsweep: fill = 4KiB 8KiB' 'nodePerVector: $node*2' 'tamPerVector: $fill*2'
	same "host,run,sweep_node,fill,sweep_fill_bytes,solo" "$(head -n 1 out.csv | cut -d, -f1-6)"
	same "" "$(head -n 1 out.csv | tr , '\n' | sort | uniq -d)"
}

@test "--summary has each figure of JSON once, with its interval, and none that JSON lacks" {
	given "opType: load null" "nodePerThread: first*2" "nodePerVector: first*2" "vectorPerThread: 0, 1" \
		"oversubscribe: yes" "sweep: n = 1 2" "passes: \$n" "solo: yes" "baseline: n=1" "numIter: 4" "placements: 2"
	try "$AFFINITY" --quiet --json out.json --summary out.csv t.args out.txt
	[ "$status" -eq 0 ]
	/usr/bin/python3 - <<-'PYTHON'
		import csv, json
		document = json.load(open("out.json"))
		found = {}
		for row in csv.DictReader(open("out.csv", newline=""), strict=True):
		    key = (row["run"], row["operation"], row["thread"], row["figure"], row["unit"])
		    assert key not in found and None not in row and row["n"] == str(int(row["run"]) + 1), row
		    found[key] = [float(row[name]) if row[name] else None for name in ("value", "low", "high")]
		def is_there(value, run, operation, thread, figure, unit, scale=1):
		    key = (str(run), operation, str(thread), figure, unit)
		    value = value if isinstance(value, dict) else {"value": value}
		    if value["value"] is None:
		        assert key not in found, key
		        return
		    for want, got in zip((value["value"], value.get("low"), value.get("high")), found.pop(key)):
		        assert want is None or abs(got - want * scale) <= 1e-9 * abs(got), (key, want, got)
		for number, run in enumerate(document["runs"]):
		    for index, o in enumerate(run["operations"]):
		        name, together, alone = o["operation"], o["together"], run["solo"]["operations"][index]
		        is_there({"value": o["total_s"], "low": o["total_low_s"], "high": o["total_high_s"]},
		            number, name, "", "cost", "s")
		        is_there(together["busy_s"], number, name, "", "busy", "s")
		        is_there(together["ns_per_unit"], number, name, "", "ns_per_unit", "ns")
		        is_there(together["units_per_s"], number, name, "", "rate", "1/s")
		        is_there(together["bytes_per_s"], number, name, "", "bandwidth", "GB/s", 1e-9)
		        is_there(alone["overhead_percent"], number, name, "", "overhead", "%")
		        for thread, t in enumerate(o["threads"]):
		            f = t["figures"]
		            is_there({"value": f["cost_s"], "low": f["low_s"], "high": f["high_s"]},
		                number, name, thread, "cost", "s")
		            is_there(f["first_s"], number, name, thread, "first", "s")
		            is_there(f["busy_s"], number, name, thread, "busy", "s")
		            is_there(f["ns_per_unit"], number, name, thread, "ns_per_unit", "ns")
		            is_there(f["units_per_s"], number, name, thread, "rate", "1/s")
		            is_there(f["bytes_per_s"], number, name, thread, "bandwidth", "GB/s", 1e-9)
		            is_there(alone["slowdowns"][thread], number, name, thread, "slowdown", "")
		            is_there(run["solo"]["runs"][thread]["operations"][index]["threads"][0]["figures"]["cost_s"],
		                number, name, thread, "cost_alone", "s")
		rest = {key[3] for key in found}
		assert rest <= {"speedup", "traffic", "clock_rate", "whole_time"} and {"speedup", "whole_time"} <= rest, found
	PYTHON
}

# takes COMMAND...: it ends without a signal, and shows no number that is none.
takes() {
	try "$@"
	[ "$status" -le 3 ]
	[ -z "$(grep -rwE -- '-?nan|-?inf|\(null\)' out.txt pages)" ]
	[[ $output$stderr != *[^a-z]@(nan|inf|"(null)")[^a-z]* ]]
}

# With n=1 no loss is known, so that statistic: min has no figure; with n=300 it is a part of the time.
@test "threads without a figure stand in every output with an empty mark, and every reader takes them" {
	shims_setup
	given "opType: read chase" "nodePerThread: first*2" "nodePerVector: first*2" "tamPerVector: 64KiB*" "statistic: min" \
		"sweep: n = 1 300" 'passes: $n' "baseline: n=1" "numIter: 2" "warmup: 0" "placements: 2" "solo: yes" "speedup: read/chase" \
		"table: cost rows=n cols=thread" "table: speedup rows=n" "plot: cost rows=n" "claim: cost n=1 < cost n=300"
	under delays DELAYS=200000 "$AFFINITY" --quiet --json out.json --csv out.csv --summary figures.csv t.args out.txt
	[ "$status" -eq 0 ]
	holds '[.runs[0].operations[].threads[].figures.cost_s] | length == 4 and all(. == null)'
	grep -q 'Thread 1: *no sample counts$' out.txt
	agrees
	/usr/bin/python3 -c 'import csv; assert {(r["mark"], r["why"]) for r in csv.DictReader(open("out.csv")) if r["n"] == "1"} == {("", "")}'
	mkdir pages
	local i
	for i in 1 2 3 4 5 6; do
		jq -c ".environment |= (.date = \"2026-01-0${i}T00:00:00Z\" | .host = \"h$((i % 3))\")
			| .runs[].operations[].threads[].samples[].start_ns += $i" out.json >$i.json
	done
	takes "$AFFINITY" --show out.json pages/shown.txt
	[ "$status" -eq 0 ]
	jq -c 'del(.runs[1])' 1.json >none.json
	takes "$AFFINITY" --compare --force none.json none.json
	[[ $stderr == *"no cost is known in both 'none.json' and 'none.json'"* ]]
	takes "$AFFINITY" --compare --force 1.json,2.json,3.json 4.json,5.json,6.json
	takes "$AFFINITY" --compare --force --history 1.json,2.json,3.json,4.json 5.json 6.json
	takes "$AFFINITY" --force --export-memattrs pages/m.xml 1.json
	takes "$AFFINITY" --worth 1.json,2.json --force
	takes "$AFFINITY" --predict 1.json --force --set n=1 t.args
	takes "$AFFINITY" --matrix 1.json --force --plan t.args
	takes "$AFFINITY" --bandwidths 1.json --force --plan t.args
	jq -c '{value: 2, low: 1, high: 3} as $f | .tables[0].pair_classes = [{class: "same L3", measured: 2, pairs: 2,
		fewest: $f, median: $f, most: $f, mark: {word: "weak", why: "alone"}}]' out.json >pairs.json
	takes "${AFFINITY%/*}/affinity-report" -o pages/one.html pairs.json
	grep -q '<th scope=row>same L3, 2 of 2<' pages/one.html
	takes "${AFFINITY%/*}/affinity-report" -o pages/two.html 1.json 2.json
	# no figure here is sure, but that of a machine over itself
	[ -z "$(grep -oh "<td[^>]*data-value[^>]*>" pages/one.html pages/two.html | grep -v -e data-mark -e "data-value='1'")" ]
	takes "${AFFINITY%/*}/affinity-fleet" --json pages/fleet.json --csv pages/fleet.csv --page pages/fleet.html --before 3.json 1.json 2.json 4.json
}
