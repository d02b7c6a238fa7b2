#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# The firmware rates the memory, which is more to read for whoever lists nodes.

# shellcheck source=tests/numa/lib.sh
. "$(dirname "$0")/lib.sh"

title 'the kernel has the ratings'
same 'read latency of nodes 0, 1, 2, ns' '80 80 250 ' "$(cat $sys/node/node[012]/access0/initiators/read_latency | tr '\n' ' ')"
topology_agrees
plan_agrees
title 'a vector on the slow node'
measure one.args '0/2' 0 --set nodePerVector=2
title 'far is by distance among nodes with CPUs, whatever the ratings'
measure args/pruebas_solape/lr.args '0 1/0' '0 0'
quickstart
finish
