#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# make deb: the package is built from the committed sources, lintian accepts it, it is installed into a root of its own,
# runs there, and leaves nothing when it is removed.

bats_require_minimum_version 1.5.0 # run --separate-stderr
# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"

# Not every bats can skip in setup_file.
obstacle() { # REASON
	printf '%s' "$1" >"$BATS_FILE_TMPDIR/obstacle"
}

setup_file() {
	local root=$BATS_TEST_DIRNAME/../.. tool
	for tool in dpkg-buildpackage dh git; do
		command -v "$tool" >/dev/null || { obstacle "$tool is not installed (scripts/setup packages)" && return; }
	done
	dpkg-checkbuilddeps "$root/scripts/packaging/debian/control" ||
		{ obstacle "what the package needs to be built is not installed (make setup)" && return; }
	# the sources as they are here, committed in a repository of their own
	mkdir "$BATS_FILE_TMPDIR/sources"
	cd "$root" || return 1
	git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$BATS_FILE_TMPDIR/sources"
	cd "$BATS_FILE_TMPDIR/sources" || return 1
	git init -q .
	git -c user.name=a -c user.email=a@b add -A
	git -c user.name=a -c user.email=a@b commit -qm all
	git tag 1.0
	unset MAKEFLAGS MFLAGS MAKELEVEL BUILD PREFIX DESTDIR
	DEBFULLNAME='A Tester' DEBEMAIL=tester@example.org scripts/packaging/deb "$BATS_FILE_TMPDIR/made" >"$BATS_FILE_TMPDIR/path"
}

setup() {
	[ ! -e "$BATS_FILE_TMPDIR/obstacle" ] || skip "$(cat "$BATS_FILE_TMPDIR/obstacle")"
	package=$(cat "$BATS_FILE_TMPDIR/path")
	unset AFFINITY_BUILD # that of an installed program is its own
	cd "$BATS_TEST_TMPDIR" || return 1
}

@test "lintian finds no error and no warning" {
	command -v lintian >/dev/null || skip "lintian is not installed (scripts/setup packages)"
	# nobody intends to upload it
	lintian --allow-root --suppress-tags initial-upload-closes-no-bugs "$package" | grep -E '^[EW]:' >found || true
	same "" "$(cat found)"
}

@test "installed into a root of its own the package runs; removed, it leaves nothing" {
	[ "$(id -u)" -eq 0 ] || skip "only root installs packages"
	local here=$PWD
	mkdir -p root/var/lib/dpkg/{info,updates}
	touch root/var/lib/dpkg/{status,available}
	# what it depends on is in the root of this machine
	dpkg --root="$here/root" --force-depends --force-script-chrootless --no-triggers -i "$package" >log 2>&1 || { cat log && false; }
	[ "$(root/usr/bin/affinity --version | cut -d ' ' -f 2)" = 1.0 ]
	root/usr/bin/affinity --plan root/usr/share/affinity/args/quickstart/1_one_thread.args >plan
	grep -q '^vector 0' plan
	root/usr/bin/affinity-ejec --dry-run root/usr/share/affinity/args/quickstart >runs
	[ -s runs ]
	root/usr/bin/affinity-map --mapping compact --out report -- true
	[ "$(root/usr/bin/affinity-mix read | wc -l)" -gt 1 ]
	[ -e root/usr/share/man/man5/affinity-args.5.gz ]
	# the product is whole: programs with their pages, the compiler's plug-in and what it links, headers, schemas
	local name
	for name in affinity affinity-{map,report,frag,fleet,rhp,ejec,health,mix,profile,npb,programs,compare-equals,cc,c++}; do
		[ -x "root/usr/bin/$name" ]
		[ -e "root/usr/share/man/man1/$name.1.gz" ]
	done
	compgen -G 'root/usr/lib/affinity/affinity-pass-*.so'
	[ -e root/usr/lib/affinity/libaffinity-inserted.so ]
	[ -e root/usr/include/affinity-spm.h ]
	[ -e root/usr/include/affinity-rhp.h ]
	same "$(cd "$BATS_TEST_DIRNAME/../../results" && printf '%s\n' schema-*.json)" "$(cd root/usr/share/affinity/schemas && printf '%s\n' *)"
	if command -v clang >/dev/null; then
		echo 'int main(void) { return 0; }' >empty.c
		root/usr/bin/affinity-cc -O1 empty.c -o empty
		./empty
	fi
	dpkg --root="$here/root" --force-depends --no-triggers --purge affinity >log 2>&1 || { cat log && false; }
	same "" "$(find root -type f ! -path 'root/var/*')"
	same "" "$(find root -path root/var -prune -o -name '*affinity*' -print)"
}
