#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What must hold after a program was interrupted or starved; part of tests/torture/torture.
# shellcheck disable=SC2154 # variables of torture

# Keeps the files of the case.
fault() { # TEXT [DETAIL]...
	local kept=${FOUND:-$root/build/torture}/$seed-$case
	faults=$((faults + 1))
	complain "case $case of seed $seed: $1" "  $what: exit $code" "  ${*:2}" "  files: $kept"
	mkdir -p "$kept"
	cp -a "$scratch/case/." "$kept/" 2>/dev/null || true
}

# start COMMAND...: in a session of its own, so that what it leaves behind is found, with the signals of a shell's
# foreground. Sets pid, which is the session's number too.
start() {
	(trap - INT QUIT HUP TERM && exec env "TMPDIR=$tmp" setsid "$@") </dev/null >"$scratch/case/told" 2>"$complaints" &
	pid=$!
}

# The processes of the session, and those that are in sessions of their own (ejec.sh starts affinity so): these have
# the case's TMPDIR. A process that ended and was not waited for is none.
left_processes() {
	local path stat number
	for path in /proc/[0-9]*/stat; do
		read -r stat <"$path" || continue
		number=${stat%% *} stat=${stat##*) }
		# state, parent, group, session
		[[ $stat == [ZX]* ]] || { read -r _ _ _ stat _ <<<"$stat" && [[ $stat != "$pid" ]]; } || printf '%s\n' "$number"
	done 2>/dev/null
	grep -lzsxF "TMPDIR=$tmp" /proc/[0-9]*/environ | cut -d / -f 3 || true
}

# Waits for the program started last; sets code. A program that does not end in 30 s is killed, and is a fault.
finish() {
	local i
	code=0
	for ((i = 0; i < 300; i++)); do
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.1
	done
	if ((i == 300)); then
		code=hangs
		fault "it does not end" "$(cat "/proc/$pid/wchan" 2>/dev/null)"
		kill -s KILL -- "-$pid" 2>/dev/null || true
	fi
	wait "$pid" 2>/dev/null || code=$?
}

nothing_left() {
	local i left files
	for ((i = 0; i < 20; i++)); do
		left=$(left_processes | sort -u | xargs)
		[[ -n $left ]] || break
		sleep 0.1
	done
	if [[ -n $left ]]; then
		fault "processes are left" "$(for i in $left; do tr '\0' ' ' <"/proc/$i/cmdline" 2>/dev/null; done)"
		# shellcheck disable=SC2086 # numbers
		kill -s KILL $left 2>/dev/null || true
	fi
	files=$(find "$scratch/case" -name '.affinity-*' -o -path "$tmp/*")
	[[ -z $files ]] || fault "temporary files are left" "$files"
}

# exit_is STATUS...
exit_is() {
	[[ $code != hangs ]] || return 0
	[[ " $* " == *" $code "* ]] || fault "an exit status that the manual does not know" "$(tail -n 2 "$complaints" 2>/dev/null)"
	if grep -qE 'Sanitizer|runtime error:|Assertion|stack smashing|corrupted|double free' "$complaints" 2>/dev/null; then
		fault "it crashes" "$(head -n 3 "$complaints")"
	fi
}

# A program that ends by itself, and not well, says why.
says_why() {
	[[ $code == 0 || $code == hangs ]] || ((code > 128)) || [[ -s $complaints ]] || fault "it does not say why"
}

earlier() { # FILE...
	local file
	for file; do
		echo earlier >"$file"
	done
}

is_earlier() { [[ -f $1 && $(head -c 8 "$1") == earlier ]]; }

# The files of a run of affinity are all as they were or all new. Sets new.
together() { # NAME
	local file old=0
	new=0
	for file in "$1.json" "$1.csv" "$1.txt"; do
		if is_earlier "$file"; then
			old=$((old + 1))
		elif [[ -s $file ]]; then
			new=$((new + 1))
		fi
	done
	((new == 3 || old == 3 || (new == 0 && old == 0))) || fault "results are mixed" "$new new, $old old"
	if ((new == 3)); then
		"$root/tests/fuzz/judge" "$1.json" "$1.csv" "$1.txt" >"$scratch/judged" 2>&1 || fault "figures that cannot be" "$(head -n 3 "$scratch/judged")"
		grep -q '^ - elapsed: ' "$1.txt" || fault "the text is not whole"
	fi
}

# affinity, after whatever.
measured_or_not() {
	together o
	[[ $code != 0 || $new == 3 ]] || fault "exit 0 without results"
	if [[ $code == 1 && $new == 3 ]]; then
		grep -q "^  hint: the results are written" "$complaints" || # a picture had no room
			fault "exit 1 with results" "$(tail -n 2 "$complaints")"
	fi
	# a second signal, and SIGQUIT, end it without a word
	if [[ " 129 130 143 152 " == *" $code "* && -z ${second-} && $new == 3 ]]; then
		jq -e .interrupted o.json >/dev/null ||
			grep -q "^affinity: interrupted while '.*' was drawn; the results are written" "$complaints" ||
			fault "exit $code with results that are not interrupted" "$(tail -n 2 "$complaints")"
	fi
	says_why
	nothing_left
}

# A file that is whole by its last line, or as it was.
whole_or_earlier() { # FILE LAST-LINE
	is_earlier "$1" || [[ $(tail -n 1 "$1" 2>/dev/null) == *"$2"* ]] || fault "half a file" "$1"
	[[ $code != 0 ]] || ! is_earlier "$1" || fault "exit 0 without results"
}
