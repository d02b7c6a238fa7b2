#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The compiler pass itself, and the runtime of what it compiles, built with the sanitizers.

root=$BATS_TEST_DIRNAME/../..

setup_file() {
	local plugin=("$root/build"/affinity-pass-*.so)
	version=${plugin[0]##*-}
	version=${version%.so}
	export version AFFINITY_CLANG=clang-$version AFFINITY_BUILD=$BATS_FILE_TMPDIR/build
	[ -e "${plugin[0]}" ] || return 0
	make -C "$root" -j "$(nproc)" BUILD="$AFFINITY_BUILD" LLVM="$version" CC='gcc -fsanitize=address,undefined' \
		CXX_OF_PASS='g++ -g -fsanitize=address,undefined -fno-sanitize=vptr' \
		"$AFFINITY_BUILD/affinity-pass-$version.so" "$AFFINITY_BUILD/libaffinity-inserted.so"
}

setup() {
	[ -e "$AFFINITY_BUILD/libaffinity-inserted.so" ] || skip "no plug-in is built; scripts/setup test installs LLVM's headers, then make"
	cd "$BATS_TEST_TMPDIR" || return 1
	export UBSAN_OPTIONS=halt_on_error=1
}

# watched COMMAND...: the compiler and the programs have nothing of the sanitizers, so they are loaded first.
watched() {
	LD_PRELOAD="$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so)" "$@"
}

# compiled WORD SOURCE: into x. A compiler ends without freeing what it has.
compiled() {
	ASAN_OPTIONS=detect_leaks=0 watched "$root/scripts/affinity-cc" -g -O2 -w --pass="$1" -c "$2" -o x.o
	clang-"$version" -w x.o -L"$AFFINITY_BUILD" -Wl,-rpath,"$AFFINITY_BUILD" -Wl,--no-as-needed -laffinity-inserted -Wl,--allow-shlib-undefined \
		-lm -pthread -o x
}

@test "a fault of the plug-in would be seen" {
	nm "$AFFINITY_BUILD/affinity-pass-$version.so" | grep -q __asan_report_load
	nm "$AFFINITY_BUILD/affinity-pass-$version.so" | grep -q __ubsan_handle
}

@test "the plug-in and the runtime are clean for every small function" {
	local name word
	for name in shapes bases; do
		compiled off "$root/tests/pass/$name.c"
		watched ./x >expected
		for word in half check count; do
			compiled $word "$root/tests/pass/$name.c"
			AFFINITY_SPM_CACHE_BYTES=4KiB AFFINITY_SPM_PIN=tree AFFINITY_PASS_TRACE=trace AFFINITY_PASS_COUNTS=counts \
				AFFINITY_PASS_CHECK=found AFFINITY_PASS_TURNS=turns watched ./x >said
			diff expected said
		done
	done
	[ -s trace ] && [ -s counts ] && [ -s found ] && [ -s turns ]
}

@test "the plug-in and the runtime are clean for the programs of the works" {
	local program
	for program in 'product 2 64 3' 'matrix_add 2 64 3' 'lu 2 64 2' 'cholesky 2 64 2' 'strsearch 4 65536 16 16' 'bucketsort 4 4000' 'knn 4 2048 8 8'; do
		compiled half "$root/bench/migration/${program%% *}.c"
		# shellcheck disable=SC2086 # words
		AFFINITY_SPM_LOCK=node_rr AFFINITY_SPM_CACHE_BYTES=4KiB AFFINITY_SPM_PIN=tree watched ./x ${program#* }
	done
}

@test "the plug-in is clean for random loop nests" {
	local seed
	for seed in 1 2 3; do
		awk -v seed=$seed -v functions=25 -f "$root/tests/fuzz/random.awk" -f "$root/tests/pass/nests.awk" >nests.c
		compiled half nests.c
		compiled check nests.c
	done
}
