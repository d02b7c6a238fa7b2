# SPDX-License-Identifier: GPL-3.0-or-later
# A manual page's body (man(7)) out of a program's --help (form=help), of its --list '*' (form=list), or of a chapter of the
# manual (form=chapter).
# Of Markdown it knows what the chapters use: headings, paragraphs, lists, tables, blocks of code.

# Every occurrence of a string, which gsub would take for a pattern.
function swap(text, from, to,    at, done) {
	while ((at = index(text, from))) {
		done = done substr(text, 1, at - 1) to
		text = substr(text, at + length(from))
	}
	return done text
}

function escaped(text) {
	return swap(text, "\\", "\\e")
}

# As it is typed: a minus is no hyphen.
function literal(text) {
	text = swap(escaped(text), "-", "\\-")
	return text ~ /^[.']/ ? "\\&" text : text
}

function linked(text,    link, end) {
	while (match(text, /\[[^][]*\]\([^()]*\)/)) {
		link = substr(text, RSTART + 1, RLENGTH - 1)
		end = index(link, "](")
		text = substr(text, 1, RSTART - 1) substr(link, 1, end - 1) substr(text, RSTART + RLENGTH)
	}
	return text
}

function strong(text,    parts, n, i, out) {
	n = split(escaped(text), parts, /\*\*/)
	for (i = 1; i <= n; i++)
		out = out (i % 2 ? parts[i] : "\\fI" parts[i] "\\fR")
	return out
}

function inline(text,    parts, n, i, out) {
	n = split(linked(text), parts, /`/)
	for (i = 1; i <= n; i++)
		out = out (i % 2 ? strong(parts[i]) : "\\fB" literal(parts[i]) "\\fR")
	return out
}

# Tools write other letters than those of ASCII as long names.
function width(text,    others) {
	others = gsub(/[\200-\377]/, "&", text)
	return length(text) + 4 * others
}

# Lines of 78 columns: tools complain of longer ones.
function put(text,    words, n, i, line) {
	n = split(text, words, / +/)
	for (i = 1; i <= n; i++) {
		if (words[i] == "")
			continue
		if (line != "" && width(line) + width(words[i]) > 77) {
			print line
			line = ""
		}
		if (line == "" && words[i] ~ /^[.']/)
			words[i] = "\\&" words[i]
		line = line (line == "" ? "" : " ") words[i]
	}
	if (line != "")
		print line
}

function heading(macro, text) {
	flush()
	print macro " " (text ~ / / ? "\"" text "\"" : text)
	fresh = 1
}

function paragraph() {
	if (!fresh)
		print ".PP"
	fresh = 0
}

# What was gathered of a paragraph or of an item of a list.
function flush() {
	if (gathered == "")
		return
	if (item != "") {
		print item
		fresh = 0
	} else
		paragraph()
	put(form == "help" ? escaped(gathered) : inline(gathered))
	gathered = item = ""
}

function option(words, text) {
	flush()
	item = ".TP\n\\fB" literal(words) "\\fR"
	gathered = text
}

function verbatim_begin() {
	flush()
	paragraph()
	print ".RS 4\n.nf"
	verbatim = 1
}

function verbatim_end() {
	if (verbatim)
		print ".fi\n.RE"
	verbatim = 0
}

# ---- a chapter

# The tag of .TP is one line.
function tagged(tag, text,    long) {
	long = width(tag) > 77
	if (long)
		paragraph()
	else
		print ".TP"
	put(tag)
	if (long)
		print ".RS 7"
	put(text)
	if (long)
		print ".RE"
	fresh = 0
}

# A row of a table: its first cell, and below it the others, with their heads if they are several.
function table_row(    cells, n, i, text) {
	n = split(swap(substr($0, 3, length($0) - 4), "\\|", "\001"), cells, /\|/)
	for (i = 1; i <= n; i++) {
		gsub(/\001/, "|", cells[i])
		gsub(/^ +| +$/, "", cells[i])
	}
	if (!in_table) {
		for (i = 1; i <= n; i++)
			head[i] = cells[i]
		in_table = 1
		return
	}
	for (i = 2; i <= n; i++)
		if (cells[i] != "")
			text = text (text == "" ? "" : ". ") (n > 2 && head[i] !~ /^(meaning|effect|)$/ ? head[i] ": " : "") cells[i]
	tagged(inline(cells[1]), text == "" ? "\\&" : inline(text))
}

function chapter_line() {
	if (fence) {
		if ($0 ~ /^```/) {
			verbatim_end()
			fence = 0
		} else if (!dropped && !verbatim && /^usage: /)
			dropped = 1
		else if (!dropped) {
			if (!verbatim)
				verbatim_begin()
			print literal($0)
		}
		return
	}
	if (!/^\|/)
		in_table = 0
	if (/^```/) {
		flush()
		fence = 1
		dropped = 0
	} else if (/^# |^<!--/)
		flush()
	else if (/^## /)
		heading(".SH", toupper(escaped(swap(substr($0, 4), "`", ""))))
	else if (/^###+ /) {
		sub(/^#+ /, "")
		heading(".SS", escaped(swap($0, "`", "")))
	} else if (/^\| *-/)
		;
	else if (/^\|/) {
		flush()
		table_row()
	} else if (/^[0-9]+\. |^- /) {
		flush()
		item = /^-/ ? ".IP \\(bu 2" : ".IP " $1 " 4"
		sub(/^[^ ]+ /, "")
		gathered = $0
	} else if (/^ *$/)
		flush()
	else {
		sub(/^ +/, "")
		gathered = gathered (gathered == "" ? "" : " ") $0
	}
}

# ---- --help

function synopsis_line() {
	sub(/^usage: +/, "")
	sub(/^ +/, "")
	sub(/^scripts\//, "affinity-")
	sub(/^ejec.sh/, "affinity-ejec")
	sub(/, installed: .*/, "")
	print literal($0)
}

function help_line() {
	if (/^usage: /) {
		print ".SH SYNOPSIS\n.nf"
		in_synopsis = 1
	}
	if (in_synopsis && !/^$/) {
		synopsis_line()
		return
	}
	if (in_synopsis) {
		print ".fi"
		in_synopsis = 0
		heading(".SH", "DESCRIPTION")
		return
	}
	if (/^ +--?[a-zA-Z]/) {
		verbatim_end()
		if (!options_begun++)
			heading(".SH", "OPTIONS")
		sub(/^ +/, "")
		if (match($0, /  +/))
			option(substr($0, 1, RSTART - 1), substr($0, RSTART + RLENGTH))
		else
			option($0, "")
	} else if (/^exit /) {
		heading(".SH", "EXIT STATUS")
		sub(/^exit( status:)? */, "")
		gsub(/   +/, "; ")
		gathered = $0
	} else if (/^$/) {
		verbatim_end()
		flush()
	} else if (/^  / && item == "" && gathered == "") {
		if (!verbatim)
			verbatim_begin()
		print literal(substr($0, 3))
	} else {
		sub(/^ +/, "")
		gathered = gathered (gathered == "" && item != "" ? "" : " ") $0
	}
}

BEGIN { fresh = 1 }
form == "list" {
	print ".TP"
	print "\\fB" literal($1) "\\fR"
	sub(/^[^ ]+ +/, "")
	put(escaped($0))
	next
}
form == "help" { help_line(); next }
{ chapter_line() }
END {
	verbatim_end()
	flush()
}
