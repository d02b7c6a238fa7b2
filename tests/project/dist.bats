#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The version of the sources, and the tarball of make dist that keeps it.

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

setup() {
	root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
	cd "$BATS_TEST_TMPDIR" || return 1
	command -v git >/dev/null || skip "git is not installed"
	export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null GIT_CEILING_DIRECTORIES=
	export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
	unset MAKEFLAGS MFLAGS MAKELEVEL GIT_DIR GIT_WORK_TREE
	mkdir -p sources/scripts/packaging
	cp "$root"/scripts/packaging/{version,dist} sources/scripts/packaging/
	version=sources/scripts/packaging/version
}

committed() { # MESSAGE
	git -C sources add -A
	git -C sources commit -q --allow-empty -m "$1"
}

@test "the version is the tag, what came after it, or the commit" {
	git init -q sources
	committed one
	same "$(git -C sources rev-parse --short HEAD)" "$($version)"
	git -C sources tag 1.2
	git -C sources tag not-a-release
	same 1.2 "$($version)"
	committed two
	same "1.2-1-g$(git -C sources rev-parse --short HEAD)" "$($version)"
	echo >>"$version"
	[[ $($version) == 1.2-1-g*-dirty ]]
}

@test "sources in another repository do not take its version" {
	git init -q .
	git commit -q --allow-empty -m outer
	git tag 9.9
	same unversioned "$($version)"
	echo 1.2 >sources/.version
	same 1.2 "$($version)"
}

@test "a tarball holds the commit and its version, and is the same each time" {
	git init -q sources
	committed one
	git -C sources tag 1.2
	sources/scripts/packaging/dist first >path
	same "$PWD/first/affinity-1.2.tar.gz" "$(cat path)"
	sleep 1.1
	sources/scripts/packaging/dist second >path
	cmp first/affinity-1.2.tar.gz second/affinity-1.2.tar.gz
	git init -q .
	git commit -q --allow-empty -m outer
	tar -xzf first/affinity-1.2.tar.gz
	same 1.2 "$(affinity-1.2/scripts/packaging/version)"
	same "affinity-1.2/.version
affinity-1.2/scripts/packaging/dist
affinity-1.2/scripts/packaging/version" "$(find affinity-1.2 -type f | sort)"
}

@test "changes that are not committed are refused, and so is a tarball of a tarball" {
	git init -q sources
	committed one
	echo >>"$version"
	run --separate-stderr sources/scripts/packaging/dist out
	[ "$status" -eq 1 ]
	same "dist: there are changes that are not committed: git status shows them" "$stderr"
	echo 1.2 >sources/.version
	run --separate-stderr sources/scripts/packaging/dist out
	[ "$status" -eq 1 ]
	same "dist: these sources are from a tarball themselves" "$stderr"
}
