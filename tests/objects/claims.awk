# SPDX-License-Identifier: GPL-3.0-or-later
# Compares mixes of instructions with tests/objects/kernels.claims:
#
#   awk -v arch=x86|aarch64 -f tests/objects/claims.awk tests/objects/kernels.claims MIX [UNITS]
#
# MIX has lines "KERNEL VARIANT MNEMONIC COUNT KIND" (scripts/mix --mnemonics, tests/objects/executed), UNITS lines
# "KERNEL UNITS LOADS STORES": what a kernel says it ran, and the loads and stores of one unit; then MIX is what
# was executed, prologues included. Prints a line a kernel; complaints on stderr, exit 1 if there are any.

FNR == 1 { file++ }

file == 1 && !/^#/ {
	claims++
	claimed[claims] = "^" $1 "$"
	kind[claims] = $2
	kind_share[claims] = $3 + 0
	most[claims] = $3 ~ /-/ ? substr($3, index($3, "-") + 1) + 0 : 1
	mnemonic[claims] = "^(" (arch == "aarch64" ? $6 : $4) ")$"
	share[claims] = arch == "aarch64" ? $7 : $5
	exact[claims] = $8 == "="
}

file == 2 {
	for (i = 1; i <= claims && $1 !~ claimed[i];)
		i++
	if (i > claims)
		next
	claim[$1] = i
	all[$1] += $4
	of_kind[$1 " " $5] += $4
	if ($3 ~ mnemonic[i] && $5 == kind[i])
		of_name[$1] += $4
}

file == 3 && !($1 in claim) { complain($1, "ran, but nothing of it was executed") }

file == 3 && ($1 in claim) {
	units[$1] = $2
	about($1, "loads", of_kind[$1 " load"], $2 * $3)
	about($1, "stores", of_kind[$1 " store"], $2 * $4)
	if (exact[claim[$1]] && (of_name[$1] < $2 || of_name[$1] > 1.02 * $2))
		complain($1, of_name[$1] " " mnemonic[claim[$1]] " for " $2 " units")
}

function complain(kernel, what)
{
	print kernel ": " what > "/dev/stderr"
	bad = 1
}

# What comes before and after a loop loads and stores up to two registers a chain; jump tables are loads.
function about(kernel, what, found, expected)
{
	if (kind[claim[kernel]] != "branch" && (found < expected || found > expected + 100))
		complain(kernel, found " " what " executed, not " expected)
}

END {
	for (k in claim) {
		i = claim[k]
		seen[i] = 1
		printf "%-27s %5.1f %% %s, %5.1f %% %s\n", k, 100 * of_kind[k " " kind[i]] / all[k], kind[i],
			100 * of_name[k] / all[k], mnemonic[i]
		if (of_kind[k " " kind[i]] < kind_share[i] * all[k])
			complain(k, "of " all[k] " instructions only " of_kind[k " " kind[i]] + 0 " are of kind " kind[i])
		if (of_kind[k " " kind[i]] > most[i] * all[k])
			complain(k, of_kind[k " " kind[i]] " of " all[k] " instructions are of kind " kind[i] ", too many")
		if (of_name[k] < share[i] * all[k])
			complain(k, "of " all[k] " instructions only " of_name[k] + 0 " are " mnemonic[i])
		if (file == 3 && !(k in units))
			complain(k, "was executed, but did not say what it did")
	}
	for (i = 1; i <= claims && file < 3; i++)
		if (!seen[i] && mnemonic[i] != "^(none)$")
			complain(claimed[i], "no such kernel was looked at")
	exit bad
}
