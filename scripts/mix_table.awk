# SPDX-License-Identifier: GPL-3.0-or-later
# The table of scripts/mix, behind machine.awk, hotloop.awk and mix.awk.

BEGIN {
	kinds = split("branch load store int fp simd", kind, " ")
	asked = split(only, word, " ")
	for (i = 1; i <= asked; i++) {
		gsub(/-/, "_", word[i])
		missing[word[i]] = 1
	}
	if (!mnemonics_too)
		print "kernel,variant,method,instructions,branch,load,store,int,fp,simd"
}

# loop_KERNEL, loop_KERNEL_TYPE or random_KERNEL_TYPE.
function split_name(	part)
{
	kernel = name
	variant = ""
	sub(/^(loop|random)_/, "", kernel)
	if (kernel !~ /^simd_/ && match(kernel, /_(char|short|int|long|float|double)$/)) {
		variant = substr(kernel, RSTART + 1) (name ~ /^random_/ ? " random" : "")
		kernel = substr(kernel, 1, RSTART - 1)
	}
}

function wanted(function_)
{
	return function_ ~ /^(loop|random)_/
}

function no_loop() { }

function hot_loop(from, to,	i, k, all, line)
{
	split_name()
	if (asked && !(kernel in missing))
		return
	missing[kernel] = 0
	split("", count)
	split("", times)
	for (i = from; i <= to; i++) {
		k = kind_of(mnemonics[i], operand[i])
		if (effect(mnemonics[i], operand[i], symbol[i]) == "unknown") {
			print "mix: " name ": unknown instruction " mnemonics[i] > "/dev/stderr"
			bad = 1
		}
		if (k == "" || mnemonics[i] ~ /^ret/) # between the ways of a loop
			continue
		count[k]++
		times[mnemonics[i] " " k]++
		all++
	}
	if (mnemonics_too) {
		for (i in times) {
			split(i, pair, " ")
			print kernel, variant == "" ? "-" : variant, pair[1], times[i], pair[2]
		}
		return
	}
	line = kernel "," variant ",static," all
	for (i = 1; i <= kinds; i++)
		line = line sprintf(",%.4f", count[kind[i]] / all)
	print line
}

END {
	for (i in missing)
		if (missing[i]) {
			print "mix: this build has no loop of a kernel " i > "/dev/stderr"
			bad = 2
		}
	exit bad
}
