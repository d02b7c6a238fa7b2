#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# Base pages of 16 KiB, as Debian 13 has them for 64-bit Arm: every size of pages, and files for one node.

units='memory/check memory/find memory/mem memory/mthp memory/pages memory/sizes kernels/migrate spm/move spm/linux base/buffer
	measure/fault'

folder=$(dirname "$0")
if [ "${AFFINITY_GUEST-}" != yes ]; then
	# shellcheck source=tests/numa/arm.sh
	. "$folder/arm.sh"
	# a hundred files, and a quarter of an hour where nothing else runs
	boot_options="$boot_options --timeout 7200"
fi

# shellcheck source=tests/numa/lib.sh
. "$folder/lib.sh"

# Every file as ejec.sh --quick measures it, with one sample; a test for each folder.
quick_suite() {
	local folder file status line measured=0 refused=0
	for folder in args/*/; do
		title "the quick files of $folder are measured, or refused with a reason"
		for file in "$folder"*.args; do
			rm -f report
			status=0
			set -- --set quick=yes
			while read -r line; do
				[ -z "$line" ] || set -- "$@" --set "$line"
			done <<END
$(sed -n 's/^# quick: *//p' "$file")
END
			# an emulated round takes longer than most times
			! grep -q '^mode: *time:' "$file" || set -- "$@" --set mode=time:1s
			affinity "$@" --set placements=1 --set samples=1 --set warmup=0 "$file" report >messages 2>&1 || status=$?
			case $status in
			0) measured=$((measured + 1)) && [ -s report ] || wrong "$file: no report" ;;
			3) refused=$((refused + 1)) && grep -q '^  hint: ' messages && echo "# $file: $(grep -v warning: messages | grep -v '^  hint:' | head -n 1)" ;;
			*) wrong "$file: exit status $status: $(cat messages)" ;;
			esac || wrong "$file: refused without a reason: $(cat messages)"
		done
	done
	title 'two thirds of them are measured, and none ran out of memory'
	[ $measured -gt $((2 * refused)) ] || wrong "$measured measured, $refused refused"
	wrong "$(dmesg | grep -i -E 'out of memory|oom-kill|bus error')"
}

topology_agrees
plan_agrees

for pages in base 16K; do
	title "$pages: base pages of 16 KiB"
	measure one.args '0/0' 0 --set nodePerVector=0 --set pagesPerVector=$pages
	grep -q ' pages of 16 KiB' report || wrong "$(grep Vector report)"
done
title '4K: refused, with the size that the kernel has'
refused 3 "this kernel's smallest page is 16 KiB, not 4K" one.args --set pagesPerVector=4K

first_kib=4096 step_kib=2048 page=2048
title '2M: pages of a pool'
measure one.args '0/0' 0 --set nodePerVector=0 --set pagesPerVector=2M
first_kib=32768 step_kib=32768 page=32768
title '32M: pages of a pool, which elsewhere is the size of thp'
measure one.args '0/0' 0 --set nodePerVector=0 --set pagesPerVector=32M
title '64K: no base page here, and no pool'
refused 3 'this kernel has no pool of 64 KiB pages' one.args --set pagesPerVector=64K
title 'more than the pool of 32 MiB holds is refused'
refused 3 'free pages of 32 MiB are needed in the pool of node 0' one.args --set pagesPerVector=32M --set tamPerVector=128MiB

page=16 thp=1
title 'thp: transparent huge pages of 32 MiB'
measure one.args '0/0' 0 --set nodePerVector=0 --set pagesPerVector=thp
grep -q ', 32 MiB in transparent huge pages' report || wrong "$(grep Vector report)"
thp=0
title 'thp:2M: transparent huge pages that are not the usual ones, which no file of the kernel shows'
# shellcheck disable=SC2086 # words
affinity --quiet $sets --set pagesPerVector=thp:2M --set tamPerVector=4MiB one.args report >messages 2>&1 || wrong "$(cat messages)"
grep -q ', 4 MiB in transparent huge pages of 2 MiB (shown by .*touch)' report || wrong "$(grep Vector report)"
title 'thp:64K: refused while it is switched off'
refused 3 'transparent huge pages of 64 KiB are switched off' one.args --set pagesPerVector=thp:64K
title 'thp:16K: a base page is none'
refused 3 'this kernel has no transparent huge pages of 16 KiB' one.args --set pagesPerVector=thp:16K

title 'no shipped file that names a size of pages needs those of 4 KiB'
for file in args/*/*.args; do
	grep -q '^pagesPerVector' "$file" || continue
	status=0
	affinity --plan --set quick=yes "$file" >plan 2>messages || status=$?
	[ $status = 0 ] || [ $status = 3 ] || wrong "$file: exit status $status"
	! grep "this kernel's smallest page" messages || wrong "$file: $(cat messages)"
done
title 'a page that migrate counts is a base page'
affinity --help migrate | grep -q ' 16384 bytes ' || wrong "$(affinity --help migrate | head -n 3)"
affinity --quiet --json json --set numIter=1 --set warmup=0 --set 'sweep=page = base' --set 'sweep=mover = move_pages copy' \
	--set 'sweep=batch = 64' --set tamPerVector=4MiB args/migration/cost_there.args report >messages 2>&1 || wrong "$(cat messages)"
same 'pages asked for' 256 "$(awk '/"pages_asked"/ { getline; if ($2 + 0) print $2 + 0 }' json | sort -u)"
title 'a copy of transparent huge pages of 32 MiB'
affinity --quiet --set numIter=1 --set warmup=0 --set 'sweep=mover = copy' --set 'sweep=batch = 1' --set tamPerVector=64MiB \
	--set 'sweep=page = thp' args/migration/cost_there.args report >messages 2>&1 || wrong "$(cat messages)"

for unit in $units; do
	title "$unit: all unit tests pass"
	"${unit#*/}_test" >told 2>&1 || wrong "$(cat told)"
	wrong "$(grep '^not ok' told)"
done
quickstart
quick_suite
finish
