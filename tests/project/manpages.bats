#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The manual pages that make install makes: complete, and roff that no tool complains of.

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	driver_setup
	build=${AFFINITY_BUILD:-build}
	[[ $build == /* ]] || build=$root/$build
	programs=$(dirname -- "$AFFINITY")
	(cd "$root" && scripts/packaging/man "${AFFINITY_BUILD:-build}" "$BATS_TEST_TMPDIR/man")
}

# The plain words of a page: no fonts, no escapes.
plain() { # PAGE
	sed 's/\\f[BIR]//g; s/\\-/-/g; s/\\e/\\/g; s/\\&//g' "man/$1"
}

@test "each program's page has all its options" {
	local program option n=0
	for program in affinity affinity-map affinity-report affinity-frag affinity-fleet affinity-rhp; do
		plain $program.1 >page
		while read -r option; do
			grep -qE -- "^(-[^ ]*, )?$option([ ,]|\$)" page || { echo "$program.1 lacks $option" && false; }
			n=$((n + 1))
		done < <("$programs/$program" --help | grep -oE '^ +--?[a-z-]+' | tr -d ' ')
	done
	[ "$n" -gt 40 ]
}

@test "the page of argument files has all keys, and all kernels" {
	plain affinity-args.5 >page
	local word
	while read -r word; do
		grep -qE "^(.*, )?$word(\$|,)" page || { echo "affinity-args.5 lacks $word" && false; }
	done < <("$AFFINITY" --help keys | sed -n 's/^  \([a-zA-Z]*\) .*/\1/p' &&
		"$AFFINITY" --list "*" | sed 's/ .*//')
}

@test "tables, lists, links and code of a chapter become roff" {
	cat >chapter.md <<-'END'
		# Title

		## A `head`

		A [link](to.md#there) and `a-b`, **strong**.
		'quoted' .

		| key | values | default | meaning |
		| --- | --- | --- | --- |
		| `a` | `x\|y` | | first |

		- item
		  of two lines
		1. number

		```sh
		.begin \
		```
	END
	cat >expected <<-'END'
		.SH "A HEAD"
		A link and \fBa\-b\fR, \fIstrong\fR. 'quoted' .
		.TP
		\fBa\fR
		values: \fBx|y\fR. first
		.IP \(bu 2
		item of two lines
		.IP 1. 4
		number
		.PP
		.RS 4
		.nf
		\&.begin \e
		.fi
		.RE
	END
	awk -v form=chapter -f "$root/scripts/packaging/roff.awk" chapter.md | diff expected -
}

@test "mandoc finds nothing to complain of" {
	command -v mandoc >/dev/null || skip "mandoc is not installed"
	[ "$(printf '%s\n' man/* | wc -l)" -eq 15 ]
	mandoc -T lint man/* >complaints || true
	same "" "$(cat complaints)"
}
