#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What OpenMP's loops have: a call of each thread's part, of each chunk, or none and a remark that says why.

# shellcheck source=tests/pass/helper.bash
source "$BATS_TEST_DIRNAME/helper.bash"

setup() {
	pass_setup
	[ -z "$lacking" ] || skip "$lacking"
	cd "$BATS_TEST_TMPDIR" || return 1
}

# openmp PRAGMA STATEMENT: of a loop over i, in a function of `int *x, long n`; found has its calls, told the remarks.
openmp() {
	{
		printf '%s\n' '__attribute__((noinline)) long f(int *x, long n)' '{' 'long s = 0;' "#pragma omp parallel for $1 num_threads(2)" \
			'for (long i = 0; i < n; i++)' "$2" 'return s;' '}' 'int v[4000];' 'int main(void) { return (int)f(v, 1000) & 1; }'
	} >x.c
	"$cc" -g -O2 -fopenmp --pass=check -Rpass-missed=affinity x.c -o x 2>told || skip "no OpenMP of this compiler: $(head -n 1 told)"
	: >found
	AFFINITY_PASS_CHECK=found ./x || [ $? -eq 1 ]
	sed -n "s/^x.c:[0-9]* .*'argument [0-9]' //p" found | sort -k 2n >calls
	cat calls told
}

@test "with schedule(dynamic) every chunk has its call" {
	openmp 'schedule(dynamic, 100)' 'x[i] += i;'
	[ "$(wc -l <calls)" -eq 10 ]
	[ "$(head -n 1 calls)" = "estimated 0 399 200 ran 0 399 200" ]
	[ "$(tail -n 1 calls)" = "estimated 3600 3999 200 ran 3600 3999 200" ]
}

@test "with a reduction, and with simd, every thread has the call of its part, exactly" {
	openmp 'reduction(+ : s)' 's += x[i] ^ i;'
	[ "$(cat calls)" = $'exact 0 1999 500 ran 0 1999 500\nexact 2000 3999 500 ran 2000 3999 500' ]
	openmp simd 'x[i] += 3;'
	[ "$(cat calls)" = $'exact 0 1999 1000 ran 0 1999 1000\nexact 2000 3999 1000 ran 2000 3999 1000' ]
}

@test "with collapse there is a call where the nest is one row, else none and a remark" {
	openmp 'collapse(2)' 'for (long j = 0; j < 4; j++) x[i * 4 + j] += i + j;'
	awk '$1 == "exact" { n++ } $1 == "exact" && ($2 != $6 || $3 != $7 || $4 != $8) { exit 1 } END { exit n != 0 && n != 2 }' calls
	openmp 'collapse(2)' 'for (long j = 0; j < 3; j++) x[i + 1000 * j] += i + j;'
	[ ! -s calls ]
	grep -E '^x.c:6:[0-9]+: remark: no page migration for this access: ' told
}
