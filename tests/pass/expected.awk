# SPDX-License-Identifier: GPL-3.0-or-later
# awk -f expected.awk EXPECTED FOUND: whether each line of the first has one of the second. A field may have
# alternatives, a|b, where versions of LLVM give loops another form.

function fits(pattern, found, alternatives, n, i) {
	n = split(pattern, alternatives, "|")
	for (i = 1; i <= n; i++)
		if (alternatives[i] == found)
			return 1
	return 0
}

function same(pattern, found, p, f, n, i) {
	n = split(pattern, p, " ")
	if (split(found, f, " ") != n)
		return 0
	for (i = 1; i <= n && fits(p[i], f[i]); i++)
		;
	return i > n
}

FNR == NR { expected[++lines] = $0; next }
{
	for (i = 1; i <= lines; i++)
		if (!(i in seen) && same(expected[i], $0))
			break
	if (i <= lines) {
		seen[i] = 1
	} else {
		print "not expected: " $0
		bad = 1
	}
}
END {
	for (i = 1; i <= lines; i++)
		if (!(i in seen)) {
			print "missing: " expected[i]
			bad = 1
		}
	exit bad
}
