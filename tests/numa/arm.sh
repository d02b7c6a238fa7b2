# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# Tests on 64-bit Arm source it on the host: it skips the whole test where there is no cross compiler, names the build,
# and makes the programs and those unit tests whose ROOM/NAME is in $units; boot_options take the tests along.

if ! reason=$("$(dirname "$0")/../../scripts/cross" --check 2>&1); then
	echo "1..0 # SKIP $reason"
	exit 0
fi
export AFFINITY_BUILD=build/aarch64

made=$AFFINITY_BUILD/tests/numa/witness boot_options=
# shellcheck disable=SC2154 # units is the test's
for unit in $units; do
	made="$made $AFFINITY_BUILD/tests/unit/${unit}_test"
	boot_options="$boot_options --program $AFFINITY_BUILD/tests/unit/${unit}_test"
done
# shellcheck disable=SC2086,SC2154 # words; folder is the test's
(cd "$folder/../.." && scripts/cross make BUILD=$AFFINITY_BUILD CFLAGS='-g1 -O1' all $made) >&2 || exit 1
