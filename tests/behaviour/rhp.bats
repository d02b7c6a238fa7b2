#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck disable=SC2016,SC2030,SC2031 # programs of other languages have dollars; each test is a process
# affinity-rhp: unchanged programs compute the same with their large blocks placed, and the report says what they got.
# long: many programs run with the library and without, about a minute of CPU time

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/shims.bash
source "$BATS_TEST_DIRNAME/../shims.bash"

setup() {
	driver_setup
	RHP=$AFFINITY-rhp
	huge=$(cat /sys/kernel/mm/transparent_hugepage/hpage_pmd_size 2>/dev/null || getconf PAGESIZE)
	[ "$huge" -le $((4 << 20)) ] || skip "blocks of 4 MiB are less than a huge page here"
}

need() { # COMMAND
	command -v "$1" >/dev/null || skip "$1 is not installed"
}

# told EXIT LINE... -- WORD...: affinity-rhp with these words ends so, with exactly these lines.
told() {
	ends "$RHP" "$@"
}

# alike NAME COMMAND...: the command's output is the same with its blocks from 4 MiB on placed, and NAME had some. What
# was promised and the rest make up all bytes.
alike() {
	local name=$1
	shift
	"$@" >without
	"$RHP" --from 4MiB --report report -- "$@" >with
	cmp without with
	cat report
	awk -v name="$name" '$1 == name && /large block/ { found = 1 } END { exit !found }' report
}

@test "a wrong command line is refused" {
	told 2 "affinity-rhp: unknown option '--form'; did you mean '--from'?" "  hint: affinity-rhp --help lists the options" \
		-- --form 3
	told 2 "affinity-rhp: --from: '4' is not a size" "  hint: a number and a unit, such as 64MiB or 1G" -- --from 4 -- true
	told 2 "affinity-rhp: --rest: 'far' is not kernel or local" -- --rest far -- true
	local word
	for word in 0 0=0 0=256 1024=1 a=1 "," "0=1,2" "0=1,0=2"; do
		told 2 "affinity-rhp: --weights: '$word' is not nodes with weights from 1 to 255" \
			"  hint: 0=3,1=1: three huge pages on node 0 for each one on node 1" -- --weights "$word" -- true
	done
	told 1 "affinity-rhp: --weights: node 1023 has no memory for this process" "  hint: affinity --topology shows the nodes" \
		-- --weights 0=1,1023=1 -- true
	told 2 "affinity-rhp: --weights has no effect with --profile" \
		"  hint: --profile judges far huge pages: leave out one of the two" -- --profile --weights 0=1 -- true
	told 2 "affinity-rhp: which command?" "  hint: affinity-rhp [OPTION...] -- COMMAND [ARG...]" -- --from 1G --
	[ "$huge" -ne 2097152 ] || told 2 "affinity-rhp: --from: 64KiB is less than a huge page, 2 MiB" \
		"  hint: blocks are made of whole huge pages" -- --from 64KiB -- true
	told 2 "affinity-rhp: cannot start './nothing': No such file or directory" \
		"  hint: is the path right, and is it a program?" -- ./nothing
	told 2 "affinity-rhp: cannot start 'no-such-program': no folder of PATH has it" \
		"  hint: a program that is in no folder of PATH needs its path, such as ./program" -- no-such-program
	try "$RHP" --report nowhere/report true
	[ "$status" -eq 1 ]
	[[ $stderr == "affinity-rhp: cannot write 'nowhere/report'"* ]]
}

@test "the command's output and exit status are passed on, also by a signal" {
	try "$RHP" sh -c 'echo mine; exit 7'
	[ "$status" -eq 7 ]
	[ "$output" = mine ]
	same "no allocation reached 500 MiB (--from), so nothing was placed" "$stderr"
	try "$RHP" sh -c 'kill -TERM $$'
	[ "$status" -eq 143 ]
	# where the parent ignores the end of children as well
	try timeout -k 1 120 bash -c 'trap "" CHLD; exec "$@"' bash "$RHP" --report report sh -c 'exit 7'
	[ "$status" -eq 7 ]
	# a signal to affinity-rhp reaches the command
	"$RHP" --report report sh -c 'echo >begun; exec sleep 100' &
	for ((i = 0; i < 2400; i++)); do [ ! -e begun ] || break; sleep 0.05; done
	kill -TERM $!
	status=0
	wait $! || status=$?
	[ "$status" -eq 143 ]
}

@test "sort with threads computes the same" {
	seq 400000 >numbers
	alike sort sort -r -S 64M --parallel=2 numbers
}

@test "python computes the same, also in a child of fork" {
	need /usr/bin/python3
	alike python3 /usr/bin/python3 -c 'if 1:
		import os, hashlib
		a = bytearray(20 << 20)
		for i in range(0, len(a), 4096): a[i] = i >> 12 & 255
		for i in range(100): a += bytes(100000)
		child = os.fork()
		if not child:
			a += bytes(9 << 20)
			print(hashlib.md5(a).hexdigest(), flush=True)
			os._exit(0)
		os.waitpid(child, 0)
		print(hashlib.md5(a).hexdigest())'
	[ "$(grep -c '^python3 ' report)" -eq 2 ]
}

@test "perl computes the same" {
	need perl
	alike perl perl -e '$s = "x" x (9 << 20); $s .= "y" x 999 for 1 .. 9999; print unpack("%32C*", $s), "\n"'
}

@test "awk computes the same" {
	need awk
	seq -f %060000.0f 100 >numbers
	alike awk awk '{ a = a $1 } END { print length(a), substr(a, 5999990) }' numbers
}

@test "gnuplot computes the same" {
	need gnuplot
	alike gnuplot gnuplot -e 'set terminal dumb; set samples 300000; plot sin(x)'
}

@test "xz with threads computes the same" {
	need xz
	head -c 3000000 "$AFFINITY" >data
	alike xz xz -9 -T2 -c data
}

@test "programs in C++ compute the same" {
	need "${CXX:-g++}"
	cat >program.cc <<-'END'
		extern "C" int printf(const char *, ...);
		int main()
		{
			long *a = new long[1 << 20], sum = 0;
			for (long i = 0; i < 1 << 20; i++)
				a[i] = i;
			for (long i = 0; i < 1 << 20; i++)
				sum += a[i] * (i & 7);
			delete[] a;
			printf("%ld\n", sum);
		}
	END
	"${CXX:-g++}" -O1 -o program program.cc
	alike program ./program
	need clang-format
	for ((i = 0; i < 8000; i++)); do echo "int  f$i( int a ){return a+$i;}"; done >long.c
	"$RHP" --from 2MiB --report report clang-format long.c >with
	clang-format long.c | cmp - with
	cat report
	grep -q '^clang-format.*: [0-9]* large block' report
}

# Every function of the family, threads, and mappings that are unmapped in parts.
@test "a program with threads computes the same by every function that allocates" {
	need gcc
	cat >program.c <<-'END'
		#include <errno.h>
		#include <malloc.h>
		#include <pthread.h>
		#include <stdint.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <string.h>
		#include <sys/mman.h>

		#define MIB ((size_t)1 << 20)
		static volatile size_t most = SIZE_MAX;

		static void check(int right, const char *what)
		{
			if (right)
				return;
			printf("wrong: %s\n", what);
			exit(1);
		}

		static void *filled(void *block, size_t bytes)
		{
			check(block != NULL, "memory");
			check(malloc_usable_size(block) >= bytes, "usable size");
			return memset(block, 7, bytes);
		}

		static void family(void)
		{
			void *p;
			char *c = calloc(5, MIB);

			for (size_t i = 0; i < 5 * MIB; i++)
				check(!c[i], "calloc");
			c = realloc(filled(c, 5 * MIB), 9 * MIB);
			check(c[0] == 7 && c[5 * MIB - 1] == 7 && malloc_usable_size(c) >= 9 * MIB, "realloc");
			c = realloc(c, 100);
			check(c[99] == 7, "realloc to less");
			check(malloc_usable_size(c) < MIB, "memory after realloc to less");
			free(realloc(c, 6 * MIB));
			c = filled(malloc(100), 100);
			c = realloc(c, 6 * MIB);
			check(c[99] == 7, "realloc from small");
			check(!realloc(c, 0), "realloc to nothing");
			for (size_t a = 8; a <= 16 * MIB; a *= 8) {
				check(!posix_memalign(&p, a, 5 * MIB) && (uintptr_t)p % a == 0, "posix_memalign");
				free(filled(p, 5 * MIB));
				p = aligned_alloc(a, 16 * MIB);
				check((uintptr_t)p % a == 0, "aligned_alloc");
				free(filled(p, MIB));
			}
			check(posix_memalign(&p, 3, 5 * MIB) == EINVAL, "alignment");
			free(filled(memalign(64, 5 * MIB), 5 * MIB));
			free(filled(valloc(5 * MIB), 5 * MIB));
			free(filled(pvalloc(5 * MIB), 5 * MIB));
			check(!malloc(most - 5) && errno == ENOMEM, "too much");
			check(!reallocarray(NULL, most / 2, 3) && errno == ENOMEM, "overflow");
			check(!calloc(most / 2, 3), "overflow of calloc");
		}

		static void mappings(void)
		{
			const int both = PROT_READ | PROT_WRITE, own = MAP_PRIVATE | MAP_ANONYMOUS;
			char *m = mmap(NULL, 12 * MIB + 1, both, own, -1, 0);

			check(m != MAP_FAILED, "mmap");
			memset(m, 3, 12 * MIB + 1);
			check(!munmap(m + 4 * MIB, MIB), "munmap");
			check(m[4 * MIB - 1] == 3 && m[5 * MIB] == 3, "munmap of a part");
			m = mremap(m + 5 * MIB, MIB, 8 * MIB, MREMAP_MAYMOVE);
			check(m != MAP_FAILED && m[0] == 3 && !m[7 * MIB], "mremap");
			check(!munmap(m, 8 * MIB), "munmap of what moved");
			m = mmap(NULL, 8 * MIB, both, own | MAP_POPULATE, -1, 0);
			check(!m[8 * MIB - 1], "MAP_POPULATE");
			check(mmap(m, MIB, PROT_READ, own | MAP_FIXED, -1, 0) == m, "MAP_FIXED");
			check(mmap(NULL, 64 * MIB, PROT_NONE, own, -1, 0) != MAP_FAILED, "PROT_NONE");
		}

		static void *grow(void *sum)
		{
			size_t bytes = 3 * MIB;
			unsigned char *c = malloc(bytes);

			for (int round = 1; round < 30; round++) {
				memset(c + bytes - 4096, round, 4096);
				*(long *)sum += c[bytes - 1] + c[3 * MIB - 1];
				bytes += MIB;
				c = realloc(c, bytes);
			}
			free(c);
			return NULL;
		}

		int main(void)
		{
			pthread_t threads[4];
			long sums[4] = {0};

			family();
			mappings();
			for (int t = 0; t < 4; t++)
				pthread_create(&threads[t], NULL, grow, &sums[t]);
			for (int t = 0; t < 4; t++) {
				pthread_join(threads[t], NULL);
				printf("%ld\n", sums[t]);
			}
			return 0;
		}
	END
	gcc -D_GNU_SOURCE -w -O1 -fno-builtin -o program program.c -pthread
	alike program ./program
	grep -qx '  large mappings left alone (at a fixed address, only reserved, shared, grown, ...): 2' report
}

# One of the files that are read for a block is where a thread is cancelled; a handler of a signal unmaps.
@test "threads are cancelled, and signals handled, while they allocate" {
	need gcc
	cat >program.c <<-'END'
		#include <pthread.h>
		#include <signal.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <sys/mman.h>
		#include <unistd.h>

		static void *allocate(void *arg)
		{
			for (;;) {
				free(malloc(8 << 20));
				pthread_testcancel();
			}
			return arg;
		}

		static void unmap(int number)
		{
			(void)number;
			munmap((void *)(1 << 20), 4096);
		}

		int main(void)
		{
			pthread_t thread;

			signal(SIGUSR1, unmap);
			for (int i = 0; i < 300; i++) {
				pthread_create(&thread, NULL, allocate, NULL);
				usleep(i % 10 * 50);
				pthread_kill(thread, SIGUSR1);
				pthread_cancel(thread);
				pthread_join(thread, NULL);
			}
			free(malloc(8 << 20));
			puts("ended");
			return 0;
		}
	END
	gcc -w -O1 -fno-builtin -o program program.c -pthread
	try timeout -k 1 60 "$RHP" --from 4MiB ./program
	[ "$status" -eq 0 ]
	[ "$output" = ended ]
}

@test "a child of fork without large blocks has no record, and more of them than there are records lose nothing" {
	need perl
	try "$RHP" --from 4MiB perl -MPOSIX=_exit -e '$s = "x" x (8 << 20);
		for (1 .. 1030) { $p = fork; _exit(0) if !$p; waitpid $p, 0 }
		$p = fork; if (!$p) { $t = "y" x (8 << 20); _exit(0) } waitpid $p, 0'
	[ "$status" -eq 0 ]
	[ "$(grep -c '^perl (process ' <<<"$stderr")" -eq 2 ]
	[[ $stderr != *warning* ]]
}

# Destructors of a library that began before ours run after it.
@test "a block that grows is one block, and one that a destructor frees is counted once" {
	need gcc
	cat >late.c <<-'END'
		#include <stdlib.h>
		#include <string.h>
		static char *block;
		char *late(void) { return block; }
		__attribute__((destructor)) static void end(void) { free(block); }
		void begin(void)
		{
			block = memset(malloc(4 << 20), 1, 4 << 20);
			block = realloc(block, 16 << 20);
			memset(block, 2, 16 << 20);
		}
	END
	echo 'void begin(void); int main(void) { begin(); return 0; }' >program.c
	gcc -O1 -fno-builtin -shared -fPIC -o liblate.so late.c
	gcc -w -o program program.c -L. -llate -Wl,-rpath,"$PWD"
	"$RHP" --from 4MiB --report report ./program
	cat report
	grep -qE '^program .*: 1 large block, (16|18|20) MiB$' report
	awk '/^  found:/ { for (i = 2; i < NF; i++) if ($i == "MiB," || $i ~ /^MiB/) sum += $(i - 1) }
		END { exit !(sum >= 16 && sum <= 20) }' report
}

# Another allocator holds its lock while it maps memory, and its handler of fork takes it, as jemalloc's does.
@test "a program forks while threads are in another allocator that maps memory" {
	need gcc
	cat >locking.c <<-'END'
		#include <pthread.h>
		#include <stddef.h>
		#include <sys/mman.h>
		static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
		static char pool[64 << 20];
		static size_t used;
		static int registered;
		static void take(void) { pthread_mutex_lock(&lock); }
		static void leave(void) { pthread_mutex_unlock(&lock); }
		void *malloc(size_t n)
		{
			if (!registered++)
				pthread_atfork(take, leave, leave);
			take();
			munmap(mmap(NULL, 8 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 8 << 20);
			used = (used + 15) / 16 * 16 + n;
			void *block = pool + used - n;
			leave();
			return block;
		}
		void *calloc(size_t n, size_t m) { return malloc(n * m); }
		void *realloc(void *p, size_t n) { return p ? NULL : malloc(n); }
		void *memalign(size_t a, size_t n) { return malloc(n); }
		size_t malloc_usable_size(void *p) { return 0; }
		void free(void *p) { (void)p; }
		__attribute__((constructor)) static void begin(void) { free(malloc(1)); }
	END
	cat >program.c <<-'END'
		#include <pthread.h>
		#include <stdlib.h>
		#include <sys/wait.h>
		#include <unistd.h>
		static void *allocate(void *arg)
		{
			for (;;)
				free(malloc(100));
			return arg;
		}
		int main(void)
		{
			pthread_t thread;

			for (int i = 0; i < 2; i++)
				pthread_create(&thread, NULL, allocate, NULL);
			for (int i = 0; i < 60; i++) {
				if (!fork())
					_exit(0);
				wait(NULL);
			}
			_exit(0);
		}
	END
	gcc -w -O1 -fno-builtin -shared -fPIC -o liblocking.so locking.c -pthread
	gcc -w -O1 -fno-builtin -o program program.c -L. -llocking -Wl,-rpath,"$PWD" -pthread
	try timeout -k 1 60 "$RHP" --from 4MiB ./program
	[ "$status" -eq 0 ]
}

@test "programs that do not load the library are told about" {
	try "$RHP" env -i true
	[[ $stderr == *"affinity-rhp: warning: 'env' executed 1 program that did not load the library
  hint: their memory is as without it: static and setuid programs, and environments without LD_PRELOAD (env -i)" ]]
	need gcc
	echo 'int main(void) { return 3; }' >still.c
	gcc -static -o still still.c 2>/dev/null || skip "no static C library here"
	try "$RHP" ./still
	[ "$status" -eq 3 ]
	[[ $stderr == *"affinity-rhp: warning: './still' is statically linked: no library can be preloaded into it"* ]]
}

@test "a program with an allocator of its own is told about, and its mappings are placed" {
	need gcc
	cat >own.c <<-'END'
		#include <stddef.h>
		#include <sys/mman.h>
		static char pool[1 << 20];
		static size_t used;
		void *malloc(size_t n)
		{
			if (n > 1 << 19)
				return mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
			used = (used + 15) / 16 * 16 + n;
			return pool + used - n;
		}
		void *calloc(size_t n, size_t m) { return malloc(n * m); }
		void *realloc(void *p, size_t n) { return p ? NULL : malloc(n); }
		void free(void *p) { (void)p; }
		int main(void)
		{
			char *block = malloc(9 << 20);
			block[0] = 1;
			return block[0] + block[9 << 10];
		}
	END
	gcc -O0 -rdynamic -o own own.c
	try "$RHP" --from 4MiB ./own
	[ "$status" -eq 1 ]
	[[ $stderr == *"affinity-rhp: warning: 'own' has an allocator of its own
  hint: only what it maps itself with mmap() can be placed" ]]
	[[ $stderr == "own (process "*"): 1 large block,"* ]]
}

@test "refused bindings are said, and memory is given" {
	shims_setup
	try "$tools/refuse" mbind=EPERM -- "$RHP" --from 4MiB perl -e '$s = "x" x (20 << 20); print length $s'
	[ "$status" -ne 77 ] || skip "no seccomp filters here"
	[ "$status" -eq 0 ]
	[ "$output" -eq $((20 << 20)) ]
	[[ $stderr == *"  the kernel refused to bind "*" MiB (Operation not permitted)"* ]] ||
		[[ $stderr == *"are off"* || $stderr == *"promised: rest "* ]]
}

# files_say TEXT: perl computes, and its report has this line.
files_say() {
	under files "$RHP" --from 4MiB perl -e '$s = "x" x (20 << 20); print length $s'
	[ "$status" -eq 0 ]
	[ "$output" -eq $((20 << 20)) ]
	grep -qxF "  $1" <<<"$stderr"
	grep -qE '^  promised: rest [1-9]' <<<"$stderr"
}

@test "free blocks that cannot be read, and huge pages that are off, are said" {
	shims_setup
	local thp=/sys/kernel/mm/transparent_hugepage
	says $thp/hpage_pmd_size $'2097152\n'
	says $thp/enabled $'always [madvise] never\n'
	says $thp/hugepages-2048kB/enabled $'always [inherit] madvise never\n'
	says /proc/buddyinfo ''
	files_say "/proc/buddyinfo could not be read (No such file or directory): no node was chosen"
	says /proc/buddyinfo $'Node 0 zone Normal 1 2 3\n'
	files_say "/proc/buddyinfo could not be read (Bad message): no node was chosen"
	says $thp/enabled $'always madvise [never]\n'
	files_say "transparent huge pages are off ($thp/enabled): nothing was sent to another node"
}

@test "what a program that was killed had last is not known, and the report says so" {
	try "$RHP" --from 4MiB perl -e '$s = "x" x (20 << 20); kill "KILL", $$'
	[ "$status" -eq 137 ]
	[[ $stderr == *"  it was killed: the place of its last blocks is unknown"* ]]
	# a program that could not execute another one goes on
	try "$RHP" --from 4MiB perl -e '$s = "x" x (20 << 20); exec { "/nothing" } "nothing"; kill "KILL", $$'
	[ "$status" -eq 137 ]
	[[ $stderr == *"  it was killed: the place of its last blocks is unknown"* ]]
}
