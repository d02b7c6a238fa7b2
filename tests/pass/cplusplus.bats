#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# C++: containers, members, templates, threads and exceptions; and the plug-in without the wrapper.

# shellcheck source=tests/pass/helper.bash
source "$BATS_TEST_DIRNAME/helper.bash"

setup() {
	pass_setup
	[ -z "$lacking" ] || skip "$lacking"
	cd "$BATS_TEST_TMPDIR" || return 1
}

@test "arrays of C++ have exact calls, and an estimate where an exception may end the loop" {
	cat >x.cc <<-'END'
		#include <cstdio>
		#include <stdexcept>
		#include <thread>
		#include <array>
		#include <vector>
		#define F __attribute__((noinline))
		F void may(long x) { if (x == 5000) throw std::runtime_error("x"); }
		F void thrown(long *x, long n) { for (long i = 0; i < n; i++) { x[i] += 3; may(x[i]); } }
		struct M { double a[1000]; long n; F void add() { for (long i = 0; i < n; i++) a[i] += 2; } };
		template <class T> F T sum(const std::vector<T> &v) { T s = 0; for (auto i = v.begin(); i != v.end(); ++i) s = s * 3 + *i; return s; }
		F long arr(const std::array<long, 500> &a) { long s = 0; for (size_t i = 0; i < a.size(); i++) s = s * 3 + a[i]; return s; }
		F void index(std::vector<int> &v) { for (size_t i = 0; i < v.size(); i++) v[i] += 1; }
		long v[1000]; M m; std::array<long, 500> ar;
		int main()
		{
			std::vector<unsigned> u(1000, 2); std::vector<int> w(1000, 1);
			m.n = 1000;
			v[700] = 4997;
			try { thrown(v, 1000); } catch (std::exception &e) { std::puts(e.what()); }
			m.add(); index(w);
			std::thread t([&] { for (long i = 0; i < 1000; i++) v[i] += i; });
			t.join();
			std::printf("%u %ld %ld %d\n", sum(u), arr(ar), v[5], w[3]);
		}
	END
	"$cxx" -g -O2 -std=c++17 --pass=check x.cc -o x
	"$cxx" -g -O2 -std=c++17 --pass=off x.cc -o plain
	AFFINITY_PASS_CHECK=found ./x >said
	./plain | diff - said
	grep -E "_ZN1M3addEv .* exact 0 7999 2000 ran 0 7999 2000$" found
	grep -E "_Z5index.* exact 0 3999 2000 ran 0 3999 2000$" found
	grep -E "_ZNSt6thread.* exact 0 7999 2000 ran 0 7999 2000$" found
	grep -E "_Z3sum.* exact 0 3999 1000 ran 0 3999 1000$" found
	grep -E "_Z3arr.* exact 0 3999 500 ran 0 3999 500$" found
	grep -E "_Z6thrown.* estimated 0 7999 2000 ran 0 5607 1402$" found
}

# The program's own functions stand before the runtime's.
@test "a range is released on every way out of its loop, also where an exception leaves the function" {
	cat >calls.cc <<-'END'
		long calls, releases;
		extern "C" void affinity_inserted_call(void *, void *, long, long, long) { calls++; }
		extern "C" void affinity_inserted_release(void *, void *, long, long) { releases++; }
	END
	cat >x.cc <<-'END'
		#include <cstdio>
		extern long calls, releases;
		#define F __attribute__((noinline))
		F void work(long i, long at) { __asm__ volatile("" ::: "memory"); if (i == at) throw i; }
		struct Guard { long *n; ~Guard() { ++*n; } };
		F void out(long *x, long n, long at) { for (long i = 0; i < n; i++) { work(i, at); x[i] += i; } }
		F void nest(long *x, long *y, long n, long at)
		{
			for (long i = 0; i < n; i++) {
				x[i] += 1;
				for (long j = 0; j < i; j++) {
					y[j + i * i] += j;
					work(i * n + j, at);
				}
				work(i, -at);
			}
		}
		F void here(long *x, long n, long at) { for (long i = 0; i < n; i++) { x[i] = x[i] + i; if (i == at) throw at; } }
		F void outside(long *x, long n, long at) { try { for (long i = 0; i < n; i++) { work(i, at); x[i] += i; } } catch (long) { } }
		F void inside(long *x, long n, long at) { for (long i = 0; i < n; i++) { try { work(i, at); } catch (long) { } x[i] += i; } }
		F void guarded(long *x, long n, long at, long *k) { for (long i = 0; i < n; i++) { Guard g{k}; work(i, at); x[i] += i; } }
		F void indirect(long **x, void (**f)(long, long), long n, long at) { for (long i = 0; i < n; i++) { (*x)[i] += i; (*f)(i, at); } }
		static long v[1000], w[1000], *p = v;
		static void (*f)(long, long) = work;
		template <typename T> static void run(const char *name, T function)
		{
			calls = releases = 0;
			long thrown = -1;
			try { function(); } catch (long l) { thrown = l; }
			std::printf("%s %ld %ld thrown %ld\n", name, calls, releases, thrown);
		}
		int main()
		{
			long k = 0;
			for (long at = 5; at < 10000; at *= 1000) {
				run("out", [=] { out(v, 10, at); });
				run("nest", [=] { nest(v, w, 10, at == 5 ? 54 : at); });
				run("outer", [=] { nest(v, w, 10, at == 5 ? -4 : at); });
				run("here", [=] { here(v, 10, at); });
				run("outside", [=] { outside(v, 10, at); });
				run("inside", [=] { inside(v, 10, at); });
				run("guarded", [=, &k] { guarded(v, 10, at, &k); });
				run("indirect", [=] { indirect(&p, &f, 10, at); });
			}
			std::printf("%ld %ld\n", k, v[3] + w[9]);
		}
	END
	"$cxx" --pass=off -c calls.cc -o calls.o
	"$cxx" -g -O2 -std=c++17 x.cc calls.o -o x
	"$cxx" -g -O2 -std=c++17 --pass=off x.cc calls.o -o plain
	AFFINITY_PASS_COUNTS=counts ./x >said
	cat said
	./plain | sed -E 's/^([a-z]+) .* thrown/\1 thrown/' | diff - <(sed -E 's/^([a-z]+) .* thrown/\1 thrown/' said)
	awk 'NF == 5 { n += $2 > 0; if ($2 != $3) exit 1 } END { exit n != 16 }' said
}

@test "the plug-in works without the wrapper" {
	echo 'int main(int n, char **x) { long s = 0; for (int i = 0; i < n; i++) s = s * 3 + (long)x[i]; return s == 1; }' >x.c
	local command
	command=$("$cc" --affinity-show -O2 x.c -o x)
	"$(awk '{ print $2 }' <<<"$command")" "$(awk '{ print $3 }' <<<"$command")" -O2 x.c -L"$AFFINITY_BUILD" -Wl,-rpath,"$AFFINITY_BUILD" \
		-laffinity-inserted -o x
	AFFINITY_PASS_TRACE=trace ./x
	grep -E "^x.c:[0-9]+ main 'argument 2' 0 7 1 8 " trace
}
