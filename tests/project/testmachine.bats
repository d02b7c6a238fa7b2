#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# scripts/testmachine itself: what goes in comes out, and nothing hangs.

bats_require_minimum_version 1.5.0 # run --separate-stderr

setup() {
	cd "$BATS_TEST_TMPDIR" || return 1
	testmachine=$BATS_TEST_DIRNAME/../../scripts/testmachine
	printf 'nodes=2x96\n' >small
}

needs_machine() {
	local reason
	reason=$("$testmachine" --check 2>&1) || skip "${reason#testmachine: }"
}

@test "output, exit status and files come back; files and programs go in" {
	needs_machine
	mkdir -p folder/inner
	echo 'hello from outside' >'folder/inner/a file'
	# shellcheck disable=SC2016 # for the guest
	run --separate-stderr "$testmachine" --put folder --put small=/tmp/machine --program env=/bin/host-env --get out ./small -- \
		sh -c 'cat "folder/inner/a file" /tmp/machine; host-env echo "$0"; ls -l /nowhere; echo back >/out/kept; exit 37' 'a "word" with $HOME'
	[ "$status" -eq 37 ]
	[ "${lines[0]}" = 'hello from outside' ]
	[ "${lines[1]}" = 'nodes=2x96' ]
	# shellcheck disable=SC2016 # as it is
	[ "${lines[2]}" = 'a "word" with $HOME' ]
	[[ ${lines[3]} == *'/nowhere: No such file or directory' ]]
	[ "$(cat out/kept)" = back ]
}

@test "the model knows which QEMU counts the offset of a node twice" {
	needs_machine
	local version
	mkdir bin
	for version in '7.2.22 (Debian 1:7.2+dfsg-7+deb12u19)' '10.0.13 (Debian 1:10.0.13+ds-0+deb13u1)'; do
		# shellcheck disable=SC2016 # for the fake
		printf '#!/bin/sh\ncase $1 in --version) echo "QEMU emulator version %s" ;; *) echo "$@" >>said ;; esac\n' "$version" \
			>bin/qemu-system-x86_64
		chmod +x bin/qemu-system-x86_64
		: >model.so
		PATH=$PWD/bin:$PATH run "$testmachine" --model "$PWD/model.so" ./small true
		[ "$status" -ne 0 ]
	done
	[ "$(wc -l <said)" -eq 2 ]
	[[ $(sed -n 1p said) == *"file=$PWD/model.so,step=2,nodes="* ]]
	[[ $(sed -n 2p said) == *"file=$PWD/model.so,nodes="* ]]
}

@test "a command that does not end is ended when its time is up" {
	needs_machine
	run "$testmachine" --timeout 7 ./small sleep 1000000
	[ "$status" -eq 124 ]
	[[ $output == *'out of time after 7 s'* ]]
}

@test "a machine that does not begin is started again, once" {
	needs_machine
	mkdir bin
	cat >bin/qemu-system-x86_64 <<-END
		#!/bin/sh
		echo start >>$PWD/starts
		[ \$(wc -l <$PWD/starts) -le \$HANG ] || exec $(command -v qemu-system-x86_64) "\$@"
		exec sleep 1000
	END
	chmod +x bin/qemu-system-x86_64
	HANG=1 PATH=$PWD/bin:$PATH run "$testmachine" --timeout 60 ./small echo here
	[ "$status" -eq 0 ]
	[ "$output" = here ]
	[ "$(wc -l <starts)" -eq 2 ]
	rm starts
	HANG=2 PATH=$PWD/bin:$PATH run "$testmachine" --timeout 4 ./small echo here
	[ "$status" -eq 124 ]
	[ "$(wc -l <starts)" -eq 2 ]
}

@test "a signal ends the machine too" {
	needs_machine
	TMPDIR=$PWD "$testmachine" ./small sleep 1000 3>&- &
	for _ in {1..600}; do
		! pgrep -f "qemu.*$PWD" >/dev/null || break
		sleep 0.1
	done
	kill -TERM $!
	wait $! || status=$?
	[ "$status" -eq 143 ]
	run ! pgrep -f "qemu.*$PWD"
	run ! compgen -G "$PWD/tmp.*"
}

@test "a machine that breaks is told apart from a command that fails" {
	needs_machine
	run "$testmachine" ./small reboot -f
	[ "$status" -eq 125 ]
	[[ $output == *'the machine ended without a result' ]]
	printf 'nodes=2x96\nextra=(-device no-such-thing)\n' >bad
	run "$testmachine" ./bad true
	[ "$status" -eq 125 ]
	[[ $output == *no-such-thing*'QEMU failed'* ]]
}

@test "what cannot be prepared in the machine is told" {
	needs_machine
	# shellcheck disable=SC2016 # for the guest
	printf 'nodes=2x96\nprepare="echo 0 >/sys/no/such/file"\n' >small
	run "$testmachine" ./small true
	[ "$status" -eq 125 ]
	[[ $output == *'the machine could not be prepared'* ]]
}

@test "every machine has a line that says what it is" {
	run "$testmachine" --list
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq "$(find "$BATS_TEST_DIRNAME/../machines" -type f | wc -l)" ]
	[[ $output == *"ring4        the thesis's machine: four nodes in a ring 0-1-2-3"* ]]
	run ! grep -E '^[^ ]+ *$' <<<"$output"
}

@test "without a kernel it is impossible, with the reason" {
	AFFINITY_KERNEL=./none run "$testmachine" --check
	[ "$status" -eq 77 ]
	[[ $output == 'testmachine: '* ]]
}

# packaged NAME FILE: a package of that name, which has a kernel there.
packaged() {
	mkdir -p "made/DEBIAN" "made/$(dirname "$2")"
	printf '%s\n' "Package: $1" "Version: 1" "Architecture: all" "Maintainer: none" "Description: none" >made/DEBIAN/control
	echo kernel >"made/$2"
	dpkg-deb --build made "archive/$1_1_all.deb" >/dev/null
	rm -rf made
}

@test "a kernel is found in the package of its image, and in one on which the image depends" {
	command -v dpkg-deb >/dev/null || skip "there is no dpkg-deb"
	[ "$(uname -m)" = x86_64 ] || skip "kernels are fetched on x86-64 only"
	mkdir archive bin
	packaged linux-image-6.1-cloud-amd64 boot/vmlinuz-6.1-cloud-amd64
	packaged linux-image-7.2-cloud-amd64 usr/share/nothing
	packaged linux-binary-7.2-cloud-amd64 usr/lib/modules/7.2-cloud-amd64/vmlinuz
	cat >bin/apt-cache <<-'END'
		#!/bin/sh
		case $2 in
		linux-image-cloud-amd64) echo "  Depends: linux-image-$NEWEST-cloud-amd64" ;;
		linux-image-7.2-*) printf '  Depends: %s\n' linux-base linux-binary-7.2-cloud-amd64 ;;
		*) exit 100 ;;
		esac
	END
	printf '%s\n' '#!/bin/sh' "[ \"\$1\" != download ] || cp '$PWD/archive/'\"\$3\"_* ." >bin/apt-get
	chmod +x bin/*
	for version in 6.1 7.2; do
		AFFINITY_KERNEL='' NEWEST=$version AFFINITY_CACHE=$PWD/cache.$version PATH=$PWD/bin:$PATH "$testmachine" --fetch
		[ "$(<"cache.$version/vmlinuz-$version-cloud-amd64")" = kernel ]
	done
}

@test "wrong usage is exit 2" {
	needs_machine
	for wrong in '' ring4 '--frob ring4 true' '--timeout ring4 true' '--timeout 0 ring4 true' 'ring5 true' \
		'--put none ring4 true' '--program none ring4 true'; do
		# shellcheck disable=SC2086 # words on purpose
		run "$testmachine" $wrong
		[ "$status" -eq 2 ]
	done
	[[ $output == *'--help lists the options' ]]
}
