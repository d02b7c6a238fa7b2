# SPDX-License-Identifier: GPL-3.0-or-later
# SMT-Bench's figures: what kernels are made of (1a), and what they cost each other (3).
include "report_parts";

# Okabe and Ito's colours, as the driver's pictures have them.
def colours: ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"];

def legend($names):
  "<p class=legend>" + ($names | to_entries
    | map("<span><i style='background:\(colours[.key])'></i>\(.value | text)</span>") | add) + "</p>\n";

# rows: [{head, shares: numbers that make up 1}]
def stacked($rows; $names):
  legend($names) + "<div class=scroll><svg class=chart role=img viewBox='0 0 660 \($rows | length * 24 + 26)' style='width:660px'><title>Shares of \($names | join(", ") | text)</title>"
  + ($rows | to_entries | map((.key * 24) as $y | .value
      | "<text class=head x=140 y=\($y + 16)>\(.head | text)</text>"
      + ([foreach (.shares | to_entries[]) as $s ({at: 0, to: 0}; {at: .to, to: (.to + $s.value)};
          "<rect x=\(150 + .at * 480) y=\($y + 3) width=\((.to - .at) * 480) height=18 fill='\(colours[$s.key])' />")] | add)) | add)
  + (($rows | length * 24 + 18) as $y | [0, 0.25, 0.5, 0.75, 1] | map("<text x=\(150 + . * 480) y=\($y)>\(. * 100) %</text>") | add)
  + "</svg></div>\n";

# rows: [{head, cells: amounts}], a group of bars each, with a line at 1
def grouped($rows; $names):
  ([$rows[].cells[] | select(. != null) | .high // .value | select(. != null)] | max // 1 | [., 1.2] | max) as $top
  | ($rows | length * ($names | length * 15 + 12)) as $h
  | legend($names) + "<div class=scroll><svg class=chart role=img viewBox='0 0 660 \($h + 26)' style='width:660px'><title>\($names | join(", ") | text) of each</title>"
  + ($rows | to_entries | map((.key * ($names | length * 15 + 12)) as $y | .value
      | "<text class=head x=140 y=\($y + ($names | length * 7.5) + 6)>\(.head | text)</text>"
      + (.cells | to_entries | map(select(.value.value != null) | ($y + .key * 15 + 2) as $at | .value as $v
        | "<rect x=150 y=\($at) width=\($v.value / $top * 480) height=13 fill='\(colours[.key])' />"
        + (if $v.low != null then "<path d='M\(150 + ([$v.low, 0] | max) / $top * 480) \($at + 6.5)H\(150 + $v.high / $top * 480)' />" else "" end)) | add // "")) | add)
  + "<path class=one d='M\(150 + 480 / $top) 0V\($h)' />"
  + "<text x=150 y=\($h + 18)>0</text><text x=\(150 + 480 / $top) y=\($h + 18)>1</text></svg></div>\n";

# Of the amounts that are there; their errors are independent.
def geometric_mean:
  map(select(. != null and .value != null and .value > 0)) as $a
  | if $a == [] then null else ($a | map(.value | log) | add / ($a | length) | exp) as $m
    | (if all($a[]; .low != null) then $m * ($a | map((.high - .low) / 2 / .value | . * .) | add | sqrt) / ($a | length) else null end) as $half
    | {value: $m, low: (if $half == null then null else $m - $half end), high: (if $half == null then null else $m + $half end)} end;

# Of a document of kernels a and b side by side: each kernel's time an operation, over that of scenario A.
def scenarios:
  [.runs[] | select(.solo) | {a: .values.a, b: .values.b, slowdown: .solo.operations[0].slowdowns[0]}] as $pairs
  | [$pairs[].a] | ordered | map(. as $k | {head: $k, cells: [{value: 1},
      ([$pairs[] | select(.a == $k and .b == $k).slowdown] | first),
      ([$pairs[] | select(.a == $k and .b != $k).slowdown] | geometric_mean)]})
  | . + [{head: "geometric mean", cells: [{value: 1}, (map(.cells[1]) | geometric_mean), (map(.cells[2]) | geometric_mean)]}];

def figure_3:
  scenarios as $rows | ["A: alone", "B: beside itself", "C: beside the others"] as $names
  | {picture: grouped($rows; $names), table: grid("kernel"; $names; $rows)};

# The paper's eight kernels in a table of scripts/mix: kernel,variant,method,instructions,shares of kinds.
def figure_1a:
  (split("\n") | map(select(. != "") | split(","))) as $lines | $lines[0][4:] as $kinds
  | [("branch", "fp_add", "fp_div", "fp_mul", "int_add", "int_div", "int_mul", "load_dep") as $k
      | [$lines[1:][] | select(.[0] == $k)] | first | select(.) | {head: $k, shares: (.[4:] | map(tonumber))}] as $rows
  | {picture: stacked($rows; $kinds),
     table: grid("kernel"; $kinds | map("\(.), %"); $rows | map({head, cells: (.shares | map({value: (. * 100)}))}))};
