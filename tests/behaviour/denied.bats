#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What a user is told who may not read a file or a folder: which one, why, and who can allow it. A folder that may not be
# read is no empty one.
# shellcheck disable=SC2030,SC2031 # each test is a process of its own

bats_require_minimum_version 1.5.0 # run !
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

# A file that may not be read; a folder that may not be listed, and one that may not be entered; and what is readable.
setup() {
	driver_setup
	need_nobody
	given "nodePerThread: first" "nodePerVector: first" "vectorPerThread: 0"
	cp "$root/tests/golden/report/one/pruebas_un_hilo/matrix.json" plain.json
	mkdir listed entered part part/inside
	for place in listed entered part part/inside; do
		cp t.args plain.json "$place"
	done
	cp t.args own.args
	cp plain.json own.json
	cp plain.json part/own.json
	chmod 600 own.args own.json part/own.json
	chmod 644 entered/*
	chmod 744 listed
	chmod 700 entered part/inside
	[[ ${#nobody[@]} -eq 0 ]] || return 0
	chmod a-r own.* part/own.json entered part/inside
	chmod a-x listed entered part/inside
}

teardown() {
	chmod -R u+rwX .
}

own() { echo "  hint: its owner can let you read it: chmod a+r '$1'"; }
folder() { printf '%s\n' "$1: the folder cannot be read: Permission denied" "  hint: its owner can let you read this folder: chmod a+rx '$1'"; }

everything() { find . -path ./.told -prune -o -print 2>/dev/null | LC_ALL=C command sort; }

# denied STATUS MESSAGES -- COMMAND...: nothing is written, nowhere.
denied() {
	local before
	before=$(everything)
	try "${nobody[@]}" "${@:4}"
	[ "$status" -eq "$1" ]
	same "$2" "$stderr"
	same "$before" "$(everything)"
}

@test "an argument file that may not be read, and one in a folder that may not be entered" {
	denied 2 "own.args: cannot read the argument file: Permission denied"$'\n'"$(own own.args)" -- "$AFFINITY" own.args o.txt
	denied 2 "listed/t.args: cannot read the argument file: Permission denied
  hint: its owner can let you into the folder 'listed': chmod a+x 'listed'" -- "$AFFINITY" listed/t.args o.txt
	denied 2 "entered: cannot read the argument file: Permission denied
  hint: its owner can let you read this folder: chmod a+rx 'entered'" -- "$AFFINITY" entered o.txt
}

@test "a result that may not be read, for whichever option" {
	local words told
	told="own.json: cannot be read: Permission denied"$'\n'"$(own own.json)"
	for words in "--matrix own.json t.args o.txt" "--bandwidths own.json t.args o.txt" "--predict own.json t.args o.txt" \
		"--worth own.json" "--compare own.json plain.json" "--compare plain.json own.json" "--export-memattrs o.xml own.json" \
		"--set caches=measured:own.json t.args o.txt"; do
		# shellcheck disable=SC2086 # words
		denied 2 "$told" -- "$AFFINITY" $words
	done
	denied 2 "$told" -- "$AFFINITY-report" -o page.html own.json
	denied 2 "$told" -- "$AFFINITY-report" -o page.html plain.json own.json
	denied 2 "$told" -- "$AFFINITY-fleet" --json o.json own.json
	denied 2 "listed/plain.json: cannot be read: Permission denied
  hint: its owner can let you into the folder 'listed': chmod a+x 'listed'" -- "$AFFINITY" --compare plain.json listed/plain.json
}

@test "a folder of results that may not be read is not taken for an empty one" {
	local name
	for name in listed entered; do
		denied 2 "$(folder $name)" -- "$AFFINITY" --predict $name t.args o.txt
		denied 2 "$(folder $name)" -- "$AFFINITY" --worth $name
		denied 2 "$(folder $name)" -- "$AFFINITY" --compare plain.json plain.json --history $name
		denied 2 "$(folder $name)" -- "$AFFINITY-report" -o page.html $name
		denied 2 "$(folder $name)" -- "$AFFINITY-fleet" --json o.json $name
		denied 2 "$(folder $name)" -- "$AFFINITY-fleet" --page o.html --before $name plain.json
	done
}

@test "the page says what of a folder it may not read, and shows the rest" {
	try "${nobody[@]}" "$AFFINITY-report" -o page.html part
	[ "$status" -eq 0 ]
	same "affinity-report: warning: part/inside: the folder cannot be read: Permission denied; what is in it is left out
  hint: its owner can let you read this folder: chmod a+rx 'part/inside'
affinity-report: warning: part/own.json: cannot be read: Permission denied; it is left out
$(own part/own.json)
affinity-report: page.html" "$stderr"
	grep -q 'its result file may not be read' page.html
}

@test "affinity-fleet judges no fleet of which it may not read a part" {
	denied 2 "$(folder part/inside)
affinity-fleet: warning: left out: part/own.json: cannot be read: Permission denied
$(own part/own.json)" -- "$AFFINITY-fleet" --json o.json --csv o.csv part
}

@test "a page of folders with nothing that can be shown is no success" {
	mkdir none nothing
	denied 1 "affinity-report: warning: nothing in 'none' can be shown
affinity-report: warning: nothing in 'nothing' can be shown
affinity-report: nothing in these can be shown" -- "$AFFINITY-report" none nothing
}

@test "a profile of mixes, a list of programs and a scenario that may not be read" {
	denied 2 "affinity-map: cannot read the profile 'own.json': Permission denied"$'\n'"$(own own.json)" -- \
		"$AFFINITY-map" --profile own.json -- true : true
	denied 2 "affinity-map: cannot read the profile 'entered/true.csv': Permission denied
  hint: its owner can let you into the folder 'entered': chmod a+x 'entered'" -- "$AFFINITY-map" --profile entered -- true : true
	denied 2 "affinity-map: cannot read the list 'own.args': Permission denied"$'\n'"$(own own.args)" -- "$AFFINITY-map" --list own.args
	denied 2 "affinity-rhp: cannot read 'own.args': Permission denied"$'\n'"$(own own.args)" -- "$AFFINITY-rhp" --simulate own.args
}

@test "outputs that may not be written stop a page and a fleet, and nothing is written of the others" {
	mkdir kept
	chmod 555 kept
	local hint="  hint: name a file in a folder that exists and that you may write to; - is standard output"
	denied 1 "affinity-report: cannot write 'kept/page.html': Permission denied"$'\n'"$hint" -- "$AFFINITY-report" -o kept/page.html plain.json
	denied 1 "affinity-fleet: cannot write 'kept/o.json': Permission denied"$'\n'"$hint" -- \
		"$AFFINITY-fleet" --csv o.csv --json kept/o.json plain.json
	denied 1 "affinity: cannot write 'kept/t.txt': Permission denied"$'\n'"$hint" -- "$AFFINITY" --json o.json t.args kept
	denied 1 "affinity: cannot write 'kept/c.json': Permission denied"$'\n'"$hint" -- "$AFFINITY" --measure-caches kept/c.json
}

@test "a batch says which folder it may not read, and takes what it may" {
	export AFFINITY
	local name
	for name in listed entered; do
		denied 2 "ejec.sh: $name: the folder cannot be read: permission denied
ejec.sh:   hint: its owner can let you read it: chmod a+rx '$name'
ejec.sh: nothing was run
ejec.sh: ejec.sh --help lists the options" -- "$root/scripts/ejec.sh" --dry-run $name
		try "${nobody[@]}" "$root/scripts/ejec.sh" --dry-run $name/t.args
		[ "$status" -eq 2 ]
		[[ $stderr == "ejec.sh: $name: the folder cannot be read: permission denied"$'\n'* ]]
	done
	try "${nobody[@]}" "$root/scripts/ejec.sh" --dry-run part own.args
	[ "$status" -eq 1 ]
	[[ $stderr == "ejec.sh: part/inside: the folder cannot be read: permission denied; what is in it is left out"$'\n'* ]]
	grep -q '^[a-z]* *part/t.args' <<<"$output"
	grep -qx 'failed  own.args: cannot read the argument file: Permission denied' <<<"$output"
}

@test "a batch whose results may not be written runs nothing" {
	export AFFINITY
	mkdir kept
	chmod 555 kept
	denied 1 "ejec.sh: 'kept' is no folder that can be written; nothing was run" -- "$root/scripts/ejec.sh" -o kept t.args
	denied 1 "ejec.sh: 'kept/new' is no folder that can be written; nothing was run" -- "$root/scripts/ejec.sh" -o kept/new t.args
}

@test "measured caches that may not be read are said once, and files that need none are planned" {
	cat >driver <<-END
		#!/bin/sh
		[ "\$1" != --topology ] || echo 'caches: the machine shows none'
		[ "\$1" = --topology ] || exec "$AFFINITY" "\$@"
	END
	chmod 755 driver
	export AFFINITY=$PWD/driver
	local host
	host=$(uname -n | cut -d. -f1)
	mkdir -p "res/$host"
	cp plain.json "res/$host/caches.json"
	chmod 600 "res/$host/caches.json"
	[[ ${#nobody[@]} -gt 0 ]] || chmod a-r "res/$host/caches.json"
	machine "$TWO_NODES"
	try "${nobody[@]}" "$root/scripts/ejec.sh" --dry-run -o res t.args
	same 1 "$(grep -cx "ejec.sh: cannot read 'res/$host/caches.json': permission denied; the files are planned without its caches" <<<"$stderr")"
	[[ $output != *caches.json* ]]
	grep -q '^[a-z]* *t.args' <<<"$output"
}

@test "a node whose earlier results may not be read cannot be judged" {
	export AFFINITY SLURMD_NODENAME=n1
	run --separate-stderr "${nobody[@]}" "$root/scripts/health" entered
	[ "$status" -eq 3 ]
	same "health: n1: cannot tell: the folder 'entered' cannot be read: permission denied" "$output"
	run --separate-stderr "${nobody[@]}" "$root/scripts/health" --record listed
	[ "$status" -eq 3 ]
	same "health: n1: cannot tell: the folder 'listed' cannot be read: permission denied" "$output"
}
