# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# Tests on 64-bit Arm source it on the host: it skips the whole test where there is no cross compiler, and names the build.

if ! reason=$("$(dirname "$0")/../../scripts/cross" --check 2>&1); then
	echo "1..0 # SKIP $reason"
	exit 0
fi
export AFFINITY_BUILD=build/aarch64
