#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=dash
# Measures the documents of this folder: measure.sh OUT. Runs in the project's folder or, with args/, own/ and
# affinity, on an emulated machine. Small vectors and three samples: enough for a page, too little for conclusions.
set -eu

out=$1
here=$(dirname "$0")

measure() { # FILE [OPTION...]
	file=$1
	name=${file#args/} name=${name#"$here/"} name=${name%.args}
	shift
	mkdir -p "$out/${name%/*}"
	status=0
	affinity --quiet --json "$out/$name.json" --set numIter=3 --set warmup=0 --set 'tamPerVector=64KiB*' "$@" "$file" \
		"$out/$name.txt" 2>messages || status=$?
	# as ejec.sh notes it
	[ $status = 0 ] || sed '/warning: /d; /^  hint: /d; s/^/skipped: /; q' messages >"$out/$name.skipped"
	rm -f messages "$out/$name.txt"
}

measure args/pruebas_un_hilo/matrix.args
measure args/pruebas_un_hilo/stride.args --set 'sweep=stride_B = 1 64 512'
measure args/pruebas_un_hilo/char_float.args --set 'sweep=stride_B = 4 64 320'
for file in args/pruebas_solo_priv/*.args args/pruebas_solape/*.args args/pruebas_half_access/*.args; do
	measure "$file"
done
for file in args/pruebas_sleep/*.args; do
	measure "$file" --set 'sweep=delay_ms = 0 100 500'
done
measure args/smt/a_alone.args --set mode=time:5ms
for file in args/smt/matrix.args args/smt/two_cores_matrix.args; do
	measure "$file" --set mode=time:50ms --set statistic=min --set oversubscribe=yes \
		--set 'sweep=a = fp_add fp_mul int_add' --set 'sweep=b = fp_add fp_mul int_add'
done
measure "$here/own/holes.args"
