# SPDX-License-Identifier: GPL-3.0-or-later
# Makes of what --plan prints what --plan=full prints: every run with all its facts, those of the planned run before
# where it has no other.

# The name of the fact that a line states; "" for lines that are no facts.
function name_of(line) {
	if (line ~ /^(vector|thread|node|background) [0-9]+:/ || line ~ /^(parameter|samples)[^:]*:/)
		return substr(line, 1, index(line, ":") - 1)
	if (line ~ /^operation .*: thread 0 /)
		return substr(line, 1, index(line, ": thread 0 ") - 1)
	if (line ~ /^speedup /)
		return line
	if (line ~ /^distribution .*: thread [0-9]+, /)
		return substr(line, 1, match(line, /: thread [0-9]+, /) - 1)
	return line ~ /^(mapping|places|pools of huge pages)[ :]/ ? substr(line, 1, match(line " ", /[ :]/) - 1) : ""
}

# A fact that is new stands after those of its kind; that of one line more, such as the weights of a vector, after it.
function state(name, line) {
	if (name == stated) {
		text[name] = text[name] line "\n"
		return
	}
	stated = name
	if (!(name in text))
		names[++count] = name
	text[name] = line "\n"
}

function forget(name) {
	if (!(name in text)) {
		print "gone before it was there: " name
		return
	}
	delete text[name]
	for (i = 1; names[i] != name; i++)
		;
	for (; i < count; i++)
		names[i] = names[i + 1]
	count--
}

function finish_run(   kind, i, k) {
	for (k = 1; planned && k <= split("node vector pools mapping places thread background operation parameter speedup samples distribution", kind, " "); k++)
		for (i = 1; i <= count; i++)
			if ((names[i] " ") ~ "^" kind[k] " ")
				printf "%s", text[names[i]]
	planned = 0
	stated = ""
}

# Of several files each begins with its machine.
/^machine: / {
	while (count)
		delete text[names[count--]]
}

/^runs: the first in full, / { next }

/^no / {
	planned = 1
	name = substr($0, 4)
	if (match(name, / [0-9]+ to [0-9]+$/)) {
		split(substr(name, RSTART + 1), range, " to ")
		kind = substr(name, 1, RSTART)
		for (number = range[1]; number <= range[2] + 0; number++)
			forget(kind number)
	} else
		forget(name)
	next
}

name_of($0) != "" {
	planned = 1
	state(name_of($0), $0)
	next
}

/^from here on / {
	print
	next
}

# Runs that are alike have no line, and those that are skipped no facts.
{
	if (within && !skipped)
		planned = 1
	finish_run()
	print
	within = /^run [0-9]+ of [0-9]+: /
	skipped = / skipped: /
}
