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

# Stores of the type in which OpenMP keeps a thread's bounds, or of one that may be any, could change those bounds.
@test "elements of every type have the call of each thread's part, behind an index of 64 bits" {
	cat >x.c <<-'END'
		struct pair { long a; double b; };
		#define LOOP(name, type, schedule, statement) __attribute__((noinline)) void name(type *x, long n) \
			{ _Pragma(schedule) for (long i = 0; i < n; i++) { statement; } }
		#define STATIC "omp parallel for num_threads(2)"
		LOOP(chars, char, STATIC, x[i] += i)
		LOOP(longs, long, STATIC, x[i] += i)
		LOOP(pairs, struct pair, STATIC, x[i].a += i; x[i].b += 1)
		LOOP(doubles, long double, STATIC, x[i] += i)
		LOOP(wides, __int128, STATIC, x[i] += i)
		LOOP(chunks, long, "omp parallel for num_threads(2) schedule(dynamic, 250)", x[i] += i)
		LOOP(rows, long, STATIC, for (long j = 0; j < 7; j++) x[i * 10 + j] += j)
		static char c[1000];
		static long l[10000];
		static struct pair p[1000];
		static long double d[1000];
		static __int128 w[1000];
		int main(void)
		{
			chars(c, 1000), longs(l, 1000), pairs(p, 1000), doubles(d, 1000), wides(w, 1000);
			chunks(l, 1000), rows(l, 1000);
			return c[9] != 9 || l[900] != 1800 + 0 || p[999].a != 999 || d[999] != 999 || w[999] != 999 || l[16] != 6 + 32;
		}
	END
	"$cc" -g -O2 -fno-unroll-loops -fopenmp --pass=check x.c -o x 2>told || skip "no OpenMP of this compiler: $(head -n 1 told)"
	AFFINITY_PASS_CHECK=found ./x
	sed -n "s/^x.c:\([0-9]*\) .*'argument [0-9]' /\1 /p" found | sort -k 1n -k 3n >calls
	cat calls
	awk '$3 != $7 || $4 != $8 || $5 != $9 { bad = 1 } { n[$1]++; exact[$1] += $2 == "exact" } END {
		for (line = 5; line <= 11; line++)
			if (n[line] != (line == 10 ? 4 : 2) || exact[line] != (line == 5 || line == 10 ? 0 : 2)) bad = 1
		exit bad
	}' calls
}

@test "threads of nested parallel regions have the calls of their parts, and are bound" {
	cat >x.c <<-'END'
		static int v[4000];
		__attribute__((noinline)) void f(int *x, long n)
		{
		#pragma omp parallel for num_threads(2)
			for (long i = 0; i < 4; i++) {
		#pragma omp parallel for num_threads(2)
				for (long j = 0; j < n; j++)
					x[i * n + j] += j;
			}
		}
		int main(void)
		{
			f(v, 1000);
			for (int i = 0; i < 4000; i++)
				if (v[i] != i % 1000)
					return 1;
			return 0;
		}
	END
	"$cc" -g -O2 -fopenmp --pass=check x.c -o x 2>told || skip "no OpenMP of this compiler: $(head -n 1 told)"
	export OMP_MAX_ACTIVE_LEVELS=2 OMP_WAIT_POLICY=passive
	AFFINITY_PASS_CHECK=found ./x
	sed -n "s/^x.c:[0-9]* [^m].*'a[^']*' //p" found | sort -k 2n >calls
	cat calls
	[ "$(wc -l <calls)" -eq 8 ]
	awk '$1 == "exact" && ($2 != $6 || $3 != $7 || $4 != $8) || $8 != 1000 || $7 != $6 + 1999 { exit 1 }' calls
	"$cc" -O2 -fopenmp x.c -o x
	AFFINITY_SPM_LOCK=node_rr AFFINITY_PASS_COUNTS=counts ./x
	[ "$(grep -c '^[0-9]' counts)" -ge 3 ] # an inner region may get the thread of another that has ended
}
