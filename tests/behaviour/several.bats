#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Several argument files on one command line, and results in folders.

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	printf 'kernels: null\nnodePerThread: first\nsamples: 2\nplacements: 1\n' >a.args
	sed 's/2/3/' a.args >b.args
}

taken() { # FILE.json: its argument file, and how many samples each thread has
	jq -r '"\(.arguments.path) \(.runs[0].operations[0].samples.taken)"' "$1"
}

@test "several argument files are measured in turn, their reports on standard output under their names" {
	try "$AFFINITY" a.args b.args
	[ "$status" -eq 0 ]
	same "==== a.args ====
mean of 2 samples
==== b.args ====
mean of 3 samples" "$(grep -oE '^==== .*\.args ====|mean of [23] samples' <<<"$output")"
	[ "$(grep -c -- '-Results-' <<<"$output")" -eq 2 ]
	same "affinity: [1/2] a.args
affinity: [2/2] b.args" "$(grep '/2\]' <<<"$stderr")"
	# what is about the machine is said once, and each message about a file with its name
	[ "$(grep -c '^affinity: warning: this is a ' <<<"$stderr")" -le 1 ]
	try "$AFFINITY" --set sleep=0 a.args b.args -
	[ "$(grep -c '^==== ' <<<"$output")" -eq 2 ]
	try "$AFFINITY" -q a.args b.args
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
}

@test "a folder has the results of each file under its name, of one file too" {
	mkdir out data
	"$AFFINITY" -q --json data --csv data/ --summary data a.args b.args out
	same "data/a.csv data/a.json data/a.summary.csv data/b.csv data/b.json data/b.summary.csv out/a.txt out/b.txt" "$(echo data/* out/*)"
	same "a.args 2" "$(taken data/a.json)"
	same "b.args 3" "$(taken data/b.json)"
	grep -q 'mean of 3 samples' out/b.txt
	mkdir one
	"$AFFINITY" -q -o one --json one a.args
	"$AFFINITY" -q - one <b.args
	same "one/a.json one/a.txt one/stdin.txt" "$(echo one/*)"
}

@test "a stream takes the documents of several files" {
	try "$AFFINITY" -q --json - -o /dev/null a.args b.args
	[ "$status" -eq 0 ]
	same "a.args b.args" "$(jq -r .arguments.path <<<"$output" | paste -sd ' ')"
	# a pipe is read once
	# shellcheck disable=SC2016 # bash's own variable
	try bash -c '"$1" -q --json - -o /dev/null - <(cat b.args) a.args <a.args' - "$AFFINITY"
	[ "$status" -eq 0 ]
	[[ $(jq -r .arguments.path <<<"$output" | paste -sd ' ') == "standard input /dev/fd/"*" a.args" ]]
}

@test "if one of several files is wrong none is measured, and every mistake is told" {
	printf 'kernels: raed\nnodePerThread: first\nsamples: 0\n' >wrong.args
	printf 'kernels: null\nnodePerThread: 999\n' >nowhere.args
	mkdir out
	try "$AFFINITY" nowhere.args a.args wrong.args out
	[ "$status" -eq 2 ]
	[ -z "$(ls out)" ]
	[ -z "$output" ]
	same "nowhere.args:2 wrong.args:1 wrong.args:3" "$(grep -oE '^[a-z]+\.args:[0-9]+' <<<"$stderr" | paste -sd ' ')"
	[[ $stderr == *"affinity: nothing is measured: each of the 3 argument files must be right first
  hint: scripts/ejec.sh measures those that can be, and skips the others" ]]
	try "$AFFINITY" a.args nowhere.args out
	[ "$status" -eq 3 ]
	try "$AFFINITY" a.args none.args b.args
	[ "$status" -eq 2 ]
	[[ $stderr == "none.args: cannot read the argument file: No such file or directory"* ]]
	echo "no arguments" >text
	try "$AFFINITY" a.args text b.args
	[ "$status" -eq 2 ]
	[[ $stderr == "text: is not an argument file"* ]]
	machine "$TWO_NODES"
	try "$AFFINITY" a.args b.args
	[ "$status" -eq 3 ]
	[ "$(grep -c 'cannot measure on a topology' <<<"$stderr")" -eq 1 ]
}

@test "a mistake of --set is told once, whatever the number of files" {
	try "$AFFINITY" --plan --set samples --set sampels=3 --set samples=0 a.args b.args
	[ "$status" -eq 2 ]
	same "--set: 'samples' is not of the form KEY=VALUE
--set: samples = 0 is out of range
--set: unknown key 'sampels'; did you mean 'samples'?" "$(grep -v '^  hint: ' <<<"$stderr" | sort)"
	try "$AFFINITY" --set samples a.args b.args
	[ "$status" -eq 2 ]
	[ "$(grep -c "^--set: 'samples' is not of the form KEY=VALUE" <<<"$stderr")" -eq 1 ]
}

@test "a file that fails while it is measured does not keep the others from it" {
	printf '%s\n' 'kernels: read' 'nodePerThread: first' 'nodePerVector: first' 'vectorPerThread: 0' 'sizePerVector: 64MiB' \
		'placements: 1' >late.args
	sed -i 's/first$/first first/; s/^vectorPerThread: .*/vectorPerThread: 0, 1/; s/64MiB/4KiB*/; $a oversubscribe: yes' late.args
	mkdir out
	try env OMP_THREAD_LIMIT=1 "$AFFINITY" -q late.args b.args out
	[ "$status" -eq 1 ]
	[[ $stderr == "late.args: OpenMP gave 1 thread instead of 2"* ]]
	same "out/b.txt" "$(echo out/*)"
}

@test "two of several files never have the same results, and no file is measured twice" {
	mkdir -p x y out
	cp a.args x
	cp a.args y
	try "$AFFINITY" x/a.args y/a.args out
	[ "$status" -eq 2 ]
	[[ $stderr == "affinity: 'x/a.args' and 'y/a.args' would both write 'out/a.txt'
  hint: scripts/ejec.sh gives the results of each folder a folder"* ]]
	[ -z "$(ls out)" ]
	try "$AFFINITY" x/a.args y/a.args
	[ "$status" -eq 0 ]
	try "$AFFINITY" a.args ./a.args
	[ "$status" -eq 2 ]
	[[ $stderr == "affinity: 'a.args' and './a.args' are the same file"* ]]
	cp b.args out/a.txt
	try "$AFFINITY" -o out a.args b.args
	[ "$status" -eq 2 ]
	cmp b.args out/a.txt
}

@test "several files need folders for their results" {
	for option in --json --csv --summary --output; do
		try "$AFFINITY" a.args b.args "$option" one
		[ "$status" -eq 2 ]
		[[ $stderr == "affinity: $option 'one' is no folder, but several argument files have results of their own: 'a.args' to 'b.args'
  hint: name a folder that exists, such as results"* ]]
		[ ! -e one ]
	done
}

@test "Ctrl-C ends the file at hand, keeps what it measured, and leaves out the rest" {
	mkdir out
	printf 'kernels: null\nnodePerThread: first\nsamples: 2000\nsleep: 10*\nwarmup: 0\nplacements: 1\n' >long.args
	run timeout --preserve-status -s INT -k 60 4 "$AFFINITY" -q long.args a.args out
	[ "$status" -eq 130 ]
	[ ! -e out/a.txt ]
}

@test "the name of a kernel in place of a file leads to the kernel" {
	try "$AFFINITY" triad
	[ "$status" -eq 2 ]
	same "triad: cannot read the argument file: No such file or directory
  hint: a line 'kernels: triad' in an argument file runs that kernel; affinity --help triad describes it" "$stderr"
	try "$AFFINITY" memcpy out.txt
	[[ $stderr == *"'kernels: memcpy'"* ]]
	try "$AFFINITY" read
	[[ $stderr == *"'kernels: read'"* ]]
	try "$AFFINITY" nothing
	[[ $stderr == *"the argument file comes first"* ]]
}

@test "a mistyped name of a last argument file is no name of a report" {
	try "$AFFINITY" a.args c.args
	[ "$status" -eq 2 ]
	same "c.args: cannot read the argument file: No such file or directory
  hint: a report, which is the last operand, needs another ending than .args" "$stderr"
	[ ! -e c.args ]
}
