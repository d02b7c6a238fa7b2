#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# affinity-map --try with programs of Debian, from the command to the line to paste: one thread, threads of their own (xz,
# sort), OpenMP (msgmerge).

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	MAP=$AFFINITY-map
	unset LD_PRELOAD OMP_NUM_THREADS OMP_PLACES OMP_PROC_BIND GLIBC_TUNABLES
	[ "$(nproc)" -ge 2 ] || skip "this machine has one CPU"
	awk 'BEGIN { srand(1); for (i = 0; i < 40000; i++) print rand(), "line", i % 977 }' >text
}

# tried PROGRAM ARG...: it races to its end; what the best line prints is what the program prints by itself.
tried() {
	command -v "$1" >/dev/null || skip "$1 is not installed"
	"$@" >expected 2>/dev/null
	try "$MAP" --try --mapping compact --threads 2 --tolerance 50% --budget 1min --out report --json out.json -- "$@"
	[ "$status" -eq 0 ]
	cat report
	jq -e '.program == "affinity-map --try" and .rounds >= 3
		and ([.candidates[].name] | index("as it is") != null and any(startswith("compact of 2")))
		and all(.candidates[]; .result != "failed" and .rounds >= 3 and .rounds == (.values | length) and all(.values[]; . > 0))
		and any(.candidates[]; .result == "left")' out.json
	grep -Eq '^run: |^the unchanged command is among the best|^nothing is shown to be better' report
	# each line works without affinity
	local command
	while IFS= read -r command; do
		echo "running: $command"
		bash -c "$command" >found 2>/dev/null
		cmp expected found
	done < <(jq -r '.candidates[].command' out.json)
}

@test "a program of one thread: gzip" { tried gzip -n -9 -c text; }

@test "a program with threads of its own: xz" {
	tried xz -c -1 -T2 --block-size=256KiB text
}

@test "a program with threads of its own: sort" { tried sort --parallel=2 -S 8M text; }

@test "a program with OpenMP: msgmerge" {
	local file
	for file in a b; do
		awk -v f="$file" 'BEGIN { print "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n"
			for (i = 0; i < 400; i++) printf "msgid \"message %d of %s, which is %d\"\nmsgstr \"%s\"\n\n", i, f, i * 7919 % 401,
				f == "a" ? "translated" : "" }' >"$file.po"
	done
	command -v msgmerge >/dev/null || skip "msgmerge is not installed"
	ldd "$(command -v msgmerge)" | grep -q libgomp || skip "this msgmerge has no OpenMP"
	tried msgmerge -q -o - a.po b.po
}

@test "a program of floating point: awk" {
	tried awk 'BEGIN { for (i = 1; i < 300000; i++) s += sin(i) * sqrt(i); print s }'
}
