# SPDX-License-Identifier: GPL-3.0-or-later
# Writes results of a generated fleet: awk -v nodes=120 -v runs=2 -v into=DIR -f fleet.awk; with -v again=3 -v fresh=DIR
# as many fresh runs.
# Three experiments of two operations and two threads on two NUMA nodes each. Healthy nodes differ by 0.5 %, runs by 1 %
# (standard deviations). slow=N of what=EXPERIMENT is slower by the factor `by`; of what=all every experiment.
# twist=N: another microcode; day: of the month.
# dates=D: runs are dates, a week or more apart, and none is repeated; since=D: from then on `slow` is slower, and has
# another kernel; all=F: what all nodes cost from the date `since` on. seed: other numbers.
# held=N: what disturbs node N makes its samples take twice as long; its costs do not show it. heldto=R: before run R;
# heldfrom=R: from run R on.
# others=N: the first N nodes are slower so, too.
# spread=P: healthy nodes differ by P %. threads=, operations=, experiments=: other ones.

function uniform() { # its own, so that every awk draws the same
	seed = (seed * 16807) % 2147483647
	return seed / 2147483647
}

function normal() {
	return sqrt(-2 * log(uniform())) * cos(6.283185307 * uniform())
}

# Where some node is held up, all tell their samples: of three that node's last one is disturbed.
function samples(cost, is_held) {
	if (!held)
		return ""
	return sprintf("{\"cost_s\":%.9g,\"warmup\":false,\"disturbed_flags\":0},{\"cost_s\":%.9g,\"warmup\":false,\"disturbed_flags\":0},{\"cost_s\":%.9g,\"warmup\":false,\"disturbed_flags\":%d}",
		cost, cost, cost * (is_held ? 4 : 1), is_held ? 2 : 0)
}

function job(thread, cost, is_held) {
	return sprintf("{\"thread\":%d,\"kernel\":\"read\",\"chose\":\"\",\"loop\":\"as claimed\",\"unit\":\"access\",\"passes\":1,\"calibrated\":false,\"sleep_s\":0,\"figures\":{\"cost_s\":%.9g,\"low_s\":%.9g,\"high_s\":%.9g,\"n\":3},\"samples\":[%s]}",
		thread, cost, cost * 0.99, cost * 1.01, samples(cost, is_held))
}

# Not by sprintf(), which is short in some awk.
function operation(name, experiment, node, run,    t, text, factor) {
	for (t = 0; t < threads; t++) {
		if (run == 1)
			own[node, experiment, name, t] = spread * normal()
		factor = (node == slow || node <= others) && run >= since && (what == experiment || what == "all") ? by : 1
		factor *= all && run >= since ? all : 1
		text = text (t ? "," : "") job(t, 0.001 * factor * exp((own[node, experiment, name, t] + normal()) / 100),
			node == held && (!heldto || run < heldto) && run >= heldfrom)
	}
	return "{\"operation\":\"" name "\",\"total_s\":0.001,\"samples\":{\"taken\":3,\"measure_again\":false},\"threads\":[" text "]}"
}

# Threads are on two nodes in turns.
function places(    t, text) {
	for (t = 0; t < threads; t++)
		text = text (t ? "," : "") sprintf("{\"node\":%d,\"core\":%d,\"cpu\":%d,\"shares_core\":false,\"vectors\":[]}", t % 2, t, t)
	return text
}

function kernels(experiment, node, run,    k, text) {
	for (k = 0; k < operations; k++)
		text = text (k ? "," : "") operation(k == 0 ? "read" : k == 1 ? "write" : "write" k, experiment, node, run)
	return text
}

function document(node, experiment, run,    environment) {
	environment = sprintf("\"date\":\"2026-%sT%02d:%02d:00Z\",\"host\":\"n%03d\",\"kernel\":\"Linux 6.%d\",\"cpu_model\":\"Model\",\"microcode\":\"%s\",\"topology\":{\"nodes\":2,\"packages\":2,\"cores\":2,\"cpus\":2},\"clock_source\":\"tsc\",\"numa_balancing\":%d,\"affinity_version\":\"1\",\"compiler\":\"gcc\",\"compiler_flags\":\"-O2\"",
		dates ? sprintf("%02d-%02d", 1 + int(run / 4), 1 + 7 * (run % 4)) : sprintf("11-%02d", day), dates ? 0 : run,
		10 * e, node,
		since && run >= since && (node == slow || all) ? 2 : 1,
		node == twist ? "0x2" : "0x1", node == slow)
	return sprintf("{\"schema\":3,\"program\":\"affinity\",\"simulated\":false,\"quick\":%s,\"interrupted\":false,\"elapsed_s\":60,\"environment\":{%s},\"arguments\":{\"path\":\"args/memory/%s.args\",\"text\":\"\",\"set\":[]},\"warnings\":[],\"method\":{\"mode\":\"work\",\"statistic\":\"mean\",\"iterations\":3,\"warmup\":1},\"runs\":[{\"values\":{},\"vectors\":[],\"threads\":[%s],",
		quick ? "true" : "false", environment, experiment, places()) "\"operations\":[" kernels(experiment, node, run) "]}],\"tables\":[]}"
}

BEGIN {
	seed = seed ? seed : 20261124
	day = day ? day : 1
	spread = spread ? spread : 0.5
	runs = dates ? dates : runs
	again = dates ? 0 : again
	threads = threads ? threads : 2
	operations = operations ? operations : 2
	count = split(experiments ? experiments : "caches latency width", names, " ")
	for (node = 1; node <= nodes; node++)
		for (run = 1; run <= runs + again; run++)
			for (e = 1; e <= count; e++) {
				file = sprintf("%s/n%03d-%s-%d.json", run > runs ? fresh : into, node, names[e], run)
				print document(node, names[e], run) >file
				close(file)
			}
}
