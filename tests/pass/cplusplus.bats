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

@test "arrays of C++ have exact calls; an exception that leaves the function makes no release" {
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
	[ "$(grep -c thrown found)" -eq 0 ]
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
