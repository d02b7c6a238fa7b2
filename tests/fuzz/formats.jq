# SPDX-License-Identifier: GPL-3.0-or-later
# What must hold of CSV and text: each of their figures is the document's, to the digits that they print.

# ---- CSV

# Rows of fields (RFC 4180). Almost no line has quotes.
def csv_rows: split("\n")[:-1] | map(if contains("\"") | not then split(",") else
	[match("(?:^|,)(?:\"((?:[^\"]|\"\")*)\"|([^,\"]*))"; "g") |
		if .captures[0].offset >= 0 and .captures[0].string != null then .captures[0].string | gsub("\"\""; "\"")
		else .captures[1].string // "" end] end);

# Where a variable of the sweep has the name of another column.
def swept_name: if IN(("host run solo operation_index operation kernel sample placement placements warmup thread node " +
	"cpu_asked cpu_found kind vectors vector_nodes vector_bytes vector_types vector_page_bytes unit date cost_s busy_s " +
	"units calls late_ns skew_ns disturbed_flags preempted blocked page_faults migrations overlap run_delay_ns off_cpu_ns steal_ns " +
	"throttled_ns lost_s lost_before_s start_ns clock_before_hz clock_after_hz passes bytes fill_bytes chose mark why pass held_by") | split(" ")[])
	then "sweep_" + . else . end;

def found_nodes: .found.pages_on_node | if . == null or . == {} then "NA" else keys | map(tonumber) | sort | map(tostring) | join("+") end;

def found_page_bytes: .bytes as $bytes | .found | if .sizes_shown_by == null then "NA"
	elif .transparent_huge_bytes == 0 then .kernel_page_bytes
	elif .transparent_huge_bytes >= $bytes then .transparent_page_bytes
	else "\(.kernel_page_bytes)+\(.transparent_page_bytes)" end | tostring;

# What was found of the vectors of each placement is in CSV alone; JSON has that of one.
def found_columns($vectors; $placements): select($placements == 1) |
	{vector_nodes: ($vectors | map(found_nodes) | join(" ")), vector_page_bytes: ($vectors | map(found_page_bytes) | join(" "))};

# The row of a sample, by column. A run by number, with the sweep's values; solo: the thread that was alone, or null.
def rows_of($number; $run; $operations; $solo; $date): ($run.values | with_entries(.value |= tostring | .key |= swept_name)) as $values |
	range(0; $operations | length) as $o | $operations[$o] as $op |
	range(0; $op.threads[0].samples | length) as $i | range(0; $op.threads | length) as $k |
	$op.threads[$k] as $job | $job.samples[$i] as $s | ($solo // $k) as $thread | $run.threads[$thread] as $place |
	$values + {
		run: $number, solo: (if $solo == null then 0 else 1 end), operation_index: $o, operation: $op.operation,
		kernel: $job.kernel, sample: $i, placement: $s.placement, placements: $run.placements,
		warmup: (if $s.warmup then 1 else 0 end), thread: $thread,
		node: $place.node, cpu_asked: $place.cpu, cpu_found: $s.cpu_after, kind: $place.kind,
		vectors: ($place.vectors | map(tostring) | join(" ")),
		vector_bytes: ([$place.vectors[] as $v | $run.vectors[$v].bytes | tostring] | join(" ")),
		vector_types: ([$place.vectors[] as $v | $run.vectors[$v].type] | join(" ")), unit: $job.unit, date: $date, units: $s.units, calls: $s.calls, late_ns: $s.late_ns,
		skew_ns: $s.skew_ns, disturbed_flags: $s.disturbed_flags, preempted: $s.preempted, blocked: $s.blocked,
		page_faults: $s.page_faults, migrations: $s.migrations, run_delay_ns: $s.run_delay_ns, off_cpu_ns: $s.off_cpu_ns, steal_ns: $s.steal_ns, throttled_ns: $s.throttled_ns,
		start_ns: $s.start_ns,
		chose: $job.chose, mark: $job.mark.word, why: $job.mark.why, passes: $job.passes, held_by: $job.held_by, times: {cost_s: $s.cost_s, busy_s: $s.busy_s, lost_s: $s.lost_s, lost_before_s: $s.lost_before_s},
		rates: [$s.clock_before_hz, $s.clock_after_hz], own: ($s.kernel_figures // {}),
		bytes: (if $job.figures == null then null else $s.units * ($job | bytes_each) end),
		fills: (if $job.figures == null or ($job | traffic_each) == null then null
			else $s.units * (($job | traffic_each) - ($job | bytes_each)) end)} +
		([found_columns([$place.vectors[] as $v | $run.vectors[$v]]; $run.placements)] | add // {});

def all_rows: . as $d | range(0; .runs | length) as $r | .runs[$r] | select(measured) | . as $run |
	rows_of($r; $run; .operations; null; $d.environment.date),
	(select(.solo != null) | .solo.runs[] as $alone | rows_of($r; $run; $alone.operations; $alone.thread; $d.environment.date));

def field: if . == null then "" else tostring end;
def bytes_near($a; $b): ($a - $b | fabs) <= 0.5 + 1e-9 * ($b | fabs);

def row_faults($at; $row; $expected):
	($expected | del(.times, .bytes, .fills, .rates, .own) | to_entries[] | (.value | field) as $value |
		select($row[.key] != $value and .value != "(not UTF-8)" and (.value | tostring | contains("\n") | not)) |
		"\($at): \(.key) is \($row[.key]), not \($value)"),
	([["clock_before_hz", 0], ["clock_after_hz", 1]][] as $rate | $expected.rates[$rate[1]] as $hz |
		select(if $hz == null then $row[$rate[0]] != ""
			else ($row[$rate[0]] | tonumber? // 0) - $hz | fabs | . > 0.5 + 1e-11 * $hz end) |
		"\($at): \($rate[0]) is \($row[$rate[0]]), not \($hz)"),
	($expected.own | to_entries[] | select(near($row[.key] | tonumber? // null; .value) | not) |
		"\($at): \(.key) is \($row[.key]), not \(.value)"),
	(select($row.pass == null or $row.pass == "0") |
		($expected.times | to_entries[] | select(($row[.key] | tonumber? // infinite) - .value | fabs | . > 6e-10) |
			"\($at): \(.key) is \($row[.key]), not \(.value)"),
		(select($expected.bytes != null and (bytes_near($row.bytes | tonumber; $expected.bytes) | not)) |
			"\($at): bytes is \($row.bytes), not \($expected.bytes)"),
		(select($expected.fills != null and $row.fill_bytes != "" and
			(bytes_near($row.fill_bytes | tonumber; $expected.fills) | not)) |
			"\($at): fill_bytes is \($row.fill_bytes), not \($expected.fills)"));

# Rows of counting passes are in CSV only.
def csv_faults($csv): [all_rows] as $expected | ($csv | csv_rows) as $lines | $lines[0] as $head |
	(range(1; $lines | length) as $i | select(($lines[$i] | length) != ($head | length)) |
		"CSV line \($i + 1) has \($lines[$i] | length) fields, not \($head | length)"),
	([range(1; $lines | length) as $i | [$head, $lines[$i]] | transpose | map({(.[0] // ""): .[1]}) | add |
		select(.pass == null or .pass == "0")] as $rows |
	if ($rows | length) != ($expected | length)
	then "CSV has \($rows | length) timed rows, and JSON \($expected | length)"
	else range(0; $rows | length) as $i | row_faults("CSV row \($i + 1)"; $rows[$i]; $expected[$i]) end);

# ---- text

# A number as printed; n/a is null, and a word no number at all. The figure may differ by half of the last digit.
def printed: if . == null then infinite else rtrimstr(",") | if . == "n/a" or . == "-" then null else tonumber? // infinite end end;
def digits: (. // "" | capture("[.](?<d>[0-9]+)") // {d: ""}) | .d | length;
def like_printed($text; $figure): ($text | printed) as $n |
	if $n == null or $figure == null then $n == null and $figure == null
	else ($n - $figure | fabs) <= 0.5001 * pow(10; -($text | digits)) + 1e-10 * ($figure | fabs) end;
def shown($what; $text; $figure): if like_printed($text; $figure) then empty
	else "text: \($what) is \($text), not \($figure)" end;

# Half of an interval: rounded up from .3 of the last digit, and never 0.
def like_half($text; $half): ($text | printed) as $n | pow(10; -($text | digits)) as $one |
	if $n == null or $half == null then $n == null and $half == null
	elif $half == 0 then $n == 0
	else ($n - $half | . >= -0.3001 * $one - 1e-10 * $half and . <= 1.0001 * $one) and $n > 0 end;
def shown_half($what; $text; $half): if like_half($text; $half) then empty
	else "text: \($what) is \($text), not \($half)" end;

# The operation's name stands before the line's mark.
def words_after($mark): .[(index($mark) + ($mark | length)):] | [splits(" +") | select(. != "")];

# The words for what holds the data of all threads, each once.
def held_together: [reduce (.threads[].held_by // empty) as $words ([]; if index([$words]) then . else . + [$words] end)
	| select(length > 0) | join("; ")];

def expected_results: .runs[] | select(measured) | .placements as $made | (.method | scale) as $scale | .method.mode as $mode | .operations[] |
	(.threads | length) as $n | .operation as $name |
	(.threads[] | {kind: "thread", made: $made, name: $name, n: $n, scale: $scale, mode: $mode, figures: .figures, unit: .unit, mark: .mark,
		held: [select(.figures != null) | .held_by // empty]}),
	{kind: "total", mark: .mark, name: $name, scale: $scale, total_s, low: .total_low_s, high: .total_high_s, bytes: .together.bytes_per_s, n: $n,
		held: (if $n > 1 and .together.bytes_per_s.value != null then held_together else [] end)};

def scaled($x; $scale): if $x == null then null else $x * $scale end;

# Several placements have a column more.
def spread: .by_placement_s | if max == min then 0 elif min == 0 then null else (max / min - 1) * 100 end;
def without_spread($of): if $of.made > 1 then .[:4] + .[5:] else . end;

def thread_line_faults($at; $words; $of): $of.figures as $f |
	if $f == null then same("text: \($at)"; $words; ["not", "measured"])
	else (if $of.n > 1 then 1 else 0 end) as $more | ($words | without_spread($of)) as $w |
		(select($of.made > 1) | shown("\($at) spread"; $words[4]; $f | spread)),
		shown("\($at) cost"; $w[0]; scaled($f.cost_s; $of.scale)),
		shown_half("\($at) +-"; $w[1]; scaled({low: $f.low_s, high: $f.high_s} | half; $of.scale)),
		shown("\($at) min"; $w[2]; $f.min_s * $of.scale), shown("\($at) max"; $w[3]; $f.max_s * $of.scale),
		shown("\($at) busy"; $w[4]; $f.busy_s),
		(select($more == 1) | shown("\($at) overlap"; $w[5]; scaled($f.overlap; 100))),
		(if $of.mode == "time" then shown("\($at) calls"; $w[5 + $more]; $f.calls)
		else shown("\($at) ns/unit"; $w[5 + $more]; $f.ns_per_unit) end),
		(if $f.bytes_per_s != null then
			shown("\($at) rate"; $w[6 + $more]; $f.bytes_per_s / 1e9),
			same("text: \($at) unit"; $w[7 + $more] | rtrimstr(","); "GB/s"),
			(select($w[8 + $more] != null) | shown("\($at) write-allocate"; $w[8 + $more]; $f.traffic_bytes_per_s / 1e9))
		else shown("\($at) rate"; $w[6 + $more]; scaled($f.units_per_s; 1e-6)),
			same("text: \($at) unit"; $w[7 + $more:] | join(" "); "M\($of.unit)/s") end)
	end;

def total_line_faults($at; $w; $of):
	shown("\($at) total"; $w[0]; scaled($of.total_s; $of.scale)),
	shown_half("\($at) total +-"; $w[1]; scaled({low: $of.low, high: $of.high} | half; $of.scale)),
	(select($of.n > 1 and $of.bytes.value != null) |
		shown("\($at) together"; $w[2]; $of.bytes.value / 1e9),
		shown_half("\($at) together +-"; $w[5]; scaled($of.bytes | half; 1e-9)));

# The mark is the last of a row.
def row_end: " [|] (?<word>firm|fair|weak)(: (?<why>.*))?$";
def unmarked: sub(row_end; "");
def mark_faults($at; $line; $of): [$line | capture(row_end) | .why //= ""] as $found |
	same("text: \($at) mark"; $found; if $of.mark == null then [] else [$of.mark] end);

# What holds the data stands before the mark.
def held_end: " [(](?<held>[^()]*)[)]$";
def held_faults($at; $line; $of): same("text: \($at) data in"; [$line | unmarked | capture(held_end) | .held]; $of.held);
def figures_of: unmarked | sub(held_end; "");

def result_lines: map(select(unmarked | test("[|] (Thread [0-9]+|Total): ") and
	(unmarked | test("[+]-|slowdown|   base") | not) or test("[|] Total: .* GB/s [+]-")));

def results_faults($lines): [expected_results] as $expected | ($lines | result_lines) as $found |
	if ($found | length) != ($expected | length)
	then "text has \($found | length) lines of results, and JSON \($expected | length)"
	else range(0; $found | length) as $i | $expected[$i] as $of | "line \($i) of results (\($of.name))" as $at |
		mark_faults($at; $found[$i]; $of), held_faults($at; $found[$i]; $of),
		if $of.kind == "total" then total_line_faults($at; $found[$i] | figures_of | words_after("| Total: "); $of)
		else thread_line_faults($at; $found[$i] | figures_of | words_after("| Thread ") | .[1:]; $of) end
	end;

def expected_slowdowns: .runs[] | select(measured and .solo != null) | . as $run | range(0; .operations | length) as $o |
	range(0; .threads | length) as $k | {alone: scaled(.solo.runs[$k].operations[$o].threads[0].figures.cost_s; $run.method | scale),
		slowdown: .solo.operations[$o].slowdowns[$k]};

def slowdowns_faults($lines): [expected_slowdowns] as $expected |
	[$lines[] | select(test("[|] Thread [0-9]+: +alone ")) | words_after(" alone ")] as $found |
	if ($found | length) != ($expected | length)
	then "text has \($found | length) slowdowns, and JSON \($expected | length)"
	else range(0; $found | length) as $i | $found[$i] as $w |
		shown("alone \($i)"; $w[0]; $expected[$i].alone), shown("slowdown \($i)"; $w[3]; $expected[$i].slowdown.value),
		shown("slowdown \($i) +-"; $w[5]; $expected[$i].slowdown | half) end;

def expected_ratios: .runs[] | select(measured) | . as $run |
	(.speedups[] | .threads[], .total),
	(select(.baseline != null and .baseline.run != run_name) | .baseline.operations[] | .threads[] | .speedup);

def ratios_faults($lines): [expected_ratios] as $expected |
	[$lines[] | select(test("[|] (Thread [0-9]+|Total): .*   base")) | capture("[|] (Thread [0-9]+|Total): *(?<rest>.*)$").rest |
		[splits(" +")]] as $found |
	if ($found | length) != ($expected | length)
	then "text has \($found | length) ratios, and JSON \($expected | length)"
	else range(0; $found | length) as $i | shown("ratio \($i)"; $found[$i][0]; $expected[$i].value),
		shown("ratio \($i) +-"; $found[$i][2]; $expected[$i] | half) end;

def rounded($text; $value; $digits): if $value == null then $text == "-"
	else ($text | printed) as $n | $n != null and ($n - $value | fabs) <= 5.1 * pow(10; -$digits) * ($value | fabs) end;
# Digits of a point, or all of them before its point.
def whole($text; $value; $digits): if ($value // 0 | fabs) < 1000 then rounded($text; $value; $digits)
	else ($text | printed) as $n | $n != null and ($n - $value | fabs) < 0.51 end;
# A point between two values: 45(16..128); a word, such as never(64..), where there is none.
def point_like($text; $cell):
	($text | capture("^(?<value>[^(]*)([(](?<low>.*?)[.][.](?<high>.*)[)])?$")) as $w |
	def bound($text; $value): if ($text // "") == "" then $value == null else whole($text; $value; 3) end;
	if $cell.word then $w.value == $cell.word and $cell.value == null else whole($w.value; $cell.value; 4) end and
		bound($w.low; $cell.low) and bound($w.high; $cell.high);

# A label may have blanks, so the cells of a line are counted from its end.
def glued: gsub(" [+]-[^ ~?]+"; "") | gsub(" [(](?<low>[^ ()]*) ?[.][.] ?(?<high>[^ ()]*)[)]"; "(\(.low)..\(.high))");
# Times have a unit in which they are short, in the title too.
def factor_of($title; $t): [{s: 1, ms: 1e3, us: 1e6, ns: 1e9} | to_entries[] | .key as $unit |
	select($title == if $t.unit == "s" and ($t.ranges | not) then $t.title | sub("[(]s[)]"; "(\($unit))") else $t.title end)][0] |
	if . == null then null elif $t.unit == "s" and ($t.ranges | not) then .value else 1 end;
# Fair and weak figures have a sign.
def signed: .value != null and (.mark.word // "firm") != "firm";
def sign: if signed then {fair: "~", weak: "?"}[.mark.word] else "" end;
# What a line asks for and has no figure is a line and an empty one, and no table.
def is_absent: . != null and test("^[a-z][^|]*: n/a(: .*)?$");
def without_absent: . as $all | [range(0; length) as $i |
	select(($all[$i] | is_absent) or ($i > 0 and ($all[$i - 1] | is_absent)) | not) | $all[$i]];
def table_lines_faults($all): ($all | without_absent) as $lines | [.tables[] | select(.shown == "table")] as $tables |
	(($lines | index("          --Tables--")) // -1) as $from |
	if ($tables | length) == 0 then empty
	elif $from < 0 then "text has no tables, and JSON \($tables | length)"
	else reduce $tables[] as $t ({at: ($from + 2), faults: []}; . as $state |
		factor_of($lines[$state.at] // ""; $t) as $factor |
		.faults += [(select($factor == null) | same("text: title of a table"; $lines[$state.at]; $t.title)),
			(range(0; $t.rows | length) as $i | ($lines[$state.at + 2 + $i] | glued |
				[splits(" +") | select(. != "")]) as $w | ($t.columns | length) as $n |
			range(0; $n) as $j | ($w[-$n:][$j]) as $text | $t.cells[$i][$j] as $cell |
			select(if $t.ranges then point_like($text; $cell) else like_printed($text | rtrimstr($cell | sign); scaled($cell.value; $factor // 1)) end | not) |
			"text: table \($t.title), \($t.rows[$i]), \($t.columns[$j]) is \($text), not \($cell.value)"),
			same("text: table \($t.title), data in"; [$lines[$state.at + 2 + ($t.rows | length)] // empty |
				select(startswith("  data in: ")) | ltrimstr("  data in: ")]; [$t.held_by // empty])] |
		.at += ($t.rows | length) + 3 + (if $t.held_by then 1 else 0 end) +
			(if $t.cells | flatten | any(signed) then 1 else 0 end)) | .faults[]
	end;

# Figures of the kernels: of all threads of each run, then of each thread alone. Eight digits.
def expected_own: .runs[] | select(measured) | . as $run |
	(.operations[] | select(.kernel_figures != null) | {name: .operation, of: ([.threads[].kernel_figures] +
		if (.threads | length) > 1 then [.kernel_figures] else [] end)}),
	(select(.solo != null) | range(0; .operations | length) as $o | $run.operations[$o] | select(.kernel_figures != null) |
		{name: "\(.operation) alone", of: [$run.solo.runs[].operations[$o].threads[0].kernel_figures]}) |
	. as $block | ([.of[] // {} | keys[]] | unique[]) as $figure | {$figure, name, of: [$block.of[] | (. // {})[$figure]]};

def own_cell_like($text; $amount): ($text | split("+-")) as $parts | ($parts[0] | printed) as $n |
	($parts[1] // "0" | tonumber) as $half | ($amount | half // 0) as $h |
	if $n == null or $amount.value == null then $n == null and $amount.value == null
	elif $h == 0 then ($n - $amount.value | fabs) <= 6e-8 * ($amount.value | fabs) and $half == 0
	else like_printed($parts[0]; $amount.value) and like_half($parts[1] // "0"; $h) end;

def own_lines: foreach .[] as $line (false; if $line | startswith("+ Figures of the kernels") then true
	else . and $line != "" end; if . then $line else empty end);

# Lines of a block are in the order of the kernel's table, which JSON has not.
def own_faults($lines): [expected_own] as $expected |
	[$lines | own_lines | select(test("^   [a-z][a-z0-9_]*( [(][^)]*[)])?( +(-|[0-9.e+-]+( [+]-[0-9.e+-]+)?))+$")) |
		capture("^   (?<figure>[a-z0-9_]+)( [(][^)]*[)])? +(?<rest>.*)$") |
		{figure, cells: (.rest | gsub(" [+]-"; "+-") | [splits(" +")])}] as $found |
	if ($found | length) != ($expected | length)
	then "text has \($found | length) lines of kernels' figures, and JSON \($expected | length)"
	else ($expected | map(.figure) | unique[]) as $figure | [$found[] | select(.figure == $figure)] as $f |
		[$expected[] | select(.figure == $figure)] as $e | range(0; $e | length) as $i |
		(same("text: \($figure) of \($e[$i].name), threads"; $f[$i].cells | length; $e[$i].of | length)),
		(range(0; $e[$i].of | length) as $k | select(own_cell_like($f[$i].cells[$k] // "-"; $e[$i].of[$k]) | not) |
			"text: \($figure) of \($e[$i].name), \($k), is \($f[$i].cells[$k]), not \($e[$i].of[$k].value)") end;

def text_faults($text): ($text | split("\n")) as $lines |
	results_faults($lines), slowdowns_faults($lines), ratios_faults($lines), table_lines_faults($lines), own_faults($lines),
	([.runs[] | select(measured)] as $runs | select(.runs[0].values != {}) |
		[$lines[] | select(test("^==== run [0-9]+ of [0-9]+: .* ====$"))] as $heads |
		[range(0; .runs | length) as $i | "==== run \($i + 1) of \(.runs | length): \(.runs[$i] | run_name) ===="] as $names |
		select($heads != $names and ($names | tostring | contains("not UTF-8") | not)) | "text: names of runs are \($heads), not \($names)");
