# SPDX-License-Identifier: GPL-3.0-or-later
# Writes an argument file with sweeps, most of which can be measured in a moment. -v seed=N, -v cpus=N: of this machine.
# After random.awk.

# In values, | stands for a blank.
function sweep(name, values) {
	gsub(/[|]/, " ", values)
	print "sweep: " name " = " values
	names = names " " name
	# for a baseline; a range has its first value
	first[name] = values
	sub(/ .*/, "", first[name])
	sub(/[.][.].*/, "", first[name])
	if (values ~ / / && values !~ /[.][.]/) {
		second[name] = values
		sub(/^[^ ]* /, "", second[name])
		sub(/ .*/, "", second[name])
	}
}

function maybe(percent, text) {
	if (chance(percent))
		print text
}

# A key with a value, or with a sweep of it.
function key(name, value, variable, values) {
	if (!swept[variable] && nswept < 3 && chance(25)) {
		swept[variable] = 1
		nswept++
		sweep(variable, values)
		print name ": $" variable (value ~ /[*]$/ ? "*" : "")
	} else {
		print name ": " value
	}
}

function axis() {
	return pick(names " thread kernel kernel")
}

function shown(   text, rows, cols) {
	text = pick("cost busy ns_per_unit rate bandwidth traffic" (solo ? " slowdown overhead" : "") (baseline ? " speedup speedup" : ""))
	rows = axis()
	cols = axis()
	text = text " rows=" rows
	if (cols != rows && chance(70))
		text = text " cols=" cols
	if (chance(20))
		text = text " mean=geometric"
	if (chance(15) && rows != "thread" && cols != "thread")
		text = text " thread=" below(threads)
	return text
}

function claimed(   name, relation) {
	name = pick(names)
	relation = pick("< > ~")
	if (!(name in second))
		return
	print "claim: " pick("cost busy ns_per_unit rate bandwidth traffic" (solo ? " overhead slowdown" : "")) \
		(chance(20) ? " thread=" below(threads) : "") " " name "=" first[name] " " relation " " name "=" second[name] \
		(relation == "~" ? " within=" 1 + below(50) "%" : chance(50) ? " by=" pick("10% 2x 0%") : "")
}

function kernel() {
	return timed ? pick("load store copy read write fp_add load_dep") : pick("read write read_write load store copy fp_add dep_chain2 load_dep null read_O0")
}

function operation(   k) {
	k = kernel()
	return chance(25) ? k "+" kernel() : k
}

BEGIN {
	srandom(seed)
	threads = 1 + below(cpus > 1 ? 3 : 1)
	timed = chance(20)
	solo = chance(40)
	key("kernels", operation() " " operation(), "k", kernel() " " operation())
	if (threads > cpus)
		print "oversubscribe: yes"
	if (threads <= 2 && cpus >= 2 && chance(15)) {
		sweep("n", "1 2")
		print "nodePerThread: first*$n"
		print "nodePerVector: first*2"
		print "vectorPerThread: 0, 0"
		solo = 0
	} else {
		print "nodePerThread: first*" threads
		print "nodePerVector: first*2"
		print "vectorPerThread: 0-" threads - 1 ", 0-" threads - 1
	}
	key("sizePerVector", pick("4096 16KiB 64KiB 1xL1") "*", "s", pick("4096|8192 4KiB..32KiB*2 4KiB|64KiB|16KiB 1xL1|2xL1"))
	key("typePerVector", pick("char int long float double") "*", "t", "char double")
	key("samples", 1 + below(8), "i", "1 2 6")
	key("statistic", pick("mean mean median min"), "q", "mean median min")
	key("summaryType", pick("max min sum"), "u", "max sum")
	maybe(30, "warmup: " below(3))
	maybe(30, "confidence: " pick("0.5 90% 95% 99.9%"))
	maybe(15, "interleave: yes")
	maybe(10, "targetError: 5%")
	print "timeLimit: 200ms"
	if (timed)
		key("mode", "time:2ms", "m", "time:1ms time:3ms")
	else if (chance(60))
		key("passes", 1 + below(4), "p", "1 2 3")
	if (!timed && chance(15))
		key("sleep", "1us*", "d", "0..4:2")
	if (solo)
		print "solo: yes"
	if (names != "" && chance(50)) {
		baseline = pick(names)
		print "baseline: " baseline "=" first[baseline]
	}
	if (names != "" && chance(20)) {
		where = pick(names)
		print "where: " where " " pick("!= == <= < >=") " " first[where]
	}
	maybe(10, "sweep: repeat = 1..2:1")
	maybe(5, "runs: 2\nseed: 1")
	maybe(5, "verify: warn")
	maybe(8, "counters: software")
	for (i = below(4); i > 0; i--)
		print "table: " shown()
	for (i = names == "" ? 0 : below(3); i > 0; i--)
		claimed()
	maybe(8, "plot: cost x=" axis() " by=" axis())
}
