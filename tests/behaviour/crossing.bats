#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# After how many uses a move pays, and where costs of a sweep cross: what is refused, and that all outputs agree.

# shellcheck disable=SC2016 # the driver replaces $names
bats_require_minimum_version 1.5.0 # run !

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

# shellcheck disable=SC2034 # lines() takes its name
# Vectors far from the thread, and near it.
moves=(
	"sweep: place = 0 1"
	"baseline: place=0"
	"opType: migrate load"
	"nodePerThread: 0"
	"nodePerVector: \$place"
	"targetPerVector: 0"
	"tamPerVector: 256KiB"
	"vectorPerThread: 0"
	"pagesPerVector: 4K"
	"numIter: 3"
	"table: break_even rows=place cols=operation"
	"table: break_even_time rows=operation thread=0"
)

# shellcheck disable=SC2034
# A sleep of 50 and 100 us or ms; one late sample changes nothing.
sleeps=(
	"sweep: t = 50 100"
	"sweep: unit = us ms"
	"baseline: unit=us"
	"opType: null"
	"nodePerThread: first"
	"sleep: \${t}\${unit}*"
	"numIter: 9"
	"statistic: median"
	"placements: 1"
	"table: crossing along=t rows=unit"
)

setup_file() {
	find_obstacle
}

setup() {
	driver_setup
	[[ $BATS_TEST_DESCRIPTION == *@(refused|warned)* ]] || skip_obstacle
}

# lines NAME_OF_ARRAY [LINE]...: t.args has these lines, and the further ones in place of those of the same key.
lines() {
	local -n array=$1
	base=("${array[@]}")
	shift
	given "$@"
}

# told LINE HINT: t.args is refused with this message.
told() {
	try "$AFFINITY" --quiet t.args out.txt
	[ "$status" -eq 2 ]
	same "t.args:$1"$'\n'"  hint: $2" "$stderr"
}

@test "a crossing without a curve, a baseline or numbers is refused" {
	lines sleeps "table: crossing rows=unit"
	told "10: crossing needs the variable along which costs cross" "table: crossing along=queries rows=policy"
	lines sleeps "table: walk rows=unit"
	told "10: walk needs the variable along which pages grow" "table: walk along=n rows=pages"
	lines sleeps "table: reach_2 along=t"
	told "10: table: 'reach_2 along=t' has no axis" "table: reach_2 along=n rows=pages"
	lines sleeps "table: crossing along=t"
	told "10: table: 'crossing along=t' has no axis" "table: crossing along=queries rows=policy"
	lines sleeps "table: crossing along=t rows=t"
	try "$AFFINITY" --quiet t.args out.txt
	[ "$status" -eq 2 ]
	same "t.args:10: crossing along=t: 't' cannot be an axis too" "$stderr"
	lines sleeps "baseline: t=50"
	told "10: crossing along=t: the baseline is a single value of 't', not a curve" \
		"baseline names the curve to which others are compared, such as policy=baseline"
	lines sleeps "table: crossing along=unit rows=t" "baseline: t=50"
	told "10: crossing along=unit: 'us' is neither a number nor a size" "costs can cross between two numbers only"
	lines sleeps "table: crossing along=thread rows=unit"
	told "10: table: along=thread is no variable of a sweep" "costs cross along the numbers of a sweep"
	lines sleeps "table: cost along=t rows=unit"
	told "10: along= is for crossing, crossing_time, reach_1, reach_2, walk, best_share, advised_share, kernel_share only" "table: crossing along=queries rows=policy"
	lines sleeps "table: crossing along=t rows=unit mean=geometric"
	told "10: crossing has no mean=: it need not exist" "leave out mean="
	sed -i '/^baseline/d; s/ mean=geometric//' t.args
	told "9: table: crossing needs a baseline" "baseline: d=0 names the run to which others are compared"
	sed -i 's/^table:.*/table: extra rows=unit/' t.args
	told "9: table: extra needs a baseline" "baseline: d=0 names the run to which others are compared"
}

@test "a break-even, or a time of a crossing, with mode: time is refused" {
	machine "$TWO_NODES"
	lines moves "mode: time:10ms"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	same "t.args:3: migrate cannot be used with mode: time:10ms: a sample uses up what it finds in its vectors
  hint: use mode: work; passes sets the rounds of a sample" "$stderr"
	printf '%s\n' "sweep: u = 1 2" "sweep: order = forward random" "baseline: order=forward" "opType: read" "nodePerThread: 0" \
		"nodePerVector: 0" "tamPerVector: 4KiB" "vectorPerThread: 0" 'order: $order' 'stride: $u' "mode: time:10ms" \
		"table: crossing_time along=u rows=order" >t.args
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"t.args:12: table: crossing_time needs costs of programs, not of units
  hint: mode: work"* ]]
	sed -i 's/^table: .*/table: whole_time rows=u cols=order/' t.args
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"t.args:12: table: whole_time needs costs of programs, not of units
  hint: mode: work"* ]]
}

@test "on one node args/migration/break_even measures what is near, and skips the rest with the reason" {
	[ ! -d /sys/devices/system/node/node1 ] || skip "this machine has several nodes"
	need_move_pages
	try "$AFFINITY" --quiet --set 'sweep=size = 64KiB' --set samples=2 --set placements=1 --json out.json \
		"$root/args/migration/break_even.args" out.txt
	[ "$status" -eq 0 ]
	holds '[.runs[] | has("operations")] == [true, false]'
	holds '.runs[1].skipped | tostring | contains("needs a second node with CPUs and memory")'
}

@test "a break-even without a move is refused" {
	machine "$TWO_NODES"
	lines moves "opType: load"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 2 ]
	same "t.args:11: table: break_even needs the kernel migrate, whose cost is the move's
  hint: opType: migrate load; targetPerVector: the baseline's node
t.args:12: table: break_even_time needs the kernel migrate, whose cost is the move's
  hint: opType: migrate load; targetPerVector: the baseline's node" "$stderr"
}

@test "where far is near there is nothing to break even, and that is warned of" {
	machine "$TWO_NODES"
	lines moves "targetPerVector: 1" "table: break_even rows=place"
	try "$AFFINITY" --plan t.args
	[ "$status" -eq 0 ]
	[[ $stderr == *"t.args:11: warning: nothing to break even, run place=1: migrate moves vector 0 to node 1, and its baseline has it on node 0"* ]]
	[[ $stderr == *"  hint: args/migration/break_even.args has far vectors, and near ones as baseline" ]]
	lines moves
	planned
}

@test "the break-even follows from the costs, in the report as in the JSON" {
	need_move_pages
	shims_setup
	two_nodes 4000 4000
	lines moves
	under files,nodes "$AFFINITY" --quiet --json out.json t.args out.txt
	[ "$status" -eq 0 ]
	# cost of the move, of a pass far and of one near; their difference has lost the digits that they share
	terms='def total(r; o): .runs[r].operations[o].total_s;
		def slack: 1e-9 + 1e-11 * total(0; 1) / ([(total(1; 1) - total(0; 1) | fabs), 1e-300] | max);
		def near(a; b): (a - b | fabs) <= slack * (b | fabs);
		def paid: (total(1; 1) - total(0; 1)) as $d | if $d > 0 then total(1; 0) / $d else "never" end;
		def cell: .tables[0].cells[1][1];
		def agrees(cell; value): if value == "never" then cell.word == "never" and cell.value == null
			else near(cell.value; value) and cell.low <= cell.value and (cell | has("word") | not) end;'
	holds '.tables[0] | .quantity == "break_even" and .ranges and .rows == ["0", "1"] and .columns == ["migrate", "load"]'
	holds 'agrees(cell; paid)'
	holds 'paid as $p | agrees(.tables[1].cells[1][0]; if $p == "never" then $p else $p * total(1; 1) end)'
	# neither the baseline nor the move has one
	holds '[.tables[0].cells[0][], .tables[0].cells[1][0]] | all(.value == null and (has("word") | not))'
	line=$(grep -A 3 '^break_even (passes)' out.txt | tail -n 1)
	word=$(jq -r '.tables[0].cells[1][1] | .word // .value' out.json)
	[[ $word == never ]] || word=$(printf '%.4g' "$word")
	[[ $line =~ ^\ *1\ +-\ +"$word"( |$) ]]
}

@test "what is dearer all along never crosses, and what is cheaper always does" {
	lines sleeps
	measured
	holds '.tables[0] | .title == "crossing along t, null" and .quantity == "crossing" and .along == "t" and .values == {} and .ranges and .row_axis == "unit"'
	holds '.tables[0].cells | map(.[0].word) == [null, "never"]'
	[[ $(grep -A 3 '^crossing along t, null' out.txt | tr -s ' ') == *$'\n us -\n ms never'* ]]
	lines sleeps "baseline: unit=ms" "table: crossing along=t rows=unit"
	measured
	holds '.tables[0].cells | map(.[0].word) == ["always", null]'
	mkdir page
	cp out.json page/t.json
	"$root/scripts/report" page
	grep -q '<td[^>]*>always</td>' page/report.html
}

# in_words [FILTER]: out.json, changed, as a page; its sentences in `words`.
in_words() {
	rm -rf page
	mkdir page
	jq "${1-.}" out.json >page/t.json
	"$root/scripts/report" page
	sed -n '/<ul class=words>/,/<.ul>/p' page/report.html | grep '^<li>' | sed 's/<[^>]*>//g' >words || true
	cat words
}

@test "the page says in words from where on what is quicker" {
	lines sleeps "baseline: unit=ms" "table: crossing along=t rows=unit"
	measured
	# other programs widen intervals: these are those of a quiet machine
	local quiet='.runs[].operations[] |= (.total_low_s = .total_s * 0.9 | .total_high_s = .total_s * 1.1)'
	jq "$quiet | .tables[0].cells[0][0] |= {value: null, low: null, high: null, word: \"always\"}" out.json >quiet.json
	mv quiet.json out.json
	in_words
	same "unit us is quicker than unit ms at every t from 50 to 100; null." "$(cat words)"
	# what is known of one number only is not said of all
	in_words '.runs[2:][].operations[].total_high_s = 1'
	same "unit us is quicker than unit ms at every t from 50 to 100; at t 100 their intervals do not tell; null." "$(cat words)"
	# of the other forms of a cell, each with ends and without
	while IFS='|' read -r value low high word sentence; do
		in_words ".tables[0].cells[0][0] = {value: $value, low: $low, high: $high} + $word" >/dev/null
		same "unit us is$sentence; null." "$(cat words)"
	done <<-'EOF'
		60|55|71.2|{}| quicker than unit ms from t 60 on (55 .. 71.2)
		60|55|null|{}| quicker than unit ms from t 60 on (55 .., perhaps never)
		60|null|71.2|{}| quicker than unit ms from t 60 on (.. 71.2, perhaps everywhere)
		60|null|null|{}| quicker than unit ms from t 60 on (without an interval: more samples tell how certain it is)
		null|80|null|{word: "never"}| not quicker than unit ms at any t from 50 to 100, but perhaps from 80 on
		null|null|null|{word: "never"}| not quicker than unit ms at any t from 50 to 100
		null|null|80|{word: "always"}| quicker than unit ms at every t from 50 to 100, for certain from 80 on
		null|null|null|{word: "anywhere"}| quicker than unit ms or slower at t from 50 to 100: their intervals do not tell which
		null|null|null|{word: "same memory"}| the same memory as unit ms: nothing is compared
		null|60|80|{word: "mixed"}| quicker than unit ms at one t and slower at a larger one, between 60 and 80
	EOF
	# costs without intervals are not certain
	in_words 'del(.runs[].operations[].total_low_s, .runs[].operations[].total_high_s)'
	same "unit us is quicker than unit ms at every t from 50 to 100 (without intervals: more samples tell how certain it is); null." "$(cat words)"
	in_words '.tables[0].cells[0][0] = {value: null, low: null, high: null}'
	same "unit us and unit ms were both measured at a single t: where they cross is not known; null." "$(cat words)"
	# a file has a plot of the same beside its table, and a machine that is made up has no times
	in_words '.tables += [.tables[0] | .shown = "plot"]'
	same 1 "$(wc -l <words)"
	in_words '.environment.simulated = "yes"'
	same 0 "$(wc -l <words)"
}

@test "the page names the nodes of a placement, and says where two are the same memory" {
	need_move_pages
	printf '%s\n' 'sweep: size = 4KiB 2MiB' 'sweep: place = X interleave' 'baseline: place=X' 'let: X=first' 'opType: load' \
		'nodePerThread: first' 'nodePerVector: $place' 'tamPerVector: $size' 'vectorPerThread: 0' 'numIter: 5' \
		'statistic: median' 'table: crossing along=size rows=place' >t.args
	measured
	local node far='.runs |= map(if .values.place == "interleave" then .vectors[0].found.pages_on_node |= {"98": 1, "99": 1} else . end)
		| .tables[0].cells[1][0] = {value: 1048576, low: 4096, high: 1572864}'
	node=$(jq -r '.runs[0].vectors[0].asked_node' out.json)
	in_words "$far"
	same "place interleave is quicker than place X (node $node) from size 1 MiB on (4 KiB .. 1.5 MiB); load." "$(cat words)"
	grep -q '>1 MiB (4 KiB .. 1.5 MiB)</td>' page/report.html
	[ "$(jq '[.runs[].vectors[0].found.pages_on_node | keys[]] | unique | length' out.json)" -eq 1 ] || skip "the machine has several nodes"
	# on one node all placements are the same memory, of which none is quicker
	holds '.tables[0].cells | map(.[0].word) == [null, "same memory"]'
	grep -qE '^  interleave +same memory$' out.txt
	in_words >/dev/null
	grep -q '>same memory</td>' page/report.html
	in_words '.tables[0].cells[1][0] = {value: 1048576, low: 4096, high: 1572864}'
	same "place interleave is memory of node $node, as place X is: nothing is compared; load." "$(cat words)"
	# documents of earlier versions have a figure there
	grep -q '>same memory</td>' page/report.html
}

@test "the page says how many threads are worth it" {
	printf '%s\n' 'sweep: n = 1 2' 'opType: load store' 'threads: $n' 'mapping: compact' 'nodePerVector: first' 'tamPerVector: 64KiB' \
		'vectorPerThread: all' 'numIter: 3' 'table: bandwidth rows=n cols=operation' 'table: rate rows=n cols=operation' >t.args
	measured
	in_words '.tables[0].cells = [[{value: 10}, {value: 9}], [{value: 11}, {value: 12}]] | .tables[].cells[][] |= . + {low: null, high: null}'
	same "operation load: the most, 11 GB/s, with 2 threads; 1 thread reaches 90 % of it.
operation store: the most, 12 GB/s, with 2 threads." "$(sed 's/\&nbsp;/ /g' words)"
	# of placements, where they cross is asked too, and one is the best
	in_words '.tables[0] |= (.column_axis = "place" | .columns_are = "variable" | .columns = ["one", "both"] | .cells = [[{value: 1300}, {value: 9}], [{value: 1400}, {value: 1500}]])
		| .tables[].cells[][] |= . + {low: (.value - 60), high: (.value + 60)}
		| .tables += [.tables[0] | .ranges = true | .row_axis = "place" | .quantity = "crossing" | .along = "n"]'
	same "place one: the most, 1400 GB/s, with 2 threads; 1 thread reaches 90 % of it.
place both: the most, 1500 GB/s, with 2 threads.
Of all, 1500 GB/s is the most: place both, 2 threads, which their intervals do not tell from one." "$(sed 's/\&nbsp;/ /g' words | head -n 3)"
	# a count of something else
	in_words '.runs[].values.n |= (tonumber + 1 | tostring) | .tables[].rows = ["2", "3"]'
	same 0 "$(wc -l <words)"
}

# answered FILTER: out.json, changed, as a page; the answer at its head in `words`, which the terminal has, too. Samples are
# those of a quiet machine, so that no run is named as weak.
answered() {
	in_words "$1"' | (.runs[].operations[]?.samples.disturbed = 0)
		| (.runs[].operations[]?.threads[].figures |= (.low_s = .cost_s * 0.99 | .high_s = .cost_s * 1.01))' >said
	sed -n '/<ul class=answer>/,/<.ul>/p' page/report.html | grep '^<li>' | sed 's/<[^>]*>//g; s/&nbsp;/ /g' >words || true
	[ "$(head -n "$(wc -l <words)" said)" = "$(cat words)" ]
	sed -i 's/(t, .*)$/(t)/' words
	cat words
}

@test "the page begins with where weights go, and how many threads" {
	need_move_pages
	printf '%s\n' 'sweep: n = 1 2' 'sweep: place = X interleave' 'baseline: place=X' 'let: X=first' 'kernels: gemv' 'columns: 128' \
		'threads: $n' 'mapping: compact' 'oversubscribe: yes' 'nodePerVector: $place' 'sizePerVector: 64KiB' 'vectorPerThread: all' \
		'samples: 3' 'table: tokens_per_s rows=n cols=place' >t.args
	measured
	local node cells='.tables[0].cells = [[{value: 10, low: 9, high: 11}, {value: 12, low: 11, high: 13}],
		[{value: 11, low: 10.5, high: 11.5}, {value: 20, low: 19, high: 21}]]'
	local far='.runs |= map(if .values.place == "interleave" then .vectors[0].found.pages_on_node |= {"98": 1, "99": 1} else . end)'
	node=$(jq -r '.runs[0].vectors[0].asked_node' out.json)
	answered "$cells | $far"
	same "64 KiB of weights of 2 bytes, gemv: place interleave, 2 threads, 20 token/s (19 .. 21). No smaller number reaches 90 % of it. With place X (node $node) it is 11 token/s (10.5 .. 11.5) at most, with 2 threads. (t)" "$(cat words)"
	# ends that meet: of placements, and of threads
	answered "$cells | $far | .tables[0].cells[1][0].high = 19 | .tables[0].cells[0][1] |= {value: 18.5, low: 18, high: 19}"
	same "64 KiB of weights of 2 bytes, gemv: place interleave, 2 threads, 20 token/s (19 .. 21). Their intervals do not tell it from place X with 2 threads. There 1 thread may be as quick: the intervals do not tell. 1 thread reaches 90 % of it. With place X (node $node) it is 11 token/s (10.5 .. 19) at most, with 2 threads. (t)" "$(cat words)"
	answered "$cells | $far | .tables[0].cells[][] |= . + {low: null, high: null}"
	[[ $(cat words) == *"2 threads, 20 token/s. The figures have no intervals: more samples tell how certain it is."* ]]
	# more threads that are slower by less than a tenth are an other number, too
	answered "$cells | $far | .tables[0].cells[0][1] |= {value: 20, low: 19.9, high: 20.1} | .tables[0].cells[1][1] |= {value: 19, low: 18.9, high: 19.1}"
	[[ $(cat words) == *" place interleave, 1 thread, 20 token/s (19.9 .. 20.1). With place X"* ]]
	# what was not measured could be the best: for some numbers of threads, and at all
	local skipped='if .values == {n: "2", place: "interleave"} then {values, skipped: "t.args:7: sizePerVector: 4GiB do not fit"} else . end'
	answered "$cells | $far | .runs |= map($skipped) | .tables[0].cells[1][1] |= {value: null, low: null, high: null}"
	[[ $(cat words) == *" place X, 2 threads, "* ]]
	[[ $(cat words) == *" Not measured: place interleave with 2 threads (sizePerVector: 4 GiB do not fit). (t)" ]]
	answered "$cells | $far | .tables[0] |= (.columns += [\"slices\"] | .cells[] += [{value: null, low: null, high: null}])"
	[[ $(cat words) == *" with 2 threads. Not measured: place slices. (t)" ]]
	# the baseline is the one of the file, not the first run
	answered "$cells | $far | .runs |= [.[1], .[0], .[3], .[2]]"
	[[ $(cat words) == *" With place X (node $node) it is 11 token/s (10.5 .. 11.5) at most, with 2 threads. (t)" ]]
	# nothing of a machine that is made up, and not of what is no placement
	answered "$cells | $far | .environment.simulated = \"yes\""
	same 0 "$(wc -l <words)"
	answered "$cells | $far | .runs[].vectors[0].asked_node = \"0\""
	same 0 "$(wc -l <words)"
	[ "$(jq '[.runs[].vectors[0].found.pages_on_node | keys[]] | unique | length' out.json)" -eq 1 ] || skip "the machine has several nodes"
	answered "$cells"
	same "64 KiB of weights of 2 bytes, gemv: all placements are memory of node $node, so placement makes no difference here: 2 threads, 11 token/s (10.5 .. 11.5). There 1 thread may be as quick: the intervals do not tell. 1 thread reaches 90 % of it. (t)" "$(cat words)"
	in_words "$cells | .tables += [.tables[0] | .ranges = true | .row_axis = \"place\" | .quantity = \"crossing\" | .along = \"n\"]"
	run ! grep 'Of all' words
}

@test "the page says which share of pages is best, beside both advices" {
	printf '%s\n' 'sweep: n = 1 2' 'sweep: p = 0 interleave' 'opType: load' 'threads: $n' 'mapping: compact' 'oversubscribe: yes' \
		'nodePerVector: $p' 'sizePerVector: 64KiB' 'vectorPerThread: all' 'samples: 3' 'table: best_share along=p rows=n' \
		'table: advised_share along=p rows=n' 'table: kernel_share along=p rows=n' 'table: cost rows=n cols=p' >t.args
	measured
	# one node has no second memory to share with
	holds '[.tables[].quantity] == ["cost"]'
	local tables='.tables = (["best_share", "advised_share", "kernel_share"] | map({shown: "table", title: (. + " along p (%), load"),
		quantity: ., kind: "quantity", along: "p", unit: "%", operation: "load", thread: null, values: {}, row_axis: "n", rows_are: "variable", column_axis: "", columns_are: "", rows: ["1"],
		columns: ["all threads"], mean: null, ranges: true, against: null, cells: [[{value: 67, low: 50, high: 80}]]}))
		| .tables[1].cells[0][0] |= {value: 85, low: 81, high: 90} | .tables[2].cells[0][0] |= {value: 50, low: null, high: null}'
	in_words "$tables" >/dev/null
	same "load, n 1: the bandwidth is highest with 67 % (50 .. 80) of the pages on the node of the threads. The ratio of the bandwidths advises 85 % (81 .. 90), outside of the shares that are not distinguished from the best. The kernel's own weights are 50 %, among the shares that are not distinguished from the best." "$(sed 's/&nbsp;/ /g' words)"
	in_words "$tables | .tables[0].cells[0][0] |= {value: 67, low: null, high: null} | del(.tables[2])" >/dev/null
	same "load, n 1: the bandwidth is highest with 67 % of the pages on the node of the threads, without an interval: more samples tell how certain it is. The ratio of the bandwidths advises 85 % (81 .. 90)." "$(sed 's/&nbsp;/ /g' words)"
}

@test "shares of pages need the variable that places them" {
	printf '%s\n' 'sweep: p = 0 interleave' 'opType: load' 'nodePerThread: first' 'nodePerVector: $p' 'sizePerVector: 64KiB' \
		'vectorPerThread: 0' >base.args
	{ cat base.args && echo 'table: best_share rows=p'; } >t.args
	refused 2 "t.args:7: best_share needs the variable along which the places of vectors change" \
		"  hint: table: best_share along=placement rows=other"
	{ cat base.args && echo 'table: kernel_share along=p rows=p'; } >t.args
	refused 2 "t.args:7: kernel_share along=p: 'p' cannot be an axis too"
}

@test "a variable along which costs cross makes no table of its own, and others do" {
	lines sleeps
	printf '%s\n' 'sweep: n = 1 2' 'passes: $n' >>t.args
	measured
	holds '[.tables[].values] == [{"n": "1"}, {"n": "2"}]'
}
