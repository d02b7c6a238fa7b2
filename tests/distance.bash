# shellcheck shell=bash disable=SC2034,SC2154 # variables of helper.bash, and for the tests
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

# A vector of 64 lines; three lines from one access to the next, each turn visits 21 or 22 of them, more than
# the cache of 16 holds: every access must go to memory. 4 us a unit, 40 us for near memory: what QEMU itself
# takes is little beside it.
cache_kib=1 unit_ns=4000
strided="--set typePerVector=double* --set tamPerVector=4KiB* --set placements=1 --set numIter=2 --set warmup=0"
guest_begins='export OMP_WAIT_POLICY=PASSIVE GOMP_SPINCOUNT=0 KMP_BLOCKTIME=0 # else the program starts again, and main() reports twice
echo 0 >/proc/sys/kernel/numa_balancing
echo 0 >/proc/sys/kernel/randomize_va_space'

# Of args/inference: a row and its activations fill the model's cache, and each thread has 16 rows.
few_weights="--set weights=f32 --set columns=128 --set isa=scalar --set prefetch=0 --set rows=1 --set passes=1 \
--set sizePerVector=64KiB --set pagesPerVector=base --set placements=1 --set warmup=0"

# ",code=NAME:FIRST-END" for each strided loop of doubles, the chase of one chain, the plainest loops of load and gemv, and programs,
# ",report=" for main: a program that may lie anywhere begins here where addresses are not made random.
addresses() { # PROGRAM
	local origin=0 address size name
	! readelf -h "$1" | grep -q 'Type: *DYN' || origin=0x555555554000
	nm -S "$1" | grep -E ' (loop_(.*_double|strsearch|matrix_add|product)|chase_1|load_scalar_u1|gemv_f32_scalar_u1|main)$' | while read -r address size _ name; do
		case $name in
		loop_* | chase_1 | load_* | gemv_*) printf ',code=%s:%x-%x' "$name" $((origin + 0x$address)) $((origin + 0x$address + 0x$size)) ;;
		main) printf ',report=%x' $((origin + 0x$address)) ;;
		esac
	done
}

# The model counts into counts_FOLDER.
boot() { # FOLDER SCRIPT [MODEL-OPTIONS [PROGRAM]]
	local program=${4:-$AFFINITY}
	"$root/scripts/testmachine" --timeout 900 --get out --program "$program" --put "$2" \
		--put "$root/args/pruebas_un_hilo/matrix.args" --put "$root/args/pruebas_solape/ll.args" \
		--put "$root/args/inference/1_decode.args=decode.args" \
		--put "$root/args/matrix/latency.args" --put "$root/args/matrix/bandwidth.args" --put "$root/args/pruebas_solape/lr.args" --put "$root/args/pruebas_solape/rr.args" \
		--put "$root/args/pruebas_half_access=half" --put "$root/args/pruebas_sleep=sleep" --put "$root/args/pruebas_solo_priv=private" \
		--model "./distance.so,unit=$unit_ns,cache=$cache_kib${3-},out=$PWD/counts_$1$(addresses "${program%=*}")" ring4 sh "$2"
	[ "$1" = out ] || mv out "$1"
}
