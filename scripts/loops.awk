# SPDX-License-Identifier: GPL-3.0-or-later
# The judgement of scripts/loops, behind machine.awk, hotloop.awk, mix.awk and units.awk: first accesses.claims, then
# units.claims, then the disassembly of one object. Variables: arch is x86 or aarch64, twin is _O0 for objects that are
# built so on purpose. Prints "KERNEL LOOP VERDICT WHAT" for each loop, divided by tabs.

BEGIN {
	OFS = "\t"
	split("scalar 8 sse2 16 avx 32 avx2 32 avx512 64 neon 16 sve 64", word, " ")
	for (i = 1; i in word; i += 2)
		width_of[word[i]] = word[i + 1]
	types = "(char|short|int|long|float|double)"
	sets = "(scalar|sse2|avx|avx2|avxvnni|avx512|avx512vnni|neon|dotprod|sve)"
}

FNR == 1 { file++ }

file == 1 && /^[a-z]/ && $NF != (arch == "x86" ? "aarch64" : "x86") {
	claims++
	kernel[claims] = $1
	loop[claims] = "^" $2 "(_ahead)?$"
	gsub(/N/, "[0-9]+", loop[claims])
	sub(/ISA/, sets, loop[claims])
	sub(/T/, types, loop[claims])
	loads_claimed[claims] = $3
	stores_claimed[claims] = $4
	others_claimed[claims] = $5
	words[claims] = " "
	for (i = 6; i <= NF; i++)
		words[claims] = words[claims] $i " "
}

file == 2 && /^[a-z]/ { units_learn() }

file < 3 { next }

function fault(what)
{
	if (index(faults, what) == 0)
		faults = faults (faults == "" ? "" : "; ") what
}

# "5+2N" with the number of the loop's name.
function amount(text, n,	part, i, sum)
{
	i = split(text, part, "+")
	for (; i > 0; i--)
		sum += part[i] ~ /N$/ ? (part[i] == "N" ? 1 : part[i] + 0) * n : part[i] + 0
	return sum
}

function compare(found, claimed, n, what)
{
	if (claimed == "1+" ? found < 1 : found != amount(claimed, n))
		fault(found " " what ", not " (claimed == "1+" ? "1 or more" : amount(claimed, n)))
}

function find_claim(	i)
{
	for (i = claims; i > 0 && name !~ loop[i];)
		i--
	return i
}

# The kernel of execution units whose loop this is, or "".
function unit_of_name(	k)
{
	k = name
	return sub(/^loop_/, "", k) && units_find(k) ? k : ""
}

# All functions that may be claimed, and one that vanished is seen by its absence from the output.
function wanted(function_)
{
	name = function_
	return find_claim() || unit_of_name() != ""
}

function tell(k, text)
{
	print k, name, faults == "" ? "as claimed" : "another", faults == "" ? text : faults
}

function no_loop(	i)
{
	i = find_claim()
	faults = "has no loop"
	tell(i ? kernel[i] twin : unit_of_name(), "")
}

# Some kernels of execution units access memory, and have a row in both files.
function hot_loop(from, to,	i, k, text)
{
	faults = ""
	i = find_claim()
	k = unit_of_name()
	if (i)
		text = judge_accesses(i, from, to)
	if (k != "")
		text = text (i ? ", " : "") judge_unit(k, from, to)
	tell(i ? kernel[i] twin : k, text)
}

# How many registers an access moves; two halves of a vector are one.
function pieces(isa, mnemonic, operands)
{
	return isa == "neon" && operands ~ /(^|[ ,])d[0-9]/ ? elements(mnemonic) / 2 : elements(mnemonic)
}

function check_width(isa, mnemonic, operands)
{
	if (isa == "avx512" && operands !~ /%zmm/ || isa ~ /^avx2?$/ && operands !~ /%ymm/ ||
		isa == "sse2" && (operands !~ /%xmm/ || mnemonic ~ /sd$/) ||
		isa == "neon" && mnemonic != "stnp" && operands !~ /q[0-9]/ || isa == "sve" && operands !~ /z[0-9]/ ||
		isa == "scalar" && (operands ~ /%[yz]mm|(^|[{ ,])(q[0-9]|v[0-9]+\.)/ || mnemonic ~ /[^lh]p[sd]$/))
		fault("is not as wide as " isa ": " mnemonic " " operands)
}

# Loops of single elements must not be vectorised.
function check_single(mnemonic, operands)
{
	if (aarch64 ? operands ~ /(^|[{ ,])(q[0-9]+|[vz][0-9]+\.)/ : operands ~ /%[xyz]mm/ && mnemonic !~ /s[sd]$/)
		fault("works on vectors: " mnemonic " " operands)
}

function count(isa, i, claim,	what, n)
{
	what = effect(mnemonics[i], operand[i], symbol[i])
	n = pieces(isa, mnemonics[i], operand[i])
	if (twin != "" && operand[i] ~ /\(%rip\)/) # without optimization a constant is read each time
		what = "stack"
	if (what == "load" || what == "both")
		loads += n
	if (what == "store" || what == "both") {
		stores += n
		past += n * (mnemonics[i] ~ /nt(p[sd]|i|dq|q)?$|^stnp|^stnt1/)
	}
	if (what ~ /^(load|store|both)$/) {
		if (isa)
			check_width(isa, mnemonics[i], operand[i])
		else if (loop[claim] ~ /char/)
			check_single(mnemonics[i], operand[i])
	}
	fetches += what == "fetch"
	adds += what == "add"
	swaps += what == "cas"
	if (what == "stack" || what == "call")
		stack++
	if (what == "unknown")
		fault("unknown instruction " mnemonics[i])
	if (what == "strange")
		fault("is no plain access: " mnemonics[i] " " operand[i])
}

# The value of a word such as add=1, or "".
function value(claim, key)
{
	return match(words[claim], " " key "[^ ]*") ? substr(words[claim], RSTART + 1 + length(key), RLENGTH - 1 - length(key)) : ""
}

function may_use_stack(claim, n)
{
	return twin != "" || words[claim] ~ / calls / || value(claim, "stack>") != "" && !aarch64 && n > value(claim, "stack>")
}

function check_others(claim, n, length_of_loop,	others, most)
{
	# 64-bit Arm needs an instruction more for the address of a prefetch
	others = length_of_loop - loads - stores - fetches * (aarch64 ? 2 : 1) - (value(claim, "stack>") != "" ? stack : 0)
	most = amount(others_claimed[claim], n)
	if (others_claimed[claim] != "-" && twin == "" && others > most)
		fault(length_of_loop " instructions, " others - most " more than its work needs")
}

# A line of each stream once, more where vectors are larger; SVE's length is known at run time only.
function check_fetches(claim, n, isa,	lines)
{
	if (words[claim] ~ / fetches /) {
		if (!fetches)
			fault("no prefetches")
		return
	}
	lines = name !~ /_ahead$/ ? 0 : \
		amount(loads_claimed[claim], 1) * (n * width_of[isa] > 64 ? n * width_of[isa] / 64 : 1)
	if (fetches != lines && !(isa == "sve" && lines))
		fault(fetches " prefetches, not " lines)
}

function judge_accesses(claim, from, to,	i, n, isa, one)
{
	loads = stores = past = fetches = adds = swaps = stack = 0
	if (words[claim] ~ / rounds /) {
		find_inner(from, to)
		for (i = from; i <= to; i++)
			if ((i < inner_from || i > inner_to) && effect(mnemonics[i], operand[i], symbol[i]) != "none")
				fault("between rounds: " mnemonics[i] " " operand[i])
		from = inner_from
		to = inner_to
	}
	n = match(name, /[0-9]+(_ahead)?$/) ? substr(name, RSTART) + 0 : 0
	if (words[claim] ~ / ISA / && match(name, "_" sets "_u"))
		isa = substr(name, RSTART + 1, RLENGTH - 3)
	for (i = from; i <= to; i++)
		if (value(claim, "one=") != "" && mnemonics[i] == value(claim, "one="))
			one++
		else
			count(isa, i, claim)
	compare(loads, loads_claimed[claim], n, "loads")
	compare(stores, stores_claimed[claim], n, "stores")
	compare(adds, value(claim, "add=") + 0, n, "atomic additions")
	compare(swaps, value(claim, "cas=") + 0, n, "compare-and-swaps")
	if (value(claim, "one=") != "" && one != 1)
		fault(one + 0 " " value(claim, "one=") ", not 1")
	if (past != (words[claim] ~ / past / ? stores : 0))
		fault(past " of " stores " stores are past the caches")
	if (stack && !may_use_stack(claim, n))
		fault("uses the stack")
	check_fetches(claim, n, isa)
	check_others(claim, n, to - from + 1)
	return loads " loads " stores " stores " (fetches ? fetches " prefetches " : "") to - from + 1 " instructions"
}

function judge_unit(k, from, to,	i, row, kind, all, of_kind, of_name)
{
	row = units_find(k)
	for (i = from; i <= to; i++) {
		if (effect(mnemonics[i], operand[i], symbol[i]) == "unknown")
			fault("unknown instruction " mnemonics[i])
		kind = kind_of(mnemonics[i], operand[i])
		if (kind == "" || mnemonics[i] ~ /^ret/) # between the ways of a loop
			continue
		all++
		of_kind += kind == unit_kind[row]
		of_name += kind == unit_kind[row] && mnemonics[i] ~ unit_name[row]
	}
	if (units_fault(row, all, of_kind, of_name) != "")
		fault(units_fault(row, all, of_kind, of_name))
	return sprintf("%.1f %% %s, %.1f %% %s", 100 * of_kind / all, unit_kind[row], 100 * of_name / all, unit_name[row])
}
