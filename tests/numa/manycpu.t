#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# Sixty-four CPUs: outside the default tests, for it takes its time to boot.

# shellcheck source=tests/numa/lib.sh
. "$(dirname "$0")/lib.sh"

topology_agrees
plan_agrees

title 'sixty-four threads, each on a CPU of its own'
nodes='0 1 2 3 4 5 6 7' threads='' uses=''
for _ in 1 2 3 4 5 6 7 8; do threads="$threads$nodes " uses="${uses}0 0 0 0 0 0 0 0 "; done
measure one.args "$threads/interleave:0-7" "$uses" --set 'nodePerThread=0-7 0-7 0-7 0-7 0-7 0-7 0-7 0-7' \
	--set nodePerVector=interleave --set "vectorPerThread=$(seq 0 63 | tr '\n' ' ')"
quickstart
finish
