#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# 64-bit Arm, as cross compiled, on a kernel of its own: the tests that ask the kernel, and one suite of args/.

# Those of modules that ask the kernel much.
units='memory/capacity memory/cgroup base/error memory/mem memory/check placement/placement placement/team topology/topo'

folder=$(dirname "$0")
if [ "${AFFINITY_GUEST-}" != yes ]; then
	# shellcheck source=tests/numa/arm.sh
	. "$folder/arm.sh"
	boot_options="$boot_options --put tests/topologies=tests/topologies"
fi

# shellcheck source=tests/numa/lib.sh
. "$folder/lib.sh"

topology_agrees
plan_agrees

for file in args/pruebas_solape/*.args; do
	case $file in
	*/ll.args) threads='0 0' ;;
	*/lr.args) threads='0 1' ;;
	*/rr.args) threads='1 1' ;;
	esac
	title "$file: threads on $threads, the vector on 0"
	measure "$file" "$threads/0" '0 0'
done

title 'the program is one for 64-bit Arm, and its report says that the machine is simulated'
grep -q 'architecture: aarch64' report || wrong "$(grep architecture report)"
grep -q '^simulated machine' report || wrong "the report begins with: $(head -n 1 report)"

for unit in $units; do
	title "$unit: all unit tests pass"
	"${unit#*/}_test" >told 2>&1 || wrong "$(cat told)"
	wrong "$(grep '^not ok' told)"
done
quickstart
finish
