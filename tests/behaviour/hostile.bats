#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What others may have written or set: names of folders, texts of documents, the environment of a setuid program.
# (tests/behaviour/outputs.bats has links.)
# shellcheck disable=SC2016,SC2030,SC2031 # for inner shells to expand; each test is a process of its own

bats_require_minimum_version 1.5.0 # run !
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	build=${AFFINITY_BUILD:-build}
	[[ $build == /* ]] || build=$root/$build
	document=$root/tests/golden/report/one/pruebas_un_hilo/matrix.json
}

# Names of folders

@test "the name of the folder of the sources is no command" {
	of_sources
	local name="é'; touch PWNED; #\$(touch PWNED)"$'\n'"\`touch PWNED\`" top results=$PWD/results
	top=$PWD/$name
	mkdir -p "$top"/{src,scripts} results
	cp "$root/scripts/report" "$top/scripts"
	cp "$document" results/
	printf '%s\n' '#!/bin/sh' "touch '$PWD/asked'" >"$top/scripts/mix"
	chmod 755 "$top/scripts/mix"
	AFFINITY=$AFFINITY try "$top/scripts/report" "$results"
	[ "$status" -eq 0 ]
	[ -e asked ]
	[ -z "$(find . -name 'PWNED*')" ]
}

# fallback: a batch of a user who may not write to results/, with a TMPDIR that everyone may write to.
fallback() {
	mkdir -p copy/{src,scripts} own
	cp "$root"/scripts/{ejec.sh,*.bash} copy/scripts
	printf '%s\n' 'kernels: null' 'nodePerThread: first' 'samples: 1' 'placements: 1' >one.args
	chmod 755 copy copy/scripts
	try "${nobody[@]}" env -u XDG_STATE_HOME AFFINITY="$AFFINITY" TMPDIR="$PWD/sticky" HOME=/none copy/scripts/ejec.sh one.args
}

@test "results without another place go to a folder of this user alone" {
	of_sources
	need_nobody
	[[ ${#nobody[@]} -gt 0 ]] || skip "only root can be two users"
	mkdir -m 1777 sticky
	mkdir -m 777 theirs
	local place=$PWD/sticky/affinity-65534
	ln -s "$PWD/theirs" "$place"
	fallback
	[ "$status" -eq 1 ]
	same "ejec.sh: '$place' is no folder of yours alone (mode 700)
ejec.sh:   hint: remove it, or name another place: TMPDIR=DIR" "$stderr"
	rm "$place"
	mkdir -m 700 "$place"
	fallback
	[ "$status" -eq 1 ]
	chown 65534 "$place"
	chmod 777 "$place"
	fallback
	[ "$status" -eq 1 ]
	[ -z "$(find theirs "$place" -mindepth 1)" ]
	rmdir "$place"
	fallback
	[ "$status" -eq 0 ]
	[ "$(stat -c %u:%a "$place")" = 65534:700 ]
	[ -n "$(find "$place" -name one.json)" ]
	fallback
	[ "$status" -eq 0 ]
}

@test "without a home, what is fetched is trusted in a folder of this user alone" {
	of_sources
	mkdir -m 1777 sticky
	local program
	mkdir -m 755 sticky/affinity-cache-"$EUID"
	for program in "fetch aarch64" "releases 13 true" "testmachine --fetch"; do
		# shellcheck disable=SC2086 # words
		try env -u HOME -u XDG_CACHE_HOME -u AFFINITY_CACHE TMPDIR="$PWD/sticky" "$root"/scripts/$program
		[ "$status" -ne 0 ]
		[[ $stderr == "${program%% *}: '$PWD/sticky/affinity-cache-$EUID' is no folder of yours alone (mode 700)"* ]]
	done
}

# Bytes of argument files

@test "--resume keeps the results of files with any byte, and measures those again that changed" {
	mkdir suite
	printf 'kernels: null\nnodePerThread: first\nsamples: 1\nplacements: 1\n' >suite/plain.args
	printf '# a \\ "b" caf\351 \302\240 \303\244 \342\202\254 \360\237\230\200 \302\r\n' | cat - suite/plain.args >suite/latin.args
	# each byte but 0 and the end of a line
	LC_ALL=C awk 'BEGIN { printf "# "; for (i = 1; i < 256; i++) if (i != 10) printf "%c", i; print "\n" }' | cat - suite/plain.args >suite/all.args
	printf '# no end of line' | cat suite/plain.args - >suite/open.args
	local again=("$root/scripts/ejec.sh" -o out --resume suite)
	AFFINITY=$AFFINITY try "${again[@]}"
	[ "$status" -eq 0 ]
	touch -d '1 minute ago' suite/*
	AFFINITY=$AFFINITY try "${again[@]}"
	[[ $stderr == *"0 to run, 4 kept, 0 skipped, 0 failed"* ]]
	LC_ALL=C sed -i 's/\xe9/\xe8/' suite/latin.args
	touch -d '1 minute ago' suite/*
	AFFINITY=$AFFINITY try "${again[@]}"
	[[ $stderr == *"1 to run, 3 kept, 0 skipped, 0 failed"* ]]
}

# Texts of documents

ESC=$'\e' C1=$'\xc2\x9b'

# obeyed: a terminal would obey something of what the last command said, but for ends of lines and tabs.
obeyed() { LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]' <<<"$output$stderr"; }

# hostile FILE: the document with a control character in each text and each name that is printed; words of a table that
# are no known one are refused.
hostile() {
	jq --arg esc "$ESC]0;owned$C1"$'2J\a' '(.. | strings) |= (if test("^[0-9T:Z-]+$") then . else . + $esc end)
		| .program |= sub("\u001b.*"; "")
		| .tables[] |= (reduce ("quantity", "kind", "rows_are", "columns_are") as $k (.; .[$k] |= sub("\u001b.*"; "")))
		| .warnings = [{text: ("hot" + $esc), hint: ("cool" + $esc)}]' "$document" >"$1"
}

@test "no program passes control characters of a document on to the terminal" {
	hostile a.json
	jq '(.. | .total_s? // empty) |= . * 2' a.json >b.json 2>/dev/null || cp a.json b.json
	grep -q 'u001b' a.json
	local command
	for command in "$AFFINITY --compare a.json a.json" "$AFFINITY --compare a.json b.json" "$AFFINITY-report --out page.html a.json" \
		"$AFFINITY-fleet a.json b.json" "$AFFINITY --predict a.json a.json" "$AFFINITY --export-memattrs o.xml a.json" \
		"$AFFINITY --matrix a.json --topology"; do
		# shellcheck disable=SC2086 # words
		try $command
		run ! obeyed
	done
	run ! grep -qP '\x1b' page.html
	try "$AFFINITY-report" --out page.html a.json
	grep -q 'x1b' page.html
}

@test "names of files and folders, and words of an argument file, reach the terminal as text" {
	local name="n$ESC[2J" i
	for i in 1 2 3 4; do
		mkdir -p "fleet/$name$i/memory"
		jq ".elapsed_s = $i" "$document" >"fleet/$name$i/memory/a$ESC[H.json"
	done
	try "$AFFINITY-fleet" fleet
	run ! obeyed
	try "$AFFINITY" --compare "fleet/${name}1/memory/a$ESC[H.json" "fleet/${name}2/memory/a$ESC[H.json"
	run ! obeyed
	try "$AFFINITY-report" --out "page$ESC.html" "fleet/${name}1/memory/a$ESC[H.json"
	[ "$status" -eq 0 ]
	run ! obeyed
	printf 'kernels: read\nno%skey: 1\nnodePerThread: %s\n' "$ESC[31m" "$ESC[H" >"t$ESC.args"
	try "$AFFINITY" "t$ESC.args" -
	[ "$status" -eq 2 ]
	[[ $stderr == *'t\x1b.args:2: unknown key '*'\x1b[31m'* ]]
	run ! obeyed
	try "$AFFINITY" "none$ESC.args" -
	run ! obeyed
}

# The environment

# A program of another user's rights: what its caller sets must not make it write, or read, anything.
@test "a setuid program that the pass was in writes no file that its caller names" {
	need_nobody
	[[ ${#nobody[@]} -gt 0 ]] || skip "only root makes a program of its own rights here"
	cc=${CC:-gcc}
	command -v "$cc" >/dev/null || cc=gcc
	cp "$build"/libaffinity-inserted.so .
	cat >x.c <<-'E'
		void affinity_inserted_begin(void);
		int main(void)
		{
			affinity_inserted_begin();
			return 0;
		}
	E
	"$cc" x.c -L. -Wl,-rpath,"$PWD" -laffinity-inserted -o x
	chmod 755 x libaffinity-inserted.so
	mkdir -m 700 private
	touch private/trace
	AFFINITY_PASS_TRACE=traced ./x
	[ -e traced ]
	chmod 4755 x
	try "${nobody[@]}" env AFFINITY_PASS_TRACE="$PWD/private/trace" AFFINITY_PASS_COUNTS="$PWD/private/counts" \
		AFFINITY_PASS_CHECK="$PWD/private/check" AFFINITY_PASS_TURNS="$PWD/private/turns" AFFINITY_SPM_NONE=1 ./x
	[ "$status" -eq 0 ]
	[ -z "$stderr" ]
	[ ! -s private/trace ]
	[ "$(ls private)" = trace ]
}

@test "a preloaded library ignores a file that is too short, another user's, or no file" {
	local name size
	: >empty
	head -c 4096 /dev/zero >short
	mkfifo pipe
	for name in map rhp; do
		for file in empty short pipe . /dev/zero; do
			try env LD_PRELOAD="$build/affinity-$name.so" "AFFINITY_${name^^}=$file" sh -c 'echo ran'
			[ "$status" -eq 0 ]
			same ran "$output"
			same '' "$stderr"
		done
	done
}
