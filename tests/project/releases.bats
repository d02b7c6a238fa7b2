#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Other Debian releases: scripts/releases says why it cannot make their roots; make check-turns: Debian 13 builds without a
# warning and passes the unit tests, in a root that is made here once. make check-releases runs make check-all in each
# release, and the public checks run in each of them.

bats_require_minimum_version 1.5.0 # run --separate-stderr

setup() {
	cd "$BATS_TEST_DIRNAME/../.." || return 1
	# make's own flags (-j of the make that runs these tests) would reach the make below
	unset MAKEFLAGS MFLAGS
}

# with NAME=TEXT...: scripts/releases with these commands, whose standard output is TEXT, and the options of `options`.
options=()
with() {
	local pair
	mkdir -p "$BATS_TEST_TMPDIR/bin"
	for pair; do
		printf '#!/bin/bash\n%s\n' "${pair#*=}" >"$BATS_TEST_TMPDIR/bin/${pair%%=*}"
		chmod +x "$BATS_TEST_TMPDIR/bin/${pair%%=*}"
	done
	AFFINITY_CACHE=$BATS_TEST_TMPDIR/cache PATH=$BATS_TEST_TMPDIR/bin:$PATH run --separate-stderr scripts/releases "${options[@]}" 13
	# shellcheck disable=SC2154 # stderr is set by run
	echo "$status: $output $stderr"
}

@test "without root, a right, a tool, sources or a network the reason is told, with status 77" {
	with 'id=echo 1000'
	[ "$status" -eq 77 ]
	[ "$stderr" = "releases: roots of other releases need root (mounts and chroot)" ]
	with 'id=echo 0' 'mmdebstrap=exit 0' 'unshare=exit 1'
	[ "$status" -eq 77 ]
	[ "$stderr" = "releases: this process may not mount anything" ]
	with 'unshare=exit 0' 'apt-get=exit 0'
	[ "$status" -eq 77 ]
	[ "$stderr" = "releases: this machine has no apt sources whose mirror could serve" ]
	with 'apt-get=echo mirror' 'mmdebstrap=echo "E: cannot resolve" >&2; exit 100'
	[ "$status" -eq 77 ]
	[[ $stderr == *"E: cannot resolve"*"releases: mmdebstrap could not make a root of 13 (no network?): "* ]]
	[ ! -e "$BATS_TEST_TMPDIR/cache/releases/13" ]
	# shellcheck disable=SC2016 # for the fakes to expand; the lock's descriptor is not passed on
	with 'mmdebstrap=[ ! -e /dev/fd/9 ] && mkdir -p "${@: -2:1}/etc"' 'unshare=[ "$2" = true ] || { echo "E: no mirror answers"; exit 100; }'
	[ "$status" -eq 77 ]
	[[ $stderr == *"E: no mirror answers"*"releases: apt-get has no lists of packages for 13 (no network?): "* ]]
}

@test "what fails in a release is told, with status 1, and what differs there is copied anew" {
	local tree=$BATS_TEST_TMPDIR/cache/releases/13/affinity
	# shellcheck disable=SC2016 # for the fakes to expand
	with 'id=echo 0' 'apt-get=echo mirror' 'mmdebstrap=mkdir -p "${@: -2:1}/etc"' \
		'unshare=[ "$2" = true ] || [[ ${*: -1} != *check-all ]] || { echo "not ok 7 something"; exit 1; }'
	[ "$status" -eq 1 ]
	[[ $output == *"not ok 7 something"*"releases: 13: failed; its whole output is in "* ]]
	[ -e "$tree/Makefile" ]
	# an object that is made of another Makefile, newer than this one
	mkdir "$tree/build"
	echo other >"$tree/Makefile"
	touch "$tree/gone.c"
	sleep 0.1
	touch "$tree/build/object.o"
	with 'unshare=exit 0'
	[ "$status" -eq 0 ]
	[ ! -e "$tree/gone.c" ]
	cmp Makefile "$tree/Makefile"
	[ "$tree/Makefile" -nt "$tree/build/object.o" ]
	[ "$tree/README.md" -ot "$tree/build/object.o" ]
	[[ $output == *"releases: 13: passed" ]]
}

@test "from an unpacked tarball its files are copied, and no program that was built" {
	local copy=$BATS_TEST_TMPDIR/tarball tree=$BATS_TEST_TMPDIR/cache/releases/13/affinity
	mkdir -p "$copy/scripts" "$copy/build"
	cp scripts/releases scripts/private.bash "$copy/scripts"
	cd "$copy"
	touch Makefile affinity affinity-map build/main.o
	# shellcheck disable=SC2016 # for the fakes to expand
	with 'id=echo 0' 'apt-get=echo mirror' 'mmdebstrap=mkdir -p "${@: -2:1}/etc"' 'unshare=exit 0'
	[ "$status" -eq 0 ]
	[ "$(cd "$tree" && find . -type f | sort | tr '\n' ' ')" = './Makefile ./scripts/private.bash ./scripts/releases ' ]
}

@test "--quick runs every unit test in the release" {
	# In place of a root the tree in it, without the setup of libraries; what make would build are two tests.
	# shellcheck disable=SC2016 # for the fakes to expand
	local fakes=('id=echo 0' 'apt-get=echo mirror' 'mmdebstrap=mkdir -p "${@: -2:1}/etc"' 'mount=' 'pkg-config='
		'unshare=[ "$2" = true ] || { shift; exec "$@"; }'
		'chroot=cd "$1/affinity" && echo exit >scripts/setup && for last; do :; done && exec sh -c "${last#cd /affinity && }"'
		'make=mkdir -p build/tests/unit/x && cd build/tests/unit/x
for t in a b; do printf "#!/bin/sh\necho ran $t >>ran\n$fault\n" >${t}_test; chmod +x ${t}_test; done')
	options=(--quick)
	fault=true with "${fakes[@]}"
	[ "$status" -eq 0 ]
	[[ $output == *"releases: 13: passed" ]]
	[ "$(<"$BATS_TEST_TMPDIR/cache/releases/13/affinity/ran")" = $'ran a\nran b' ]
	export fault='echo not ok 1 a case; exit 1'
	with "${fakes[@]}"
	[ "$status" -eq 1 ]
	[[ $output == *"not ok 1 a case"*"releases: 13: failed; "* ]]
}

@test "wrong usage is exit 2" {
	run --separate-stderr scripts/releases --frob
	[ "$status" -eq 2 ]
	[ "$stderr" = "releases: unknown option '--frob'; scripts/releases --help lists the options" ]
	run --separate-stderr scripts/releases 9
	[ "$status" -eq 2 ]
	[ "$stderr" = "releases: unknown release '9'; there are 11, 12, 13, testing and unstable" ]
}

@test "the oldest libraries of scripts/setup are those that CONTRIBUTING.md names" {
	local name version
	while read -r name version; do
		tr '\n' ' ' <CONTRIBUTING.md | grep -qiE "(lib)?$name ${version}[,.:]? " || { echo "$name $version" && return 1; }
	done < <(sed -n 's/.*| module \([a-z]*\) \([0-9.]*\) .*/\1 \2/p' scripts/setup)
}

# An error with -Werror, and only there.
@test "no unit test uses what cmocka 2 calls deprecated" {
	run ! grep -rnE '\b(assert|expect)_(not_)?in_(range|set)\b' tests/unit
}

@test "the public checks run on the releases that scripts/releases tries" {
	[ "$(sed -n 's/.*release: \[\(.*\)\]/\1/p' .github/workflows/check.yml | tr -d '",' | sed 's/debian://g')" = "12 13 testing" ]
	grep -q 'set -- 12 13 testing$' scripts/releases
}

@test "Debian 13 builds without a warning, and its unit tests pass" {
	[ -n "${AFFINITY_TURNS-}" ] || skip "takes minutes: make check-turns"
	run --separate-stderr timeout 900 scripts/releases --quick 13
	echo "$output $stderr"
	[ "$status" -ne 124 ] || skip "a root of Debian 13, the build and the unit tests take over 15 minutes here"
	[ "$status" -ne 77 ] || skip "${stderr##*releases: }"
	[ "$status" -eq 0 ]
}
