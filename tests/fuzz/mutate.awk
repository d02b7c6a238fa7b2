# SPDX-License-Identifier: GPL-3.0-or-later
# Changes a text at random: words, numbers, lines, bytes. -v seed=N, -v bytes=1: bytes only (documents).
# After random.awk. The first file has words to insert, one a line; the second is the text.

FNR == NR { words[nwords++] = $0; next }
{ line[nlines++] = $0 }

function number() {
	return pick("0 1 2 3 7 63 64 65 4095 4096 4097 65536 65537 1000000 2147483648 4294967296 9223372036854775807 " \
		"9223372036854775808 18446744073709551616 1e308 1e-308 -1 0.5 0x10 nan inf 1e 007 1,5")
}

function any_word() {
	return chance(30) ? number() pick(" B K KiB MiB GB % ns us ms s xL1 xL2 xL3 *") : words[below(nwords)]
}

function change_bytes(text,   at, how) {
	at = below(length(text) + 1)
	how = below(5)
	if (how == 0)
		return substr(text, 1, at)
	if (how == 1)
		return substr(text, 1, at) substr(text, at + 1 + below(9))
	if (how == 2)
		return substr(text, 1, at) sprintf("%c", 1 + below(255)) substr(text, at + 2)
	if (how == 3)
		return substr(text, 1, at) pick("\" { } [ ] : , \\ \\u0000 \\ud800 # $ ${ ${a * - .. <script> & ; null true 1e999") substr(text, at + 1)
	return substr(text, 1, at) substr(text, 1 + below(length(text)), below(40)) substr(text, at + 1)
}

function change_words(text,   n, part, i, k, out) {
	n = split(text, part, " ")
	if (!n)
		return any_word()
	i = below(n) + 1
	k = below(6)
	if (k == 0)
		part[i] = ""
	else if (k == 1)
		part[i] = part[i] " " part[i]
	else if (k <= 3)
		part[i] = any_word()
	else if (k == 4 && match(part[i], /[0-9]+/))
		part[i] = substr(part[i], 1, RSTART - 1) number() substr(part[i], RSTART + RLENGTH)
	else
		part[i] = part[i] pick(", * : - .. + / = $ ${") any_word()
	for (i = 1; i <= n; i++)
		out = out (i > 1 ? " " : "") part[i]
	return out
}

function change_line(   i, k, colon) {
	i = below(nlines)
	k = below(10)
	if (bytes || k == 0) {
		line[i] = change_bytes(line[i])
	} else if (k == 1) {
		line[i] = ""
	} else if (k == 2) {
		line[nlines++] = line[i]
	} else if (k == 3) {
		colon = line[below(nlines)]
		line[nlines++] = line[i]
		line[i] = colon
	} else if (k == 4) {
		line[nlines++] = any_word() ": " any_word() " " any_word()
	} else if ((colon = index(line[i], ":"))) {
		line[i] = substr(line[i], 1, colon) " " change_words(substr(line[i], colon + 1))
	} else {
		line[i] = change_words(line[i])
	}
}

END {
	srandom(seed)
	for (i = 1 + below(bytes ? 2 : 4); i > 0 && nlines; i--)
		change_line()
	if (chance(3))
		nlines = below(nlines)
	for (i = 0; i < nlines; i++)
		print line[i]
}
