# shellcheck shell=bash disable=SC2154 # variables of helper.bash
# SPDX-License-Identifier: GPL-3.0-or-later
# For tests on an emulated machine with near and far memory: the model of tests/numa/distance_plugin.c.

# find_distance_lack TOOL...: sets LACKING to why the model cannot be had here, or to nothing, and INCLUDE to the folder of
# QEMU's header.
find_distance_lack() {
	local header tool
	LACKING=
	for tool; do
		command -v "$tool" >/dev/null || LACKING="$tool is not installed (make setup installs it)"
	done
	header=$("$root/scripts/fetch" --check plugin 2>&1) || LACKING=$header
	! grep -qs '<glib.h>' "$header/qemu-plugin.h" || pkg-config --exists glib-2.0 ||
		LACKING="the headers of glib are not installed (make setup installs them)"
	"$root/scripts/testmachine" --check ring4 >why 2>&1 || LACKING=$(sed 's/^testmachine: //' why)
	export LACKING INCLUDE=$header
}

# Makes distance.so, for --model of scripts/testmachine. QEMU's header needs glib's from version 9 on.
build_distance() {
	# shellcheck disable=SC2046 # words
	"${CC:-gcc}" -O2 -shared -fPIC -Wall -Wextra -Werror -I "$INCLUDE" $(pkg-config --cflags glib-2.0) -o distance.so \
		"$root/tests/numa/distance.c" "$root/tests/numa/distance_plugin.c"
}
