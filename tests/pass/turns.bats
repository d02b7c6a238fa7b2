#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# --pass=count: every loop is in the table, every instance in its bucket, and the program does what it did.

# shellcheck source=tests/pass/helper.bash
source "$BATS_TEST_DIRNAME/helper.bash"

setup() {
	pass_setup
	[ -z "$lacking" ] || skip "$lacking"
	cd "$BATS_TEST_TMPDIR" || return 1
}

# counted FILE...: compiles, runs, and leaves the tables in turns.
counted() {
	"$cc" -g -O2 -w --pass=count "$@" -o counted
	rm -f turns
	AFFINITY_PASS_TURNS=turns ./counted >said
}

# What the estimate says is set by the caller, what runs by the loop.
buckets_source() {
	cat <<-'END'
		#include <stdio.h>
		#define F __attribute__((noinline))
		volatile int stop;
		long limit;
		F static void raise_limit(long i) { if (i == 1) limit = 100; __asm__ volatile("" ::: "memory"); }
		F void above(long n) { for (long i = 0; i < n; i++) if (i + 1 == stop) break; }
		F void below(void) { for (long i = 0; i < limit; i++) raise_limit(i); }
		F long next(const long *p) { long n = 0; for (; p; p = (const long *)*p) n++; return n; }
		int main(void)
		{
			long last = 0, first = (long)&last;
			above(100);
			stop = 60, above(100);
			stop = 20, above(100);
			stop = 5, above(100);
			limit = 2, below();
			limit = 20, below();
			limit = 70, below();
			printf("%ld\n", next(&first));
			return 0;
		}
	END
}

@test "all buckets have what the paper puts into them" {
	buckets_source >x.c
	counted x.c
	grep -xF 'x.c:6 above depth 1 estimated 0 0 0 1 1 1 1' turns
	grep -xF 'x.c:7 below depth 1 estimated 1 1 1 0 0 0 0' turns
	grep -xF 'x.c:8 next depth 1 unknown 0 0 0 0 0 0 0' turns
	grep -xF 'loops 3' turns
	grep -xF 'instrumentable 2 66.67%' turns
	grep -xE '>N\^2 +1 +14\.29%' turns
}

@test "the turns of a loop that must be as estimated are" {
	local name
	for name in shapes bases; do
		counted "$BATS_TEST_DIRNAME/$name.c"
		"$cc" -O2 -w --pass=off "$BATS_TEST_DIRNAME/$name.c" -o plain
		./plain | diff - said
		[ "$(grep -c ' exact ' turns)" -ge 10 ]
		awk '/ exact / { n = NF; if ($(n-6) + $(n-5) + $(n-4) + $(n-2) + $(n-1) + $n) { print; bad = 1 } } END { exit bad }' turns
	done
}

@test "loops of several files and of a library are counted once, those of threads too" {
	echo 'long sum(const long *x, long n) { long s = 0; for (long i = 0; i < n; i++) s = s * 3 + x[i]; return s; }' >a.c
	sed 's/sum/again/' a.c >b.c
	cat >x.c <<-'END'
		#include <pthread.h>
		long sum(const long *, long), again(const long *, long);
		long v[100];
		static void *work(void *x) { return (void *)(sum(v, 100) + again(v, 50)); }
		int main(void)
		{
			pthread_t t[8];
			for (int i = 0; i < 8; i++) pthread_create(&t[i], 0, work, 0);
			for (int i = 0; i < 8; i++) pthread_join(t[i], 0);
			return 0;
		}
	END
	"$cc" -g -O2 --pass=count -fPIC -shared b.c -o libb.so
	counted a.c x.c ./libb.so -fno-unroll-loops
	grep -xF 'a.c:1 sum depth 1 exact 0 0 0 8 0 0 0' turns
	grep -xF 'b.c:1 again depth 1 exact 0 0 0 8 0 0 0' turns
	[ "$(grep -c 'depth' turns)" -eq "$(sed -n 's/^loops //p' turns)" ]
}

@test "without AFFINITY_PASS_TURNS nothing is written" {
	buckets_source >x.c
	"$cc" -O2 --pass=count x.c -o counted
	[ "$(./counted 2>&1)" = 2 ]
}
