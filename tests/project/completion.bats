#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of options, keys, values, kernels and files, in bash, zsh and fish, as installed.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup_file() {
	local build=${AFFINITY_BUILD:-build} root
	root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	# the programs, and what completes them
	(cd "$root" && PREFIX=$BATS_FILE_TMPDIR/p scripts/packaging/install "$build" programs scripts experiments completions)
}

setup() {
	driver_setup
	installed=$BATS_FILE_TMPDIR/p
	PATH=$installed/bin:$PATH
	touch one.args two.json
}

# What bash puts there for the last word of a command line, one candidate a line.
in_bash() { # WORD...; = is a word of its own, as in bash
	bash --norc --noprofile -c '
		source "$0"
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
		_affinity
		printf "%s\n" "${COMPREPLY[@]}"' "$installed/share/bash-completion/completions/${1##*/}" "$@"
}

@test "bash completes options of each program" {
	same "--plan" "$(in_bash affinity --pl)"
	same "--pairs
--plan" "$(in_bash affinity-map --p | sort | sed /profile/d)"
	same "--simulate" "$(in_bash affinity-rhp --si)"
	same "--undo" "$(in_bash affinity-frag --u)"
	same "--version" "$(in_bash affinity-report --v)"
	same "--results" "$(in_bash affinity-ejec --resul)"
	same "--mnemonics" "$(in_bash affinity-mix --m)"
	same "--threads" "$(in_bash affinity-profile --t)"
	same "--mixes" "$(in_bash affinity-npb --m)"
	local program
	for program in affinity affinity-map affinity-report affinity-frag affinity-fleet affinity-rhp; do
		same "$("$program" --help | sed -n 's/^  *\(--[a-z-]*\).*/\1/p' | sort)" "$(in_bash "$program" -- | sort)"
	done
}

@test "bash completes kernels, keys and values" {
	same "pingpong" "$(in_bash affinity --help pingp)"
	same "keys" "$(in_bash affinity --help key)"
	same "pingpong" "$(in_bash affinity --list pingp)"
	same "" "$(in_bash affinity --list key)"
	same "kernels=" "$(in_bash affinity --set kern)"
	same "read
read_write
read_write_read
read_O0
read_write_O0
read_write_read_O0" "$(in_bash affinity --set opType = read)"
	same "compact" "$(in_bash affinity --set mapping = co)"
	same "scatter" "$(in_bash affinity --set mapping = | sed -n 2p)"
	same "mapping=
mappingBy=" "$(in_bash affinity-ejec --quick --set mapping)"
	same "pingpong" "$(in_bash affinity-mix pingp)"
	same "matrix/core_to_core
matrix/core_to_core_home" "$(in_bash affinity --experiments matrix/core)"
}

@test "bash completes files where files stand, and commands after --" {
	same "one.args" "$(in_bash affinity --plan on)"
	same "two.json" "$(in_bash affinity --json tw)"
	same "two.json" "$(in_bash affinity --json = tw)"
	same "one.args" "$(in_bash affinity-ejec on)"
	same "affinity-rhp" "$(in_bash affinity-rhp -- affinity-rh)"
	same "two.json" "$(in_bash affinity-rhp -- cat tw)"
	same "" "$(in_bash affinity-frag --leave '')"
}

@test "fish completes options, keys and kernels" {
	command -v fish >/dev/null || skip "fish is not installed"
	in_fish() {
		HOME=$PWD XDG_DATA_HOME=$PWD fish --no-config -c "source $installed/share/fish/vendor_completions.d/affinity.fish
			complete -C '$1'" | cut -f 1
	}
	same "--plan" "$(in_fish 'affinity --pl')"
	same "--simulate" "$(in_fish 'affinity-rhp --si')"
	same "pingpong" "$(in_fish 'affinity --help pingp')"
	same "kernels=" "$(in_fish 'affinity --set kern')"
	same "mapping=compact" "$(in_fish 'affinity --set mapping=co')"
	same "one.args" "$(in_fish 'affinity --plan on')"
}

@test "zsh completes options, keys and kernels" {
	command -v zsh >/dev/null || skip "zsh is not installed"
	# A terminal of zsh's own, in which Tab completes a line.
	# shellcheck disable=SC2016 # zsh's
	in_zsh() {
		INSTALLED=$installed HOME=$PWD TERM=dumb timeout 120 zsh -f -c '
			zmodload zsh/zpty
			zpty z zsh -f
			zpty -w z "PS1=; unsetopt zle_bracketed_paste; fpath=($INSTALLED/share/zsh/site-functions \$fpath); autoload -Uz compinit; compinit -u -D; setopt no_beep no_list_beep; bindkey \"^I\" complete-word; x() { print -r -- \"<\$BUFFER>\"; BUFFER=; zle .accept-line }; zle -N x; bindkey \"^X\" x; print ready"
			zpty -r z line "*ready*ready*" || true
			zpty -n -w z "$1"$'"'\\t'"'
			zpty -n -w z $'"'\\x18'"'
			zpty -r z line "*<*>*"
			print -r -- "${${line##*<}%%>*}"
			zpty -d z' zsh "$1"
	}
	same "affinity --plan " "$(in_zsh 'affinity --pl')"
	same "affinity --help pingpong " "$(in_zsh 'affinity --help pingp')"
	same "affinity --set kernels=" "$(in_zsh 'affinity --set kern')"
	same "affinity --set mapping=compact " "$(in_zsh 'affinity --set mapping=comp')"
	same "affinity --json two.json " "$(in_zsh 'affinity --json tw')"
}

@test "the compiler's own options are completed, and their words" {
	[ -x "$installed/share/affinity/scripts/affinity-cc" ] || skip "the compiler pass is not built"
	in_bash affinity-cc --pa >found
	grep -qx -- '--pass=half' found
	in_bash affinity-c++ --pass = ha >found
	same half "$(cat found)"
	in_bash affinity-cc one >found
	same one.args "$(cat found)"
}
