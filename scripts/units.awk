# SPDX-License-Identifier: GPL-3.0-or-later
# Compares what the loop of a kernel of execution units is made of with kernels/units.claims; for awk -f with others.
# Variables: arch is x86 or aarch64.
#
#   units_learn()        takes a row of the file, divided into fields
#   units_find(kernel)   the row of a kernel, or 0
#   units_fault(i, all, of_kind, of_name)   what is wrong with a loop of `all` instructions of which so many are of the
#                        row's kind and name: a text, or "" if nothing is

function units_learn()
{
	units++
	unit[units] = "^" $1 "$"
	unit_kind[units] = $2
	unit_least[units] = $3 + 0
	unit_most[units] = $3 ~ /-/ ? substr($3, index($3, "-") + 1) + 0 : 1
	unit_name[units] = "^(" (arch == "aarch64" ? $6 : $4) ")$"
	unit_share[units] = arch == "aarch64" ? $7 : $5
	unit_exact[units] = $8 == "="
}

function units_find(kernel,	i)
{
	for (i = units; i > 0 && kernel !~ unit[i];)
		i--
	return i
}

function units_fault(i, all, of_kind, of_name)
{
	if (of_kind < unit_least[i] * all)
		return "of " all " instructions only " of_kind + 0 " are of kind " unit_kind[i]
	if (of_kind > unit_most[i] * all)
		return of_kind " of " all " instructions are of kind " unit_kind[i] ", too many"
	if (of_name < unit_share[i] * all)
		return "of " all " instructions only " of_name + 0 " are " unit_name[i]
	return ""
}
