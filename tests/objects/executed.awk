# SPDX-License-Identifier: GPL-3.0-or-later
# The join of tests/objects/executed: first the disassembly, then the profile; behind scripts/mix.awk and
# scripts/machine.awk.

function hex(text,	i, value)
{
	sub(/^0x/, "", text)
	for (i = 1; i <= length(text); i++)
		value = 16 * value + index("0123456789abcdef", substr(text, i, 1)) - 1
	return value + 0
}

FNR == 1 { file++ }

file == 1 && /^[0-9a-f]+ <loop_.*>:$/ {
	name = $2
	gsub(/[<>:]/, "", name)
	start[name] = hex($1)
	next
}

file == 1 && /^$/ { name = "" }

file == 1 && name && /^ *[0-9a-f]+:/ {
	split_instruction()
	offset = hex($1) - start[name]
	mnemonic[name, offset] = split_mnemonic
	kind[name, offset] = kind_of(split_mnemonic, split_operands)
	if (effect(split_mnemonic, split_operands) == "unknown")
		print name ": unknown instruction " split_mnemonic >"/dev/stderr"
}

# The program is loaded anywhere: a function's first executed instruction is its first.
file == 2 && /^fn=/ {
	name = substr($0, 4)
	if (!(name in start))
		name = ""
}

file == 2 && /^calls=/ { skip = 1; next }

file == 2 && /^0x/ {
	if (name && !skip) {
		n++
		of[n] = name
		address[n] = hex($1)
		times[n] = $3
		if (!(name in first) || address[n] < first[name])
			first[name] = address[n]
	}
	skip = 0
}

END {
	for (i = 1; i <= n; i++) {
		offset = address[i] - first[of[i]]
		kernel = of[i]
		sub(/^loop_/, "", kernel)
		sub(/\.(constprop|isra|part)\.[0-9]+$/, "", kernel)
		if (kind[of[i], offset] != "")
			count[kernel " - " mnemonic[of[i], offset] " " kind[of[i], offset]] += times[i]
	}
	for (i in count) {
		split(i, word, " ")
		print word[1], word[2], word[3], count[i], word[4]
	}
}
