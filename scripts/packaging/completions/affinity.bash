# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Completion for bash; ../../complete knows what there is. bash-completion finds it installed; else source it.

# The script that knows lies below the folder of the program.
_affinity_complete() { # PROGRAM BEFORE WORD
	local path at
	path=$(realpath -- "$(type -P -- "$1")" 2>/dev/null) || return 0
	for at in "${path%/*}/complete" "${path%/*}/scripts/complete" "${path%/*}/../share/affinity/scripts/complete"; do
		[[ ! -x $at ]] || { "$at" "$path" "$2" "$3" 2>/dev/null && return; }
	done
}

# bash divides words at =, so KEY=VALUE is joined again; what is before the = must not be part of a candidate.
_affinity() {
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} cut='' line i
	COMPREPLY=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} != -- ]] || { _affinity_command && return; }
	done
	[[ $word != = ]] || { cut="$before=" && word='' && before=${COMP_WORDS[COMP_CWORD - 2]}; }
	[[ $before != = || $COMP_CWORD -lt 3 ]] || { cut="${COMP_WORDS[COMP_CWORD - 2]}=" && before=${COMP_WORDS[COMP_CWORD - 3]}; }
	[[ $cut != --*= ]] || { before=${cut%=} && cut=''; }
	while IFS= read -r line; do
		line=${line%%$'\t'*}
		case $line in
		:files) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
		:commands) mapfile -t COMPREPLY < <(compgen -c -- "$word") ;;
		"$cut$word"*) COMPREPLY+=("${line#"$cut"}") ;;
		esac
	done < <(_affinity_complete "${COMP_WORDS[0]}" "$before" "$cut$word")
	[[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
}

# After -- stand a command and its arguments, for affinity-map several, divided by :.
_affinity_command() {
	case $before in
	-- | :) mapfile -t COMPREPLY < <(compgen -c -- "$word") ;;
	*) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
	esac
}

complete -F _affinity affinity affinity-map affinity-report affinity-frag affinity-fleet affinity-rhp affinity-ejec affinity-health affinity-mix \
	affinity-profile affinity-npb affinity-programs affinity-compare-equals affinity-cc affinity-c++ ejec.sh
