# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# Runs jq with what must hold of results: what tests/fuzz/*.jq define, each file with what stands before it.

rules_of=$(dirname "$(realpath "${BASH_SOURCE[0]}")")

# jq 1.8.2 crashes where a library includes another (https://github.com/jqlang/jq/issues/3597), so that all is one program.
rules_program() { # PROGRAM
	local name
	for name in estimates figures claims ratios formats; do
		cat "$rules_of/$name.jq"
	done
	printf '%s\n' "$1"
}

with_rules() { # PROGRAM [OPTION|FILE...]
	jq --slurpfile students_t "$rules_of/students_t.json" -f <(rules_program "$1") "${@:2}"
}
