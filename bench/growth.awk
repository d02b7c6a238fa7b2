# SPDX-License-Identifier: GPL-3.0-or-later
# Writes a result with many runs: awk -v runs=1000 -v seed=1 -f growth.awk. Each has two operations of two threads, with
# three samples; a table has a row for each run.

function cost() { # its own, so that every awk draws the same
	state = (state * 16807) % 2147483647
	return 0.001 * (1 + state / 2147483647 / 100)
}

function job(thread,    k, c, sum, text) {
	for (k = 0; k < 3; k++) {
		c = cost()
		sum += c / 3
		text = text (k ? "," : "") sprintf("{\"cost_s\":%.9g,\"busy_s\":%.9g,\"warmup\":false,\"disturbed_flags\":0}", c, c)
	}
	return sprintf("{\"thread\":%d,\"kernel\":\"read\",\"chose\":\"\",\"loop\":\"as claimed\",\"unit\":\"access\",\"passes\":1,\"calibrated\":false,\"sleep_s\":0,\"figures\":{\"cost_s\":%.9g,\"low_s\":%.9g,\"high_s\":%.9g,\"n\":3},\"samples\":[%s]}",
		thread, sum, sum * 0.99, sum * 1.01, text)
}

function operation(name) {
	return "{\"operation\":\"" name "\",\"total_s\":0.001,\"samples\":{\"taken\":6,\"measure_again\":false},\"threads\":[" job(0) "," job(1) "]}"
}

BEGIN {
	state = 20261124 + seed
	printf "{\"schema\":3,\"program\":\"affinity\",\"simulated\":false,\"quick\":false,\"interrupted\":false,\"elapsed_s\":%d,", 60 + seed
	printf "\"environment\":{\"date\":\"2026-11-%02dT00:00:00Z\",\"host\":\"n\",\"cpu_model\":\"Model\"},", seed + 1
	printf "\"arguments\":{\"path\":\"args/growth.args\",\"text\":\"\",\"set\":[]},\"warnings\":[],"
	printf "\"method\":{\"mode\":\"work\",\"statistic\":\"mean\",\"iterations\":3,\"warmup\":1},\"runs\":["
	for (i = 0; i < runs; i++) {
		printf "%s{\"values\":{\"n\":\"%d\"},\"vectors\":[],\"threads\":[", i ? "," : "", i
		printf "{\"node\":0,\"core\":0,\"cpu\":0,\"shares_core\":false,\"vectors\":[]},{\"node\":0,\"core\":1,\"cpu\":1,\"shares_core\":false,\"vectors\":[]}],"
		printf "\"operations\":[%s,%s]}", operation("read"), operation("write")
		rows = rows (i ? "," : "") "\"" i "\""
		cells = cells (i ? "," : "") sprintf("[{\"value\":%.9g,\"low\":null,\"high\":null}]", cost())
	}
	printf "],\"tables\":[{\"shown\":\"table\",\"quantity\":\"cost\",\"kind\":\"quantity\",\"unit\":\"s\",\"operation\":\"read\",\"thread\":0,\"values\":{},"
	printf "\"row_axis\":\"n\",\"rows_are\":\"variable\",\"column_axis\":\"\",\"columns_are\":\"\",\"rows\":[%s],\"columns\":[\"\"],\"cells\":[%s]}]}\n", rows, cells
}
