# SPDX-License-Identifier: GPL-3.0-or-later
# The page of scripts/report: HTML from the documents of the driver ($documents, without samples), the notes of
# ejec.sh ($notes) and pictures ($pictures). Opens with what a document holds; chapter() is the thesis's order.
include "report_parts";
include "report_smt";

def docs: $documents | map({(.name): .doc}) | add;
def notes: $notes | add // {};
def pictures: $pictures | add // {};
def done: map(select(.kernels));
def operations: .runs | done | map(.kernels[].operation) | ordered;
def run_with($values): .runs | done | map(select(.values | contains($values))) | first;
def cost: {value: .cost_s, low: .low_s, high: .high_s};
def total: {value: .total_s, low: .total_low_s, high: .total_high_s};
def simulated: .environment.simulated | select(. != null and . != "" and . != "no" and . != "unknown");
def badge: [simulated] | if length > 0 then " <span class=simulated>simulated machine</span>" else "" end;
def any_badge: [docs[] | badge] | max;
def plain_warning: sub("^affinity: "; "") | sub("^warning: "; "");
# Paths of the project are told from its top.
def path: if startswith($top) then .[($top | length):] else . end;

# ---- tables

def by_thread: # of a run: table 5.5 and its kin
  grid(""; [.kernels[].operation];
    [range(.threads | length) as $t | {head: "Thread \($t)", cells: [.kernels[].threads[$t].figures | cost]}]);

def by_nodes($op): # of a matrix of placements: table 5.1 and its kin
  . as $doc | ([.runs[].values.thread_node] | ordered) as $columns
  | grid("data \\ thread"; $columns | map("N\(.)");
    [.runs[].values.data_node] | ordered | map(. as $d | {head: "N\($d)", cells: ($columns | map(. as $t
      | $doc | run_with({data_node: $d, thread_node: $t}) | [.kernels[]? | select(.operation == $op) | total] | first))}));

def by_value($variable; $op): # of a sweep: each thread's cost
  . as $doc | (.runs | done | map(.threads | length) | max) as $threads
  | grid($variable; [range($threads) | "Thread \(.)"];
    [.runs[].values[$variable]] | ordered | map(. as $v | {head: $v, cells: ($doc | run_with({($variable): $v})
      | [.kernels[]? | select(.operation == $op)][0] as $k | [range($threads) | $k.threads[.].figures | cost])}));

def gains: # of a run against its baseline: tables 5.21 to 5.23
  .baseline as $b | (.threads | length) as $n
  | grid(""; [$b.operations[].operation];
    [range($n) as $t | {head: "Thread \($t) (E)", cells: [$b.operations[].threads[$t].speedup]}]
    + [range($n) as $t | select(any($b.operations[]; .threads[$t].hypothetical != null))
      | {head: "Thread \($t) (H)", cells: [$b.operations[].threads[$t] | {value: .hypothetical}]}]
    + [range($n) as $t | {head: "Thread \($t): base, s", cells: [$b.operations[].threads[$t] | {value: .base_s}]}]);

def slowdowns:
  .solo.operations as $ops | grid(""; [$ops[].operation];
    [range(.threads | length) as $t | {head: "Thread \($t)", cells: [$ops[].slowdowns[$t]]}]
    + [{head: "overhead, %", cells: [$ops[].overhead_percent]}]);

def every_run: # of any document: threads of runs as rows
  operations as $ops | grid("run"; $ops;
    [.runs | done[] | . as $run | ([.values | to_entries[] | "\(.key)=\(.value)"] | join(" ")) as $name
      | (range(.threads | length) as $t | {head: "\($name) Thread \($t)", cells: [$ops[] as $op
        | [$run.kernels[] | select(.operation == $op) | .threads[$t].figures | cost] | first]}),
        {head: "\($name) Total", cells: [$ops[] as $op | [$run.kernels[] | select(.operation == $op) | total] | first]}]);

# ---- what is told of every experiment

def tallies: # samples of each operation in all runs
  [.runs | done[] | .kernels[] | {operation, samples}] | group_by(.operation)
  | map({operation: .[0].operation, taken: (map(.samples.taken) | add), disturbed: (map(.samples.disturbed) | add),
    why: (map(.samples) | [("preempted", "moved", "blocked", "page_faults") as $k | {k: $k, n: (map(.[$k]) | add)} | select(.n > 0)
      | "\(.k | gsub("_"; " ")) \(.n)"] | join(", "))});

def samples:
  .method as $m | tallies as $t
  | "<p>\($m.iterations) samples of each operation\(if $m.warmup > 0 then " after \($m.warmup) warm-up" else "" end); cost is their \($m.statistic) in \($m.cost // "seconds"), "
  + "± \($m.confidence * 100) % confidence. "
  + ([$t[] | select(.disturbed > 0)] as $d
    | if $d == [] then "No sample was disturbed."
      elif ($d | length) > 8 then "<span class=disturbed>Disturbed samples: \($d | map(.disturbed) | add) of \($t | map(.taken) | add)</span>, in \($d | length) of \($t | length) operations."
      else "Disturbed samples: " + ($d | map("<span class=disturbed>\(.operation | text) \(.disturbed) of \(.taken)</span>\(if .why == "" then "" else " (\(.why))" end)") | join(", ")) + "." end)
  + "</p>\n";

def common_warnings: [docs[].warnings | map(.text) | unique[]] | group_by(.) | map(select(length == (docs | length)) | .[0]);

def warnings:
  (.warnings | map(.text) | unique) - common_warnings
  + (if .interrupted then ["interrupted: what follows the last finished sample was not measured"] else [] end)
  | if length == 0 then "" else "<ul class=warnings>\(map("<li>\(plain_warning | text)</li>") | add)</ul>\n" end;

def command:
  "scripts/ejec.sh \([.arguments.set[] | "--set \(@sh) "] | add // "")\(.arguments.path | path | if test("^[A-Za-z0-9_./-]+$") then . else @sh end)";

def asked:
  (.arguments.text | if test("^#") then split("\n") | map(select(test("^#( quick:|  *SPDX)") | not)) | until(length == 0 or (.[0] | startswith("#") | not); .[1:])
    | join("\n") | ltrimstr("\n") else . end) as $keys
  | ([.arguments.text | split("\n") | label $out | foreach .[] as $l (true; . and ($l | startswith("#")); if . then $l else break $out end)]
    | map(ltrimstr("#") | ltrimstr(" ") | select(startswith("quick:") | not)) | join("\n") | split("\n\n")) as $prose
  | {prose: ($prose | map(select(test("[^ \n]")) | "<p class=prose>\(text)</p>\n") | add // ""),
     keys: ("<pre>\($keys | text)</pre>\n<p>Repeat: <code>\(command | text)</code></p>\n"
       | folded("Asked for"))};

# ---- an experiment of the thesis: its document through f, or why there is none

def missing($name; $what):
  notes[$name] as $n
  | "<p class=missing><b>\($what)</b> "
  + (if $n then "\($n.state | text): \($n.why | text)" else "not measured; <code>scripts/ejec.sh \("args/\($name).args" | text)</code>" end) + "</p>\n";

def experiment($name; $title; $what; f):
  docs[$name] as $doc
  | if $doc == null then missing($name; "\($what), \($title),") else
    "<section class=experiment id='\($name | text)'>\n<h3>\($title | text) <code>\($name | text)</code>\($doc | badge)</h3>\n"
  + (if ($doc.runs | done) == [] then ($doc | warnings) + "<p class=missing><b>\($what)</b>: no run was measured</p>\n"
     else $doc | asked as $asked | $asked.prose + f + samples + warnings + $asked.keys end)
  + (if notes[$name] then "<p class=missing>Last attempt \(notes[$name].state | text): \(notes[$name].why | text). These are earlier results.</p>\n" else "" end)
  + "</section>\n" end;

# The driver draws a picture for each operation: NAME-1, NAME-2 ..., or only NAME.
def drawn($name; $op; $alt):
  (operations | index($op)) as $i
  | (pictures[$name] // (if $i == null then null else pictures["\($name)-\($i + 1)"] end)) as $svg
  | if $svg then picture($svg; $alt) else "" end;

# A figure with its numbers; numbers alone where nothing could be drawn.
def figure($what; $caption; $svg; $numbers):
  (if $svg == "" then $numbers else $svg + ($numbers | folded("Numbers")) end) | captioned($what; $caption);

def row: "<div class=row>\(.)</div>\n";
def plots: "<div class=plots>\(.)</div>\n";

def matrix:
  . as $doc | (([.runs | done[] | select(.values.data_node != .values.thread_node)] + (.runs | done)) | first) as $shown
  | ($shown | placement | captioned(""; "One cell: thread on node \($shown.values.thread_node), data on node \($shown.values.data_node)"))
  + ([["read", "5.1", "reads"], ["write", "5.2", "writes"], ["read_write", "5.3", "read-writes"], ["write_read", "5.4", "write-reads"]]
    | map(. as [$op, $number, $words] | select($doc | operations | index($op)) | $doc
      | by_nodes($op) + (if (.runs | length) > 1 then drawn("pruebas_un_hilo/matrix"; $op; "Heat map of table \($number)") else "" end)
      | captioned("Table \($number)"; "Cost of \($words) (seconds)")) | add // "" | if ($doc.runs | length) > 1 then plots else row end);

def stride:
  . as $doc | operations as $ops
  | grid("stride, B"; $ops; [.runs | done[] | {head: .values.stride_B, cells: [.kernels[] | total]}]) as $numbers
  | figure("Figure 5.1"; "Cost of reads and writes by stride (seconds)";
    (pictures["pruebas_un_hilo/stride"] // null | if . then picture(.; "Cost by stride") else "" end); $numbers) | plots;

def char_float:
  . as $doc | operations | map(. as $op | $doc
    | ([.runs[].values.type] | ordered) as $types
    | grid("stride, B"; $types | map("\(.), ns"); [.runs[].values.stride_B] | ordered | map(. as $s | {head: $s, cells: ($types | map(. as $t | $doc
      | run_with({type: $t, stride_B: $s}) | {value: [.kernels[]? | select(.operation == $op) | .threads[0].figures.ns_per_unit] | first}))})) as $numbers
    | figure("Figure 5.2 \($op)"; "time of an access (ns) by stride, char and float"; drawn("pruebas_un_hilo/char_float"; $op; "Time of an access by stride"); $numbers))
  | add | plots;

def private($number; $figure; $title):
  (.runs | done | first) as $run
  | ($run | placement | captioned("Figure \($figure)"; $title))
  + ($run | by_thread | captioned("Table \($number)"; "Results, \($title) (seconds)"))
  + (if $run.solo then $run | slowdowns | captioned(""; "Cost beside the other thread / cost alone, and overhead (eq. 4.1)") else "" end)
  | row;

def shared($number; $figure; $caption; extra):
  (.runs | done | first) as $run
  | ($run | placement | captioned($figure; "placement")) + ($run | extra)
  + ($run | by_thread | captioned("Table \($number)"; "\($caption) (seconds)")) | row;

def delayed($table; $speedup; $kind):
  run_with({delay_ms: "500"}) as $run
  | if $run == null then "<p class=missing>no run with a delay of 500 ms</p>\n" else
    ($run | placement | captioned(""; "Placement; thread 1 starts 500 ms later"))
    + ($run | by_thread | captioned("Table \($table)"; "Results \($kind), semi-overlapped accesses, 500 ms (seconds)"))
    + (if $run.baseline then $run | gains | captioned("Table \($speedup)"; "Speedup \($kind) over \($run.baseline.run): empirical (E), hypothetical t/(t+delay) (H)") else "" end)
    | row end;

def series($figure; $name; $op; $words):
  docs[$name] as $doc | "cost by delay of thread 1, \($words) (seconds)" as $caption
  | if $doc == null or ($doc | operations | index($op) | not) then missing($name; "Figure \($figure), \($words),")
    else $doc | figure("Figure \($figure)"; $caption; drawn($name; $op; $caption); by_value("delay_ms"; $op)) end;

def placements: [["none", "none (5.3)"], ["s", "S (5.4)"], ["bq", "BQ (5.5)"], ["mc", "MC (5.6)"], ["mc_s", "MC+S (5.7)"], ["mc_bq_s", "MC+BQ+S (5.8)"]];

def overheads:
  [placements[] | {title: .[1], run: (docs["pruebas_solo_priv/\(.[0])"] | if . then .runs | done | first else null end)}] as $all
  | ([$all[].run | select(.) | .kernels[].operation] | ordered) as $ops
  | if $ops == [] then "" else
    grid(""; [$all[].title]; [$ops[] as $op
      | {head: "\($op): cost, s", cells: [$all[].run | if . then [.kernels[] | select(.operation == $op) | total] | first else null end]},
        {head: "\($op): overhead, %", cells: [$all[].run | if . then [.solo.operations[]? | select(.operation == $op) | .overhead_percent] | first else null end]}])
    | captioned("Table 5.11"; "Shared resources, cost (both threads) and overhead (eq. 4.1)") end;

def sources: docs["pruebas_solape/lr"] // null | if . == null then "" else
  (.runs | done | first // null | if . then [.threads[].node] | "<p>Where a line can come from when both threads use one vector (LR):</p>\n" + line_sources(.[0]; .[1]) else "" end) end;

def h2($id; $title): "<h2 id='\($id)'>\($title)\(any_badge)</h2>\n";

def h2sub($title): "<h2 class=sub>\($title)\(any_badge)</h2>\n";

def chapter:
  h2("one"; "5.1 One thread, private data")
  + experiment("pruebas_un_hilo/matrix"; "All nodes"; "Tables 5.1 to 5.4"; matrix)
  + experiment("pruebas_un_hilo/stride"; "Stride"; "Figure 5.1"; stride)
  + experiment("pruebas_un_hilo/char_float"; "Type of the elements"; "Figure 5.2"; char_float)
  + h2("private"; "5.2 Two threads, private data")
  + ([["none", "5.5", "5.3", "nothing shared"], ["s", "5.6", "5.4", "only S"], ["bq", "5.7", "5.5", "only BQ"], ["mc", "5.8", "5.6", "only MC"],
      ["mc_s", "5.9", "5.7", "MC and S"], ["mc_bq_s", "5.10", "5.8", "MC, BQ and S"]]
    | map(. as [$name, $table, $figure, $title] | experiment("pruebas_solo_priv/\($name)"; $title; "Table \($table), figure \($figure)"; private($table; $figure; $title))) | add)
  + overheads
  + h2("shared"; "5.3 Two threads, one vector")
  + "<p>LR: thread 0 is local to the vector, thread 1 remote. RR: both are remote. LL: both are local (figure 5.9).</p>\n"
  + h2sub("5.3.1 Overlapped accesses")
  + ([["lr", "5.12"], ["rr", "5.13"], ["ll", "5.14"]] | map(. as [$k, $n] | ($k | ascii_upcase) as $kind
    | experiment("pruebas_solape/\($k)"; $kind; "Table \($n)"; shared($n; "Figure 5.9 \($kind)"; "Results \($kind), overlapped accesses"; ""))) | add)
  + sources
  + h2sub("5.3.2 Overlapped accesses, less work")
  + ([["lr", "5.15"], ["rr", "5.16"], ["ll", "5.17"]] | map(. as [$k, $n] | ($k | ascii_upcase) as $kind
    | experiment("pruebas_half_access/\($k)"; $kind; "Table \($n)"; shared($n; ""; "Results \($kind), thread 1 visits half"; shares | captioned("Figure 5.14 \($kind)"; "accesses of each thread to the vector")))) | add)
  + h2sub("5.3.3 Semi-overlapped accesses")
  + ([["lr", "5.18", "5.21"], ["rr", "5.19", "5.22"], ["ll", "5.20", "5.23"]] | map(. as [$k, $n, $s] | ($k | ascii_upcase) as $kind
    | experiment("pruebas_sleep/\($k)"; $kind; "Tables \($n) and \($s)"; delayed($n; $s; $kind))) | add)
  + ([["read", "Reads", 15], ["write", "Writes", 18], ["read_write", "Read-writes", 21]] | map(. as [$op, $words, $first]
    | "<h3>\($words)\(any_badge)</h3>\n" + (["lr", "ll", "rr"] | to_entries | map(series("5.\($first + .key)"; "pruebas_sleep/\(.value)"; $op; "\($words | ascii_downcase), \(.value | ascii_upcase)")) | add | plots)) | add);

def thesis: ["pruebas_un_hilo/matrix", "pruebas_un_hilo/stride", "pruebas_un_hilo/char_float"]
  + [placements[] | "pruebas_solo_priv/\(.[0])"] + [("pruebas_solape", "pruebas_half_access", "pruebas_sleep") + "/" + ("lr", "rr", "ll")];

# ---- SMT-Bench

def units:
  [["a_alone", "Scenario A: one thread alone"], ["b_same_unit", "Scenario B: the same unit, one core"], ["c_other_unit", "Scenario C: other units, one core"],
    ["matrix", "Every pair on one core"], ["two_cores_b_same_unit", "The same unit, two cores"], ["two_cores_c_other_unit", "Other units, two cores"],
    ["two_cores_matrix", "Every pair on two cores"]] | map(["smt/\(.[0])", .[1]]);

def side_by_side($number; $caption):
  if (.runs | done) == [] then "" else figure_3 | figure($number; $caption; .picture; .table) end;

def execution:
  if [docs, notes | keys[] | select(startswith("smt/"))] == [] then "" else
    h2("units"; "Execution units")
    + (if $mix == "" then "<p class=missing><b>Figure 1a</b> skipped: the kernels of this build could not be disassembled</p>\n"
       else ($mix | figure_1a | figure("Figure 1a"; "what the hot loop of each kernel is made of (static: from the disassembled loop)"; .picture; .table)) end)
    + (units | map(. as [$name, $title] | experiment($name; $title; "SMT-Bench";
        (if $name == "smt/matrix" then side_by_side("Figure 3"; "time of an operation on one core, normalised to scenario A")
         elif $name == "smt/two_cores_matrix" then side_by_side("Figure 3 on two cores"; "time of an operation on two cores, normalised to scenario A; no execution unit is shared")
         else "" end)
        + ([pictures | to_entries[] | select(.key == $name or .key == "\($name)-1") | picture(.value; $title) | captioned(""; "")] | add // "") | plots)) | add) end;

def others:
  [$documents[].name] - thesis - [units[][0]]
  | if length == 0 then "" else h2("others"; "Other experiments") + (map(. as $name | experiment($name; ""; ""; . as $doc
    | (.runs | done | first | placement | captioned(""; if ($doc.runs | length) > 1 then "The first of \($doc.runs | length) runs" else "Placement" end))
    + (every_run | captioned(""; "Cost (seconds)"))
    + ([pictures | to_entries[] | select(.key == $name or (.key | test("-[0-9]+$") and sub("-[0-9]+$"; "") == $name)) | picture(.value; .key) | captioned(""; "")] | add // "")
    | row)) | add) end;

# ---- the frame

def newest: [docs[]] | max_by(.environment.date);
def fact_rows: to_entries | map("<tr><th scope=row>\(.key | gsub("_"; " ") | text)</th><td>\(.value | text)</td></tr>\n") | add;
def fact_table: "<div class=scroll><table class=facts><tbody>\n\(fact_rows)</tbody></table></div>\n";

# What all experiments were measured with in place of what their files say.
def overrides: [docs[].arguments.set | unique[]] | group_by(.) | map(select(length == (docs | length)) | .[0]) | join(", ");

def heading:
  newest.environment as $e | ([docs[].environment.date] | sort) as $dates
  | "<header>\n<h1>\($e.host | text): placement of threads and data\(any_badge)</h1>\n"
  + ({host: $e.host, CPU: $e.cpu_model, kernel: "\($e.kernel), \($e.architecture)", topology: $e.topology, caches: $e.caches,
      measured: (if $dates[0] == $dates[-1] then $dates[0] else "\($dates[0]) to \($dates[-1])" end), affinity: $e.affinity_version}
    + (overrides | if . == "" then {} else {"set for all": .} end)
    + ([docs[] | simulated] | if length > 0 then {simulated: .[0]} else {} end) | fact_table)
  + "</header>\n<nav><a href='#machine'>Machine</a> <a href='#warnings'>Warnings</a> <a href='#one'>5.1 One thread</a> <a href='#private'>5.2 Private data</a>"
  + " <a href='#shared'>5.3 One vector</a>\(if execution == "" then "" else " <a href='#units'>Execution units</a>" end)\(if ([$documents[].name] - thesis - [units[][0]]) == [] then "" else " <a href='#others'>Others</a>" end)"
  + " <a href='#skipped'>Skipped</a> <a href='#repeat'>Repeat</a></nav>\n";

def machine:
  (newest.environment | fact_table) as $facts
  | h2("machine"; "The machine")
  + (if pictures.topology then "<figure class=scroll><img class=topology alt='Topology of the machine' src='data:image/svg+xml;base64,\(pictures.topology)'></figure>\n"
      + ($facts | folded("All that is known of it")) else $facts end);

# Facts that were not the same all the time, but for those that never are.
def changes:
  [docs[].environment | to_entries[] | select(.key | test("^(date|load_average|clock|.*_during_run)$") | not)] | unique | group_by(.key)
  | map(select(length > 1) | "\(.[0].key | gsub("_"; " ")): \(map(.value) | join("; "))");

def all_warnings:
  (docs | length) as $n
  | [docs | to_entries[] | .key as $name | .value.warnings | unique[]
     | (.text | plain_warning) as $text | {text: $text, hint, name: $name, like: ($text | gsub("[0-9.]+"; "#"))}]
  | group_by(.like) | map("<li>\(max_by(.text | [scan("[0-9.]+") | tonumber?])
    | (.text | text) + if .hint then "; <em>\(.hint | text)</em>" else "" end) <small>(\(map(.name) | unique
    | if length == $n then "every experiment" elif length > 3 then "\(length) of \($n) experiments" else join(", ") | text end))</small></li>\n")
  | h2("warnings"; "Warnings")
  + (if length == 0 then "<p>None.</p>\n" else "<ul class=warnings>\n\(add)</ul>\n<p>Of several like each other the gravest is shown.</p>\n" end)
  + (changes | if length == 0 then "" else "<p>Not the same in all experiments:</p>\n<ul class=warnings>\(map("<li>\(text)</li>\n") | add)</ul>\n" end);

def skipped:
  h2("skipped"; "Skipped and failed")
  + (notes | if length == 0 then "<p>Nothing.</p>\n" else "<div class=scroll><table class=facts><tbody>\n"
    + (to_entries | map("<tr><th scope=row><code>\(.key | text)</code></th><td>\(.value.state | text)</td><td>\(.value.why | text)</td></tr>\n") | add) + "</tbody></table></div>\n" end);

def repeat:
  newest.environment as $e
  | h2("repeat"; "How to repeat it")
  + "<pre>git checkout \($e.affinity_version | sub("-dirty$"; "") | text)\(if $e.affinity_version | endswith("-dirty") then "    # and changes that were not committed" else "" end)\nmake\n"
  + ([docs[] | command | text + "\n"] | add) + "scripts/report \($folder | path | text)</pre>\n"
  + "<p>Built by \($e.compiler | text), \($e.compiler_flags | text), with \($e.libraries | text).</p>\n";

"<!DOCTYPE html>\n<html lang=en>\n<head>\n<meta charset=utf-8>\n<meta name=viewport content='width=device-width, initial-scale=1'>\n"
+ "<title>affinity: \(newest.environment.host | text)</title>\n<style>\n\($css)</style>\n</head>\n<body>\n" + arrow_head
+ heading + machine + all_warnings + chapter + execution + others + skipped + repeat + "</body>\n</html>"
