# SPDX-License-Identifier: GPL-3.0-or-later
# Reads `objdump -d --no-show-raw-insn` and finds the hot loop of each function; for awk -f together with machine.awk
# and a script that defines
#
#   wanted(name)          whether to look at the function
#   hot_loop(from, to)    called for each: its instructions are mnemonics[i] and operand[i], from .. to, its
#                         name is `name`; symbol[i] is what one refers to, where objdump -r says so;
#                         `framed`: the function keeps a frame pointer
#   no_loop()             called for a function without a loop
#
# hot_loop() may ask find_inner(from, to), which sets inner_from and inner_to to what is inside a loop that begins at from:
# all from the lowest other target to the last jump to such a one.
#
# A function has one loop: all from the lowest target to the last of the jumps backwards. A second one, nested
# or beside it (unrolled, vectorised), counts as a part of it. What leads to nothing but the end of the function is not,
# wherever the compiler put it.

function jumps(i)
{
	return mnemonics[i] ~ /^(j.*|loop.*|b|b\..*|cbn?z|tbn?z|ret)$/
}

# Takes the end of the function out of from .. to; returns the new to.
function without_end(from, to,	i, to_it, last, n)
{
	for (i in target)
		to_it[target[i]]
	for (i = to; i >= from; i--) {
		if (mnemonics[i] == "ret")
			last = 1
		else if (jumps(i))
			last = 0
		leaves[i] = last
		if (address[i] in to_it)
			last = 0
	}
	for (i = from; i <= to; i++) {
		if (leaves[i])
			continue
		mnemonics[from + n] = mnemonics[i]
		operand[from + n] = operand[i]
		if (i in symbol)
			symbol[from + n] = symbol[i]
		else
			delete symbol[from + n]
		address[from + n] = address[i]
		if (i in target)
			target[from + n] = target[i]
		else
			delete target[from + n]
		n++
	}
	return from + n - 1
}

function find_inner(from, to,	i, k, place)
{
	for (i = from; i <= to; i++)
		place[address[i]] = i
	inner_from = 0
	for (i = from; i <= to; i++) {
		k = (i in target) && (target[i] in place) ? place[target[i]] : i + 1
		if (k > i || k == from)
			continue
		inner_to = i
		if (!inner_from || k < inner_from)
			inner_from = k
	}
	if (!inner_from) {
		inner_from = from
		inner_to = to
	}
}

function finish_function(	i, from, to)
{
	from = size + 1
	for (i = 1; i <= size; i++) {
		if ((target[i] in at) && at[target[i]] <= i) {
			to = i
			if (at[target[i]] < from)
				from = at[target[i]]
		}
	}
	if (to)
		hot_loop(from, without_end(from, to))
	else
		no_loop()
	name = ""
}

/^[0-9a-f]+ <.*>:$/ {
	if (name)
		finish_function()
	name = $2
	gsub(/[<>:]/, "", name)
	sub(/\.(constprop|isra|part)\.[0-9]+$/, "", name)
	size = 0
	split("", at)
	split("", target)
	split("", symbol)
	framed = 0
	if (!wanted(name))
		name = ""
	next
}

/^$/ {
	if (name)
		finish_function()
}

name && /^\t+[0-9a-f]+: R_/ { symbol[size] = $3 }

name && /^ *[0-9a-f]+:/ {
	split_instruction()
	size++
	at[$1] = size
	address[size] = $1
	mnemonics[size] = split_mnemonic
	operand[size] = split_operands
	framed = framed || mnemonics[size] " " operand[size] ~ /^(mov %rsp,%rbp|mov x29, sp|add x29, sp.*)$/
	if (mnemonics[size] ~ /^(j.*|loop.*|b|b\..*|cbn?z|tbn?z)$/ && match(operand[size], /[0-9a-f]+ <[^>]*>$/)) {
		target[size] = substr(operand[size], RSTART)
		sub(/ .*/, "", target[size])
	}
}

END {
	if (name)
		finish_function()
}
