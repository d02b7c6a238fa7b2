# SPDX-License-Identifier: GPL-3.0-or-later
# Compares what was executed with kernels/units.claims, behind scripts/units.awk:
#
#   awk -v arch=x86|aarch64 -f scripts/units.awk -f tests/objects/claims.awk kernels/units.claims MIX [UNITS]
#
# MIX has lines "KERNEL VARIANT MNEMONIC COUNT KIND" (tests/objects/executed), UNITS lines "KERNEL UNITS LOADS STORES":
# what a kernel says it ran, and the loads and stores of one unit. Prints a line a kernel; complaints on stderr, exit 1
# if there are any.

FNR == 1 { file++ }

file == 1 && !/^#/ { units_learn() }

file == 2 {
	i = units_find($1)
	if (!i)
		next
	claim[$1] = i
	all[$1] += $4
	of_kind[$1 " " $5] += $4
	if ($3 ~ unit_name[i] && $5 == unit_kind[i])
		of_name[$1] += $4
}

file == 3 && !($1 in claim) { complain($1, "ran, but nothing of it was executed") }

file == 3 && ($1 in claim) {
	ran[$1] = $2
	about($1, "loads", of_kind[$1 " load"], $2 * $3)
	about($1, "stores", of_kind[$1 " store"], $2 * $4)
	if (unit_exact[claim[$1]] && (of_name[$1] < $2 || of_name[$1] > 1.02 * $2))
		complain($1, of_name[$1] " " unit_name[claim[$1]] " for " $2 " units")
}

function complain(kernel, what)
{
	print kernel ": " what > "/dev/stderr"
	bad = 1
}

# What comes before and after a loop loads and stores up to two registers a chain; jump tables are loads.
function about(kernel, what, found, expected)
{
	if (unit_kind[claim[kernel]] != "branch" && (found < expected || found > expected + 100))
		complain(kernel, found + 0 " " what " executed, not " expected)
}

END {
	for (k in claim) {
		i = claim[k]
		printf "%-27s %5.1f %% %s, %5.1f %% %s\n", k, 100 * of_kind[k " " unit_kind[i]] / all[k], unit_kind[i],
			100 * of_name[k] / all[k], unit_name[i]
		if (units_fault(i, all[k], of_kind[k " " unit_kind[i]], of_name[k]) != "")
			complain(k, units_fault(i, all[k], of_kind[k " " unit_kind[i]], of_name[k]))
		if (file == 3 && !(k in ran))
			complain(k, "was executed, but did not say what it did")
	}
	exit bad
}
