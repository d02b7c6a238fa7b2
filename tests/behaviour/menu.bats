#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What there is to measure: affinity alone, --experiments, and words in place of argument files.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	machine "numa:2(memory=8GB) l3:1(size=16MiB) l2:2(size=1MiB) l1d:1(size=32KiB) core:1 pu:2"
	args=$root/args
	[[ -z ${AFFINITY_PREFIX-} ]] || args=$AFFINITY_PREFIX/share/affinity/args
}

# path_of WORD...: the path that --plan says first; nothing where there is no plan.
path_of() {
	"$AFFINITY" --plan "$1" 2>&1 >plan | sed -n '1s/^affinity: //p'
}

@test "alone it says in 15 lines what it is, with commands, what each gives and how long it takes" {
	try "$AFFINITY"
	[ "$status" -eq 2 ] # a script that lost its file must see that
	[ -z "$stderr" ]
	[ "$(wc -l <<<"$output")" -le 15 ]
	[ "$(awk 'length > 80' <<<"$output" | wc -l)" -eq 0 ]
	[ "$(grep -cE '^  affinity(-map)? .* ([0-9]+ (s|min|h)|at once)  [a-zA-Z]' <<<"$output")" -eq 5 ]
	# each of these commands can be typed
	local word words
	mapfile -t words < <(sed -n 's/^  affinity \([a-z][^ ]*\) .*/\1/p' <<<"$output")
	[ "${#words[@]}" -ge 3 ]
	for word in "${words[@]}"; do
		[ "$word" = first ] || [ -e "$(path_of "$word")" ]
	done
}

@test "a word for one experiment plans that, and says first which file it is" {
	local word path
	while read -r word path; do
		same "$args/$path.args" "$(path_of "$word")"
		grep -q '^thread 0: CPU ' plan
	done <<-'END'
		core_to_core matrix/core_to_core
		args/quickstart/1_one_thread quickstart/1_one_thread
		args/quickstart/1_one_thread.args quickstart/1_one_thread
		quickstart/one_thread quickstart/1_one_thread
		one_thread quickstart/1_one_thread
		latency/loaded latency/3_loaded
		latency_matrix matrix/latency
		loaded_latency latency/3_loaded
		peak_injection_bandwidth matrix/bandwidth
		STREAM bandwidth/1_kernels
		lat_mem_rd latency/1_staircase
		c2c matrix/core_to_core
	END
	cd "$args/.."
	same "affinity: args/matrix/core_to_core.args" "$("$AFFINITY" --plan core_to_core 2>&1 >/dev/null | head -n 1)"
	try "$AFFINITY" --quiet --plan core_to_core
	[ -z "$stderr" ]
}

@test "--show prints the argument file that a word means, or that is named, to copy it" {
	try "$AFFINITY" --show core_to_core
	[ "$status" -eq 0 ]
	same "affinity: $args/matrix/core_to_core.args" "$stderr"
	same "$(<"$args/matrix/core_to_core.args")" "$output"
	try "$AFFINITY" --show core_to_core mine.args
	[ "$status" -eq 0 ]
	cmp mine.args "$args/matrix/core_to_core.args"
	try "$AFFINITY" --show mine
	same "affinity: mine.args" "$stderr"
	try "$AFFINITY" --show latency
	[ "$status" -eq 2 ]
	[[ $stderr == *"affinity: 'latency' fits "*" experiments; nothing is measured"* ]]
	try "$AFFINITY" --show no_such
	[ "$status" -eq 2 ]
}

@test "a file here comes before an experiment, and gets its ending" {
	cp "$args/quickstart/1_one_thread.args" core_to_core.args
	same core_to_core.args "$(path_of core_to_core)"
	cp core_to_core.args core_to_core
	same "" "$(path_of core_to_core)"
	grep -q '^thread 0: CPU ' plan
}

@test "a word that several fit lists them, each with its time and a line, and measures nothing" {
	local word
	for word in latency staircase; do
		try "$AFFINITY" "$word" out.txt
		[ "$status" -eq 2 ]
		[ -z "$output" ]
		grep -qE '^latency/1_staircase +[0-9]+ (s|min|h)  Latency of one load, from L1 to memory' <<<"$stderr"
		grep -qE "^affinity: '$word' fits [0-9]+ experiments; nothing is measured$" <<<"$stderr"
		[ ! -e out.txt ]
	done
	machine "pack:1 core:1 pu:1"
	try "$AFFINITY" two_nodes staircase x
	[ "$status" -eq 2 ]
	[[ $stderr == *"affinity: 'staircase' fits 2 experiments; nothing is measured"* ]]
	try "$AFFINITY" --experiments two_nodes
	[ "$status" -eq 0 ]
	[[ $output == "quickstart/3_two_nodes       -  not here: "* ]]
}

@test "only a name of an argument file is looked for in the place of OUT" {
	machine this
	printf 'kernels: null\nnodePerThread: first\nsamples: 1\nplacements: 1\n' >t.args
	try "$AFFINITY" --quiet t.args latency
	[ "$status" -eq 0 ]
	[ -s latency ]
	try "$AFFINITY" t.args args/no/such.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"args/no/such.args: cannot read the argument file"* ]]
}

@test "words of other tools as options, and misspelt ones, name what measures that" {
	local option name
	while read -r option name; do
		try "$AFFINITY" "$option" x
		[ "$status" -eq 2 ]
		same "affinity: unknown option '$option'
  hint: affinity $name measures that" "$stderr"
		[ -e "$args/$name.args" ]
	done <<-'END'
		--latency_matrix matrix/latency
		--loaded_latency latency/3_loaded
		--peak_injection_bandwidth matrix/bandwidth
		--c2c_latency coherence/1_states
	END
	try "$AFFINITY" stairkase
	[ "$status" -eq 2 ]
	same "stairkase: cannot read the argument file: No such file or directory
  hint: did you mean the experiment 'staircase'? affinity --experiments lists all" "$stderr"
	try "$AFFINITY" --experiments=stairkase
	[ "$status" -eq 2 ]
	same "affinity: no experiment fits 'stairkase'; did you mean 'staircase'?
  hint: affinity --experiments lists all" "$stderr"
}

@test "--experiments lists every suite with its experiments, how many can be placed here, and their time" {
	try "$AFFINITY" --experiments
	[ "$status" -eq 0 ]
	same "$(cd "$args" && printf '%s\n' */ | tr -d /)" "$(awk '{ print $1 }' <<<"$output")"
	local suite
	for suite in "$args"/*/; do
		suite=$(basename "$suite")
		grep -E "^$suite +[0-9]+ of +$(find "$args/$suite" -name '*.args' | wc -l) +([0-9]+ (s|min|h)|-)  " <<<"$output"
	done
	# a list of a suite adds up to its time
	same "3 of  3" "$(grep -o '^latency .* of  3' <<<"$output" | grep -o '[0-9].*')"
}

# columns N COMMAND: its output on a terminal so wide, without what moves the cursor.
columns() {
	command -v script >/dev/null || skip "no script(1) here"
	timeout 60 script -qec "stty cols $1; $2" /dev/null </dev/null | sed 's/\r//g; s/\x1b\[K//g'
}

# widest FILE: columns of the longest line.
widest() {
	wc -L <"$1"
}

@test "help, lists and menus keep to the width of a terminal, and stay whole elsewhere" {
	local words
	for words in "" --help "--help keys" "--help read" --list --topology --experiments "latency"; do
		columns 80 "'$AFFINITY' $words" >narrow
		[ "$(widest narrow)" -le 80 ] || { echo "$words" && cat narrow && false; }
	done
	columns 200 "'$AFFINITY' --help" >wide
	[ "$(widest wide)" -le 200 ]
	[ "$(wc -l <wide)" -lt "$(columns 80 "'$AFFINITY' --help" | wc -l)" ]
	"$AFFINITY" --help >plain
	[ "$(widest plain)" -gt 200 ]
	# the same words
	same "$(tr -s ' \n' '\n' <plain)" "$(tr -s ' \n' '\n' <wide)"
	for program in map frag rhp fleet report; do
		columns 80 "'$AFFINITY-$program' --help" >narrow
		[ "$(widest narrow)" -le 80 ]
	done
}

@test "every experiment has a first sentence, and a synonym means one that there is" {
	local file
	for file in "$args"/*/*.args; do
		[[ $(head -n 1 "$file") == '# '[A-Z]* ]] || { echo "$file" && false; }
	done
	while read -r file; do
		[ -e "$args/$file.args" ]
	done < <(sed -n '/experiment_synonyms\[\] = /,/^}/s/.*", "\(.*\)"}.*/\1/p' "$root/src/core/input/synonyms.c")
}
