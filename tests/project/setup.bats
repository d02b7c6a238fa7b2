#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/setup on machines we lack: an empty PATH with package managers that only write down what they are
# asked for, and then pretend to have installed it.

bats_require_minimum_version 1.5.0 # run !

setup() {
	script=$BATS_TEST_DIRNAME/../../scripts/setup
	bin=$BATS_TEST_TMPDIR/bin log=$BATS_TEST_TMPDIR/log here=$BATS_TEST_TMPDIR/installed
	export log here bin OS_RELEASE=$BATS_TEST_TMPDIR/os-release PACMAN_SYNC=$BATS_TEST_TMPDIR
	export PYTHON=$bin/python3
	mkdir "$bin" "$here"
	touch "$log"
	local tool
	for tool in bash env cat ln mktemp rm; do
		ln -s "$(command -v "$tool")" "$bin/$tool"
	done
	user 0
	printf '#!/bin/bash\nexec env PATH="%s" "$@"\n' "$bin" >"$BATS_TEST_TMPDIR/there"
	chmod +x "$BATS_TEST_TMPDIR/there"
}

fake() { # NAME: what standard input says
	{
		echo '#!/bin/bash'
		cat
	} >"$bin/$1"
	chmod +x "$bin/$1"
}

user() { # ID
	fake id <<<"echo $1"
}

# A package manager that installs everything but $refused. Tools exist from the first installation on, and
# pkg-config knows a library whose package has been installed.
manager() { # NAME DISTRIBUTION
	echo "ID=$2" >"$OS_RELEASE"
	fake "$1" <<'END'
echo "${0##*/} $*" >>"$log"
[[ " $* " == *" install "* || $1 == -S ]] || exit 0
[[ -z $refused || " $* " != *" $refused "* ]] || exit 1
for package in "$@"; do : >"$here/${package##*/}"; done
for tool in gcc make clang llvm-symbolizer gnuplot lstopo-no-graphics prove bats shellcheck clang-format objdump ld.lld pigz msgmerge openssl pgrep jq valgrind python3 Rscript mandoc zsh fish chromium; do
	ln -sf "$bin/true" "$bin/$tool"
done
ln -sf "$bin/found" "$bin/pkg-config"
END
	fake true <<<'exit 0'
	# shellcheck disable=SC2016 # for the fake to expand
	fake found <<<'known=("$here"/*"$2"*); [[ -e ${known[0]} ]]'
}

there() {
	"$BATS_TEST_TMPDIR/there" "$script" "$@"
}

@test "Debian gets its packages without a question, after one apt-get update" {
	manager apt-get debian
	run there build
	[ "$status" -eq 0 ]
	[[ $output == *"setup: installing gcc libc6-dev make pkg-config libnuma-dev libhwloc-dev libgsl-dev libjansson-dev"* ]]
	[ "$(grep -cx 'apt-get update' "$log")" -eq 1 ]
	grep -q '^apt-get install -y --no-install-recommends gcc .* libjansson-dev$' "$log"
	grep -q 'libpapi-dev$' "$log"
}

@test "dnf, zypper and pacman get the names of their own distributions" {
	for pair in 'dnf fedora numactl-devel' 'zypper opensuse-leap libnuma-devel' 'pacman arch numactl'; do
		read -r name distribution package <<<"$pair"
		rm -rf "${here:?}"/* "$bin"/{apt-get,dnf,zypper,pacman,gcc,make,pkg-config}
		manager "$name" "$distribution"
		run there build
		[ "$status" -eq 0 ]
		grep -q "^$name .* $package " "$log"
	done
}

@test "a second run installs nothing" {
	manager apt-get ubuntu
	there build test
	: >"$log"
	run there build test
	[ "$status" -eq 0 ]
	[ "$output" = "setup: nothing is missing for build test" ]
	[ ! -s "$log" ]
}

@test "only what is missing is installed" {
	manager dnf fedora
	there build test
	rm "$bin/jq" "$here/libcmocka-devel"
	: >"$log"
	there build test
	[ "$(cat "$log")" = "dnf install -y --setopt=install_weak_deps=False libcmocka-devel jq" ]
}

@test "a distribution known by its kin uses that one's manager, even where others are installed" {
	manager apt-get x
	manager dnf x
	echo 'ID="rocky" ID_LIKE="rhel centos fedora"' >"$OS_RELEASE"
	there build
	run ! grep -q apt-get "$log"
	grep -q '^dnf install' "$log"
}

@test "without root and sudo the exact command is told and nothing is touched" {
	manager apt-get debian
	user 1000
	run there build
	[ "$status" -eq 1 ]
	[[ $output == *"neither root nor sudo without a password; give an administrator this line"* ]]
	[[ $output == *"apt-get update && env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends gcc libc6-dev make pkg-config libnuma-dev libhwloc-dev libgsl-dev libjansson-dev libpapi-dev gnuplot-nox"* ]]
	[[ $output == *"missing: gcc with OpenMP, make, pkg-config, libnuma, hwloc, GSL, jansson"* ]]
	[ ! -s "$log" ]
}

@test "sudo is used where it wants no password, and never asks for one" {
	manager apt-get debian
	user 1000
	# shellcheck disable=SC2016 # for the fake to expand
	fake sudo <<<'[[ $1 == -n ]] && shift && "$@"'
	run there build
	[ "$status" -eq 0 ]
	grep -q '^apt-get install' "$log"
}

@test "PAPI that cannot be had is told and is no failure" {
	manager apt-get debian
	refused=libpapi-dev run there build
	[ "$status" -eq 0 ]
	[[ $output == *"missing, but not required: PAPI"* ]]
}

@test "what emulated machines need is installed where it can be had, and its lack is no failure" {
	manager apt-get debian
	run there machines
	[ "$status" -eq 0 ]
	grep -q '^apt-get install .* qemu-system-x86$' "$log"
	grep -q '^apt-get install .* busybox-static$' "$log"
	[[ $output == *"missing, but not required: x86 machines, busybox, cpio, xz, headers of QEMU's plug-ins, other releases"* ]]
}

@test "a package that cannot be had fails alone, and its need is named" {
	manager dnf fedora
	refused=gsl-devel run there build
	[ "$status" -eq 1 ]
	[[ $output == *"package gsl-devel could not be installed"* ]]
	[[ $output == *"setup: missing: GSL"* ]]
	[ -e "$here/jansson-devel" ]
}

@test "without a network what is missing is told, and the line for later" {
	manager apt-get debian
	fake apt-get <<<'echo "Could not resolve the mirror" >&2; exit 100'
	run there build
	[ "$status" -eq 1 ]
	[[ $output == *"setup: apt-get update failed; going on with the package lists as they are"* ]]
	[[ $output == *"setup: could not be installed: gcc libc6-dev make pkg-config libnuma-dev libhwloc-dev libgsl-dev libjansson-dev; with a network, or from a mirror: env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends gcc libc6-dev make"* ]]
	[[ $output == *"setup: missing: gcc with OpenMP, make, pkg-config, libnuma, hwloc, GSL, jansson"* ]]
}

@test "a library that is older than the oldest that will do is missing, with both versions" {
	manager apt-get debian
	there build
	rm "$bin/pkg-config"
	# shellcheck disable=SC2016 # for the fake to expand
	fake pkg-config <<<'case $1 in --modversion) echo 2.0.4 ;; --atleast-version=*) [[ $2 != hwloc ]] ;; esac'
	run there --check build
	[ "$status" -eq 1 ]
	[[ $output == *"setup: missing: hwloc (hwloc 2.0.4 is installed, the oldest that will do is 2.9.0)"* ]]
}

@test "--check only reports" {
	manager apt-get debian
	run there --check build
	[ "$status" -eq 1 ]
	[[ $output == *"missing: gcc with OpenMP, make"* ]]
	[ ! -s "$log" ]
	there build
	run there --check build
	[ "$status" -eq 0 ]
}

@test "a machine without a known package manager is told what is missing" {
	run there build
	[ "$status" -eq 1 ]
	[[ $output == *"none of apt-get, dnf, zypper and pacman is here"* ]]
	[[ $output == *"missing: gcc with OpenMP"* ]]
}

@test "wrong usage is exit 2" {
	for wrong in '' --frob everything; do
		# shellcheck disable=SC2086 # no word where there is none
		run there $wrong
		[ "$status" -eq 2 ]
		[[ $output == *"--help lists the groups" ]]
	done
}
