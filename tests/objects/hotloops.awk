# SPDX-License-Identifier: GPL-3.0-or-later
# What tests/objects/hotloops demands of a loop, behind scripts/hotloop.awk.

function complain(what)
{
	print name ": " what > "/dev/stderr"
	bad = 1
}

# AT&T syntax: the last operand is written. What reads it too: arithmetic, unless it only compares.
function count_x86(mnemonic, operands)
{
	if (mnemonic ~ /^(push|pop|call|leave|enter)/ || operands ~ /\(%[re][sb]p[,)]/)
		complain("uses the stack: " mnemonic " " operands)
	if (mnemonic ~ /^(rep|lock|xchg|xadd|cmpxchg|movs[bwlq]$|stos|lods|v?gather|v?maskmov)/)
		complain("is no plain access: " mnemonic " " operands)
	if (mnemonic ~ /^(lea|nop|prefetch)/ || operands !~ /\(/)
		return
	if (operands ~ /%[xyz]mm/ && mnemonic !~ /s[sd]$/)
		complain("works on vectors: " mnemonic " " operands)
	if (operands !~ /\)$/ || mnemonic ~ /^(cmp|test|bt|j|i?mul|i?div)/)
		loads++
	else if (mnemonic ~ /^v?mov|^set/)
		stores++
	else {
		loads++
		stores++
	}
}

function count_aarch64(mnemonic, operands,	both)
{
	if (mnemonic ~ /^blr?$/ || operands ~ /\[(sp|x29)[],]/)
		complain("uses the stack: " mnemonic " " operands)
	if (operands !~ /\[[xw]/)
		return
	if (operands ~ /(^|[{ ,])(q[0-9]+|v[0-9]+\.)/)
		complain("works on vectors: " mnemonic " " operands)
	both = mnemonic ~ /^(ldn?p|stn?p)/ ? 2 : 1
	if (mnemonic ~ /^ld[uan]?p?u?r?s?[bhw]?$/)
		loads += both
	else if (mnemonic ~ /^st[un]?p?u?r?[bh]?$/)
		stores += both
	else if (mnemonic !~ /^prfm/)
		complain("is no plain access: " mnemonic " " operands)
}

# The claim is in the name: a load for each "read", a store for each "write". Beside them: the next
# address, the count and the jump of a strided loop; 17 of a random one, as gcc and clang do it (16
# for the index and the count, 1 for the address); one to make each value that is stored.
function hot_loop(from, to,	i, part, parts, claimed_loads, claimed_stores, limit)
{
	loads = stores = 0
	parts = split(name, part, "_")
	for (i = 2; i < parts; i++) {
		claimed_loads += part[i] == "read"
		claimed_stores += part[i] == "write"
	}
	for (i = from; i <= to; i++) {
		if (aarch64)
			count_aarch64(mnemonics[i], operand[i])
		else
			count_x86(mnemonics[i], operand[i])
	}
	if (loads != claimed_loads)
		complain(loads " loads, not " claimed_loads)
	if (stores != claimed_stores)
		complain(stores " stores, not " claimed_stores)
	limit = (part[1] == "loop" ? 3 : 17) + claimed_loads + 2 * claimed_stores
	if (to - from + 1 > limit)
		complain(to - from + 1 " instructions, more than " limit)
	found++
	printf "%-32s %d loads %d stores %2d instructions\n", name, loads, stores, to - from + 1
}

function wanted(function_)
{
	return function_ ~ /^(loop|random)_[a-z_]+$/
}

function no_loop()
{
	complain("has no loop")
	found++
}

END {
	if (!found) {
		print "no function loop_* or random_* here" > "/dev/stderr"
		bad = 1
	}
	exit bad
}
