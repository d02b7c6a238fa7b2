#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# affinity-map --try on a machine with near and far memory: ring4 with tests/numa/distance_plugin.c, a model. A program with two
# threads, compiled here, tells where the kernel put its pages (move_pages) and on which CPUs its threads may run. Its times are
# the model's: they decide here only what the model makes differ by a factor of 2.

bats_require_minimum_version 1.5.0

# shellcheck source=tests/helper.bash
source "$BATS_TEST_DIRNAME/../helper.bash"
# shellcheck source=tests/distance.bash
source "$BATS_TEST_DIRNAME/../distance.bash"

setup_file() {
	driver_setup
	find_distance_lack nm jq numactl taskset
	[ -n "$LACKING" ] || run_all
}

# 40 MiB that the first thread touches, of which two threads then read an access of each page.
write_program() {
	cat >reader.c <<-'END_OF_C'
		#define _GNU_SOURCE
		#include <pthread.h>
		#include <stdint.h>
		#include <stdio.h>
		#include <stdlib.h>
		#include <string.h>
		#include <sys/syscall.h>
		#include <time.h>
		#include <unistd.h>

		#define PAGES   10240
		#define THREADS 2

		static char *block, cpus[THREADS][256];
		static volatile int started;

		__attribute__((noinline)) unsigned long sweep(const volatile char *first, const volatile char *end)
		{
			unsigned long sum = 0;

			for (; first < end; first += 4096)
				sum += *first;
			return sum;
		}

		static void *work(void *number)
		{
			long i = (long)number;
			char line[256];
			FILE *in = fopen("/proc/thread-self/status", "r");

			while (in && fgets(line, sizeof(line), in))
				sscanf(line, "Cpus_allowed_list: %255s", cpus[i]);
			sweep(block + PAGES / THREADS * i * 4096L, block + PAGES / THREADS * (i + 1) * 4096L);
			return NULL;
		}

		static double now(void)
		{
			struct timespec t;

			clock_gettime(CLOCK_MONOTONIC, &t);
			return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
		}

		/* in turns: one page, or all of a huge page */
		static void tell_pages(void)
		{
			static void *pages[PAGES];
			static int nodes[PAGES];
			int on[4] = {0};

			for (long i = 0; i < PAGES; i++)
				pages[i] = (void *)(((uintptr_t)block + 4096 * i) & ~4095UL);
			syscall(SYS_move_pages, 0, (unsigned long)PAGES, pages, NULL, nodes, 0);
			for (int i = 0; i < PAGES; i++)
				on[nodes[i] & 3]++;
			printf("pages: %d %d %d %d\nfirst:", on[0], on[1], on[2], on[3]);
			for (int i = 0; i < 36; i++)
				printf(" %d", nodes[i]);
			puts("");
		}

		static void tell_huge(void)
		{
			char line[256];
			long kib = 0;
			FILE *in = fopen("/proc/self/smaps_rollup", "r");

			while (in && fgets(line, sizeof(line), in))
				sscanf(line, "AnonHugePages: %ld", &kib);
			printf("huge: %ld\n", kib);
		}

		int main(void)
		{
			pthread_t threads[THREADS];

			block = malloc(PAGES * 4096L);
			memset(block, 1, PAGES * 4096L);
			double begin = now();
			for (long i = 0; i < THREADS; i++)
				pthread_create(&threads[i], NULL, work, (void *)i);
			for (int i = 0; i < THREADS; i++)
				pthread_join(threads[i], NULL);
			printf("sweep: %.4f s\ncpus: %s %s\n", now() - begin, cpus[0], cpus[1]);
			tell_pages();
			tell_huge();
			return 0;
		}
	END_OF_C
	# at a fixed place, which no other program has
	"${CC:-gcc}" -O2 -Wall -no-pie -pthread -o reader reader.c
}

# ",code=NAME:FIRST-END" of a function.
address() { # PROGRAM FUNCTION ORIGIN
	local at size
	read -r at size _ < <(nm -S "$1" | grep " $2\$")
	printf ',code=%s:%x-%x' "$2" $((0x$at + $3)) $((0x$at + 0x$size + $3))
}

run_all() {
	local build=${AFFINITY_BUILD:-build} model
	[[ $build == /* ]] || build=$root/$build
	write_program
	build_distance
	cat >guest.sh <<-'END_OF_GUEST'
		echo 0 >/proc/sys/kernel/numa_balancing
		echo 0 >/proc/sys/kernel/randomize_va_space
		echo madvise >/sys/kernel/mm/transparent_hugepage/enabled
		[ ! -d /sys/kernel/mm/mempolicy/weighted_interleave ] || echo 3 >/sys/kernel/mm/mempolicy/weighted_interleave/node0
		affinity --quiet --set kernels=load --set isa=scalar --set unroll=1 --set placements=1 --set samples=3 --set statistic=min \
			--set 'sizePerVector=16KiB*' --set passes=1 --json bw.json bandwidth.args bw.txt || exit
		# the caches that the emulated CPU tells of are not those of the model, which hold 1 KiB
		sed -i 's/"times_caches": [^,]*/"times_caches": 64/' bw.json
		export OMP_NUM_THREADS=2
		set -- --try --mapping compact --bandwidths bw.json --figure 'sweep: ([0-9.]+) s' --tolerance 50%
		affinity-map "$@" --plan -- reader >/out/plan || exit
		affinity-map "$@" --budget 200s --json /out/try.json --out /out/try.txt -- reader 2>/out/messages || exit
		# each line as it stands, and the one that won
		unset OMP_NUM_THREADS
		grep '^candidate' /out/plan >lines
		sed -n 's/^run: /candidate 99, run: /p' /out/try.txt >>lines
		while read -r line; do
			line=${line#*, }
			echo "line ${line%%: *}"
			sh -c "${line#*: }" </dev/null || echo "exit $?"
		done <lines >/out/lines
	END_OF_GUEST
	model=./distance.so,unit=4000,cache=1,out=$PWD/counts$(address reader sweep 0)$(address "$AFFINITY" load_scalar_u1 0x555555554000)
	"$root/scripts/testmachine" --timeout 900 --get out --program "$AFFINITY" --program "$AFFINITY-map" --program "$AFFINITY-rhp" \
		--program "$build/affinity-rhp.so" --program ./reader --program numactl --program taskset --put guest.sh \
		--put "$root/args/matrix/bandwidth.args" --model "$model" ring4 sh guest.sh
}

setup() {
	driver_setup
	[ -z "$LACKING" ] || skip "$LACKING"
	cd "$BATS_FILE_TMPDIR" || return 1
}

# told NAME FIELD: what the program said, started by the line of that candidate.
told() {
	awk -v name="line $1" -v field="$2:" '/^line/ { mine = $0 == name } mine && $1 == field { $1 = ""; print substr($0, 2) }' out/lines
}

# The names of candidates in the plan's order.
names() {
	sed -n 's/^candidate [0-9]*, \([^:]*\):.*/\1/p' out/plan
}

@test "each line can be pasted: all threads are on its CPUs, all pages where it says" {
	local name
	cat out/lines out/messages
	run ! grep -q '^exit' out/lines
	while read -r name; do
		echo "$name"
		[[ $name != compact* ]] || same "0-1 0-1" "$(told "$name" cpus)"
		case $name in
		*interleave=0,1,2,3) same "2560 2560 2560 2560" "$(told "$name" pages)" ;;
		*"interleave=0,1,2,3, malloc"*) told "$name" pages | awk '{ for (i = 1; i <= 4; i++) if ($i < 2048 || $i > 3072) exit 1 }' ;;
		compact*=0 | compact*=0,\ malloc* | "compact of 2" | "compact of 2, malloc"* | "compact of 2, affinity-rhp")
			same "10240 0 0 0" "$(told "$name" pages)"
			;;
		esac
		[[ $name != *"malloc in huge pages" && $name != *affinity-rhp* ]] || [ "$(told "$name" huge)" -ge 32768 ]
	done < <(names)
	same "0 1 2 3 0 1 2 3" "$(told "compact of 2, interleave=0,1,2,3" first | tr ' ' '\n' | awk 'NR == 1 { d = $1 } NR <= 8 { print ($1 - d + 4) % 4 }' | paste -sd ' ')"
}

@test "pages are spread by the weights of the line, which go by measured bandwidth, and then nearer step by step" {
	local name near=0 share steps=0 weights
	while read -r name; do
		weights=${name##* }
		[[ $weights == 0=* ]] || continue
		echo "$name: $(told "$name" pages)"
		# within a huge page at both ends
		told "$name" pages | awk -v weights="$weights" '{
			n = split(weights, w, /[=,]/)
			for (i = 2; i <= n; i += 2) sum += w[i]
			for (i = 2; i <= n; i += 2) {
				off = $(w[i - 1] + 1) - 10240 * w[i] / sum
				if (off > 1024 || off < -1024) exit 1
			}
		}'
		[[ $name == compact* ]] || continue
		share=$(awk -v weights="$weights" 'BEGIN { n = split(weights, w, /[=,]/); for (i = 2; i <= n; i += 2) sum += w[i]; print int(1000 * w[2] / sum) }')
		[ "$share" -gt "$near" ]
		near=$share steps=$((steps + 1))
	done < <(names)
	[ "$steps" -eq 4 ]
	# far memory is slow in the model: the weights have its order
	names | grep -m 1 '^compact of 2, affinity-rhp 0=' | sed 's/.* //' | tr '=' ',' | awk -F , '{ exit !($2 > $4 && $4 >= $6 && $2 >= 1.5 * $4) }'
}

@test "the kernel weighs page by page, or is left out with the reason" {
	if grep -q '^left out: weighted interleave of the kernel: ' out/plan; then
		grep -q 'this one has none (Linux 6.9)\|this numactl has no --weighted-interleave' out/plan
		skip "$(sed -n 's/^left out: \(weighted interleave of the kernel.*\)/\1/p' out/plan)"
	fi
	same "5120 1707 1707 1706" "$(told "compact of 2, weighted-interleave=0,1,2,3" pages | awk '{ print $1, $2, $3, $4 }')"
}

@test "near memory wins by a factor, spread memory is dropped, and who is left is tied by name" {
	cat out/try.txt out/messages
	jq -e '.rounds >= 3 and (.candidates[0] | .result == "left" and .place != null and .not_as_asked == null
		and (.name | test("interleave") | not))' out/try.json
	jq -e '[.candidates[] | select(.result == "left").name | test("interleave")] | any | not' out/try.json
	jq -e '.candidates[] | select(.name == "compact of 2, interleave=0,1,2,3") | .result == "dropped" and .ratio_to_leader.value > 1.5' out/try.json
	jq -e 'all(.candidates[]; .result != "failed" and .not_as_asked == null)' out/try.json
	[ "$(grep -c ' tied$\| best$' out/try.txt)" -eq "$(jq '[.candidates[] | select(.result == "left")] | length' out/try.json)" ]
}

@test "the line of the winner gives its placement without affinity-map" {
	grep -q '^run: ' out/try.txt || grep -q '^the unchanged command is among the best' out/try.txt
	grep -q '^run: ' out/try.txt || skip "the program as it is was placed as well by the system"
	same "10240 0 0 0" "$(told run pages)"
	same "0-1 0-1" "$(told run cpus)"
}
