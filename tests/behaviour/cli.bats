#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The command line: what is asked without measuring, wrong options, and what happens to the files that are written.

bats_require_minimum_version 1.5.0 # run !
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	printf 'opType: null\nnodePerThread: first\nnumIter: 2\n' >t.args
}

# misused LINE...: the command line of `options` is refused with these lines; nothing is printed or written.
misused() {
	try "$AFFINITY" "${options[@]}"
	[ "$status" -eq 2 ]
	same "$(printf '%s\n' "$@")" "$stderr"
	[ -z "$output" ]
	[ ! -e out.txt ]
}

# unwritten FILE: what `cannot write 'FILE': $why` looks like.
unwritten() {
	printf '%s\n' "affinity: cannot write '$1': $2" \
		"  hint: name a file in a folder that exists and that you may write to; - is standard output"
}

# Asking

@test "--help shows how to call it, every option and the exit statuses" {
	try "$AFFINITY" --help
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[ "${lines[0]}" = "usage: affinity [options] ARGS... [OUT]" ]
	for option in --json --csv --set --plan --list --help --topology --quiet --version; do
		[[ $output == *$'\n'"  $option"[\ ,]* ]]
	done
	[[ $output == *"exit status: 0 measured, 1 could not measure, 2 bad arguments, 3 placement"* ]]
}

@test "--help KERNEL explains every kernel and alias of --list" {
	[ "$(kernels | wc -l)" -gt 6 ]
	for name in $(kernels) read_s; do
		try "$AFFINITY" --help "$name"
		[ "$status" -eq 0 ]
		[[ ${lines[0]} == "${name%_s}: "* ]]
		[[ $output == *"  passes "*"default 1, 1 .. "*"  sleep "* ]]
	done
	try "$AFFINITY" --help=read
	[[ $output == *"  stride "*"default 192B"*"  order "*"one of forward, reverse, random"* ]]
}

@test "--list '*' names every kernel once, with what it measures and its aliases" {
	try "$AFFINITY" --list '*'
	[[ $output == *$'\n'"write_read "*"stores a constant to each element, then loads it"*"also: write_read_s"* ]]
	[ -z "$(kernels | sort | uniq -d)" ]
}

@test "--list tells what kernels are for, and has a family on one line" {
	try "$AFFINITY" --list
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -lt 112 ] # two screens of 56 rows
	same "bandwidth: whole vectors in order, GB/s" "${lines[0]}"
	[[ ${lines[1]} == "  load "*"all elements in order" ]]
	[[ $output == *$'\n'"single accesses a stride apart, ns each: "*"for GB/s take load or store"$'\n'"  read "*" 192 B apart "* ]]
	[[ $output =~ $'\n'"  simd_* "[^$'\n']*"("[0-9]+" kernels, "[0-9]+" of them not here)"$'\n' ]]
	same "" "$(sed -n '/^  simd_[^*]*$/p' <<<"$output")"
	# each kernel is there, by itself or in a family
	local name pattern families
	families=$(sed -n 's/^  \([^ ]*\*[^ ]*\) .*/\1/p' <<<"$output")
	for name in $(kernels); do
		grep -q "^  $name " <<<"$output" && continue
		for pattern in $families; do
			# shellcheck disable=SC2053 # a pattern
			[[ $name != $pattern ]] || continue 2
		done
		echo "--list lacks $name" && false
	done
}

@test "--list with patterns has a line for each kernel with such a name or second name" {
	same "gups
simd_fma_f64_512_lat" "$("$AFFINITY" --list avx512_fma gups | sed 's/ .*//')"
	same "$("$AFFINITY" --list 'simd_*')" "$(kernels | grep ^simd_ | xargs "$AFFINITY" --list)"
	same "load" "$("$AFFINITY" --list=load | sed 's/ .*//')"
	options=(--list lod 'x*')
	misused "affinity: no kernel's name has the pattern 'lod'; did you mean 'load'?" \
		"  hint: * stands for any letters: affinity --list '*add*'" \
		"affinity: no kernel's name has the pattern 'x*'" \
		"  hint: * stands for any letters: affinity --list '*add*'"
}

@test "--help keys explains every key with its default and range" {
	try "$AFFINITY" --help keys
	[ "$status" -eq 0 ]
	for key in kernels nodePerThread nodePerVector sizePerVector vectorPerThread summaryType speedup samples params; do
		[[ $output == *$'\n'"  $key "* ]]
	done
	[[ $output == *"(also: opType)"*"(also: tamPerVector)"*"(also: speedupCalc)"*"(also: numIter)"*"default auto, auto, or 1 .. 1000000"* ]]
}

@test "--help of an unknown kernel is refused with the name that is near" {
	options=(--help raed)
	misused "affinity: unknown kernel 'raed'; did you mean 'read'?" \
		"  hint: affinity --list shows every kernel; --help keys and --help quantities the argument file"
	options=(--help key)
	misused "affinity: unknown kernel 'key'; did you mean 'keys'?" \
		"  hint: affinity --list shows every kernel; --help keys and --help quantities the argument file"
}

@test "--help takes the word behind it and no other, and helps whatever else is asked" {
	for options in "--help null --list" "--help=null --list" "--plan t.args --help null" "t.args out.txt --json x --help null"; do
		# shellcheck disable=SC2086 # words
		try "$AFFINITY" $options
		[ "$status" -eq 0 ]
		[[ $output == "null: "* ]]
	done
	for options in "--help --list" "t.args --help" "--help --version"; do
		# shellcheck disable=SC2086 # words
		try "$AFFINITY" $options
		[ "$status" -eq 0 ]
		[[ $output == "usage: affinity "* ]]
	done
	try "$AFFINITY" --version --list
	[[ $output == "affinity "*hwloc* ]]
	[ ! -e out.txt ]
}

@test "--version names the program, the compiler and the libraries" {
	try "$AFFINITY" --version
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 1 ]
	[[ $output =~ ^affinity\ [^\ ]+\ \(.+\;\ .*hwloc\ .*\)$ ]]
}

@test "--topology shows this machine" {
	try "$AFFINITY" --topology
	[ "$status" -eq 0 ]
	[[ ${lines[0]} == "this machine: "*" node"*", "*" core"*", "*" CPU"*" (hwloc "* ]]
	[[ $output == *"CPUs that may be used: "*"nodes that can run threads: "*"nodes that can hold vectors: "* ]]
	[[ $output == *$'\n'"node "*": CPUs "*", memory "*" available"*"distances"*$'\n'"core 0: node "* ]]
}

@test "--check names the CPUs of each node that has some" {
	machine "$root/tests/topologies/holes.xml"
	try "$AFFINITY" --check
	[[ $output == *$'\nnode_cpus: 1: 0-1,8-9; 4: 4-5,12-13; 6: 16-17,24-25; 9: 20-21,28'* ]]
	machine "$root/tests/topologies/homeless.xml"
	try "$AFFINITY" --check
	[[ $output == *$'\nnode_cpus: 0: 0-1\n'* ]]
}

# hwloc_of COMMAND...: the version in the first line of --topology.
hwloc_of() {
	"$@" "$AFFINITY" --topology | sed -n '1s/.*(hwloc \(.*\))$/\1/p'
}

@test "the version of hwloc is that of the library that was loaded, not that of the build" {
	local interface version
	# without its own word the library still says which interface it has
	interface=$(hwloc_of env HWLOC_DONT_ADD_VERSION_INFO=1)
	[[ $interface =~ ^[0-9]+\.[0-9]+\+$ ]]
	version=$(hwloc_of env)
	[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9] ]]
	grep -qx "hwloc_at_run_time: hwloc $version" <("$AFFINITY" --check)
	# a file has the version of its writer
	sed 's/"hwlocVersion" value="[^"]*"/"hwlocVersion" value="1.11.0"/' "$root/tests/topologies/ring4.xml" >m.xml
	grep -q 'value="1.11.0"' m.xml
	same "$version" "$(hwloc_of env HWLOC_XMLFILE=m.xml)"
}

@test "--topology shows a described machine with its distances" {
	machine "$root/tests/topologies/ring4.xml"
	try "$AFFINITY" --topology
	[ "$status" -eq 0 ]
	[[ $output == *"node 3: CPUs 6-7, memory 1 GiB"$'\n'"distances:"* ]]
	[[ $output == *"     0    10    21    31    21"$'\n'* ]]
	[[ $output == *"core 7: node 3, CPUs 7"* ]]
}

# Wrong command lines

@test "an unknown option is refused with the one that is near" {
	options=(--jsno x t.args out.txt)
	try "$AFFINITY" "${options[@]}"
	[ "$status" -eq 2 ]
	[[ $stderr == "affinity: unknown option '--jsno'; did you mean '--json'?
  hint: affinity --help lists the options"* ]]
	options=(-t t.args out.txt)
	misused "affinity: unknown option '-t'" \
		"  hint: affinity --help lists the options; kernels, threads, sizes and times are keys of ARGS: affinity --help keys"
}

@test "an option without its dashes, and an argument file in the place of a result, are told" {
	local word
	for word in help version list plan worth json; do
		try "$AFFINITY" $word
		[ "$status" -eq 2 ]
		same "$word: cannot read the argument file: No such file or directory
  hint: it is an option: affinity --$word" "$stderr"
	done
	try "$AFFINITY" --json t.args
	[ "$status" -eq 2 ]
	same "affinity: ARGS is missing: affinity [options] ARGS... [OUT]
  hint: 't.args' is the FILE of --json here, and would be replaced: affinity --json FILE t.args" "$stderr"
}

@test "a key that is written as an option, and options of other programs, are told how they are written here" {
	local case
	for case in "--samples=3|'--samples=3'|a key of ARGS is set so: --set samples=3" \
		"--numIter=3|'--numIter=3'|a key of ARGS is set so: --set samples=3" \
		"--stride=1|'--stride=1'|a key of ARGS is set so: --set stride=1" \
		"--quick|'--quick'|a key of ARGS is set so: --set quick=yes" \
		"--quick=no|'--quick=no'|a key of ARGS is set so: --set quick=no" \
		"--interleave=all|'--interleave=all'|a key of ARGS is set so: --set nodePerVector=interleave" \
		"--samples|'--samples'|a key of ARGS is set so: --set samples=VALUE; affinity --help keys says what each takes" \
		"--kernels=read write|'--kernels=read write'|a key of ARGS is set so: --set 'kernels=read write'" \
		"--runtime=2|'--runtime=2'|a key of ARGS is set so: --set mode=time:2s" \
		"--runs=3|'--runs=3'|a key of ARGS is set so: --set samples=3" \
		"--export-json=x|'--export-json=x'; did you mean '--json'?|affinity --help lists the options" \
		"--parse-only|'--parse-only'; did you mean '--plan'?|affinity --help lists the options" \
		"--parameter-scan|'--parameter-scan'|a key of ARGS is set so: --set 'sweep=n = 1..8:1'" \
		"--dry-run|'--dry-run'; did you mean '--plan'?|affinity --help lists the options"; do
		IFS='|' read -r option message hint <<<"$case"
		options=("$option" t.args out.txt)
		misused "affinity: unknown option $message" "  hint: $hint"
	done
}

@test "without ARGS, it says what is missing" {
	options=(-o out.txt)
	misused "affinity: ARGS is missing: affinity [options] ARGS... [OUT]" \
		"  hint: for example: affinity args/quickstart/1_one_thread.args"
	options=(--plan)
	misused "affinity: ARGS is missing: affinity --plan ARGS..." \
		"  hint: for example: affinity --plan args/quickstart/1_one_thread.args"
}

@test "the letters of other programs stand for help, version, quiet and output" {
	local letter long
	while read -r letter long; do
		try "$AFFINITY" "$long"
		same 0 "$status"
		local text=$output
		try "$AFFINITY" "$letter"
		same 0 "$status"
		same "$text" "$output"
	done <<<$'-h --help\n-V --version'
	for program in affinity-map affinity-frag affinity-fleet affinity-rhp; do
		try "${AFFINITY%/*}/$program" -h
		same 0 "$status"
		[[ $output == "usage: $program "* ]]
		try "${AFFINITY%/*}/$program" -V
		same 0 "$status"
		[[ $output == "$program "* ]]
	done
	options=(-q --plan t.args -o x)
	misused "affinity: --output has no effect with --plan" "  hint: leave out --output or --plan"
	options=(--list -o=x)
	try "$AFFINITY" "${options[@]}"
	same 2 "$status"
	[[ $stderr == "affinity: unknown option '-o=x'"* ]]
}

@test "the report goes to OUT, to --output, or to standard output" {
	skip_obstacle
	try "$AFFINITY" -q t.args
	same 0 "$status"
	[[ $output == *"+ Threads data"* ]]
	try "$AFFINITY" -q -o out.txt t.args
	same 0 "$status"
	same "" "$output"
	grep -q '^+ Threads data' out.txt
	rm out.txt
	options=(t.args out.txt -o other.txt)
	misused "affinity: the text report cannot be both 'out.txt' and 'other.txt'" "  hint: leave out 'out.txt', or --output"
	[ ! -e other.txt ]
}

@test "- is standard input, also with - as the report and among plans" {
	skip_obstacle
	# shellcheck disable=SC2016 # bash's own variable
	try bash -c '"$1" -q --json r.json - - <t.args' - "$AFFINITY"
	same 0 "$status"
	[[ $output == *"+ Threads data"* ]]
	same 'standard input' "$(jq -r .arguments.path r.json)"
	# shellcheck disable=SC2016
	try bash -c '"$1" --plan t.args - <t.args' - "$AFFINITY"
	same 0 "$status"
	same '==== t.args ====
==== standard input ====' "$(grep ==== <<<"$output")"
	# shellcheck disable=SC2016
	try bash -c '"$1" - <<<"opType: reed"' - "$AFFINITY"
	same 2 "$status"
	[[ $stderr == *"standard input:1: opType: unknown kernel 'reed'; did you mean 'read'?"* ]]
	# shellcheck disable=SC2016
	try bash -c '"$1" - <&-' - "$AFFINITY"
	same 2 "$status"
	same "standard input: cannot read the argument file: Bad file descriptor
  hint: affinity ARGS [OUT]: the argument file comes first; args/ holds examples" "$stderr"
}

@test "an operand too many is refused" {
	options=(t.args out.txt more)
	misused "affinity: OUT 'more' is no folder, but several argument files have results of their own: 't.args' to 'out.txt'" \
		"  hint: name a folder that exists, such as results; without OUT the reports go to standard output"
	options=(--compare a.json b.json c.json)
	misused "affinity: 'c.json' is one operand too many; --compare takes A.json and B.json" \
		"  hint: several results of a side are one word: A1.json,A2.json,A3.json"
	options=(--export-memattrs x.xml a.json b.json c.json)
	misused "affinity: 'c.json' is one operand too many; --export-memattrs takes A.json and B.json" \
		"  hint: latency and bandwidth come from one document or two"
	options=(--list t.args)
	misused "affinity: no kernel's name has the pattern 't.args'" "  hint: * stands for any letters: affinity --list '*add*'"
	options=(--topology t.args)
	misused "affinity: 't.args' is one operand too many; --topology takes none" \
		"  hint: HWLOC_XMLFILE=FILE shows another machine"
	options=(--check t.args)
	misused "affinity: 't.args' is one operand too many; --check takes none" "  hint: --plan ARGS checks an argument file"
}

@test "options without effect are refused" {
	local action option
	for action in "--plan t.args" "--compare a.json b.json" "--export-memattrs x.xml a.json" --list --topology --check; do
		for option in "--json x" "--csv x" "--mix x" "--set numIter=1" "--tolerance 5" --force; do
			[[ "${action%% *} ${option%% *}" != "--plan --set" ]] || continue
			[[ "${option%% *}" != --json || "--list --topology --plan --check" != *"${action%% *}"* ]] || continue
			[[ "${action%% *} ${option%% *}" != "--compare --tolerance" ]] || continue
			[[ "--compare --force --export-memattrs --force" != *"${action%% *} ${option%% *}"* ]] || continue
			# shellcheck disable=SC2206 # words
			options=($action $option)
			misused "affinity: ${option%% *} has no effect with ${action%% *}" \
				"  hint: leave out ${option%% *} or ${action%% *}"
		done
	done
	for option in "--tolerance 5" --force; do
		# shellcheck disable=SC2206 # words
		options=(t.args out.txt $option)
		misused "affinity: ${option%% *} has no effect without --compare" "  hint: leave out ${option%% *}"
	done
}

@test "an option that may be given once is refused twice, and so are two actions" {
	for option in "--json x" "--csv x" "--tolerance 5" "--export-memattrs x"; do
		# shellcheck disable=SC2206 # words
		options=($option $option t.args out.txt)
		try "$AFFINITY" "${options[@]}"
		[ "$status" -eq 2 ]
		[[ $stderr == "affinity: ${option% *} is given twice
  hint: only one of them would have an effect"* ]]
	done
	options=(--list --topology)
	misused "affinity: --list and --topology cannot be done together" "  hint: give one of them"
	options=(--plan t.args --export-memattrs x)
	misused "affinity: --plan and --export-memattrs cannot be done together" "  hint: give one of them"
}

# Several files

@test "--plan plans several files, each under its name" {
	cp t.args u.args
	try "$AFFINITY" --plan t.args u.args
	[ "$status" -eq 0 ]
	[ "$(grep '^====' <<<"$output" | paste -sd ' ')" = "==== t.args ==== ==== u.args ====" ]
	one=$("$AFFINITY" --plan t.args)
	same "==== t.args ====
$one

==== u.args ====
$one" "$output"
	# messages without a place get the file's name
	try "$AFFINITY" --set sleep=5 --plan t.args u.args
	[[ $stderr == "t.args: warning: "*$'\n'"u.args: warning: "* ]]
}

@test "of several plans the worst status counts, and each message names its file" {
	machine "$TWO_NODES"
	printf 'opType: raed\nnumIter: x\nnodePerThread: first\n' >wrong.args
	printf 'opType: null\nnodePerThread: 7\n' >nowhere.args
	printf 'opType: null\nnodePerThread: first\ntable: speedup rows=thread\n' >table.args
	try "$AFFINITY" --plan nowhere.args t.args
	[ "$status" -eq 3 ]
	[[ $stderr == "nowhere.args:2: nodePerThread: node 7 does not exist"* ]]
	[[ $output == *'==== t.args ===='*'operation null'* ]]
	try "$AFFINITY" --plan nowhere.args wrong.args table.args t.args
	[ "$status" -eq 2 ]
	# by file, then by line
	[ "$(grep -o '^[a-z]*\.args:[0-9]*' <<<"$stderr" | paste -sd ' ')" = "nowhere.args:2 wrong.args:1 wrong.args:2 table.args:3" ]
	[[ $output == *'==== t.args ===='*'operation null'* ]]
	try "$AFFINITY" --plan t.args none.args
	[ "$status" -eq 2 ]
	[[ $stderr == "none.args: cannot read the argument file"* ]]
}

@test "of several plans no message is left out" {
	local i
	printf 'opType: null\nnodePerThread: first\n%s' "$(printf 'wrong%d: 1\n' {1..60})" >wrong.args
	for i in 1 2 3; do
		cp wrong.args "$i.args"
	done
	try "$AFFINITY" --plan 1.args 2.args 3.args
	[ "$status" -eq 2 ]
	same 180 "$(grep -c "unknown key 'wrong" <<<"$stderr")"
	run ! grep "left out" <<<"$stderr"
}

@test "an argument file is never replaced by a result" {
	cp t.args two.args
	printf '# mine\nopType = null\nnodePerThread: first\n' >mistaken.args
	printf 'numIter: 3' >short
	for file in two.args mistaken.args short; do
		cp "$file" before
		for way in "--output t.args --output" "--json t.args - --json" "--csv t.args - --csv" "--export-memattrs o.json --export-memattrs"; do
			# shellcheck disable=SC2206 # words
			options=(${way#* } "$file")
			try "$AFFINITY" "${options[@]}"
			[ "$status" -eq 2 ]
			same "affinity: '$file' is an argument file, and ${way%% *} would replace it
  hint: give ${way%% *} another name; scripts/ejec.sh measures several argument files" "$stderr"
		done
		cmp "$file" before
	done
}

@test "earlier results and other files are replaced" {
	printf 'to do: nothing\nnodePerThread is a key, and so is\nopType: that\n' >notes
	"$AFFINITY" --quiet t.args out.txt --json o.json --csv o.csv
	for file in out.txt o.json o.csv notes; do
		"$AFFINITY" --quiet t.args "$file"
		grep -q -- '-Results-' "$file"
	done
}

@test "an option without its value is refused" {
	for option in "--json FILE" "--csv FILE" "--set KEY=VALUE"; do
		options=(t.args out.txt "${option% *}")
		misused "affinity: ${option% *} needs a value: $option"
		options=("${option% *}=" t.args out.txt)
		misused "affinity: ${option% *} needs a value: $option"
	done
}

@test "an option in place of another one's value was not meant as that" {
	local option word
	for option in "--predict PROFILE" "--worth PROFILE" "--output FILE" "--json FILE" "--set KEY=VALUE" "--tolerance 1%"; do
		for word in --force -q --csv=x.csv; do
			try "$AFFINITY" "${option% *}" "$word" t.args
			same 2 "$status"
			same "affinity: ${option% *} wants ${option#* } after it, not the option $word" "${stderr_lines[0]}"
			same "  hint: a file of that name is ./$word" "${stderr_lines[1]}"
		done
	done
	[ ! -e ./--force ]
	# a file of that name is named by its folder, or behind =
	"$AFFINITY" --quiet --json ./--force --csv=--json t.args out.txt
	[ -s ./--force ] && [ -s ./--json ]
}

@test "an option that takes no value is refused with one" {
	options=(--quiet=yes t.args out.txt)
	misused "affinity: --quiet takes no value"
	options=(--plan=short t.args)
	misused "affinity: --plan: unknown value 'short'; it takes full, or none" \
		"  hint: an argument file stands apart from it: --plan ARGS"
}

@test "options may stand anywhere, with = or a blank, and -- ends them" {
	mv t.args ./-t.args
	try "$AFFINITY" --json=a.json --csv b.csv -- -t.args out.txt
	[ "$status" -eq 0 ]
	[ -s a.json ]
	[ -s b.csv ]
	[ -s out.txt ]
	try "$AFFINITY" ./-t.args out.txt --json c.json
	[ "$status" -eq 0 ]
	[ -s c.json ]
}

another="  hint: name another: one would replace the other, or be read twice"

@test "OUT and ARGS the same file is refused, under any name" {
	cp t.args before
	ln -s t.args link
	ln t.args hard
	for out in t.args ./t.args "$PWD/t.args" link hard; do
		options=(t.args "$out")
		misused "affinity: 't.args' and '$out' are the same file" "$another"
	done
	options=(t.args out.txt --csv link)
	misused "affinity: 't.args' and 'link' are the same file" "$another"
	cmp t.args before
}

@test "two outputs into the same file are refused, also when it is not there yet" {
	ln -s out.txt link
	for other in out.txt ./out.txt "$PWD/out.txt" link; do
		options=(t.args out.txt --json "$other")
		misused "affinity: 'out.txt' and '$other' are the same file" "$another"
	done
	options=(t.args - --json -)
	misused "affinity: '-' and '-' are the same file" "$another"
	options=(t.args out.txt --json both --csv both)
	misused "affinity: 'both' and 'both' are the same file" "$another"
}

@test "ARGS from a terminal are said to come from there, until Ctrl-D" {
	command -v script >/dev/null || skip "script is not installed (make setup installs it)"
	try timeout 60 script -qec "'$AFFINITY' -" /dev/null <<<$'kernels: null\nnodePerThread: nowhere\n\004'
	[ "$status" -eq 2 ]
	[[ $output == *"affinity: reads the argument file from the terminal; Ctrl-D ends it"* ]]
	[[ $output == *"standard input:2: nodePerThread: 'nowhere' is neither"* ]]
	try "$AFFINITY" - <t.args
	[[ $stderr != *Ctrl-D* ]]
}

# Writing

@test "OUT in a folder that does not exist is told before anything is measured" {
	echo 'numIter: x' >>t.args
	try "$AFFINITY" t.args none/out.txt
	[ "$status" -eq 2 ]
	[[ $stderr == "$(unwritten none/out.txt "No such file or directory")"* ]]
	[[ $stderr == *"t.args:4: 'numIter' is given twice, first in line 3"* ]]
}

@test "every output that cannot be written is told" {
	mkdir -p folder/t.json other/t.csv
	try "$AFFINITY" t.args none/out.txt --json folder --csv other/
	[ "$status" -eq 1 ]
	same "$(
		unwritten none/out.txt "No such file or directory"
		unwritten folder/t.json "it is a folder"
		unwritten other/t.csv "it is a folder"
	)" "$stderr"
}

@test "a name that can be no file's is told" {
	for name in '' nothing/; do
		try "$AFFINITY" t.args "$name"
		[ "$status" -eq 1 ]
		same "$(unwritten "$name" "it names no file")" "$stderr"
	done
}

@test "a file that may not be written is told and left as it is" {
	need_nobody
	echo earlier >out.txt
	chmod 444 out.txt
	try "${nobody[@]}" "$AFFINITY" t.args out.txt
	[ "$status" -eq 1 ]
	same "$(unwritten out.txt "Permission denied")" "$stderr"
	[ "$(<out.txt)" = earlier ]
}

@test "a folder that may not be written to is told" {
	need_nobody
	mkdir folder
	chmod 555 folder
	try "${nobody[@]}" "$AFFINITY" t.args folder/out.txt
	[ "$status" -eq 1 ]
	same "$(unwritten folder/out.txt "Permission denied")" "$stderr"
}

@test "OUT, JSON and CSV are written and no temporary files are left" {
	[ -z "$("$AFFINITY" t.args out.txt --json out.json --csv out.csv 2>/dev/null)" ]
	same "out.csv out.json out.txt t.args" "$(find . -type f -printf '%f\n' | sort | paste -sd ' ')"
}

@test "a new file has the mode that umask leaves" {
	(umask 027 && "$AFFINITY" t.args out.txt)
	[ "$(stat -c %a out.txt)" = 640 ]
}

@test "an earlier file is replaced and keeps its mode" {
	echo earlier >out.txt
	chmod 604 out.txt
	"$AFFINITY" t.args out.txt
	[ "$(stat -c %a out.txt)" = 604 ]
	run ! grep earlier out.txt
	grep -q -- '-Results-' out.txt
}

@test "a link to OUT stays a link, also when it leads to another folder or to no file yet" {
	mkdir folder
	touch folder/there.txt
	ln -s folder/there.txt old
	ln -s folder/new.txt new
	ln -s new newer
	for link in old newer; do
		"$AFFINITY" t.args "$link"
		[ -L "$link" ]
	done
	[ -L new ]
	grep -q -- '-Results-' folder/there.txt
	grep -q -- '-Results-' folder/new.txt
	[ -z "$(find . -name '.affinity-*')" ]
}

@test "- is standard output, of a pipe as of a file" {
	[ "$("$AFFINITY" t.args - | grep -c -- '-Results-')" -eq 1 ]
	"$AFFINITY" t.args - >out.txt
	grep -q -- '-Results-' out.txt
	[ ! -e ./- ]
	"$AFFINITY" t.args out.txt --json - | jq -e '.schema == 3' >/dev/null
}

@test "a device can be OUT" {
	try "$AFFINITY" t.args /dev/null --csv /dev/stdout
	[ "$status" -eq 0 ]
	[[ ${lines[0]} == host,* ]]
	[ -c /dev/null ]
}

@test "a full disk is told and is exit 1" {
	[ -c /dev/full ] || skip "there is no /dev/full"
	try "$AFFINITY" t.args /dev/full
	[ "$status" -eq 1 ]
	[[ $stderr == *"affinity: cannot write '/dev/full': No space left on device
  hint: make room there (df, quota, ulimit -f), or name a file elsewhere"* ]]
	for words in "t.args -" "--list" "--help" "--version" "--topology" "--plan t.args"; do
		# shellcheck disable=SC2016,SC2086 # expanded by the inner shell; words
		try bash -c '"$@" >/dev/full' - "$AFFINITY" $words
		[ "$status" -eq 1 ]
		[[ $stderr == *"affinity: cannot write "*"standard output"* ]]
	done
}

@test "a closed standard output is told and is exit 1" {
	for words in "t.args -" "--list" "--plan t.args"; do
		# shellcheck disable=SC2016,SC2086 # expanded by the inner shell; words
		try bash -c '"$@" >&-' - "$AFFINITY" $words
		[ "$status" -eq 1 ]
		[[ $stderr == *"affinity: cannot write "*"standard output"* ]]
	done
}

@test "a reader that leaves is no complaint but exit status 141, of each program, and files are written" {
	local tools=${AFFINITY%affinity} words
	for words in "affinity t.args --quiet --json out.json" "affinity --list" "affinity --help" "affinity-map --help" \
		"affinity-rhp --help" "affinity-frag --help" "affinity-fleet --help" "affinity-report --help"; do
		# shellcheck disable=SC2016,SC2086 # expanded by the inner shell; several words
		try bash -c '{ sleep 0.1; "$@"; echo "left $?" >&2; } | true' - "$tools"$words
		[ "$stderr" = "left 141" ]
	done
	jq -e '.runs[0].operations | length == 1' out.json >/dev/null
}

@test "closed standard input, output and error do no harm to OUT" {
	# shellcheck disable=SC2016 # expanded by the inner shell
	try bash -c '"$@" <&- >&- 2>&-' - "$AFFINITY" t.args out.txt --json out.json
	[ "$status" -eq 0 ]
	[ "$(head -n 1 out.txt)" = "          --Execution data--" ]
	jq -e '.runs[0].operations | length == 1' out.json >/dev/null
}
