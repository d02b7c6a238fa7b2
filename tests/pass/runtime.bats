#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Whole programs: workers of other files, OpenMP, libraries, and ends by exit().

# shellcheck source=tests/pass/helper.bash
source "$BATS_TEST_DIRNAME/helper.bash"

setup() {
	pass_setup
	[ -z "$lacking" ] || skip "$lacking"
	cd "$BATS_TEST_TMPDIR" || return 1
}

@test "a worker of another file is bound while it runs, without optimisation at the link" {
	cat >worker.c <<-'END'
		#define _GNU_SOURCE
		#include <sched.h>
		void *work(void *count)
		{
			cpu_set_t mine;
			sched_getaffinity(0, sizeof(mine), &mine);
			*(int *)count = CPU_COUNT(&mine);
			return 0;
		}
	END
	cat >x.c <<-'END'
		#include <pthread.h>
		#include <stdio.h>
		void *work(void *);
		int main(void)
		{
			pthread_t t;
			int count = 0;
			pthread_create(&t, 0, work, &count);
			pthread_join(t, 0);
			printf("%d\n", count);
			return 0;
		}
	END
	"$cc" -O2 -c worker.c -o worker.o
	"$cc" -O2 x.c worker.o -o x
	AFFINITY_SPM_LOCK=node_rr AFFINITY_PASS_COUNTS=counts ./x >said
	[ "$(cat said)" -ge 1 ]
	[ "$(grep -c '^[0-9]' counts)" -eq 1 ] # a thread that makes no call is only known by its lock
	AFFINITY_PASS_COUNTS=free ./x
	[ "$(grep -c '^[0-9]' free)" -eq 0 ]
}

@test "the call of a library counts, and exit() ends the runtime" {
	echo 'void fill(long *x, long n) { for (long i = 0; i < n; i++) x[i] += i; }' >l.c
	cat >x.c <<-'END'
		#include <stdlib.h>
		void fill(long *, long);
		static long v[1000];
		static void leave(void) { exit(3); }
		int main(void) { fill(v, 1000); leave(); }
	END
	"$cc" -g -O2 -fPIC -shared l.c -o libl.so
	"$cc" -O2 x.c ./libl.so -o x
	AFFINITY_PASS_TRACE=trace AFFINITY_PASS_COUNTS=counts run ./x
	[ "$status" -eq 3 ]
	grep -E "^l.c:1 fill 'argument 1' 0 7999 2000 8 " trace
	[ -s counts ]
}

@test "exit() in a library ends the runtime, also where the program is compiled without the pass" {
	printf '%s\n' '#include <stdlib.h>' \
		'void fill(long *x, long n) { for (long i = 0; i < n; i++) x[i] += i; if (x[1]) exit(3); }' >l.c
	printf '%s\n' 'void fill(long *, long);' 'static long v[1000];' 'int main(void) { fill(v, 1000); return 0; }' >x.c
	"$cc" -g -O2 -fPIC -shared l.c -o libl.so
	"$cc" -O2 x.c ./libl.so -o x
	"$("$cc" --affinity-compiler)" -O2 x.c ./libl.so -o foreign
	local name
	for name in x foreign; do
		AFFINITY_PASS_TRACE=trace_$name AFFINITY_PASS_COUNTS=counts_$name run "./$name"
		[ "$status" -eq 3 ]
		grep -E "^l.c:2 fill 'argument 1' 0 7999 2000 8 " "trace_$name"
		[ "$(grep -c '^[0-9]' "counts_$name")" -eq 1 ]
	done
}

@test "each thread of an OpenMP loop has the call of its part, and C++ vectors have theirs" {
	cat >x.cc <<-'END'
		#include <cstdio>
		#include <vector>
		__attribute__((noinline)) void fill(std::vector<double> &v)
		{
			double *x = v.data();
			long n = v.size();
		#pragma omp parallel for schedule(static) num_threads(2)
			for (long i = 0; i < n; i++)
				x[i] += i;
		}
		__attribute__((noinline)) double sum(const std::vector<double> &v)
		{
			double s = 0;
			for (double x : v)
				s = s * 0.5 + x;
			return s;
		}
		int main()
		{
			std::vector<double> v(1000, 1);
			fill(v);
			std::printf("%g\n", sum(v));
		}
	END
	"$cxx" -O2 -fopenmp --pass=check x.cc -o x 2>said || skip "no OpenMP of this compiler: $(head -n 1 said)"
	"$cxx" -O2 -fopenmp --pass=off x.cc -o plain
	AFFINITY_PASS_CHECK=found ./x >said
	./plain | diff - said
	grep -E " exact 0 3999 1000 ran 0 3999 1000$" found
	grep -E " exact 4000 7999 1000 ran 4000 7999 1000$" found
	grep -E "sumRK[^ ]* 'argument 1' exact 0 7999 1000 ran 0 7999 1000$|sumRK[^ ]* 'array' exact 0 7999 1000 ran 0 7999 1000$" found
	awk '/ exact / { n = NF; if ($(n-6) != $(n-2) || $(n-5) != $(n-1) || $(n-4) != $n) { print; bad = 1 } } END { exit bad }' found
}

# The program's own function stands before the runtime's.
@test "ranges that the runtime's tests reject cost no call, unless calls are counted" {
	cat >calls.c <<-'END'
		#include <stdio.h>
		static long calls;
		void affinity_inserted_call(void *s, void *b, long first, long last, long n) { calls++; }
		__attribute__((destructor)) static void print(void) { printf("%ld\n", calls); }
	END
	cat >x.c <<-'END'
		static char v[20000];
		__attribute__((noinline)) void fill(char *x, long n) { for (long i = 0; i < n; i++) x[i] += i; }
		int main(void)
		{
			for (long n = 13000; n < 13200; n++)
				fill(v, n);
			return 0;
		}
	END
	export AFFINITY_SPM_CACHE_BYTES=64KiB # a fifth of it are 13107.2 bytes
	"$cc" --pass=off -c calls.c -o calls.o
	"$cc" -O2 x.c calls.o -o x
	[ "$(./x)" -eq 0 ] # each element is read and written
	[ "$(AFFINITY_SPM_REUSE_THRESHOLD=2 ./x)" -eq 0 ]
	export AFFINITY_SPM_REUSE_THRESHOLD=1.9
	[ "$(./x)" -eq 92 ]
	[ "$(AFFINITY_SPM_SIZE_TEST=no ./x)" -eq 200 ]
	[ "$(AFFINITY_SPM_CACHE_FACTOR=1e30 ./x)" -eq 0 ]
	[ "$(AFFINITY_PASS_TRACE=trace ./x)" -eq 200 ]
	[ "$(AFFINITY_PASS_COUNTS=counts ./x)" -eq 200 ]
	[ "$(AFFINITY_SPM_PIN=wrong ./x 2>said)" -eq 0 ]
	[ "$(AFFINITY_SPM_REUSE_THRESHOLD=200 AFFINITY_SPM_REUSE_MODE=raw ./x)" -eq 92 ]
	[ "$(AFFINITY_SPM_REUSE_THRESHOLD=200 AFFINITY_PASS_COUNTS=counts ./x)" -eq 200 ]
}

# loop_library: libl.so, with one loop, and x.c uses it.
loop_library() { # OPTION...
	echo 'void fill(long *x, long n) { for (long i = 0; i < n; i++) x[i] += i; }' >l.c
	"$cc" -g -O2 -fPIC -shared "$@" l.c -o libl.so
}

@test "a plug-in may be closed before a thread that was in its loops ends, and what they did is written" {
	cat >x.c <<-'END'
		#include <dlfcn.h>
		#include <pthread.h>
		static long v[1000];
		static void *work(void *closed)
		{
			for (int i = 0; i < 2; i++) {
				void *l = dlopen("./libl.so", RTLD_NOW);
				((void (*)(long *, long))dlsym(l, "fill"))(v, 1000);
				dlclose(l);
			}
			return dlopen("./libl.so", RTLD_NOW | RTLD_NOLOAD) ? 0 : closed;
		}
		int main(void)
		{
			pthread_t t;
			void *closed;
			pthread_create(&t, 0, work, v);
			pthread_join(t, &closed);
			return closed != v;
		}
	END
	"$("$cc" --affinity-compiler)" -O2 x.c -o x -ldl -pthread
	loop_library
	AFFINITY_PASS_TRACE=trace AFFINITY_PASS_COUNTS=counts ./x
	[ "$(grep -c "^l.c:1 fill 'argument 1' 0 7999 2000 8 " trace)" -eq 2 ]
	[ "$(awk '/^[0-9]/ { print $3 }' counts)" = 2 ]
	loop_library --pass=count -fno-unroll-loops
	AFFINITY_PASS_TURNS=turns ./x
	[ "$(grep depth turns)" = 'l.c:1 fill depth 1 exact 0 0 0 2 0 0 0' ]
	grep -xF 'loops 1' turns
}

@test "a program forks while its threads are in loops: each line is written once, and no child waits for ever" {
	cat >x.c <<-'END'
		#include <pthread.h>
		#include <stdatomic.h>
		#include <stdlib.h>
		#include <sys/wait.h>
		#include <unistd.h>
		#define F __attribute__((noinline))
		static atomic_bool over;
		F void mine(long *x, long n) { for (long i = 0; i < n; i++) x[i] += i; }
		F void childs(long *x, long n) { for (long i = 0; i < n; i++) x[i] += i; }
		static void *nothing(void *x) { return x; }
		static void *work(void *x)
		{
			pthread_t t;
			for (int i = 0; i < 20000 && !over; i++) {
				mine(x, 1000);
				if (i % 8)
					continue;
				pthread_create(&t, 0, nothing, 0);
				pthread_join(t, 0);
			}
			return 0;
		}
		static void be_child(void)
		{
			static long v[1000];
			pthread_t t;
			alarm(60); /* seconds that only a hang takes */
			childs(v, 1000);
			pthread_create(&t, 0, nothing, 0);
			pthread_join(t, 0);
			exit(0);
		}
		int main(void)
		{
			static long v[3][1000];
			pthread_t t[3];
			int status = 0;
			for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, v[i]);
			for (int i = 0; i < 100 && !status; i++) {
				if (!fork()) be_child();
				wait(&status);
			}
			over = 1;
			for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
			return status != 0;
		}
	END
	export AFFINITY_SPM_LOCK=node_rr AFFINITY_SPM_PIN=tree AFFINITY_PASS_TRACE=trace AFFINITY_PASS_COUNTS=counts AFFINITY_PASS_TURNS=turns
	"$cc" -g -O2 x.c -o x
	./x
	[ "$(grep -c "^x.c:9 childs 'argument 1' 0 7999 2000 8 [a-z_]*$" trace)" -eq 100 ]
	[ "$(grep -c "^x.c:[89] [a-z]* 'argument 1' 0 7999 2000 8 [a-z_]*$" trace)" -eq "$(wc -l <trace)" ]
	# every call is counted in the process that made it
	[ "$(awk '/^[0-9]/ { n += $3 } END { print n }' counts)" -eq "$(wc -l <trace)" ]
	"$cc" -g -O2 -fno-unroll-loops --pass=count x.c -o x
	./x
	[ "$(grep -c '^x.c:8 mine depth 1 exact 0 0 0 0 0 0 0$' turns)" -eq 100 ]
	[ "$(grep -c '^x.c:9 childs depth 1 exact 0 0 0 1 0 0 0$' turns)" -eq 100 ]
}

@test "a cache of compilers learns of the words and of the plug-in" {
	local real
	real=$("$cc" --affinity-compiler)
	cat >cached <<-END
		#!/bin/sh
		[ "\$1" = --version ] && exec '$real' --version
		echo "\$CCACHE_NAMESPACE \$CCACHE_EXTRAFILES"
	END
	chmod +x cached
	export AFFINITY_CLANG=./cached
	"$cc" -c x.c | grep -E '^affinity .*/affinity-pass-[0-9]+\.so$'
	"$cc" -c x.c --pass=count | grep -E '^affinity count .*/affinity-pass-[0-9]+\.so$'
	export CCACHE_NAMESPACE=mine CCACHE_EXTRAFILES=a
	"$cc" -c x.c | grep -E '^mineaffinity a:.*/affinity-pass-[0-9]+\.so$'
}

@test "the compiler that is taken is printed, and one that is none is refused" {
	"$("$cc" --affinity-compiler)" --version | grep -F 'clang version '
	[[ $("$cxx" --affinity-compiler) == *clang++* ]]
	run env AFFINITY_CLANG=./none "$cc" -c x.c
	[ "$status" -eq 2 ]
	[[ $output == "affinity-cc: ./none: there is no such compiler, or no plug-in for its version; there are plug-ins for clang "* ]]
}
