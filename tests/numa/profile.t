#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# affinity-rhp --profile on a fragmented node: what it moves back is there afterwards.

[ "${AFFINITY_BUILD:-build}" = build ] && frag=./affinity-frag || frag=$AFFINITY_BUILD/affinity-frag
# shellcheck disable=SC2034 # for lib.sh
boot_options="--program $frag --program ${frag%frag}rhp --program ${AFFINITY_BUILD:-build}/affinity-rhp.so --program /usr/bin/perl"
# shellcheck source=tests/numa/lib.sh
. "$(dirname "$0")/lib.sh"

echo madvise >/sys/kernel/mm/transparent_hugepage/enabled

# The MiB that affinity-rhp's report has of a node in a line, or 0.
reported() { # LINE NODE
	sed -n "s/^  $1: .*node $2 \([0-9]*\)\.[0-9] MiB,.*/\1/p; s/^  $1: node $2 \([0-9]*\)\.[0-9] MiB,.*/\1/p" report | head -n 1
}

# Has 64 MiB, and writes lines. Each is almost 40 times the work while the end of its block is on another node than its CPU,
# which has the number of its node: far more than the noise of an emulated machine.
cat >work.pl <<'EOT'
my $bytes = 64 << 20;
vec(my $block, $bytes - 1, 8) = 1;
my $page = pack('J', unpack('J', pack('p', $block)) + $bytes - (1 << 20));
$| = 1;
for my $line (1 .. 400) {
	open(my $stat, '<', '/proc/self/stat');
	my $here = (split ' ', <$stat>)[38];
	my $node = pack('l', -1);
	syscall(279, 0, 1, $page, 0, $node, 0); # move_pages
	my $sum = 0;
	for (1 .. (unpack('l', $node) == $here ? 4 : 150)) { $sum += $_ for 1 .. 3000 }
	print "$line\n";
}
EOT

title 'affinity-rhp --profile moves far pages back that cost more than they gain, and the kernel has them on the node then'
status=0 # the command runs on node 1, which is fragmented; its two other runs are on node 0
affinity-frag --node 1 --leave 24MiB -- affinity-rhp --profile --node 1 --from 16MiB --interval 2s --report report \
	-- perl work.pl >printed 2>messages </dev/null || status=$?
[ $status = 0 ] || wrong "exit status $status: $(cat messages)"
same 'lines printed, of one of the three runs' 400 "$(wc -l <printed)"
same 'verdicts' 1 "$(grep -c '; gain .* %, cost .* %: moved back [1-9]' report)"
grep -q 'of its progress, the bytes that it writes, not of stalls' report || wrong "$(cat report)"
[ "$(reported promised 0)" -ge 16 ] || wrong "nothing was far: $(cat report)"
here=$(reported found 0)
[ "${here:-0}" -le 1 ] || wrong "$here MiB are on node 0: $(cat report)"
finish
