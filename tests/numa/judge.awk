# SPDX-License-Identifier: GPL-3.0-or-later
# Holds what the witness saw, what was asked and what affinity wrote against each other; prints a line for each
# difference. Exit status 3: nothing was wrong, but too little was seen to tell.
#
#   awk -v expect='0 2/0' -v uses='0 0' -v sizes='268' -f judge.awk CPUS SEEN JSON REPORT
#
# expect   NODE OF EACH THREAD/PLACE OF EACH VECTOR; of a sweep several, divided by semicolons
#          a thread's node may be cpu:N; a place is N (bound to it), interleave:0,2 preferred:N local:N local:?,
#          dealt:0,2 (as interleave, without a policy)
# uses     vectors of each thread, as 0 or 0,2
# sizes    KiB of each vector; no two are equal, for they tell mappings apart
# base     KiB of a base page; page: KiB of the pages asked for; thp: all of it in huge ones (1)
# solo     each thread runs alone too (1)
# sleeper  the only thread that waits in a sample; without it all do
# sweep    between two of its runs vectors are touched, by threads bound for it (1)
# CPUS     a line "CPU NODE" for every CPU

function wrong(text) { if (!(text in said)) print text; said[text] = 1; faults++ }

BEGIN {
	situations = runs = text_runs = 0
	experiments = split(expect, experiment, ";")
	vectors = split(sizes, size, " ")
}

FILENAME == ARGV[1] { node_of[$1] = $2; next }

# ---- the witness

FILENAME == ARGV[2] && $1 == "situation" { s = ++situations; seen[s] = $2; next }

FILENAME == ARGV[2] && $1 == "thread" {
	if (sleeper != "" || $3 == "waits") {
		k = team[s]++
		index_of[s, k] = $2; waits[s, k] = $3 == "waits"; cpu[s, k] = $5; moves[s, k] = $7; allowed[s, k] = $9
	}
	next
}

# A mapping of the same size that belongs to something else has no policy of its own.
FILENAME == ARGV[2] && $1 == "memory" {
	if ((s, $2) in policy && $3 == "default") next
	if ((s, $2) in policy && policy[s, $2] == "default") mapped[s, $2] = 0
	mapped[s, $2]++; policy[s, $2] = $3; pages[s, $2] = $4; kib[s, $2] = $6; huge[s, $2] = $8
	next
}

# ---- affinity's JSON, a field a line as jansson writes it: for each run its vectors, then its threads

function add(list, item) { return list (list == "" ? "" : " ") item }

FILENAME == ARGV[3] {
	gsub(/[",{}]/, "")
	if ($1 == "pages_on_node:") {
		if (!runs || told_cpus[runs] != "") runs++
		part = ""
		inside = "pages"
	} else if (inside == "pages" && NF == 2) {
		sub(":", "", $1)
		part = part (part == "" ? "" : ",") "N" $1 "=" $2
	} else if (inside == "pages") {
		told_pages[runs] = add(told_pages[runs], part)
		inside = ""
	} else if ($1 == "kernel_page_bytes:") {
		told_page[runs] = add(told_page[runs], $2 / 1024)
	} else if ($1 == "transparent_huge_bytes:") {
		told_huge[runs] = add(told_huge[runs], $2 / 1024)
	} else if ($1 == "cpu:") {
		told_cpus[runs] = add(told_cpus[runs], $2)
	} else if ($1 == "shares_core:") {
		part = ""
		inside = "thread"
	} else if (inside == "thread" && $1 ~ /^[0-9]+$/) {
		part = part (part == "" ? "" : ",") $1
	} else if (inside == "thread" && $1 == "]") {
		told_uses[runs] = add(told_uses[runs], part)
		inside = ""
	}
	next
}

# ---- the text report: " - Thread 0     node: 0     vector: 0       CPU 0, core 0"

/^ - Thread 0 +node: / { text_runs++ }

/^ - Thread [0-9]+ +node: / {
	text_nodes[text_runs] = add(text_nodes[text_runs], $5)
	match($0, /vector: [0-9 ,]*[0-9]/)
	part = substr($0, RSTART + 8, RLENGTH - 8)
	gsub(/ /, "", part)
	text_uses[text_runs] = add(text_uses[text_runs], part)
	match($0, /CPU [0-9]+/)
	text_cpus[text_runs] = add(text_cpus[text_runs], substr($0, RSTART + 4, RLENGTH - 4))
}

# ---- is a situation what an experiment asks for? Each of these says what speaks against it.

function against_thread(s, k, want) {
	if (want ~ /^cpu:/ ? want == "cpu:" cpu[s, k] : want == node_of[cpu[s, k]]) return ""
	return "thread " index_of[s, k] ", asked for " want ", was on CPU " cpu[s, k] " of node " node_of[cpu[s, k]]
}

function against_threads(s, want, n,    k, j, text) {
	if (team[s] > n) return team[s] " threads took part, " n " were asked for"
	if (solo && team[s] == 1 && index_of[s, 0] == 0) {
		for (j = 1; j <= n; j++) if (against_thread(s, 0, want[j]) == "") return ""
	}
	for (k = 0; k < team[s] && text == ""; k++) text = against_thread(s, k, want[index_of[s, k] + 1])
	return text
}

# The kernel writes bind=static:0, interleave=static:0,2-3, prefer (many): 1 and, for a local vector, default or
# local.
function right_policy(found, kind, nodes,    set) {
	set = found
	if (!sub(/^[^:]*:/, "", set)) set = ""
	sub(/[=:].*/, "", found)
	if (kind == "local" || kind == "dealt") return found ~ /^(local|default)$/
	return index(found, substr(kind, 1, 6)) == 1 && expand(set) == expand(nodes)
}

function expand(set,    n, part, ends, i, k, all) {
	n = split(set, part, ",")
	for (i = 1; i <= n; i++) {
		if (split(part[i], ends, "-") == 1) ends[2] = ends[1]
		for (k = ends[1] + 0; k <= ends[2] + 0; k++) all = all (all == "" ? "" : ",") k
	}
	return all
}

# Dealt out in turn over these nodes and no other.
function even(found, nodes, all,    n, part, one, i, least, most, sum) {
	n = split(found, part, ",")
	nodes = expand(nodes)
	if (n != split(nodes, one, ",")) return 0
	least = all
	for (i = 1; i <= n; i++) {
		split(part[i], one, /[N=]/)
		if (!index("," nodes ",", "," one[2] ",")) return 0
		sum += one[3]
		if (one[3] < least) least = one[3]
		if (one[3] > most) most = one[3]
	}
	return sum == all && most - least <= 1
}

function right_pages(found, kind, nodes, all) {
	if (kind == "interleave" || kind == "dealt") return even(found, nodes, all)
	if (nodes == "?") return found ~ "^N[0-9]+=" all "$"
	return found == "N" nodes "=" all
}

function against_vector(s, k, asked, size,    kind, nodes, text) {
	kind = nodes = asked
	if (!sub(/:.*/, "", kind)) kind = "bind"
	sub(/^.*:/, "", nodes)
	text = "vector " k ", asked for " asked ", "
	if (mapped[s, size] != 1) return text "has " mapped[s, size] + 0 " mappings of " size " KiB"
	if (!right_policy(policy[s, size], kind, nodes)) return text "has the policy " policy[s, size]
	if (!right_pages(pages[s, size], kind, nodes, size / kib[s, size])) return text "has pages " pages[s, size]
	if (kib[s, size] != page) return text "has pages of " kib[s, size] " KiB"
	if (huge[s, size] != (thp ? size : 0)) return text "has " huge[s, size] " KiB in huge pages"
	return ""
}

function against(s, e,    halves, want, place, n, v, text) {
	split(experiment[e], halves, "/")
	n = split(halves[1], want, " ")
	text = against_threads(s, want, n)
	if (split(halves[2], place, " ") != vectors) text = "the test itself is wrong"
	for (v = 1; v <= vectors && text == ""; v++) text = against_vector(s, v - 1, place[v], size[v])
	return text
}

# ---- verdicts

function judge_team(s,    k, taken) {
	for (k = 0; k < team[s]; k++) {
		if (allowed[s, k] != cpu[s, k]) wrong("thread " k " was on CPU " cpu[s, k] " and bound to " allowed[s, k])
		if (moves[s, k] && !sweep) wrong("thread " k " was moved " moves[s, k] " times")
		if (cpu[s, k] in taken) wrong("two threads shared CPU " cpu[s, k])
		taken[cpu[s, k]] = 1
		if (sleeper != "" && waits[s, k] != (k == sleeper)) wrong("thread " k (waits[s, k] ? " waited" : " did not wait"))
	}
}

# Of small pages, as affinity counts them.
function small(found, factor,    n, part, one, i, text) {
	n = split(found, part, ",")
	for (i = 1; i <= n; i++) {
		split(part[i], one, "=")
		text = text (i > 1 ? "," : "") one[1] "=" one[2] * factor
	}
	return text
}

# The experiment with all its threads: what the reports must say of it.
function take_down(s, e,    k, v, where, nodes) {
	for (k = 0; k < team[s]; k++) {
		where = add(where, cpu[s, k])
		nodes = add(nodes, node_of[cpu[s, k]])
	}
	if (e in cpus_of && cpus_of[e] != where) wrong("threads were on CPUs " cpus_of[e] " and on " where)
	cpus_of[e] = where
	nodes_of[e] = nodes
	pages_of[e] = page_of[e] = huge_of[e] = ""
	for (v = 1; v <= vectors; v++) {
		pages_of[e] = add(pages_of[e], small(pages[s, size[v]], kib[s, size[v]] / base))
		page_of[e] = add(page_of[e], kib[s, size[v]])
		huge_of[e] = add(huge_of[e], huge[s, size[v]])
	}
}

function judge_situation(s,    e, halves, text, first) {
	judge_team(s)
	for (e = 1; e <= experiments; e++) {
		text = against(s, e)
		if (e == 1) first = text
		split(experiment[e], halves, "/")
		if (text == "" && team[s] == split(halves[1], want, " ")) take_down(s, e)
		if (text == "" && team[s] == 1) alone[e] = alone[e] " " cpu[s, 0] " "
		if (text == "") return
	}
	wrong(first)
}

function judge_reports(    r, e, found) {
	if (!runs || runs != text_runs) wrong("the JSON has " runs " runs, the report " text_runs)
	for (r = 1; r <= runs; r++) {
		found = 0
		for (e = 1; e <= experiments; e++)
			if (told_cpus[r] == cpus_of[e] && text_cpus[r] == cpus_of[e] && text_nodes[r] == nodes_of[e] &&
			    told_pages[r] == pages_of[e] && told_page[r] == page_of[e] && told_huge[r] == huge_of[e] &&
			    told_uses[r] == uses && text_uses[r] == uses) {
				found = told[e] = 1
				break
			}
		if (!found)
			wrong("not what was seen: run " r " in the JSON, CPUs " told_cpus[r] ", pages " told_pages[r] " of " \
				told_page[r] " KiB, " told_huge[r] " KiB huge, vectors " told_uses[r] \
				"; in the report, CPUs " text_cpus[r] ", nodes " text_nodes[r] ", vectors " text_uses[r])
	}
	for (e = 1; e <= experiments; e++) if (!told[e]) wrong("no run of " experiment[e] " is reported")
}

function seen_too_little(    e, n, one, k) {
	for (e = 1; e <= experiments; e++) {
		if (!(e in cpus_of)) return "all threads of " experiment[e] " together"
		n = solo ? split(cpus_of[e], one, " ") : 0
		for (k = 1; k <= n; k++) if (!index(alone[e], " " one[k] " ")) return "thread " k - 1 " of " experiment[e] " alone"
	}
	return ""
}

END {
	for (s = 1; s <= situations; s++) judge_situation(s)
	missing = seen_too_little()
	if (missing != "") {
		print "the witness never saw " missing
		exit faults ? 0 : 3
	}
	judge_reports()
}
