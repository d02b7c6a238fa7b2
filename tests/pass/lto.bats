#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Optimisation at the link: every loop of every file has its call, once.

# shellcheck source=tests/pass/helper.bash
source "$BATS_TEST_DIRNAME/helper.bash"

setup() {
	pass_setup
	[ -z "$lacking" ] || skip "$lacking"
	cd "$BATS_TEST_TMPDIR" || return 1
	version=$("$cc" --affinity-show x.c | sed -n 's/.*affinity-pass-\([0-9]*\)\.so.*/\1/p')
	lld=-fuse-ld=lld
	! command -v "ld.lld-$version" || lld=--ld-path=$(command -v "ld.lld-$version")
	echo 'int main(void) { return 0; }' >none.c
	"$cc" -O2 -flto "$lld" none.c -o none 2>why || skip "no lld of LLVM $version: $(head -n 1 why); scripts/setup test compilers installs it"
	cat >worker.c <<-'END'
		void *work(void *v)
		{
			long *x = v;
			for (long i = 0; i < 1000; i++)
				x[i] += i;
			return 0;
		}
	END
	cat >x.c <<-'END'
		#include <pthread.h>
		#include <stdio.h>
		void *work(void *);
		static long v[2][1000];
		int main(void)
		{
			pthread_t t[2];
			for (int i = 0; i < 2; i++)
				pthread_create(&t[i], 0, work, v[i]);
			for (int i = 0; i < 2; i++)
				pthread_join(t[i], 0);
			printf("%ld %ld\n", v[0][999], v[1][500]);
			return 0;
		}
	END
}

# Two files, compiled and linked with -flto or what it is given; each thread has one call, and is bound once.
each_thread_once() {
	local word
	for word in check count half; do
		"$cc" -g -O2 "$1" --pass=$word -c worker.c -o worker.o
		"$cc" -g -O2 "$1" --pass=$word -c x.c -o x.o
		"$cc" -O2 "$1" "$lld" --pass=$word worker.o x.o -o "$word"
	done
	AFFINITY_PASS_CHECK=found ./check
	[ "$(sort found | uniq -c | sed 's/^ *//')" = "2 worker.c:4 work 'argument 1' exact 0 7999 2000 ran 0 7999 2000" ]
	AFFINITY_PASS_TURNS=turns ./count
	grep -xF 'worker.c:4 work depth 1 exact 0 0 0 2 0 0 0' turns
	grep -xF 'loops 1' turns
	AFFINITY_SPM_LOCK=node_rr AFFINITY_PASS_TRACE=trace AFFINITY_PASS_COUNTS=counts ./half
	[ "$(wc -l <trace)" -eq 2 ]
	[ "$(grep -c '^[0-9]' counts)" -eq 2 ]
}

@test "with -flto a worker of another file has one call, and is bound" {
	each_thread_once -flto
}

@test "with -flto=thin a worker of another file has one call, from lld of LLVM 15 on" {
	[ "$version" -ge 15 ] || skip "this is LLVM $version"
	each_thread_once -flto=thin
}

@test "a link with -flto=thin that would leave all calls out is refused" {
	run "$cc" -O2 -flto=thin x.c worker.c -o x
	[ "$status" -eq 2 ]
	[ ! -e x ]
	if [ "$version" -lt 15 ]; then
		[ "$output" = "affinity-cc: -flto=thin: the linker of LLVM $version cannot load the pass, which runs at the link then; take -flto, or LLVM 15 or later" ]
	else
		[ "$output" = "affinity-cc: -flto=thin: the pass runs at the link then, which takes lld; add -fuse-ld=lld" ]
	fi
	"$cc" -O2 -flto=thin -fno-lto x.c worker.c -o x
}
