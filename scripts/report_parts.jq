# SPDX-License-Identifier: GPL-3.0-or-later
# Pieces of the page of scripts/report: text, tables, drawings.

# Control characters would end the marks that amount() makes.
def text: tostring | gsub("[\u0000-\u0008\u000b-\u001f]"; "") | @html;

# Numbers are printed by scripts/report: jq has no printf.
def amount($a):
  if $a == null or $a.value == null then "–"
  else "\u0001\($a.value)|\($a.low // "")|\($a.high // "")\u0002" end;

def ordered: reduce .[] as $x ([]; if any(.[]; . == $x) then . else . + [$x] end);

# rows: [{head, cells: amounts}]; in wide tables intervals are below their figures
def grid($corner; $columns; $rows):
  "<div class=scroll><table\(if ($columns | length) > 3 then " class=wide" else "" end)><thead><tr><th>\($corner | text)</th>"
  + ($columns | map("<th scope=col>\(text)</th>") | add // "") + "</tr></thead><tbody>\n"
  + ($rows | map("<tr><th scope=row>\(.head | text)</th>"
      + (.cells | map("<td>\(amount(.))</td>") | add // "") + "</tr>\n") | add // "")
  + "</tbody></table></div>\n";

# what: "Table 5.1"; its id is table-5.1
def captioned($what; $caption):
  "<figure\(if $what == "" then "" else " id='\($what | ascii_downcase | gsub(" "; "-"))'" end)><figcaption>"
  + (if $what == "" then "" else "<b>\($what)</b>: " end) + "\($caption | text)</figcaption>\n\(.)</figure>\n";

def picture($svg; $alt):
  "<div class=scroll><img class=plot alt='\($alt | text)' src='data:image/svg+xml;base64,\($svg)'></div>\n";

def folded($summary): "<details><summary>\($summary | text)</summary>\n\(.)</details>\n";

# ---- drawings: nodes as boxes, what lies in them in rows, arrows between

def arrow_head:
  "<svg width=0 height=0 aria-hidden=true><defs><marker id=head viewBox='0 0 8 8' refX=7 refY=4 markerWidth=7"
  + " markerHeight=7 orient=auto><path d='M0 0L8 4L0 8z' fill=context-stroke /></marker></defs></svg>\n";

def shape:
  (if .kind == "thread" then "<circle cx=\(.x) cy=\(.y) r=17 class=thread />"
   elif .kind == "cache" then "<rect x=\(.x - 29) y=\(.y - 14) width=58 height=28 rx=10 class=cache />"
   else "<rect x=\(.x - 23) y=\(.y - 14) width=46 height=28 rx=2 class=vector />" end)
  + "<text x=\(.x) y=\(.y + 5)>\(.label | text)</text>";

def line($from; $to):
  ($to.x - $from.x) as $dx | ($to.y - $from.y) as $dy | ($dx * $dx + $dy * $dy | sqrt) as $d
  | (if $dx == 0 then 16 elif $dy == 0 then 30 else 23 end) as $gap
  | "<path d='M\($from.x + $dx / $d * $gap) \($from.y + $dy / $d * $gap)L\($to.x - $dx / $d * $gap) \($to.y - $dy / $d * $gap)'"
  + " class=\(if $from.node == $to.node then "local" else "remote" end) marker-end='url(#head)' />";

# items: {key, node: its box, row, kind, label}; arrows: [[from, to]] by key
def diagram($nodes; $items; $arrows; $alt):
  ($items | group_by([.node, .row]) | map(length as $n | to_entries | map(.value + {place: .key, of: $n})) | add) as $placed
  | ([[$placed[].of] | max * 64, 110] | max) as $w | ([$items[].row] | max * 66 + 92) as $h
  | ($placed | map({(.key): (. + {x: (20 + .node * ($w + 50) + $w * (.place + 0.5) / .of), y: (56 + .row * 66)})}) | add) as $at
  | ($nodes | length * ($w + 50)) as $all
  | "<svg class=diagram role=img viewBox='0 0 \($all) \($h)' style='width:\($all)px'><title>\($alt | text)</title>"
  + ([range($nodes | length) | "<rect x=\(10 + . * ($w + 50)) y=4 width=\($w + 20) height=\($h - 8) rx=6 class=node />"
      + "<text x=\(20 + . * ($w + 50)) y=24 class=name>node \($nodes[.])</text>"] | add)
  + ($arrows | map(line($at[.[0]]; $at[.[1]])) | add // "") + ($at | map(shape) | add) + "</svg>\n";

def vector_nodes: .found.pages_on_node | to_entries | map(select(.value > 0) | .key | tonumber) | sort;

# A run as figures 5.3 to 5.8 show it: who uses what. A vector of several nodes is drawn in each of them.
def placement:
  . as $run
  | (.vectors | to_entries | map(.key as $id | .value | vector_nodes[] | {id: $id, node: .})) as $where
  | ([.threads[].node, $where[].node] | unique) as $nodes
  | ([.threads | to_entries[] | "t\(.key) on node \(.value.node) uses \(.value.vectors | map("d\(.)") | join(" "))"] | join("; ")) as $alt
  | if ($nodes | length) > 8 or (.threads | length) > 24 or ($where | length) > 24 then "<p>\($alt | text)</p>\n"
    else diagram($nodes;
      [.threads | to_entries[] | {key: "t\(.key)", label: "t\(.key)", kind: "thread", row: 0,
        node: (.value.node as $n | $nodes | index($n))}]
      + [$where[] | {key: "d\(.id)@\(.node)", label: "d\(.id)", kind: "vector", row: 1,
        node: (.node as $n | $nodes | index($n))}];
      [.threads | to_entries[] | .key as $t | .value.vectors[] as $v | $where[] | select(.id == $v)
        | ["t\($t)", "d\($v)@\(.node)"]]; $alt)
    end;

# Figures 5.10 to 5.13: where a line comes from when both threads of LR use one vector.
def line_sources($x; $y):
  [{key: "t0", label: "t0", kind: "thread", row: 0, node: 0}, {key: "t1", label: "t1", kind: "thread", row: 0, node: 1},
   {key: "c0", label: "cache", kind: "cache", row: 1, node: 0}, {key: "c1", label: "cache", kind: "cache", row: 1, node: 1},
   {key: "d0", label: "d0", kind: "vector", row: 2, node: 0}] as $items
  | [["5.10", "t0 first: from its own memory", [["d0", "c0"], ["c0", "t0"]]],
     ["5.11", "t1 second: from the cache of node \($x)", [["c0", "c1"], ["c1", "t1"]]],
     ["5.12", "t1 first: from the memory of node \($x)", [["d0", "c1"], ["c1", "t1"]]],
     ["5.13", "t0 second: from the cache of node \($y)", [["c1", "c0"], ["c0", "t0"]]]]
  | map(. as [$number, $what, $arrows] | diagram([$x, $y]; $items; $arrows; $what) | captioned("Figure \($number)"; $what)) | add
  | "<div class=row>\(.)</div>\n";

# Figure 5.14: which part of the vector each thread visits.
def shares:
  ([.kernels[0].threads[].figures.units // 0]) as $units | ($units | max) as $most
  | if ($most // 0) <= 0 then "" else
    "<svg class=diagram role=img viewBox='0 0 440 \(20 + 40 * ($units | length))' style='width:440px'><title>accesses of each thread</title>"
    + ([$units | to_entries[] | "<text x=20 y=\(36 + 40 * .key)>t\(.key)</text><rect x=44 y=\(16 + 40 * .key) width=380 height=28 class=node />"
      + "<rect x=44 y=\(16 + 40 * .key) width=\(380 * .value / $most) height=28 class=vector />"] | add) + "</svg>\n"
    end;
