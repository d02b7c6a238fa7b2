#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/ejec.sh as a user sees it, with a driver that only writes down how it was called.
# shellcheck disable=SC2030,SC2031 # each test is a process of its own

bats_require_minimum_version 1.5.0 # run --separate-stderr

setup() {
	[[ -z ${AFFINITY_LOCALE-} ]] || export LC_ALL=$AFFINITY_LOCALE
	cd "$BATS_TEST_TMPDIR" || return 1
	ejec=$BATS_TEST_DIRNAME/../../scripts/ejec.sh
	log=$PWD/log host=$(uname -n | cut -d. -f1)
	export log AFFINITY="$PWD/a driver"
	write_driver
	mkdir suite
}

# What an argument file says decides what the driver does: impossible, bad, broken, slow, crash, foreign, or anything.
write_driver() {
	cat >"$AFFINITY" <<'END'
#!/usr/bin/env bash
printf '%s|' "$@" >>"$log"
echo >>"$log"
finish() { # INTERRUPTED EXIT-STATUS
	[[ -z $sets ]] || sets=$'\n  "'${sets//$'\n'/$'",\n  "'}$'"\n '
	rm -f -- "$json" "$csv" "$out" # the driver replaces files, too
	text=$(awk '{ gsub(/"/, "\\\""); printf "%s\\n", $0 }' "$args")
	printf '{\n "text": "%s",\n "set": [%s],\n "of": "%s",\n "interrupted": %s\n}\n' "$text" "$sets" "$what" "$1" >"$json"
	printf 'report of %s\n' "$args" | tee "$csv" >"$out"
	[[ $what != verdict ]] || printf '\n+ Verdict\n - read 2.17 us +- 0.05; quiet\n\n+ Machine\n - no\n' >>"$out"
	exit "$2"
}
plan=no sets= matrix=
while [[ $1 == --* ]]; do
	case $1 in
	--plan) plan=yes ;;
	--json) json=$2 && shift ;;
	--csv) csv=$2 && shift ;;
	--matrix) matrix=$2 && shift ;;
	--experiments) exit ;;
	--topology)
		[[ -n $matrix ]] && grep -q useless "$matrix" || exit 0
		printf '%s: no figure shows memory alone\n  hint: --quick is too small\n' "$matrix" >&2
		exit 2
		;;
	--export-memattrs)
		! grep -q useless "$3" || printf '%s: no figure shows memory alone\n' "$3" >&2
		! grep -q useless "$3"
		exit
		;;
	--set) sets+=${sets:+$'\n'}$2 && shift ;;
	esac
	shift
done
args=$1 out=${2-}
what=$(cat -- "$args")
case $plan,$what in
yes,impossible)
	printf 'affinity: warning: a guest\n%s:2: let: needs a second node\n  hint: see --topology\n' "$args" >&2
	exit 3
	;;
yes,slowplan)
		trap 'exit 130' INT
		touch started
		for _ in {1..100}; do sleep 0.1; done
		;;
yes,takes*) echo "about ${what#takes } s, guessing 5 ns an access" ;;
yes,bad) printf '%s:1: unknown key "strid"\n%s:4: stride = 0 is too small\n' "$args" "$args" >&2 && exit 2 ;;
no,guest*)
	printf 'affinity: warning: a guest: virtual_machine = yes\n  hint: read the spread\n' >&2
	printf 'affinity: warning: read: %s\n  hint: of this file\n' short >&2
	finish false 0
	;;
no,broken) echo "affinity: no memory left" >&2 && exit 1 ;;
no,crash) kill -s SEGV $$ ;;
*,foreign) kill -s ILL $$ ;;
no,slow)
	trap 'sleep 0.2; finish true 130' INT
	touch started
	for _ in {1..100}; do sleep 0.1; done
	;;
esac
[[ $plan == yes ]] || finish false 0
END
	chmod +x "$AFFINITY"
}

measured() { # the argument files measured, in order
	sed -n 's/.*|--csv|[^|]*|\([^|]*\)|[^|]*|$/\1/p' "$log"
}

# Bash starts what it runs in the background with SIGINT and SIGQUIT ignored, nohup with SIGHUP; a terminal with none.
ejec_in_background() {
	env --default-signal=INT,QUIT,HUP "$ejec" "$@" >output 2>&1 3>&- &
	batch=$!
	for _ in {1..1200}; do
		[[ ! -e started ]] || return 0
		sleep 0.1
	done
	return 1
}

@test "files of a folder are measured in the order of their names" {
	mkdir suite/inner
	touch suite/{b,a,c}.args suite/inner/d.args suite/notes.txt
	run sh "$ejec" -o out suite # as the thesis does
	[ "$status" -eq 0 ]
	[ "$(measured | paste -sd ' ')" = "suite/a.args suite/b.args suite/c.args suite/inner/d.args" ]
	for name in suite/{a,b,c} inner/d; do
		[ -s "out/$host/$name.txt" ]
		[ -s "out/$host/$name.json" ]
		[ -s "out/$host/$name.csv" ]
	done
}

@test "a pipe named like an argument file is told and left out" {
	touch suite/a.args
	mkfifo suite/b.args
	run timeout 120 "$ejec" -o out suite
	[ "$status" -eq 0 ]
	[ "$(measured)" = suite/a.args ]
	[[ $output == *"ejec.sh: 'suite/b.args' is a pipe or a device, no argument file: left out"* ]]
}

@test "without a name the suites are listed and nothing is planned or measured" {
	run --separate-stderr "$ejec" -o out --quick
	[ "$status" -eq 2 ]
	[ "$(cat log)" = "--experiments|" ]
	[ "$stderr" = "ejec.sh: nothing is measured: name suites, files or folders; args is all of them" ]
	[ ! -e out ]
}

@test "a suite of the project's own args/ needs no path, and args is all of them, from any folder" {
	run "$ejec" -o out --dry-run quickstart
	[ "$status" -eq 0 ]
	[[ $output == *"/args/quickstart/1_one_thread.args -> out/$host/quickstart/1_one_thread.txt"* ]]
	[[ $output != *pruebas* ]]
	mkdir latency
	touch latency/mine.args
	run "$ejec" -o out --dry-run latency
	[[ $output == *"latency/mine.args -> out/$host/latency/mine.txt"* ]]
	[[ $output != *staircase* ]]
	run "$ejec" -o out --dry-run args
	[ "$status" -eq 0 ]
	[[ $output == *"/args/pruebas_solape/lr.args -> out/$host/pruebas_solape/lr.txt"* ]]
	[[ $output == *"-> out/$host/pruebas_un_hilo/stride.txt"* ]]
}

@test "every file is planned before the first is measured" {
	touch suite/{a,b}.args
	"$ejec" -o out suite
	[ "$(cut -d '|' -f 1 log | paste -sd ' ')" = "--topology --plan --plan --json --json" ]
}

@test "what the machine cannot place is skipped with its reason" {
	echo impossible >suite/far.args
	touch suite/near.args
	run "$ejec" -o out suite
	[ "$status" -eq 0 ]
	[ "$(measured)" = suite/near.args ]
	[[ $output == *"suite/far   skipped       0.0  let: needs a second node"* ]]
	[[ $output == *"suite/near  ok  "* ]]
	[ ! -e "out/$host/suite/far.txt" ]
}

@test "the end of a batch says what was found" {
	echo verdict >suite/a.args
	touch suite/b.args
	run "$ejec" -o out suite
	[ "$status" -eq 0 ]
	[[ $output =~ suite/a\ +ok\ +[0-9.]+\ \ "read 2.17 us +- 0.05; quiet"$'\n' ]]
	[[ $output =~ suite/b\ +ok\ +[0-9.]+$'\n' ]]
}

@test "a bad file fails with all its messages and does not stop the rest" {
	echo bad >suite/a.args
	touch suite/b.args
	run "$ejec" -o out suite
	[ "$status" -eq 1 ]
	[[ $output == *'suite/a.args:1: unknown key "strid"'* ]]
	[[ $output == *'suite/a.args:4: stride = 0 is too small'* ]]
	[[ $output == *'failed        0.0  unknown key "strid"'* ]]
	[ "$(measured)" = suite/b.args ]
}

@test "a run that fails is told with its message and does not stop the rest" {
	echo broken >suite/a.args
	echo crash >suite/b.args
	touch suite/c.args
	echo foreign >suite/d.args
	run "$ejec" -o out suite
	[ "$status" -eq 1 ]
	[[ $output =~ suite/a\ +failed\ .*"no memory left" ]]
	[[ $output =~ suite/b\ +failed\ .*"exit status 139" ]]
	[[ $output =~ suite/d\ +failed\ .*"exit status 132: this CPU lacks an instruction of the build; build on a machine of its kind" ]]
	[[ $output =~ suite/c\ +ok ]]
}

@test "--resume leaves out what has newer results and measures what changed" {
	touch suite/{a,b,c,d}.args
	"$ejec" -o out suite
	touch -d '1 minute ago' suite/{a,c,d}.args
	touch -d '1 minute' suite/b.args
	printf '{"cut": ' >"out/$host/suite/c.json"
	rm "out/$host/suite/d.json"
	: >log
	run "$ejec" -o out --resume suite
	[ "$status" -eq 0 ]
	[ "$(measured | paste -sd ' ')" = "suite/b.args suite/c.args suite/d.args" ]
	[[ $output =~ suite/a\ +kept ]]
}

@test "--resume goes by the text of a file, not by its name and date alone" {
	mkdir -p "ä b/suite"
	printf '%s\n' 'a "quoted" line' >suite/a.args
	cp suite/a.args "ä b/suite/a.args"
	touch -d '1 minute ago' suite/a.args "ä b/suite/a.args"
	"$ejec" -o out suite
	run "$ejec" -o out --resume "ä b"
	[[ $output =~ suite/a\ +kept ]]
	# another file of this name, and a file that went back to an earlier state
	for file in "ä b/suite" suite; do
		echo "$file" >"$file/a.args"
		touch -d '1 minute ago' "$file/a.args"
		run "$ejec" -o out --resume "$file"
		[[ $output =~ suite/a\ +ok ]]
	done
}

@test "--resume measures again what a trial or a Ctrl-C left" {
	touch -d '1 minute ago' suite/{a,b}.args
	"$ejec" -o out --set numIter=2 --set warmup=0 suite
	run "$ejec" -o out --resume --set numIter=2 --set warmup=0 suite
	[[ $output =~ suite/a\ +kept.*suite/b\ +kept ]]
	: >log
	"$ejec" -o out --resume suite
	[ "$(measured | wc -l)" -eq 2 ]
	sed -i 's/false/true/' "out/$host/suite/b.json"
	: >log
	"$ejec" -o out --resume suite
	[ "$(measured)" = suite/b.args ]
}

@test "--dry-run plans and lists, and writes nothing" {
	touch suite/a.args
	echo impossible >suite/b.args
	run "$ejec" -o out --dry-run suite
	[ "$status" -eq 0 ]
	[[ $output == *"run     suite/a.args -> out/$host/suite/a.txt"* ]]
	[[ $output == *"skipped suite/b.args: let: needs a second node"* ]]
	[ -z "$(measured)" ]
	[ ! -e out ]
}

@test "--quick makes runs short, keeps its results apart and lets --set win" {
	touch suite/{a,b}.args
	"$ejec" -o out --quick --set numIter=5 suite
	grep -qxF -- "--set|quick=yes|--set|numIter=5|--plan|suite/a.args|" log
	grep -qxF -- "--set|quick=yes|--set|numIter=5|--plan|suite/b.args|" log
	grep -q -- '^--set|quick=yes|--set|numIter=5|--json|' log
	[ -s "out/$host/quick/suite/a.json" ]
}

@test "--quick takes what a file says in its quick lines, and --set still wins" {
	printf '# quick: sweep=d = 0 500\n' >suite/a.args
	touch suite/b.args
	"$ejec" -o out --quick --set numIter=5 suite
	grep -qxF -- "--set|quick=yes|--set|sweep=d = 0 500|--set|numIter=5|--plan|suite/a.args|" log
	grep -qxF -- "--set|quick=yes|--set|numIter=5|--plan|suite/b.args|" log
	: >log
	"$ejec" -o out suite
	run ! grep -q sweep log
}

@test "what was not measured leaves its reason beside the results until it is" {
	echo impossible >suite/a.args
	echo bad >suite/b.args
	run "$ejec" -o out suite
	[ "$(cat "out/$host/suite/a.skipped")" = "skipped: let: needs a second node" ]
	[ "$(cat "out/$host/suite/b.skipped")" = 'failed: unknown key "strid"' ]
	: >suite/a.args
	run "$ejec" -o out suite
	[ ! -e "out/$host/suite/a.skipped" ]
	[ -e "out/$host/suite/b.skipped" ]
}

@test "--report makes a page at the end, and its failure is one" {
	touch suite/a.args # the driver here writes no document that could be shown
	run "$ejec" -o out --report suite
	[ "$status" -eq 1 ]
	[[ $output == *"a.json: "*"; it is left out"* ]]
	run "$ejec" -o out suite
	[ "$status" -eq 0 ]
}

@test "--show prints each report and at the end says where they lie" {
	touch suite/a.args
	run --separate-stderr "$ejec" -o out --show suite
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "report of suite/a.args" ]
	[ "${lines[-1]}" = "results: out/$host/EXPERIMENT.{txt,json,csv}" ]
}

@test "progress goes to standard error, only the summary to standard output" {
	touch suite/{a,b}.args
	run --separate-stderr "$ejec" -o out suite
	[ "${#lines[@]}" -eq 4 ]
	# shellcheck disable=SC2154 # set by run --separate-stderr
	[[ ${stderr_lines[2]} == *"[2/2] suite/b (elapsed 0:00:0"*", remaining 0:00:0"* ]]
}

@test "the time that is left goes by what the plans cost, not by their number" {
	echo 'takes 1.2e+03' >suite/a.args
	echo 'takes 40' >suite/b.args
	run --separate-stderr "$ejec" --dry-run -o out suite
	[ "${stderr_lines[-1]}" = "ejec.sh: 2 to run, 0 kept, 0 skipped, 0 failed, about 0:20:40" ]
	run --separate-stderr "$ejec" -o out suite
	[[ ${stderr_lines[1]} == *"[1/2] suite/a (elapsed 0:00:0"*", remaining 0:20:40)" ]]
	[[ ${stderr_lines[2]} == *"[2/2] suite/b (elapsed 0:00:0"*", remaining 0:00:0"* ]]
	# one that has no guess
	touch suite/c.args
	run --separate-stderr "$ejec" --dry-run -o other suite
	[ "${stderr_lines[-1]}" = "ejec.sh: 3 to run, 0 kept, 0 skipped, 0 failed" ]
	run --separate-stderr "$ejec" -o other suite
	[[ ${stderr_lines[1]} == *"remaining not known yet)" ]]
}

@test "what a state of the machine spoils is told once a batch, what is wrong with a file each time" {
	printf guest >suite/a.args
	printf guest2 >suite/b.args
	run --separate-stderr "$ejec" suite
	[ "$status" -eq 0 ]
	# shellcheck disable=SC2154 # stderr is set by run
	[ "$(grep -c 'virtual_machine = yes' <<<"$stderr")" -eq 1 ]
	[ "$(grep -c 'hint: read the spread' <<<"$stderr")" -eq 1 ]
	[ "$(grep -c 'warning: read: short' <<<"$stderr")" -eq 2 ]
	[ "$(grep -c 'hint: of this file' <<<"$stderr")" -eq 2 ]
}

@test "Ctrl-C reaches the driver, keeps what was measured and sums up" {
	touch suite/a.args suite/c.args
	echo slow >suite/b.args
	ejec_in_background -o out suite
	kill -INT "$batch"
	wait "$batch" || status=$?
	[ "$status" -eq 130 ]
	grep -q 'interrupted": false' "out/$host/suite/a.json"
	grep -q 'interrupted": true' "out/$host/suite/b.json"
	[ ! -e "out/$host/suite/c.json" ]
	grep -q '^suite/a  *ok ' output
	grep -q '^suite/b  *stopped ' output
	grep -q '^1 not run' output
}

@test "Ctrl-C while a file is planned fails no file and leaves no reason" {
	echo slowplan >suite/a.args
	ejec_in_background -o out suite
	kill -INT "$batch"
	wait "$batch" || status=$?
	[ "$status" -eq 130 ]
	[ ! -e "out/$host/suite/a.skipped" ]
	grep -q '^1 not run' output
	run ! grep -q failed.*130 output
}

@test "Ctrl-C at the very beginning leaves no temporary folder" {
	mkdir -p bin tmp
	# the folder exists, and nobody knows its name yet
	# shellcheck disable=SC2016 # for the stand-in to expand
	printf '%s\n' '#!/bin/sh' "made=\$($(command -v mktemp) \"\$@\")" 'kill -INT 0' 'echo "$made"' >bin/mktemp
	chmod +x bin/mktemp
	printf 'plain\n' >suite/a.args
	run env PATH="$PWD/bin:$PATH" TMPDIR="$PWD/tmp" setsid -w "$ejec" -o out suite
	echo "$output"
	[ "$status" -eq 130 ]
	[ -z "$(ls -A tmp)" ]
}

@test "a signal amid two substitutions, which bash cannot handle, ends the batch like Ctrl-C" {
	local scripts
	scripts=$(dirname "$ejec")
	mkdir -p copy/scripts tmp
	cp "$scripts"/{ejec.sh,private.bash,planning.bash,earlier.bash,slurm.bash} copy/scripts
	# shellcheck disable=SC2016 # the script's own
	sed -i '/^tally() {/i twice() { local a b; a=$(kill -HUP $$ && echo) b=$(echo); }' copy/scripts/planning.bash
	sed -i 's/^\tplan_all$/&\n\ttwice/' copy/scripts/ejec.sh
	printf 'plain\n' >suite/a.args
	run env --default-signal=HUP TMPDIR="$PWD/tmp" copy/scripts/ejec.sh -o out suite
	echo "$output"
	# 129 where bash can
	[ "$status" -eq 130 ] || [ "$status" -eq 129 ]
	[ ! -e "out/$host/suite/a.txt" ]
	[ -z "$(ls -A tmp)" ]
	# shellcheck disable=SC2016
	run grep -nE '[$][(][^()]*[)].*[$][(][^(]' "$scripts/ejec.sh" "$scripts"/{planning,slurm}.bash
	echo "$output"
	[ "$status" -eq 1 ]
}

@test "a second Ctrl-C ends a driver that does not end, and nothing is left of it" {
	echo slow >suite/a.args
	touch suite/b.args
	sed -i "s/trap 'sleep 0.2; finish true 130' INT/trap 'touch asked' INT/" "$AFFINITY"
	ejec_in_background -o out suite
	kill -INT "$batch"
	for _ in {1..1200}; do
		[ ! -e asked ] || break
		sleep 0.1
	done
	kill -INT "$batch"
	wait "$batch" || status=$?
	[ "$status" -eq 130 ]
	grep -q '^suite/a  *stopped ' output
	grep -q '^1 not run' output
	[ -z "$(find out -name '*.skipped')" ]
}

@test "a TERM signal ends the batch like Ctrl-C, and the driver keeps what it has" {
	echo slow >suite/a.args
	ejec_in_background -o out suite
	kill -TERM "$batch"
	wait "$batch" || status=$?
	[ "$status" -eq 143 ]
	grep -q 'interrupted": true' "out/$host/suite/a.json"
}

@test "Ctrl-\\ ends the batch like Ctrl-C, and leaves no driver behind" {
	echo slow >suite/a.args
	ejec_in_background -o out suite
	kill -QUIT "$batch"
	wait "$batch" || status=$?
	[ "$status" -eq 131 ]
	grep -q 'interrupted": true' "out/$host/suite/a.json"
}

@test "after SIGKILL the driver keeps what it has and ends" {
	setpriv --pdeathsig INT true 2>/dev/null || skip "setpriv has no --pdeathsig here"
	echo slow >suite/a.args
	ejec_in_background -o out suite
	kill -KILL "$batch"
	for _ in {1..1200}; do
		! grep -qs 'interrupted": true' "out/$host/suite/a.json" || return 0
		sleep 0.1
	done
	return 1
}

@test "a terminal that closes sends two HUP signals, and the driver keeps what it has" {
	echo slow >suite/a.args
	ejec_in_background -o out suite
	kill -HUP "$batch"
	sleep 0.05 # else the shell sees one
	kill -HUP "$batch"
	wait "$batch" || status=$?
	[ "$status" -eq 129 ]
	grep -q 'interrupted": true' "out/$host/suite/a.json"
}

@test "names with spaces, dashes and glob characters work" {
	mkdir 'two words' ./-n
	touch 'two words/a [1]* b.args' ./-n/-x.args
	run "$ejec" -o 'my results' 'two words' -- -n
	[ "$status" -eq 0 ]
	[ -s "my results/$host/two words/a [1]* b.txt" ]
	[ -s "my results/$host/-n/-x.txt" ]
}

@test "files of the same name in different folders keep separate results" {
	mkdir -p p/suite q/suite
	echo p >p/suite/a.args
	echo q >q/suite/a.args
	echo other >suite/a.args
	run "$ejec" -o out p/suite q/suite suite p/suite/a.args
	[ "$status" -eq 0 ]
	[ "$(measured | wc -l)" -eq 3 ]
	[ "$(find out -name '*.json' | wc -l)" -eq 3 ]
	# the second one's are named after its whole path, as the first one's without its suffix
	[ -e "$(echo out/*/suite/a.json)" ]
	[ -e "$(echo out/*/"$PWD"/q/suite/a.json)" ]
	# and with it where nothing else tells them apart
	echo plain >q/suite/a
	run -0 "$ejec" --thesis -o new p/suite q/suite
	[ "$(cd new/*/ && find . -name '*.json' | sort)" = "$(printf '%s\n' "./suite/a.json" ".$PWD/q/suite/a.json" ".$PWD/q/suite/a.args.json" | sort)" ]
}

@test "--version is that of the driver, and nothing is run" {
	printf '#!/bin/sh\necho affinity 1.2-3-gabc\n' >"$AFFINITY"
	for option in -V --version; do
		run -0 --separate-stderr "$ejec" "$option" suite
		[ "$output" = "${ejec##*/} 1.2-3-gabc" ]
		[ -z "$stderr" ]
	done
}

@test "a folder of results that cannot be made ends a batch before anything is measured" {
	echo ok >suite/a.args
	echo kept >file
	run -1 --separate-stderr "$ejec" -o file suite
	[ "$stderr" = "ejec.sh: 'file' is no folder that can be written; nothing was run" ]
	[ -z "$output" ]
	run -1 --separate-stderr "$ejec" --results file/below suite
	[ "$stderr" = "ejec.sh: 'file/below' is no folder that can be written; nothing was run" ]
	[ ! -e log ]
	[ "$(<file)" = kept ]
}

@test "an unknown option and a missing value are wrong usage" {
	touch suite/a.args
	for wrong in --frob -x --set -o '--set numIter' '--set =3'; do
		# shellcheck disable=SC2086 # words on purpose
		run "$ejec" suite $wrong
		[ "$status" -eq 2 ]
		[[ $output == *"--help lists the options" ]]
	done
	[ ! -e log ]
}

@test "files that do not exist are all told before anything runs" {
	touch suite/a.args
	mkdir empty
	run "$ejec" -o out suite/a.args nowhere.args suite/gone.args empty
	[ "$status" -eq 2 ]
	[[ $output == *"'nowhere.args' does not exist"* ]]
	[[ $output == *"'suite/gone.args' does not exist"* ]]
	[[ $output == *"'empty' holds no *.args file"* ]]
	[ ! -e log ]
}

@test "a driver that is not built is told with what to do" {
	touch suite/a.args
	AFFINITY=./none run "$ejec" suite
	[ "$status" -eq 1 ]
	[[ $output == *"no driver at './none'; run make first" ]]
}

@test "a folder of one machine's results that cannot be made fails the file, with its reason" {
	mkdir out
	touch suite/a.args "out/$host"
	run "$ejec" -o out suite
	[ "$status" -eq 1 ]
	[[ $output == *"Not a directory"* ]]
}

@test "a folder of the thesis's own files is found with a hint, and runs with an option" {
	mkdir -p pruebas_un_hilo/pruebas_b
	printf 'opType: read\n' >pruebas_un_hilo/args1
	printf 'opType: write\n' >pruebas_un_hilo/pruebas_b/args2
	printf 'no experiment\n' >pruebas_un_hilo/salidaVisual
	run "$ejec" -o out pruebas_un_hilo
	[ "$status" -eq 2 ]
	[[ $output == *"ejec.sh: 'pruebas_un_hilo' holds no *.args file
ejec.sh:   hint: 'pruebas_un_hilo/args1' looks like an argument file: --thesis takes files without a suffix"* ]]
	[ ! -e log ]
	run "$ejec" -o out --thesis pruebas_un_hilo
	[ "$status" -eq 0 ]
	[ "$(find out -name '*.txt' | sed "s|^out/$host/||" | sort | paste -sd ' ')" = "pruebas_b/args2.txt pruebas_un_hilo/args1.txt" ]
	printf 'anything\n' >suite/notes
	run "$ejec" -o out suite
	[[ $output != *hint:\ \'* ]]
}

@test "results go beside their files with --beside, and are no experiments of the next run" {
	mkdir pruebas_a
	printf 'opType: read\n' >pruebas_a/uno
	printf 'opType: read\n' >pruebas_a/dos.args
	for _ in 1 2; do
		run "$ejec" --thesis --beside pruebas_a
		[ "$status" -eq 0 ]
		[[ $output == *"results: beside each file, salida_FILE.{txt,json,csv}"* ]]
		[ "$(cd pruebas_a && echo *)" = "dos.args salida_dos.csv salida_dos.json salida_dos.txt salida_uno.csv salida_uno.json salida_uno.txt uno" ]
	done
	run "$ejec" --thesis --beside --resume pruebas_a
	[[ $output == *"0 to run, 2 kept"* ]]
	run "$ejec" --beside --report pruebas_a
	[ "$status" -eq 2 ]
	[[ $output == *"--report needs the results in one folder; leave out --beside"* ]]
}

@test "with --beside, too, earlier results are kept, and have names" {
	unset AFFINITY
	local affinity
	affinity=$(realpath "$BATS_TEST_DIRNAME/../../affinity")
	printf '%s\n' 'kernels: read' 'nodePerThread: first' 'nodePerVector: first' 'vectorPerThread: 0' 'sizePerVector: 64KiB' \
		'samples: 2' 'placements: 1' >suite/one.args
	for _ in 1 2; do
		run --separate-stderr "$ejec" --beside suite
		[[ $output != *" skipped "* ]] || skip "this machine cannot place a thread and a vector: $output"
		[ "$status" -eq 0 ]
		[ -e 1.json ] || cp suite/salida_one.json 1.json
		run --separate-stderr "$affinity" --compare suite/salida_one@last suite/salida_one
		[ -d suite/.history ] || [ "${stderr%%$'\n'*}" = "affinity: no earlier result of 'suite/salida_one' is kept" ]
	done
	[ "$status" -eq 0 ]
	cmp 1.json suite/.history/salida_one@*.json
	[ "$(find suite/.history -type f | wc -l)" -eq 3 ]
	# no experiments, also for --thesis
	run --separate-stderr "$ejec" --thesis --dry-run suite
	[ "$(grep -c ^run <<<"$output")" -eq 1 ]
}

@test "what cannot be kept is not replaced, and what is no whole result is kept, too" {
	touch suite/a.args
	mkdir -p "out/$host/suite"
	echo by hand >"out/$host/suite/a.txt"
	"$ejec" -o out suite
	[ "$(cat out/.history/"$host/suite/a@"*.txt)" = "by hand" ]
	echo '{"half": ' >"out/$host/suite/a.json"
	"$ejec" -o out suite
	[ "$(find out/.history -name '*.json' -exec cat {} +)" = '{"half": ' ]
	rm -r out/.history
	touch out/.history
	cp "out/$host/suite/a.json" before.json
	: >log
	run "$ejec" -o out suite
	[ "$status" -eq 1 ]
	[[ $output =~ suite/a\ +failed\ +0.*' its earlier result would be lost, as it cannot be kept: mkdir: ' ]]
	[ -z "$(measured)" ]
	cmp before.json "out/$host/suite/a.json"
}

@test "a second batch into the same folder is refused while the first one runs" {
	command -v flock >/dev/null || skip "flock is not installed"
	printf 'slow\n' >suite/a.args
	ejec_in_background -o out suite
	run "$ejec" -o out suite
	[ "$status" -eq 1 ]
	[ "$output" = "ejec.sh: another batch writes to 'out/$host'; nothing was run
ejec.sh:   hint: wait for it, or name another folder: --results DIR" ]
	run "$ejec" -o out --dry-run suite
	[ "$status" -eq 0 ]
	kill -s INT "$batch"
	wait "$batch" || true
	run "$ejec" -o out --dry-run suite
	[ "$status" -eq 0 ]
	[ "$(measured | wc -l)" -eq 1 ]
}

@test "the measured matrix of nodes, where there is one, is given to every run" {
	touch suite/a.args
	mkdir -p "out/$host/matrix"
	run "$ejec" -o out suite
	[ "$status" -eq 0 ]
	run ! grep -q -e --matrix log
	echo '{}' >"out/$host/matrix/latency.json"
	rm log
	run "$ejec" -o out suite
	[ "$status" -eq 0 ]
	[ "$(grep -c -e "--matrix|out/$host/matrix/latency.json|" log)" -eq 3 ] # one question, the plan, the run
	# the matrix itself is measured anew: one file cannot be read and replaced
	mkdir matrix
	touch matrix/latency.args
	rm log
	run "$ejec" -o out suite matrix
	[ "$status" -eq 0 ]
	[ "$(grep -c -e '--matrix|.*|suite/a.args|' log)" -eq 2 ]
	grep '|matrix/latency.args|' log >matrix.log
	[ "$(wc -l <matrix.log)" -eq 2 ]
	run ! grep -q -e --matrix matrix.log
}

@test "measured bandwidths, where there are some, are given to the files that weigh nodes by them" {
	echo 'nodePerVector: weighted:measured' >suite/a.args
	echo '# no weighted:measured' >suite/b.args
	run "$ejec" -o out suite
	run ! grep -q -e --bandwidths log
	mkdir -p "out/$host/matrix"
	echo '{}' >"out/$host/matrix/bandwidth_one.json"
	rm log
	run "$ejec" -o out suite
	[ "$status" -eq 0 ]
	[ "$(grep -c -e "--bandwidths|out/$host/matrix/bandwidth_one.json|.*suite/a.args|" log)" -eq 2 ] # the plan, the run
	[ "$(grep -c -e --bandwidths log)" -eq 2 ]
	# all cores of a node rather than one, and those of a whole batch for a trial
	echo '{}' >"out/$host/matrix/bandwidth.json"
	rm log
	run "$ejec" -o out --quick --set nodePerVector=weighted:measured suite/b.args
	[ "$(grep -c -e "--bandwidths|out/$host/matrix/bandwidth.json|.*suite/b.args|" log)" -eq 2 ]
	# those that nobody can use are not given, and this is said once
	echo useless >"out/$host/matrix/bandwidth.json"
	rm log
	run "$ejec" -o out suite
	[ "$status" -eq 0 ]
	[ "$(grep -c "ejec.sh: weighted:measured cannot go by 'out/$host/matrix/bandwidth.json': no figure shows memory alone" <<<"$output")" -eq 1 ]
	[ "$(grep -c -e "--bandwidths|out/$host/matrix/bandwidth_one.json|.*suite/a.args|" log)" -eq 2 ]
}

@test "a matrix that the batch measured and nobody can use is left out from there on, and said" {
	mkdir matrix
	echo useless >matrix/latency.args
	touch suite/a.args
	mkdir -p "out/$host/matrix"
	echo '{}' >"out/$host/matrix/latency.json"
	run "$ejec" -o out matrix suite
	[ "$status" -eq 0 ]
	[[ $output == *"ejec.sh: far() and near() cannot go by 'out/$host/matrix/latency.json': no figure shows memory alone
ejec.sh: from here on far() and near() go by the node distances"* ]]
	[ "$(grep '|suite/a.args|' log | grep -c -e --matrix)" -eq 1 ] # it was planned before
	# the next batch begins without it and says why
	rm log
	run "$ejec" -o out suite
	[ "$status" -eq 0 ]
	[ "$(grep -c "cannot go by" <<<"$output")" -eq 1 ]
	[ "$(grep '|suite/a.args|' log | grep -c -e --matrix)" -eq 0 ]
	# one that can be used is used from there on
	: >matrix/latency.args
	rm log
	run "$ejec" -o out matrix suite
	[ "$status" -eq 0 ]
	[[ $output == *"ejec.sh: from here on far() and near() go by 'out/$host/matrix/latency.json'"* ]]
	[ "$(grep '|suite/a.args|' log | grep -c -e --matrix)" -eq 1 ]
}

@test "--quick goes by the newest matrix that can be used, a trial's or that of a whole batch" {
	mkdir -p matrix "out/$host/matrix"
	echo useless >matrix/latency.args
	touch suite/a.args
	echo '{}' >"out/$host/matrix/latency.json"
	run "$ejec" -o out --quick matrix suite
	[ "$status" -eq 0 ]
	[[ $output == *"cannot go by 'out/$host/quick/matrix/latency.json': no figure shows memory alone"* ]]
	[[ $output != *"from here on"* ]]
	[ "$(grep '|suite/a.args|' log | grep -c -e "--matrix|out/$host/matrix/latency.json|")" -eq 2 ]
	# a whole batch does not go by a trial
	echo '{}' >"out/$host/quick/matrix/latency.json"
	rm -r "out/$host/matrix" log
	run "$ejec" -o out suite
	[ "$(grep -c -e --matrix log)" -eq 0 ]
	run "$ejec" -o out --quick suite
	[ "$(grep '|suite/a.args|' log | grep -c -e "--matrix|out/$host/quick/matrix/latency.json|")" -eq 2 ]
}

@test "the real driver takes the matrix of an earlier batch, and the batch measures it again" {
	# shellcheck source=tests/helper.bash
	source "$BATS_TEST_DIRNAME/../helper.bash"
	find_obstacle
	skip_obstacle
	export AFFINITY
	local batch
	printf '%s\n' "opType: read" "nodePerThread: first" "nodePerVector: first" "tamPerVector: 4KiB" "vectorPerThread: 0" >suite/a.args
	for batch in 1 2; do
		run "$ejec" -o out --set tamPerVector=64KiB --set placements=1 --set mode=time:1ms --set numIter=3 suite/a.args "$root/args/matrix/latency.args"
		echo "$output"
		[ "$status" -eq 0 ]
		[[ $output =~ suite/a\ +ok\ .*matrix/latency\ +ok\  ]]
		# a matrix counts only where memory serves it and nothing disturbs it, and that takes long here
		[[ $batch == 2 ]] || sed -i 's/"times_caches": [^,]*/"times_caches": 64/; s/"measure_again": true/"measure_again": false/' "out/$host/matrix/latency.json"
	done
	grep -q '"far_by": "node_distances"' "out/$host/matrix/latency.json"
	grep -q "\"far_by\": \"out/$host/matrix/latency.json\"" "out/$host/suite/a.json"
}

@test "what is there already is kept by its date, and --compare finds it by its name" {
	command -v jq >/dev/null || skip "jq is not installed (make setup installs it)"
	unset AFFINITY
	printf '%s\n' 'kernels: read' 'nodePerThread: first' 'nodePerVector: first' 'vectorPerThread: 0' 'sizePerVector: 64KiB' \
		'samples: 2' 'placements: 1' 'disturbedAbove: 100%' >suite/one.args
	rows() { "$affinity" --compare "$@" | grep -E '^ +read '; }
	local affinity name=$host/suite/one number date
	affinity=$(realpath "$BATS_TEST_DIRNAME/../../affinity")
	for number in 1 2 3; do
		run --separate-stderr "$ejec" -o results suite
		[[ $output != *" skipped "* ]] || skip "this machine cannot place a thread and a vector: $output"
		[ "$status" -eq 0 ]
		cp "results/$name.json" "$number.json"
	done
	date=$(jq -r .environment.date 1.json)
	[ "$(find results/.history -name '*.json' | wc -l)" -eq 2 ]
	cmp 1.json "results/.history/$name@$date.json"
	[ -s "results/.history/$name@$date.txt" ]
	[ -s "results/.history/$name@$date.csv" ]
	[ -n "$(rows 1.json 3.json)" ]
	# in the folder of results and above it, and with the folder's name
	for number in "$name" "results/$name" "$PWD/results/$name"; do
		[ "$(rows 1.json 3.json)" = "$(rows "$number@$date" "$number")" ]
		[ "$(rows 2.json 3.json)" = "$(rows "$number@last" "$number")" ]
	done
	[ "$(rows 2.json 3.json)" = "$(cd results && rows "$name@${date%%-*}" "$name")" ]
	run --separate-stderr "$affinity" --compare "$name@1999" "$name"
	[ "$status" -eq 2 ]
	date=$(jq -r .environment.date 2.json)
	[[ $stderr == "affinity: no result '$name@1999' is kept
  hint: the newest one that is kept is $name@$date"* ]]
	for number in none@last none "$name@" "$name@last@last"; do
		run --separate-stderr "$affinity" --compare "$number" "$name"
		[ "$status" -eq 2 ]
		[[ $stderr == "affinity: there is no result '$number'
  hint: name a file, or HOST/SUITE/EXPERIMENT of results/ in the current folder: "* ]]
	done
	# a name is a whole history: what is kept, and the present one
	date=$(jq -r .environment.date 1.json)
	history_of() { "$affinity" --history "$1" --compare 2.json 3.json 2>&1; }
	[[ $(history_of "$name") == *" - 1 of 3 results are used"* ]]
	[[ $(history_of "$name") == *" - left out: results/$name.json: the same result is there already"* ]]
	[[ $(history_of "results/$name@${date%%-*}") == *" - 1 of 2 results are used"* ]]
	[[ $(history_of "$name@$date") == *" - 1 of 1 result is used"* ]]
	[[ $(history_of "$name@last,$name@$date") == *" - 1 of 2 results are used"* ]]
	[[ $(history_of "$name@1999") == *"affinity: no result '$name@1999' is kept"* ]]
	[[ $(history_of none) == *"affinity: there is no result 'none'"* ]]
	# a page and what is told of nodes are of the present ones
	run "$affinity-fleet" results
	[[ $output == *" - 1 result"*" of 1 node"* ]]
	"$BATS_TEST_DIRNAME/../../affinity-report" -o page.html "results/$host"
	run ! grep -F "@" <(grep -o '<h[23][^>]*>[^<]*' page.html)
	run ! grep -F ".history" page.html
}
