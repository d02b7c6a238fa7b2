# SPDX-License-Identifier: GPL-3.0-or-later
# The verdicts of all objects as C, for scripts/loops --table: first the two files of claims, then the lists.

FNR == 1 { file++ }

# A claim of a family, a regular expression, names no kernel.
file < 3 {
	split($0, word, " ")
	if (word[1] ~ /^[a-z][A-Za-z0-9_]*$/)
		learn(word[1], file == 1 && word[2] == "-")
	if (file == 1 && sub(/^=/, "", word[2]))
		runs[word[1]] = word[2]
	next
}

$1 == "-" {
	unchecked = $4
	next
}

{
	learn($1, 0)
	loops[$1]++
	if ($3 == "another")
		fault[$1, ++others[$1]] = quoted($2) ", LOOP_ANOTHER, " quoted($4)
}

function learn(kernel, without)
{
	if (!(kernel in known)) {
		known[kernel] = 1
		kernels[++n] = kernel
	}
	none[kernel] = none[kernel] || without
}

function quoted(text)
{
	gsub(/[\\"]/, "\\\\&", text)
	return "\"" text "\""
}

END {
	print "/* Made by scripts/loops --table. */\n#include \"contract/loops.h\"\n\nconst struct loop_verdict loop_verdicts[] = {"
	for (i = 1; i <= n; i++) {
		k = kernels[i]
		own = k in runs ? runs[k] : k # whose loops these are
		for (j = 1; j <= others[own]; j++)
			print "\t{" quoted(k) ", " fault[own, j] "},"
		if (others[own])
			wrong = wrong (another++ ? " " : "") k
		state = loops[own] || none[own] ? "LOOP_AS_CLAIMED" : "LOOP_NOT_CHECKED"
		right += state == "LOOP_AS_CLAIMED" && !others[own]
		what = state == "LOOP_AS_CLAIMED" ? "" : unchecked != "" ? unchecked : "no object of this build has its loop"
		print "\t{" quoted(k) ", NULL, " state ", " quoted(what) "},"
	}
	print "\t{NULL, NULL, LOOP_NOT_CHECKED, " quoted(unchecked != "" ? unchecked : "kernels/*.claims say nothing of it") "}};"
	all = another ? another " of another loop (" wrong "), " right + 0 " as claimed" : \
		unchecked != "" ? "not checked: " unchecked : "as claimed"
	print "const char loops_all[] = " quoted(all) ";"
}
