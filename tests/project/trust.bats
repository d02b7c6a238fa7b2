#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What no source does, because somebody else may have named the file or set the variable.

shopt -s extglob

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return 1
}

# none PATTERN WHERE...: no line has it.
none() {
	local pattern=$1
	shift
	run grep -rnE "$pattern" "$@" --include='*.[ch]' --include='*.cpp'
	echo "$output"
	[ "$status" -eq 1 ]
}

# same_files "FILE...": these were found.
same_files() {
	echo "$output"
	[ "$(sort <<<"$output" | xargs)" = "$1" ]
}

@test "what goes into programs of others trusts no environment of a setuid program" {
	none '(^|[^_a-z])getenv *\(' src/runtimes/inserted src/runtimes/spm src/runtimes/rhp src/runtimes/preload src/core/hugepages
	# who walks through the environment asks first
	grep -rlE '\benviron\b' src/runtimes/inserted src/runtimes/spm src/runtimes/rhp src/runtimes/preload/affinity-* src/core/hugepages | xargs grep -L AT_SECURE >"$BATS_TEST_TMPDIR/bare" || true
	[ ! -s "$BATS_TEST_TMPDIR/bare" ]
}

@test "no program gives a text to a shell" {
	# src/runtimes/preload/common/exec.c has them for programs of others
	none '(^|[^_a-z.>*])(popen|system) *\([^)]' src/{core,tools,runtimes/!(preload)}/
	none '"(/bin/)?(ba|da)?sh"' src
}

@test "files are written in one place, which follows no planted link" {
	run grep -rlE 'O_CREAT|mkstemp|(fopen|freopen) *\([^)]*"[wa]|\<creat *\(|\<rename *\(' src --include='*.c'
	# what is of a command's own memory, and what goes into programs of others
	same_files "src/core/base/output.c src/runtimes/inserted/log.c src/tools/affinity-frag/record.c"
}

@test "scripts have one place for what everyone may write to, and no name there that somebody can foresee" {
	run grep -rnE '[:=]-/tmp' scripts
	echo "$output"
	[ "${#lines[@]}" -eq 1 ]
	[[ ${lines[0]} == scripts/private.bash:* ]]
	run grep -rnE 'mktemp($|[^ ]| +[^-]|.*mktemp.*\)[^"; ]*[./])' scripts
	echo "$output"
	[ "$status" -eq 1 ]
}
