#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Results are whole or not there: disks that are full, folders that go away, two runs into one file, signals at any
# time, gnuplot that hangs. (tests/behaviour/cli.bats has what is known before anything is measured; /dev/full and
# pipes too.)
# shellcheck disable=SC2016,SC2030,SC2031 # for the driver and inner shells to expand; each test has its own variables

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup() {
	driver_setup
	printf '%s\n' "opType: null" "nodePerThread: first*2" "oversubscribe: yes" "numIter: 20" "placements: 1" >t.args
}

teardown() {
	[[ ! -d disk ]] || umount disk || :
}

# start SLEEP: a run of 20 samples, each so long, in the background, as `driver`. Bash starts what it runs in the
# background with SIGINT ignored; a terminal does not.
start() {
	(trap - INT && exec "$AFFINITY" --set "sleep=0 $1" --json out/o.json --csv out/o.csv t.args out/o.txt) 2>errors 3>&- &
	driver=$!
}

# measuring: a run of half a second has begun, and catches signals.
measuring() {
	start 20ms
	catching "$driver"
}

# whole FOLDER: its three results are each all of one.
whole() {
	[[ $(head -n 1 "$1/o.txt") == @("          --Execution data--"|"==== run 1 of "*) ]]
	is_whole "$1/o.txt"
	jq -e '.elapsed_s > 0' "$1/o.json" >/dev/null
	[ "$(awk -F, '{ gsub(/"[^"]*"/, "") } NR == 1 { n = NF } NF != n { bad = 1 } END { print (NR > 1 && !bad) }' "$1/o.csv")" -eq 1 ]
}

# untouched FOLDER: nothing but the earlier results are there.
untouched() {
	[ "$(ls -A "$1")" = "$(printf 'o.csv\no.json\no.txt')" ]
	[ "$(cat "$1"/o.*)" = "$(printf 'earlier\nearlier\nearlier')" ]
}

earlier() {
	mkdir -p "$1"
	echo earlier | tee "$1"/o.{txt,json,csv} >/dev/null
}

@test "a file above the limit of file sizes is told, and no temporary file is left" {
	printf '%s\n' 'opType: read' 'nodePerThread: first' 'nodePerVector: first' 'tamPerVector: 4KiB' \
		'vectorPerThread: 0' 'numIter: 200' >large.args
	local blocks
	for blocks in 0 1 2; do
		run bash -c 'ulimit -f "$2" && exec "$1" --quiet --json large.json large.args large.txt' - "$AFFINITY" $blocks
		echo "$output"
		[ "$status" -eq 1 ]
		[[ $output == *"File too large"* ]]
		[ -z "$(find . -name 'large.json*' -o -name 'large.txt*')" ]
		no_temporary_files
	done
}

@test "a second signal of the other kind ends the program at once" {
	printf '%s\n' 'opType: read' 'nodePerThread: first' 'nodePerVector: first' 'tamPerVector: 4KiB' \
		'vectorPerThread: 0' 'sleep: 60000*' >long.args
	local child pair status delay first second code
	for pair in 'INT TERM 143' 'TERM INT 130' 'HUP TERM 143'; do
		read -r first second code <<<"$pair"
		for delay in 0.3 3 30; do # on a busy machine the sample begins late, and a first signal before it is enough
			(trap - INT && exec "$AFFINITY" --quiet long.args long.txt) 2>errors 3>&- &
			child=$! status=0
			catching "$child"
			sleep "$delay"
			signalled "$child" "$first"
			kill -s "$second" "$child" 2>/dev/null || true
			wait "$child" || status=$?
			grep -q 'before anything was measured' errors || break
		done
		echo "$pair: $status"
		[ "$status" -eq "$code" ]
	done
}

@test "a full disk is told, earlier results stay as they are and no temporary file is left" {
	mkdir disk
	mount -t tmpfs -o size=64k,nr_inodes=20 none disk 2>/dev/null || skip "no file system of our own can be mounted here"
	earlier disk
	dd if=/dev/zero of=disk/filler bs=4k 2>/dev/null || :
	try "$AFFINITY" --json disk/o.json --csv disk/o.csv t.args disk/o.txt
	[ "$status" -eq 1 ]
	for name in txt json csv; do
		[[ $stderr == *"affinity: cannot write 'disk/o.$name': No space left on device"* ]]
	done
	[[ $stderr == *"hint: "* ]]
	rm disk/filler
	untouched disk
}

@test "when one file cannot be written none is replaced" {
	earlier out
	# 20 samples of 2 threads: JSON takes more than 24 KiB, CSV and text less
	try bash -c 'ulimit -f 24 && exec "$@"' - "$AFFINITY" --set warmup=1 --json out/o.json --csv out/o.csv t.args out/o.txt
	[ "$status" -eq 1 ]
	same "affinity: cannot write 'out/o.json': File too large
  hint: make room there (df, quota, ulimit -f), or name a file elsewhere
affinity: no file of this run is written: affinity writes all of them or none" "$(grep -A 9 '^affinity: cannot' <<<"$stderr")"
	untouched out
}

@test "when one file cannot be replaced those before it are put back" {
	earlier out
	rm out/o.json
	measuring
	rm out/o.csv
	mkdir out/o.csv
	code=0
	wait "$driver" || code=$?
	cat errors
	[ "$code" -eq 1 ]
	grep -q "^affinity: cannot write 'out/o.csv': Is a directory" errors
	[ "$(ls -A out)" = "$(printf 'o.csv\no.txt')" ]
	[ "$(<out/o.txt)" = earlier ]
}

@test "a file system without modes and fsync is written to" {
	shims_setup
	under modes "$AFFINITY" --csv o.csv t.args o.txt
	[ "$status" -eq 0 ]
	[ -s o.csv ]
	[ -s o.txt ]
}

@test "a descriptor's file keeps what other programs wrote to it" {
	local name
	for name in /dev/stdout /dev/fd/7 /proc/self/fd/7 link; do
		ln -sf /dev/stdout link
		{
			echo before
			"$AFFINITY" t.args "$name" 7>&1
			echo after
		} >log
		[ "$(head -n 1 log)" = before ]
		[ "$(tail -n 1 log)" = after ]
		[ "$(grep -c -- '-Results-' log)" -eq 1 ]
		"$AFFINITY" t.args "$name" >>log 7>&1
		[ "$(head -n 1 log)" = before ]
		[ "$(grep -c -- '-Results-' log)" -eq 2 ]
	done
}

@test "a descriptor that is closed or only read from is told before anything is measured" {
	try "$AFFINITY" t.args /dev/fd/7 7</dev/null
	[ "$status" -eq 1 ]
	[[ $stderr == "affinity: cannot write '/dev/fd/7': Bad file descriptor"* ]]
	try bash -c '"$@" >&-' - "$AFFINITY" t.args - --set numIter=1000000 --set sleep=1s
	[ "$status" -eq 1 ]
	[[ $stderr == "affinity: cannot write 'standard output': Bad file descriptor"* ]]
}

@test "a file that is given by descriptor and by name is refused" {
	try bash -c '"$@" >o.json' - "$AFFINITY" --json o.json t.args -
	[ "$status" -eq 2 ]
	[[ $stderr == *"'-' and 'o.json' are the same file"* ]]
	try "$AFFINITY" --json /dev/stdout t.args -
	[ "$status" -eq 2 ]
	[[ $stderr == *"'-' and '/dev/stdout' are the same file"* ]]
}

# plots LINE...: t.args draws pictures over two delays, and is as long as it takes.
plots() {
	printf '%s\n' "sweep: d = 0 1" 'sleep: $d' "opType: null write*" "nodePerThread: first" "nodePerVector: first" \
		"tamPerVector: 4KiB" "vectorPerThread: 0" "numIter: 2" "$@" >t.args
}

# pictured FILE OTHER: that it names the picture OTHER is told for FILE.
pictured() {
	[ "$status" -eq 2 ]
	[[ $stderr == *"affinity: '$1' and the picture '$2' are the same file
  hint: pictures get their names from OUT: choose another name"* ]]
	no_temporary_files
}

@test "a picture that would replace a result, the arguments or a profile is refused, also by a link" {
	plots "plot: cost x=d by=kernel"
	try "$AFFINITY" --json p.svg t.args p.txt
	pictured p.svg p.svg
	try "$AFFINITY" t.args p.svg
	pictured p.svg p.svg
	try "$AFFINITY" t.args --output p.svg
	[ "$status" -eq 2 ]
	[[ $stderr == *"pictures get their names from --output: choose another name"* ]]
	ln -s p.svg link
	try "$AFFINITY" --csv link t.args p.txt
	pictured link p.svg
	cp t.args a.svg
	try "$AFFINITY" a.svg a.txt
	[ "$status" -eq 2 ]
	[[ $stderr == *"affinity: the arguments 'a.svg' and the picture 'a.svg' are the same file"* ]]
	cmp a.svg t.args
	plots "plot: cost x=d"
	try "$AFFINITY" --json p-2.svg t.args p.txt
	pictured p-2.svg p-2.svg
	[ ! -e p.txt ]
}

@test "a profile that a result or a picture would replace is refused" {
	printf '%s\n' kernel,type,share null,load,0.5 >mix.csv
	cp mix.csv p.svg
	printf '%s\n' "sweep: d = 0 1" 'sleep: $d' "opType: null" "threads: 1" "mapping: instruction" "profile: mix.csv" \
		"plot: cost x=d" >t.args
	try "$AFFINITY" --csv ./mix.csv t.args p.txt
	[ "$status" -eq 2 ]
	[[ $stderr == *"affinity: './mix.csv' and the profile 'mix.csv' are the same file"* ]]
	try "$AFFINITY" --set profile=p.svg t.args p.txt
	[ "$status" -eq 2 ]
	[[ $stderr == *"affinity: the profile and the picture 'p.svg' are the same file"* ]]
	cmp mix.csv p.svg
}

@test "where the sizes of caches go is checked before they are measured" {
	cp t.args my.args
	try timeout 120 "$AFFINITY" --measure-caches my.args
	[ "$status" -eq 2 ]
	[[ $stderr == *"affinity: 'my.args' is an argument file, and --measure-caches would replace it"* ]]
	cmp my.args t.args
	try timeout 120 "$AFFINITY" --measure-caches none/c.json
	[ "$status" -eq 1 ]
	[[ $stderr == "affinity: cannot write 'none/c.json': No such file or directory"* ]]
}

@test "a picture that cannot be written is told before anything is measured" {
	plots "plot: cost x=d by=kernel"
	mkdir p.svg
	try "$AFFINITY" --set numIter=1000000 --set sleep=1s t.args p.txt
	[ "$status" -eq 1 ]
	[[ $stderr == *"affinity: cannot write 'p.svg': it is a folder"* ]]
	[ ! -e p.txt ]
}

# Drawing

# gnuplot_is LINE...: a stand-in for gnuplot, a script of these lines.
gnuplot_is() {
	mkdir -p bin
	printf '%s\n' '#!/bin/sh' "$@" >bin/gnuplot
	chmod +x bin/gnuplot
	PATH=$PWD/bin:$PATH
}

# hangs: a run whose gnuplot hangs is in the background, as `driver`, and draws.
hangs() {
	gnuplot_is 'echo $$ >drawing' 'exec sleep 1000'
	rm -f drawing
	(trap - INT && exec "$AFFINITY" --json out/o.json --csv out/o.csv t.args out/o.txt) 2>errors 3>&- &
	driver=$!
	for _ in {1..6000}; do
		[ ! -s drawing ] || return 0
		sleep 0.02
	done
	return 1
}

# gone PID: it runs no more, or soon; nobody may have asked for its end yet.
gone() {
	local _
	for _ in {1..3000}; do
		grep -qs '^State:[[:space:]]*[^Z[:space:]]' "/proc/$1/status" || return 0
		sleep 0.02
	done
	return 1
}

@test "signals while pictures are drawn cost no result, and leave no gnuplot" {
	plots "plot: cost x=d"
	local signal
	for signal in INT TERM HUP KILL; do
		rm -rf out tmp
		mkdir out tmp
		TMPDIR=$PWD/tmp hangs
		kill -s $signal "$driver"
		code=0
		wait "$driver" || code=$?
		cat errors
		case $signal in
		INT | TERM | HUP)
			[ "$code" -eq $((128 + $(kill -l $signal))) ]
			grep -q "^affinity: interrupted while 'out/o-1.svg' was drawn; the results are written" errors
			;;
		KILL) [ "$code" -eq 137 ] ;;
		esac
		whole out
		[ "$(ls -A out)" = "$(printf 'o.csv\no.json\no.txt')" ]
		[ -z "$(ls -A tmp)" ]
		gone "$(<drawing)"
	done
}

@test "a second Ctrl-C while what was interrupted is drawn costs no result" {
	plots "plot: cost x=d" "interleave: yes"
	sed -i 's/^numIter: .*/numIter: 1000000/' t.args
	gnuplot_is 'echo $$ >drawing' 'exec sleep 1000'
	mkdir out
	for wait in 0.5 5 25; do # on a busy machine there may be nothing to draw yet
		(trap - INT && exec "$AFFINITY" --json out/o.json --csv out/o.csv t.args out/o.txt) 2>errors 3>&- &
		driver=$!
		catching "$driver"
		sleep "$wait"
		kill -s INT "$driver"
		until [ -s drawing ] || ! kill -0 "$driver" 2>/dev/null; do sleep 0.02; done
		[ ! -s drawing ] || break
	done
	kill -s INT "$driver"
	code=0
	wait "$driver" || code=$?
	cat errors
	[ "$code" -eq 130 ]
	whole out
	grep -q '^ - interrupted: ' out/o.txt
	[ "$(ls -A out)" = "$(printf 'o.csv\no.json\no.txt')" ]
	gone "$(<drawing)"
}

@test "a gnuplot that hangs is ended, and the results are there" {
	plots "plot: cost x=d"
	mkdir out
	hangs
	wait "$driver"
	cat errors
	whole out
	[ "$(grep -c "warning: gnuplot did not finish 'out/o-1.svg' and was ended: no further pictures" errors)" -eq 1 ]
	gone "$(<drawing)"
}

@test "a gnuplot that fails or draws nothing is told, and the results are there" {
	plots "plot: cost x=d by=kernel"
	for line in "exit 1" "exit 0" "echo half; exit 1"; do
		gnuplot_is "cat >/dev/null" "$line"
		try "$AFFINITY" t.args o.txt
		[ "$status" -eq 0 ]
		[[ $stderr == *"affinity: warning: gnuplot could not draw 'o.svg'; the figures are in the tables"* ]]
		[[ $stderr != *"earlier run"* ]]
		[ -s o.txt ]
		[ ! -e o.svg ]
		no_temporary_files
	done
	echo earlier >o.svg
	try "$AFFINITY" t.args o.txt
	[ "$status" -eq 0 ]
	[[ $stderr == *"could not draw 'o.svg'"*"  hint: 'o.svg' is of an earlier run"* ]]
	[ "$(<o.svg)" = earlier ]
}

@test "a picture without room costs no result, and the one of an earlier run is named" {
	plots "plot: cost x=d by=kernel"
	gnuplot_is "cat >/dev/null" "head -c 1000000 /dev/zero"
	echo earlier >o.svg
	try bash -c 'ulimit -f 500; exec "$@"' bash "$AFFINITY" --json o.json t.args o.txt
	[ "$status" -eq 1 ]
	[[ $stderr == *"affinity: cannot write 'o.svg': File too large"*"  hint: the results are written; 'o.svg' is of an earlier run"* ]]
	[ "$(<o.svg)" = earlier ]
	grep -q '^ - elapsed: ' o.txt
	jq -e . o.json >/dev/null
	no_temporary_files
	rm o.svg
	try bash -c 'ulimit -f 500; exec "$@"' bash "$AFFINITY" t.args o.txt
	[ "$status" -eq 1 ]
	[[ $stderr == *"  hint: the results are written; make room for pictures there"* ]]
	[ ! -e o.svg ]
}

@test "settings of the user's gnuplot change no picture" {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed (make setup installs it)"
	plots "plot: cost x=d by=kernel"
	echo 'set output "/dev/null"' >.gnuplot
	HOME=$PWD "$AFFINITY" --quiet t.args o.txt
	grep -q '</svg>' o.svg
}

@test "a percent sign in a value that is drawn does no harm" {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed (make setup installs it)"
	plots "sweep: repeat = 25% 50% 100%s" "plot: cost rows=repeat cols=kernel" "plot: cost x=repeat by=kernel"
	"$AFFINITY" t.args o.txt 2>errors
	run ! grep -q 'could not draw' errors
	local picture
	for picture in o-1.svg o-2.svg o-3.svg o-4.svg; do
		grep -q '100%s' $picture
		grep -q '</svg>' $picture
	done
}

@test "values that are no text for a picture are drawn as what the document has" {
	command -v gnuplot >/dev/null || skip "gnuplot is not installed (make setup installs it)"
	command -v /usr/bin/python3 >/dev/null || skip "there is no Python to read SVG with"
	printf '%s\n' "opType: null" "nodePerThread: first" "numIter: 2" "plot: cost x=repeat by=kernel" "plot: cost rows=repeat cols=kernel" >t.args
	printf 'sweep: repeat = \377a b\001c {} $x %%d \\n "q" <b> &amp; \303\274\n' >>t.args
	"$AFFINITY" --quiet t.args o.txt 2>errors
	cat errors
	[ ! -s errors ]
	local picture
	for picture in o-1.svg o-2.svg; do
		/usr/bin/python3 -c 'import sys, xml.etree.ElementTree as t; t.parse(sys.argv[1])' $picture
		grep -q 'ü' $picture
		grep -qE '&lt;b(&gt;|>)' $picture
	done
}

# Signals and folders

@test "a signal that is ignored from the start stays ignored, and any second one ends the run" {
	mkdir out
	(trap '' INT && exec "$AFFINITY" --json out/o.json --csv out/o.csv --set "sleep=0 20ms" t.args out/o.txt) 2>errors 3>&- &
	driver=$!
	sleep 0.2
	kill -s INT "$driver"
	wait "$driver"
	whole out
	run ! grep -q interrupted out/o.txt
	earlier out
	for delay in 0.3 3 30; do # a first signal before the sample is enough
		start 3s
		catching "$driver"
		sleep "$delay"
		signalled "$driver" INT
		kill -s TERM "$driver" 2>/dev/null || true
		code=0
		wait "$driver" || code=$?
		grep -q 'before anything was measured' errors || break
	done
	[ "$code" -eq 143 ]
	untouched out
}

@test "a folder that goes away during the run is told" {
	mkdir out
	measuring
	rm -r out
	code=0
	wait "$driver" || code=$?
	cat errors
	[ "$code" -eq 1 ]
	grep -q "^affinity: cannot write 'out/o.txt': No such file or directory" errors
	[ ! -e out ]
}

@test "an OUT that is removed during the run is there again at its end" {
	earlier out
	measuring
	rm out/o.txt
	wait "$driver"
	whole out
	[ "$(ls -A out)" = "$(printf 'o.csv\no.json\no.txt')" ]
}

@test "a folder that may no longer be written to keeps earlier results" {
	need_nobody
	earlier out
	if [[ ${#nobody[@]} -gt 0 ]]; then
		chown -R 65534 out
	fi
	AFFINITY_PLAIN=$AFFINITY
	printf '%s\n' '#!/bin/sh' "exec ${nobody[*]} $AFFINITY_PLAIN \"\$@\"" >driver
	chmod +x driver
	AFFINITY=./driver measuring
	chmod a-w out
	code=0
	wait "$driver" || code=$?
	cat errors
	[ "$code" -eq 1 ]
	grep -q "^affinity: cannot write 'out/o.txt': Permission denied" errors
	untouched out
}

@test "runs into the same files at the same time end as one whole result" {
	mkdir out
	local pids=() n failed=0
	for n in 2 3 4; do
		"$AFFINITY" --set "numIter=$n" --json out/o.json --csv out/o.csv t.args out/o.txt 2>/dev/null 3>&- &
		pids+=($!)
	done
	for n in "${pids[@]}"; do
		wait "$n" || failed=1
	done
	[ "$failed" -eq 0 ]
	whole out
	[ "$(ls -A out)" = "$(printf 'o.csv\no.json\no.txt')" ]
}

@test "two runs into the same files take turns: the set is all of one, also where renames take long" {
	shims_setup
	earlier out
	LD_PRELOAD=$shims/renames.so "$AFFINITY" --set numIter=2 --json out/o.json --csv out/o.csv t.args out/o.txt 2>first 3>&- &
	local first=$! second
	until [ -e renamed ]; do sleep 0.01; done
	"$AFFINITY" --set numIter=3 --set warmup=1 --json out/o.json --csv out/o.csv t.args out/o.txt 2>second 3>&- &
	second=$!
	for _ in {1..50}; do # the second one waits, or is done
		[ -e "/proc/$second" ] && sleep 0.02
	done
	touch go
	wait "$first" "$second"
	cat first second
	whole out
	[ "$(jq -r '.arguments.set[0]' out/o.json)" = numIter=3 ]
	grep -q numIter=3 out/o.txt
	same 3 "$(awk -F, '{ most = $7 }; END { print most }' out/o.csv)"
	[ "$(ls -A out)" = "$(printf 'o.csv\no.json\no.txt')" ]
}

# Links and files of others

# sticky: a folder `sticky`, as /tmp is, and a file of ours, `ours`, which others would like to be replaced.
sticky() {
	need_nobody
	[[ ${#nobody[@]} -gt 0 ]] || skip "only root can be two users"
	mkdir -m 1777 sticky
	mkdir -m 700 private
	echo ours >private/conf
}

# kept NAME: no output replaces it by that name, and that is told before anything is measured.
kept() {
	local options
	for options in "--output $1" "--json $1 --output -" "--csv $1 --output -"; do
		# shellcheck disable=SC2086 # words
		try timeout 120 "$AFFINITY" --set numIter=1000000 --set sleep=1s t.args $options
		[ "$status" -eq 1 ]
		[[ $stderr == *"affinity: cannot write '$1': another user's file or link lies there, in a folder for everyone"* ]]
	done
	try "$AFFINITY" --list --json "$1"
	[ "$status" -eq 1 ]
	[ "$(<private/conf)" = ours ]
}

@test "a link, a file or a pipe that another user planted in a sticky folder is no place for results" {
	sticky
	local own=$PWD
	(cd sticky && umask 0 && "${nobody[@]}" sh -c '
		ln -s "$1/private/conf" link
		ln -s "$1/private/new" fresh
		ln -s "$1/private" folder
		ln -s link chain
		echo theirs >file
		mkfifo pipe' - "$own")
	ln -s sticky/link ours
	for name in sticky/{link,fresh,chain,file,pipe} sticky/folder/{conf,new} "$own/sticky/../sticky/link" ours; do
		kept "$name"
	done
	[ "$(ls private)" = conf ]
	[ "$(<sticky/file)" = theirs ]
	[ -z "$(find . -name '.affinity-*')" ]
}

@test "links of this user or of the folder's owner, and those in other folders, lead to what is replaced" {
	sticky
	ln -s ../private/conf sticky/mine
	"$AFFINITY" --quiet t.args sticky/mine
	[ -L sticky/mine ]
	grep -q '^ - elapsed: ' private/conf
	chown 65534 sticky
	ln -s ../private/other sticky/owners
	chown -h 65534 sticky/owners
	"$AFFINITY" --quiet t.args sticky/owners
	[ -s private/other ]
	mkdir -m 777 common
	ln -s ../private/third common/link
	chown -h 65534 common/link
	"$AFFINITY" --quiet t.args common/link
	[ -s private/third ]
}

@test "a link that is planted during the run is not followed" {
	sticky
	(trap - INT && exec "$AFFINITY" --set "sleep=0 20ms" --json sticky/o.json t.args sticky/o.txt) 2>errors 3>&- &
	driver=$!
	catching "$driver"
	"${nobody[@]}" ln -s "$PWD/private/conf" sticky/o.txt
	code=0
	wait "$driver" || code=$?
	cat errors
	[ "$code" -eq 1 ]
	grep -q "cannot write 'sticky/o.txt': another user's file or link lies there" errors
	[ "$(<private/conf)" = ours ]
	[ "$(ls -A sticky)" = o.txt ]
}

@test "results that replace another user's file are not for everyone to change" {
	need_nobody
	[[ ${#nobody[@]} -gt 0 ]] || skip "only root can be two users"
	mkdir -m 777 common
	(umask 0 && "${nobody[@]}" touch common/theirs)
	chmod 4666 common/theirs
	"$AFFINITY" --quiet t.args common/theirs
	[ "$(stat -c %u:%a common/theirs)" = "0:644" ]
}

# A signal that comes before the driver can catch it ends the process as signals do; nothing is written then.
@test "signals at any time leave results whole or as they were, and no temporary file" {
	local code i delay signal messages=0
	for ((i = 0; i < 20; i++)); do
		signal=INT
		((i % 2)) || signal=TERM
		earlier out
		delay=$(printf '0.%03d' $((i * i)))
		start 10ms
		sleep "$delay"
		kill -s "$signal" "$driver" 2>/dev/null || :
		code=0
		wait "$driver" || code=$?
		echo "$signal after $delay s: exit $code"
		[ "$(ls -A out)" = "$(printf 'o.csv\no.json\no.txt')" ]
		case $code in
		0) whole out ;;
		130 | 143)
			if grep -q '^affinity: interrupted; what was measured is written$' errors; then
				messages=$((messages + 1))
				whole out
				grep -q '^ - interrupted: ' out/o.txt
			else
				# before it catches signals it ends without a word
				messages=$((messages + $(grep -c '^affinity: interrupted before anything was measured; nothing is written$' errors || :)))
				untouched out
			fi
			;;
		*) false ;;
		esac
	done
	[ "$messages" -gt 0 ]
}

@test "a second signal at any time leaves each result whole or as it was" {
	local code i
	for ((i = 0; i < 12; i++)); do
		earlier out
		start 5ms
		sleep "$(printf '0.%03d' $((30 + 12 * i)))"
		kill -s INT "$driver" 2>/dev/null || :
		sleep "0.00$((i / 2))"
		kill -s INT "$driver" 2>/dev/null || :
		code=0
		wait "$driver" || code=$?
		echo "exit $code"
		[[ $code -le 1 || $code -eq 130 ]]
		[ "$(ls -A out)" = "$(printf 'o.csv\no.json\no.txt')" ]
		each_whole_or_earlier
	done
}

each_whole_or_earlier() {
	[[ $(<out/o.txt) == earlier ]] || is_whole out/o.txt
	[[ $(<out/o.json) == earlier ]] || jq -e '.elapsed_s > 0' out/o.json >/dev/null
	[[ $(<out/o.csv) == earlier || $(wc -l <out/o.csv) -gt 1 ]]
}

@test "a driver that is killed leaves earlier results as they were" {
	earlier out
	measuring
	kill -s KILL "$driver"
	code=0
	wait "$driver" || code=$?
	[ "$code" -eq 137 ]
	untouched out
}

# The last lines on a terminal are those that are read; a log has the report.
@test "what was found ends what a terminal shows and the report, and stands in JSON and on the page" {
	command -v script >/dev/null || skip "script (util-linux) is not installed"
	printf '%s\n' 'kernels: read' 'nodePerThread: first' 'nodePerVector: first' 'sizePerVector: 1MiB' 'vectorPerThread: 0' \
		'samples: 3' 'placements: 1' >t.args
	mkdir r
	try script -qec "'$AFFINITY' --json r/one.json t.args r/one.txt" /dev/null </dev/null
	[ "$status" -eq 0 ]
	local verdict found doubts
	verdict=$(sed -n '/^+ Verdict$/,$s/^ - //p' r/one.txt)
	same "$verdict" "$(tail -n 2 r/one.txt | cut -c 4-)"
	found=${verdict%%$'\n'*} doubts=${verdict#*$'\n'}
	[[ $found =~ ^Time\ per\ access:\ read\ [0-9.]+(\ \+-\ ([0-9.]+|unknown))?\ (ns|us|ms)\ \(.+\)\.$ ]]
	# folded to the terminal's width
	[[ $(tr -d '\r' <<<"$output" | tr -s ' \n' '  ') == *"$(tr '\n' ' ' <<<"$verdict")files: r/one.txt, r/one.json " ]]
	# with tables, as far as the screen has room for them
	try script -qec "stty cols 80 rows 12; '$AFFINITY' --set 'sweep=n = 2..20' --set 'samples=\$n' --set 'table=cost rows=n' t.args one.txt" /dev/null </dev/null
	tr -d '\r' <<<"$output" | tail -n 11 >last
	grep -q '^  n ' last
	grep -qE '^  \.\.\. [0-9]+ more lines$' last
	same "files: one.txt" "$(tail -n 1 last)"
	[[ $(head -n 1 last) == "Cost of read: "* ]]
	same "$found" "$(jq -r '.findings[0].sentence' r/one.json)"
	# the figure is that of the document
	local words
	read -ra words <<<"$found"
	shown "$(jq -r '.findings[0].parts.figures[0].parts.figure.value' r/one.json)" "${words[4]}"
	jq -e '.runs[0].operations[0] as $o | .findings[0].parts.figures[0].parts.figure.value / $o.together.ns_per_unit.value | . > 0.999 and . < 1.001' r/one.json
	# the page finds it anew where a document does not have it
	"$(dirname "$AFFINITY")/affinity-report" r
	sed 's/&nbsp;/ /g; s/<[^>]*>//g; s/±/+- /g' r/report.html >plain
	grep -qF -- "$found $doubts." plain
	jq 'del(.findings)' r/one.json >without.json
	mv without.json r/one.json
	mv plain with
	"$(dirname "$AFFINITY")/affinity-report" r
	sed 's/&nbsp;/ /g; s/<[^>]*>//g; s/±/+- /g' r/report.html >plain
	grep -qF -- "$found $doubts." plain
	try "$AFFINITY" t.args one.txt
	run ! grep -q '^Time per access' <<<"$stderr"
	try script -qec "'$AFFINITY' --quiet t.args one.txt" /dev/null </dev/null
	same "" "$output"
}

@test "what was found is in the quantity that the file is about" {
	found() { # LINE...
		printf '%s\n' 'nodePerThread: first' 'samples: 2' 'placements: 1' "$@" >t.args
		"$AFFINITY" --quiet t.args - | sed -n '/^+ Verdict$/{n; s/^ - //p}'
	}
	[[ $(found 'kernels: null fp_add fp_mul int_add') =~ ^Time\ per\ [a-z]+:\ fp_add\ .*\ ns,\ fp_mul\ .*\ ns,\ int_add\ .*\ ns\.$ ]]
	[[ $(found 'kernels: fp_add' 'sweep: passes = 20000 40000' 'passes: $passes') =~ ^Time\ per\ add\ of\ fp_add:\ .*from\ .*\ ns\ \(passes\ [24]0000\)\ to\ .*\ ns\ \(passes\ [24]0000\) ]]
	local memory=('nodePerVector: first' 'sizePerVector: 1MiB' 'vectorPerThread: 0')
	[[ $(found 'kernels: load' "${memory[@]}") =~ ^Bandwidth:\ load\ .*\ GB/s\ \(.+\)\.$ ]]
	# a table says what the file is about
	[[ $(found 'kernels: load' "${memory[@]}" 'sweep: x = 1 2' 'passes: $x' 'table: cost rows=x') =~ ^Cost\ of\ load:\ .*\(x\ 1\) ]]
}
