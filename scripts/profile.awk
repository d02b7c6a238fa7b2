# SPDX-License-Identifier: GPL-3.0-or-later
# One object of scripts/profile, behind mix.awk: first "OBJECT ADDRESS COUNT", divided by tabs, then the object's
# disassembly. Prints "KIND COUNT"; the kind is none for fillers, unknown for addresses not in the disassembly.

NR == FNR {
	if ($1 == object)
		count[$2] = $3
	next
}

/^ *[0-9a-f]+:/ {
	sub(/ *(#|\/\/).*/, "")
	at = $1
	sub(/:$/, "", at)
	if (!(at in count))
		next
	operands = ""
	for (i = 3; i <= NF; i++)
		operands = operands (i > 3 ? " " : "") $i
	kind = kind_of($2, operands)
	sum[kind == "" ? "none" : kind] += count[at]
	delete count[at]
}

END {
	for (at in count)
		sum["unknown"] += count[at]
	for (kind in sum)
		printf "%s %.0f\n", kind, sum[kind]
}
